// Whatever stands in a column or comes over the wire: a need that goes out as it came in, or an
// Error. Anything else, an exception of another kind above all, is a fault.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "core/need_codec.hpp"

namespace {

using gpu_advisor::Need;

void require(bool holds) {
  if (!holds) std::abort();
}

template <typename Read>
std::optional<Need> accepted(Read read, std::string_view input, std::string_view state) {
  try {
    return read(input);
  } catch (const gpu_advisor::Error& error) {
    require(error.state() == state);
    return std::nullopt;
  }
}

/// What is accepted was checked, and all that is asked of a need can be answered.
void use(const Need& need) {
  gpu_advisor::check_need(need);
  gpu_advisor::ladder(need);
  require(need.on_each_of(2).total() <= need.on_each_of(1).total());
}

void fuzz_json(std::string_view text) {
  const auto need =
      accepted([](auto input) { return gpu_advisor::need_from_json(input); }, text, "22P02");
  if (!need) return;
  use(*need);
  require(gpu_advisor::need_from_json(gpu_advisor::to_json(*need)) == *need);
  require(gpu_advisor::need_from_binary(gpu_advisor::to_binary(*need)) == *need);
}

void fuzz_binary(std::string_view bytes) {
  const auto need =
      accepted([](auto input) { return gpu_advisor::need_from_binary(input); }, bytes, "22P03");
  if (!need) return;
  use(*need);
  require(gpu_advisor::to_binary(*need) == bytes);
  gpu_advisor::to_json(*need);  // a name in another encoding than UTF-8 need not read back
}

Need sample() {
  Need need;
  need.model = "meta-llama/Llama-3.1-8B";
  need.kind = gpu_advisor::Kind::language;
  need.attention_heads = 32;
  need.weights = 16'060'522'496;
  need.kv_heads[0] = {8, 67'108'864};
  need.kv_heads[1] = {16, 1024};
  return need;
}

/// A sound text with pieces of it overwritten: the input is a list of where and what.
std::string patched(std::string text, std::string_view patches) {
  while (patches.size() >= 3) {
    const std::size_t at =
        static_cast<std::uint8_t>(patches[0]) * 256U + static_cast<std::uint8_t>(patches[1]);
    text[at % text.size()] = patches[2];
    patches.remove_prefix(3);
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      fuzz_json(input);
      break;
    case 1:
      fuzz_binary(input);
      break;
    case 2:
      fuzz_json(patched(gpu_advisor::to_json(sample()), input));
      break;
    default:
      fuzz_binary(patched(gpu_advisor::to_binary(sample()), input));
  }
  return 0;
}
