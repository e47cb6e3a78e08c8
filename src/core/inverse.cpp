#include "core/inverse.hpp"

#include <limits>
#include <string_view>

#include "core/need.hpp"

namespace gpu_advisor {

namespace {

constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

/// A need beyond 2^63 - 1 bytes fits no machine.
bool fits(const Model& model, const Workload& workload, const Machine& machine) {
  try {
    const auto need = model_need(model, workload);
    return need && gpus_needed(*need, machine);
  } catch (const Error& error) {
    if (std::string_view(error.state()) != sqlstate::kOutOfRange) throw;
    return false;
  }
}

/// The largest value of a figure of the workload, from 1 to `most`, at which it fits: a need never
/// shrinks when ctx or conc grows. Doubling finds two values with the answer between them, halving
/// the answer. Empty where 1 does not fit, and where everything fits without a bound.
std::optional<std::int64_t> largest(std::int64_t Workload::*figure, std::int64_t most,
                                    const Model& model, Workload workload, const Machine& machine) {
  const auto fits_at = [&](std::int64_t value) {
    workload.*figure = value;
    return fits(model, workload, machine);
  };
  if (!fits_at(1)) return std::nullopt;
  if (fits_at(most)) return most == kUnbounded ? std::nullopt : std::optional(most);
  std::int64_t fit = 1;
  std::int64_t too_large = 2;  // `most`, which does not fit, is at least that
  while (too_large < most && fits_at(too_large)) {
    fit = too_large;
    too_large = too_large > most / 2 ? most : too_large * 2;
  }
  while (too_large - fit > 1) {
    const std::int64_t middle = fit + (too_large - fit) / 2;
    (fits_at(middle) ? fit : too_large) = middle;
  }
  return fit;
}

}  // namespace

std::optional<std::int64_t> max_context(const Model& model, const Workload& workload,
                                        const Machine& machine) {
  return largest(&Workload::ctx, model.max_context.value_or(kUnbounded), model, workload, machine);
}

std::optional<std::int64_t> max_concurrency(const Model& model, const Workload& workload,
                                            const Machine& machine) {
  return largest(&Workload::conc, kUnbounded, model, workload, machine);
}

}  // namespace gpu_advisor
