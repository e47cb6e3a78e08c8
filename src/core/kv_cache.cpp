#include "core/kv_cache.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpu_advisor {

namespace {

constexpr std::int64_t kBytesPerNumber = 2;  // the cache is kept at 16 bits

/// The decoder's cache: self-attention over the text positions, cross-attention over the audio's.
std::optional<KvCache> speech_cache(const Model& m, std::int64_t conc) {
  if (!m.decoder_layers || !m.decoder_heads || !m.head_dim || !m.max_target_positions ||
      !m.max_source_positions) {
    return std::nullopt;
  }
  KvCache cache;
  cache.conc = conc;
  cache.push({CachePart::Form::encoder_decoder, *m.decoder_layers, *m.decoder_heads, *m.head_dim,
              *m.head_dim, add(*m.max_target_positions, *m.max_source_positions)});
  return cache;
}

bool sliding_is_known(const Model& m) {
  return m.sliding_layers.has_value() == m.sliding_window.has_value();
}

std::optional<CachePart> full_part(const Model& m, std::int64_t layers, std::int64_t ctx) {
  if (m.kv_latent_dim) {
    return CachePart{CachePart::Form::latent, layers, 0, *m.kv_latent_dim, 0, ctx};
  }
  if (!m.kv_heads || !m.head_dim) return std::nullopt;
  return CachePart{CachePart::Form::full,
                   layers,
                   *m.kv_heads,
                   *m.head_dim,
                   m.v_head_dim.value_or(*m.head_dim),
                   ctx};
}

std::optional<CachePart> sliding_part(const Model& m, std::int64_t layers, std::int64_t ctx) {
  const Figure heads = m.sliding_kv_heads ? m.sliding_kv_heads : m.kv_heads;
  const Figure dim = m.sliding_head_dim ? m.sliding_head_dim : m.head_dim;
  if (!heads || !dim) return std::nullopt;
  return CachePart{
      CachePart::Form::sliding,        layers, *heads, *dim, m.v_head_dim.value_or(*dim),
      std::min(ctx, *m.sliding_window)};
}

std::optional<KvCache> language_cache(const Model& m, const Workload& w) {
  const Figure layers = m.kv_layers ? m.kv_layers : m.layers;
  if (!layers || !sliding_is_known(m)) return std::nullopt;
  KvCache cache;
  cache.conc = w.conc;
  cache.state_bytes = m.state_bytes.value_or(0);
  const std::int64_t sliding = m.sliding_layers.value_or(0);
  if (sliding > *layers) {
    throw invalid_argument(
        fmt::format("{}: {} sliding layers of {} layers", m.name, sliding, *layers),
        "Correct sliding_layers or kv_layers in gpu_models.");
  }
  if (*layers > sliding) {
    const auto part = full_part(m, *layers - sliding, w.ctx);
    if (!part) return std::nullopt;
    cache.push(*part);
  }
  if (sliding > 0) {
    const auto part = sliding_part(m, sliding, w.ctx);
    if (!part) return std::nullopt;
    cache.push(*part);
  }
  return cache;
}

}  // namespace

Bytes CachePart::bytes_per_head(std::int64_t conc) const {
  return mul(layers, add(key_dim, value_dim), kBytesPerNumber, tokens, conc);
}

Bytes KvCache::bytes_on_each(std::int64_t gpus) const {
  Bytes bytes = mul(state_bytes, conc);
  for (std::size_t i = 0; i < count; ++i) {
    const CachePart& part = parts.at(i);
    const std::int64_t heads = part.heads == 0 ? 1 : ceil_div(part.heads, gpus);
    bytes = add(bytes, mul(part.bytes_per_head(conc), heads));
  }
  return bytes;
}

std::optional<KvCache> kv_cache(const Model& model, const Workload& workload) {
  if (model.kind == Kind::speech) return speech_cache(model, workload.conc);
  return language_cache(model, workload);
}

}  // namespace gpu_advisor
