// Whether a machine holds a need, how surely, and what to know about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/need.hpp"

namespace gpu_advisor {

/// A machine, as far as the fit looks at it. Trivially destructible.
struct Machine {
  std::int64_t gpu_count = 0;
  double gpu_memory_gib = 0;  ///< of one GPU
};

/// The smallest number of the machine's GPUs on which the need fits; empty where there is none,
/// and for figures that are none (NaN, 1e15 GiB or more, not above zero).
std::optional<std::int64_t> gpus_needed(const Need& need, const Machine& machine);

/// What a machine lacks: GiB on each of as many of its GPUs as the need may be split over.
struct Shortage {
  std::int64_t gpus = 1;
  double gib_on_each = 0;

  double gib() const { return static_cast<double>(gpus) * gib_on_each; }  ///< over all of them
};
/// Empty where the need fits, and for figures that are none.
std::optional<Shortage> shortage(const Need& need, const Machine& machine);

/// Where a machine's memory figure comes from; empty where that is not known.
enum class MemorySource { datacenter, datasheet, provider };
std::optional<MemorySource> memory_source_from_text(std::string_view text);

/// GiB that stay free on each of the GPUs used.
double free_gib(const Need& need, std::int64_t gpus, const Machine& machine);

/// Less than 10 % of the GPU's memory stays free, or less than the unquantized part needs.
bool margin_is_tight(const Need& need, std::int64_t gpus, const Machine& machine);

/// "high", "medium" or "low" (README, "Confidence").
const char* confidence(const Need& need, std::int64_t gpus, const Machine& machine,
                       std::optional<MemorySource> source);

/// What rules out `gpus` GPUs for a need that does not split over them, e.g.
/// "64 attention heads do not divide by 3".
std::string why_not_split(const Need& need, std::int64_t gpus);

/// One sentence: why the need fits on `gpus` of the machine's GPUs.
std::string why_it_fits(const Need& need, std::int64_t gpus, const Machine& machine);

/// A workload and its need in words, e.g. "meta-llama/Llama-3.1-8B, run at 16 bits, 4,096 tokens,
/// 1 request: 19.55 GiB on one GPU".
std::string workload_text(const Need& need);

/// What a machine's owner says of it beyond its memory.
struct Terms {
  std::optional<MemorySource> source;
  bool community = false;
  bool interruptible = false;
  std::optional<double> max_booking_hours;
};

/// What to know before renting, a sentence each (README, "Limits").
std::vector<std::string> limits(const Need& need, std::int64_t gpus, const Machine& machine,
                                const Terms& terms);

/// One sentence for any machine, fitting or not.
std::string fit_verdict(const Need& need, const Machine& machine);

}  // namespace gpu_advisor
