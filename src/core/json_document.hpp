// A JSON text as a tree that can be taken apart without memory. The destructor of nlohmann's values
// collects what they hold in a vector, and cannot throw: where memory has run out, it ends the
// process. So a tree belongs to a Document, and is built and taken apart here only.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/poll.hpp"

namespace gpu_advisor {

/// Why a text was not read.
struct BrokenJson {
  enum class Why { syntax, range, depth, twice };
  Why why;
  std::size_t byte = 0;  ///< where, for syntax
  std::string key;       ///< which, for twice
};

template <typename Json>
class Document {
 public:
  Document() = default;  // NOLINT(bugprone-exception-escape): null takes no memory
  Document(Document&& other) noexcept : root_(std::move(other.root_)) {}
  Document& operator=(Document&&) = delete;
  ~Document() { dismantle(root_); }

  Json& root() { return root_; }
  const Json& root() const { return root_; }

 private:
  /// From the leaves up: an empty list or object needs no memory to go.
  static void dismantle(Json& value) noexcept {
    if (auto* array = value.template get_ptr<typename Json::array_t*>()) {
      for (Json& entry : *array) dismantle(entry);
      array->clear();
    } else if (auto* object = value.template get_ptr<typename Json::object_t*>()) {
      for (auto& entry : *object) dismantle(entry.second);
      object->clear();
    }
  }

  Json root_;
};

/// Builds the tree from the parser's events.
template <typename Json>
class DocumentReader : public nlohmann::json_sax<Json> {
 public:
  DocumentReader(Json& root, std::size_t most_depth, Poll poll)
      : root_(root), most_depth_(most_depth), poll_(poll) {}

  bool null() override { return place(Json()); }
  bool boolean(bool value) override { return place(Json(value)); }
  bool number_integer(typename Json::number_integer_t value) override { return place(Json(value)); }
  bool number_unsigned(typename Json::number_unsigned_t value) override {
    return place(Json(value));
  }
  bool number_float(typename Json::number_float_t value, const std::string&) override {
    return place(Json(value));
  }
  bool string(std::string& value) override { return place(Json(std::move(value))); }
  bool binary(typename Json::binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Json::value_t::object); }
  bool key(std::string& name) override {
    auto& object = *open_.back()->template get_ptr<typename Json::object_t*>();
    const auto [found, is_new] = object.emplace(name, nullptr);
    if (!is_new) throw BrokenJson{BrokenJson::Why::twice, 0, name};
    slot_ = &found->second;
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::value_t::array); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOutOfRange = 406;
    const bool range = error.id == kNumberOutOfRange;
    throw BrokenJson{range ? BrokenJson::Why::range : BrokenJson::Why::syntax, byte, {}};
  }

 private:
  bool place(Json&& value) {
    put(std::move(value));
    return true;
  }

  Json* put(Json&& value) {
    poll_();
    Json* slot = open_.empty() ? &root_ : slot_;
    if (!open_.empty() && open_.back()->is_array()) {
      auto& array = *open_.back()->template get_ptr<typename Json::array_t*>();
      array.push_back(std::move(value));
      return &array.back();
    }
    *slot = std::move(value);
    return slot;
  }

  bool open(typename Json::value_t kind) {
    if (open_.size() >= most_depth_) throw BrokenJson{BrokenJson::Why::depth, 0, {}};
    open_.push_back(put(Json(kind)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json& root_;
  std::size_t most_depth_;
  Poll poll_;
  std::vector<Json*> open_;
  Json* slot_ = nullptr;  ///< the value of the key that was read last
};

/// Reads a text that nests no deeper than `most_depth`; throws BrokenJson.
template <typename Json>
Document<Json> read_document(std::string_view text, std::size_t most_depth, Poll poll = no_poll) {
  Document<Json> document;
  DocumentReader<Json> reader(document.root(), most_depth, poll);
  Json::sax_parse(text, &reader);
  return document;
}

}  // namespace gpu_advisor
