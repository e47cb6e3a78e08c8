// What the core throws. The SQLSTATE travels with the error, so that the boundary
// (src/pg/guard.hpp) need not guess it.
#pragma once

#ifdef POSTGRES_H
#error "core headers know no PostgreSQL: include them before postgres.h"
#endif

#include <exception>
#include <string>
#include <utility>

namespace gpu_advisor {

/// SQLSTATEs that the core uses (PostgreSQL documentation, appendix A).
namespace sqlstate {
inline constexpr const char* kInvalidParameter = "22023";
inline constexpr const char* kOutOfRange = "22003";
inline constexpr const char* kInvalidText = "22P02";
inline constexpr const char* kInvalidBinary = "22P03";
}  // namespace sqlstate

/// An error made for the person who typed the call: `what()` says what is wrong and what
/// was given, `hint()` what to write instead (may be empty).
class Error : public std::exception {
 public:
  Error(const char* state, std::string message, std::string hint = {})
      : state_(state), message_(std::move(message)), hint_(std::move(hint)) {}

  const char* what() const noexcept override { return message_.c_str(); }
  const char* state() const noexcept { return state_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  const char* state_;
  std::string message_;
  std::string hint_;
};

/// A wrong argument: SQLSTATE 22023.
inline Error invalid_argument(std::string message, std::string hint = {}) {
  return {sqlstate::kInvalidParameter, std::move(message), std::move(hint)};
}

}  // namespace gpu_advisor
