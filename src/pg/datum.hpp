// SQL values to plain C++ values and back. Everything here may raise, so no destructor may be
// waiting in the frames above.
#pragma once

#include <optional>
#include <string_view>

#include "core/model.hpp"
#include "core/need.hpp"
#include "pg/guard.hpp"

namespace gpu_advisor::pg {

/// The characters of a text argument; they live as long as the current memory context.
std::string_view text_view(Datum text);

inline std::optional<std::string_view> optional_text(FunctionCallInfo fcinfo, int arg) {
  if (PG_ARGISNULL(arg)) return std::nullopt;
  return text_view(PG_GETARG_DATUM(arg));
}

inline std::optional<double> optional_float(FunctionCallInfo fcinfo, int arg) {
  if (PG_ARGISNULL(arg)) return std::nullopt;
  return PG_GETARG_FLOAT8(arg);
}

/// Raises 22023 (naming `what`) for an array that would take long to read.
void check_length(const ArrayType* array, const char* what);

/// A one-dimensional array of texts without NULLs, as plain pointers.
struct TextArray {
  const std::string_view* items = nullptr;
  int count = 0;
};
/// Raises 22023 (naming `what`) for a NULL inside, more than one dimension, or too many elements.
TextArray text_array(ArrayType* array, const char* what);

/// Strings as a text[].
ArrayType* text_array_datum(const CStrings& strings);

/// A row of gpu_models, by the names of its columns.
Model model_row(FunctionCallInfo fcinfo, HeapTupleHeader row);

/// The datum of a gpu_need: the ladder for the fit test, then the need in its binary form.
struct NeedDatum {
  std::int32_t vl_len_;
  std::int32_t rung_count;
  Rung rungs[FLEXIBLE_ARRAY_MEMBER];

  std::string_view binary() const {
    const auto* end = reinterpret_cast<const char*>(rungs + rung_count);
    const auto* start = reinterpret_cast<const char*>(this);
    return {end, VARSIZE_ANY(start) - static_cast<std::size_t>(end - start)};
  }
};

inline const NeedDatum* need_arg(FunctionCallInfo fcinfo, int arg) {
  // The type is stored plain and aligned, so this copies nothing.
  return reinterpret_cast<const NeedDatum*>(PG_DETOAST_DATUM(PG_GETARG_DATUM(arg)));
}

/// For use under run_core().
NeedDatum* core_need_datum(const Need& need);
Need core_need(const NeedDatum* datum, std::size_t longest_name = kLongestName);

}  // namespace gpu_advisor::pg
