// Parameters counted from the shapes, for the architectures where the count is proved.
#include <fmt/format.h>

#include "core/config_parts.hpp"
#include "core/units.hpp"

namespace gpu_advisor::config {
namespace {

/// An exact count: sums and products that refuse to overflow.
struct N {
  std::int64_t value = 0;
  N(std::int64_t number) : value(number) {}  // NOLINT: numbers are counts
  friend N operator+(N a, N b) { return add(a.value, b.value); }
  friend N operator*(N a, N b) { return mul(a.value, b.value); }
  N& operator+=(N other) { return *this = *this + other; }
};

/// What the formulas are written in.
struct Shape {
  N vocab, hidden, layers, heads, kv, dim, width;
  N embeddings;  ///< input and, where it has weights of its own, output
};

/// A reason why there is no count; thrown and caught in this file only.
struct NotCounted {
  std::string why;
};

std::int64_t figure(const Figure& value, const char* name) {
  if (!value) throw NotCounted{std::string(name) + " is not known"};
  return *value;
}

Shape shape_of(const Model& model, std::optional<bool> tied) {
  if (!tied) throw NotCounted{"tie_word_embeddings is not known"};
  const bool attention = model.attention_heads.has_value();
  Shape shape{figure(model.vocab_size, "vocab_size"),
              figure(model.hidden_size, "hidden_size"),
              figure(model.layers, "the number of layers"),
              attention ? *model.attention_heads : 0,
              attention ? *model.kv_heads : 0,
              attention ? *model.head_dim : 0,
              model.intermediate_size.value_or(0),
              0};
  shape.embeddings = shape.vocab * shape.hidden * (*tied ? 1 : 2);
  return shape;
}

bool on(const Source& source, const Detail& detail) {
  if (detail.key.empty()) return detail.otherwise;
  return source.text.flag_or(std::string(detail.key).c_str(), detail.otherwise);
}

/// A model with another head than the one that predicts words.
void refuse_other_heads(const Source& source) {
  const auto names = source.top.words("architectures");
  if (!names) return;
  for (const std::string& name : *names) {
    for (const char* head : {"Classification", "Reward", "QuestionAnswering", "MaskedLM"}) {
      if (name.find(head) != std::string::npos) {
        throw NotCounted{"the head is that of " + shown(Json(name))};
      }
    }
  }
}

/// Switches which change shapes in a way that the formulas do not know.
void refuse_switches(const Source& source) {
  refuse_other_heads(source);
  static constexpr const char* kOff[] = {"qk_layernorm", "add_cross_attention"};
  for (const char* key : kOff) {
    if (source.text.flag_or(key, false)) throw NotCounted{std::string(key) + " is set"};
  }
  const bool knows_qk_norm = source.architecture.qk_norm != QkNorm::none;
  if (!knows_qk_norm && source.text.flag_or("use_qk_norm", false)) {
    throw NotCounted{"use_qk_norm is set"};
  }
}

// --- layers of an ordinary decoder -------------------------------------------------------

N norm_of(const Architecture& kind, N width) {
  if (kind.norm == Norm::none) return 0;
  return kind.norm == Norm::rms ? width : width * 2;
}

/// DeepSeek's indexer, where index_head_dim is set.
N indexer(const Source& source, const Model& model, N hidden) {
  if (!source.text.has("index_head_dim")) return 0;
  const N dim = source.text.needed("index_head_dim", kMaxWidth);
  const N heads = source.text.needed("index_n_heads", kMaxHeads);
  return N(*model.q_lora_rank) * heads * dim + hidden * dim + dim * 2 + hidden * heads;
}

N latent_attention(const Source& source, const Model& model, const Shape& s) {
  if (!model.q_lora_rank) throw NotCounted{"q_lora_rank is not known"};
  const N rope = *model.qk_rope_head_dim;
  const N nope = *model.qk_nope_head_dim;
  const N value = *model.v_head_dim;
  const N rank = N(*model.kv_latent_dim - *model.qk_rope_head_dim);
  const N q_rank = *model.q_lora_rank;
  const N query = s.heads * (nope + rope);
  const N q = q_rank.value == 0 ? s.hidden * query : s.hidden * q_rank + q_rank + q_rank * query;
  return q + s.hidden * (rank + rope) + rank + rank * s.heads * (nope + value) +
         s.heads * value * s.hidden + indexer(source, model, s.hidden);
}

N qk_norms(const Source& source, const Shape& s) {
  const Architecture& kind = source.architecture;
  if (kind.qk_norm == QkNorm::none || !on(source, kind.qk_norm_on)) return 0;
  return kind.qk_norm == QkNorm::head ? s.dim * 2 : (s.heads + s.kv) * s.dim;
}

N attention(const Source& source, const Model& model, const Shape& s) {
  if (model.kv_latent_dim) return latent_attention(source, model, s);
  const Architecture& kind = source.architecture;
  const N query = s.heads * s.dim;
  const N all = query + s.kv * s.dim * 2;
  N total = s.hidden * all + query * s.hidden + qk_norms(source, s);
  if (on(source, kind.qkv_bias)) total += all;
  if (on(source, kind.out_bias)) total += s.hidden;
  if (kind.expert_bias) total += s.heads;  // attention sinks
  return total;
}

N mlp(const Source& source, N hidden, N width) {
  const std::int64_t matrices = source.architecture.mlp_matrices;
  N total = N(matrices) * hidden * width;
  if (on(source, source.architecture.mlp_bias)) total += N(matrices - 1) * width + hidden;
  return total;
}

// --- experts -----------------------------------------------------------------------------

bool biased_routing(const Source& source) {
  const Routing routing = source.architecture.routing;
  if (routing != Routing::biased_by_topk_method) return routing == Routing::biased;
  return source.text.text("topk_method") == "noaux_tc";
}

N shared_experts(const Source& source, const Shape& s, N width) {
  const Part& text = source.text;
  if (source.architecture.shared == Shared::by_number) {
    const N number = text.whole("n_shared_experts", kMaxExperts, 0).value_or(0);
    return mlp(source, s.hidden, width * number);
  }
  if (source.architecture.shared == Shared::gated) {
    const N shared = text.needed("shared_expert_intermediate_size", kMaxWidth, 0);
    return mlp(source, s.hidden, shared) + s.hidden;
  }
  return 0;
}

N experts(const Source& source, const Model& model, const Shape& s) {
  const N number = *model.experts;
  const N width = figure(model.expert_intermediate_size, "the experts' width");
  N total =
      number * mlp(source, s.hidden, width) + s.hidden * number + shared_experts(source, s, width);
  if (biased_routing(source)) total += number;
  if (source.architecture.expert_bias) total += number * (width * 2 + s.hidden);
  return total;
}

/// How many of the layers, from the first on, have no experts.
std::int64_t dense_layers(const Source& source, const Model& model) {
  const Part& text = source.text;
  if (!model.experts) return *model.layers;
  if (text.whole("decoder_sparse_step", kMaxLayers).value_or(1) != 1) {
    throw NotCounted{"decoder_sparse_step is not 1"};
  }
  const auto only = text.numbers("mlp_only_layers", kMaxLayers);
  if (only && !only->empty()) throw NotCounted{"mlp_only_layers is not empty"};
  const Json* frequency = text.find("moe_layer_freq");
  if (frequency != nullptr && *frequency != Json(1)) {
    throw NotCounted{"moe_layer_freq is not 1"};
  }
  return text.whole("first_k_dense_replace", *model.layers, 0).value_or(0);
}

N decoder(const Source& source, const Model& model, const Shape& s) {
  const Architecture& kind = source.architecture;
  const std::int64_t dense = dense_layers(source, model);
  const std::int64_t sparse = *model.layers - dense;
  if (dense > 0) figure(model.intermediate_size, "intermediate_size");
  N total = s.embeddings + norm_of(kind, s.hidden);
  total += s.layers * (N(kind.norms) * norm_of(kind, s.hidden) + attention(source, model, s));
  total += N(dense) * mlp(source, s.hidden, s.width);
  if (sparse > 0) total += N(sparse) * experts(source, model, s);
  if (on(source, kind.head_bias)) total += s.vocab;
  return total;
}

// --- GPT-2, BLOOM, OPT, Falcon: biases everywhere ----------------------------------------

/// A layer of two LayerNorms, attention and a plain feed-forward part, all with biases.
N biased_layer(const Shape& s) {
  const N all = (s.heads + s.kv * 2) * s.dim;
  return s.hidden * 4 + s.hidden * all + all + s.hidden * s.hidden + s.hidden +
         s.hidden * s.width * 2 + s.width + s.hidden;
}

/// BLOOM has a LayerNorm after the embedding where GPT-2 has a table of positions.
N gpt2(const Source& source, const Shape& s) {
  const bool bloom = source.model_type == "bloom";
  const N first = bloom ? s.hidden * 2 : s.hidden * source.text.needed("n_positions", kMaxTokens);
  return s.embeddings + first + s.layers * biased_layer(s) + s.hidden * 2;
}

N opt(const Source& source, const Shape& s) {
  const Part& text = source.text;
  if (!text.flag_or("enable_bias", true) || !text.flag_or("layer_norm_elementwise_affine", true)) {
    throw NotCounted{"an OPT without biases or norms"};
  }
  const N positions = text.needed("max_position_embeddings", kMaxTokens);
  const N word = text.whole("word_embed_proj_dim", kMaxWidth).value_or(s.hidden.value);
  N total = s.vocab * word + (positions + 2) * s.hidden + s.layers * biased_layer(s);
  if (word.value != s.hidden.value) total += word * s.hidden * 2;
  const bool last_norm = text.flag_or("do_layer_norm_before", true) &&
                         !text.flag_or("_remove_final_layer_norm", false);
  return last_norm ? total + s.hidden * 2 : total;
}

N falcon(const Source& source, const Shape& s) {
  const Part& text = source.text;
  const bool grouped =
      text.flag_or("new_decoder_architecture", false) || source.model_type == "RefinedWeb";
  if (!text.flag_or("parallel_attn", true) || text.flag_or("bias", false) ||
      text.has("num_ln_in_parallel_attn")) {
    throw NotCounted{"this Falcon's layers are not those of 7B, 40B or 180B"};
  }
  const N query = s.heads * s.dim;
  const N layer = s.hidden * (grouped ? 4 : 2) + s.hidden * (query + s.kv * s.dim * 2) +
                  query * s.hidden + s.hidden * s.width * 2;
  return s.embeddings + s.layers * layer + s.hidden * 2;
}

// --- recurrent layers --------------------------------------------------------------------

/// A Mamba-1 block without its norms.
N mamba_block(N hidden, N inner, N size, N kernel, N rank) {
  return hidden * inner * 2 + inner * (kernel + 1) + inner * (rank + size * 2) + rank * inner +
         inner + inner * size + inner + inner * hidden;
}

N mamba(const Source& source, const Shape& s) {
  const Part& text = source.text;
  if (text.flag_or("use_bias", false) || !text.flag_or("use_conv_bias", true)) {
    throw NotCounted{"use_bias or use_conv_bias is not the usual one"};
  }
  const N block =
      mamba_block(s.hidden, s.width, text.needed("state_size", kMaxWidth),
                  text.needed("conv_kernel", kMaxWidth), text.needed("time_step_rank", kMaxWidth));
  return s.embeddings + s.layers * (s.hidden + block) + s.hidden;
}

N jamba(const Source& source, const std::vector<Layer>& layers, const Model& model,
        const Shape& s) {
  const Part& text = source.text;
  const N inner = N(text.needed("mamba_expand", kMaxWidth)) * s.hidden;
  const N size = text.needed("mamba_d_state", kMaxWidth);
  const N rank = text.needed("mamba_dt_rank", kMaxWidth);
  const N recurrent =
      mamba_block(s.hidden, inner, size, text.needed("mamba_d_conv", kMaxWidth), rank) + rank +
      size * 2;
  const std::int64_t period = text.needed("expert_layer_period", kMaxLayers);
  const std::int64_t offset = text.needed("expert_layer_offset", period - 1, 0);
  N total = s.embeddings + s.hidden;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool sparse = static_cast<std::int64_t>(i) % period == offset && model.experts;
    total += s.hidden * 2;
    total += layers[i] == Layer::full ? attention(source, model, s) : recurrent;
    total += sparse ? experts(source, model, s) : mlp(source, s.hidden, s.width);
  }
  return total;
}

N nemotron_mamba(const Part& text, const Shape& s) {
  const N heads = text.needed("mamba_num_heads", kMaxHeads);
  const N inner = heads * text.needed("mamba_head_dim", kMaxWidth);
  const N channels =
      inner + N(2) * text.needed("n_groups", kMaxHeads) * text.needed("ssm_state_size", kMaxWidth);
  return s.hidden * (inner + channels + heads) +
         channels * (N(text.needed("conv_kernel", kMaxWidth)) + 1) + heads * 3 + inner +
         inner * s.hidden;
}

/// Experts of two matrices, which may work in a narrower latent space.
N nemotron_experts(const Part& text, const Model& model, const Shape& s) {
  const N number = figure(model.experts, "the number of experts");
  const N width = figure(model.expert_intermediate_size, "the experts' width");
  const Figure latent = text.whole("moe_latent_size", kMaxWidth);
  const N inside = latent ? N(*latent) : s.hidden;
  const N shared = N(text.needed("n_shared_experts", kMaxExperts, 0)) *
                   text.needed("moe_shared_expert_intermediate_size", kMaxWidth, 0);
  return number * inside * width * 2 + s.hidden * number + s.hidden * shared * 2 +
         (latent ? s.hidden * inside * 2 : N(0));
}

N nemotron_h(const Source& source, const Model& model, const Shape& s) {
  const Part& text = source.text;
  const auto pattern = text.text("hybrid_override_pattern");
  if (!pattern) throw NotCounted{"there is no hybrid_override_pattern"};
  for (const char* key : {"attention_bias", "mlp_bias", "mamba_proj_bias", "use_bias"}) {
    if (text.flag_or(key, false)) throw NotCounted{std::string(key) + " is set"};
  }
  N total = s.embeddings + s.hidden + s.layers * s.hidden;
  for (const char letter : *pattern) {
    if (letter == 'M') total += nemotron_mamba(text, s);
    if (letter == '*') total += attention(source, model, s);
    if (letter == '-') total += s.hidden * s.width * 2;
    if (letter == 'E') total += nemotron_experts(text, model, s);
  }
  return total;
}

N delta_net_block(const Part& text, const Shape& s) {
  const N keys = N(text.needed("linear_num_key_heads", kMaxHeads)) *
                 text.needed("linear_key_head_dim", kMaxWidth);
  const N value_heads = text.needed("linear_num_value_heads", kMaxHeads);
  const N value_dim = text.needed("linear_value_head_dim", kMaxWidth);
  const N values = value_heads * value_dim;
  return s.hidden * (keys * 2 + values * 2) + s.hidden * value_heads * 2 +
         (keys * 2 + values) * text.needed("linear_conv_kernel_dim", kMaxWidth) + value_heads * 2 +
         value_dim + values * s.hidden;
}

/// Qwen3-Next and Qwen3.5: attention with an output gate in some layers.
N delta_net(const Source& source, const std::vector<Layer>& layers, const Model& model,
            const Shape& s) {
  if (dense_layers(source, model) != (model.experts ? 0 : *model.layers)) {
    throw NotCounted{"first_k_dense_replace is set"};
  }
  const N query = s.heads * s.dim;
  const N gated = s.hidden * query * 2 + s.hidden * s.kv * s.dim * 2 + query * s.hidden + s.dim * 2;
  N feed = s.hidden * s.width * 3;
  if (model.experts) {
    const N shared = source.text.needed("shared_expert_intermediate_size", kMaxWidth, 0);
    feed = experts(source, model, s) + s.hidden * shared * 3 + s.hidden;
  } else {
    figure(model.intermediate_size, "intermediate_size");
  }
  N total = s.embeddings + s.hidden;
  for (const Layer layer : layers) {
    total += s.hidden * 2 + feed;
    total += layer == Layer::full ? gated : delta_net_block(source.text, s);
  }
  return total;
}

N counted(const Source& source, const std::vector<Layer>& layers, const Model& model,
          const Shape& shape) {
  refuse_switches(source);
  switch (source.architecture.count) {
    case Count::decoder:
      return decoder(source, model, shape);
    case Count::falcon:
      return falcon(source, shape);
    case Count::gpt2:
      return gpt2(source, shape);
    case Count::opt:
      return opt(source, shape);
    case Count::mamba:
      return mamba(source, shape);
    case Count::jamba:
      return jamba(source, layers, model, shape);
    case Count::nemotron_h:
      return nemotron_h(source, model, shape);
    case Count::delta_net:
      return delta_net(source, layers, model, shape);
    case Count::none:
      break;
  }
  throw NotCounted{"no count is proved for " + source.type_text()};
}

}  // namespace

Figure count_params(const Source& source, const std::vector<Layer>& layers, const Model& model,
                    std::optional<bool> tied, std::string& why_not) {
  try {
    if (source.architecture.count == Count::none) {
      throw NotCounted{"no count is proved for " + source.type_text()};
    }
    return counted(source, layers, model, shape_of(model, tied)).value;
  } catch (const NotCounted& reason) {
    why_not = reason.why;
    return std::nullopt;
  }
}

Figure count_whisper(const Part& top, const Model& model) {
  const N h = *model.hidden_size;
  const auto layer = [&h](N width, int attentions) {
    // The projection of the keys has no bias.
    return N(attentions) * (h * h * 4 + h * 3 + h * 2) + h * 2 + h * width * 2 + width + h;
  };
  const N encoder_width = top.needed("encoder_ffn_dim", kMaxWidth);
  const N decoder_width = top.needed("decoder_ffn_dim", kMaxWidth);
  const N bins = top.needed("num_mel_bins", kMaxWidth);
  const N encoder = bins * h * 3 + h + h * h * 3 + h + h * *model.max_source_positions +
                    N(*model.layers) * layer(encoder_width, 1) + h * 2;
  const N decoder = h * *model.vocab_size + h * *model.max_target_positions +
                    N(*model.decoder_layers) * layer(decoder_width, 2) + h * 2;
  return (encoder + decoder).value;
}

}  // namespace gpu_advisor::config
