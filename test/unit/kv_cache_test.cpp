// The KV cache in each of its forms, by hand.
#include "core/kv_cache.hpp"

#include <gtest/gtest.h>

#include "errors.hpp"
#include "generators.hpp"

namespace gpu_advisor {
namespace {

using test::error_of;
using test::expect_error;
using test::model;
using test::run;

Bytes on_each(const Model& m, const Workload& w, std::int64_t gpus) {
  return kv_cache(m, w).value().bytes_on_each(gpus);
}

TEST(KvCache, OrdinaryModel) {
  const Model& llama = model("meta-llama/Llama-3.1-8B");
  EXPECT_EQ(on_each(llama, run(16, 4096, 1), 1), 2LL * 32 * 8 * 128 * 2 * 4096);
  EXPECT_EQ(on_each(llama, run(16, 4096, 3), 1), 3 * 536'870'912LL);
  EXPECT_EQ(on_each(llama, run(16, 4096, 1), 1), 536'870'912);
  EXPECT_EQ(to_gib(on_each(llama, run(16, 128'000, 1), 1)), 15.625);
}

TEST(KvCache, IsAt16BitsWhateverTheWeightsAre) {
  const Model& llama = model("meta-llama/Llama-3.1-8B");
  EXPECT_EQ(on_each(llama, run(4, 4096, 1), 1), on_each(llama, run(16, 4096, 1), 1));
}

TEST(KvCache, SlidingLayersKeepTheirWindow) {
  const Model& gemma = model("google/gemma-3-27b-it");  // 52 of 62 layers, 1,024 tokens
  const Bytes token = 2LL * 16 * 128 * 2;               // of a layer
  EXPECT_EQ(on_each(gemma, run(16, 131'072, 1), 1), token * (10 * 131'072 + 52 * 1024));
  EXPECT_EQ(on_each(gemma, run(16, 1024, 2), 1), token * 62 * 1024 * 2);
  EXPECT_EQ(on_each(gemma, run(16, 1000, 1), 1), token * 62 * 1000);
  EXPECT_EQ(on_each(gemma, run(16, 1025, 1), 1), token * (10 * 1025 + 52 * 1024));
}

TEST(KvCache, SlidingLayersMayHaveHeadsOfTheirOwn) {
  const Model& gemma = model("google/gemma-4-31B-it");  // 4 heads of 512, sliding 16 of 256
  EXPECT_EQ(on_each(gemma, run(16, 262'144, 1), 1),
            2LL * 10 * 4 * 512 * 2 * 262'144 + 2LL * 50 * 16 * 256 * 2 * 1024);
  // 8 GPUs: the 4 heads of the full layers are repeated, the 16 of the others dealt out.
  EXPECT_EQ(on_each(gemma, run(16, 262'144, 1), 8),
            2LL * 10 * 1 * 512 * 2 * 262'144 + 2LL * 50 * 2 * 256 * 2 * 1024);
}

TEST(KvCache, LatentAttentionIsHeldWholeByEachGpu) {
  const Model& deepseek = model("deepseek-ai/DeepSeek-V3");  // 512 + 64 numbers a token
  const Bytes whole = 61LL * (512 + 64) * 2 * 32'768 * 8;
  EXPECT_EQ(on_each(deepseek, run(8, 32'768, 8), 1), whole);
  EXPECT_EQ(on_each(deepseek, run(8, 32'768, 8), 8), whole);
}

TEST(KvCache, OnlySomeLayersOfAHybridKeepOne) {
  const Model& jamba = model("ai21labs/AI21-Jamba-Mini-1.5");  // 4 of 32 layers
  EXPECT_EQ(on_each(jamba, run(16, 65'536, 2), 1),
            (2LL * 4 * 8 * 128 * 2 * 65'536 + 8'716'288) * 2);
  EXPECT_EQ(on_each(jamba, run(16, 65'536, 2), 4),  // the state whole on each GPU
            (2LL * 4 * 2 * 128 * 2 * 65'536 + 8'716'288) * 2);
}

TEST(KvCache, AModelWithoutAttentionKeepsItsStateAlone) {
  const Model& mamba = model("state-spaces/mamba-2.8b-hf");
  EXPECT_EQ(on_each(mamba, run(16, 1, 4), 1), 4 * 12'451'840LL);
  EXPECT_EQ(on_each(mamba, run(16, 1'000'000, 4), 1), 4 * 12'451'840LL);
}

TEST(KvCache, SpeechKeepsTheDecodersWindow) {
  const Model& whisper = model("openai/whisper-large-v3");
  const Bytes stream = 2LL * 32 * 20 * 64 * 2 * (448 + 1500);
  EXPECT_EQ(on_each(whisper, run(16, 448, 1), 1), stream);
  EXPECT_EQ(on_each(whisper, run(16, 448, 16), 1), 16 * stream);
  EXPECT_EQ(on_each(whisper, run(16, 1, 1), 1), stream) << "ctx is not used";
}

TEST(KvCache, KeysAndValuesMayDifferInWidth) {
  Model m = model("meta-llama/Llama-3.1-8B");
  m.v_head_dim = 64;
  EXPECT_EQ(on_each(m, run(16, 4096, 1), 1), 32LL * 8 * (128 + 64) * 2 * 4096);
}

TEST(KvCache, GpusHoldWholeHeads) {
  const Model& qwen = model("Qwen/Qwen2.5-7B");  // 28 attention heads, 4 KV heads
  const Bytes head = on_each(qwen, run(16, 32'768, 16), 1) / 4;
  EXPECT_EQ(on_each(qwen, run(16, 32'768, 16), 2), 2 * head);
  EXPECT_EQ(on_each(qwen, run(16, 32'768, 16), 3), 2 * head);
  EXPECT_EQ(on_each(qwen, run(16, 32'768, 16), 4), head);
  EXPECT_EQ(on_each(qwen, run(16, 32'768, 16), 7), head) << "heads are repeated, not split";
}

TEST(KvCache, RefusesMoreSlidingLayersThanThereAre) {
  Model m = model("google/gemma-3-27b-it");
  m.sliding_layers = 63;
  expect_error(error_of([&] { kv_cache(m, run(16, 1, 1)); }), "22023",
               {"google/gemma-3-27b-it", "63", "62"}, "sliding_layers");
}

TEST(KvCache, IsEmptyWhereAFigureIsMissing) {
  const auto missing = [](const char* name, Figure Model::*figure) {
    Model m = model(name);
    EXPECT_TRUE(kv_cache(m, run(16, 4096, 1))) << name;
    (m.*figure).reset();
    return !kv_cache(m, run(16, 4096, 1));
  };
  EXPECT_TRUE(missing("meta-llama/Llama-3.1-8B", &Model::layers));
  EXPECT_TRUE(missing("meta-llama/Llama-3.1-8B", &Model::kv_heads));
  EXPECT_TRUE(missing("meta-llama/Llama-3.1-8B", &Model::head_dim));
  EXPECT_TRUE(missing("google/gemma-3-27b-it", &Model::sliding_layers));
  EXPECT_TRUE(missing("google/gemma-3-27b-it", &Model::sliding_window));
  EXPECT_TRUE(missing("openai/whisper-large-v3", &Model::decoder_layers));
  EXPECT_TRUE(missing("openai/whisper-large-v3", &Model::decoder_heads));
  EXPECT_TRUE(missing("openai/whisper-large-v3", &Model::head_dim));
  EXPECT_TRUE(missing("openai/whisper-large-v3", &Model::max_target_positions));
  EXPECT_TRUE(missing("openai/whisper-large-v3", &Model::max_source_positions));
  // What the form does not use may be missing.
  EXPECT_FALSE(missing("deepseek-ai/DeepSeek-V3", &Model::kv_heads));
  EXPECT_FALSE(missing("deepseek-ai/DeepSeek-V3", &Model::head_dim));
  EXPECT_FALSE(missing("ai21labs/AI21-Jamba-Mini-1.5", &Model::layers));
  EXPECT_FALSE(missing("meta-llama/Llama-3.1-8B", &Model::attention_heads));
}

RC_GTEST_PROP(KvCache, GrowsWithTokensAndRequests, ()) {
  const auto c = *test::run_case();
  Workload more = c.workload;
  more.ctx += *rc::gen::inRange<std::int64_t>(0, 100'000);
  more.conc += *rc::gen::inRange<std::int64_t>(0, 100);
  RC_ASSERT(on_each(c.model, c.workload, 1) <= on_each(c.model, more, 1));
}

RC_GTEST_PROP(KvCache, AWideWindowIsNone, ()) {
  auto sliding = *test::sliding_model();
  sliding.sliding_kv_heads.reset();
  sliding.sliding_head_dim.reset();
  auto w = *test::workload(Task::run);
  sliding.sliding_window = w.ctx;
  Model ordinary = sliding;
  ordinary.sliding_layers.reset();
  ordinary.sliding_window.reset();
  RC_ASSERT(on_each(sliding, w, 1) == on_each(ordinary, w, 1));
}

RC_GTEST_PROP(KvCache, MoreGpusNeverHoldLessTogetherNorMoreEach, ()) {
  const auto c = *test::run_case();
  const auto gpus = *rc::gen::inRange<std::int64_t>(1, 200);
  const Bytes alone = on_each(c.model, c.workload, 1);
  const Bytes share = on_each(c.model, c.workload, gpus);
  RC_ASSERT(share <= alone);
  RC_ASSERT(mul(share, gpus) >= alone);
  RC_ASSERT(on_each(c.model, c.workload, gpus + 1) <= share);
}

}  // namespace
}  // namespace gpu_advisor
