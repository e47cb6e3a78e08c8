// The steps of the config reader, one file each. Internal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.hpp"
#include "core/config_architecture.hpp"
#include "core/config_json.hpp"
#include "core/model.hpp"

namespace gpu_advisor::config {

/// The file in hand: the whole of it, the part that describes the language model (the same
/// object, unless that is nested), and what is known of its architecture.
struct Source {
  Part top;
  Part text;
  std::string model_type;  ///< of the text part; empty where the file has none
  const Architecture& architecture;
  std::vector<std::string>& notes;

  /// "model_type falcon", for sentences.
  std::string type_text() const;
};

inline constexpr const char* kLayerKeys[] = {"num_hidden_layers", "n_layer", "n_layers",
                                             "num_layers"};
inline constexpr const char* kExpertWidthKeys[] = {
    "moe_intermediate_size", "expert_intermediate_size", "expert_ffn_hidden_size"};

/// What a layer keeps of a request.
enum class Layer : std::uint8_t { full, sliding, recurrent, nothing };

/// Layer by layer, from whichever list, pattern or rule the file and its architecture use.
std::vector<Layer> read_layers(const Source& source, std::int64_t count, Figure context);

/// attention_heads, kv_heads, head_dim and the latent attention, where there is attention.
void read_heads(const Source& source, Model& model);
/// kv_layers, sliding_window, sliding_layers and the heads of the sliding layers.
void read_cache(const Source& source, const std::vector<Layer>& layers, Model& model);
/// state_bytes, where layers are recurrent.
void read_state(const Source& source, const std::vector<Layer>& layers, Model& model);

/// Whether the output head is the embedding; empty where nothing says so.
std::optional<bool> read_tied(const Source& source);
/// The parameters by the shapes; empty where the architecture's count is not proved. The
/// reason stands in `why_not` then.
Figure count_params(const Source& source, const std::vector<Layer>& layers, const Model& model,
                    std::optional<bool> tied, std::string& why_not);
Figure count_whisper(const Part& top, const Model& model);
/// Vision and audio towers; 0 where there are none, empty where they are not understood.
Figure count_towers(const Source& source, std::string& why_not);

/// params and unquantized_params.
void read_params(const Source& source, const std::vector<Layer>& layers, const ConfigInput& input,
                 Model& model);
void settle_params(const Source& source, const ConfigInput& input, Figure counted,
                   const std::string& why_not, Model& model);

}  // namespace gpu_advisor::config
