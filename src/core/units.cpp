#include "core/units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gpu_advisor {

void throw_too_large() {
  throw Error(sqlstate::kOutOfRange, "the memory needed is too large: more than 2^63 - 1 bytes",
              "Give a smaller context, fewer requests or a smaller model.");
}

Bytes add(Bytes a, Bytes b) {
  Bytes sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw_too_large();
  return sum;
}

Bytes mul(Bytes a, Bytes b) {
  Bytes product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw_too_large();
  return product;
}

Bytes mul_div_up(std::int64_t a, std::int64_t b, std::int64_t c) {
  const auto product = static_cast<__int128>(a) * b;
  const __int128 quotient = product / c + (product % c != 0 ? 1 : 0);
  if (quotient > INT64_MAX) throw_too_large();
  return static_cast<Bytes>(quotient);
}

Bytes gib_to_bytes(double gib, const char* what) {
  if (!std::isfinite(gib) || gib < 0) {
    throw invalid_argument(fmt::format("{} must be zero or more GiB, not {}", what, gib),
                           "Give a number such as 24 or 79.6.");
  }
  const double bytes = std::floor(gib * static_cast<double>(kGiB));
  if (bytes >= 0x1p63) throw_too_large();
  return static_cast<Bytes>(bytes);
}

std::string with_commas(std::int64_t figure) {
  // The core knows no locale, so fmt's {:L} is no help here.
  std::string text = fmt::format("{}", figure);
  const std::size_t first = figure < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string counted(std::int64_t figure, const char* singular) {
  return fmt::format("{} {}{}", with_commas(figure), singular, figure == 1 ? "" : "s");
}

std::string gib_text(Bytes bytes) { return fmt::format("{:.2f} GiB", to_gib(bytes)); }

}  // namespace gpu_advisor
