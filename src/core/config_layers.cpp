// Which layers of a model keep what: the lists, patterns and rules of published files.
#include <fmt/format.h>

#include <algorithm>

#include "core/config_parts.hpp"

namespace gpu_advisor::config {
namespace {

using Layers = std::vector<Layer>;

struct LayerName {
  std::string_view name;
  Layer layer;
};

constexpr LayerName kLayerNames[] = {
    {"full_attention", Layer::full},
    {"attention", Layer::full},
    {"global_attention", Layer::full},
    {"global", Layer::full},
    {"sliding_attention", Layer::sliding},
    {"chunked_attention", Layer::sliding},
    {"linear_attention", Layer::recurrent},
    {"mamba", Layer::recurrent},
    {"conv", Layer::recurrent},
    {"moe", Layer::nothing},
    {"mlp", Layer::nothing},
};

constexpr LayerName kPatternLetters[] = {
    {"M", Layer::recurrent}, {"*", Layer::full}, {"-", Layer::nothing}, {"E", Layer::nothing}};
constexpr LayerName kWindowLetters[] = {{"L", Layer::sliding}, {"G", Layer::full}};

Layer layer_named(const Source& source, const char* key, std::string_view name,
                  std::span<const LayerName> names) {
  for (const LayerName& known : names) {
    if (known.name == name) return known.layer;
  }
  throw_not_understood(fmt::format("{} names a kind of layer that this reader does not know: {}",
                                   source.text.name_of(key), shown(Json(std::string(name)))));
}

/// Lists have an entry for each layer, or they are not understood.
void check_length(const Source& source, const char* key, std::size_t entries, std::int64_t layers) {
  if (std::cmp_equal(entries, layers)) return;
  throw_not_understood(
      fmt::format("{} has {} entries for {} layers", source.text.name_of(key), entries, layers));
}

Layers from_names(const Source& source, const char* key, const std::vector<std::string>& names,
                  std::int64_t count) {
  check_length(source, key, names.size(), count);
  Layers layers;
  for (const std::string& name : names) {
    layers.push_back(layer_named(source, key, name, kLayerNames));
  }
  return layers;
}

Layers from_pattern(const Source& source, const char* key, const std::string& pattern,
                    std::int64_t count) {
  check_length(source, key, pattern.size(), count);
  Layers layers;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    layers.push_back(
        layer_named(source, key, std::string_view(pattern).substr(i, 1), kPatternLetters));
  }
  return layers;
}

/// A list of 0 and 1.
Layers from_marks(const Source& source, const char* key, const std::vector<std::int64_t>& marks,
                  std::int64_t count, Layer zero, Layer one) {
  check_length(source, key, marks.size(), count);
  Layers layers;
  for (const std::int64_t mark : marks) layers.push_back(mark == 0 ? zero : one);
  return layers;
}

/// `some` at the listed places, `others` elsewhere. Places count from `first`.
Layers from_places(const Source& source, const char* key, const std::vector<std::int64_t>& places,
                   std::int64_t count, Layer some, Layer others, std::int64_t first) {
  Layers layers(static_cast<std::size_t>(count), others);
  for (const std::int64_t place : places) {
    if (place < first || place - first >= count) {
      throw_not_understood(fmt::format("{} names layer {}, but there are {} layers",
                                       source.text.name_of(key), place, count));
    }
    layers[static_cast<std::size_t>(place - first)] = some;
  }
  return layers;
}

/// Every period-th layer is full, beginning with layer `offset`; the others are `others`.
Layers every(std::int64_t count, std::int64_t period, std::int64_t offset, Layer others) {
  Layers layers;
  for (std::int64_t i = 0; i < count; ++i) {
    layers.push_back(i % period == offset ? Layer::full : others);
  }
  return layers;
}

// --- lists that the file holds -----------------------------------------------------------

std::optional<Layers> from_lists(const Source& source, std::int64_t count) {
  const Part& text = source.text;
  for (const char* key : {"layer_types", "layers_block_type"}) {
    if (const auto names = text.words(key)) return from_names(source, key, *names, count);
  }
  if (const auto pattern = text.text("hybrid_override_pattern")) {
    return from_pattern(source, "hybrid_override_pattern", *pattern, count);
  }
  if (const auto marks = text.numbers("hybrid_layer_pattern", 1)) {
    return from_marks(source, "hybrid_layer_pattern", *marks, count, Layer::full, Layer::sliding);
  }
  if (const auto marks = text.numbers("attn_type_list", 1)) {
    return from_marks(source, "attn_type_list", *marks, count, Layer::recurrent, Layer::full);
  }
  if (const auto places = text.numbers("full_attn_idxs", kMaxLayers)) {
    return from_places(source, "full_attn_idxs", *places, count, Layer::full, Layer::recurrent, 0);
  }
  if (const auto places = text.numbers("cross_attention_layers", kMaxLayers)) {
    source.notes.emplace_back(
        "cross-attention layers keep a cache of the images only, which is not counted");
    return from_places(source, "cross_attention_layers", *places, count, Layer::nothing,
                       Layer::full, 0);
  }
  return std::nullopt;
}

std::optional<Layers> from_linear_attention(const Source& source, std::int64_t count) {
  const auto part = source.text.part("linear_attn_config");
  if (!part) return std::nullopt;
  const auto places = part->numbers("full_attn_layers", kMaxLayers);
  if (!places) throw_not_understood(part->name_of("full_attn_layers") + " is missing");
  return from_places(source, "linear_attn_config.full_attn_layers", *places, count, Layer::full,
                     Layer::recurrent, 1);
}

/// Periods: Jamba's attn_layer_period and offset, Qwen3-Next's full_attention_interval.
std::optional<Layers> from_periods(const Source& source, std::int64_t count) {
  if (const Figure period = source.text.whole("attn_layer_period", kMaxLayers)) {
    const std::int64_t offset = source.text.needed("attn_layer_offset", *period - 1, 0);
    return every(count, *period, offset, Layer::recurrent);
  }
  if (const Figure period = source.text.whole("full_attention_interval", kMaxLayers)) {
    return every(count, *period, *period - 1, Layer::recurrent);
  }
  return std::nullopt;
}

// --- windows -----------------------------------------------------------------------------

/// sliding_window_pattern: a number (every n-th layer is full) or letters such as "LLLG".
std::optional<Layers> from_window_pattern(const Source& source, std::int64_t count) {
  for (const char* key : {"sliding_window_pattern", "_sliding_window_pattern"}) {
    const Json* value = source.text.find(key);
    if (value == nullptr) continue;
    if (!value->is_string()) {
      const std::int64_t period = source.text.needed(key, kMaxLayers);
      return every(count, period, period - 1, Layer::sliding);
    }
    const auto letters = value->get<std::string>();
    if (letters.empty()) throw_wrong(source.text.name_of(key), "letters or a number", *value);
    Layers layers;
    for (std::size_t i = 0; std::cmp_less(i, count); ++i) {
      layers.push_back(layer_named(
          source, key, std::string_view(letters).substr(i % letters.size(), 1), kWindowLetters));
    }
    return layers;
  }
  return std::nullopt;
}

/// Qwen: full up to max_window_layers, sliding from there on.
Layers from_window_start(const Source& source, std::int64_t count) {
  const std::int64_t start = source.text.needed("max_window_layers", kMaxLayers, 0);
  Layers layers(static_cast<std::size_t>(count), Layer::sliding);
  std::fill_n(layers.begin(), std::min(start, count), Layer::full);
  return layers;
}

/// Llama 4: layers without rotary positions see everything, the others their own chunk.
Layers from_chunks(const Source& source, std::int64_t count) {
  const auto marks = source.text.numbers("no_rope_layers", 1);
  if (marks && !marks->empty()) {
    return from_marks(source, "no_rope_layers", *marks, count, Layer::full, Layer::sliding);
  }
  const std::int64_t period = source.text.whole("no_rope_layer_interval", kMaxLayers).value_or(4);
  return every(count, period, period - 1, Layer::sliding);
}

Layers from_window_rule(const Source& source, std::int64_t count) {
  switch (source.architecture.window) {
    case Window::all:
      return Layers(static_cast<std::size_t>(count), Layer::sliding);
    case Window::by_flag:
      return source.text.flag_or("use_sliding_window", false)
                 ? from_window_start(source, count)
                 : Layers(static_cast<std::size_t>(count), Layer::full);
    case Window::every_2nd_full:
      return every(count, 2, 1, Layer::sliding);
    case Window::every_4th_full:
      return every(count, 4, 3, Layer::sliding);
    case Window::every_6th_full:
      return every(count, 6, 5, Layer::sliding);
    case Window::unknown:
      break;
  }
  throw_not_understood(fmt::format(
      "{} is set, but which layers it holds for is not known for {}: there is no layer_types",
      source.text.name_of("sliding_window"), source.type_text()));
}

Layers from_window(const Source& source, std::int64_t count, Figure context) {
  Layers full(static_cast<std::size_t>(count), Layer::full);
  const Part& text = source.text;
  if (source.model_type == "llama4_text" && text.has("attention_chunk_size")) {
    return from_chunks(source, count);
  }
  if (source.architecture.window_by_default && !text.json().contains("sliding_window")) {
    text.needed("sliding_window", kMaxTokens);
  }
  const Figure window = text.whole("sliding_window", kMaxTokens, 0);
  if (!window || !text.flag_or("use_sliding_window", true)) return full;
  if (context && *window >= *context) return full;
  if (auto layers = from_window_pattern(source, count)) return *layers;
  return from_window_rule(source, count);
}

}  // namespace

Layers read_layers(const Source& source, std::int64_t count, Figure context) {
  if (source.architecture.count == Count::mamba) {
    return Layers(static_cast<std::size_t>(count), Layer::recurrent);
  }
  if (auto layers = from_lists(source, count)) return *layers;
  if (auto layers = from_linear_attention(source, count)) return *layers;
  if (auto layers = from_periods(source, count)) return *layers;
  return from_window(source, count, context);
}

}  // namespace gpu_advisor::config
