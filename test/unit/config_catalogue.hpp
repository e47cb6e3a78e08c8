// The catalogue and the published files, as the tests of the config reader need them.
#pragma once

#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/config.hpp"

// Tests run in the root of the source tree, unless the build says where that is.
#ifndef GPU_ADVISOR_SOURCE_DIR
#define GPU_ADVISOR_SOURCE_DIR "."
#endif

namespace gpu_advisor::test {

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string config_text(const std::string& file) {
  return file_text(std::string(GPU_ADVISOR_SOURCE_DIR "/test/data/configs/") + file);
}

using Row = std::map<std::string, std::string>;

/// RFC 4180: quoted fields may hold commas, doubled quotes and line ends.
inline std::vector<Row> csv(const std::string& path) {
  const std::string text = file_text(path);
  std::vector<std::vector<std::string>> lines(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      lines.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      lines.back().emplace_back();
    } else if (!quoted && c == '\n') {
      lines.push_back({""});
    } else if (quoted || c != '\r') {
      lines.back().back() += c;
    }
  }
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != lines[0].size()) continue;  // the end of the file
    Row& row = rows.emplace_back();
    for (std::size_t j = 0; j < lines[i].size(); ++j) row[lines[0][j]] = lines[i][j];
  }
  return rows;
}

inline Figure number(const Row& row, const char* column) {
  const auto found = row.find(column);
  if (found == row.end()) throw std::runtime_error(std::string("no column ") + column);
  if (found->second.empty()) return std::nullopt;
  return std::stoll(found->second);
}

inline const std::vector<Row>& catalogue() {
  static const std::vector<Row> rows = csv(GPU_ADVISOR_SOURCE_DIR "/data/models.csv");
  return rows;
}

/// The columns that the catalogue and a model call by the same name.
inline void fill_same_names(const Row& row, Model& model) {
  for (const ModelColumn& column : kModelColumns) {
    if (row.contains(column.name)) model.*column.figure = number(row, column.name);
  }
}

inline void fill_cache(const Row& row, Model& model) {
  const Figure full = number(row, "full_attention_layers");
  const std::int64_t sliding = model.sliding_layers.value_or(0);
  const bool known = full || model.sliding_layers;
  const std::int64_t keeping = full.value_or(0) + sliding;
  if (known && keeping != model.layers && model.kind == Kind::language) {
    model.kv_layers = keeping;
  }
  if (const Figure rank = number(row, "kv_lora_rank")) {
    model.kv_latent_dim = *rank + number(row, "qk_rope_head_dim").value_or(0);
    if (!model.q_lora_rank) model.q_lora_rank = 0;  // these all have no query compression
  }
}

/// A row of data/models.csv as the model that its configuration should give.
inline Model expected_model(const Row& row) {
  Model model;
  model.kind = row.at("kind") == "speech" ? Kind::speech : Kind::language;
  fill_same_names(row, model);
  model.expert_intermediate_size = number(row, "moe_intermediate_size");
  fill_cache(row, model);
  const std::string& tied = row.at("tie_word_embeddings");
  if (!tied.empty() && model.vocab_size && model.hidden_size) {
    model.unquantized_params = *model.vocab_size * *model.hidden_size * (tied == "true" ? 1 : 2);
  }
  return model;
}

inline std::string shown(const Figure& figure) { return figure ? std::to_string(*figure) : "NULL"; }

}  // namespace gpu_advisor::test
