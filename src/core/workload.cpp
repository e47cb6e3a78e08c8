#include "core/workload.hpp"

#include <fmt/format.h>

#include "core/units.hpp"

namespace gpu_advisor {

const char* to_text(Task task) {
  switch (task) {
    case Task::run:
      return "run";
    case Task::finetune:
      return "finetune";
    case Task::image:
      return "image";
    case Task::notebook:
      return "notebook";
  }
  return "";
}

Task task_from_text(std::string_view text) {
  for (const Task task : {Task::run, Task::finetune, Task::image, Task::notebook}) {
    if (text == to_text(task)) return task;
  }
  throw invalid_argument(
      fmt::format("unknown task: \"{}\"", text),
      "Use run, finetune, image or notebook, or NULL for what the model is for.");
}

namespace {

Task usual_task(Kind kind) { return kind == Kind::image ? Task::image : Task::run; }

}  // namespace

bool suits(Task task, Kind kind) {
  return task == usual_task(kind) || (task == Task::finetune && kind == Kind::language);
}

namespace {

const char* described(Kind kind) {
  switch (kind) {
    case Kind::language:
      return "a language model";
    case Kind::speech:
      return "a speech recognition model";
    case Kind::image:
      return "an image pipeline";
  }
  return "";
}

void check_figures(std::int64_t bits, std::int64_t ctx, std::int64_t conc) {
  if (bits != 16 && bits != 8 && bits != 4) {
    throw invalid_argument(fmt::format("bits must be 16, 8 or 4, not {}", bits),
                           "bits is the precision of the weights: 16, or 8 or 4 quantized.");
  }
  if (ctx < 1) {
    throw invalid_argument(fmt::format("ctx must be at least 1 token, not {}", ctx),
                           "Give the context length in tokens, such as 4096.");
  }
  if (conc < 1) {
    throw invalid_argument(fmt::format("conc must be at least 1, not {}", conc),
                           "Give the number of concurrent requests, such as 1.");
  }
}

void check_context(const Model& model, std::int64_t ctx) {
  if (!model.max_context || ctx <= *model.max_context) return;
  throw invalid_argument(
      fmt::format("ctx {} is beyond the longest context of {}: {} tokens", ctx, model.name,
                  *model.max_context),
      fmt::format("Use ctx => {} or less; for many models at once write least(ctx, max_context).",
                  *model.max_context));
}

}  // namespace

Workload check_workload(const Model& model, std::int64_t bits, std::int64_t ctx, std::int64_t conc,
                        std::optional<std::string_view> task) {
  check_model(model);
  check_figures(bits, ctx, conc);
  const Task chosen = task ? task_from_text(*task) : usual_task(model.kind);
  if (!suits(chosen, model.kind)) {
    throw invalid_argument(
        fmt::format("task {} is not for {}: {} is {}", to_text(chosen), model.name, model.name,
                    described(model.kind)),
        chosen == Task::notebook
            ? std::string("A notebook takes memory_gib and no model.")
            : fmt::format("Use task => '{}'{}, or leave it out.", to_text(usual_task(model.kind)),
                          model.kind == Kind::language ? " or 'finetune'" : ""));
  }
  // A fine-tuning may stretch the context that a model was published with.
  if (model.kind == Kind::language && chosen == Task::run) check_context(model, ctx);
  return {chosen, static_cast<int>(bits), ctx, conc};
}

Workload check_notebook(std::int64_t bits, std::int64_t ctx, std::int64_t conc,
                        std::optional<std::string_view> task) {
  check_figures(bits, ctx, conc);
  const bool other = task && task_from_text(*task) != Task::notebook;
  if (other) {
    throw invalid_argument(fmt::format("task {} needs a model, and none was given", *task),
                           "Name a model, or give memory_gib alone for a notebook.");
  }
  return {Task::notebook, static_cast<int>(bits), ctx, conc};
}

}  // namespace gpu_advisor
