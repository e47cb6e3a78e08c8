// Reads a filled-in formula as a person would: drops the words and computes the figures, exactly.
#pragma once

#include <cctype>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gpu_advisor::test {

/// Grammar, with words (also between the figures) left out:
///   sum     = product { "+" product }
///   product = value { ("x" | "/") value }
///   value   = figure [ "GiB" ] | figure "%" "of" value | "(" sum ")" | "max" "(" sum "," sum ")"
class Formula {
 public:
  /// The value, rounded up to a whole number.
  static std::int64_t evaluate(std::string_view text) {
    // "no layer keeps a cache or a state"
    if (text.starts_with("no ") && text.find_first_of("0123456789") == text.npos) return 0;
    // "4 GPUs x 1,234 on each (how one GPU's share comes about)"
    if (const std::size_t at = text.find(kOnEach); at != text.npos) text = text.substr(0, at);
    Formula formula(text);
    const Ratio value = formula.sum();
    if (!formula.rest_.empty()) formula.fail("something is left over");
    return static_cast<std::int64_t>(value.over / value.under +
                                     (value.over % value.under != 0 ? 1 : 0));
  }

  /// What stands in the brackets of "... on each (...)"; empty where it is on one GPU.
  static std::string_view of_one_gpu(std::string_view text) {
    const std::size_t at = text.find(kOnEach);
    if (at == text.npos) return {};
    text.remove_prefix(at + kOnEach.size());
    if (!text.ends_with(")")) throw std::runtime_error("no closing bracket");
    return text.substr(0, text.size() - 1);
  }

  /// The share in "n GPUs x share on each (...)".
  static std::int64_t on_each(std::string_view text) {
    text = text.substr(0, text.find(kOnEach));
    return evaluate(text.substr(text.find(" x ") + 3));
  }

 private:
  static constexpr std::string_view kOnEach = " on each (";
  using Whole = __int128;
  struct Ratio {
    Whole over = 0;
    Whole under = 1;
  };

  explicit Formula(std::string_view text) : text_(text), rest_(text) { skip(); }

  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error(std::string(what) + " at \"" + std::string(rest_) + "\" of \"" +
                             std::string(text_) + "\"");
  }

  static bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
  static bool digit(char c) { return c >= '0' && c <= '9'; }

  /// The word that comes next: letters and hyphens.
  std::string_view word() const {
    std::size_t size = 0;
    while (size < rest_.size() && (letter(rest_[size]) || (size > 0 && rest_[size] == '-'))) ++size;
    return rest_.substr(0, size);
  }

  static bool has_meaning(std::string_view word) {
    return word.empty() || word == "x" || word == "max" || word == "GiB";
  }

  void spaces() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  /// Leaves out spaces and words without a meaning.
  void skip() {
    for (spaces(); !has_meaning(word()); spaces()) rest_.remove_prefix(word().size());
  }

  bool accept(std::string_view token) {
    const bool same = letter(token.front()) ? word() == token : rest_.starts_with(token);
    if (!same) return false;
    rest_.remove_prefix(token.size());
    skip();
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail("a bracket or comma is missing");
  }

  Ratio figure() {
    Ratio ratio;
    bool fraction = false;
    for (; !rest_.empty(); rest_.remove_prefix(1)) {
      const char c = rest_.front();
      // A comma between digits groups them; one before a space parts two values.
      const bool grouped = c == ',' && rest_.size() > 1 && digit(rest_[1]);
      if (digit(c)) {
        ratio.over = ratio.over * 10 + (c - '0');
        if (fraction) ratio.under *= 10;
      } else if (c == '.') {
        fraction = true;
      } else if (!grouped) {
        break;
      }
    }
    skip();
    return ratio;
  }

  Ratio value() {
    if (accept("max")) {
      expect("(");
      const Ratio a = sum();
      expect(",");
      const Ratio b = sum();
      expect(")");
      return a.over * b.under < b.over * a.under ? b : a;
    }
    if (accept("(")) {
      const Ratio inner = sum();
      expect(")");
      return inner;
    }
    if (rest_.empty() || !digit(rest_.front())) fail("no figure");
    Ratio ratio = figure();
    if (accept("%")) {
      ratio.under *= 100;
      return times(ratio, value());
    }
    if (accept("GiB")) ratio.over <<= 30;
    return ratio;
  }

  static Ratio times(const Ratio& a, const Ratio& b) {
    return {a.over * b.over, a.under * b.under};
  }

  Ratio product() {
    Ratio ratio = value();
    for (;;) {
      if (accept("x")) {
        ratio = times(ratio, value());
      } else if (accept("/")) {
        const Ratio by = value();
        ratio = times(ratio, {by.under, by.over});
      } else {
        return ratio;
      }
    }
  }

  Ratio sum() {
    Ratio ratio = product();
    while (accept("+")) {
      const Ratio more = product();
      ratio = {ratio.over * more.under + more.over * ratio.under, ratio.under * more.under};
    }
    return ratio;
  }

  std::string_view text_;
  std::string_view rest_;
};

}  // namespace gpu_advisor::test
