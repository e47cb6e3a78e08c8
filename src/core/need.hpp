// What a workload needs: computed once from a model, then compared with any number of machines.
// The SQL type gpu_need holds one of these.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model.hpp"
#include "core/units.hpp"
#include "core/workload.hpp"

namespace gpu_advisor {

/// A part of the KV cache that is dealt out by whole heads.
struct HeadShare {
  std::int64_t heads = 0;  ///< 0: no such part
  Bytes bytes_per_head = 0;
};

/// The need on one GPU, item by item, when `gpus` share the work.
struct GpuShare {
  Bytes weights = 0;
  Bytes kv_cache = 0;
  Bytes adapters = 0;
  Bytes activations = 0;
  Bytes memory = 0;  ///< a notebook's, as stated
  Bytes margin = 0;
  Bytes runtime = 0;

  Bytes total() const {
    return add(weights, kv_cache, adapters, activations, memory, margin, runtime);
  }
};

struct Need {
  std::string model;  ///< empty for a notebook
  Task task = Task::run;
  std::optional<Kind> kind;  ///< empty for a notebook
  int bits = 16;
  std::int64_t ctx = 1;
  std::int64_t conc = 1;
  std::int64_t attention_heads = 0;  ///< 0: cannot be split over GPUs
  Bytes weights = 0;
  std::array<HeadShare, 2> kv_heads{};  ///< full and sliding layers
  Bytes kv_whole = 0;                   ///< latent cache and recurrent state: whole on each GPU
  Bytes adapters = 0;
  Bytes activations = 0;
  Bytes memory = 0;
  Bytes unquantized = 0;  ///< what a build that keeps embeddings and head at 16 bits takes on top

  /// May `gpus` GPUs share the work? One always; more only for a language model that is run, where
  /// its attention heads divide by them.
  bool splits_over(std::int64_t gpus) const;
  GpuShare on_each_of(std::int64_t gpus) const;
  /// GPUs with more KV-cache heads than there are to deal out hold copies.
  bool repeats_kv_heads(std::int64_t gpus) const;

  bool operator==(const Need& other) const;
};

/// No model has more attention heads; it bounds what a stored or received need may claim.
inline constexpr std::int64_t kMostHeads = 16384;
/// Nor a longer name.
inline constexpr std::size_t kLongestName = 1024;

/// The need of a model; empty where a figure it depends on is not known.
std::optional<Need> model_need(const Model& model, const Workload& workload);

/// A notebook needs what the user states, and nothing on top.
Need notebook_need(const Workload& workload, std::optional<double> memory_gib);

/// Refuses (22023) a need that no workload can have: negative figures, unknown bits, a total
/// beyond 2^63 - 1 bytes, a name of more bytes. What comes from outside goes through it.
void check_need(const Need& need, std::size_t longest_name = kLongestName);

/// Whether the figures behind the weights are there.
bool weights_are_known(const Model& model);

/// The weights at `bits`, rounded up to whole bytes.
Bytes weight_bytes(const Model& model, const Workload& workload);

/// Bytes that `params` parameters take more at 16 bits than in this workload's precision.
Bytes unquantized_bytes(std::int64_t params, const Workload& workload);

/// A number of GPUs and what the need then takes on each of them.
struct Rung {
  std::int64_t gpus;
  double gib_on_each;
};

/// Every allowed number of GPUs that lowers the need on each: GPUs ascending, GiB descending.
/// Computed once a need, so that the test of a machine is a few comparisons.
std::vector<Rung> ladder(const Need& need);

/// No GPU has as many GiB: a larger figure is none. It bounds what a machine's capacity, the
/// product with its number of GPUs, can be.
inline constexpr double kMemoryBound = 1e15;

/// Whether a figure can be the GiB of a GPU: not so for NaN.
inline bool is_gpu_memory(double gib) noexcept { return gib > 0 && gib < kMemoryBound; }

/// The first rung that fits a machine: its number of GPUs, or 0 where none does, and for figures
/// that are none (NaN, beyond the bound, not above zero).
inline std::int64_t smallest_fit(const Rung* rungs, std::size_t count, std::int64_t gpu_count,
                                 double gpu_memory_gib) noexcept {
  if (!is_gpu_memory(gpu_memory_gib)) return 0;
  for (const Rung* rung = rungs; rung != rungs + count && rung->gpus <= gpu_count; ++rung) {
    if (rung->gib_on_each <= gpu_memory_gib) return rung->gpus;
  }
  return 0;
}

/// The least GiB of one GPU, over as many as help, on which the need fits: no smaller GPU holds it.
/// 0 without a rung.
inline double least_memory(const Rung* rungs, std::size_t count) noexcept {
  return count == 0 ? 0 : rungs[count - 1].gib_on_each;
}

/// The least capacity (GPUs times GiB of each) of a machine on which the need fits: no machine with
/// less holds it. 0 without a rung.
inline double least_capacity(const Rung* rungs, std::size_t count) noexcept {
  double least = 0;
  for (const Rung* rung = rungs; rung != rungs + count; ++rung) {
    const double capacity = static_cast<double>(rung->gpus) * rung->gib_on_each;
    if (rung == rungs || capacity < least) least = capacity;
  }
  return least;
}

}  // namespace gpu_advisor
