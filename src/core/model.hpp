// A model as the catalogue holds it: the figures of its published configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/error.hpp"

namespace gpu_advisor {

/// A figure of the catalogue; empty where it is not known. It is never guessed.
using Figure = std::optional<std::int64_t>;

enum class Kind { language, speech, image };

/// A row of gpu_models. Column comments there say what each figure means; NULL is an empty
/// Figure. For an ordinary model everything from kv_layers to state_bytes is empty.
/// Trivially destructible: it may be alive while PostgreSQL raises an error.
struct Model {
  std::string_view name;
  Kind kind = Kind::language;
  Figure params;
  Figure layers;
  Figure attention_heads;
  Figure kv_heads;
  Figure head_dim;
  Figure hidden_size;
  Figure intermediate_size;
  Figure experts;
  Figure experts_per_token;
  Figure expert_intermediate_size;
  Figure vocab_size;
  Figure max_context;
  Figure kv_layers;
  Figure sliding_window;
  Figure sliding_layers;
  Figure sliding_kv_heads;
  Figure sliding_head_dim;
  Figure kv_latent_dim;
  Figure q_lora_rank;  // 0: no query compression
  Figure qk_nope_head_dim;
  Figure qk_rope_head_dim;
  Figure v_head_dim;
  Figure state_bytes;
  Figure decoder_layers;
  Figure decoder_heads;
  Figure max_target_positions;
  Figure max_source_positions;
  Figure unquantized_params;
};

static_assert(std::is_trivially_destructible_v<Model>);

/// "language", "speech" or "image"; an error for anything else.
Kind kind_from_text(std::string_view text);
const char* to_text(Kind kind);

/// The figures by their column names, in column order: one list for every reader and writer
/// of rows.
struct ModelColumn {
  const char* name;
  Figure Model::*figure;
  std::int64_t least = 1;  ///< smaller figures are none
};
inline constexpr ModelColumn kModelColumns[] = {
    {"params", &Model::params},
    {"layers", &Model::layers},
    {"attention_heads", &Model::attention_heads},
    {"kv_heads", &Model::kv_heads},
    {"head_dim", &Model::head_dim},
    {"hidden_size", &Model::hidden_size},
    {"intermediate_size", &Model::intermediate_size},
    {"experts", &Model::experts},
    {"experts_per_token", &Model::experts_per_token},
    {"expert_intermediate_size", &Model::expert_intermediate_size},
    {"vocab_size", &Model::vocab_size},
    {"max_context", &Model::max_context},
    {"kv_layers", &Model::kv_layers, 0},
    {"sliding_window", &Model::sliding_window},
    {"sliding_layers", &Model::sliding_layers},
    {"sliding_kv_heads", &Model::sliding_kv_heads},
    {"sliding_head_dim", &Model::sliding_head_dim},
    {"kv_latent_dim", &Model::kv_latent_dim},
    {"q_lora_rank", &Model::q_lora_rank, 0},
    {"qk_nope_head_dim", &Model::qk_nope_head_dim},
    {"qk_rope_head_dim", &Model::qk_rope_head_dim},
    {"v_head_dim", &Model::v_head_dim},
    {"state_bytes", &Model::state_bytes, 0},
    {"decoder_layers", &Model::decoder_layers},
    {"decoder_heads", &Model::decoder_heads},
    {"max_target_positions", &Model::max_target_positions},
    {"max_source_positions", &Model::max_source_positions},
    {"unquantized_params", &Model::unquantized_params, 0},
};

/// Refuses (22023) a figure that no model has. The table's CHECKs say the same of its rows; a row
/// made by hand comes this way.
void check_model(const Model& model);

}  // namespace gpu_advisor
