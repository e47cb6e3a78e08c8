// The number of parameters: given, counted from the shapes, or by the safetensors index.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/config_parts.hpp"
#include "core/units.hpp"

namespace gpu_advisor::config {
namespace {

struct Dtype {
  std::string_view name;
  std::int64_t bytes;
};
constexpr Dtype kDtypes[] = {{"bfloat16", 2},     {"float16", 2},        {"float32", 4},
                             {"half", 2},         {"torch.bfloat16", 2}, {"torch.float16", 2},
                             {"torch.float32", 4}};

/// The published dtype: torch_dtype, or dtype in newer files; it may stand in either part.
const Dtype* dtype_of(const Source& source) {
  for (const Part* part : {&source.text, &source.top}) {
    for (const char* key : {"torch_dtype", "dtype"}) {
      const auto name = part->text(key);
      if (!name) continue;
      const auto found = std::find_if(std::begin(kDtypes), std::end(kDtypes),
                                      [&](const Dtype& known) { return known.name == *name; });
      return found == std::end(kDtypes) ? nullptr : &*found;
    }
  }
  return nullptr;
}

/// Blocks for multi-token prediction, which the checkpoint holds beside the model's own.
bool has_prediction_heads(const Source& source) {
  for (const char* key : {"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules",
                          "mtp_transformer_layers"}) {
    if (source.text.whole(key, kMaxLayers, 0).value_or(0) > 0) return true;
  }
  return false;
}

/// Tensors of a checkpoint that are no parameters, or are one that is stored again.
bool is_surplus(std::string_view name, std::optional<bool> tied) {
  for (const std::string_view word : {"inv_freq", "masked_bias", ".attn.bias", ".attention.bias",
                                      "_scale", ".scale", "mtp.", "position_ids"}) {
    if (name.find(word) != std::string_view::npos) return true;
  }
  const bool head = name.find("lm_head.weight") != std::string_view::npos;
  return head && tied.value_or(true);
}

std::string surplus_in(const Part& index, std::optional<bool> tied) {
  const auto map = index.part("weight_map");
  if (!map) return "";
  for (const auto& entry : map->json().items()) {
    if (is_surplus(entry.key(), tied)) return shown(Json(entry.key()));
  }
  return "";
}

/// Why the stored bytes cannot tell the parameters, or nothing.
std::string inexact(const Source& source, const Part& index, const Model& model) {
  const bool quantized =
      source.top.has("quantization_config") || source.text.has("quantization_config");
  if (quantized) return "the weights are quantized";
  if (has_prediction_heads(source)) {
    return "the checkpoint also holds blocks for multi-token prediction";
  }
  if (dtype_of(source) == nullptr) return "the dtype of the weights is not known";
  if (model.state_bytes) return "recurrent layers keep some weights in another dtype";
  const std::string name = surplus_in(index, read_tied(source));
  return name.empty() ? "" : "the checkpoint also stores " + name;
}

/// params by the index; empty with a note where that is not exact.
Figure from_index(const Source& source, const Part& index, const Model& model) {
  const auto metadata = index.part("metadata");
  const Figure size = metadata ? metadata->whole("total_size", kMaxBytes) : std::nullopt;
  if (!size) {
    source.notes.emplace_back("params not taken from the index: it has no metadata.total_size");
    return std::nullopt;
  }
  const std::string why_not = inexact(source, index, model);
  if (!why_not.empty()) {
    source.notes.emplace_back("params not taken from the index: " + why_not);
    return std::nullopt;
  }
  const Dtype& dtype = *dtype_of(source);
  if (*size / dtype.bytes < model.unquantized_params.value_or(0)) {
    source.notes.emplace_back(
        "params not taken from the index: it holds less than the embeddings have");
    return std::nullopt;
  }
  const Figure stated = metadata->whole("total_parameters", kMaxBytes);
  if (*size % dtype.bytes != 0 || (stated && *stated != *size / dtype.bytes)) {
    source.notes.emplace_back(
        fmt::format("params not taken from the index: its bytes are not all of {}", dtype.name));
    return std::nullopt;
  }
  return *size / dtype.bytes;
}

/// Embeddings and head are among the parameters.
void check_given(std::int64_t params, const Model& model) {
  if (params >= model.unquantized_params.value_or(0)) return;
  throw invalid_argument(
      fmt::format("params is {}, but embeddings and output head alone have {} by config.json",
                  with_commas(params), with_commas(*model.unquantized_params)),
      "Give the number of parameters, not billions of them: 8030261248 for 8.03 billion.");
}

/// The count holds where the index agrees, and where the index has somewhat more: checkpoints
/// hold buffers and second copies of the embedding as well. Else the two files do not belong
/// together, or one of them is not what it seems.
Figure agreed(const Source& source, std::int64_t counted, std::int64_t stored, const Model& model) {
  if (stored == counted) return counted;
  const std::int64_t surplus = stored - counted;
  if (surplus > 0 && surplus <= counted / 8 + model.unquantized_params.value_or(0)) {
    source.notes.emplace_back(fmt::format(
        "params counted from the shapes: the index has {} elements more, as buffers or a second "
        "copy of the embedding would be",
        with_commas(surplus)));
    return counted;
  }
  source.notes.emplace_back(
      fmt::format("params not known: the shapes give {}, but the index holds {} elements",
                  with_commas(counted), with_commas(stored)));
  return std::nullopt;
}

}  // namespace

std::optional<bool> read_tied(const Source& source) {
  constexpr const char* kKey = "tie_word_embeddings";
  const auto inner = source.text.flag(kKey);
  const auto outer = source.top.flag(kKey);
  if (inner && outer && *inner != *outer) {
    source.notes.emplace_back(
        "unquantized_params not known: tie_word_embeddings differs within the file");
    return std::nullopt;
  }
  if (inner) return inner;
  if (outer) return outer;
  if (const auto tied = source.text.flag("tie_embedding")) return tied;
  if (source.architecture.tie == Tie::unknown) return std::nullopt;
  return source.architecture.tie == Tie::tied;
}

void settle_params(const Source& source, const ConfigInput& input, Figure counted,
                   const std::string& why_not, Model& model) {
  if (input.params) {
    check_given(*input.params, model);
    model.params = input.params;
    return;
  }
  Figure stored;
  if (!input.index.empty()) {
    const Document<Json> parsed = parse_object(input.index, "safetensors index", input.poll);
    stored = from_index(source, Part(parsed.root(), "safetensors index: "), model);
  }
  if (counted) {
    model.params = stored ? agreed(source, *counted, *stored, model) : counted;
    return;
  }
  if (stored) {
    model.params = stored;
    source.notes.emplace_back(
        fmt::format("params by the index: metadata.total_size / {}", dtype_of(source)->bytes));
    return;
  }
  source.notes.emplace_back("params not known: " + why_not);
}

void read_params(const Source& source, const std::vector<Layer>& layers, const ConfigInput& input,
                 Model& model) {
  const auto tied = read_tied(source);
  if (tied && model.vocab_size) {
    const Figure word = source.text.whole("word_embed_proj_dim", kMaxWidth);
    const std::int64_t once = mul(*model.vocab_size, word ? *word : *model.hidden_size);
    model.unquantized_params = mul(once, std::int64_t{*tied ? 1 : 2});
  } else {
    source.notes.emplace_back("unquantized_params not known: tie_word_embeddings is missing");
  }
  std::string why_not;
  Figure counted;
  const Figure towers = count_towers(source, why_not);
  if (towers) counted = count_params(source, layers, model, tied, why_not);
  if (counted) counted = add(*counted, *towers);
  settle_params(source, input, counted, why_not, model);
}

}  // namespace gpu_advisor::config
