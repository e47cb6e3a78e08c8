// An ordinary configuration, and ways to bend it and to read what the reader says.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/config.hpp"

namespace gpu_advisor::test {

using nlohmann::json;

/// An ordinary model, which the tests bend.
inline json llama() {
  return {{"model_type", "llama"},        {"num_hidden_layers", 32},
          {"num_attention_heads", 32},    {"num_key_value_heads", 8},
          {"hidden_size", 4096},          {"intermediate_size", 14336},
          {"vocab_size", 128256},         {"max_position_embeddings", 131072},
          {"tie_word_embeddings", false}, {"torch_dtype", "bfloat16"}};
}

inline json with(json config, const json& changes) {
  for (const auto& [key, value] : changes.items()) config[key] = value;
  return config;
}

inline json without(json config, const char* key) {
  config.erase(key);
  return config;
}

inline ConfigModel read_text(const std::string& text, std::string_view index = {},
                             Figure params = {}) {
  return model_from_config({"my/model", text, index, params});
}

inline ConfigModel read(const json& config, std::string_view index = {}, Figure params = {}) {
  return read_text(config.dump(), index, params);
}

/// The error's sentence; a failure where there is none.
inline std::string error_in(const std::string& text) {
  try {
    read_text(text);
  } catch (const Error& error) {
    EXPECT_STREQ(error.state(), sqlstate::kInvalidParameter);
    EXPECT_FALSE(error.hint().empty()) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}
inline std::string error_of(const json& config) { return error_in(config.dump()); }

inline std::string notes_of(const ConfigModel& result) {
  std::string text;
  for (const std::string& note : result.notes) text += note + "\n";
  return text;
}

}  // namespace gpu_advisor::test
