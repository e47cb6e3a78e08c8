// What the user wants to do with a model: the arguments of gpu_need(), checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model.hpp"

namespace gpu_advisor {

enum class Task { run, finetune, image, notebook };

const char* to_text(Task task);

/// "run", "finetune", "image" or "notebook"; an error for anything else.
Task task_from_text(std::string_view text);

/// Whether a model of this kind may have this task.
bool suits(Task task, Kind kind);

struct Workload {
  Task task = Task::run;
  int bits = 16;          ///< precision of the weights: 16, 8 or 4
  std::int64_t ctx = 1;   ///< tokens of context; the sequence length of a fine-tuning
  std::int64_t conc = 1;  ///< concurrent requests or audio streams; the batch size of a fine-tuning
};

static_assert(std::is_trivially_destructible_v<Workload>);

/// Checks the arguments against each other and the model; `task` empty means what the model is
/// for. Errors (22023): bits, ctx, conc, an unknown task, a task that the model is not for, ctx
/// beyond the longest context of a model that is run.
Workload check_workload(const Model& model, std::int64_t bits, std::int64_t ctx, std::int64_t conc,
                        std::optional<std::string_view> task);

/// A notebook has no model: checks bits, ctx, conc and the task (empty or "notebook").
Workload check_notebook(std::int64_t bits, std::int64_t ctx, std::int64_t conc,
                        std::optional<std::string_view> task);

}  // namespace gpu_advisor
