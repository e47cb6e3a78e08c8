// What a model_type means beyond the figures of its file: a table with a row for each
// architecture. Internal to the config reader.
#pragma once

#include <string_view>

namespace gpu_advisor::config {

/// Which layers have a sliding window, where no list of layers says so.
enum class Window {
  unknown,  ///< a window is not understood
  all,      ///< every layer
  by_flag,  ///< only with use_sliding_window, and then the layers from max_window_layers on
  every_2nd_full,
  every_4th_full,
  every_6th_full,
};

/// What a recurrent layer keeps of each request.
enum class State { unknown, delta_net, mamba1, mamba2, kda, lightning, short_conv };

/// Whether the output head is the embedding where tie_word_embeddings is absent.
enum class Tie { unknown, tied, untied };

/// How its parameters are counted; none: not counted, for want of proof.
enum class Count {
  none,
  decoder,  ///< the layout of the row below
  falcon,
  gpt2,
  opt,
  mamba,
  jamba,
  nemotron_h,
  delta_net,  ///< Qwen3-Next, Qwen3.5
};

/// A detail of the layout: always, never, or as a key of the file says.
struct Detail {
  std::string_view key;
  bool otherwise;  ///< what holds where there is no key, or the key is absent
};
inline constexpr Detail kNever{"", false};
inline constexpr Detail kAlways{"", true};

enum class QkNorm { none, head, full };        ///< one weight a head dimension, or one a channel
enum class Norm { none, rms, layer_norm };     ///< no weights, weights, weights and biases
enum class Shared { none, by_number, gated };  ///< shared experts: n_shared_experts, or Qwen's
enum class Routing { plain, biased, biased_by_topk_method };

struct Architecture {
  std::string_view model_type;
  bool kv_is_heads = false;       ///< num_key_value_heads absent means as many as attention heads
  bool derives_head_dim = false;  ///< head_dim absent means hidden_size / heads
  Tie tie = Tie::unknown;
  Window window = Window::unknown;
  /// Whether its class has a window of its own where sliding_window is absent, and not null.
  bool window_by_default = false;
  State state = State::unknown;
  Count count = Count::none;

  // The layout of Count::decoder.
  Detail qkv_bias = kNever;
  Detail out_bias = kNever;
  Detail mlp_bias = kNever;
  Detail head_bias = kNever;
  Detail qk_norm_on = kAlways;  ///< whether qk_norm applies
  QkNorm qk_norm = QkNorm::none;
  Norm norm = Norm::rms;
  int norms = 2;  ///< a layer
  int mlp_matrices = 3;
  Shared shared = Shared::none;
  Routing routing = Routing::plain;
  bool expert_bias = false;  ///< and attention sinks: gpt-oss
};

/// The row of a model_type; one that knows nothing where the type is not in the table.
const Architecture& architecture_of(std::string_view model_type);
bool is_known(const Architecture& architecture);
/// Encoders and the like, which generate no text: they have no cache to size.
bool generates_no_text(std::string_view model_type);

}  // namespace gpu_advisor::config
