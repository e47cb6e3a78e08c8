// Vision towers with their projectors: part of what an engine loads.
#include <fmt/format.h>

#include "core/config_parts.hpp"
#include "core/units.hpp"

namespace gpu_advisor::config {
namespace {

/// Two LayerNorms, attention and two feed-forward matrices, all with biases.
std::int64_t block(std::int64_t hidden, std::int64_t width) {
  return add(mul(std::int64_t{4}, hidden, hidden), mul(std::int64_t{2}, hidden, width), width,
             mul(std::int64_t{9}, hidden));
}

/// Merges m patches of `width` and projects them to `out`: two matrices with biases, after a
/// LayerNorm over `normed`.
std::int64_t merger(std::int64_t normed, std::int64_t width, std::int64_t out) {
  return add(mul(std::int64_t{2}, normed), mul(width, width), width, mul(width, out), out);
}

/// Qwen3-VL and Qwen3.5: the file gives every shape.
std::int64_t qwen3_tower(const Part& vision) {
  const std::int64_t hidden = vision.needed("hidden_size", kMaxWidth);
  const std::int64_t out = vision.needed("out_hidden_size", kMaxWidth);
  const std::int64_t patch = vision.needed("patch_size", kMaxWidth);
  const std::int64_t merge = vision.needed("spatial_merge_size", kMaxWidth);
  const std::int64_t merged = mul(merge, merge, hidden);
  const auto deep = vision.numbers("deepstack_visual_indexes", kMaxLayers);
  const std::int64_t pixels = mul(patch, patch, vision.needed("temporal_patch_size", kMaxWidth),
                                  vision.needed("in_channels", kMaxWidth));
  return add(mul(pixels, hidden), hidden,
             mul(vision.needed("num_position_embeddings", kMaxTokens), hidden),
             mul(vision.needed("depth", kMaxLayers),
                 block(hidden, vision.needed("intermediate_size", kMaxWidth))),
             merger(hidden, merged, out),
             mul(static_cast<std::int64_t>(deep ? deep->size() : 0), merger(merged, merged, out)));
}

/// Qwen2-VL: one tower for all sizes (32 layers of 1280, patches of 14 x 14 x 2, merged by
/// four), of which the first files give the output width only.
std::int64_t qwen2_tower(const Part& vision) {
  const std::int64_t out = vision.needed("hidden_size", kMaxWidth);
  const std::int64_t depth = vision.whole("depth", kMaxLayers).value_or(32);
  const std::int64_t hidden = vision.whole("embed_dim", kMaxWidth).value_or(1280);
  const std::int64_t patch = vision.whole("patch_size", kMaxWidth).value_or(14);
  return add(mul(patch, patch, std::int64_t{6}, hidden), mul(depth, block(hidden, 4 * hidden)),
             merger(hidden, 4 * hidden, out));
}

/// Gemma 3: SigLIP, a norm and one matrix to the text part's width.
std::int64_t gemma3_tower(const Part& vision, const Part& text) {
  const std::int64_t hidden = vision.needed("hidden_size", kMaxWidth);
  const std::int64_t patch = vision.needed("patch_size", kMaxWidth);
  const std::int64_t side = vision.needed("image_size", kMaxWidth) / patch;
  return add(mul(std::int64_t{3}, patch, patch, hidden), hidden, mul(side, side, hidden),
             mul(vision.needed("num_hidden_layers", kMaxLayers),
                 block(hidden, vision.needed("intermediate_size", kMaxWidth))),
             mul(std::int64_t{3}, hidden), mul(hidden, text.needed("hidden_size", kMaxWidth)));
}

}  // namespace

Figure count_towers(const Source& source, std::string& why_not) {
  const std::string outer = source.top.text("model_type").value_or("");
  const auto vision = source.top.part("vision_config");
  if (outer == "llama4" && !vision) {
    why_not = "vision_config is missing, and a Llama 4 has a vision tower";
    return std::nullopt;
  }
  for (const char* key : {"audio_config", "speech_config", "visual"}) {
    if (!source.top.has(key)) continue;
    why_not = fmt::format("what {} describes is not counted", key);
    return std::nullopt;
  }
  if (!vision) {
    if (&source.top.json() == &source.text.json()) return 0;
    why_not = "the text part is nested, and vision_config is missing";
    return std::nullopt;
  }
  if (outer == "qwen3_vl" || outer == "qwen3_vl_moe" || outer == "qwen3_5" ||
      outer == "qwen3_5_moe") {
    return qwen3_tower(*vision);
  }
  if (outer == "qwen2_vl") return qwen2_tower(*vision);
  if (outer == "gemma3") return gemma3_tower(*vision, source.text);
  why_not = fmt::format("the vision tower of {} is not counted", shown(Json(outer)));
  return std::nullopt;
}

}  // namespace gpu_advisor::config
