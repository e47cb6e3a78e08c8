#include "core/fit.hpp"

#include <algorithm>
#include <array>

namespace gpu_advisor {

std::optional<std::int64_t> gpus_needed(const Need& need, const Machine& machine) {
  const auto rungs = ladder(need);
  const auto gpus =
      smallest_fit(rungs.data(), rungs.size(), machine.gpu_count, machine.gpu_memory_gib);
  if (gpus == 0) return std::nullopt;
  return gpus;
}

std::optional<Shortage> shortage(const Need& need, const Machine& machine) {
  if (machine.gpu_count < 1 || !is_gpu_memory(machine.gpu_memory_gib)) return std::nullopt;
  Shortage nearest{1, 0};
  for (const Rung& rung : ladder(need)) {
    if (rung.gpus > machine.gpu_count) break;
    nearest = {rung.gpus, rung.gib_on_each - machine.gpu_memory_gib};
    if (nearest.gib_on_each <= 0) return std::nullopt;
  }
  return nearest;
}

std::optional<MemorySource> memory_source_from_text(std::string_view text) {
  if (text == "datacenter") return MemorySource::datacenter;
  if (text == "datasheet") return MemorySource::datasheet;
  if (text == "provider") return MemorySource::provider;
  return std::nullopt;
}

double free_gib(const Need& need, std::int64_t gpus, const Machine& machine) {
  return machine.gpu_memory_gib - to_gib(need.on_each_of(gpus).total());
}

bool margin_is_tight(const Need& need, std::int64_t gpus, const Machine& machine) {
  const double free = free_gib(need, gpus, machine);
  return free < machine.gpu_memory_gib * 0.10 || free < to_gib(ceil_div(need.unquantized, gpus));
}

const char* confidence(const Need& need, std::int64_t gpus, const Machine& machine,
                       std::optional<MemorySource> source) {
  static constexpr std::array<const char*, 3> kSteps{"high", "medium", "low"};
  if (need.task == Task::image) return kSteps.back();
  const bool language_run = need.task == Task::run && need.kind == Kind::language;
  std::size_t steps = language_run ? 0 : 1;
  if (need.task != Task::notebook && need.bits != 16) ++steps;
  if (gpus > 1) ++steps;
  if (source != MemorySource::datacenter) ++steps;
  if (margin_is_tight(need, gpus, machine)) ++steps;
  return kSteps.at(std::min(steps, kSteps.size() - 1));
}

}  // namespace gpu_advisor
