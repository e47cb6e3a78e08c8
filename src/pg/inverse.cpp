// The most that a machine holds, as SQL.
#include "core/inverse.hpp"

#include "pg/datum.hpp"

namespace gpu_advisor::pg {
namespace {

/// The figure that is looked for is 1 in the workload, where no check refuses it.
struct Question {
  std::int64_t bits;
  std::int64_t ctx;
  std::int64_t conc;
  std::optional<std::string_view> task;
  std::optional<Machine> machine;
};

/// The machine of the arguments gpu_count and gpu_memory_gib; empty where one is not known.
std::optional<Machine> machine_args(FunctionCallInfo fcinfo, int first) {
  if (PG_ARGISNULL(first) || PG_ARGISNULL(first + 1)) return std::nullopt;
  return Machine{PG_GETARG_INT64(first), PG_GETARG_FLOAT8(first + 1)};
}

using Inverse = std::optional<std::int64_t> (*)(const Model&, const Workload&, const Machine&);

/// A wrong argument is an error also where the machine is not known. 0 stands for no answer.
std::int64_t answer(const Model& model, const Question& q, Inverse inverse) {
  return run_core([&]() -> std::int64_t {
    const Workload workload = check_workload(model, q.bits, q.ctx, q.conc, q.task);
    return q.machine ? inverse(model, workload, *q.machine).value_or(0) : 0;
  });
}

}  // namespace

// gpu_model_max_context(m gpu_models, bits, conc, gpu_count, gpu_memory_gib, task) -> tokens or
// NULL
GPU_ADVISOR_FUNCTION(gpu_model_max_context) {
  if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2)) PG_RETURN_NULL();
  const Model model = model_row(fcinfo, PG_GETARG_HEAPTUPLEHEADER(0));
  const Question question{PG_GETARG_INT64(1), 1, PG_GETARG_INT64(2), optional_text(fcinfo, 5),
                          machine_args(fcinfo, 3)};
  const std::int64_t tokens = answer(model, question, max_context);
  if (tokens == 0) PG_RETURN_NULL();
  PG_RETURN_INT64(tokens);
}

// gpu_model_max_concurrency(m gpu_models, bits, ctx, gpu_count, gpu_memory_gib, task)
//   -> requests or NULL
GPU_ADVISOR_FUNCTION(gpu_model_max_concurrency) {
  if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2)) PG_RETURN_NULL();
  const Model model = model_row(fcinfo, PG_GETARG_HEAPTUPLEHEADER(0));
  const Question question{PG_GETARG_INT64(1), PG_GETARG_INT64(2), 1, optional_text(fcinfo, 5),
                          machine_args(fcinfo, 3)};
  const std::int64_t requests = answer(model, question, max_concurrency);
  if (requests == 0) PG_RETURN_NULL();
  PG_RETURN_INT64(requests);
}

}  // namespace gpu_advisor::pg
