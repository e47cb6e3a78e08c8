// The sentences of fit.hpp: why a machine fits, what to know about it, and what it lacks.
#include <fmt/format.h>

#include <cmath>

#include "core/fit.hpp"

namespace gpu_advisor {

namespace {

std::string gib(double figure) { return fmt::format("{:.2f} GiB", figure); }

double needed_gib(const Need& need, std::int64_t gpus) {
  return to_gib(need.on_each_of(gpus).total());
}

std::string memory_source_limit(std::optional<MemorySource> source) {
  if (!source) return "Where the memory figure comes from is not known.";
  switch (*source) {
    case MemorySource::datacenter:
      return "The memory figure comes from the data centre.";
    case MemorySource::datasheet:
      return "The memory figure comes from the maker's datasheet: the driver may report less.";
    case MemorySource::provider:
      return "The memory figure is what the provider's machine reports, unchecked.";
  }
  return {};
}

std::string tight_limit(const Need& need, std::int64_t gpus, const Machine& machine) {
  const double free = free_gib(need, gpus, machine);
  std::string text =
      fmt::format("Tight: {} of {} stay free on each GPU used ({:.1f} %).", gib(free),
                  gib(machine.gpu_memory_gib), 100 * free / machine.gpu_memory_gib);
  return text;
}

std::string unquantized_limit(const Need& need, std::int64_t gpus) {
  const Bytes share = ceil_div(need.unquantized, gpus);
  return fmt::format("A build that keeps embeddings and output head at 16 bits takes {} more{}.",
                     gib_text(share), gpus > 1 ? " on each GPU" : "");
}

std::string hours(double figure) {
  return fmt::format("{} hour{}", figure, figure == 1 ? "" : "s");
}

bool may_be_split(const Need& need) {
  return need.attention_heads > 1 && need.splits_over(need.attention_heads);
}

/// What rules out more GPUs than `best` of a machine's `gpu_count`; empty where nothing does.
std::string ruled_out_text(const Need& need, std::int64_t best, std::int64_t gpu_count) {
  constexpr std::int64_t kMostNamed = 8;
  std::string numbers;
  std::int64_t named = 0;
  for (std::int64_t gpus = best + 1; gpus <= gpu_count && named < kMostNamed; ++gpus) {
    if (need.splits_over(gpus)) continue;
    if (!may_be_split(need)) return "; " + why_not_split(need, gpus);
    numbers += fmt::format("{}{}", named == 0 ? "" : gpus == gpu_count ? " or " : ", ", gpus);
    ++named;
  }
  if (numbers.empty()) return {};
  return fmt::format("; {} attention heads do not divide by {}", need.attention_heads, numbers);
}

}  // namespace

std::string why_not_split(const Need& need, std::int64_t gpus) {
  switch (need.task) {
    case Task::notebook:
      return "a notebook runs on one GPU";
    case Task::image:
      return "an image pipeline runs on one GPU";
    case Task::finetune:
      return "a fine-tuning runs on one GPU";
    case Task::run:
      break;
  }
  if (need.kind == Kind::speech) return "speech recognition runs on one GPU";
  if (need.attention_heads == 0) return "the number of its attention heads is not known";
  return fmt::format("{} attention heads do not divide by {}", need.attention_heads, gpus);
}

std::string why_it_fits(const Need& need, std::int64_t gpus, const Machine& machine) {
  const double needed = needed_gib(need, gpus);
  const std::string rest = fmt::format("{} stay free", gib(machine.gpu_memory_gib - needed));
  if (gpus == 1) {
    return fmt::format("Needs {}, and one GPU holds {}: {}.", gib(needed),
                       gib(machine.gpu_memory_gib), rest);
  }
  return fmt::format(
      "Needs {} on each of {} GPUs ({} attention heads divide by {}), and each holds {}: {}.",
      gib(needed), gpus, need.attention_heads, gpus, gib(machine.gpu_memory_gib), rest);
}

std::vector<std::string> limits(const Need& need, std::int64_t gpus, const Machine& machine,
                                const Terms& terms) {
  std::vector<std::string> out{memory_source_limit(terms.source)};
  if (margin_is_tight(need, gpus, machine)) out.push_back(tight_limit(need, gpus, machine));
  if (need.unquantized > 0) out.push_back(unquantized_limit(need, gpus));
  if (need.task == Task::image) {
    out.emplace_back(
        "Sized for one image at the model's native resolution: larger images and batches "
        "need more.");
  }
  if (terms.max_booking_hours) {
    out.push_back(fmt::format("Can be booked for at most {}.", hours(*terms.max_booking_hours)));
  }
  if (terms.interruptible) out.emplace_back("Interruptible: it may be taken away at any time.");
  if (need.repeats_kv_heads(gpus)) {
    out.push_back(fmt::format(
        "KV heads are repeated across the {} GPUs: the cache takes more than on one.", gpus));
  }
  if (terms.community) {
    out.emplace_back(
        "A community machine runs on the provider's own hardware, who can read the "
        "session's memory.");
  }
  return out;
}

std::string workload_text(const Need& need) {
  const std::string total = gib_text(need.on_each_of(1).total());
  if (need.task == Task::notebook) return fmt::format("notebook: {} on one GPU", total);
  std::string text = fmt::format("{}, {} at {} bits", need.model, to_text(need.task), need.bits);
  if (need.kind == Kind::language) text += ", " + counted(need.ctx, "token");
  if (need.task == Task::finetune) {
    text += fmt::format(", batch of {}", with_commas(need.conc));
  } else if (need.task == Task::run) {
    text += ", " + counted(need.conc, need.kind == Kind::speech ? "audio stream" : "request");
  }
  return fmt::format("{}: {} on one GPU", text, total);
}

std::string fit_verdict(const Need& need, const Machine& machine) {
  if (const auto gpus = gpus_needed(need, machine)) {
    return fmt::format("Fits: {}", why_it_fits(need, *gpus, machine));
  }
  const auto lacking = shortage(need, machine);
  if (!lacking) {
    return fmt::format("Does not fit: {} GPUs of {} GiB are no machine.", machine.gpu_count,
                       machine.gpu_memory_gib);
  }
  const std::int64_t best = lacking->gpus;
  const std::string ruled_out = ruled_out_text(need, best, machine.gpu_count);
  return fmt::format("Does not fit: {} short{}: needs {}, has {}{}.", gib(lacking->gib_on_each),
                     best == 1 ? " on one GPU" : fmt::format(" on each of {} GPUs", best),
                     gib(needed_gib(need, best)), gib(machine.gpu_memory_gib), ruled_out);
}

}  // namespace gpu_advisor
