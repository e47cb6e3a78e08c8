// What a workload needs: the cases, a second reckoning in wide integers, and what must always hold.
#include "core/need.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "errors.hpp"
#include "generators.hpp"

namespace gpu_advisor {
namespace {

using test::Case;
using test::error_of;
using test::expect_error;
using test::finetune;
using test::model;
using test::number;
using test::run;

Bytes total(const Model& m, const Workload& w) {
  return model_need(m, w).value().on_each_of(1).total();
}

// --- the cases --------------------------------------------------------------------------------

TEST(Need, EveryCaseToTheByte) {
  const auto rows = test::csv(GPU_ADVISOR_SOURCE_DIR "/test/data/cases/need.csv");
  ASSERT_EQ(rows.size(), 33U);
  for (const test::Row& row : rows) {
    const Model& m = model(row.at("model"));
    const Workload w = check_workload(m, *number(row, "bits"), *number(row, "ctx"),
                                      *number(row, "conc"), row.at("task"));
    SCOPED_TRACE(row.at("model") + " " + row.at("task") + " " + row.at("bits"));
    const auto need = model_need(m, w);
    ASSERT_TRUE(need);
    const GpuShare share = need->on_each_of(1);
    EXPECT_EQ(share.weights, number(row, "weights"));
    EXPECT_EQ(share.kv_cache, number(row, "kv_cache").value_or(0));
    EXPECT_EQ(share.adapters, number(row, "adapters").value_or(0));
    EXPECT_EQ(share.activations, number(row, "activations").value_or(0));
    EXPECT_EQ(share.margin, number(row, "margin"));
    EXPECT_EQ(share.runtime, number(row, "runtime"));
    EXPECT_EQ(share.total(), number(row, "total"));
    EXPECT_EQ(share.memory, 0);
  }
}

TEST(Need, TheWorkedExample) {
  const Model& llama = model("meta-llama/Llama-3.1-8B");
  const GpuShare share = model_need(llama, run(16, 4096, 1))->on_each_of(1);
  EXPECT_EQ(gib_text(share.weights), "14.96 GiB");
  EXPECT_EQ(gib_text(share.kv_cache), "0.50 GiB");
  EXPECT_EQ(gib_text(share.margin), "3.09 GiB");
  EXPECT_EQ(gib_text(share.runtime), "1.00 GiB");
  EXPECT_EQ(gib_text(share.total()), "19.55 GiB");
  EXPECT_EQ(share.total(), 20'990'613'914);
  EXPECT_EQ(gib_text(total(llama, run(4, 4096, 1))), "6.09 GiB");
}

TEST(Need, CarriesWhatItWasMadeFrom) {
  const Need need = *model_need(model("meta-llama/Llama-3.1-70B"), run(8, 5000, 3));
  EXPECT_EQ(need.model, "meta-llama/Llama-3.1-70B");
  EXPECT_EQ(need.task, Task::run);
  EXPECT_EQ(need.kind, Kind::language);
  EXPECT_EQ(need.bits, 8);
  EXPECT_EQ(need.ctx, 5000);
  EXPECT_EQ(need.conc, 3);
  EXPECT_EQ(need.attention_heads, 64);
}

TEST(Need, ImagePipelineCountsTheDenoiserAtTheBitsAskedFor) {
  for (const test::Pipeline& p : test::pipelines()) {
    if (!p.model.params) continue;
    for (const int bits : {16, 8, 4}) {
      Bytes weights = 0;
      for (const Network& network : p.networks) {
        weights += (*network.params * (network.quantized ? bits : 16) + 7) / 8;
      }
      const Need need = *model_need(p.model, {Task::image, bits, 1, 1});
      const GpuShare share = need.on_each_of(1);
      EXPECT_EQ(share.weights, weights) << p.model.name << " at " << bits;
      EXPECT_EQ(share.margin, (weights + 4) / 5);
      EXPECT_EQ(share.total(), weights + share.margin + kGiB);
      EXPECT_EQ(need.unquantized, 0) << "they are counted already";
    }
  }
}

TEST(Need, NotebookIsWhatWasStated) {
  const Workload w{Task::notebook, 16, 4096, 1};
  const Need need = notebook_need(w, 24.0);
  EXPECT_EQ(need.on_each_of(1).memory, 24 * kGiB);
  EXPECT_EQ(need.on_each_of(1).total(), 24 * kGiB);
  EXPECT_EQ(notebook_need(w, 79.6).on_each_of(1).total(), 85'469'849'190);
  EXPECT_FALSE(need.kind);
  EXPECT_EQ(need.model, "");
  expect_error(error_of([&] { notebook_need(w, {}); }), "22023", {"notebook", "memory_gib"},
               "memory_gib => 24");
  expect_error(error_of([&] { notebook_need(w, -1); }), "22023", {"memory_gib", "-1"});
  expect_error(error_of([&] { notebook_need(w, std::nan("")); }), "22023", {"memory_gib", "nan"});
  expect_error(error_of([&] { notebook_need(w, 1e300); }), "22003", {"too large"});
}

TEST(Need, UnquantizedPartIsWhatABuildTakesOnTop) {
  const Model& llama = model("meta-llama/Llama-3.1-8B");
  const std::int64_t kept = 2LL * 128'256 * 4096;  // embeddings and head, not tied
  EXPECT_EQ(llama.unquantized_params, kept);
  const auto unquantized = [&](const Workload& w) { return model_need(llama, w)->unquantized; };
  EXPECT_EQ(unquantized(run(16, 1, 1)), 0);
  EXPECT_EQ(unquantized(run(8, 1, 1)), kept);
  EXPECT_EQ(unquantized(run(4, 1, 1)), kept * 12 / 8);
  EXPECT_EQ(unquantized(finetune(8, 1, 1)), kept);
  EXPECT_EQ(unquantized(finetune(4, 1, 1)), (kept * 11'873 + 7999) / 8000);
  EXPECT_EQ(model("google/gemma-3-27b-it").unquantized_params, 262'208LL * 5376) << "tied";
  // It does not change the need.
  Model unknown = llama;
  unknown.unquantized_params.reset();
  EXPECT_EQ(total(unknown, run(4, 1, 1)), total(llama, run(4, 1, 1)));
}

// --- a second reckoning -----------------------------------------------------------------------

/// Far wider than what it checks; stays at the top instead of overflowing.
struct Wide {
  unsigned __int128 value = 0;
  Wide(std::int64_t v) : value(static_cast<unsigned __int128>(v)) {}  // NOLINT: reads as a figure
  friend Wide operator+(Wide a, Wide b) {
    if (__builtin_add_overflow(a.value, b.value, &a.value)) a.value = ~decltype(value){0};
    return a;
  }
  friend Wide operator*(Wide a, Wide b) {
    if (__builtin_mul_overflow(a.value, b.value, &a.value)) a.value = ~decltype(value){0};
    return a;
  }
  Wide over(unsigned by) const {
    Wide up = *this;
    up.value = value / by + (value % by != 0 ? 1 : 0);
    return up;
  }
  friend bool operator<(Wide a, Wide b) { return a.value < b.value; }
  bool fits() const { return value <= static_cast<unsigned __int128>(INT64_MAX); }
};

/// The figure, or the one that stands for it; value_or() would look at both.
std::int64_t either(const Figure& figure, const Figure& other) { return figure ? *figure : *other; }

Wide wide_cache(const Model& m, const Workload& w) {
  const Wide conc = w.conc;
  if (m.kind == Kind::speech) {
    return Wide(2) * *m.decoder_layers * *m.decoder_heads * *m.head_dim * 2 *
           (Wide(*m.max_target_positions) + *m.max_source_positions) * conc;
  }
  const std::int64_t layers = m.kv_layers.value_or(m.layers.value_or(0));
  const std::int64_t sliding = m.sliding_layers.value_or(0);
  const auto entry = [&](const Figure& heads, const Figure& dim) {
    return Wide(*heads) * (Wide(*dim) + either(m.v_head_dim, dim)) * 2;
  };
  Wide sum = Wide(m.state_bytes.value_or(0)) * conc;
  if (layers > sliding) {
    const Wide token = m.kv_latent_dim ? Wide(*m.kv_latent_dim) * 2 : entry(m.kv_heads, m.head_dim);
    sum = sum + token * (layers - sliding) * w.ctx * conc;
  }
  if (sliding > 0) {
    const Wide token = entry(m.sliding_kv_heads ? m.sliding_kv_heads : m.kv_heads,
                             m.sliding_head_dim ? m.sliding_head_dim : m.head_dim);
    sum = sum + token * sliding * std::min(w.ctx, *m.sliding_window) * conc;
  }
  return sum;
}

Wide wide_adapters(const Model& m) {
  const Wide hidden = *m.hidden_size;
  const Wide heads = m.attention_heads.value_or(0);  // none without attention
  const auto ordinary = [&](Wide kv_heads, std::int64_t dim) {
    const Wide value_dim = m.v_head_dim.value_or(dim);
    return (hidden + heads * dim) + (hidden + kv_heads * dim) + (hidden + kv_heads * value_dim) +
           (heads * value_dim + hidden);
  };
  const auto latent = [&] {
    const Wide query = heads * (Wide(*m.qk_nope_head_dim) + *m.qk_rope_head_dim);
    const Wide q = *m.q_lora_rank == 0 ? hidden + query
                                       : (hidden + *m.q_lora_rank) + (Wide(*m.q_lora_rank) + query);
    const Wide rank = *m.kv_latent_dim - *m.qk_rope_head_dim;
    return q + (hidden + *m.kv_latent_dim) +
           (rank + heads * (Wide(*m.qk_nope_head_dim) + *m.v_head_dim)) +
           (heads * *m.v_head_dim + hidden);
  };
  const std::int64_t layers = either(m.kv_layers, m.layers);
  const std::int64_t sliding = m.sliding_layers.value_or(0);
  Wide sum = 0;
  if (layers > sliding) {
    sum =
        Wide(layers - sliding) * (m.kv_latent_dim ? latent() : ordinary(*m.kv_heads, *m.head_dim));
  }
  if (sliding > 0) {
    sum = sum + Wide(sliding) * ordinary(either(m.sliding_kv_heads, m.kv_heads),
                                         either(m.sliding_head_dim, m.head_dim));
  }
  return sum * 16 * 16;
}

Wide wide_activations(const Model& m, const Workload& w) {
  Wide width = m.intermediate_size.value_or(0);
  const bool experts = m.experts_per_token && m.expert_intermediate_size;
  if (experts) width = std::max(width, Wide(*m.experts_per_token) * *m.expert_intermediate_size);
  if (!experts && !m.intermediate_size) width = Wide(4) * *m.hidden_size;
  const Wide tokens = Wide(w.ctx) * w.conc;
  const Wide layer = tokens * (Wide(38) * *m.hidden_size + Wide(8) * width);
  const Wide loss = Wide(16) * tokens * *m.vocab_size;
  return Wide(w.bits == 16 ? 2 : 4) * tokens * *m.hidden_size * *m.layers + std::max(layer, loss);
}

/// The need on one GPU, from the formulas as the README has them.
Wide wide_need(const Model& m, const Workload& w) {
  const bool qlora = w.task == Task::finetune && w.bits == 4;
  Wide items = qlora ? (Wide(*m.params) * 4127).over(8000) : (Wide(*m.params) * w.bits).over(8);
  if (w.task == Task::run) {
    items = items + wide_cache(m, w);
  } else {
    items = items + wide_adapters(m) + wide_activations(m, w);
  }
  return items + items.over(5) + kGiB;
}

void agrees_with_the_second_reckoning(const Case& c) {
  const Wide expected = wide_need(c.model, c.workload);
  Bytes got = 0;
  const auto error = error_of([&] { got = total(c.model, c.workload); });
  RC_ASSERT(error.has_value() != expected.fits());
  if (error) {
    RC_ASSERT(std::string(error->state()) == "22003");
    RC_ASSERT(!error->hint().empty());
  } else {
    RC_ASSERT(static_cast<unsigned __int128>(got) == expected.value);
  }
}

RC_GTEST_PROP(Need, IsWhatTheFormulasSay, ()) {
  agrees_with_the_second_reckoning(*test::any_case());
}

// Figures and arguments so large that products pass 2^63: an error, never a wrong number.
RC_GTEST_PROP(Need, BeyondTheLastByteIsAnErrorNeverAWrongNumber, ()) {
  auto c = *test::any_case();
  const auto large = [] {
    return *rc::gen::map(rc::gen::inRange(0, 63), [](int bit) { return std::int64_t{1} << bit; });
  };
  c.workload.ctx = large();
  c.workload.conc = large();
  if (*rc::gen::arbitrary<bool>()) c.model.params = large();
  if (*rc::gen::arbitrary<bool>()) c.model.head_dim = large();
  if (*rc::gen::arbitrary<bool>()) c.model.hidden_size = large();
  if (c.model.state_bytes && *rc::gen::arbitrary<bool>()) c.model.state_bytes = large();
  c.model.unquantized_params.reset();
  agrees_with_the_second_reckoning(c);
}

TEST(Need, EveryModelOfTheCatalogueIsWhatTheFormulasSay) {
  int compared = 0;
  for (const Model& m : test::models()) {
    for (const Task task : {Task::run, Task::finetune}) {
      for (const int bits : {16, 8, 4}) {
        if (task == Task::finetune && m.kind == Kind::speech) continue;
        const Workload w{task, bits, 3001, 3};
        const auto need = model_need(m, w);
        if (!need) continue;
        EXPECT_TRUE(static_cast<unsigned __int128>(need->on_each_of(1).total()) ==
                    wide_need(m, w).value)
            << m << ": " << w;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 2000);
}

// --- what must always hold --------------------------------------------------------------------

RC_GTEST_PROP(Need, NeverShrinksWhenCtxOrConcGrows, ()) {
  const auto c = *test::any_case();
  Workload more = c.workload;
  more.ctx += *rc::gen::inRange<std::int64_t>(0, 100'000);
  more.conc += *rc::gen::inRange<std::int64_t>(0, 100);
  RC_ASSERT(total(c.model, c.workload) <= total(c.model, more));
}

RC_GTEST_PROP(Need, NeverShrinksWhenBitsGrow, ()) {
  const auto c = *test::run_case();
  const auto at = [&](int bits) {
    return total(c.model, run(bits, c.workload.ctx, c.workload.conc));
  };
  RC_ASSERT(at(4) <= at(8));
  RC_ASSERT(at(8) <= at(16));
}

RC_GTEST_PROP(Need, WeightsNeverShrinkWhenBitsGrow, ()) {
  const auto c = *test::finetune_case();
  const auto at = [&](int bits) {
    return model_need(c.model, finetune(bits, c.workload.ctx, c.workload.conc)).value();
  };
  RC_ASSERT(at(4).weights <= at(8).weights);  // QLoRA's 4.127 bits
  RC_ASSERT(at(8).weights <= at(16).weights);
  RC_ASSERT(at(4).on_each_of(1).total() <= at(8).on_each_of(1).total());
}

RC_GTEST_PROP(Need, ItemsSumToTheTotalOnAnyNumberOfGpus, ()) {
  const auto c = *test::any_case();
  const Need need = model_need(c.model, c.workload).value();
  const auto gpus = *rc::gen::elementOf(test::allowed_gpus(need));
  const GpuShare s = need.on_each_of(gpus);
  const Bytes items = s.weights + s.kv_cache + s.adapters + s.activations;
  RC_ASSERT(s.margin == (items + 4) / 5);
  RC_ASSERT(s.runtime == kGiB);
  RC_ASSERT(s.total() == items + s.margin + s.runtime);
  RC_ASSERT(s.weights * gpus >= need.weights);
  RC_ASSERT((s.weights - 1) * gpus < need.weights);
}

RC_GTEST_PROP(Need, OnEachGpuNeverGrowsWithMoreGpus, ()) {
  const auto c = *test::any_case();
  const Need need = model_need(c.model, c.workload).value();
  const auto gpus = *rc::gen::inRange<std::int64_t>(1, 300);
  RC_ASSERT(need.on_each_of(gpus + 1).total() <= need.on_each_of(gpus).total());
}

RC_GTEST_PROP(Need, TheLadderHoldsEveryAllowedNumberThatHelps, ()) {
  const auto c = *test::any_case();
  const Need need = model_need(c.model, c.workload).value();
  std::vector<std::int64_t> helpful;
  Bytes least = std::numeric_limits<Bytes>::max();
  for (const std::int64_t gpus : test::allowed_gpus(need)) {
    const Bytes bytes = need.on_each_of(gpus).total();
    if (bytes < least) helpful.push_back(gpus);
    least = bytes;
  }
  std::vector<std::int64_t> rungs;
  for (const Rung& rung : ladder(need)) {
    rungs.push_back(rung.gpus);
    RC_ASSERT(rung.gib_on_each == to_gib(need.on_each_of(rung.gpus).total()));
  }
  RC_ASSERT(rungs == helpful);
}

TEST(Need, SplitsOnlyWhereTheAttentionHeadsDivide) {
  const Need need = *model_need(model("meta-llama/Llama-3.1-70B"), run(16, 4096, 1));
  for (std::int64_t gpus = 1; gpus <= 130; ++gpus) {
    EXPECT_EQ(need.splits_over(gpus), 64 % gpus == 0) << gpus;
  }
  EXPECT_FALSE(need.splits_over(0));
  EXPECT_FALSE(need.splits_over(-1));
  EXPECT_FALSE(need.splits_over(-2));
}

TEST(Need, NothingButALanguageModelThatIsRunSplits) {
  const auto splits = [](const Need& need) {
    EXPECT_TRUE(need.splits_over(1));
    EXPECT_EQ(ladder(need).size(), need.splits_over(2) ? 2U : 1U);
    return need.splits_over(2);
  };
  Model two = model("meta-llama/Llama-3.1-8B");
  two.attention_heads = 2;
  EXPECT_TRUE(splits(*model_need(two, run(16, 1, 1))));
  EXPECT_FALSE(splits(*model_need(two, finetune(16, 1, 1))));
  EXPECT_FALSE(splits(*model_need(model("openai/whisper-large-v3"), run(16, 1, 1))));
  EXPECT_FALSE(splits(*model_need(test::pipelines()[0].model, {Task::image, 16, 1, 1})));
  EXPECT_FALSE(splits(notebook_need({Task::notebook, 16, 1, 1}, 24)));
  two.attention_heads.reset();
  EXPECT_FALSE(splits(*model_need(two, run(16, 1, 1)))) << "unknown heads are not guessed";
}

TEST(Need, RepeatsKvHeadsWhereTheyDoNotDivide) {
  const Need llama = *model_need(model("meta-llama/Llama-3.1-70B"), run(16, 1, 1));  // 8 KV heads
  for (const std::int64_t gpus : {1, 2, 4, 8}) EXPECT_FALSE(llama.repeats_kv_heads(gpus)) << gpus;
  EXPECT_TRUE(llama.repeats_kv_heads(16));
  const Need gemma = *model_need(model("google/gemma-4-31B-it"), run(16, 4096, 1));  // 4 and 16
  EXPECT_FALSE(gemma.repeats_kv_heads(4));
  EXPECT_TRUE(gemma.repeats_kv_heads(8)) << "the full layers' heads";
  const Need deepseek = *model_need(model("deepseek-ai/DeepSeek-V3"), run(16, 1, 1));
  EXPECT_FALSE(deepseek.repeats_kv_heads(8)) << "a latent cache has no heads";
}

// --- missing figures --------------------------------------------------------------------------

void expect_empty_without(const Model& full, const Workload& w, std::vector<Figure Model::*> used) {
  ASSERT_TRUE(model_need(full, w)) << full;
  for (const ModelColumn& column : kModelColumns) {
    Model m = full;
    (m.*column.figure).reset();
    const bool needed = std::find(used.begin(), used.end(), column.figure) != used.end();
    if (!(full.*column.figure)) continue;
    const auto need = model_need(m, w);
    EXPECT_EQ(!need, needed) << full.name << ", " << w << ", without " << column.name;
  }
}

TEST(Need, IsEmptyWithoutAFigureThatItDependsOn) {
  using M = Model;
  const auto r = run(16, 4096, 1);
  const auto f = finetune(16, 2048, 1);
  expect_empty_without(model("meta-llama/Llama-3.1-8B"), r,
                       {&M::params, &M::layers, &M::kv_heads, &M::head_dim});
  expect_empty_without(model("meta-llama/Llama-3.1-8B"), f,
                       {&M::params, &M::layers, &M::kv_heads, &M::head_dim, &M::attention_heads,
                        &M::hidden_size, &M::vocab_size});
  expect_empty_without(
      model("google/gemma-3-27b-it"), r,
      {&M::params, &M::layers, &M::kv_heads, &M::head_dim, &M::sliding_layers, &M::sliding_window});
  expect_empty_without(model("deepseek-ai/DeepSeek-V3"), r, {&M::params, &M::layers});
  expect_empty_without(model("ai21labs/AI21-Jamba-Mini-1.5"), r,
                       {&M::params, &M::kv_heads, &M::head_dim});
  expect_empty_without(model("openai/whisper-large-v3"), r,
                       {&M::params, &M::head_dim, &M::decoder_layers, &M::decoder_heads,
                        &M::max_target_positions, &M::max_source_positions});
  expect_empty_without(test::pipelines()[0].model, {Task::image, 8, 1, 1},
                       {&M::params, &M::unquantized_params});
}

TEST(Need, UnknownGrowthOfTheCacheIsNotGuessed) {
  int unknown = 0;
  for (const test::Row& row : test::catalogue()) {
    if (!row.at("attention").empty()) continue;
    EXPECT_FALSE(model_need(model(row.at("hf_id")), run(16, 1, 1))) << row.at("hf_id");
    ++unknown;
  }
  EXPECT_GT(unknown, 0);
}

// A model with holes: what it needs is either what it needs without them, or not known.
RC_GTEST_PROP(Need, HolesNeverMakeAnotherNumber, ()) {
  const auto c = *test::any_case();
  Model holes = c.model;
  // These three are absent in an ordinary model: without them it is another model, not a hole.
  const auto form = [](const ModelColumn& column) {
    const std::string_view name = column.name;
    return name == "kv_layers" || name == "kv_latent_dim" || name == "state_bytes" ||
           name == "sliding_kv_heads" || name == "sliding_head_dim" || name == "v_head_dim";
  };
  // Nor are these: without any width 4 x hidden is assumed, as the answer says.
  const auto width = [](const ModelColumn& column) {
    return std::string_view(column.name).find("inter") == 0 ||
           std::string_view(column.name).find("expert") == 0;
  };
  for (const ModelColumn& column : kModelColumns) {
    if (!form(column) && !width(column) && *rc::gen::inRange(0, 10) == 0) {
      (holes.*column.figure).reset();
    }
  }
  RC_PRE(holes.sliding_layers || holes.sliding_window || !c.model.sliding_layers);
  const auto need = model_need(holes, c.workload);
  if (need) RC_ASSERT(need->on_each_of(1).total() == total(c.model, c.workload));
}

// --- needs from outside -----------------------------------------------------------------------

Need good() { return *model_need(model("google/gemma-4-31B-it"), run(8, 4096, 2)); }

TEST(NeedCheck, AcceptsWhatTheCoreMakes) {
  EXPECT_FALSE(error_of([] { check_need(good()); }));
  EXPECT_FALSE(error_of([] { check_need(notebook_need({Task::notebook, 4, 1, 1}, 24)); }));
}

TEST(NeedCheck, RefusesFiguresThatNoWorkloadHas) {
  const auto bent = [](auto bend) {
    Need need = good();
    bend(need);
    return error_of([&] { check_need(need); });
  };
  const auto impossible = [&](auto bend) {
    expect_error(bent(bend), "22023", {"figures that no workload has"}, "gpu_need()");
  };
  for (const int bits : {0, 1, 5, 32, -16}) impossible([&](Need& n) { n.bits = bits; });
  impossible([](Need& n) { n.ctx = 0; });
  impossible([](Need& n) { n.conc = 0; });
  impossible([](Need& n) { n.attention_heads = -1; });
  impossible([](Need& n) { n.weights = -1; });
  impossible([](Need& n) { n.kv_heads[0].heads = -1; });
  impossible([](Need& n) { n.kv_heads[1].heads = -1; });
  impossible([](Need& n) { n.kv_heads[0].bytes_per_head = -1; });
  impossible([](Need& n) { n.kv_heads[1].bytes_per_head = -1; });
  impossible([](Need& n) { n.kv_whole = -1; });
  impossible([](Need& n) { n.adapters = -1; });
  impossible([](Need& n) { n.activations = -1; });
  impossible([](Need& n) { n.memory = -1; });
  impossible([](Need& n) { n.unquantized = -1; });
  impossible([](Need& n) { n.kind.reset(); });
  impossible([](Need& n) { n.task = Task::notebook; });
  impossible([](Need& n) { n.task = Task::image; });
  impossible([](Need& n) { n.memory = 1; });
  impossible([](Need& n) { n.adapters = 1; });
  impossible([](Need& n) { n.activations = 1; });
  expect_error(bent([](Need& n) { n.model.assign(kLongestName + 1, 'x'); }), "22023", {"1025"},
               "1024");
  expect_error(bent([](Need& n) { n.attention_heads = kMostHeads + 1; }), "22023",
               {"16385", "16384"}, "attention_heads");
  EXPECT_FALSE(bent([](Need& n) { n.attention_heads = kMostHeads; }));
  const auto too_large = [&](auto bend) { expect_error(bent(bend), "22003", {"too large"}); };
  too_large([](Need& n) { n.weights = INT64_MAX; });
  too_large([](Need& n) { n.kv_heads[1] = {1LL << 32, 1LL << 31}; });
}

TEST(NeedEquality, LooksAtEveryFigure) {
  EXPECT_TRUE(good() == good());
  const auto differs = [](auto bend) {
    Need need = good();
    bend(need);
    return !(need == good());
  };
  EXPECT_TRUE(differs([](Need& n) { n.model += "x"; }));
  EXPECT_TRUE(differs([](Need& n) { n.task = Task::finetune; }));
  EXPECT_TRUE(differs([](Need& n) { n.kind = Kind::speech; }));
  EXPECT_TRUE(differs([](Need& n) { n.bits = 4; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.ctx; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.conc; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.attention_heads; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.weights; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.kv_heads[0].heads; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.kv_heads[0].bytes_per_head; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.kv_heads[1].heads; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.kv_heads[1].bytes_per_head; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.kv_whole; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.adapters; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.activations; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.memory; }));
  EXPECT_TRUE(differs([](Need& n) { ++n.unquantized; }));
}

}  // namespace
}  // namespace gpu_advisor
