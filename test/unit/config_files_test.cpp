// Every published config.json of test/data/configs against the catalogue, figure by figure.
#include <gtest/gtest.h>

#include <set>

#include "config_catalogue.hpp"

namespace gpu_advisor {
namespace {

using test::Row;

/// Where the file and the catalogue disagree. Both are right: the catalogue draws on more
/// than the file.
struct Difference {
  const char* file;
  const char* column;
  Figure of_file;
  Figure of_catalogue;
};

const Difference kDifferences[] = {
    // The 2,048 tokens are the default of Falcon's class; this copy of the file, saved again
    // by transformers 4.33, does not carry the key.
    {"tiiuae__falcon-40b.json", "max_context", std::nullopt, 2048},
    // This copy has no tie_word_embeddings, and what its class makes of that is not documented.
    // The catalogue knows from the checkpoint that the head has weights of its own:
    // 2 x 128,896 x 4,096.
    {"stepfun-ai__Step-3.7-Flash.json", "unquantized_params", std::nullopt, 1055916032},
    // Copies without the vision_config. The catalogue counts the tower of 871,932,416.
    {"meta-llama__Llama-4-Scout-17B-16E-Instruct.json", "params", std::nullopt, 108641793536},
    {"meta-llama__Llama-4-Maverick-17B-128E-Instruct.json", "params", std::nullopt, 401583781376},
    // The catalogue's count is the published total less its buffers. Per-layer embeddings,
    // shared caches, a vision and an audio tower: the reader has no proved formula for these.
    {"google__gemma-4-E2B-it.json", "params", std::nullopt, 5123178016},
};

/// Files of models that the catalogue has under another name, of the same shape.
const std::pair<const char*, const char*> kSiblings[] = {
    {"Qwen__Qwen3-30B-A3B-FP8.json", "Qwen/Qwen3-30B-A3B"},
    {"Qwen__Qwen3-VL-4B-Thinking.json", "Qwen/Qwen3-VL-4B-Instruct"},
    {"google__gemma-4-26B-A4B.json", "google/gemma-4-26B-A4B-it"},
    {"nvidia__Llama-3.1-70B-Instruct-FP8.json", "meta-llama/Llama-3.1-70B-Instruct"},
    {"nvidia__NVIDIA-Nemotron-3-Super-120B-A12B-FP8.json",
     "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-BF16"},
};
const Difference kSiblingDifferences[] = {
    // As for E2B: no proved formula.
    {"google__gemma-4-26B-A4B.json", "params", std::nullopt, 25805933872},
};

/// Files that are refused, with what the sentence names.
const std::pair<const char*, const char*> kRefused[] = {
    {"deepseek-ai__DeepSeek-V4-Flash.json", "compress_ratios"},
    {"nvidia__Llama-3_3-Nemotron-Super-49B-v1.json", "block_configs"},
};

/// Files of models that the catalogue does not have; the tests below say what they give.
const std::set<std::string> kElsewhere = {
    "IEITYuan__Yuan2-2B.json", "Qwen__Qwen2-Audio-7B-Instruct.json",
    "meta-llama__Llama-3.2-11B-Vision-Instruct.json", "openbmb__MiniCPM4-8B.json",
    "zai-org__GLM-4.1V-9B-Thinking.json"};

template <typename Pairs>
const char* lookup(const Pairs& pairs, const std::string& file) {
  for (const auto& [name, value] : pairs) {
    if (file == name) return value;
  }
  return nullptr;
}

const Row* catalogue_row(const std::string& name) {
  for (const Row& row : test::catalogue()) {
    if (row.at("hf_id") == name) return &row;
  }
  return nullptr;
}

ConfigModel read(const std::string& file) {
  static std::string text;
  text = test::config_text(file);
  return model_from_config({file, text, {}, {}});
}

/// The difference that is expected for this figure, if there is one.
template <typename Table>
const Difference* expected_difference(const Table& table, const std::string& file,
                                      const char* column) {
  for (const Difference& row : table) {
    if (file == row.file && std::string_view(column) == row.column) return &row;
  }
  return nullptr;
}

template <typename Table>
void compare(const std::string& file, const Row& row, const Table& differences) {
  const Model model = read(file).model;
  const Model expected = test::expected_model(row);
  EXPECT_EQ(model.kind, expected.kind);
  for (const ModelColumn& column : kModelColumns) {
    const Figure found = model.*column.figure;
    const Figure wanted = expected.*column.figure;
    if (const Difference* known = expected_difference(differences, file, column.name)) {
      EXPECT_EQ(test::shown(found), test::shown(known->of_file)) << column.name;
      EXPECT_EQ(test::shown(wanted), test::shown(known->of_catalogue)) << column.name;
    } else {
      EXPECT_EQ(test::shown(found), test::shown(wanted)) << column.name;
    }
  }
}

TEST(ConfigFiles, FigureByFigure) {
  int compared = 0;
  for (const Row& entry : test::csv(GPU_ADVISOR_SOURCE_DIR "/test/data/configs/INDEX.csv")) {
    const std::string& file = entry.at("file");
    SCOPED_TRACE(file);
    if (lookup(kRefused, file) != nullptr || kElsewhere.contains(file)) continue;
    if (const char* sibling = lookup(kSiblings, file)) {
      const Row* row = catalogue_row(sibling);
      ASSERT_NE(row, nullptr);
      compare(file, *row, kSiblingDifferences);
    } else {
      const Row* row = catalogue_row(entry.at("hf_id"));
      ASSERT_NE(row, nullptr);
      compare(file, *row, kDifferences);
    }
    ++compared;
  }
  EXPECT_EQ(compared, 65);
}

TEST(ConfigFiles, RefusedWithTheKey) {
  for (const auto& [file, key] : kRefused) {
    SCOPED_TRACE(file);
    try {
      read(file);
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_STREQ(error.state(), sqlstate::kInvalidParameter);
      EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
      EXPECT_FALSE(error.hint().empty());
    }
  }
}

/// The figures that are set, as "layers 24, attention_heads 32, ...".
std::string figures(const Model& model) {
  std::string text;
  for (const ModelColumn& column : kModelColumns) {
    if (!(model.*column.figure)) continue;
    text += (text.empty() ? "" : ", ") + std::string(column.name) + " " +
            test::shown(model.*column.figure);
  }
  return text;
}

TEST(ConfigFiles, ModelsOutsideTheCatalogue) {
  EXPECT_EQ(figures(read("IEITYuan__Yuan2-2B.json").model),
            "layers 24, attention_heads 32, kv_heads 32, head_dim 64, hidden_size 2048, "
            "intermediate_size 8192, vocab_size 135040, max_context 8192, "
            "unquantized_params 276561920");
  // text_config leaves out hidden size, heads and layers: 4096, 32 and 32.
  EXPECT_EQ(figures(read("Qwen__Qwen2-Audio-7B-Instruct.json").model),
            "layers 32, attention_heads 32, kv_heads 32, head_dim 128, hidden_size 4096, "
            "intermediate_size 11008, vocab_size 156032, max_context 8192, "
            "unquantized_params 1278214144");
  // 8 of the 40 layers attend to the image only.
  EXPECT_EQ(figures(read("meta-llama__Llama-3.2-11B-Vision-Instruct.json").model),
            "layers 40, attention_heads 32, kv_heads 8, head_dim 128, hidden_size 4096, "
            "intermediate_size 14336, vocab_size 128256, max_context 131072, kv_layers 32, "
            "unquantized_params 1050673152");
  EXPECT_EQ(figures(read("openbmb__MiniCPM4-8B.json").model),
            "layers 32, attention_heads 32, kv_heads 2, head_dim 128, hidden_size 4096, "
            "intermediate_size 16384, vocab_size 73448, max_context 32768, "
            "unquantized_params 601686016");
  EXPECT_EQ(figures(read("zai-org__GLM-4.1V-9B-Thinking.json").model),
            "layers 40, attention_heads 32, kv_heads 2, head_dim 128, hidden_size 4096, "
            "intermediate_size 13696, vocab_size 151552, max_context 65536, "
            "unquantized_params 1241513984");
}

TEST(ConfigFiles, EmptyParamsComeWithAReason) {
  for (const Row& entry : test::csv(GPU_ADVISOR_SOURCE_DIR "/test/data/configs/INDEX.csv")) {
    const std::string& file = entry.at("file");
    if (lookup(kRefused, file) != nullptr) continue;
    SCOPED_TRACE(file);
    const ConfigModel result = read(file);
    if (result.model.params) continue;
    std::string notes;
    for (const std::string& note : result.notes) notes += note + "\n";
    EXPECT_NE(notes.find("params not known: "), std::string::npos) << notes;
  }
}

}  // namespace
}  // namespace gpu_advisor
