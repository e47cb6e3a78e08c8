// The parameters of every catalogue row whose architecture has a count, from its figures.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "config_catalogue.hpp"

namespace gpu_advisor {
namespace {

using nlohmann::json;
using test::Row;

/// What the catalogue's row does not say, for the models whose name begins so: the
/// architecture, and the switches that its published files set. The first match holds.
struct Family {
  const char* prefix;
  const char* keys;
};

constexpr const char* kLlama = R"({"model_type": "llama"})";
constexpr const char* kLlamaBiased =
    R"({"model_type": "llama", "attention_bias": true, "mlp_bias": true})";
constexpr const char* kMistral = R"({"model_type": "mistral"})";
constexpr const char* kQwen2 = R"({"model_type": "qwen2"})";
constexpr const char* kQwen3 = R"({"model_type": "qwen3"})";
constexpr const char* kQwen3Moe = R"({"model_type": "qwen3_moe"})";
constexpr const char* kDeepSeekV2 =
    R"({"model_type": "deepseek_v2", "first_k_dense_replace": 1, "n_shared_experts": 2,
        "topk_method": "greedy"})";
constexpr const char* kDeepSeekV3 =
    R"({"model_type": "deepseek_v3", "first_k_dense_replace": 3, "n_shared_experts": 1,
        "topk_method": "noaux_tc"})";
constexpr const char* kIndexer =
    R"({"model_type": "deepseek_v32", "first_k_dense_replace": 3, "n_shared_experts": 1,
        "topk_method": "noaux_tc", "index_head_dim": 128, "index_n_heads": 64})";
constexpr const char* kKimi =
    R"({"model_type": "kimi_k2", "first_k_dense_replace": 1, "n_shared_experts": 1,
        "topk_method": "noaux_tc"})";
constexpr const char* kGlm4Moe =
    R"({"model_type": "glm4_moe", "attention_bias": true, "n_shared_experts": 1,
        "first_k_dense_replace": 3, "use_qk_norm": true})";
constexpr const char* kGlm5 =
    R"({"model_type": "glm_moe_dsa", "first_k_dense_replace": 3, "n_shared_experts": 1,
        "index_head_dim": 128, "index_n_heads": 32})";
constexpr const char* kGpt2 = R"({"model_type": "gpt2", "n_positions": 1024})";
constexpr const char* kBigCode =
    R"({"model_type": "gpt_bigcode", "multi_query": true, "n_positions": 8192})";
constexpr const char* kNeoX = R"({"model_type": "gpt_neox"})";
constexpr const char* kOpt = R"({"model_type": "opt"})";
constexpr const char* kBloom = R"({"model_type": "bloom"})";
constexpr const char* kFalcon =
    R"({"model_type": "falcon", "multi_query": true, "new_decoder_architecture": false})";
constexpr const char* kFalconNew =
    R"({"model_type": "falcon", "multi_query": true, "new_decoder_architecture": true})";
constexpr const char* kStableLm = R"({"model_type": "stablelm"})";
constexpr const char* kMamba =
    R"({"model_type": "mamba", "state_size": 16, "conv_kernel": 4, "expand": 2)";
constexpr const char* kJamba =
    R"({"model_type": "jamba", "attn_layer_period": 8, "attn_layer_offset": 4,
        "expert_layer_period": 2, "expert_layer_offset": 1, "mamba_d_state": 16,
        "mamba_d_conv": 4, "mamba_expand": 2)";
constexpr const char* kQwen3Next =
    R"({"model_type": "qwen3_next", "full_attention_interval": 4, "linear_conv_kernel_dim": 4,
        "linear_key_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 32,
        "linear_value_head_dim": 128, "shared_expert_intermediate_size": 512})";
constexpr const char* kNemotronNano =
    R"({"model_type": "nemotron_h", "mamba_num_heads": 64, "mamba_head_dim": 64, "n_groups": 8,
        "ssm_state_size": 128, "conv_kernel": 4, "n_shared_experts": 1,
        "moe_shared_expert_intermediate_size": 3712, "hybrid_override_pattern":
        "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"})";

const Family kFamilies[] = {
    {"meta-llama/Llama-4", nullptr},
    {"meta-llama/", kLlama},
    {"codellama/", kLlama},
    {"TinyLlama/", kLlama},
    {"openlm-research/", kLlama},
    {"NousResearch/", kLlama},
    {"01-ai/", kLlama},
    {"upstage/", kLlama},
    {"Infinigence/", kLlama},
    {"BSC-LT/", kLlama},
    {"HuggingFaceTB/SmolLM3", R"({"model_type": "smollm3"})"},
    {"HuggingFaceTB/", kLlama},
    {"tiiuae/Falcon3", kLlama},
    {"nvidia/Llama-3.1-Nemotron-70B", kLlama},
    {"deepseek-ai/deepseek-llm", kLlama},
    {"deepseek-ai/deepseek-math", kLlama},
    {"deepseek-ai/deepseek-coder", kLlama},
    {"deepseek-ai/DeepSeek-R1-Distill-Llama", kLlama},
    {"ibm-granite/granite-8b-code", kLlamaBiased},
    {"ibm-granite/granite-3b-code", kLlamaBiased},
    {"ibm-granite/granite-4.0-h", nullptr},
    {"ibm-granite/granite-4.0-350m", R"({"model_type": "granite"})"},
    {"ibm-granite/", R"({"model_type": "granite"})"},
    {"mistralai/Mixtral", R"({"model_type": "mixtral"})"},
    {"mistralai/Devstral-2", R"({"model_type": "ministral3"})"},
    {"mistralai/Devstral-Small-2", nullptr},
    {"mistralai/Ministral-3-", nullptr},
    {"mistralai/Mistral-Small-", nullptr},
    {"mistralai/", kMistral},
    {"nvidia/Mistral-NeMo-Minitron", kMistral},
    {"nvidia/Nemotron-Mini", R"({"model_type": "nemotron"})"},
    {"nvidia/NVIDIA-Nemotron-3-Nano", kNemotronNano},
    {"nvidia/NVIDIA-Nemotron-3.5-Lightning", kNemotronNano},
    {"nvidia/Nemotron-Cascade-2", kNemotronNano},
    {"Qwen/Qwen-", R"({"model_type": "qwen"})"},
    {"Qwen/Qwen1.5-MoE", R"({"model_type": "qwen2_moe", "shared_expert_intermediate_size": 5632})"},
    {"Qwen/Qwen2-57B", R"({"model_type": "qwen2_moe", "shared_expert_intermediate_size": 20480})"},
    {"Qwen/Qwen2-VL", nullptr},
    {"Qwen/Qwen2.5-VL", nullptr},
    {"Qwen/Qwen1.5", kQwen2},
    {"Qwen/Qwen2", kQwen2},
    {"Qwen/QwQ", kQwen2},
    {"deepseek-ai/DeepSeek-R1-Distill-Qwen", kQwen2},
    {"Qwen/Qwen3-VL", nullptr},
    {"Qwen/Qwen3-Next", kQwen3Next},
    {"Qwen/Qwen3-Coder-Next", kQwen3Next},
    {"Qwen/Qwen3-30B", kQwen3Moe},
    {"Qwen/Qwen3-235B", kQwen3Moe},
    {"Qwen/Qwen3-Coder", kQwen3Moe},
    {"Qwen/Qwen3-", kQwen3},
    {"deepseek-ai/DeepSeek-R1-0528-Qwen3", kQwen3},
    {"google/gemma-2b", R"({"model_type": "gemma"})"},
    {"google/gemma-7b", R"({"model_type": "gemma"})"},
    {"google/codegemma", R"({"model_type": "gemma"})"},
    {"google/gemma-2-", R"({"model_type": "gemma2"})"},
    {"google/gemma-3-1b", R"({"model_type": "gemma3_text"})"},
    {"microsoft/phi-1_5", R"({"model_type": "phi"})"},
    {"microsoft/phi-2", R"({"model_type": "phi"})"},
    {"microsoft/Phi-3.5-MoE",
     R"({"model_type": "phimoe", "attention_bias": true, "lm_head_bias": true})"},
    {"microsoft/Phi-mini-MoE",
     R"({"model_type": "phimoe", "attention_bias": true, "lm_head_bias": true})"},
    {"microsoft/", R"({"model_type": "phi3"})"},
    {"deepseek-ai/deepseek-moe",
     R"({"model_type": "deepseek", "first_k_dense_replace": 1, "n_shared_experts": 2})"},
    {"deepseek-ai/DeepSeek-V2-Lite", kDeepSeekV2},
    {"deepseek-ai/DeepSeek-Coder-V2-Lite", kDeepSeekV2},
    {"deepseek-ai/DeepSeek-V2", kDeepSeekV2},
    {"deepseek-ai/DeepSeek-Coder-V2", kDeepSeekV2},
    {"deepseek-ai/DeepSeek-V3.2", kIndexer},
    {"deepseek-ai/DeepSeek-V4", nullptr},
    {"deepseek-ai/", kDeepSeekV3},
    {"moonshotai/Kimi-Linear", nullptr},
    {"moonshotai/Kimi-K3", nullptr},
    {"moonshotai/Kimi-K2", kKimi},
    {"moonshotai/Moonlight",
     R"({"model_type": "deepseek_v3", "first_k_dense_replace": 1, "n_shared_experts": 2,
         "topk_method": "noaux_tc"})"},
    {"openai/gpt-oss", R"({"model_type": "gpt_oss"})"},
    {"tiiuae/falcon-7b", kFalcon},
    {"tiiuae/falcon-mamba", R"({"model_type": "falcon_mamba", "state_size": 16,
         "conv_kernel": 4, "expand": 2, "time_step_rank": 256})"},
    {"tiiuae/falcon-", kFalconNew},
    {"allenai/OLMoE", R"({"model_type": "olmoe"})"},
    {"allenai/OLMo-2", R"({"model_type": "olmo2"})"},
    {"allenai/OLMo-", R"({"model_type": "olmo"})"},
    {"allenai/Olmo-3", R"({"model_type": "olmo3"})"},
    {"EleutherAI/gpt-j", R"({"model_type": "gptj"})"},
    {"EleutherAI/", kNeoX},
    {"openai-community/", kGpt2},
    {"facebook/opt-350m",
     R"({"model_type": "opt", "do_layer_norm_before": false, "word_embed_proj_dim": 512})"},
    {"facebook/opt", kOpt},
    {"bigscience/", kBloom},
    {"mosaicml/", R"({"model_type": "mpt"})"},
    {"databricks/", R"({"model_type": "dbrx"})"},
    {"internlm/internlm2", R"({"model_type": "internlm2"})"},
    {"internlm/internlm3", R"({"model_type": "internlm3"})"},
    {"internlm/", R"({"model_type": "internlm"})"},
    {"zai-org/GLM-4-9B-0414", R"({"model_type": "glm4", "attention_bias": true})"},
    {"zai-org/glm-4-9b-chat-hf", R"({"model_type": "glm", "attention_bias": true})"},
    {"zai-org/chatglm3", R"({"model_type": "chatglm", "add_qkv_bias": true})"},
    {"zai-org/GLM-4.5-Air",
     R"({"model_type": "glm4_moe", "attention_bias": true, "n_shared_experts": 1,
         "first_k_dense_replace": 1, "use_qk_norm": false})"},
    {"zai-org/GLM-4.7-Flash",
     R"({"model_type": "glm4_moe_lite", "n_shared_experts": 1, "first_k_dense_replace": 1})"},
    {"zai-org/GLM-4", kGlm4Moe},
    {"zai-org/GLM-5", kGlm5},
    {"bigcode/starcoder2", R"({"model_type": "starcoder2"})"},
    {"WizardLMTeam/", kBigCode},
    {"bigcode/starcoder", kBigCode},
    {"stabilityai/stablelm-2", R"({"model_type": "stablelm", "use_qkv_bias": true})"},
    {"stabilityai/", kStableLm},
    {"CohereLabs/c4ai-command-r7b", R"({"model_type": "cohere2"})"},
    {"CohereLabs/", R"({"model_type": "cohere"})"},
    {"OrionStarAI/", R"({"model_type": "orion"})"},
    {"baichuan-inc/", R"({"model_type": "baichuan"})"},
    {"ai21labs/", kJamba},
    {"state-spaces/", kMamba},
    {"MiniMaxAI/MiniMax-M2", R"({"model_type": "minimax_m2", "use_qk_norm": true})"},
    {"XiaomiMiMo/MiMo-7B", R"({"model_type": "mimo"})"},
    {"LGAI-EXAONE/", R"({"model_type": "exaone4"})"},
    {"ByteDance-Seed/", R"({"model_type": "seed_oss"})"},
    {"rednote-hilab/", R"({"model_type": "dots1", "first_k_dense_replace": 1,
         "n_shared_experts": 2})"},
};

const char* keys_of(const std::string& name) {
  for (const Family& family : kFamilies) {
    if (name.starts_with(family.prefix)) return family.keys;
  }
  return nullptr;
}

/// kMamba and kJamba lack one key, which depends on the hidden size.
std::string completed(const std::string& keys, const Model& model) {
  if (keys.ends_with('}')) return keys;
  const std::int64_t rank = (*model.hidden_size + 15) / 16;
  return keys + R"(, "time_step_rank": )" + std::to_string(rank) + R"(, "mamba_dt_rank": )" +
         std::to_string(rank) + "}";
}

/// The row's figures under the names that config.json has for them.
std::string config_of(const Row& row, const Model& model, const char* keys) {
  static const std::pair<const char*, Figure Model::*> kNames[] = {
      {"num_hidden_layers", &Model::layers},
      {"num_attention_heads", &Model::attention_heads},
      {"num_key_value_heads", &Model::kv_heads},
      {"head_dim", &Model::head_dim},
      {"hidden_size", &Model::hidden_size},
      {"intermediate_size", &Model::intermediate_size},
      {"vocab_size", &Model::vocab_size},
      {"max_position_embeddings", &Model::max_context},
      {"num_experts", &Model::experts},
      {"num_experts_per_tok", &Model::experts_per_token},
      {"moe_intermediate_size", &Model::expert_intermediate_size},
      {"qk_nope_head_dim", &Model::qk_nope_head_dim},
      {"qk_rope_head_dim", &Model::qk_rope_head_dim},
      {"v_head_dim", &Model::v_head_dim},
  };
  json config = json::parse(completed(keys, model));
  for (const auto& [name, figure] : kNames) {
    if (model.*figure) config[name] = *(model.*figure);
  }
  // A Qwen of the first generation writes the sum of both halves of its gate.
  if (config["model_type"] == "qwen") config["intermediate_size"] = *model.intermediate_size * 2;
  if (model.kv_latent_dim) {
    config["kv_lora_rank"] = *model.kv_latent_dim - *model.qk_rope_head_dim;
    config["q_lora_rank"] = *model.q_lora_rank == 0 ? json() : json(*model.q_lora_rank);
  }
  config["sliding_window"] = nullptr;
  config["tie_word_embeddings"] = row.at("tie_word_embeddings") == "true";
  return config.dump();
}

TEST(ConfigCount, EveryCatalogueRowOfAKnownArchitecture) {
  int counted = 0;
  for (const Row& row : test::catalogue()) {
    const std::string& name = row.at("hf_id");
    const char* keys = keys_of(name);
    const Model expected = test::expected_model(row);
    if (keys == nullptr || !expected.params) continue;
    SCOPED_TRACE(name);
    const std::string config = config_of(row, expected, keys);
    try {
      const Figure params = model_from_config({name, config, {}, {}}).model.params;
      EXPECT_EQ(test::shown(params), test::shown(expected.params))
          << (params ? *params - *expected.params : 0);
      ++counted;
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(counted, 300);
  RecordProperty("counted", counted);
}

}  // namespace
}  // namespace gpu_advisor
