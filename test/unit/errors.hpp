// Errors of the core, as the tests look at them.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace gpu_advisor::test {

/// The Error that `call` throws; empty where it throws none. Anything else fails the test.
template <typename Call>
std::optional<Error> error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// An error with this SQLSTATE, whose message names each of `named`, and whose hint holds `hint`
/// and is not empty.
inline void expect_error(const std::optional<Error>& error, std::string_view state,
                         std::initializer_list<std::string_view> named,
                         std::string_view hint = {}) {
  ASSERT_TRUE(error) << "no error";
  const std::string message = error->what();
  EXPECT_EQ(error->state(), state) << message;
  for (const std::string_view part : named) {
    EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
  }
  EXPECT_FALSE(error->hint().empty()) << message;
  EXPECT_NE(error->hint().find(hint), std::string::npos) << error->hint();
}

}  // namespace gpu_advisor::test
