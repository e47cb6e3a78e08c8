#include "core/need_codec.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/json_document.hpp"

namespace gpu_advisor {

namespace {

/// The figures of a need, in the order of the binary form: one list for both forms.
struct Field {
  const char* key;
  std::int64_t (*get)(const Need&);
  void (*set)(Need&, std::int64_t);
};

#define GPU_ADVISOR_FIELD(key, member)                        \
  Field {                                                     \
    key, [](const Need& n) { return n.member; },              \
        [](Need& n, std::int64_t value) { n.member = value; } \
  }

constexpr Field kFields[] = {
    GPU_ADVISOR_FIELD("ctx", ctx),
    GPU_ADVISOR_FIELD("conc", conc),
    GPU_ADVISOR_FIELD("attention_heads", attention_heads),
    GPU_ADVISOR_FIELD("weights_bytes", weights),
    GPU_ADVISOR_FIELD("kv_heads", kv_heads[0].heads),
    GPU_ADVISOR_FIELD("kv_head_bytes", kv_heads[0].bytes_per_head),
    GPU_ADVISOR_FIELD("sliding_kv_heads", kv_heads[1].heads),
    GPU_ADVISOR_FIELD("sliding_kv_head_bytes", kv_heads[1].bytes_per_head),
    GPU_ADVISOR_FIELD("kv_whole_bytes", kv_whole),
    GPU_ADVISOR_FIELD("adapters_bytes", adapters),
    GPU_ADVISOR_FIELD("activations_bytes", activations),
    GPU_ADVISOR_FIELD("memory_bytes", memory),
    GPU_ADVISOR_FIELD("unquantized_bytes", unquantized),
};

#undef GPU_ADVISOR_FIELD

Error invalid_text(const std::string& what) {
  return {
      sqlstate::kInvalidText, fmt::format("invalid input for type gpu_need: {}", what),
      "To size a model write gpu_need(model => '...'): with one literal alone gpu_need('...') is "
      "a cast to the type, whose text is the JSON object that gpu_need() prints."};
}

Error invalid_binary(const std::string& what) {
  return {sqlstate::kInvalidBinary, fmt::format("invalid binary gpu_need: {}", what), {}};
}

// Not the ordered one, whose erase() destroys an element twice where memory runs out.
using Json = nlohmann::json;

std::int64_t whole_number(const Json& value, const char* key) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX)
                        : value.is_number_integer();
  if (!fits)
    throw invalid_text(fmt::format("\"{}\" must be a whole number of at most 2^63 - 1", key));
  return value.get<std::int64_t>();
}

/// Takes a key out of the object, so that what is left over is unknown.
Json take(Json* object, const char* key) {
  const auto found = object->find(key);
  if (found == object->end()) throw invalid_text(fmt::format("\"{}\" is missing", key));
  Json value = *found;
  object->erase(found);
  return value;
}

std::string take_text(Json* object, const char* key) {
  const Json value = take(object, key);
  if (!value.is_string()) throw invalid_text(fmt::format("\"{}\" must be a string", key));
  return value.get<std::string>();
}

Document<Json> parse(std::string_view text) {
  // No need has a longer text, whatever its name is.
  constexpr std::size_t kLongestText = 32768;
  if (text.size() > kLongestText) {
    throw invalid_text(fmt::format("longer than {} bytes", with_commas(kLongestText)));
  }
  try {
    return read_document<Json>(text, 1);
  } catch (const BrokenJson& broken) {
    if (broken.why == BrokenJson::Why::depth) throw invalid_text("a nested value");
    if (broken.why == BrokenJson::Why::twice) throw invalid_text("a key that is given twice");
    throw invalid_text("not a JSON object");
  }
}

/// check_need(), with the error of whoever brought the need.
template <typename MakeError>
void check(const Need& need, std::size_t longest_name, MakeError make_error) {
  try {
    check_need(need, longest_name);
  } catch (const Error& error) {
    throw make_error(error.what());
  }
}

Need from_object(Json& object, std::size_t longest_name) {
  Need need;
  need.task = task_from_text(take_text(&object, "task"));
  if (need.task != Task::notebook) {
    need.model = take_text(&object, "model");
    need.kind = kind_from_text(take_text(&object, "kind"));
  }
  const std::int64_t bits = whole_number(take(&object, "bits"), "bits");
  need.bits = bits >= 0 && bits <= 16 ? static_cast<int>(bits) : 0;
  for (const Field& field : kFields)
    field.set(need, whole_number(take(&object, field.key), field.key));
  const std::int64_t total = whole_number(take(&object, "total_bytes"), "total_bytes");
  if (!object.empty()) throw invalid_text(fmt::format("unknown key \"{}\"", object.begin().key()));
  if (need.model.find('\0') != std::string::npos) throw invalid_text("a zero byte in the name");
  check(need, longest_name, invalid_text);
  if (total != need.on_each_of(1).total()) {
    throw invalid_text(fmt::format("total_bytes {} is not the sum of the items, {}", total,
                                   need.on_each_of(1).total()));
  }
  return need;
}

}  // namespace

std::string to_json(const Need& need) {
  std::string out = "{";
  const auto text = [&out](const char* key, std::string_view value) {
    const std::string quoted = Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
    out += fmt::format("\"{}\":{},", key, quoted);
  };
  const auto figure = [&out](const char* key, std::int64_t value) {
    out += fmt::format("\"{}\":{},", key, value);
  };
  if (need.task != Task::notebook) {
    text("model", need.model);
    text("kind", to_text(*need.kind));
  }
  text("task", to_text(need.task));
  figure("bits", need.bits);
  for (const Field& field : kFields) figure(field.key, field.get(need));
  figure("total_bytes", need.on_each_of(1).total());
  out.back() = '}';
  return out;
}

Need need_from_json(std::string_view text, std::size_t longest_name) {
  Document<Json> document = parse(text);
  if (!document.root().is_object()) throw invalid_text("not a JSON object");
  try {
    return from_object(document.root(), longest_name);
  } catch (const Error& error) {
    if (std::string_view(error.state()) == sqlstate::kInvalidText) throw;
    throw invalid_text(error.what());
  }
}

void check_text_need(const Need& need) { check(need, kLongestName, invalid_text); }

// --- binary -----------------------------------------------------------------------------------

namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kNoKind = 255;

void put(std::string* out, std::int64_t figure) {
  for (int shift = 56; shift >= 0; shift -= 8) {
    out->push_back(static_cast<char>(static_cast<std::uint64_t>(figure) >> shift));
  }
}

/// Reads from the front of what is left.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint8_t byte() { return static_cast<std::uint8_t>(take(1).front()); }
  std::int64_t figure() {
    std::uint64_t value = 0;
    for (const char c : take(8)) value = value << 8 | static_cast<std::uint8_t>(c);
    return static_cast<std::int64_t>(value);
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view take(std::size_t count) {
    if (bytes_.size() < count) throw invalid_binary("it ends too early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
};

}  // namespace

std::string to_binary(const Need& need) {
  std::string out;
  out.push_back(static_cast<char>(kVersion));
  out.push_back(static_cast<char>(need.task));
  out.push_back(static_cast<char>(need.kind ? static_cast<std::uint8_t>(*need.kind) : kNoKind));
  out.push_back(static_cast<char>(need.bits));
  for (const Field& field : kFields) put(&out, field.get(need));
  out += need.model;
  return out;
}

std::size_t need_binary_head() { return 4 + sizeof(std::int64_t) * std::size(kFields); }

Need need_from_binary(std::string_view bytes, std::size_t longest_name) {
  Reader reader(bytes);
  if (const int version = reader.byte(); version != kVersion) {
    throw invalid_binary(fmt::format("version {} is not known here", version));
  }
  Need need;
  const std::uint8_t task = reader.byte();
  const std::uint8_t kind = reader.byte();
  if (task > static_cast<std::uint8_t>(Task::notebook)) throw invalid_binary("an unknown task");
  if (kind != kNoKind && kind > static_cast<std::uint8_t>(Kind::image)) {
    throw invalid_binary("an unknown kind of model");
  }
  need.task = static_cast<Task>(task);
  if (kind != kNoKind) need.kind = static_cast<Kind>(kind);
  need.bits = reader.byte();
  for (const Field& field : kFields) field.set(need, reader.figure());
  need.model = reader.rest();
  if (need.model.find('\0') != std::string::npos) throw invalid_binary("a zero byte in the name");
  check(need, longest_name, invalid_binary);
  return need;
}

}  // namespace gpu_advisor
