// A model from the config.json that its publisher puts beside the weights.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model.hpp"
#include "core/poll.hpp"

namespace gpu_advisor {

/// What the caller has. Only `model` and `config` are needed.
struct ConfigInput {
  std::string_view model;              ///< its name, as it shall stand in the catalogue
  std::string_view config;             ///< the text of config.json
  std::string_view index;              ///< model.safetensors.index.json, empty where not at hand
  std::optional<std::int64_t> params;  ///< parameters, where the caller knows them
  Poll poll = no_poll;
};

/// The row, and what a reader should know about it, in sentences.
/// `model.name` points into ConfigInput::model, which must outlive the result.
struct ConfigModel {
  Model model;
  std::vector<std::string> notes;
};

/// Reads the configuration. Throws Error, naming the key, for anything that is broken or not
/// understood: a figure is either what the file says, or what the model's architecture makes
/// of what the file says, or empty.
ConfigModel model_from_config(const ConfigInput& input);

}  // namespace gpu_advisor
