// The items: they sum to the need, and each filled-in formula comes to its bytes.
#include "core/items.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "errors.hpp"
#include "formula.hpp"
#include "generators.hpp"

namespace gpu_advisor {
namespace {

using test::error_of;
using test::expect_error;
using test::finetune;
using test::Formula;
using test::model;
using test::run;
using Items = std::vector<Item>;

/// What is wrong with the items of a known need; empty where nothing is.
std::string fault(const Items& items, const Need& need, std::int64_t gpus) {
  Bytes sum = 0;
  for (const Item& item : items) {
    const std::string shown = item.name + ": " + item.formula;
    if (!item.bytes) return shown + ": no bytes";
    if (item.assumption.empty()) return shown + ": no assumption";
    std::int64_t value = 0;
    const std::string_view share = Formula::of_one_gpu(item.formula);
    try {
      value = Formula::evaluate(item.formula);
      if (!share.empty() && Formula::evaluate(share) != Formula::on_each(item.formula)) {
        return shown + ": the share is not what its brackets say";
      }
    } catch (const std::exception& error) {
      return shown + ": " + error.what();
    }
    if (value != *item.bytes) {
      return shown + ": comes to " + std::to_string(value) + ", not " + std::to_string(*item.bytes);
    }
    sum += *item.bytes;
  }
  const Bytes total = mul(need.on_each_of(gpus).total(), gpus);
  if (sum == total) return {};
  return "the items sum to " + std::to_string(sum) + ", not " + std::to_string(total);
}

std::string fault(const Model& m, const Workload& w, std::int64_t gpus = 1) {
  return fault(memory_items(m, w, {}, gpus), model_need(m, w).value(), gpus);
}

TEST(Items, TheWorkedExample) {
  const Items items = memory_items(model("meta-llama/Llama-3.1-8B"), run(16, 4096, 1), {}, 1);
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items[0].name, "weights");
  EXPECT_EQ(items[0].formula, "8,030,261,248 parameters x 16 bits / 8");
  EXPECT_EQ(items[0].bytes, 16'060'522'496);
  EXPECT_EQ(items[1].name, "kv_cache");
  EXPECT_EQ(items[1].formula,
            "2 x 32 layers x 8 KV heads x 128 head dimension x 2 bytes x 4,096 tokens x 1 request");
  EXPECT_EQ(items[1].bytes, 536'870'912);
  EXPECT_EQ(items[2].name, "margin");
  EXPECT_EQ(items[2].formula, "20 % of (16,060,522,496 + 536,870,912)");
  EXPECT_EQ(items[2].bytes, 3'319'478'682);
  EXPECT_EQ(items[3].name, "runtime");
  EXPECT_EQ(items[3].formula, "1 GiB x 1 GPU");
  EXPECT_EQ(items[3].bytes, kGiB);
}

TEST(Items, OnSeveralGpus) {
  const Items items = memory_items(model("meta-llama/Llama-3.1-8B"), run(16, 4096, 2), {}, 4);
  EXPECT_EQ(items[0].formula,
            "4 GPUs x 4,015,130,624 on each (8,030,261,248 parameters x 16 bits / 8 / 4)");
  EXPECT_EQ(items[1].formula,
            "4 GPUs x 268,435,456 on each (2 x 32 layers x 2 KV heads x 128 head dimension x 2 "
            "bytes x 4,096 tokens x 2 requests)");
  EXPECT_TRUE(items[1].assumption.ends_with(" Each GPU holds 2 of 8 KV heads."));
  EXPECT_EQ(items[2].formula,
            "4 GPUs x 856,713,216 on each (20 % of (4,015,130,624 + 268,435,456))");
  EXPECT_EQ(items[3].formula, "1 GiB x 4 GPUs");
}

TEST(Items, EachFormOfTheCache) {
  const auto cache = [](const char* name, const Workload& w) {
    return memory_items(model(name), w, {}, 1)[1].formula;
  };
  EXPECT_EQ(cache("google/gemma-3-27b-it", run(16, 131'072, 1)),
            "(2 x 10 full layers x 16 KV heads x 128 head dimension x 2 bytes x 131,072 tokens + 2 "
            "x 52 sliding layers x 16 KV heads x 128 head dimension x 2 bytes x 1,024 tokens) x 1 "
            "request");
  EXPECT_EQ(cache("deepseek-ai/DeepSeek-V3", run(8, 32'768, 8)),
            "61 layers x 576 latent numbers x 2 bytes x 32,768 tokens x 8 requests");
  EXPECT_EQ(cache("ai21labs/AI21-Jamba-Mini-1.5", run(16, 65'536, 2)),
            "(2 x 4 layers x 8 KV heads x 128 head dimension x 2 bytes x 65,536 tokens + 8,716,288 "
            "bytes of recurrent state) x 2 requests");
  EXPECT_EQ(cache("state-spaces/mamba-2.8b-hf", run(16, 8192, 4)),
            "12,451,840 bytes of recurrent state x 4 requests");
  EXPECT_EQ(cache("openai/whisper-large-v3", run(16, 448, 1)),
            "2 x 32 decoder layers x 20 KV heads x 64 head dimension x 2 bytes x (448 decoder + "
            "1,500 encoder) positions x 1 audio stream");
}

TEST(Items, OfAFineTuning) {
  const Items items = memory_items(model("meta-llama/Llama-3.1-8B"), finetune(4, 4096, 4), {}, 1);
  ASSERT_EQ(items.size(), 5U);
  EXPECT_EQ(items[0].formula, "8,030,261,248 parameters x 4.127 bits / 8");
  EXPECT_NE(items[0].assumption.find("Dettmers et al. 2023"), std::string::npos);
  EXPECT_EQ(items[1].name, "adapters");
  EXPECT_EQ(items[1].formula,
            "16 bytes x 32 layers x 16 x ((4,096 + 4,096) q + (4,096 + 1,024) k + (4,096 + 1,024) "
            "v + (4,096 + 4,096) o)");
  EXPECT_NE(items[1].assumption.find("13,631,488 trainable parameters"), std::string::npos);
  EXPECT_NE(items[1].assumption.find("ZeRO"), std::string::npos);
  EXPECT_EQ(items[2].name, "activations");
  EXPECT_EQ(items[2].formula,
            "4 bytes x 4,096 tokens x 4 batch x 4,096 hidden x 32 layers + max(4,096 tokens x 4 "
            "batch x (38 x 4,096 hidden + 8 x 14,336 feed-forward), 16 x 4,096 tokens x 4 batch x "
            "128,256 vocabulary)");
  EXPECT_NE(items[2].assumption.find("Korthikanti et al. 2022"), std::string::npos);
  EXPECT_NE(items[2].assumption.find("32 bits"), std::string::npos);
  const auto plain = memory_items(model("meta-llama/Llama-3.1-8B"), finetune(16, 4096, 4), {}, 1);
  EXPECT_EQ(plain[2].assumption.find("32 bits"), std::string::npos);
  EXPECT_NE(plain[0].assumption.find("Hu et al. 2021"), std::string::npos);
}

TEST(Items, AnAssumedFeedForwardWidthIsSaid) {
  Model m = model("meta-llama/Llama-3.1-8B");
  m.intermediate_size.reset();
  const Items items = memory_items(m, finetune(16, 2048, 1), {}, 1);
  EXPECT_NE(items[2].assumption.find("4 x hidden"), std::string::npos);
}

TEST(Items, TheUnquantizedPartIsSaidWhereThereIsOne) {
  const auto assumption = [](int bits) {
    return memory_items(model("meta-llama/Llama-3.1-8B"), run(bits, 4096, 1), {}, 1)[0].assumption;
  };
  EXPECT_EQ(assumption(16).find("16 bits takes"), std::string::npos);
  EXPECT_NE(assumption(8).find("at 16 bits takes 0.98 GiB more."), std::string::npos);
  EXPECT_NE(assumption(4).find("at 16 bits takes 1.47 GiB more."), std::string::npos);
}

// --- images and notebooks -----------------------------------------------------------------------

TEST(Items, EachNetworkOfAPipelineHasItsLineAndItsBits) {
  const test::Pipeline& p = test::pipeline("stable-diffusion-v1-5/stable-diffusion-v1-5");
  const Items items = memory_items(p.model, {Task::image, 4, 1, 1}, p.networks, 1);
  ASSERT_EQ(items.size(), 5U);
  EXPECT_EQ(items[0].name, "weights: denoiser");
  EXPECT_EQ(items[0].formula, "859,520,964 parameters x 4 bits / 8");
  EXPECT_EQ(items[0].assumption, "UNet2DConditionModel, 4 bits.");
  EXPECT_EQ(items[1].name, "weights: text_encoder");
  EXPECT_EQ(items[1].formula, "123,060,480 parameters x 16 bits / 8");
  EXPECT_NE(items[1].assumption.find("CLIPTextModel, 16 bits"), std::string::npos);
  EXPECT_EQ(items[2].name, "weights: vae");
  EXPECT_NE(items[3].assumption.find("one image at the model's native resolution"),
            std::string::npos);
}

TEST(Items, EveryPipelineSumsToItsNeed) {
  for (const test::Pipeline& p : test::pipelines()) {
    for (const int bits : {16, 8, 4}) {
      const Workload w{Task::image, bits, 1, 1};
      const auto need = model_need(p.model, w);
      const Items items = memory_items(p.model, w, p.networks, 1);
      EXPECT_EQ(items.size(), p.networks.size() + 2);
      if (need) {
        EXPECT_EQ(fault(items, *need, 1), "") << p.model.name << " at " << bits;
      }
    }
  }
}

// A user's own pipeline may have a row and no networks.
TEST(Items, APipelineWithoutNetworksSumsToItsNeed) {
  const Model& m = test::pipelines()[0].model;
  for (const int bits : {16, 8, 4}) EXPECT_EQ(fault(m, {Task::image, bits, 1, 1}), "") << bits;
}

TEST(Items, APipelineOfUnknownPartsHasNoNumber) {
  Model m = test::pipelines()[0].model;
  m.unquantized_params.reset();
  const Workload w{Task::image, 8, 1, 1};
  ASSERT_FALSE(model_need(m, w));
  EXPECT_FALSE(memory_items(m, w, {}, 1)[0].bytes);
  m = test::pipelines()[0].model;
  m.unquantized_params = *m.params + 1;
  ASSERT_FALSE(model_need(m, w));
  EXPECT_FALSE(memory_items(m, w, {}, 1)[0].bytes);
}

TEST(Items, AnUnknownNetworkIsNamed) {
  test::Pipeline p = test::pipelines()[0];
  p.networks[1].params.reset();
  const Items items = memory_items(p.model, {Task::image, 16, 1, 1}, p.networks, 1);
  EXPECT_EQ(items[1].formula, "unknown parameters x 16 bits / 8");
  EXPECT_FALSE(items[1].bytes);
  EXPECT_FALSE(items[3].bytes);
  EXPECT_NE(items[3].formula.find("unknown weights: text_encoder"), std::string::npos);
}

// The sums in gpu_models are what the need is made from: they must be those of the networks.
TEST(Items, RefuseNetworksThatAreNotThePipelines) {
  const auto refused = [](auto bend) {
    test::Pipeline p = test::pipelines()[0];
    bend(p);
    return error_of([&] { memory_items(p.model, {Task::image, 8, 1, 1}, p.networks, 1); });
  };
  const std::string_view name = test::pipelines()[0].model.name;
  EXPECT_FALSE(refused([](auto&) {}));
  expect_error(refused([](auto& p) { ++*p.networks[0].params; }), "22023", {name, "networks"},
               "gpu_model_networks");
  expect_error(refused([](auto& p) { p.networks[1].quantized = true; }), "22023", {name});
  expect_error(refused([](auto& p) { p.model.unquantized_params.reset(); }), "22023", {"unknown"});
}

TEST(Items, OfANotebookAreWhatWasStated) {
  const Workload w{Task::notebook, 16, 4096, 1};
  for (const double gib : {24.0, 0.5, 22.5, 79.625}) {
    EXPECT_EQ(fault(notebook_items(w, gib, 1), notebook_need(w, gib), 1), "");
  }
  EXPECT_EQ(notebook_items(w, 24, 1)[0].formula, "24 GiB as stated");
  EXPECT_EQ(notebook_items(w, 79.6, 1)[0].bytes, notebook_need(w, 79.6).memory);
  expect_error(error_of([&] { notebook_items(w, {}, 1); }), "22023", {"memory_gib"});
  expect_error(error_of([&] { notebook_items(w, 24, 2); }), "22023", {"one GPU"}, "gpus => 1");
  expect_error(error_of([&] { notebook_items(w, 24, 0); }), "22023", {"gpus", "0"});
}

// --- over the catalogue, and over any model -----------------------------------------------------

TEST(Items, EveryModelOfTheCatalogueAtEveryPrecision) {
  int checked = 0;
  for (const Model& m : test::models()) {
    for (const Task task : {Task::run, Task::finetune}) {
      if (task == Task::finetune && m.kind == Kind::speech) continue;
      for (const int bits : {16, 8, 4}) {
        for (const auto& [ctx, conc] : {std::pair{1, 1}, {2049, 3}, {131'072, 2}}) {
          const Workload w{task, bits, ctx, conc};
          const auto need = model_need(m, w);
          if (!need) {
            const Items items = memory_items(m, w, {}, 1);
            EXPECT_TRUE(std::any_of(items.begin(), items.end(), [](auto& i) { return !i.bytes; }))
                << m.name;
            continue;
          }
          for (const std::int64_t gpus : test::allowed_gpus(*need)) {
            if (gpus > 16) break;
            EXPECT_EQ(fault(m, w, gpus), "") << m.name << ", " << w << ", " << gpus << " GPUs";
            ++checked;
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 10'000);
}

RC_GTEST_PROP(Items, OfAnyModelSumToItsNeedAndFormulasComeToTheirBytes, ()) {
  const auto c = *test::any_case();
  const Need need = model_need(c.model, c.workload).value();
  const auto gpus = *rc::gen::elementOf(test::allowed_gpus(need));
  const std::string wrong = fault(c.model, c.workload, gpus);
  if (!wrong.empty()) RC_FAIL(wrong);
}

// A layer in which only some attention exists has adapters there alone; none of it, none.
TEST(Items, AdaptersOfAModelWithoutAttentionReadAsNone) {
  EXPECT_EQ(fault(model("state-spaces/mamba-2.8b-hf"), finetune(16, 2048, 1)), "");
}

TEST(Items, BeyondTheLastByteIsAnError) {
  Model m = model("meta-llama/Llama-3.1-8B");
  m.max_context.reset();
  const auto items = [&m](const Workload& w, std::int64_t gpus) {
    return error_of([&] { memory_items(m, w, {}, gpus); });
  };
  expect_error(items(run(16, 1LL << 62, 1), 1), "22003", {"too large"});
  expect_error(items(finetune(16, 1LL << 40, 1LL << 20), 1), "22003", {"too large"});
  m.params = INT64_MAX / 4;  // each GPU's share fits, all of them together do not
  m.attention_heads = 16'384;
  expect_error(items(run(16, 1LL << 40, 1), 16'384), "22003", {"too large"});
}

// --- numbers of GPUs ----------------------------------------------------------------------------

TEST(Items, RefuseGpusOverWhichTheWorkCannotBeSplit) {
  const auto refused = [](const char* name, const Workload& w, std::int64_t gpus) {
    return error_of([&] { memory_items(model(name), w, {}, gpus); });
  };
  const auto r = run(16, 1, 1);
  EXPECT_FALSE(refused("meta-llama/Llama-3.1-70B", r, 64));
  expect_error(refused("meta-llama/Llama-3.1-70B", r, 3), "22023",
               {"meta-llama/Llama-3.1-70B", "3 GPUs", "64 attention heads do not divide by 3"},
               "divide by");
  expect_error(refused("meta-llama/Llama-3.1-70B", r, 128), "22023", {"do not divide by 128"});
  expect_error(refused("meta-llama/Llama-3.1-70B", finetune(16, 1, 1), 2), "22023",
               {"a fine-tuning runs on one GPU"});
  expect_error(refused("openai/whisper-large-v3", r, 2), "22023",
               {"speech recognition runs on one GPU"});
  expect_error(refused("meta-llama/Llama-3.1-70B", r, 0), "22023", {"gpus", "not 0"}, "such as 1");
  expect_error(refused("meta-llama/Llama-3.1-70B", r, -4), "22023", {"gpus", "not -4"});
}

// --- missing figures ----------------------------------------------------------------------------

/// What a formula calls unknown: the word after it, in a list of columns all of them.
std::vector<std::string> unknown_in(const std::string& formula) {
  std::vector<std::string> named;
  const std::regex one("unknown ([a-z_]*)|, ([a-z_]+)(?=,|$)");
  for (std::sregex_iterator at(formula.begin(), formula.end(), one), end; at != end; ++at) {
    named.push_back((*at)[1].matched ? (*at)[1] : (*at)[2]);
  }
  return named;
}

bool is_missing(const Model& m, std::string_view name) {
  if (name == "parameters") return !m.params;
  if (name == "hidden") return !m.hidden_size;
  if (name == "vocabulary") return !m.vocab_size;
  for (const ModelColumn& column : kModelColumns) {
    if (name == column.name) return !(m.*column.figure);
  }
  return false;  // no column at all
}

// Items without bytes appear exactly where the need is not known, and name what is missing.
RC_GTEST_PROP(Items, MissingFiguresAreNamedNeverCounted, ()) {
  const auto c = *test::any_case();
  Model holes = c.model;
  for (const ModelColumn& column : kModelColumns) {
    if (*rc::gen::inRange(0, 8) == 0) (holes.*column.figure).reset();
  }
  const auto need = model_need(holes, c.workload);
  const Items items = memory_items(holes, c.workload, {}, 1);
  if (need) {
    const std::string wrong = fault(items, *need, 1);
    if (!wrong.empty()) RC_FAIL(wrong);
    return;
  }
  bool missing = false;
  for (const Item& item : items) {
    if (item.bytes) {
      RC_ASSERT(Formula::evaluate(item.formula) == *item.bytes);
      continue;
    }
    missing = true;
    RC_LOG() << item.name << ": " << item.formula << "\n";
    if (item.name == "adapters") {
      RC_ASSERT(item.formula == "unknown shapes of the attention projections");
    } else if (item.name != "margin") {
      const auto named = unknown_in(item.formula);
      RC_ASSERT(!named.empty());
      for (const std::string& name : named) RC_ASSERT(is_missing(holes, name));
    }
  }
  RC_ASSERT(missing);
  RC_ASSERT(!items[items.size() - 2].bytes.has_value());  // the margin
  RC_ASSERT(items.back().bytes == kGiB);
}

TEST(Items, SayWhichFigureIsUnknown) {
  Model m = model("meta-llama/Llama-3.1-8B");
  m.kv_heads.reset();
  Items items = memory_items(m, run(16, 4096, 1), {}, 1);
  EXPECT_EQ(items[1].formula, "unknown kv_heads");
  EXPECT_EQ(items[2].formula, "20 % of (16,060,522,496 + unknown kv_cache)");
  m.head_dim.reset();
  EXPECT_EQ(memory_items(m, run(16, 4096, 1), {}, 1)[1].formula, "unknown kv_heads, head_dim");
  m.params.reset();
  EXPECT_EQ(memory_items(m, run(16, 4096, 1), {}, 1)[0].formula,
            "unknown parameters x 16 bits / 8");
}

}  // namespace
}  // namespace gpu_advisor
