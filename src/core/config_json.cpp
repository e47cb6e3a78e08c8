#include "core/config_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/units.hpp"

namespace gpu_advisor::config {
namespace {

constexpr std::size_t kMaxText = std::size_t{16} << 20;
constexpr std::size_t kMaxString = std::size_t{1} << 20;
constexpr int kMaxDepth = 64;
constexpr int kMaxValues = 1'000'000;

constexpr const char* kBrokenHint =
    "Pass the file as its publisher wrote it, from the first brace to the last.";
constexpr const char* kNumberHint =
    "Correct the value in the text of the file, or insert the model's figures into gpu_models by "
    "hand.";
constexpr const char* kByHandHint =
    "Insert the model's figures into gpu_models by hand, from its documentation.";

/// Where the string that opens at `at` ends: the position of its closing quote, or the end.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at, text.size());
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '+' || c == '.';
}

/// Copies a file token by token: strings as they are, words as they are but for those that
/// JSON does not know, and counts brackets and values on the way, before any parser sees them.
class Prepare {
 public:
  Prepare(std::string_view text, const char* file, Poll poll)
      : text_(text), file_(file), poll_(poll) {
    out_.reserve(text.size() + 64);
  }

  std::string run() {
    while (at_ < text_.size()) {
      poll_();
      const char c = text_[at_];
      if (c == '"') {
        string();
      } else if (is_word(c)) {
        word();
      } else {
        structural(c);
        copy_to(at_ + 1);
      }
    }
    return std::move(out_);
  }

 private:
  void copy_to(std::size_t end) {
    out_.append(text_.substr(at_, end - at_));
    at_ = end;
  }

  /// The parser reads a string in one go, however long it is.
  void string() {
    const std::size_t end = std::min(end_of_string(text_, at_) + 1, text_.size());
    if (end - at_ > kMaxString) {
      throw invalid_argument(fmt::format("{}: a text longer than 1 MB", file_), kBrokenHint);
    }
    copy_to(end);
  }

  void word() {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word == "NaN" || word == "Infinity" || word == "-Infinity") {
      out_.append("\"").append(word).append("\"");
      at_ = end;
    } else {
      copy_to(end);
    }
  }

  void structural(char c) {
    if (c == '[' || c == '{') deeper();
    if (c == ']' || c == '}') --depth_;
    if (c == '[' || c == '{' || c == ',') one_more();
  }

  void deeper() {
    if (++depth_ > kMaxDepth) {
      throw invalid_argument(fmt::format("{}: nested deeper than {} levels", file_, kMaxDepth),
                             kBrokenHint);
    }
  }

  void one_more() {
    if (++values_ > kMaxValues) {
      throw invalid_argument(fmt::format("{}: more than {} values", file_, with_commas(kMaxValues)),
                             kBrokenHint);
    }
  }

  std::string_view text_;
  const char* file_;
  Poll poll_;
  std::string out_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int values_ = 0;
};

[[noreturn]] void throw_broken(const BrokenJson& broken, const char* file) {
  switch (broken.why) {
    case BrokenJson::Why::twice:
      // Which of the two holds is anyone's guess.
      throw invalid_argument(
          fmt::format("{}: the key {} is given twice in one object", file, shown(Json(broken.key))),
          "Remove the one that does not hold.");
    case BrokenJson::Why::range:
      throw invalid_argument(fmt::format("{}: holds a number that is out of range", file),
                             kBrokenHint);
    case BrokenJson::Why::depth:  // counted before
    case BrokenJson::Why::syntax:
      break;
  }
  // The parser's own message may repeat bytes that are no valid text.
  throw invalid_argument(fmt::format("{}: not valid JSON near byte {}", file, broken.byte),
                         kBrokenHint);
}

Document<Json> parse(const std::string& text, const char* file, Poll poll) {
  try {
    return read_document<Json>(text, kMaxDepth, poll);
  } catch (const BrokenJson& broken) {
    throw_broken(broken, file);
  }
}

/// The number if `value` is one and whole, also where it is written as 32.0.
Figure exact(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const auto number = value.get<double>();
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (!(std::fabs(number) <= kExact) || std::trunc(number) != number) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

[[noreturn]] void throw_range(const std::string& name, std::int64_t most, const Json& found) {
  throw invalid_argument(fmt::format("{} is {}, more than the {} that can be believed", name,
                                     shown(found), with_commas(most)),
                         kNumberHint);
}

std::int64_t checked(const std::string& name, const Json& value, std::int64_t most,
                     std::int64_t least) {
  const Figure number = exact(value);
  if (value.is_number() && value.get<double>() > static_cast<double>(most)) {
    throw_range(name, most, value);
  }
  if (!number || *number < least) {
    throw_wrong(name, least > 0 ? "a positive whole number" : "a whole number, zero or more",
                value);
  }
  return *number;
}

[[noreturn]] void throw_missing(const std::string& name, const std::string& others) {
  throw invalid_argument(fmt::format("{} is missing{}", name, others),
                         "A value that is left out has a default that is known to the model's "
                         "own program only: add the key, or insert the model's figures into "
                         "gpu_models by hand.");
}

}  // namespace

void throw_wrong(const std::string& name, const char* expected, const Json& found) {
  throw invalid_argument(fmt::format("{} must be {}, not {}", name, expected, shown(found)),
                         kNumberHint);
}

void throw_not_understood(std::string sentence) {
  throw invalid_argument(std::move(sentence), kByHandHint);
}

std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  constexpr std::size_t kLongest = 60;
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text.replace(kLongest, std::string::npos, "...");
  return text;
}

Document<Json> parse_object(std::string_view text, const char* file, Poll poll) {
  if (text.size() > kMaxText) {
    throw invalid_argument(fmt::format("{}: longer than 16 MB", file), kBrokenHint);
  }
  Document<Json> parsed = parse(Prepare(text, file, poll).run(), file, poll);
  if (!parsed.root().is_object()) {
    throw invalid_argument(
        fmt::format("{} must be a JSON object, not {}", file, shown(parsed.root())), kBrokenHint);
  }
  return parsed;
}

const Json* Part::find(std::string_view key) const {
  auto found = object_->find(key);
  if (found == object_->end()) {
    if (defaults_ == nullptr) return nullptr;
    found = defaults_->find(key);
    if (found == defaults_->end()) return nullptr;
  }
  return found->is_null() ? nullptr : &*found;
}

Figure Part::whole(const char* key, std::int64_t most, std::int64_t least) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  return checked(name_of(key), *value, most, least);
}

Figure Part::whole(Spellings keys, std::int64_t most, std::int64_t least) const {
  Figure found;
  const char* as = nullptr;
  for (const char* key : keys) {
    const Figure next = whole(key, most, least);
    if (next && found && *next != *found) {
      throw_not_understood(fmt::format("{} is {}, but {} is {}: they should be the same",
                                       name_of(as), *found, name_of(key), *next));
    }
    if (next && !found) {
      found = next;
      as = key;
    }
  }
  return found;
}

std::int64_t Part::needed(const char* key, std::int64_t most, std::int64_t least) const {
  return needed(Spellings(&key, 1), most, least);
}

std::int64_t Part::needed(Spellings keys, std::int64_t most, std::int64_t least) const {
  if (const Figure found = whole(keys, most, least)) return *found;
  std::string others;
  for (const char* key : keys.subspan(1)) {
    others += (others.empty() ? " (also looked for: " : ", ") + std::string(key);
  }
  if (!others.empty()) others += ")";
  throw_missing(name_of(keys.front()), others);
}

std::optional<bool> Part::flag(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) throw_wrong(name_of(key), "true or false", *value);
  return value->get<bool>();
}

std::optional<std::string> Part::text(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) throw_wrong(name_of(key), "a word", *value);
  return value->get<std::string>();
}

std::optional<Part> Part::part(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_object()) throw_wrong(name_of(key), "an object", *value);
  return Part(*value, name_of(key) + ".");
}

const Json& Part::array(const char* key, const Json& value, const char* of) const {
  if (!value.is_array()) throw_wrong(name_of(key), of, value);
  return value;
}

std::optional<std::vector<std::int64_t>> Part::numbers(const char* key, std::int64_t most) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  std::vector<std::int64_t> found;
  for (const Json& entry : array(key, *value, "a list of whole numbers")) {
    found.push_back(entry.is_boolean() ? std::int64_t{entry.get<bool>()}
                                       : checked("an entry of " + name_of(key), entry, most, 0));
  }
  return found;
}

std::optional<std::vector<std::string>> Part::words(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  std::vector<std::string> found;
  for (const Json& entry : array(key, *value, "a list of words")) {
    if (!entry.is_string()) throw_wrong("an entry of " + name_of(key), "a word", entry);
    found.push_back(entry.get<std::string>());
  }
  return found;
}

}  // namespace gpu_advisor::config
