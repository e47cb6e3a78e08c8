// The need, item by item, in the words and figures that a user sees.
#pragma once

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

/// A line of the answer. `bytes` is over all GPUs together; empty where a figure of the
/// catalogue is not known, and the formula then says which.
struct Item {
  std::string name;
  std::string formula;
  std::optional<Bytes> bytes;
  std::string assumption;
};

/// A network of an image pipeline, on its own line.
struct Network {
  std::string_view name;
  std::string_view class_name;
  Figure params;
  bool quantized = false;  ///< the denoiser: counted at the workload's bits, the others at 16
};

/// No pipeline has more networks.
inline constexpr std::size_t kMostNetworks = 1000;

/// The items of a model's need on `gpus` GPUs; they sum to the need. `networks` is empty but for
/// an image pipeline. Refuses (22023) more networks than that, and a number of GPUs over which the
/// work cannot be split.
std::vector<Item> memory_items(const Model& model, const Workload& workload,
                               const std::vector<Network>& networks, std::int64_t gpus);

std::vector<Item> notebook_items(const Workload& workload, std::optional<double> memory_gib,
                                 std::int64_t gpus);

}  // namespace gpu_advisor
