// The shipped catalogue as models, for the tests of what they need.
#pragma once

#include <deque>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "config_catalogue.hpp"
#include "core/items.hpp"
#include "core/model.hpp"
#include "core/need.hpp"
#include "core/need_codec.hpp"
#include "core/workload.hpp"

namespace gpu_advisor {

// How a failing test shows its figures.
inline std::ostream& operator<<(std::ostream& out, const Model& model) {
  out << model.name << " (" << to_text(model.kind);
  for (const ModelColumn& column : kModelColumns) {
    if (model.*column.figure) out << ", " << column.name << " " << *(model.*column.figure);
  }
  return out << ")";
}
inline std::ostream& operator<<(std::ostream& out, const Workload& w) {
  return out << to_text(w.task) << ", bits " << w.bits << ", ctx " << w.ctx << ", conc " << w.conc;
}
inline std::ostream& operator<<(std::ostream& out, const Need& need) {
  return out << to_json(need);
}

namespace test {

/// A row of models.csv as gpu_models holds it. The sliding window counts only where it binds, and
/// where the kind of attention is not known, neither is the growth of the KV cache.
inline Model model_of(const Row& row) {
  const std::string& attention = row.at("attention");
  Model model;
  model.name = row.at("hf_id");
  model.kind = row.at("kind") == "speech" ? Kind::speech : Kind::language;
  for (const ModelColumn& column : kModelColumns) {
    const bool binds =
        attention == "sliding" || !std::string_view(column.name).starts_with("sliding");
    if (binds && row.contains(column.name)) model.*column.figure = number(row, column.name);
  }
  if (attention.empty()) model.kv_heads.reset();
  model.expert_intermediate_size = number(row, "moe_intermediate_size");
  if (const Figure rank = number(row, "kv_lora_rank")) {
    model.kv_latent_dim = *rank + number(row, "qk_rope_head_dim").value();
    const bool unread = model.name == "mistralai/Mistral-Small-4-119B-2603";
    if (!model.q_lora_rank && !unread) model.q_lora_rank = 0;
  }
  if (model.kind == Kind::language) {
    const Figure full = number(row, "full_attention_layers");
    const std::int64_t keeping = full.value_or(0) + number(row, "sliding_layers").value_or(0);
    if (attention == "none") model.kv_layers = 0;
    if (attention != "none" && full && keeping != model.layers) model.kv_layers = keeping;
  }
  const std::string& tied = row.at("tie_word_embeddings");
  if (!tied.empty() && model.vocab_size && model.hidden_size) {
    model.unquantized_params = *model.vocab_size * *model.hidden_size * (tied == "true" ? 1 : 2);
  }
  return model;
}

/// The language and speech models of data/models.csv.
inline const std::vector<Model>& models() {
  static const std::vector<Model> all = [] {
    std::vector<Model> made;
    for (const Row& row : catalogue()) made.push_back(model_of(row));
    return made;
  }();
  return all;
}

inline const Model& model(std::string_view name) {
  for (const Model& candidate : models()) {
    if (candidate.name == name) return candidate;
  }
  throw std::runtime_error("no such model: " + std::string(name));
}

/// An image pipeline: its row of gpu_models and its networks.
struct Pipeline {
  Model model;
  std::vector<Network> networks;
};

/// The pipelines of data/image_components.csv.
inline const std::vector<Pipeline>& pipelines() {
  static const std::vector<Row> rows = csv(GPU_ADVISOR_SOURCE_DIR "/data/image_components.csv");
  static const std::vector<Pipeline> all = [] {
    std::vector<Pipeline> made;
    for (const Row& row : rows) {
      const std::string& name = row.at("hf_id");
      if (made.empty() || made.back().model.name != name) {
        Model& model = made.emplace_back().model;
        model.name = name;
        model.kind = Kind::image;
        model.params = 0;
        model.unquantized_params = 0;
      }
      Pipeline& pipeline = made.back();
      const Figure params = number(row, "params");
      const bool denoiser = row.at("component") == "denoiser";
      pipeline.networks.push_back({row.at("component"), row.at("class_name"), params, denoiser});
      const auto count = [&params](Figure& sum) {
        sum = sum && params ? Figure(*sum + *params) : std::nullopt;
      };
      count(pipeline.model.params);
      if (!denoiser) count(pipeline.model.unquantized_params);
    }
    for (Pipeline& pipeline : made) {
      if (!pipeline.model.params) pipeline.model.unquantized_params.reset();
    }
    return made;
  }();
  return all;
}

inline const Pipeline& pipeline(std::string_view name) {
  for (const Pipeline& candidate : pipelines()) {
    if (candidate.model.name == name) return candidate;
  }
  throw std::runtime_error("no such pipeline: " + std::string(name));
}

inline Workload run(int bits, std::int64_t ctx, std::int64_t conc) {
  return {Task::run, bits, ctx, conc};
}
inline Workload finetune(int bits, std::int64_t ctx, std::int64_t conc) {
  return {Task::finetune, bits, ctx, conc};
}

}  // namespace test
}  // namespace gpu_advisor
