#include "pg/guard.hpp"

#include <algorithm>
#include <cstring>

namespace gpu_advisor::pg {

namespace {

/// Copies as much as fits, and no half of a multibyte character.
template <std::size_t N>
void copy(char (&to)[N], std::string_view from) noexcept {
  std::size_t size = from.size();
  if (size > N - 1) {
    size = static_cast<std::size_t>(
        pg_mbcliplen(from.data(), static_cast<int>(N - 1), static_cast<int>(N - 1)));
  }
  std::memcpy(to, from.data(), size);
  to[size] = '\0';
}

int report(const Failure& failure) {
  errcode(MAKE_SQLSTATE(failure.state[0], failure.state[1], failure.state[2], failure.state[3],
                        failure.state[4]));
  errmsg("%s", failure.message);
  if (failure.hint[0] != '\0') errhint("%s", failure.hint);
  return 0;
}

}  // namespace

void Failure::set(const char* sqlstate, std::string_view what, std::string_view advice) noexcept {
  caught = true;
  copy(state, sqlstate);
  copy(message, what);
  copy(hint, advice);
}

void raise(const Failure& failure) {
  // It says why: a timeout, a request, the end of the session.
  if (failure.interrupted) CHECK_FOR_INTERRUPTS();
  ereport(ERROR, (report(failure)));
  pg_unreachable();
}

void raise_soft(const Failure& failure, fmNodePtr context) { errsave(context, (report(failure))); }

void poll_interrupts() {
  if (!InterruptPending || InterruptHoldoffCount != 0 || CritSectionCount != 0) return;
  if (ProcDiePending || (QueryCancelPending && QueryCancelHoldoffCount == 0)) throw Interrupted();
}

void* core_palloc(std::size_t size) {
  // An oversized request raises in spite of NO_OOM, so it is refused here.
  void* memory = size < MaxAllocSize ? palloc_extended(size, MCXT_ALLOC_NO_OOM) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

text* core_text(std::string_view string) {
  auto* datum = static_cast<text*>(core_palloc(VARHDRSZ + string.size()));
  SET_VARSIZE(datum, VARHDRSZ + string.size());
  std::memcpy(VARDATA(datum), string.data(), string.size());
  return datum;
}

char* core_cstring(std::string_view string) {
  auto* copy = static_cast<char*>(core_palloc(string.size() + 1));
  std::memcpy(copy, string.data(), string.size());
  copy[string.size()] = '\0';
  return copy;
}

CStrings core_cstrings(const std::vector<std::string>& strings) {
  CStrings out;
  out.items = static_cast<char**>(core_palloc(sizeof(char*) * (strings.size() + 1)));
  for (const std::string& string : strings) out.items[out.count++] = core_cstring(string);
  return out;
}

}  // namespace gpu_advisor::pg
