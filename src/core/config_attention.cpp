// Heads, latent attention, sliding windows and recurrent state.
#include <fmt/format.h>

#include <algorithm>

#include "core/config_parts.hpp"
#include "core/units.hpp"

namespace gpu_advisor::config {
namespace {

constexpr const char* kHeadKeys[] = {"num_attention_heads", "n_head", "n_heads"};
constexpr const char* kKvHeadKeys[] = {"num_key_value_heads", "num_kv_heads", "n_head_kv",
                                       "kv_n_heads"};
constexpr const char* kHeadDimKeys[] = {"head_dim", "kv_channels", "attention_head_dim"};

// --- KV heads ----------------------------------------------------------------------------

/// Falcon: grouped in the new architecture, one head with multi_query, else all of them.
/// num_kv_heads of a file that was saved again repeats the attention heads there.
std::int64_t falcon_kv_heads(const Source& source, std::int64_t heads) {
  if (source.text.flag_or("new_decoder_architecture", false)) {
    return source.text.needed(kKvHeadKeys, kMaxHeads);
  }
  const Figure old_name = source.text.whole("n_head_kv", kMaxHeads);
  if (old_name) return *old_name;
  const auto multi_query = source.text.flag("multi_query");
  if (!multi_query) {
    throw_not_understood(source.text.name_of("multi_query") +
                         " is missing: a Falcon has one KV head with it, all without");
  }
  return *multi_query ? 1 : heads;
}

/// ChatGLM names the groups, and whether they are used.
std::optional<std::int64_t> chatglm_kv_heads(const Source& source, std::int64_t heads) {
  const auto grouped = source.text.flag("multi_query_attention");
  if (!grouped) return std::nullopt;
  return *grouped ? source.text.needed("multi_query_group_num", kMaxHeads) : heads;
}

std::int64_t absent_kv_heads(const Source& source, std::int64_t heads) {
  if (source.architecture.kv_is_heads) return heads;
  throw_not_understood(fmt::format("{} is missing, and what that means is not known for {}",
                                   source.text.name_of("num_key_value_heads"), source.type_text()));
}

std::int64_t read_kv_heads(const Source& source, std::int64_t heads) {
  if (source.architecture.count == Count::falcon) return falcon_kv_heads(source, heads);
  if (const auto part = source.text.part("attn_config")) {
    if (const Figure found = part->whole(kKvHeadKeys, kMaxHeads)) return *found;
    const auto kind = part->text("attn_type");
    if (kind && *kind == "multiquery_attention") return 1;
    if (kind && *kind != "multihead_attention") {
      throw_not_understood(part->name_of("kv_n_heads") + " is missing");
    }
  }
  if (source.model_type == "gpt_bigcode") {
    const auto multi_query = source.text.flag("multi_query");
    if (!multi_query) throw_not_understood(source.text.name_of("multi_query") + " is missing");
    return *multi_query ? 1 : heads;
  }
  if (const auto found = chatglm_kv_heads(source, heads)) return *found;
  if (const Figure found = source.text.whole(kKvHeadKeys, kMaxHeads)) return *found;
  return absent_kv_heads(source, heads);
}

// --- head dimension ----------------------------------------------------------------------

std::int64_t derived_head_dim(const Source& source, const Model& model) {
  const std::string name = source.text.name_of("head_dim");
  if (!source.architecture.derives_head_dim) {
    throw_not_understood(fmt::format("{} is missing, and what that means is not known for {}", name,
                                     source.type_text()));
  }
  if (*model.hidden_size % *model.attention_heads != 0) {
    throw_not_understood(fmt::format(
        "{} is missing, and the hidden size {} is no multiple of the {} attention heads", name,
        *model.hidden_size, *model.attention_heads));
  }
  return *model.hidden_size / *model.attention_heads;
}

/// Multi-head latent attention: a compressed row a token and layer, for all heads.
bool read_latent(const Source& source, Model& model) {
  const Part& text = source.text;
  const Figure rank = text.whole("kv_lora_rank", kMaxWidth, 0);
  if (!rank || *rank == 0) return false;
  const std::int64_t rope = text.needed("qk_rope_head_dim", kMaxWidth);
  const std::int64_t nope = text.needed("qk_nope_head_dim", kMaxWidth);
  model.kv_latent_dim = *rank + rope;
  model.qk_rope_head_dim = rope;
  model.qk_nope_head_dim = nope;
  model.v_head_dim = text.needed("v_head_dim", kMaxWidth);
  model.q_lora_rank = text.whole("q_lora_rank", kMaxWidth, 0);
  // null: queries are not compressed. No key at all: not known.
  if (!model.q_lora_rank && text.json().contains("q_lora_rank")) model.q_lora_rank = 0;
  model.head_dim = nope + rope;
  if (text.has("index_head_dim")) {
    source.notes.emplace_back(fmt::format(
        "the indexer of sparse attention keeps {} numbers more a token and layer, which are not "
        "counted",
        text.needed("index_head_dim", kMaxWidth)));
  }
  return true;
}

void check_kv_heads(const Source& source, const Model& model) {
  for (const Figure& heads : {model.kv_heads, model.sliding_kv_heads}) {
    if (heads.value_or(0) <= *model.attention_heads) continue;
    throw_not_understood(fmt::format("{} is {}, more than the {} attention heads",
                                     source.text.name_of("num_key_value_heads"), *heads,
                                     *model.attention_heads));
  }
}

// --- windows -----------------------------------------------------------------------------

std::int64_t count_of(const std::vector<Layer>& layers, Layer kind) {
  return std::count(layers.begin(), layers.end(), kind);
}

std::int64_t window_of(const Source& source) {
  const Part& text = source.text;
  const char* chunk = "attention_chunk_size";
  if (source.model_type == "llama4_text") return text.needed(chunk, kMaxTokens);
  static constexpr const char* kKeys[] = {"sliding_window", "sliding_window_size"};
  return text.needed(kKeys, kMaxTokens);
}

/// Gemma 3n and 4: the last layers read the cache of earlier ones and keep none.
std::vector<Layer> with_own_cache(const Source& source, std::vector<Layer> layers) {
  const Figure shared =
      source.text.whole("num_kv_shared_layers", static_cast<std::int64_t>(layers.size()), 0);
  if (!shared) return layers;
  layers.resize(layers.size() - static_cast<std::size_t>(*shared));
  return layers;
}

/// What sliding layers have of their own, by the two ways of saying so: MiMo names the sliding
/// layers' figures, Gemma 4 those of the full layers.
void read_sliding_heads(const Source& source, Model& model) {
  const Part& text = source.text;
  Figure kv_heads = text.whole("swa_num_key_value_heads", kMaxHeads);
  Figure head_dim = text.whole("swa_head_dim", kMaxWidth);
  if (const Figure full = text.whole("num_global_key_value_heads", kMaxHeads)) {
    kv_heads = std::exchange(model.kv_heads, full);
  }
  if (const Figure full = text.whole("global_head_dim", kMaxWidth)) {
    head_dim = std::exchange(model.head_dim, full);
  }
  if (kv_heads != model.kv_heads) model.sliding_kv_heads = kv_heads;
  if (head_dim != model.head_dim) model.sliding_head_dim = head_dim;
}

// --- state -------------------------------------------------------------------------------

/// Bytes of a number of the recurrent part: what the file says, else what the architecture's
/// usual engine keeps. The convolution part is kept in the 16-bit dtype of the model.
Bytes recurrent_bytes(const Source& source, Bytes otherwise) {
  for (const char* key : {"mamba_ssm_dtype", "mamba_ssm_cache_dtype"}) {
    const auto dtype = source.text.text(key);
    if (!dtype) continue;
    if (*dtype == "float32") return 4;
    if (*dtype == "bfloat16" || *dtype == "float16") return 2;
    throw_wrong(source.text.name_of(key), "float32, bfloat16 or float16", *source.text.find(key));
  }
  source.notes.emplace_back(
      fmt::format("the recurrent state is counted at {} bits; an engine may keep it at {}",
                  otherwise * 8, otherwise == 2 ? 32 : 16));
  return otherwise;
}

/// (kernel - 1) columns of `channels`, and `numbers` of the state proper.
Bytes state(std::int64_t kernel, std::int64_t channels, std::int64_t numbers, Bytes bytes) {
  return add(mul(kernel - 1, channels, Bytes{2}), mul(numbers, bytes));
}

Bytes delta_net(const Source& source) {
  const Part& text = source.text;
  const std::int64_t keys = text.needed("linear_num_key_heads", kMaxHeads);
  const std::int64_t values = text.needed("linear_num_value_heads", kMaxHeads);
  const std::int64_t key_dim = text.needed("linear_key_head_dim", kMaxWidth);
  const std::int64_t value_dim = text.needed("linear_value_head_dim", kMaxWidth);
  return state(text.needed("linear_conv_kernel_dim", kMaxWidth),
               add(mul(std::int64_t{2}, keys, key_dim), mul(values, value_dim)),
               mul(values, key_dim, value_dim), recurrent_bytes(source, 4));
}

Bytes mamba1(const Source& source, const Model& model) {
  const Part& text = source.text;
  static constexpr const char* kState[] = {"mamba_d_state", "state_size"};
  static constexpr const char* kKernel[] = {"mamba_d_conv", "conv_kernel"};
  static constexpr const char* kExpand[] = {"mamba_expand", "expand"};
  const std::int64_t inner = mul(text.needed(kExpand, kMaxWidth), *model.hidden_size);
  return state(text.needed(kKernel, kMaxWidth), inner, mul(inner, text.needed(kState, kMaxWidth)),
               recurrent_bytes(source, 2));
}

Bytes mamba2(const Source& source) {
  const Part& text = source.text;
  static constexpr const char* kHeads[] = {"mamba_num_heads", "mamba_n_heads"};
  static constexpr const char* kDim[] = {"mamba_head_dim", "mamba_d_head"};
  static constexpr const char* kGroups[] = {"n_groups", "mamba_n_groups"};
  static constexpr const char* kState[] = {"ssm_state_size", "mamba_d_state"};
  static constexpr const char* kKernel[] = {"conv_kernel", "mamba_d_conv"};
  const std::int64_t inner = mul(text.needed(kHeads, kMaxHeads), text.needed(kDim, kMaxWidth));
  const std::int64_t size = text.needed(kState, kMaxWidth);
  const std::int64_t groups = text.needed(kGroups, kMaxHeads);
  return state(text.needed(kKernel, kMaxWidth), add(inner, mul(std::int64_t{2}, groups, size)),
               mul(inner, size), recurrent_bytes(source, 2));
}

/// Kimi's delta attention.
Bytes kda(const Source& source) {
  const auto part = source.text.part("linear_attn_config");
  if (!part) throw_not_understood(source.text.name_of("linear_attn_config") + " is missing");
  const std::int64_t heads = part->needed("num_heads", kMaxHeads);
  const std::int64_t dim = part->needed("head_dim", kMaxWidth);
  return state(part->needed("short_conv_kernel_size", kMaxWidth), mul(std::int64_t{3}, heads, dim),
               mul(heads, dim, dim), recurrent_bytes(source, 4));
}

/// MiniMax's lightning attention: a square a head, no convolution.
Bytes lightning(const Source& source, const Model& model) {
  return mul(*model.attention_heads, *model.head_dim, *model.head_dim, recurrent_bytes(source, 2));
}

/// LFM2: a short convolution and nothing else.
Bytes short_conv(const Source& source, const Model& model) {
  const std::int64_t kernel = source.text.needed("conv_L_cache", kMaxWidth);
  return mul(kernel - 1, *model.hidden_size, Bytes{2});
}

Bytes state_of_a_layer(const Source& source, const Model& model) {
  switch (source.architecture.state) {
    case State::delta_net:
      return delta_net(source);
    case State::mamba1:
      return mamba1(source, model);
    case State::mamba2:
      return mamba2(source);
    case State::kda:
      return kda(source);
    case State::lightning:
      return lightning(source, model);
    case State::short_conv:
      return short_conv(source, model);
    case State::unknown:
      break;
  }
  throw_not_understood(
      fmt::format("{} has recurrent layers, and what they keep is not known for {}",
                  source.text.name_of("num_hidden_layers"), source.type_text()));
}

/// Falcon-H1 has attention and recurrence side by side in every layer.
bool side_by_side(const Source& source) { return source.model_type == "falcon_h1"; }

}  // namespace

void read_heads(const Source& source, Model& model) {
  model.attention_heads = source.text.needed(kHeadKeys, kMaxHeads);
  model.kv_heads = read_kv_heads(source, *model.attention_heads);
  check_kv_heads(source, model);
  if (read_latent(source, model)) return;
  const Figure given = source.text.whole(kHeadDimKeys, kMaxWidth);
  model.head_dim = given ? *given : derived_head_dim(source, model);
  model.v_head_dim = source.text.whole("v_head_dim", kMaxWidth);
}

void read_cache(const Source& source, const std::vector<Layer>& layers, Model& model) {
  const std::vector<Layer> own = with_own_cache(source, layers);
  const std::int64_t sliding = count_of(own, Layer::sliding);
  const std::int64_t keeping = sliding + count_of(own, Layer::full);
  if (keeping != *model.layers) model.kv_layers = keeping;
  if (sliding == 0) return;
  const std::int64_t window = window_of(source);
  const bool alike =
      !source.text.has("swa_num_key_value_heads") && !source.text.has("swa_head_dim") &&
      !source.text.has("num_global_key_value_heads") && !source.text.has("global_head_dim");
  if (model.max_context && window >= *model.max_context && alike) return;
  model.sliding_window = window;
  model.sliding_layers = sliding;
  read_sliding_heads(source, model);
  check_kv_heads(source, model);
}

void read_state(const Source& source, const std::vector<Layer>& layers, Model& model) {
  const std::int64_t recurrent =
      side_by_side(source) ? *model.layers : count_of(layers, Layer::recurrent);
  if (recurrent == 0) return;
  model.state_bytes = mul(recurrent, state_of_a_layer(source, model));
}

}  // namespace gpu_advisor::config
