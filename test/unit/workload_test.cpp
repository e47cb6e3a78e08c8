// The arguments of gpu_need(), checked against each other and the model.
#include "core/workload.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "errors.hpp"
#include "models.hpp"

namespace gpu_advisor {
namespace {

using test::error_of;
using test::expect_error;
using Given = std::optional<std::string_view>;

const Model& language() { return test::model("meta-llama/Llama-3.1-8B"); }
const Model& speech() { return test::model("openai/whisper-large-v3"); }
const Model& image() { return test::pipelines().front().model; }

std::optional<Error> refused(const Model& m, std::int64_t bits, std::int64_t ctx, std::int64_t conc,
                             Given task) {
  return error_of([&] { check_workload(m, bits, ctx, conc, task); });
}

TEST(WorkloadCheck, TakesTheTaskThatTheModelIsFor) {
  EXPECT_EQ(check_workload(language(), 16, 4096, 1, {}).task, Task::run);
  EXPECT_EQ(check_workload(speech(), 16, 4096, 1, {}).task, Task::run);
  EXPECT_EQ(check_workload(image(), 16, 4096, 1, {}).task, Task::image);
  EXPECT_EQ(check_notebook(16, 4096, 1, {}).task, Task::notebook);
}

TEST(WorkloadCheck, KeepsWhatWasGiven) {
  const Workload w = check_workload(language(), 4, 131'072, 7, "finetune");
  EXPECT_EQ(w.task, Task::finetune);
  EXPECT_EQ(w.bits, 4);
  EXPECT_EQ(w.ctx, 131'072);
  EXPECT_EQ(w.conc, 7);
}

TEST(WorkloadCheck, AcceptsTheTasksOfEachKind) {
  EXPECT_FALSE(refused(language(), 16, 1, 1, "run"));
  EXPECT_FALSE(refused(language(), 16, 1, 1, "finetune"));
  EXPECT_FALSE(refused(speech(), 8, 1, 1, "run"));
  EXPECT_FALSE(refused(image(), 4, 1, 1, "image"));
  EXPECT_FALSE(error_of([] { check_notebook(16, 1, 1, "notebook"); }));
}

TEST(WorkloadCheck, RefusesATaskThatTheModelIsNotFor) {
  expect_error(refused(language(), 16, 1, 1, "image"), "22023",
               {"image", "meta-llama/Llama-3.1-8B", "a language model"}, "'run' or 'finetune'");
  expect_error(refused(language(), 16, 1, 1, "notebook"), "22023",
               {"notebook", "meta-llama/Llama-3.1-8B"}, "memory_gib");
  expect_error(refused(speech(), 16, 1, 1, "finetune"), "22023",
               {"finetune", "openai/whisper-large-v3", "a speech recognition model"}, "'run'");
  expect_error(refused(speech(), 16, 1, 1, "image"), "22023", {"image"}, "'run'");
  expect_error(refused(image(), 16, 1, 1, "run"), "22023",
               {"run", image().name, "an image pipeline"}, "'image'");
  expect_error(refused(image(), 16, 1, 1, "finetune"), "22023", {"finetune"}, "'image'");
  EXPECT_EQ(refused(speech(), 16, 1, 1, "finetune")->hint().find("finetune"), std::string::npos);
  expect_error(error_of([] { check_notebook(16, 1, 1, "run"); }), "22023", {"run", "needs a model"},
               "memory_gib");
}

TEST(WorkloadCheck, RefusesAnUnknownTask) {
  for (const char* task : {"train", "", "Run", "run "}) {
    const std::string quoted = "\"" + std::string(task) + "\"";
    expect_error(refused(language(), 16, 1, 1, task), "22023", {"unknown task", quoted},
                 "run, finetune, image or notebook");
    expect_error(error_of([&] { check_notebook(16, 1, 1, task); }), "22023", {quoted});
  }
}

TEST(WorkloadCheck, RefusesOtherBits) {
  for (const std::int64_t bits : {0, -4, 1, 2, 5, 15, 17, 32}) {
    expect_error(refused(language(), bits, 1, 1, {}), "22023",
                 {"bits must be 16, 8 or 4", std::to_string(bits)}, "precision");
  }
  // Not even where an int would come to 16.
  expect_error(refused(language(), 4'294'967'312, 1, 1, {}), "22023", {"4294967312"});
  expect_error(error_of([] { check_notebook(5, 1, 1, {}); }), "22023", {"bits", "5"});
}

TEST(WorkloadCheck, RefusesCtxAndConcBelowOne) {
  for (const std::int64_t figure :
       {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
    const std::string given = "not " + std::to_string(figure);
    expect_error(refused(language(), 16, figure, 1, {}), "22023", {"ctx", "at least 1", given},
                 "4096");
    expect_error(refused(language(), 16, 1, figure, {}), "22023", {"conc", "at least 1", given},
                 "1");
    expect_error(error_of([&] { check_notebook(16, figure, 1, {}); }), "22023", {"ctx", given});
    expect_error(error_of([&] { check_notebook(16, 1, figure, {}); }), "22023", {"conc", given});
  }
}

TEST(WorkloadCheck, RefusesMoreThanTheLongestContext) {
  EXPECT_FALSE(refused(language(), 16, 131'072, 1, {}));
  const auto error = refused(language(), 16, 131'073, 1, {});
  expect_error(error, "22023", {"ctx 131073", "meta-llama/Llama-3.1-8B", "131072"},
               "least(ctx, max_context)");
  EXPECT_NE(error->hint().find("131072"), std::string::npos);
  expect_error(refused(language(), 16, 131'073, 1, "run"), "22023", {"131073"});
}

TEST(WorkloadCheck, AFineTuningMayStretchTheContext) {
  EXPECT_FALSE(refused(language(), 16, 131'073, 1, "finetune"));
}

TEST(WorkloadCheck, WithoutALongestContextAnyIsTaken) {
  EXPECT_FALSE(refused(test::model("state-spaces/mamba-2.8b-hf"), 16, 10'000'000, 1, {}));
}

TEST(WorkloadCheck, CtxIsNotUsedForSpeechAndImages) {
  EXPECT_FALSE(refused(speech(), 16, 4096, 1, {})) << "its longest context is 448";
  EXPECT_FALSE(refused(image(), 16, 10'000'000, 1, {}));
}

TEST(WorkloadCheck, NamesOfTasksAndKindsReadBack) {
  for (const Task task : {Task::run, Task::finetune, Task::image, Task::notebook}) {
    EXPECT_EQ(task_from_text(to_text(task)), task);
  }
  for (const Kind kind : {Kind::language, Kind::speech, Kind::image}) {
    EXPECT_EQ(kind_from_text(to_text(kind)), kind);
  }
  for (const char* kind : {"", "llm", "Language"}) {
    expect_error(error_of([&] { kind_from_text(kind); }), "22023",
                 {"unknown kind", "\"" + std::string(kind) + "\""}, "language, speech or image");
  }
}

}  // namespace
}  // namespace gpu_advisor
