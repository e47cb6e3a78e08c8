// The other way round: the most that a machine holds. Exact inverses of the need.
#pragma once

#include <cstdint>
#include <optional>

#include "core/fit.hpp"
#include "core/model.hpp"
#include "core/workload.hpp"

namespace gpu_advisor {

/// The largest ctx, up to the model's longest context, at which the workload fits the machine (the
/// workload's own ctx does not count). Empty where not even 1 fits, where a figure that the need
/// depends on is not known, and where nothing bounds it: neither the model nor the machine's
/// memory.
std::optional<std::int64_t> max_context(const Model& model, const Workload& workload,
                                        const Machine& machine);

/// The same of conc, which no model bounds: empty also where the need does not grow with it.
std::optional<std::int64_t> max_concurrency(const Model& model, const Workload& workload,
                                            const Machine& machine);

}  // namespace gpu_advisor
