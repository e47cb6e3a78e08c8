// Whether a machine holds a need, as SQL. gpus_needed and gpu_fits run once for each machine of a
// fleet, so they only walk the ladder that the datum carries.
#include "core/fit.hpp"

#include "pg/datum.hpp"

namespace gpu_advisor::pg {
namespace {

std::int64_t smallest_fit(FunctionCallInfo fcinfo) {
  const NeedDatum* need = need_arg(fcinfo, 0);
  return gpu_advisor::smallest_fit(need->rungs, static_cast<std::size_t>(need->rung_count),
                                   PG_GETARG_INT64(1), PG_GETARG_FLOAT8(2));
}

Machine machine_arg(FunctionCallInfo fcinfo) { return {PG_GETARG_INT64(1), PG_GETARG_FLOAT8(2)}; }

}  // namespace

// gpus_needed(need, gpu_count, gpu_memory_gib) -> bigint or NULL
GPU_ADVISOR_FUNCTION(gpus_needed) {
  const std::int64_t gpus = smallest_fit(fcinfo);
  if (gpus == 0) PG_RETURN_NULL();
  PG_RETURN_INT64(gpus);
}

// gpu_fits(need, gpu_count, gpu_memory_gib) -> boolean
GPU_ADVISOR_FUNCTION(gpu_fits) { PG_RETURN_BOOL(smallest_fit(fcinfo) != 0); }

// gpu_fit_verdict(need, gpu_count, gpu_memory_gib) -> one sentence
GPU_ADVISOR_FUNCTION(gpu_fit_verdict) {
  const NeedDatum* need = need_arg(fcinfo, 0);
  const Machine machine = machine_arg(fcinfo);
  PG_RETURN_TEXT_P(run_core([&] { return core_text(fit_verdict(core_need(need), machine)); }));
}

// short_gib(need, gpu_count, gpu_memory_gib) -> GiB over all the GPUs that lack it, or NULL
GPU_ADVISOR_FUNCTION(gpu_short_gib) {
  const NeedDatum* need = need_arg(fcinfo, 0);
  const Machine machine = machine_arg(fcinfo);
  const double lacking = run_core([&]() -> double {
    const auto lacks = shortage(core_need(need), machine);
    return lacks ? lacks->gib() : 0;
  });
  if (lacking <= 0) PG_RETURN_NULL();
  PG_RETURN_FLOAT8(lacking);
}

// workload_text(need) -> the workload and its need in words
GPU_ADVISOR_FUNCTION(gpu_workload_text) {
  const NeedDatum* need = need_arg(fcinfo, 0);
  PG_RETURN_TEXT_P(run_core([&] { return core_text(workload_text(core_need(need))); }));
}

// why(need, gpu_count, gpu_memory_gib) -> one sentence, NULL where the need does not fit
GPU_ADVISOR_FUNCTION(gpu_why) {
  const std::int64_t gpus = smallest_fit(fcinfo);
  if (gpus == 0) PG_RETURN_NULL();
  const NeedDatum* need = need_arg(fcinfo, 0);
  const Machine machine = machine_arg(fcinfo);
  PG_RETURN_TEXT_P(
      run_core([&] { return core_text(why_it_fits(core_need(need), gpus, machine)); }));
}

// confidence(need, gpu_count, gpu_memory_gib, memory_source) -> high, medium or low
GPU_ADVISOR_FUNCTION(gpu_confidence) {
  if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2)) PG_RETURN_NULL();
  const std::int64_t gpus = smallest_fit(fcinfo);
  if (gpus == 0) PG_RETURN_NULL();
  const NeedDatum* need = need_arg(fcinfo, 0);
  const Machine machine = machine_arg(fcinfo);
  const std::optional<std::string_view> source = optional_text(fcinfo, 3);
  PG_RETURN_TEXT_P(run_core([&] {
    return core_text(confidence(core_need(need), gpus, machine,
                                source ? memory_source_from_text(*source) : std::nullopt));
  }));
}

// limits(need, gpu_count, gpu_memory_gib, memory_source, tier, interruptible, max_booking_hours)
GPU_ADVISOR_FUNCTION(gpu_limits) {
  if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2)) PG_RETURN_NULL();
  const std::int64_t gpus = smallest_fit(fcinfo);
  if (gpus == 0) PG_RETURN_NULL();
  const NeedDatum* need = need_arg(fcinfo, 0);
  const Machine machine = machine_arg(fcinfo);
  const std::optional<std::string_view> source = optional_text(fcinfo, 3);
  const std::optional<std::string_view> tier = optional_text(fcinfo, 4);
  const bool interruptible = !PG_ARGISNULL(5) && PG_GETARG_BOOL(5);
  const std::optional<double> hours = optional_float(fcinfo, 6);
  const CStrings lines = run_core([&] {
    const Terms terms{source ? memory_source_from_text(*source) : std::nullopt, tier == "community",
                      interruptible, hours};
    return core_cstrings(limits(core_need(need), gpus, machine, terms));
  });
  PG_RETURN_ARRAYTYPE_P(text_array_datum(lines));
}

}  // namespace gpu_advisor::pg
