// Bytes and GiB: exact integer arithmetic that refuses to overflow.
#pragma once

#include <cstdint>
#include <string>

#include "core/error.hpp"

namespace gpu_advisor {

using Bytes = std::int64_t;

inline constexpr Bytes kGiB = Bytes{1} << 30;

/// Raised where figures have a product or a sum beyond 2^63 - 1 bytes: SQLSTATE 22003.
[[noreturn]] void throw_too_large();

/// a + b, a x b: exact, or an error. Both take non-negative figures.
Bytes add(Bytes a, Bytes b);
Bytes mul(Bytes a, Bytes b);

template <typename... More>
Bytes add(Bytes a, Bytes b, More... more) {
  return add(add(a, b), more...);
}
template <typename... More>
Bytes mul(Bytes a, Bytes b, More... more) {
  return mul(mul(a, b), more...);
}

/// a / b rounded up, for a >= 0 and b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

/// a x b / c rounded up, exact although a x b may pass 2^63.
Bytes mul_div_up(std::int64_t a, std::int64_t b, std::int64_t c);

/// Bytes as GiB, exact up to 2^53 bytes.
constexpr double to_gib(Bytes bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kGiB);
}

/// A memory size given in GiB as bytes, rounded down: what is stated fits on a GPU of just that
/// size. Refuses NaN, infinity and anything below zero, naming `what` in the error.
Bytes gib_to_bytes(double gib, const char* what);

/// 1234567 as "1,234,567".
std::string with_commas(std::int64_t figure);

/// "1 request", "4,096 requests".
std::string counted(std::int64_t figure, const char* singular);

/// Bytes as GiB with two decimals, e.g. "19.55 GiB".
std::string gib_text(Bytes bytes);

}  // namespace gpu_advisor
