// The config reader: spellings, windows, hybrids, experts, params and the errors' sentences.
#include "core/config.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "config_helpers.hpp"

namespace gpu_advisor {
namespace {

using nlohmann::json;
using test::error_of;
using test::llama;
using test::notes_of;
using test::read;
using test::with;
using test::without;

// --- spellings ---------------------------------------------------------------------------

TEST(Config, LlamaIsCountedAndNamed) {
  const ConfigModel result = read(llama());
  EXPECT_EQ(result.model.name, "my/model");
  EXPECT_EQ(result.model.kind, Kind::language);
  EXPECT_EQ(result.model.params, 8030261248);
  EXPECT_EQ(result.model.unquantized_params, std::int64_t{2} * 128256 * 4096);
  EXPECT_TRUE(result.notes.empty()) << notes_of(result);
}

TEST(Config, HeadDimGivenNullOrAbsent) {
  EXPECT_EQ(read(llama()).model.head_dim, 128);
  EXPECT_EQ(read(with(llama(), {{"head_dim", nullptr}})).model.head_dim, 128);
  EXPECT_EQ(read(with(llama(), {{"head_dim", 160}})).model.head_dim, 160);
  EXPECT_EQ(read(with(llama(), {{"head_dim", 160.0}})).model.head_dim, 160);
}

TEST(Config, KvHeadsAbsentMeansAllWhereThatIsCertain) {
  EXPECT_EQ(read(without(llama(), "num_key_value_heads")).model.kv_heads, 32);
  EXPECT_EQ(error_of(without(with(llama(), {{"model_type", "mistral"}}), "num_key_value_heads")),
            "config.json: num_key_value_heads is missing, and what that means is not known for "
            "model_type \"mistral\"");
}

TEST(Config, FalconsThreeRules) {
  const json falcon = {{"model_type", "falcon"},
                       {"n_layer", 32},
                       {"n_head", 71},
                       {"hidden_size", 4544},
                       {"vocab_size", 65024}};
  const json one = with(falcon, {{"multi_query", true}, {"num_kv_heads", 71}});
  EXPECT_EQ(read(one).model.kv_heads, 1);
  EXPECT_EQ(read(one).model.params, 6921720704);
  EXPECT_EQ(read(with(falcon, {{"multi_query", false}})).model.kv_heads, 71);
  EXPECT_EQ(read(with(falcon, {{"n_head_kv", 8}})).model.kv_heads, 8);
  EXPECT_EQ(
      read(with(one, {{"new_decoder_architecture", true}, {"num_kv_heads", 8}})).model.kv_heads, 8);
  EXPECT_NE(error_of(falcon).find("multi_query is missing"), std::string::npos);
}

TEST(Config, SpellingsOfOlderModels) {
  const Model bloom = read(json{{"model_type", "bloom"},
                                {"n_layer", 24},
                                {"num_attention_heads", 16},
                                {"n_embed", 1024},
                                {"vocab_size", 250880}})
                          .model;
  EXPECT_EQ(bloom.params, 559214592);
  EXPECT_EQ(bloom.intermediate_size, 4096);
  EXPECT_EQ(bloom.max_context, std::nullopt);  // ALiBi: there is no limit in the file
  const Model neox = read(json{{"model_type", "gpt_neox"},
                               {"num_hidden_layers", 6},
                               {"num_attention_heads", 8},
                               {"hidden_size", 512},
                               {"intermediate_size", 2048},
                               {"vocab_size", 50304},
                               {"max_position_embeddings", 2048}})
                         .model;
  EXPECT_EQ(neox.params, 70426624);
  const Model opt = read(json{{"model_type", "opt"},
                              {"num_hidden_layers", 24},
                              {"num_attention_heads", 16},
                              {"hidden_size", 1024},
                              {"ffn_dim", 4096},
                              {"vocab_size", 50272},
                              {"word_embed_proj_dim", 512},
                              {"do_layer_norm_before", false},
                              {"max_position_embeddings", 2048}})
                        .model;
  EXPECT_EQ(opt.params, 331196416);
  EXPECT_EQ(opt.unquantized_params, 50272 * 512);
  const Model qwen = read(json{{"model_type", "qwen"},
                               {"num_hidden_layers", 32},
                               {"num_attention_heads", 32},
                               {"hidden_size", 4096},
                               {"kv_channels", 128},
                               {"intermediate_size", 22016},
                               {"seq_length", 8192},
                               {"max_position_embeddings", 32768},
                               {"vocab_size", 151936},
                               {"tie_word_embeddings", false}})
                         .model;
  EXPECT_EQ(qwen.intermediate_size, 11008);  // the file has both halves of the gate
  EXPECT_EQ(qwen.max_context, 32768);
  EXPECT_EQ(qwen.params, 7721324544);
}

TEST(Config, RopeScalingDoesNotMultiply) {
  const json scaled = with(llama(), {{"rope_scaling", {{"rope_type", "llama3"}, {"factor", 8.0}}}});
  EXPECT_EQ(read(scaled).model.max_context, 131072);
}

TEST(Config, CommandRsLongerLimit) {
  const json command = with(
      llama(),
      {{"model_type", "cohere"}, {"max_position_embeddings", 8192}, {"model_max_length", 131072}});
  EXPECT_EQ(read(command).model.max_context, 131072);
}

TEST(Config, NestedPartsAndTheirTies) {
  const json inner = without(llama(), "tie_word_embeddings");
  for (const char* key : {"text_config", "llm_config", "language_config"}) {
    const json outer = {{"model_type", "some_vlm"}, {key, inner}, {"tie_word_embeddings", true}};
    const Model model = read(outer).model;
    EXPECT_EQ(model.layers, 32) << key;
    EXPECT_EQ(model.unquantized_params, std::int64_t{128256} * 4096) << key;
    EXPECT_EQ(model.params, std::nullopt) << key;
  }
  const json omni = {{"model_type", "qwen2_5_omni"},
                     {"thinker_config", {{"text_config", llama()}}}};
  EXPECT_EQ(read(omni).model.hidden_size, 4096);
  const json torn = {{"text_config", llama()}, {"tie_word_embeddings", true}};
  EXPECT_EQ(read(torn).model.unquantized_params, std::nullopt);
}

TEST(Config, NestedPartMayNotLeaveOutWhatIsNotKnown) {
  const json outer = {{"model_type", "gemma3"},
                      {"text_config", {{"model_type", "gemma3_text"}, {"hidden_size", 2560}}}};
  EXPECT_EQ(error_of(outer),
            "config.json: text_config.num_hidden_layers is missing (also looked for: n_layer, "
            "n_layers, num_layers)");
  const json other = {{"model_type", "llava"}, {"text_config", {{"model_type", "llama"}}}};
  EXPECT_NE(error_of(other).find("text_config.num_hidden_layers"), std::string::npos);
}

// --- windows -----------------------------------------------------------------------------

json mistral() {
  return with(llama(), {{"model_type", "mistral"}, {"max_position_embeddings", 32768}});
}

TEST(Config, WindowOfAllLayers) {
  const Model model = read(with(mistral(), {{"sliding_window", 4096}})).model;
  EXPECT_EQ(model.sliding_window, 4096);
  EXPECT_EQ(model.sliding_layers, 32);
  EXPECT_EQ(model.kv_layers, std::nullopt);
}

TEST(Config, WindowWithoutEffect) {
  for (const json& window : {json(nullptr), json(0x8000), json(131072)}) {
    const Model model = read(with(mistral(), {{"sliding_window", window}})).model;
    EXPECT_EQ(model.sliding_window, std::nullopt) << window;
    EXPECT_EQ(model.sliding_layers, std::nullopt) << window;
  }
  const json off = {{"sliding_window", 4096}, {"use_sliding_window", false}};
  EXPECT_EQ(read(with(llama(), off)).model.sliding_layers, std::nullopt);
}

TEST(Config, QwensWindowBeginsAtALayer) {
  const json on = {{"model_type", "qwen2"},
                   {"sliding_window", 4096},
                   {"use_sliding_window", true},
                   {"max_window_layers", 28}};
  EXPECT_EQ(read(with(llama(), on)).model.sliding_layers, 4);
  EXPECT_EQ(error_of(without(with(llama(), on), "max_window_layers")),
            "config.json: max_window_layers is missing");
}

TEST(Config, WindowPatterns) {
  const json window = {{"sliding_window", 4096}, {"model_type", "exaone4"}, {"head_dim", 128}};
  const auto sliding = [&](const json& changes) {
    return read(with(with(llama(), window), changes)).model.sliding_layers;
  };
  EXPECT_EQ(sliding({{"sliding_window_pattern", "LLLG"}}), 24);
  EXPECT_EQ(sliding({{"sliding_window_pattern", 6}}), 27);
  EXPECT_EQ(sliding({{"_sliding_window_pattern", 2}}), 16);
  EXPECT_EQ(sliding({{"layer_types", std::vector<std::string>(32, "full_attention")}}),
            std::nullopt);
  EXPECT_EQ(sliding({{"model_type", "gemma2"}}), 16);
  EXPECT_EQ(sliding({{"model_type", "gemma3_text"}}), 27);
  EXPECT_EQ(sliding({{"model_type", "cohere2"}}), 24);
  EXPECT_EQ(error_of(with(with(llama(), window), {{"sliding_window_pattern", "LLX"}})),
            "config.json: sliding_window_pattern names a kind of layer that this reader does not "
            "know: \"X\"");
}

TEST(Config, WindowThatIsNotUnderstood) {
  // Absent is not null: the class of this type has a window of its own then.
  EXPECT_EQ(error_of(mistral()), "config.json: sliding_window is missing");
  EXPECT_EQ(error_of(with(llama(), {{"sliding_window", 4096}})),
            "config.json: sliding_window is set, but which layers it holds for is not known for "
            "model_type \"llama\": there is no layer_types");
}

TEST(Config, LayerListsMustFit) {
  EXPECT_EQ(error_of(with(llama(), {{"layer_types", {"full_attention"}}})),
            "config.json: layer_types has 1 entries for 32 layers");
  EXPECT_EQ(error_of(with(llama(), {{"layer_types", std::vector<std::string>(32, "odd\n")}})),
            "config.json: layer_types names a kind of layer that this reader does not know: "
            "\"odd\\n\"");
  EXPECT_EQ(error_of(with(llama(), {{"layer_types", "full"}})),
            "config.json: layer_types must be a list of words, not \"full\"");
  EXPECT_EQ(error_of(with(llama(), {{"layer_types", {1}}})),
            "an entry of config.json: layer_types must be a word, not 1");
  EXPECT_EQ(error_of(with(llama(), {{"layer_types", std::vector<std::string>(32, "mamba")}})),
            "config.json: num_hidden_layers has recurrent layers, and what they keep is not known "
            "for model_type \"llama\"");
}

TEST(Config, Gemma4CountsLayersWithACacheOfTheirOwn) {
  std::vector<std::string> types;
  for (int i = 0; i < 32; ++i)
    types.emplace_back(i % 4 == 3 ? "full_attention" : "sliding_attention");
  const json gemma = {{"model_type", "gemma4_text"}, {"layer_types", types},
                      {"sliding_window", 512},       {"head_dim", 256},
                      {"global_head_dim", 512},      {"num_global_key_value_heads", 2},
                      {"num_kv_shared_layers", 12}};
  const Model model = read(with(llama(), gemma)).model;
  EXPECT_EQ(model.kv_layers, 20);
  EXPECT_EQ(model.sliding_layers, 15);
  EXPECT_EQ(model.kv_heads, 2);
  EXPECT_EQ(model.sliding_kv_heads, 8);
  EXPECT_EQ(model.head_dim, 512);
  EXPECT_EQ(model.sliding_head_dim, 256);
}

// --- hybrids -----------------------------------------------------------------------------

TEST(Config, JambasPeriods) {
  const json jamba = {
      {"model_type", "jamba"},    {"attn_layer_period", 8},   {"attn_layer_offset", 4},
      {"expert_layer_period", 2}, {"expert_layer_offset", 1}, {"num_experts", 16},
      {"num_experts_per_tok", 2}, {"mamba_d_state", 16},      {"mamba_d_conv", 4},
      {"mamba_expand", 2},        {"mamba_dt_rank", 256},     {"vocab_size", 65536}};
  const Model model = read(with(llama(), jamba)).model;
  EXPECT_EQ(model.kv_layers, 4);
  EXPECT_EQ(model.state_bytes, 8716288);
  EXPECT_EQ(model.params, 51570323328);
  EXPECT_EQ(model.expert_intermediate_size, 14336);
}

TEST(Config, KimiLinear) {
  const json kimi = {{"model_type", "kimi_linear"},
                     {"num_hidden_layers", 4},
                     {"kv_lora_rank", 512},
                     {"q_lora_rank", nullptr},
                     {"qk_rope_head_dim", 64},
                     {"qk_nope_head_dim", 128},
                     {"v_head_dim", 128},
                     {"linear_attn_config",
                      {{"full_attn_layers", {4}},
                       {"kda_layers", {1, 2, 3}},
                       {"head_dim", 128},
                       {"num_heads", 32},
                       {"short_conv_kernel_size", 4}}}};
  const Model model = read(with(llama(), kimi)).model;
  EXPECT_EQ(model.kv_layers, 1);
  EXPECT_EQ(model.kv_latent_dim, 576);
  EXPECT_EQ(model.q_lora_rank, 0);
  EXPECT_EQ(model.state_bytes, 43417600 / 20 * 3);
}

TEST(Config, OtherRecurrentLayers) {
  const auto state = [](const json& changes) {
    return read(with(llama(), changes)).model.state_bytes;
  };
  std::vector<std::string> conv(30, "conv");
  for (int i = 0; i < 8; ++i) conv[static_cast<std::size_t>(i)] = "full_attention";
  EXPECT_EQ(state({{"model_type", "lfm2"},
                   {"layer_types", conv},
                   {"num_hidden_layers", 30},
                   {"hidden_size", 2048},
                   {"conv_L_cache", 3}}),
            180224);
  std::vector<int> lightning(80, 0);
  for (int i = 7; i < 80; i += 8) lightning[static_cast<std::size_t>(i)] = 1;
  EXPECT_EQ(state({{"model_type", "minimax_text_01"},
                   {"attn_type_list", lightning},
                   {"num_hidden_layers", 80},
                   {"num_attention_heads", 64},
                   {"head_dim", 128}}),
            146800640);
  std::vector<std::string> granite(40, "mamba");
  for (const std::size_t i : {5, 15, 25, 35}) granite[i] = "attention";
  EXPECT_EQ(state({{"model_type", "granitemoehybrid"},
                   {"layer_types", granite},
                   {"num_hidden_layers", 40},
                   {"mamba_n_heads", 48},
                   {"mamba_d_head", 64},
                   {"mamba_n_groups", 1},
                   {"mamba_d_state", 128},
                   {"mamba_d_conv", 4}}),
            29030400);
  const json falcon = {
      {"model_type", "falcon_h1"}, {"num_hidden_layers", 36}, {"head_dim", 64},
      {"mamba_n_heads", 24},       {"mamba_d_head", 64},      {"mamba_n_groups", 1},
      {"mamba_d_state", 128},      {"mamba_d_conv", 4}};
  EXPECT_EQ(state(falcon), 14542848);
  EXPECT_EQ(read(with(llama(), falcon)).model.kv_layers, std::nullopt);
}

TEST(Config, MambaHasNoAttention) {
  const Model model = read(json{{"model_type", "mamba"},
                                {"num_hidden_layers", 24},
                                {"hidden_size", 768},
                                {"intermediate_size", 1536},
                                {"state_size", 16},
                                {"conv_kernel", 4},
                                {"expand", 2},
                                {"time_step_rank", 48},
                                {"vocab_size", 50280}})
                          .model;
  EXPECT_EQ(model.kv_layers, 0);
  EXPECT_EQ(model.attention_heads, std::nullopt);
  EXPECT_EQ(model.state_bytes, 1400832);
  EXPECT_EQ(model.params, 129135360);
}

// --- latent attention, experts -----------------------------------------------------------

TEST(Config, LatentAttentionWithoutModelType) {
  const json minicpm3 = {{"num_hidden_layers", 62},
                         {"num_attention_heads", 40},
                         {"num_key_value_heads", 40},
                         {"hidden_size", 2560},
                         {"intermediate_size", 6400},
                         {"vocab_size", 73448},
                         {"max_position_embeddings", 32768},
                         {"kv_lora_rank", 256},
                         {"q_lora_rank", 768},
                         {"qk_nope_head_dim", 64},
                         {"qk_rope_head_dim", 32},
                         {"v_head_dim", 64}};
  const ConfigModel result = read(minicpm3);
  EXPECT_EQ(result.model.kv_latent_dim, 288);
  EXPECT_EQ(result.model.q_lora_rank, 768);
  EXPECT_EQ(result.model.params, std::nullopt);
  EXPECT_NE(notes_of(result).find("read by the names of its keys"), std::string::npos);
  EXPECT_EQ(read(without(minicpm3, "q_lora_rank")).model.q_lora_rank, std::nullopt);
  EXPECT_NE(error_of(without(minicpm3, "v_head_dim")).find("v_head_dim is missing"),
            std::string::npos);
}

TEST(Config, ExpertsUnderTheirNames) {
  for (const char* key :
       {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}) {
    for (const char* chosen : {"num_experts_per_tok", "top_k_experts", "moe_top_k", "moe_k"}) {
      const Model model = read(with(llama(), {{key, 16}, {chosen, 4}})).model;
      EXPECT_EQ(model.experts, 16);
      EXPECT_EQ(model.experts_per_token, 4);
      EXPECT_EQ(model.expert_intermediate_size, 14336);
    }
  }
  EXPECT_EQ(read(with(llama(), {{"num_experts", 0}})).model.experts, std::nullopt);
  EXPECT_EQ(read(with(llama(), {{"num_experts", 8}, {"moe_intermediate_size", 768}}))
                .model.expert_intermediate_size,
            768);
  EXPECT_NE(error_of(with(llama(), {{"num_experts", 8}, {"num_experts_per_tok", 9}}))
                .find("more than the 8 experts"),
            std::string::npos);
}

// --- params ------------------------------------------------------------------------------

std::string index_of(std::int64_t bytes, const json& names = json::object()) {
  return json{{"metadata", {{"total_size", bytes}}}, {"weight_map", names}}.dump();
}

TEST(ConfigParams, GivenWins) {
  EXPECT_EQ(read(llama(), index_of(2), 9'000'000'000).model.params, 9'000'000'000);
  try {
    read(llama(), {}, 8);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "params is 8, but embeddings and output head alone have 1,050,673,152 by "
                 "config.json");
  }
  EXPECT_THROW(read(llama(), {}, 0), Error);
  EXPECT_THROW(read(llama(), {}, -1), Error);
}

TEST(ConfigParams, IndexBesideTheCount) {
  const std::int64_t count = 8030261248;
  EXPECT_EQ(read(llama(), index_of(2 * count)).model.params, count);
  const ConfigModel more = read(llama(), index_of(2 * count + 4096));
  EXPECT_EQ(more.model.params, count);
  EXPECT_NE(notes_of(more).find("2,048 elements more"), std::string::npos);
  EXPECT_EQ(read(llama(), index_of(4 * count)).model.params, std::nullopt);
  const ConfigModel less = read(llama(), index_of(2 * count - 2));
  EXPECT_EQ(less.model.params, std::nullopt);
  EXPECT_NE(notes_of(less).find("params not known"), std::string::npos);
}

TEST(ConfigParams, IndexWhereThereIsNoCount) {
  constexpr std::int64_t kBytes = 16'000'000'000;
  const json other = with(llama(), {{"model_type", "something_new"}, {"head_dim", 128}});
  EXPECT_EQ(read(other, index_of(kBytes)).model.params, 8'000'000'000);
  EXPECT_EQ(read(with(other, {{"torch_dtype", "float32"}}), index_of(kBytes)).model.params,
            4'000'000'000);
  const auto reason = [&](const json& changes, const std::string& index) {
    const ConfigModel result = read(with(other, changes), index);
    EXPECT_EQ(result.model.params, std::nullopt);
    return notes_of(result);
  };
  EXPECT_NE(reason({{"quantization_config", {{"bits", 4}}}}, index_of(kBytes)).find("quantized"),
            std::string::npos);
  EXPECT_NE(reason({{"num_nextn_predict_layers", 1}}, index_of(kBytes)).find("multi-token"),
            std::string::npos);
  EXPECT_NE(reason({{"torch_dtype", nullptr}}, index_of(kBytes)).find("dtype"), std::string::npos);
  EXPECT_NE(reason({}, index_of(kBytes + 1)).find("not all of bfloat16"), std::string::npos);
  EXPECT_NE(reason({}, index_of(8)).find("less than the embeddings"), std::string::npos);
  EXPECT_NE(reason({}, "{}").find("no metadata.total_size"), std::string::npos);
  EXPECT_NE(reason({}, index_of(kBytes, {{"model.layers.0.self_attn.rotary_emb.inv_freq", "a"}}))
                .find("also stores"),
            std::string::npos);
  EXPECT_NE(reason({{"tie_word_embeddings", true}}, index_of(kBytes, {{"lm_head.weight", "a"}}))
                .find("also stores"),
            std::string::npos);
  EXPECT_EQ(read(other, index_of(kBytes, {{"lm_head.weight", "a"}})).model.params, 8'000'000'000);
}

TEST(ConfigParams, BrokenIndexIsRefusedByItsName) {
  for (const char* index :
       {"[", "[]", "{\"metadata\": 1}", "{\"metadata\": {\"total_size\": -1}}"}) {
    try {
      read(llama(), index);
      ADD_FAILURE() << index;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("safetensors index"), 0U) << error.what();
    }
  }
}

TEST(ConfigParams, SwitchesThatChangeShapes) {
  const json classifier = {{"architectures", {"LlamaForSequenceClassification"}}};
  EXPECT_EQ(read(with(llama(), classifier)).model.params, std::nullopt);
  EXPECT_EQ(read(with(llama(), {{"use_qk_norm", true}})).model.params, std::nullopt);
  EXPECT_EQ(read(with(llama(), {{"model_type", "qwen3_moe"},
                                {"num_experts", 8},
                                {"head_dim", 128},
                                {"decoder_sparse_step", 2}}))
                .model.params,
            std::nullopt);
}

// --- sentences ---------------------------------------------------------------------------

TEST(ConfigErrors, WrongValues) {
  const auto heads = [](const json& value) {
    return error_of(with(llama(), {{"num_attention_heads", value}}));
  };
  const std::string must = "config.json: num_attention_heads must be a positive whole number, not ";
  EXPECT_EQ(heads("x"), must + "\"x\"");
  EXPECT_EQ(heads("32"), must + "\"32\"");
  EXPECT_EQ(heads(-32), must + "-32");
  EXPECT_EQ(heads(0), must + "0");
  EXPECT_EQ(heads(32.5), must + "32.5");
  EXPECT_EQ(heads(true), must + "true");
  EXPECT_EQ(heads(json::array({32})), must + "a list");
  EXPECT_EQ(heads(json::object()), must + "an object");
  EXPECT_EQ(heads(1e300),
            "config.json: num_attention_heads is 1e+300, more than the 16,384 "
            "that can be believed");
  EXPECT_EQ(heads(UINT64_MAX),
            "config.json: num_attention_heads is 18446744073709551615, more "
            "than the 16,384 that can be believed");
  EXPECT_EQ(heads(std::string(1000, 'y')).size(), must.size() + 63);
  EXPECT_EQ(error_of(with(llama(), {{"use_sliding_window", "no"}, {"sliding_window", 1}})),
            "config.json: use_sliding_window must be true or false, not \"no\"");
  EXPECT_EQ(error_of(with(llama(), {{"model_type", 7}})),
            "config.json: model_type must be a word, not 7");
  EXPECT_EQ(error_of(json{{"text_config", 7}}),
            "config.json: text_config must be an object, not 7");
}

TEST(ConfigErrors, MissingAndContradicting) {
  EXPECT_EQ(error_of(without(llama(), "num_attention_heads")),
            "config.json: num_attention_heads is missing (also looked for: n_head, n_heads)");
  EXPECT_EQ(error_of(with(llama(), {{"n_head", 16}})),
            "config.json: num_attention_heads is 32, but config.json: n_head is 16: they should "
            "be the same");
  EXPECT_EQ(error_of(with(llama(), {{"num_key_value_heads", 64}})),
            "config.json: num_key_value_heads is 64, more than the 32 attention heads");
  EXPECT_EQ(error_of(with(llama(), {{"hidden_size", 4097}})),
            "config.json: head_dim is missing, and the hidden size 4097 is no multiple of the 32 "
            "attention heads");
  EXPECT_EQ(error_of(with(llama(), {{"model_type", "qwen3"}})),
            "config.json: head_dim is missing, and what that means is not known for model_type "
            "\"qwen3\"");
}

TEST(ConfigErrors, ModelsOfAnotherKind) {
  EXPECT_EQ(error_of(with(llama(), {{"model_type", "bert"}})),
            "config.json: model_type is bert: such a model does not generate text, and has no "
            "cache to size");
  EXPECT_EQ(error_of(with(llama(), {{"model_type", "new"}, {"is_encoder_decoder", true}})),
            "config.json: is_encoder_decoder is true: of encoder-decoder models, Whisper's kind is "
            "understood only");
  EXPECT_EQ(error_of(with(llama(), {{"model_type", "zamba"}, {"mamba_d_state", 16}})),
            "config.json: mamba_d_state means recurrent layers, and what they keep is not known "
            "for model_type \"zamba\"");
}

}  // namespace
}  // namespace gpu_advisor
