// What the recommender refuses to be asked.
#include "core/request.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "errors.hpp"

namespace gpu_advisor {
namespace {

using test::error_of;
using test::expect_error;

Request asked() {
  Request r;
  r.has_model = true;
  r.bits = 16;
  r.ctx = 4096;
  r.conc = 1;
  r.tier = "both";
  return r;
}

Request notebook() {
  Request r = asked();
  r.has_model = false;
  r.memory_gib = 24;
  return r;
}

std::optional<Error> refused(const Request& r) {
  return error_of([&] { check_request(r); });
}

TEST(RequestCheck, AcceptsAModelOrANotebook) {
  EXPECT_FALSE(refused(asked()));
  EXPECT_FALSE(refused(notebook()));
}

TEST(RequestCheck, RefusesNeitherAndBoth) {
  Request neither = asked();
  neither.has_model = false;
  expect_error(refused(neither), "22023", {"neither", "model", "memory_gib"}, "notebook");
  Request both = asked();
  both.memory_gib = 24;
  expect_error(refused(both), "22023", {"both", "model", "memory_gib"}, "memory_gib");
}

TEST(RequestCheck, RefusesNullWhereAFigureIsNeeded) {
  const auto without = [](std::optional<std::int64_t> Request::*figure) {
    Request r = asked();
    (r.*figure).reset();
    return refused(r);
  };
  expect_error(without(&Request::bits), "22023", {"bits", "NULL"}, "16");
  expect_error(without(&Request::ctx), "22023", {"ctx", "NULL"}, "4096");
  expect_error(without(&Request::conc), "22023", {"conc", "NULL"}, "1");
}

TEST(RequestCheck, RefusesMoneyThatIsNone) {
  using Money = std::optional<double> Request::*;
  const auto given = [](Money money, double amount) {
    Request r = asked();
    r.*money = amount;
    return refused(r);
  };
  const std::pair<Money, const char*> figures[] = {{&Request::budget, "budget"},
                                                   {&Request::max_price, "max_price"}};
  for (const auto& [money, name] : figures) {
    expect_error(given(money, -0.01), "22023", {name, "-0.01"}, "NULL");
    expect_error(given(money, std::nan("")), "22023", {name, "nan"}, "NULL");
    expect_error(given(money, std::numeric_limits<double>::infinity()), "22023", {name, "inf"});
    expect_error(given(money, -std::numeric_limits<double>::infinity()), "22023", {name, "-inf"});
    EXPECT_FALSE(given(money, 0));
    EXPECT_FALSE(given(money, 2.5));
  }
}

TEST(RequestCheck, RefusesAnUnknownTier) {
  const auto given = [](std::optional<std::string_view> tier) {
    Request r = asked();
    r.tier = tier;
    return refused(r);
  };
  for (const char* tier : {"secure", "community", "both"}) EXPECT_FALSE(given(tier)) << tier;
  for (const char* tier : {"", "Secure", "any", "secure "}) {
    expect_error(given(tier), "22023", {"unknown tier", "\"" + std::string(tier) + "\""},
                 "secure, community or both");
  }
  expect_error(given(std::nullopt), "22023", {"tier", "NULL"}, "secure, community or both");
}

}  // namespace
}  // namespace gpu_advisor
