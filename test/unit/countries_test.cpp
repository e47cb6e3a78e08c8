// Country codes: ISO 3166-1, and EU.
#include "core/countries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "errors.hpp"

namespace gpu_advisor {
namespace {

using test::error_of;
using test::expect_error;
using Codes = std::vector<std::string>;

bool is_known(std::string_view code) {
  return !error_of([&] { expand_countries({code}); });
}

TEST(Countries, AreInUpperCaseSortedAndEachOnce) {
  EXPECT_EQ(expand_countries({"us", "DE", "jp", "De"}), (Codes{"DE", "JP", "US"}));
}

TEST(Countries, EuStandsForIts27MemberStates) {
  const Codes members{"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES",
                      "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU",
                      "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK"};
  ASSERT_EQ(members.size(), 27U);
  EXPECT_EQ(expand_countries({"EU"}), members);
  EXPECT_EQ(expand_countries({"eu", "DE", "EU"}), members);
}

TEST(Countries, EuHasNoTerritoryWithACodeOfItsOwn) {
  const Codes eu = expand_countries({"EU"});
  for (const char* territory : {"RE", "GP", "MQ", "GF", "YT", "MF", "AX", "GB", "CH", "NO"}) {
    EXPECT_FALSE(std::binary_search(eu.begin(), eu.end(), territory)) << territory;
    EXPECT_TRUE(is_known(territory)) << territory;
  }
  EXPECT_EQ(expand_countries({"EU", "RE"}).size(), 28U);
}

TEST(Countries, AreThe249OfIso3166) {
  int known = 0;
  for (char a = 'A'; a <= 'Z'; ++a) {
    for (char b = 'A'; b <= 'Z'; ++b) known += is_known(std::string{a, b}) ? 1 : 0;
  }
  EXPECT_EQ(known, 249 + 1) << "and EU";
  // Reserved, withdrawn, user-assigned, and two that only look like codes across a boundary.
  for (const char* code : {"UK", "EL", "AN", "SU", "YU", "XK", "EZ", "UN", "ZZ", "DA", "WZ"}) {
    EXPECT_FALSE(is_known(code)) << code;
  }
}

TEST(Countries, RefuseAnEmptyList) {
  expect_error(error_of([] { expand_countries({}); }), "22023", {"countries", "empty"}, "NULL");
}

TEST(Countries, RefuseUnknownCodes) {
  const auto given = [](std::string_view code) {
    return error_of([&] { expand_countries({"DE", code, "US"}); });
  };
  expect_error(given("XX"), "22023", {"unknown country", "\"XX\""}, "ISO 3166-1");
  expect_error(given("xx"), "22023", {"\"xx\""});
  expect_error(given("UK"), "22023", {"\"UK\""}, "GB");
  expect_error(given("uk"), "22023", {"\"uk\""}, "GB");
  expect_error(given("EL"), "22023", {"\"EL\""}, "GR");
  for (const char* code : {"", "D", "DEU", "Germany", "D\xC3\x89", " DE", "DE ", "DEUS", "ADAE"}) {
    expect_error(given(code), "22023", {"\"" + std::string(code) + "\""}, "DE, US");
  }
}

}  // namespace
}  // namespace gpu_advisor
