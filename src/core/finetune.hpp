// LoRA and QLoRA fine-tuning: what training adds to the weights.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/model.hpp"
#include "core/units.hpp"
#include "core/workload.hpp"

namespace gpu_advisor {

inline constexpr std::int64_t kLoraRank = 16;
/// Weight, gradient and the AdamW states of a trainable parameter (Rajbhandari et al. 2020, ZeRO).
inline constexpr std::int64_t kBytesPerTrainable = 16;
/// 4-bit NormalFloat with double quantization: 4.127 bits a parameter (Dettmers et al. 2023,
/// QLoRA).
inline constexpr std::int64_t kNf4MilliBits = 4127;

/// A projection matrix that gets an adapter, by its input and output width.
struct Projection {
  const char* name;
  std::int64_t in;
  std::int64_t out;
};

/// Layers whose attention projections have the same shapes.
struct AdapterLayers {
  std::int64_t layers = 0;
  std::array<Projection, 5> projections{};
  std::size_t count = 0;

  void push(const Projection& projection) { projections.at(count++) = projection; }
  /// Trainable parameters of one layer: rank x (in + out), summed over the projections.
  std::int64_t trainable_per_layer() const;
};

struct Adapters {
  std::array<AdapterLayers, 2> groups{};
  std::size_t count = 0;

  void push(const AdapterLayers& group) { groups.at(count++) = group; }
  std::int64_t trainable() const;
  Bytes bytes() const { return mul(trainable(), kBytesPerTrainable); }
};

/// Empty where the shapes of the attention projections are not known.
std::optional<Adapters> lora_adapters(const Model& model);

/// Activations with gradient checkpointing (README, "Activations").
struct Activations {
  std::int64_t bytes_per_number = 2;  ///< of the residual stream: 2 on a 16-bit base, else 4
  std::int64_t sequence = 0;
  std::int64_t batch = 0;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t intermediate = 0;
  bool intermediate_assumed = false;  ///< none is published: 4 x hidden
  std::int64_t vocab = 0;

  Bytes layer_inputs() const;
  Bytes layer_working_set() const;
  Bytes loss_working_set() const;
  Bytes bytes() const;
};

/// Empty where hidden_size, layers or vocab_size is not known.
std::optional<Activations> activations(const Model& model, const Workload& workload);

}  // namespace gpu_advisor
