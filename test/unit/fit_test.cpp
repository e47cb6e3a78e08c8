// Whether a machine fits, how surely, and how tightly: each rule alone.
#include "core/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "generators.hpp"

namespace gpu_advisor {
namespace {

using test::finetune;
using test::model;
using test::number;
using test::run;

TEST(Fit, EveryCaseToTheByte) {
  const auto rows = test::csv(GPU_ADVISOR_SOURCE_DIR "/test/data/cases/fit.csv");
  ASSERT_EQ(rows.size(), 16U);
  for (const test::Row& row : rows) {
    const Workload w =
        run(static_cast<int>(*number(row, "bits")), *number(row, "ctx"), *number(row, "conc"));
    const Need need = model_need(model(row.at("model")), w).value();
    const Machine machine{*number(row, "gpu_count"), std::stod(row.at("gpu_memory_gib"))};
    SCOPED_TRACE(row.at("model") + " on " + row.at("gpu_count") + " x " + row.at("gpu_memory_gib"));
    const auto gpus = gpus_needed(need, machine);
    EXPECT_EQ(gpus, number(row, "gpus_needed"));
    if (gpus) {
      EXPECT_EQ(need.on_each_of(*gpus).total(), number(row, "bytes_per_gpu"));
    }
  }
}

TEST(Fit, AMachineMayHaveMoreGpusThanAreUsed) {
  const Need need = *model_need(model("meta-llama/Llama-3.1-70B"), run(16, 4096, 1));
  EXPECT_EQ(gpus_needed(need, {6, 48}), 4);  // 64 heads
  EXPECT_EQ(gpus_needed(need, {1'000'000'000, 48}), 4);
}

TEST(Fit, ToTheLastByte) {
  const Need need = *model_need(model("meta-llama/Llama-3.1-8B"), run(16, 4096, 1));
  const double exact = to_gib(20'990'613'914);
  EXPECT_EQ(gpus_needed(need, {1, exact}), 1);
  EXPECT_FALSE(gpus_needed(need, {1, std::nextafter(exact, 0)}));
}

TEST(Fit, WhatAMachineLacksIsCountedOnAsManyGpusAsMayShare) {
  const Need need = *model_need(model("meta-llama/Llama-3.1-70B"), run(16, 4096, 1));
  const auto lacking = shortage(need, {3, 80});  // 64 heads divide by 2, not by 3
  ASSERT_TRUE(lacking);
  EXPECT_EQ(lacking->gpus, 2);
  EXPECT_EQ(lacking->gib_on_each, to_gib(need.on_each_of(2).total()) - 80);
  EXPECT_EQ(lacking->gib(), 2 * lacking->gib_on_each);
  EXPECT_FALSE(shortage(need, {6, 48}));  // it fits on four
  EXPECT_FALSE(shortage(need, {0, 48}));
  EXPECT_FALSE(shortage(need, {1, std::nan("")}));
}

TEST(Fit, FiguresThatAreNoneFitNothing) {
  const Need need = notebook_need({Task::notebook, 16, 1, 1}, 0);
  EXPECT_EQ(gpus_needed(need, {1, 0.001}), 1);
  for (const double gib : {std::nan(""), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(), 0.0, -0.0, -24.0, 1e15}) {
    EXPECT_FALSE(gpus_needed(need, {1, gib})) << gib;
  }
  EXPECT_EQ(gpus_needed(need, {1, std::nextafter(1e15, 0)}), 1);
  EXPECT_FALSE(gpus_needed(need, {0, 24}));
  EXPECT_FALSE(gpus_needed(need, {-1, 24}));
  EXPECT_FALSE(gpus_needed(need, {std::numeric_limits<std::int64_t>::min(), 24}));
}

TEST(Fit, OnlyALanguageModelThatIsRunUsesSeveral) {
  const auto alone = [](const Need& need) {
    const double half = to_gib(need.on_each_of(1).total()) - 0.01;
    return !gpus_needed(need, {8, half}) && gpus_needed(need, {8, half + 0.02}) == 1;
  };
  EXPECT_FALSE(alone(*model_need(model("meta-llama/Llama-3.1-8B"), run(16, 4096, 1))));
  EXPECT_TRUE(alone(*model_need(model("meta-llama/Llama-3.1-8B"), finetune(16, 4096, 1))));
  EXPECT_TRUE(alone(*model_need(model("openai/whisper-large-v3"), run(16, 448, 1))));
  EXPECT_TRUE(alone(*model_need(test::pipelines()[0].model, {Task::image, 16, 1, 1})));
  EXPECT_TRUE(alone(notebook_need({Task::notebook, 16, 1, 1}, 24)));
}

RC_GTEST_PROP(Fit, GpusNeededIsTheSmallestNumberByBruteForce, ()) {
  const auto c = *test::any_case();
  const Need need = model_need(c.model, c.workload).value();
  const std::int64_t count = *rc::gen::inRange<std::int64_t>(0, 65);
  // About what an allowed number of GPUs needs, so that every outcome comes up.
  const auto about = *rc::gen::elementOf(test::allowed_gpus(need));
  const double gib = to_gib(need.on_each_of(about).total()) * *rc::gen::inRange(95, 131) / 100;
  std::optional<std::int64_t> smallest;
  const bool several = c.workload.task == Task::run && c.model.kind == Kind::language;
  for (std::int64_t n = 1; n <= count && !smallest; ++n) {
    const bool allowed = n == 1 || (several && *c.model.attention_heads % n == 0);
    if (allowed && to_gib(need.on_each_of(n).total()) <= gib) smallest = n;
  }
  RC_ASSERT(gpus_needed(need, {count, gib}) == smallest);
}

RC_GTEST_PROP(Fit, MoreMemoryOrMoreGpusNeverNeedMore, ()) {
  const auto c = *test::any_case();
  const Need need = model_need(c.model, c.workload).value();
  const Machine small{*rc::gen::inRange<std::int64_t>(1, 17),
                      static_cast<double>(*rc::gen::inRange(1, 200))};
  const Machine large{small.gpu_count + *rc::gen::inRange<std::int64_t>(0, 9),
                      small.gpu_memory_gib + *rc::gen::inRange(0, 100)};
  const auto before = gpus_needed(need, small);
  if (before) RC_ASSERT(gpus_needed(need, large).value() <= *before);
}

// --- what an index may leave out ---------------------------------------------------------------

RC_GTEST_PROP(LeastMachine, IsReachedAndNeverUndercutByAMachineThatHoldsTheNeed, ()) {
  const auto c = *test::any_case();
  const Need need = model_need(c.model, c.workload).value();
  const auto rungs = ladder(need);
  const double memory = least_memory(rungs.data(), rungs.size());
  const double capacity = least_capacity(rungs.data(), rungs.size());
  bool memory_reached = false;
  bool capacity_reached = false;
  for (const auto gpus : test::allowed_gpus(need)) {
    // The smallest machine of so many GPUs that holds it, and one with a GPU more.
    const double gib = to_gib(need.on_each_of(gpus).total());
    for (const std::int64_t count : {gpus, gpus + 1}) {
      RC_ASSERT(gpus_needed(need, {count, gib}).has_value());
      RC_ASSERT(gib >= memory);
      RC_ASSERT(static_cast<double>(count) * gib >= capacity);
    }
    memory_reached = memory_reached || gib == memory;
    capacity_reached = capacity_reached || static_cast<double>(gpus) * gib == capacity;
  }
  RC_ASSERT(memory_reached);
  RC_ASSERT(capacity_reached);
}

TEST(LeastMachine, NothingWithoutARung) {
  EXPECT_EQ(least_memory(nullptr, 0), 0);
  EXPECT_EQ(least_capacity(nullptr, 0), 0);
}

// --- what stays free --------------------------------------------------------------------------

Need notebook(double gib) { return notebook_need({Task::notebook, 16, 1, 1}, gib); }

TEST(FreeMemory, IsWhatTheNeedLeavesOnEachGpu) {
  EXPECT_EQ(free_gib(notebook(20), 1, {1, 24}), 4);
  EXPECT_EQ(free_gib(notebook(24), 1, {1, 24}), 0);
  const Need need = *model_need(model("meta-llama/Llama-3.1-70B"), run(16, 4096, 1));
  EXPECT_EQ(free_gib(need, 4, {6, 48}), 48 - to_gib(43'808'618'906));
}

TEST(Tightness, LessThanATenthOfTheMemory) {
  for (const double memory : {10.0, 20.0, 40.0, 70.0, 80.0}) {
    EXPECT_FALSE(margin_is_tight(notebook(memory - memory / 10), 1, {1, memory})) << memory;
    EXPECT_TRUE(margin_is_tight(notebook(memory - memory / 10 + 0.001), 1, {1, memory})) << memory;
    EXPECT_FALSE(margin_is_tight(notebook(memory - memory / 10 - 0.001), 1, {1, memory}));
  }
}

TEST(Tightness, LessThanTheUnquantizedPartNeeds) {
  Need need = *model_need(model("meta-llama/Llama-3.1-8B"), run(4, 4096, 1));
  const Machine machine{1, 8};  // 1.91 GiB stay free, 24 %
  need.unquantized = 0;
  EXPECT_FALSE(margin_is_tight(need, 1, machine));
  need.unquantized = 8 * kGiB - need.on_each_of(1).total();
  EXPECT_FALSE(margin_is_tight(need, 1, machine));
  ++need.unquantized;
  EXPECT_TRUE(margin_is_tight(need, 1, machine));
}

TEST(Tightness, EachGpuTakesItsShareOfTheUnquantizedPart) {
  Need need = *model_need(model("meta-llama/Llama-3.1-8B"), run(4, 4096, 1));
  const Bytes free = 8 * kGiB - need.on_each_of(2).total();
  need.unquantized = 2 * free;
  EXPECT_FALSE(margin_is_tight(need, 2, {2, 8}));
  ++need.unquantized;
  EXPECT_TRUE(margin_is_tight(need, 2, {2, 8}));
}

// --- confidence -------------------------------------------------------------------------------

constexpr Machine kRoomy{8, 1000};

std::string sure(const Need& need, std::int64_t gpus = 1, const Machine& machine = kRoomy,
                 std::optional<MemorySource> source = MemorySource::datacenter) {
  return confidence(need, gpus, machine, source);
}

Need llama(int bits) { return *model_need(model("meta-llama/Llama-3.1-8B"), run(bits, 4096, 1)); }

TEST(Confidence, HighFor16BitsOnOneGpuOfADataCentre) { EXPECT_EQ(sure(llama(16)), "high"); }

TEST(Confidence, QuantizedWeightsTakeAStep) {
  EXPECT_EQ(sure(llama(8)), "medium");
  EXPECT_EQ(sure(llama(4)), "medium");
}

TEST(Confidence, SeveralGpusTakeAStep) {
  EXPECT_EQ(sure(llama(16), 2), "medium");
  EXPECT_EQ(sure(llama(16), 8), "medium");
}

TEST(Confidence, AMemoryFigureFromElsewhereTakesAStep) {
  EXPECT_EQ(sure(llama(16), 1, kRoomy, MemorySource::datasheet), "medium");
  EXPECT_EQ(sure(llama(16), 1, kRoomy, MemorySource::provider), "medium");
  EXPECT_EQ(sure(llama(16), 1, kRoomy, std::nullopt), "medium");
}

TEST(Confidence, ATightMarginTakesAStep) {
  EXPECT_EQ(sure(llama(16), 1, {1, 20}), "medium");
  EXPECT_EQ(sure(llama(16), 1, {1, 24}), "high");
}

TEST(Confidence, StepsAddUpAndLowIsTheFloor) {
  EXPECT_EQ(sure(llama(4), 2), "low");
  EXPECT_EQ(sure(llama(16), 2, kRoomy, MemorySource::datasheet), "low");
  EXPECT_EQ(sure(llama(4), 2, {2, 6.1}, MemorySource::provider), "low");
}

TEST(Confidence, SpeechStartsAtMedium) {
  const auto whisper = [](int bits) {
    return *model_need(model("openai/whisper-large-v3"), run(bits, 448, 1));
  };
  EXPECT_EQ(sure(whisper(16)), "medium");
  EXPECT_EQ(sure(whisper(8)), "low");
  EXPECT_EQ(sure(whisper(16), 1, kRoomy, MemorySource::provider), "low");
}

TEST(Confidence, FineTuningStartsAtMedium) {
  const auto tuned = [](int bits) {
    return *model_need(model("meta-llama/Llama-3.1-8B"), finetune(bits, 2048, 1));
  };
  EXPECT_EQ(sure(tuned(16)), "medium");
  EXPECT_EQ(sure(tuned(8)), "low");
  EXPECT_EQ(sure(tuned(4)), "low");
}

TEST(Confidence, ANotebookStartsAtMediumAndHasNoWeights) {
  EXPECT_EQ(sure(notebook(24)), "medium");
  EXPECT_EQ(sure(notebook_need({Task::notebook, 4, 1, 1}, 24)), "medium");
  EXPECT_EQ(sure(notebook(24), 1, {1, 24}), "low");
  EXPECT_EQ(sure(notebook(24), 1, kRoomy, MemorySource::datasheet), "low");
}

TEST(Confidence, ImagePipelinesAreAlwaysLow) {
  EXPECT_EQ(sure(*model_need(test::pipelines()[0].model, {Task::image, 16, 1, 1})), "low");
}

TEST(MemorySources, AreReadByName) {
  EXPECT_EQ(memory_source_from_text("datacenter"), MemorySource::datacenter);
  EXPECT_EQ(memory_source_from_text("datasheet"), MemorySource::datasheet);
  EXPECT_EQ(memory_source_from_text("provider"), MemorySource::provider);
  EXPECT_FALSE(memory_source_from_text("rumour"));
  EXPECT_FALSE(memory_source_from_text(""));
}

}  // namespace
}  // namespace gpu_advisor
