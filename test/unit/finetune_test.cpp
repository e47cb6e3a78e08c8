// LoRA and QLoRA: adapters and activations, by hand.
#include "core/finetune.hpp"

#include <gtest/gtest.h>

#include "generators.hpp"

namespace gpu_advisor {
namespace {

using test::finetune;
using test::model;

TEST(Finetune, AdaptersOfTheWorkedExample) {
  const auto adapters = lora_adapters(model("meta-llama/Llama-3.1-8B")).value();
  EXPECT_EQ(adapters.groups[0].trainable_per_layer(), 425'984);
  EXPECT_EQ(adapters.trainable(), 13'631'488);
  EXPECT_EQ(adapters.bytes(), 218'103'808);
}

TEST(Finetune, AdaptersOfLatentAttention) {
  const Model& deepseek = model("deepseek-ai/DeepSeek-V3");
  const std::int64_t q = (7168 + 1536) + (1536 + 128 * (128 + 64));
  const std::int64_t kv = (7168 + 512 + 64) + (512 + 128 * (128 + 128));
  const std::int64_t o = 128 * 128 + 7168;
  EXPECT_EQ(lora_adapters(deepseek).value().trainable(), 61 * 16 * (q + kv + o));

  const Model& lite = model("deepseek-ai/DeepSeek-V2-Lite");  // no query compression
  ASSERT_EQ(lite.q_lora_rank, 0);
  EXPECT_EQ(lora_adapters(lite).value().bytes(), 113'688'576);
}

TEST(Finetune, AdaptersOfAHybridAreOnItsAttentionLayers) {
  const Model& jamba = model("ai21labs/AI21-Jamba-Mini-1.5");  // 4 of 32 layers
  const std::int64_t layer = 2 * (4096 + 32 * 128) + 2 * (4096 + 8 * 128);
  EXPECT_EQ(lora_adapters(jamba).value().trainable(), 4 * 16 * layer);
}

TEST(Finetune, SlidingLayersHaveShapesOfTheirOwn) {
  const Model& gemma = model("google/gemma-4-31B-it");
  const std::int64_t full = 2 * (5376 + 32 * 512) + 2 * (5376 + 4 * 512);
  const std::int64_t sliding = 2 * (5376 + 32 * 256) + 2 * (5376 + 16 * 256);
  EXPECT_EQ(lora_adapters(gemma).value().trainable(), 16 * (10 * full + 50 * sliding));
}

TEST(Finetune, AdaptersAreEmptyWhereAShapeIsMissing) {
  const auto missing = [](const char* name, Figure Model::*figure) {
    Model m = model(name);
    EXPECT_TRUE(lora_adapters(m)) << name;
    (m.*figure).reset();
    return !lora_adapters(m);
  };
  for (const auto figure : {&Model::layers, &Model::hidden_size, &Model::attention_heads,
                            &Model::kv_heads, &Model::head_dim}) {
    EXPECT_TRUE(missing("meta-llama/Llama-3.1-8B", figure));
  }
  for (const auto figure :
       {&Model::layers, &Model::hidden_size, &Model::attention_heads, &Model::q_lora_rank,
        &Model::qk_nope_head_dim, &Model::qk_rope_head_dim, &Model::v_head_dim}) {
    EXPECT_TRUE(missing("deepseek-ai/DeepSeek-V3", figure));
  }
  EXPECT_FALSE(missing("deepseek-ai/DeepSeek-V3", &Model::kv_heads));
  EXPECT_FALSE(missing("deepseek-ai/DeepSeek-V3", &Model::head_dim));
}

// Which layers have the shapes of a sliding layer is then not known either.
TEST(Finetune, AdaptersAreEmptyWhereTheSlidingLayersAreMissing) {
  Model m = model("google/gemma-4-31B-it");
  m.sliding_layers.reset();
  ASSERT_TRUE(m.sliding_window);
  EXPECT_FALSE(lora_adapters(m));
}

TEST(Finetune, LayersThatReadAnothersCacheHaveUnknownShapes) {
  Model m = model("meta-llama/Llama-3.1-8B");
  m.kv_layers = 20;  // and no recurrent state
  EXPECT_FALSE(lora_adapters(m));
  m.kv_layers = 32;
  EXPECT_TRUE(lora_adapters(m));
}

TEST(Finetune, ActivationsOfAShortSequenceAreTheLosss) {
  const auto a = activations(model("meta-llama/Llama-3.1-8B"), finetune(16, 2048, 1)).value();
  EXPECT_EQ(a.layer_inputs(), 2LL * 2048 * 4096 * 32);
  EXPECT_EQ(a.layer_working_set(), 2048LL * (38 * 4096 + 8 * 14'336));
  EXPECT_EQ(a.loss_working_set(), 16LL * 2048 * 128'256);
  EXPECT_EQ(a.bytes(), 4'739'563'520);
  EXPECT_EQ(a.bytes(), a.layer_inputs() + a.loss_working_set());
}

TEST(Finetune, ActivationsOfAWideFeedForwardAreTheLayers) {
  Model m = model("meta-llama/Llama-3.1-8B");
  m.intermediate_size = 1'000'000;
  const auto a = activations(m, finetune(16, 2048, 3)).value();
  EXPECT_EQ(a.bytes(), 2LL * 2048 * 3 * 4096 * 32 + 2048LL * 3 * (38 * 4096 + 8'000'000));
}

TEST(Finetune, AQuantizedBaseKeepsTheResidualStreamIn32Bits) {
  const Model& llama = model("meta-llama/Llama-3.1-8B");
  EXPECT_EQ(activations(llama, finetune(16, 1, 1))->bytes_per_number, 2);
  EXPECT_EQ(activations(llama, finetune(8, 1, 1))->bytes_per_number, 4);
  EXPECT_EQ(activations(llama, finetune(4, 1, 1))->bytes_per_number, 4);
}

TEST(Finetune, TheFeedForwardWidthIsTheLargerOfDenseAndExperts) {
  Model m = model("deepseek-ai/DeepSeek-V3");  // dense 18,432, 8 experts of 2,048
  EXPECT_EQ(activations(m, finetune(16, 1, 1))->intermediate, 18'432);
  m.experts_per_token = 10;
  EXPECT_EQ(activations(m, finetune(16, 1, 1))->intermediate, 20'480);
  m.intermediate_size.reset();
  EXPECT_EQ(activations(m, finetune(16, 1, 1))->intermediate, 20'480);
  EXPECT_FALSE(activations(m, finetune(16, 1, 1))->intermediate_assumed);
  m.expert_intermediate_size.reset();
  EXPECT_EQ(activations(m, finetune(16, 1, 1))->intermediate, 4 * 7168) << "4 x hidden";
  EXPECT_TRUE(activations(m, finetune(16, 1, 1))->intermediate_assumed);
}

TEST(Finetune, ActivationsAreEmptyWhereAFigureIsMissing) {
  for (const auto figure : {&Model::hidden_size, &Model::layers, &Model::vocab_size}) {
    Model m = model("meta-llama/Llama-3.1-8B");
    (m.*figure).reset();
    EXPECT_FALSE(activations(m, finetune(16, 2048, 1)));
  }
}

RC_GTEST_PROP(Finetune, ActivationsGrowWithSequenceAndBatch, ()) {
  const auto c = *test::finetune_case();
  Workload more = c.workload;
  more.ctx += *rc::gen::inRange<std::int64_t>(0, 100'000);
  more.conc += *rc::gen::inRange<std::int64_t>(0, 100);
  RC_ASSERT(activations(c.model, c.workload)->bytes() <= activations(c.model, more)->bytes());
}

}  // namespace
}  // namespace gpu_advisor
