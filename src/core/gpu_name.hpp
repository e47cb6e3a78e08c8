// The normal form of a GPU's name, in which the spellings of drivers, clouds and marketplaces meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/poll.hpp"

namespace gpu_advisor {

/// "NVIDIA A100-SXM4-80GB" is {"a100sxm4", 81920, "nvidia"}.
struct GpuName {
  std::string name;                 ///< small letters, without separators; never empty
  std::optional<std::int64_t> mib;  ///< the memory size in the name: GB are counted as GiB
  std::string_view maker;           ///< nvidia, amd or intel where the name says so, else empty

  /// "a100sxm4/81920/nvidia"; what is not in the name is empty: "a100//".
  std::string key() const;
};

/// A longer name is nobody's.
inline constexpr std::size_t kLongestGpuName = 1024;

/// Nothing for a name without a name: "", "NVIDIA", "80GB".
std::optional<GpuName> parse_gpu_name(std::string_view written);

/// What each of the names is found by, once and sorted: "a100sxm4", and with the size in the name
/// "a100sxm4/81920".
std::set<std::string> search_keys(const std::vector<std::string_view>& names, Poll poll = no_poll);

}  // namespace gpu_advisor
