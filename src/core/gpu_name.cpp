#include "core/gpu_name.hpp"

#include <algorithm>
#include <array>

namespace gpu_advisor {

namespace {

using Tokens = std::vector<std::string>;

struct Prefix {
  std::string_view word;
  std::string_view maker;
};
// Not among them: words that tell cards apart. An Arc Pro A40 of Intel is no A40 of NVIDIA.
constexpr auto kPrefixes = std::to_array<Prefix>({{"nvidia", "nvidia"},
                                                  {"geforce", "nvidia"},
                                                  {"tesla", "nvidia"},
                                                  {"quadro", "nvidia"},
                                                  {"amd", "amd"},
                                                  {"radeon", "amd"},
                                                  {"instinct", "amd"},
                                                  {"intel", "intel"}});

// Between the parts of a name, and around them in lists. Not the full stop: "MIG 1g.5gb" is a part
// of a card, and no card of 5 GB.
constexpr std::string_view kSeparators = " \t\r\n\f\v-_,/()[]";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The parts in small letters. Bytes beyond ASCII are letters.
Tokens split(std::string_view written) {
  Tokens tokens(1);
  for (const char c : written) {
    if (kSeparators.find(c) == std::string_view::npos) {
      tokens.back() += lower(c);
    } else if (!tokens.back().empty()) {
      tokens.emplace_back();
    }
  }
  if (tokens.back().empty()) tokens.pop_back();
  return tokens;
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// MiB in one of the unit; 0 for what is no unit.
std::int64_t unit_mib(std::string_view unit) {
  if (one_of(unit, {"gb", "gib", "gi"})) return 1024;
  if (one_of(unit, {"mb", "mib", "mi"})) return 1;
  return 0;
}

/// The size that starts at a token: "80gb", "80g" or "80" and "gb". A size within a word is none:
/// the A10G and the T4G are cards. Neither is "980m".
struct Size {
  std::int64_t mib = 0;
  std::size_t tokens = 0;  ///< that it takes; 0 where there is none
};
Size size_at(const Tokens& tokens, std::size_t at) {
  constexpr std::size_t kMostDigits = 9;
  const std::string& token = tokens[at];
  const auto digits = static_cast<std::size_t>(
      std::find_if_not(token.begin(), token.end(), is_digit) - token.begin());
  if (digits == 0 || digits > kMostDigits) return {};
  std::string_view unit = std::string_view(token).substr(digits);
  std::size_t taken = 1;
  if (unit == "g") {
    unit = "gb";
  } else if (unit.empty() && at + 1 < tokens.size()) {
    unit = tokens[at + 1];
    taken = 2;
  }
  const std::int64_t factor = unit_mib(unit);
  if (factor == 0) return {};
  return {std::stoll(token.substr(0, digits)) * factor, taken};
}

/// A part as it counts: some say nothing, and one has two spellings.
std::string_view significant(std::string_view token) {
  if (one_of(token, {"gpu", "graphics", "generation", "tensor", "core"})) return {};
  return token == "mobile" ? "laptop" : token;
}

/// Takes the makers and their families off the start, also where they are stuck to the name.
std::string_view take_maker(std::string& name) {
  std::string_view maker;
  const auto starts = [&](const Prefix& prefix) { return name.starts_with(prefix.word); };
  for (;;) {
    const auto* const found = std::find_if(kPrefixes.begin(), kPrefixes.end(), starts);
    if (found == kPrefixes.end()) return maker;
    if (maker.empty()) maker = found->maker;
    name.erase(0, found->word.size());
  }
}

}  // namespace

std::string GpuName::key() const {
  std::string key = name + "/";
  if (mib) key += std::to_string(*mib);
  return key.append("/").append(maker);
}

std::optional<GpuName> parse_gpu_name(std::string_view written) {
  if (written.size() > kLongestGpuName) return std::nullopt;
  const Tokens tokens = split(written);
  GpuName out;
  for (std::size_t at = 0; at < tokens.size();) {
    const Size size = size_at(tokens, at);
    // A second size that differs stays in the name, which then is nobody's.
    if (size.tokens > 0 && (!out.mib || out.mib == size.mib)) {
      out.mib = size.mib;
      at += size.tokens;
    } else {
      out.name += significant(tokens[at++]);
    }
  }
  out.maker = take_maker(out.name);
  if (out.name.empty()) return std::nullopt;
  return out;
}

std::set<std::string> search_keys(const std::vector<std::string_view>& names, Poll poll) {
  std::set<std::string> keys;
  for (const std::string_view written : names) {
    poll();
    const auto parsed = parse_gpu_name(written);
    if (!parsed) continue;
    keys.insert(parsed->name);
    if (parsed->mib) keys.insert(parsed->name + "/" + std::to_string(*parsed->mib));
  }
  return keys;
}

}  // namespace gpu_advisor
