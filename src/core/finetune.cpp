#include "core/finetune.hpp"

#include <algorithm>

namespace gpu_advisor {

std::int64_t AdapterLayers::trainable_per_layer() const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Projection& p = projections.at(i);
    sum = add(sum, mul(kLoraRank, add(p.in, p.out)));
  }
  return sum;
}

std::int64_t Adapters::trainable() const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum = add(sum, mul(groups.at(i).layers, groups.at(i).trainable_per_layer()));
  }
  return sum;
}

namespace {

/// Layers with attention: all of them, or kv_layers of a hybrid. Where only some layers keep a
/// cache and there is no recurrent state, the others read an earlier layer's cache: they have
/// attention, of shapes that the catalogue does not hold.
Figure attention_layers(const Model& m) {
  if (!m.kv_layers || m.kv_layers == m.layers) return m.layers;
  if (m.state_bytes || *m.kv_layers == 0) return m.kv_layers;
  return std::nullopt;
}

std::optional<AdapterLayers> latent_layers(const Model& m, std::int64_t layers) {
  if (!m.q_lora_rank || !m.qk_nope_head_dim || !m.qk_rope_head_dim || !m.v_head_dim ||
      !m.attention_heads || *m.kv_latent_dim < *m.qk_rope_head_dim) {
    return std::nullopt;
  }
  const std::int64_t hidden = *m.hidden_size;
  const std::int64_t heads = *m.attention_heads;
  const std::int64_t query = mul(heads, add(*m.qk_nope_head_dim, *m.qk_rope_head_dim));
  const std::int64_t compressed = *m.kv_latent_dim - *m.qk_rope_head_dim;
  AdapterLayers group;
  group.layers = layers;
  if (*m.q_lora_rank > 0) {
    group.push({"q down", hidden, *m.q_lora_rank});
    group.push({"q up", *m.q_lora_rank, query});
  } else {
    group.push({"q", hidden, query});
  }
  group.push({"kv down", hidden, *m.kv_latent_dim});
  group.push({"kv up", compressed, mul(heads, add(*m.qk_nope_head_dim, *m.v_head_dim))});
  group.push({"o", mul(heads, *m.v_head_dim), hidden});
  return group;
}

std::optional<AdapterLayers> head_layers(const Model& m, std::int64_t layers, Figure kv_heads,
                                         Figure dim) {
  if (!m.attention_heads || !kv_heads || !dim) return std::nullopt;
  const std::int64_t hidden = *m.hidden_size;
  const std::int64_t heads = *m.attention_heads;
  const std::int64_t value_dim = m.v_head_dim.value_or(*dim);
  AdapterLayers group;
  group.layers = layers;
  group.push({"q", hidden, mul(heads, *dim)});
  group.push({"k", hidden, mul(*kv_heads, *dim)});
  group.push({"v", hidden, mul(*kv_heads, value_dim)});
  group.push({"o", mul(heads, value_dim), hidden});
  return group;
}

}  // namespace

std::optional<Adapters> lora_adapters(const Model& m) {
  const Figure layers = attention_layers(m);
  if (!layers || !m.hidden_size) return std::nullopt;
  if (m.sliding_window.has_value() != m.sliding_layers.has_value()) return std::nullopt;
  const std::int64_t sliding = std::min(m.sliding_layers.value_or(0), *layers);
  Adapters adapters;
  if (*layers > sliding) {
    const std::int64_t full = *layers - sliding;
    const auto group =
        m.kv_latent_dim ? latent_layers(m, full) : head_layers(m, full, m.kv_heads, m.head_dim);
    if (!group) return std::nullopt;
    adapters.push(*group);
  }
  if (sliding > 0) {
    const auto group = head_layers(m, sliding, m.sliding_kv_heads ? m.sliding_kv_heads : m.kv_heads,
                                   m.sliding_head_dim ? m.sliding_head_dim : m.head_dim);
    if (!group) return std::nullopt;
    adapters.push(*group);
  }
  return adapters;
}

Bytes Activations::layer_inputs() const {
  return mul(bytes_per_number, sequence, batch, hidden, layers);
}

Bytes Activations::layer_working_set() const {
  return mul(sequence, batch, add(mul(Bytes{38}, hidden), mul(Bytes{8}, intermediate)));
}

Bytes Activations::loss_working_set() const { return mul(Bytes{16}, sequence, batch, vocab); }

Bytes Activations::bytes() const {
  return add(layer_inputs(), std::max(layer_working_set(), loss_working_set()));
}

namespace {

/// The feed-forward width at work for a token: in a mixture of experts the larger of the dense
/// width and that of the experts a token goes to.
Figure feed_forward_width(const Model& m) {
  Figure width = m.intermediate_size;
  if (m.experts_per_token && m.expert_intermediate_size) {
    width = std::max(width.value_or(0), mul(*m.experts_per_token, *m.expert_intermediate_size));
  }
  return width;
}

}  // namespace

std::optional<Activations> activations(const Model& m, const Workload& w) {
  if (!m.hidden_size || !m.layers || !m.vocab_size) return std::nullopt;
  const Figure width = feed_forward_width(m);
  Activations a;
  a.bytes_per_number = w.bits == 16 ? 2 : 4;
  a.sequence = w.ctx;
  a.batch = w.conc;
  a.hidden = *m.hidden_size;
  a.layers = *m.layers;
  a.intermediate = width.value_or(mul(std::int64_t{4}, *m.hidden_size));
  a.intermediate_assumed = !width;
  a.vocab = *m.vocab_size;
  return a;
}

}  // namespace gpu_advisor
