// The config reader on arbitrary bytes: an Error or a row that makes sense, nothing else.
// Seeds: test/data/configs.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/config.hpp"

namespace {

using gpu_advisor::Figure;
using gpu_advisor::Model;

void require(bool holds) {
  if (!holds) std::abort();
}

/// a <= b, where both are known.
bool at_most(const Figure& a, const Figure& b) { return !a || !b || *a <= *b; }

void check(const Model& model) {
  for (const auto& column : gpu_advisor::kModelColumns) {
    require((model.*column.figure).value_or(0) >= 0);
  }
  for (const auto figure :
       {&Model::layers, &Model::attention_heads, &Model::head_dim, &Model::intermediate_size,
        &Model::vocab_size, &Model::max_context, &Model::sliding_window, &Model::kv_latent_dim}) {
    require((model.*figure).value_or(1) > 0);
    require((model.*figure).value_or(1) <= INT32_MAX);
  }
  require(model.layers.has_value() && *model.layers > 0);
  require(model.hidden_size.has_value() && model.vocab_size.has_value());
  require(at_most(model.kv_layers, model.layers));
  require(at_most(model.sliding_layers, model.kv_layers ? model.kv_layers : model.layers));
  require(at_most(model.sliding_kv_heads, model.attention_heads));
  require(at_most(model.unquantized_params, model.params));
  require(model.sliding_layers.has_value() == model.sliding_window.has_value());
  require(at_most(model.kv_heads, model.attention_heads));
  require(at_most(model.experts_per_token, model.experts));
  // Without attention there is no layer with a cache.
  require(model.attention_heads.has_value() || model.kv_layers == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  // What follows a zero byte is the index of the weights.
  const std::size_t zero = all.find('\0');
  const std::string_view config = all.substr(0, zero);
  const std::string_view index =
      zero == std::string_view::npos ? std::string_view() : all.substr(zero + 1);
  try {
    check(gpu_advisor::model_from_config({"fuzzed", config, index, {}}).model);
  } catch (const gpu_advisor::Error&) {
  }
  return 0;
}
