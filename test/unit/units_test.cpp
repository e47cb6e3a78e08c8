// Bytes and GiB: exact, or an error.
#include "core/units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "errors.hpp"

namespace gpu_advisor {
namespace {

using test::error_of;
using test::expect_error;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

void expect_too_large(const std::optional<Error>& error) {
  expect_error(error, "22003", {"too large", "2^63 - 1"}, "smaller");
}

rc::Gen<std::int64_t> figure() {
  return rc::gen::oneOf(rc::gen::nonNegative<std::int64_t>(),
                        rc::gen::inRange<std::int64_t>(0, kMost));
}

TEST(Units, AddsAndMultipliesUpToTheLastByte) {
  EXPECT_EQ(add(kMost - 1, Bytes{1}), kMost);
  EXPECT_EQ(add(1, 2, 3, 4), 10);
  EXPECT_EQ(mul(kMost, Bytes{1}), kMost);
  EXPECT_EQ(mul(2, 3, 4, 5), 120);
  EXPECT_EQ(mul(kMost, Bytes{0}), 0);
}

TEST(Units, RefusesOneByteMore) {
  expect_too_large(error_of([] { add(kMost, Bytes{1}); }));
  expect_too_large(error_of([] { add(kMost - 2, 1, 1, 1); }));
  expect_too_large(error_of([] { mul(std::int64_t{1} << 32, std::int64_t{1} << 31); }));
  expect_too_large(error_of([] { mul(1 << 20, 1 << 20, 1 << 20, 1 << 20); }));
}

// Against 128-bit arithmetic: the same figure, or an error exactly where it does not fit.
RC_GTEST_PROP(Units, SumsAndProductsAreExactOrRefused, ()) {
  const auto a = *figure();
  const auto b = *figure();
  const auto agrees = [](const auto& call, __int128 expected) {
    const auto error = error_of([&] { RC_ASSERT(call() == expected); });
    RC_ASSERT(error.has_value() == (expected > kMost));
    if (error) RC_ASSERT(std::string(error->state()) == "22003");
  };
  agrees([&] { return add(a, b); }, static_cast<__int128>(a) + b);
  agrees([&] { return mul(a, b); }, static_cast<__int128>(a) * b);
}

RC_GTEST_PROP(Units, DivisionsRoundUp, ()) {
  const auto a = *figure();
  const auto c = *rc::gen::suchThat(figure(), [](std::int64_t v) { return v > 0; });
  const std::int64_t up = ceil_div(a, c);
  RC_ASSERT(static_cast<__int128>(up) * c >= a);
  RC_ASSERT(static_cast<__int128>(up - 1) * c < a);
  RC_ASSERT(mul_div_up(a, c, c) == a);
}

RC_GTEST_PROP(Units, MulDivUpIsExactOrRefused, ()) {
  const auto a = *figure();
  const auto b = *figure();
  const auto c = *rc::gen::inRange<std::int64_t>(1, 10'000);
  const __int128 product = static_cast<__int128>(a) * b;
  const __int128 expected = product / c + (product % c > 0);
  const auto error = error_of([&] { RC_ASSERT(mul_div_up(a, b, c) == expected); });
  RC_ASSERT(error.has_value() == (expected > kMost));
  if (error) RC_ASSERT(std::string(error->state()) == "22003");
}

TEST(Units, MulDivUpPassesTheProductOf63Bits) {
  EXPECT_EQ(mul_div_up(kMost, 8, 8), kMost);
  EXPECT_EQ(mul_div_up(8'030'261'248, 4127, 8000), 4'142'611'022);  // QLoRA's Llama 3.1 8B
  EXPECT_EQ(mul_div_up(1, 4, 8), 1);
  EXPECT_EQ(mul_div_up(2, 4, 8), 1);
  EXPECT_EQ(mul_div_up(3, 4, 8), 2);
}

TEST(Units, GibAreBytesRoundedUp) {
  EXPECT_EQ(gib_to_bytes(0, "memory_gib"), 0);
  EXPECT_EQ(gib_to_bytes(24, "memory_gib"), 24 * kGiB);
  EXPECT_EQ(gib_to_bytes(0.5, "memory_gib"), kGiB / 2);
  EXPECT_EQ(gib_to_bytes(79.6, "memory_gib"), 85'469'849'190);  // 85,469,849,190.4
  EXPECT_EQ(gib_to_bytes(std::numeric_limits<double>::denorm_min(), "memory_gib"), 0);
}

TEST(Units, RefusesGibThatAreNone) {
  const auto given = [](double gib) { return error_of([&] { gib_to_bytes(gib, "memory_gib"); }); };
  expect_error(given(-1), "22023", {"memory_gib", "-1"}, "24");
  expect_error(given(-1e-9), "22023", {"memory_gib", "-1e-09"});
  expect_error(given(std::nan("")), "22023", {"memory_gib", "nan"});
  expect_error(given(std::numeric_limits<double>::infinity()), "22023", {"memory_gib", "inf"});
  expect_too_large(given(8589934592.0));  // 2^33 GiB are 2^63 bytes
  EXPECT_EQ(gib_to_bytes(std::nextafter(8589934592.0, 0), "memory_gib"), kMost - 1023);
}

RC_GTEST_PROP(Units, BytesSurviveGib, ()) {
  const auto bytes = *rc::gen::inRange<std::int64_t>(0, (std::int64_t{1} << 53) + 1);
  RC_ASSERT(gib_to_bytes(to_gib(bytes), "memory_gib") == bytes);
}

TEST(Units, FiguresAreGroupedByThousands) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(128'256), "128,256");
  EXPECT_EQ(with_commas(1'234'567), "1,234,567");
  EXPECT_EQ(with_commas(-999), "-999");
  EXPECT_EQ(with_commas(-1000), "-1,000");
  EXPECT_EQ(with_commas(kMost), "9,223,372,036,854,775,807");
  EXPECT_EQ(with_commas(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Units, CountsHaveTheirPlural) {
  EXPECT_EQ(counted(1, "request"), "1 request");
  EXPECT_EQ(counted(4096, "request"), "4,096 requests");
  EXPECT_EQ(counted(0, "request"), "0 requests");
}

TEST(Units, GibHaveTwoDecimals) {
  EXPECT_EQ(gib_text(20'990'613'914), "19.55 GiB");
  EXPECT_EQ(gib_text(kGiB), "1.00 GiB");
  EXPECT_EQ(gib_text(0), "0.00 GiB");
}

}  // namespace
}  // namespace gpu_advisor
