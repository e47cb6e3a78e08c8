// The sentences: why a machine fits, what to know about it, and what it lacks.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "core/fit.hpp"
#include "generators.hpp"

namespace gpu_advisor {
namespace {

using test::finetune;
using test::model;
using test::run;
using Sentences = std::vector<std::string>;

Need llama(int bits = 16) {
  return *model_need(model("meta-llama/Llama-3.1-8B"), run(bits, 4096, 1));
}
Need llama70() { return *model_need(model("meta-llama/Llama-3.1-70B"), run(16, 4096, 1)); }
Need whisper() { return *model_need(model("openai/whisper-large-v3"), run(16, 448, 1)); }
Need tuned() { return *model_need(model("meta-llama/Llama-3.1-8B"), finetune(16, 2048, 1)); }
Need image() { return *model_need(test::pipelines()[0].model, {Task::image, 16, 1, 1}); }
Need notebook() { return notebook_need({Task::notebook, 16, 1, 1}, 24); }

TEST(WhyItFits, OnOneGpu) {
  EXPECT_EQ(why_it_fits(llama(), 1, {1, 24}),
            "Needs 19.55 GiB, and one GPU holds 24.00 GiB: 4.45 GiB stay free.");
}

TEST(WhyItFits, OnSeveral) {
  EXPECT_EQ(why_it_fits(llama70(), 4, {6, 48}),
            "Needs 40.80 GiB on each of 4 GPUs (64 attention heads divide by 4), and each holds "
            "48.00 GiB: 7.20 GiB stay free.");
}

TEST(WhyNotSplit, SaysWhatRulesItOut) {
  EXPECT_EQ(why_not_split(llama70(), 3), "64 attention heads do not divide by 3");
  EXPECT_EQ(why_not_split(whisper(), 2), "speech recognition runs on one GPU");
  EXPECT_EQ(why_not_split(tuned(), 2), "a fine-tuning runs on one GPU");
  EXPECT_EQ(why_not_split(image(), 2), "an image pipeline runs on one GPU");
  EXPECT_EQ(why_not_split(notebook(), 2), "a notebook runs on one GPU");
  Need unknown = llama();
  unknown.attention_heads = 0;
  EXPECT_EQ(why_not_split(unknown, 2), "the number of its attention heads is not known");
}

TEST(WorkloadText, SaysWhatIsAskedFor) {
  EXPECT_EQ(workload_text(llama()),
            "meta-llama/Llama-3.1-8B, run at 16 bits, 4,096 tokens, 1 request: 19.55 GiB on one "
            "GPU");
  EXPECT_TRUE(workload_text(*model_need(model("meta-llama/Llama-3.1-8B"), run(4, 1, 2)))
                  .starts_with("meta-llama/Llama-3.1-8B, run at 4 bits, 1 token, 2 requests: "));
  EXPECT_TRUE(workload_text(tuned()).starts_with(
      "meta-llama/Llama-3.1-8B, finetune at 16 bits, 2,048 tokens, batch of 1: "));
  EXPECT_TRUE(workload_text(whisper()).starts_with(
      "openai/whisper-large-v3, run at 16 bits, 1 audio stream: "));
  EXPECT_TRUE(workload_text(image()).starts_with(std::string(test::pipelines()[0].model.name) +
                                                 ", image at 16 bits: "));
  EXPECT_EQ(workload_text(notebook()), "notebook: 24.00 GiB on one GPU");
}

// --- limits: each sentence alone ----------------------------------------------------------------

const char* const kDatacenter = "The memory figure comes from the data centre.";

Terms datacenter() {
  Terms terms;
  terms.source = MemorySource::datacenter;
  return terms;
}

/// What is said beyond where the memory figure comes from.
Sentences beyond(const Need& need, std::int64_t gpus, const Machine& machine, const Terms& terms) {
  Sentences all = limits(need, gpus, machine, terms);
  EXPECT_EQ(all.front(), kDatacenter);
  all.erase(all.begin());
  return all;
}

TEST(Limits, WhereTheMemoryFigureComesFrom) {
  const auto from = [](std::optional<MemorySource> source) {
    Terms terms;
    terms.source = source;
    return limits(llama(), 1, {1, 24}, terms);
  };
  EXPECT_EQ(from(MemorySource::datacenter), Sentences{kDatacenter});
  EXPECT_EQ(
      from(MemorySource::datasheet),
      Sentences{"The memory figure comes from the maker's datasheet: the driver may report less."});
  EXPECT_EQ(from(MemorySource::provider),
            Sentences{"The memory figure is what the provider's machine reports, unchecked."});
  EXPECT_EQ(from({}), Sentences{"Where the memory figure comes from is not known."});
}

TEST(Limits, ATightMarginWithTheFigure) {
  EXPECT_EQ(beyond(llama(), 1, {1, 20}, datacenter()),
            Sentences{"Tight: 0.45 GiB of 20.00 GiB stay free on each GPU used (2.3 %)."});
}

TEST(Limits, TheUnquantizedPart) {
  EXPECT_EQ(beyond(llama(4), 1, {1, 24}, datacenter()),
            Sentences{"A build that keeps embeddings and output head at 16 bits takes 1.47 GiB "
                      "more."});
  EXPECT_EQ(beyond(llama(4), 2, {2, 24}, datacenter()),
            Sentences{"A build that keeps embeddings and output head at 16 bits takes 0.73 GiB "
                      "more on each GPU."});
}

TEST(Limits, AMarginSmallerThanTheUnquantizedPartIsTight) {
  EXPECT_EQ(beyond(llama(4), 1, {1, 7.5}, datacenter()),
            (Sentences{"Tight: 1.41 GiB of 7.50 GiB stay free on each GPU used (18.8 %).",
                       "A build that keeps embeddings and output head at 16 bits takes 1.47 GiB "
                       "more."}));
}

TEST(Limits, ABookingLimit) {
  const auto booked = [](double hours) {
    Terms terms = datacenter();
    terms.max_booking_hours = hours;
    return beyond(llama(), 1, {1, 24}, terms);
  };
  EXPECT_EQ(booked(24), Sentences{"Can be booked for at most 24 hours."});
  EXPECT_EQ(booked(1), Sentences{"Can be booked for at most 1 hour."});
  EXPECT_EQ(booked(1.5), Sentences{"Can be booked for at most 1.5 hours."});
}

TEST(Limits, AnInterruptibleMachine) {
  Terms terms = datacenter();
  terms.interruptible = true;
  EXPECT_EQ(beyond(llama(), 1, {1, 24}, terms),
            Sentences{"Interruptible: it may be taken away at any time."});
}

TEST(Limits, RepeatedKvHeads) {
  EXPECT_EQ(beyond(llama70(), 16, {16, 24}, datacenter()),
            Sentences{"KV heads are repeated across the 16 GPUs: the cache takes more than on "
                      "one."});
  EXPECT_EQ(beyond(llama70(), 8, {8, 24}, datacenter()).size(), 0U);
}

TEST(Limits, ACommunityMachine) {
  Terms terms = datacenter();
  terms.community = true;
  EXPECT_EQ(beyond(llama(), 1, {1, 24}, terms),
            Sentences{"A community machine runs on the provider's own hardware, who can read the "
                      "session's memory."});
}

TEST(Limits, AnImagePipelineIsSizedForOneImage) {
  EXPECT_EQ(beyond(image(), 1, {1, 24}, datacenter()),
            Sentences{"Sized for one image at the model's native resolution: larger images and "
                      "batches need more."});
}

TEST(Limits, AllOfThemTogether) {
  Need need = *model_need(model("meta-llama/Llama-3.1-70B"), run(4, 4096, 1));
  const Terms terms{MemorySource::provider, true, true, 12};
  const double memory = to_gib(need.on_each_of(16).total()) + 0.1;
  EXPECT_EQ(limits(need, 16, {16, memory}, terms).size(), 7U);
}

// --- the verdict ------------------------------------------------------------------------------

TEST(Verdict, Fits) {
  EXPECT_EQ(fit_verdict(llama(), {1, 24}),
            "Fits: Needs 19.55 GiB, and one GPU holds 24.00 GiB: 4.45 GiB stay free.");
  EXPECT_EQ(fit_verdict(llama70(), {6, 48}), "Fits: " + why_it_fits(llama70(), 4, {6, 48}));
}

TEST(Verdict, ShortOnOneGpu) {
  EXPECT_EQ(fit_verdict(llama(), {1, 16}),
            "Does not fit: 3.55 GiB short on one GPU: needs 19.55 GiB, has 16.00 GiB.");
}

TEST(Verdict, ShortOnSeveralAndWhatRulesOutTheOthers) {
  const std::string verdict = fit_verdict(llama70(), {3, 80});
  EXPECT_EQ(verdict, "Does not fit: " + gib_text(llama70().on_each_of(2).total() - 80 * kGiB) +
                         " short on each of 2 GPUs: needs " +
                         gib_text(llama70().on_each_of(2).total()) +
                         ", has 80.00 GiB; 64 attention heads do not divide by 3.");
  EXPECT_EQ(fit_verdict(llama70(), {2, 48}).find("divide"), std::string::npos);
}

TEST(Verdict, NamesEveryNumberThatIsRuledOut) {
  EXPECT_TRUE(fit_verdict(llama70(), {6, 24})
                  .ends_with(", has 24.00 GiB; 64 attention heads do not divide by 5 or 6."));
}

TEST(Verdict, ShortOnOneOfSeveralGpus) {
  const auto ends = [](const Need& need, const char* with) {
    const std::string verdict = fit_verdict(need, {4, 1});
    EXPECT_NE(verdict.find(" short on one GPU: needs "), std::string::npos) << verdict;
    EXPECT_TRUE(verdict.ends_with(with)) << verdict;
  };
  ends(whisper(), "has 1.00 GiB; speech recognition runs on one GPU.");
  ends(tuned(), "has 1.00 GiB; a fine-tuning runs on one GPU.");
  ends(image(), "has 1.00 GiB; an image pipeline runs on one GPU.");
  ends(notebook(), "has 1.00 GiB; a notebook runs on one GPU.");
}

/// What a verdict says of the attention heads must be so.
bool speaks_true(const Need& need, const Machine& machine) {
  const std::string verdict = fit_verdict(need, machine);
  const bool fits = verdict.starts_with("Fits: ");
  if (fits != gpus_needed(need, machine).has_value()) return false;
  std::smatch match;
  const std::regex claim("(\\d+) attention heads (do not )?divide by ([\\d, or]+)");
  if (!std::regex_search(verdict, match, claim)) return verdict.find("divide") == std::string::npos;
  const std::int64_t heads = std::stoll(match[1]);
  const std::string numbers = match[3];
  const std::regex number("\\d+");
  for (std::sregex_iterator at(numbers.begin(), numbers.end(), number), end; at != end; ++at) {
    const std::int64_t gpus = std::stoll(at->str());
    if (gpus > machine.gpu_count || (heads % gpus == 0) == match[2].matched) return false;
  }
  return match[2].matched != fits;
}

RC_GTEST_PROP(Verdict, SpeaksTrueOfAnyMachine, ()) {
  const auto c = *test::any_case();
  const Need need = model_need(c.model, c.workload).value();
  const auto count = *rc::gen::inRange<std::int64_t>(1, 130);
  const auto about = *rc::gen::inRange<std::int64_t>(1, 17);
  const double gib = to_gib(need.on_each_of(about).total()) * *rc::gen::inRange(50, 121) / 100;
  RC_ASSERT(speaks_true(need, {count, gib}));
}

TEST(Verdict, SpeaksTrueWhereMoreGpusDoNotHelp) {
  Need need = llama();  // 32 attention heads; nearly all of it is held whole by each GPU
  need.weights = 1;
  need.kv_heads = {};
  need.kv_whole = 100 * kGiB;
  EXPECT_TRUE(speaks_true(need, {8, 24})) << fit_verdict(need, {8, 24});
}

TEST(Verdict, AHugeMachineIsNoReasonToCount) {
  EXPECT_TRUE(speaks_true(llama70(), {INT64_MAX, 1}));
  EXPECT_TRUE(speaks_true(whisper(), {INT64_MAX, 1}));
}

}  // namespace
}  // namespace gpu_advisor
