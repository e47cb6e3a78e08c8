// The KV cache in its general form (README, "What a model needs").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/model.hpp"
#include "core/units.hpp"
#include "core/workload.hpp"

namespace gpu_advisor {

/// Layers that keep the same kind of cache.
struct CachePart {
  enum class Form { full, sliding, latent, encoder_decoder };
  Form form = Form::full;
  std::int64_t layers = 0;
  std::int64_t heads = 0;  ///< KV heads; 0 for a latent cache, which every GPU holds whole
  std::int64_t key_dim =
      0;  ///< numbers a token and head for the keys (latent: keys and values in one)
  std::int64_t value_dim = 0;
  std::int64_t tokens = 0;  ///< of one request

  /// Bytes of one KV head (of the whole for a latent cache) over all layers, tokens and requests.
  Bytes bytes_per_head(std::int64_t conc) const;
};

/// What a model keeps for the tokens it has seen, at 16 bits a number.
struct KvCache {
  std::array<CachePart, 2> parts{};
  std::size_t count = 0;
  std::int64_t state_bytes = 0;  ///< recurrent state of one request, whole on each GPU
  std::int64_t conc = 1;

  void push(const CachePart& part) { parts.at(count++) = part; }

  /// Bytes on each of `gpus` GPUs: whole KV heads, repeated where there are fewer heads than GPUs.
  Bytes bytes_on_each(std::int64_t gpus) const;
};

/// Empty where a figure that the cache depends on is not known.
std::optional<KvCache> kv_cache(const Model& model, const Workload& workload);

}  // namespace gpu_advisor
