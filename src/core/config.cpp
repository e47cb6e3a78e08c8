#include "core/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/config_parts.hpp"
#include "core/units.hpp"

namespace gpu_advisor {
namespace config {
namespace {

constexpr const char* kFile = "config.json";

/// Keys of caches and layers that this reader has no formula for. `what` ends the sentence.
struct Alarm {
  const char* key;
  const char* what;
};
constexpr Alarm kAlarms[] = {
    {"block_configs", "layers that differ from each other"},
    {"compress_ratios", "a compressed and sparse cache, layer by layer"},
    {"attention_types", "a list of local and global attention in a form of its own"},
    {"attn_layer_indices", "a hybrid of a form of its own"},
    {"block_types", "recurrent blocks of a form of its own"},
    {"_block_types", "recurrent blocks of a form of its own"},
    {"cla_share_factor", "layers that share their cache in a form of its own"},
    {"num_kv_heads_per_layer", "layers that differ from each other"},
    {"rwkv_hidden_size", "a recurrent state of a form of its own"},
    {"wkv_has_gate", "a recurrent state of a form of its own"},
};

/// Keys of recurrent layers. A type that the table has no state for is refused with them.
constexpr const char* kRecurrentKeys[] = {"ssm_state_size",
                                          "mamba_d_state",
                                          "mamba_n_heads",
                                          "mamba_num_heads",
                                          "ssm_cfg",
                                          "state_size",
                                          "d_state",
                                          "lru_width",
                                          "conv_L_cache",
                                          "attention_hidden_size",
                                          "linear_conv_kernel_dim",
                                          "linear_attn_config"};

/// Where the language model stands in files that describe more than one network.
constexpr const char* kNested[] = {"text_config", "llm_config", "language_config"};

std::optional<Part> nested_part(const Part& top) {
  if (const auto thinker = top.part("thinker_config")) {
    if (auto text = thinker->part("text_config")) return text;
    throw_not_understood(thinker->name_of("text_config") + " is missing");
  }
  for (const char* key : kNested) {
    if (auto found = top.part(key)) return found;
  }
  return std::nullopt;
}

/// The class defaults that a nested part may leave out, as the publisher's class has them.
/// Only values that are certain stand here; everything else that is missing is an error.
struct Defaults {
  std::string_view outer;
  std::string_view model_type;
  const char* values;
};
constexpr Defaults kDefaults[] = {
    {"gemma3", "gemma3_text",
     R"({"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
         "vocab_size": 262208, "max_position_embeddings": 131072})"},
    {"qwen2_audio", "qwen2",
     R"({"hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
         "num_key_value_heads": 32})"},
};

/// The part's own values win, null ones too.
Document<Json> defaults_of(std::string_view outer, std::string_view model_type) {
  for (const Defaults& row : kDefaults) {
    if (row.outer == outer && row.model_type == model_type) {
      return read_document<Json>(row.values, 1);
    }
  }
  return read_document<Json>("{}", 1);
}

// --- what is refused ---------------------------------------------------------------------

void refuse_no_text(const Part& top, std::string_view model_type) {
  if (generates_no_text(model_type)) {
    throw_not_understood(
        fmt::format("{} is {}: such a model does not generate text, and has no cache to size",
                    top.name_of("model_type"), model_type));
  }
  if (top.flag_or("is_encoder_decoder", false)) {
    throw_not_understood(top.name_of("is_encoder_decoder") +
                         " is true: of encoder-decoder models, Whisper's kind is understood only");
  }
}

void refuse_unknown_forms(const Source& source) {
  const Part& text = source.text;
  for (const Alarm& alarm : kAlarms) {
    if (!text.has(alarm.key)) continue;
    throw_not_understood(fmt::format("{} means {}, which this reader does not understand",
                                     text.name_of(alarm.key), alarm.what));
  }
  if (source.architecture.state != State::unknown) return;
  for (const char* key : kRecurrentKeys) {
    if (!text.has(key)) continue;
    throw_not_understood(
        fmt::format("{} means recurrent layers, and what they keep is not known for {}",
                    text.name_of(key), source.type_text()));
  }
}

// --- sizes -------------------------------------------------------------------------------

constexpr const char* kHiddenKeys[] = {"hidden_size", "n_embd", "n_embed", "d_model"};
constexpr const char* kWidthKeys[] = {"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"};
constexpr const char* kVocabKeys[] = {"vocab_size", "padded_vocab_size"};
/// In order of trust: the first one present holds.
constexpr const char* kContextKeys[] = {
    "max_position_embeddings", "n_positions", "max_seq_len",     "seq_length",
    "max_sequence_length",     "n_ctx",       "model_max_length"};

/// Types whose feed-forward width is 4 x hidden where no key gives it.
bool is_four_times(const Source& source) {
  constexpr std::string_view kTypes[] = {"gpt2",   "gpt_bigcode", "gptj",           "bloom",
                                         "falcon", "RefinedWeb",  "RefinedWebModel"};
  return std::find(std::begin(kTypes), std::end(kTypes), source.model_type) != std::end(kTypes);
}

/// A list of one width for all layers, as Gemma 3n writes it.
Figure width_of_list(const Source& source, const char* key) {
  const auto widths = *source.text.numbers(key, kMaxWidth);
  for (const std::int64_t width : widths) {
    if (width == widths.front() && width > 0) continue;
    throw_not_understood(source.text.name_of(key) +
                         " means layers that differ from each other, which this reader does not "
                         "understand");
  }
  return widths.empty() ? Figure{} : Figure{widths.front()};
}

Figure read_width(const Source& source, const Model& model) {
  const Part& text = source.text;
  if (const auto part = text.part("ffn_config")) {
    return part->whole("ffn_hidden_size", kMaxWidth);
  }
  if (const Figure ratio = text.whole("expansion_ratio", kMaxWidth)) {
    const std::int64_t width = mul(*ratio, *model.hidden_size);
    if (width <= kMaxWidth) return width;
    throw_wrong(text.name_of("expansion_ratio"), "a small number", *text.find("expansion_ratio"));
  }
  const Json* list = text.find("intermediate_size");
  if (list != nullptr && list->is_array()) return width_of_list(source, "intermediate_size");
  const Figure width = text.whole(kWidthKeys, kMaxWidth);
  if (!width && is_four_times(source)) return mul(std::int64_t{4}, *model.hidden_size);
  // The first Qwen counts both halves of the gate.
  if (width && source.model_type == "qwen") return *width / 2;
  return width;
}

Figure read_context(const Source& source) {
  const Part& text = source.text;
  // Command R's positions are a training detail beside its longer model_max_length.
  if (source.model_type == "cohere") {
    if (const Figure longest = text.whole("model_max_length", kMaxTokens)) return longest;
  }
  for (const char* key : kContextKeys) {
    if (const Figure found = text.whole(key, kMaxTokens)) return found;
  }
  source.notes.emplace_back("max_context not known: the file gives no context length");
  return std::nullopt;
}

void read_sizes(const Source& source, Model& model) {
  model.layers = source.text.needed(kLayerKeys, kMaxLayers);
  model.hidden_size = source.text.needed(kHiddenKeys, kMaxWidth);
  model.vocab_size = source.text.needed(kVocabKeys, kMaxVocab);
  model.intermediate_size = read_width(source, model);
  model.max_context = read_context(source);
}

// --- experts -----------------------------------------------------------------------------

constexpr const char* kExpertKeys[] = {"num_local_experts", "num_experts", "n_routed_experts",
                                       "moe_num_experts"};
constexpr const char* kChosenKeys[] = {"num_experts_per_tok", "experts_per_token",     "moe_top_k",
                                       "top_k_experts",       "num_experts_per_token", "moe_k"};

void read_experts(const Source& source, Model& model) {
  const Part part = source.text.part("ffn_config").value_or(source.text);
  const Figure experts = part.whole(kExpertKeys, kMaxExperts, 0);
  if (!experts || *experts == 0) return;
  model.experts = experts;
  model.experts_per_token = part.whole(kChosenKeys, kMaxExperts);
  if (model.experts_per_token.value_or(0) > *experts) {
    throw_not_understood(fmt::format("{} is {}, more than the {} experts",
                                     part.name_of("num_experts_per_tok"), *model.experts_per_token,
                                     *experts));
  }
  const Figure width = part.whole(kExpertWidthKeys, kMaxWidth);
  model.expert_intermediate_size = width ? width : model.intermediate_size;
}

// --- speech ------------------------------------------------------------------------------

void read_whisper(const Source& source, const ConfigInput& input, Model& model) {
  const Part& top = source.top;
  model.kind = Kind::speech;
  model.layers = top.needed("encoder_layers", kMaxLayers);
  model.hidden_size = top.needed("d_model", kMaxWidth);
  model.attention_heads = top.needed("encoder_attention_heads", kMaxHeads);
  model.kv_heads = model.attention_heads;
  model.decoder_layers = top.needed("decoder_layers", kMaxLayers);
  model.decoder_heads = top.needed("decoder_attention_heads", kMaxHeads);
  for (const char* key : {"encoder_attention_heads", "decoder_attention_heads"}) {
    if (*model.hidden_size % top.needed(key, kMaxHeads) == 0) continue;
    throw_not_understood(fmt::format("{} does not divide d_model, which is {}", top.name_of(key),
                                     *model.hidden_size));
  }
  model.head_dim = *model.hidden_size / *model.attention_heads;
  model.intermediate_size = top.needed("encoder_ffn_dim", kMaxWidth);
  model.vocab_size = top.needed("vocab_size", kMaxVocab);
  model.max_target_positions = top.needed("max_target_positions", kMaxTokens);
  model.max_source_positions = top.needed("max_source_positions", kMaxTokens);
  model.max_context = model.max_target_positions;
  model.unquantized_params = mul(*model.vocab_size, *model.hidden_size);
  settle_params(source, input, count_whisper(top, model), "", model);
}

// --- text --------------------------------------------------------------------------------

bool has_attention(const Source& source) { return source.architecture.count != Count::mamba; }

void read_language(const Source& source, const ConfigInput& input, Model& model) {
  refuse_no_text(source.top, source.model_type);
  refuse_unknown_forms(source);
  if (!is_known(source.architecture)) {
    source.notes.emplace_back(source.type_text() +
                              " is not one that this reader knows: read by the names of its keys");
  }
  read_sizes(source, model);
  if (has_attention(source)) read_heads(source, model);
  read_experts(source, model);
  const std::vector<Layer> layers = read_layers(source, *model.layers, model.max_context);
  read_cache(source, layers, model);
  read_state(source, layers, model);
  read_params(source, layers, input, model);
}

}  // namespace

std::string Source::type_text() const {
  if (model_type.empty()) return "a file without model_type";
  return "model_type " + shown(Json(model_type));
}

}  // namespace config

ConfigModel model_from_config(const ConfigInput& input) {
  using namespace config;
  if (input.params && *input.params < 1) {
    throw invalid_argument(fmt::format("params must be 1 or more, not {}", *input.params),
                           "Leave it out, or NULL, where it is not known.");
  }
  const Document<Json> file = parse_object(input.config, kFile, input.poll);
  const Part top(file.root(), std::string(kFile) + ": ");
  const std::string outer = top.text("model_type").value_or("");
  const auto nested = nested_part(top);
  const std::string inner = nested ? nested->text("model_type").value_or(outer) : outer;
  const Document<Json> defaults = defaults_of(outer, inner);

  ConfigModel result;
  result.model.name = input.model;
  const Source source{top,
                      nested ? Part(nested->json(), nested->name_of(""), &defaults.root()) : top,
                      inner, architecture_of(inner), result.notes};
  if (outer == "whisper") {
    read_whisper(source, input, result.model);
  } else {
    read_language(source, input, result.model);
  }
  return result;
}

}  // namespace gpu_advisor
