// The most that a machine holds: it fits, one more does not, and no answer has its reason.
#include "core/inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "errors.hpp"
#include "generators.hpp"

namespace gpu_advisor {
namespace {

using test::error_of;
using test::expect_error;
using test::finetune;
using test::model;
using test::run;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

bool fits(const Model& m, const Workload& w, const Machine& machine) {
  bool held = false;
  const auto error = error_of([&] {
    const auto need = model_need(m, w);
    held = need && gpus_needed(*need, machine);
  });
  // RC_ASSERT takes an expression apart, and so evaluates both sides of a ||.
  if (error) RC_ASSERT(std::string(error->state()) == sqlstate::kOutOfRange);
  return held;
}

/// `best` is the largest value of the figure, up to `most`, that fits.
void is_the_largest(std::optional<std::int64_t> best, std::int64_t Workload::*figure, Figure most,
                    const Model& m, Workload w, const Machine& machine) {
  const auto fits_at = [&](std::int64_t value) {
    w.*figure = value;
    return fits(m, w, machine);
  };
  if (!best) {
    RC_ASSERT(!fits_at(1) || (!most && fits_at(kMost)));
    return;
  }
  RC_ASSERT(*best >= 1);
  if (most) RC_ASSERT(*best <= *most);
  RC_ASSERT(fits_at(*best));
  if (best != most) RC_ASSERT(!fits_at(*best + 1));
}

void both_are_the_largest(const Model& m, const Workload& w, const Machine& machine) {
  is_the_largest(max_context(m, w, machine), &Workload::ctx, m.max_context, m, w, machine);
  is_the_largest(max_concurrency(m, w, machine), &Workload::conc, {}, m, w, machine);
}

/// From 1 to below 2^most_bits, small figures as likely as large ones.
std::int64_t any_size(int most_bits) {
  const auto bits = *rc::gen::inRange(0, most_bits);
  return *rc::gen::inRange<std::int64_t>(std::int64_t{1} << bits, std::int64_t{2} << bits);
}

RC_GTEST_PROP(Inverse, HoldsForTheWholeCatalogueOnAnyMachine, ()) {
  const Machine machine{*rc::gen::inRange<std::int64_t>(1, 17),
                        static_cast<double>(any_size(14)) / 3};
  Workload w{*rc::gen::element(Task::run, Task::finetune), *test::precision(), any_size(16),
             any_size(6)};
  for (const Model& m : test::models()) {
    if (suits(w.task, m.kind)) both_are_the_largest(m, w, machine);
  }
  w.task = Task::image;
  for (const test::Pipeline& p : test::pipelines()) both_are_the_largest(p.model, w, machine);
}

RC_GTEST_PROP(Inverse, HoldsForAnyModelOnAMachineAboutAsLarge, ()) {
  auto c = *test::any_case();
  c.model.max_context = *test::figure_or_none(1, 2'000'000);
  const Need need = model_need(c.model, c.workload).value();
  const auto gpus = *rc::gen::elementOf(test::allowed_gpus(need));
  const double gib =
      to_gib(need.on_each_of(gpus).total()) * *rc::gen::element(0.9, 1.0, 1.1, 2.0, 1e6);
  both_are_the_largest(c.model, c.workload, {gpus + *rc::gen::inRange<std::int64_t>(0, 3), gib});
}

// On a GPU of just the need's size the answer is the workload itself, or what needs not a byte
// more.
RC_GTEST_PROP(Inverse, FindsTheWorkloadThatAMachineWasMadeFor, ()) {
  const auto c = *test::any_case();
  const Bytes bytes = model_need(c.model, c.workload)->on_each_of(1).total();
  RC_PRE(bytes < Bytes{1} << 53);  // beyond, GiB in double precision round
  const Machine machine{1, to_gib(bytes)};
  const auto is_it = [&](std::optional<std::int64_t> best, std::int64_t Workload::*figure) {
    Workload w = c.workload;
    if (!best) w.*figure = kMost;
    if (best) RC_ASSERT(*best >= w.*figure);
    if (best) w.*figure = *best;
    RC_ASSERT(model_need(c.model, w)->on_each_of(1).total() == bytes);
  };
  is_it(max_context(c.model, c.workload, machine), &Workload::ctx);
  is_it(max_concurrency(c.model, c.workload, machine), &Workload::conc);
}

RC_GTEST_PROP(Inverse, NeverShrinksOnALargerMachine, ()) {
  auto c = *test::any_case();
  c.model.max_context = *test::figure(1, 2'000'000);
  const Machine small{*rc::gen::inRange<std::int64_t>(1, 9), static_cast<double>(any_size(10))};
  const Machine large{small.gpu_count + *rc::gen::inRange<std::int64_t>(0, 9),
                      small.gpu_memory_gib + static_cast<double>(*rc::gen::inRange(0, 100))};
  const auto before = max_context(c.model, c.workload, small);
  if (before) RC_ASSERT(max_context(c.model, c.workload, large).value() >= *before);
  const auto streams = max_concurrency(c.model, c.workload, small);
  if (streams) RC_ASSERT(max_concurrency(c.model, c.workload, large).value() >= *streams);
}

TEST(Inverse, TheWorkedExample) {
  const Model& llama = model("meta-llama/Llama-3.1-8B");
  const double exact = to_gib(20'990'613'914);  // of 4,096 tokens and 1 request
  EXPECT_EQ(max_context(llama, run(16, 1, 1), {1, exact}), 4096);
  EXPECT_EQ(max_context(llama, run(16, 1, 1), {1, std::nextafter(exact, 0)}), 4095);
  EXPECT_EQ(max_concurrency(llama, run(16, 4096, 1), {1, exact}), 1);
  EXPECT_FALSE(max_concurrency(llama, run(16, 4096, 1), {1, std::nextafter(exact, 0)}));
  // (24 - 1) GiB x 5 / 6 - 16,060,522,496 bytes of weights = 4,519,608,439: over 131,072 a token
  EXPECT_EQ(max_context(llama, run(16, 1, 1), {1, 24}), 34'481);
  EXPECT_EQ(max_concurrency(llama, run(16, 4096, 1), {1, 24}), 8);
  EXPECT_EQ(max_context(llama, run(16, 1, 1), {2, 24}), 131'072) << "its longest";
  EXPECT_FALSE(max_context(llama, run(16, 1, 1), {1, 16}));
}

TEST(Inverse, TheFigureLookedForDoesNotCount) {
  const Model& llama = model("meta-llama/Llama-3.1-8B");
  EXPECT_EQ(max_context(llama, run(16, kMost, 1), {1, 24}), 34'481);
  EXPECT_EQ(max_concurrency(llama, run(16, 4096, kMost), {1, 24}), 8);
}

TEST(Inverse, UsesTheNumberOfGpusThatTheHeadsDivideBy) {
  const Model& llama = model("meta-llama/Llama-3.1-70B");  // 64 heads
  const auto of_4 = max_context(llama, run(16, 1, 1), {4, 48});
  EXPECT_TRUE(of_4);
  EXPECT_EQ(max_context(llama, run(16, 1, 1), {6, 48}), of_4);
  EXPECT_GT(max_context(llama, run(16, 1, 1), {8, 48}), of_4);
}

TEST(Inverse, StopsAtTheLongestContextAlsoInAFineTuning) {
  const Model& llama = model("meta-llama/Llama-3.1-8B");
  EXPECT_EQ(max_context(llama, finetune(16, 1, 1), {1, 1e5}), 131'072);
  Model unknown = llama;
  unknown.max_context.reset();
  EXPECT_GT(max_context(unknown, finetune(16, 1, 1), {1, 1e5}), 131'072);
}

TEST(Inverse, SpeechCountsStreamsAndTakesAnyContext) {
  const Model& whisper = model("openai/whisper-large-v3");
  EXPECT_EQ(max_concurrency(whisper, run(16, 1, 1), {1, 24}), 54);
  EXPECT_EQ(max_concurrency(whisper, run(16, kMost, 1), {1, 24}), 54);
  EXPECT_EQ(max_context(whisper, run(16, 1, 54), {1, 24}), 448) << "its longest";
  EXPECT_FALSE(max_context(whisper, run(16, 1, 55), {1, 24}));
}

TEST(Inverse, WhatNothingBoundsHasNoLargest) {
  const Model& mamba = model("state-spaces/mamba-2.8b-hf");
  EXPECT_FALSE(mamba.max_context);
  EXPECT_FALSE(max_context(mamba, run(16, 1, 1), {1, 24}));
  EXPECT_TRUE(max_concurrency(mamba, run(16, 1, 1), {1, 24})) << "a state for each request";
  Model bounded = mamba;
  bounded.max_context = 8192;
  EXPECT_EQ(max_context(bounded, run(16, 1, 1), {1, 24}), 8192);
  bounded.state_bytes.reset();
  EXPECT_FALSE(max_concurrency(bounded, run(16, 1, 1), {1, 24}));
  const Workload image{Task::image, 8, 1, 1};
  EXPECT_FALSE(max_context(test::pipelines()[0].model, image, {1, 80}));
  EXPECT_FALSE(max_concurrency(test::pipelines()[0].model, image, {1, 80}));
}

TEST(Inverse, AMissingFigureGivesNoAnswer) {
  Model holes = model("meta-llama/Llama-3.1-8B");
  holes.kv_heads.reset();
  EXPECT_FALSE(max_context(holes, run(16, 1, 1), {1, 80}));
  EXPECT_FALSE(max_concurrency(holes, run(16, 1, 1), {1, 80}));
}

TEST(Inverse, AMachineWithoutAMeasureHoldsNothing) {
  const Model& llama = model("meta-llama/Llama-3.1-8B");
  for (const Machine& machine :
       {Machine{0, 80}, Machine{-1, 80}, Machine{1, std::nan("")}, Machine{1, -80.0},
        Machine{1, std::numeric_limits<double>::infinity()}, Machine{1, kMemoryBound}}) {
    EXPECT_FALSE(max_context(llama, run(16, 1, 1), machine)) << machine.gpu_memory_gib;
    EXPECT_FALSE(max_concurrency(llama, run(16, 1, 1), machine)) << machine.gpu_memory_gib;
  }
}

TEST(Inverse, ANeedBeyondTheLastByteFitsNowhere) {
  const Machine largest{1, std::nextafter(kMemoryBound, 0)};
  Model llama = model("meta-llama/Llama-3.1-8B");
  EXPECT_FALSE(max_context(llama, run(16, 1, kMost), largest));
  EXPECT_FALSE(max_concurrency(llama, finetune(16, kMost, 1), largest));
  llama.max_context.reset();
  const auto tokens = max_context(llama, run(16, 1, 1), largest);
  ASSERT_TRUE(tokens);
  EXPECT_GT(model_need(llama, run(16, *tokens, 1))->on_each_of(1).total(), kMost - 1'000'000);
  llama.params = kMost;
  EXPECT_FALSE(max_context(llama, run(16, 1, 1), largest));
}

TEST(Inverse, OtherErrorsReachTheUser) {
  Model wrong = model("google/gemma-3-27b-it");
  wrong.sliding_layers = 1000;
  expect_error(error_of([&] {
                 max_context(wrong, run(16, 1, 1), {1, 80});
               }),
               "22023", {"sliding layers"});
  expect_error(error_of([&] {
                 max_concurrency(wrong, run(16, 1, 1), {1, 80});
               }),
               "22023", {"sliding layers"});
}

}  // namespace
}  // namespace gpu_advisor
