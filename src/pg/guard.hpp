// The one way from PostgreSQL into the core and back. The core throws, PostgreSQL raises
// (longjmp); neither may pass through the other's frames. So every SQL function
//   1. decodes its arguments into trivially destructible values (PostgreSQL may raise here),
//   2. calls the core under run_core(), which catches everything and calls nothing that raises,
//   3. encodes the result, again with no destructor in sight.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "core/poll.hpp"
#include "pg/postgres.hpp"

namespace gpu_advisor::pg {

/// A caught exception as plain characters: it survives the longjmp of ereport.
struct Failure {
  bool caught = false;
  bool interrupted = false;
  char state[6] = {};
  char message[1024] = {};
  char hint[1024] = {};

  void set(const char* sqlstate, std::string_view what, std::string_view advice) noexcept;
};

[[noreturn]] void raise(const Failure& failure);

/// As raise(), but into `context` where the caller asked for soft errors (PostgreSQL 16 on).
void raise_soft(const Failure& failure, fmNodePtr context);

/// What ends the core's work where the statement is cancelled or the session ended.
struct Interrupted {};

/// The Poll of every call from here: throws Interrupted where CHECK_FOR_INTERRUPTS() would raise.
void poll_interrupts();

/// Runs `body` and catches whatever it throws. Returns what it caught.
template <typename Body>
Failure catch_core(Body&& body) noexcept {
  Failure failure;
  try {
    body();
  } catch (const Error& e) {
    failure.set(e.state(), e.what(), e.hint());
  } catch (const Interrupted&) {
    failure.set("57014", "canceling statement due to user request", "");
    failure.interrupted = true;
  } catch (const std::bad_alloc&) {
    failure.set("53200", "out of memory", "");
  } catch (const std::exception& e) {
    failure.set("XX000", e.what(), "");
  } catch (...) {
    failure.set("XX000", "unknown C++ exception", "");
  }
  return failure;
}

/// Runs `body` and returns its result, or raises what it threw as a PostgreSQL error. The result
/// must be plain, since an error may be raised over it later.
template <typename Body>
auto run_core(Body&& body) {
  using Result = std::invoke_result_t<Body>;
  static_assert(std::is_trivially_destructible_v<Result>);
  Result result{};
  const Failure failure = catch_core([&] { result = body(); });
  if (failure.caught) raise(failure);
  return result;
}

/// Memory of the current context for use under run_core(): throws where PostgreSQL would raise.
void* core_palloc(std::size_t size);

/// A std::string as a text datum, or as a C string, in the current memory context; for use under
/// run_core().
text* core_text(std::string_view string);
char* core_cstring(std::string_view string);

/// Strings as a plain array of C strings.
struct CStrings {
  char** items = nullptr;
  int count = 0;
};
CStrings core_cstrings(const std::vector<std::string>& strings);

}  // namespace gpu_advisor::pg
