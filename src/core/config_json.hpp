// The text of a published JSON file as objects whose keys are read with their checks.
// Internal to the config reader.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_document.hpp"
#include "core/model.hpp"
#include "core/poll.hpp"

namespace gpu_advisor::config {

using Json = nlohmann::json;

/// The largest figures that are believed; anything above is taken for a broken file. All that
/// become columns fit an integer of 32 bits.
inline constexpr std::int64_t kMaxLayers = 10'000;
inline constexpr std::int64_t kMaxHeads = 16'384;
inline constexpr std::int64_t kMaxExperts = 1'000'000;
inline constexpr std::int64_t kMaxWidth = 100'000'000;
inline constexpr std::int64_t kMaxVocab = 1'000'000'000;
inline constexpr std::int64_t kMaxTokens = 2'147'483'647;
inline constexpr std::int64_t kMaxBytes = 1'000'000'000'000'000;

/// Spellings of one thing, e.g. {"num_hidden_layers", "n_layer"}.
using Spellings = std::span<const char* const>;

/// Parses `text`; `file` names it in the errors. The words NaN, Infinity and -Infinity, which
/// published files hold although JSON has no such numbers, become strings: where a number is
/// needed, they are refused like any other word. Refused: more than 16 MB, a string of more than 1
/// MB, nesting deeper than 64, a million values, the same key twice in an object, anything but an
/// object.
Document<Json> parse_object(std::string_view text, const char* file, Poll poll = no_poll);

/// A value as an error message shows it: ASCII, cut where it is long.
std::string shown(const Json& value);

/// An object of the file. A key whose value is null counts as absent.
class Part {
 public:
  /// `defaults` holds the values of keys that the object lacks, where there are such.
  Part(const Json& object, std::string path, const Json* defaults = nullptr)
      : object_(&object), path_(std::move(path)), defaults_(defaults) {}

  /// How the errors call a key of this object, e.g. "config.json: text_config.head_dim".
  std::string name_of(std::string_view key) const { return path_ + std::string(key); }

  const Json* find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }

  /// A whole number from `least` to `most`, or empty where the key is absent.
  Figure whole(const char* key, std::int64_t most, std::int64_t least = 1) const;
  /// The same for the first spelling present; refused where two spellings disagree.
  Figure whole(Spellings keys, std::int64_t most, std::int64_t least = 1) const;
  /// The same, where absence is an error.
  std::int64_t needed(const char* key, std::int64_t most, std::int64_t least = 1) const;
  std::int64_t needed(Spellings keys, std::int64_t most, std::int64_t least = 1) const;

  std::optional<bool> flag(const char* key) const;
  bool flag_or(const char* key, bool otherwise) const { return flag(key).value_or(otherwise); }
  std::optional<std::string> text(const char* key) const;
  std::optional<Part> part(const char* key) const;
  /// An array of whole numbers (true and false count as 1 and 0), or of words.
  std::optional<std::vector<std::int64_t>> numbers(const char* key, std::int64_t most) const;
  std::optional<std::vector<std::string>> words(const char* key) const;

  const Json& json() const { return *object_; }

 private:
  const Json& array(const char* key, const Json& value, const char* of) const;

  const Json* object_;
  std::string path_;
  const Json* defaults_;
};

/// "<key> must be <expected>, not <found>".
[[noreturn]] void throw_wrong(const std::string& name, const char* expected, const Json& found);
/// A sentence about something that this reader does not understand, with the hint to enter
/// the figures by hand.
[[noreturn]] void throw_not_understood(std::string sentence);

}  // namespace gpu_advisor::config
