// What a user asks the recommender, as SQL: countries, preferences, the name of a model.
#include "core/request.hpp"

#include <cstring>

#include "core/countries.hpp"
#include "pg/datum.hpp"

namespace gpu_advisor::pg {

namespace {

/// The list that a call site saw last, and its expansion: a generic plan asks for the same one for
/// every row.
struct CountryCache {
  ArrayType* codes;
  ArrayType* expanded;
};

bool same_bytes(const ArrayType* a, const ArrayType* b) {
  return VARSIZE(a) == VARSIZE(b) && std::memcmp(a, b, VARSIZE(a)) == 0;
}

ArrayType* expanded(ArrayType* array) {
  const TextArray codes = text_array(array, "countries");
  const CStrings out = run_core([&] {
    return core_cstrings(expand_countries({codes.items, codes.items + codes.count}));
  });
  return text_array_datum(out);
}

}  // namespace

// gpu_countries(codes text[]) -> text[], expanded and checked
GPU_ADVISOR_FUNCTION(gpu_countries) {
  ArrayType* codes = PG_GETARG_ARRAYTYPE_P(0);
  auto* cache = static_cast<CountryCache*>(fcinfo->flinfo->fn_extra);
  if (cache == nullptr || !same_bytes(cache->codes, codes)) {
    ArrayType* result = expanded(codes);
    MemoryContext caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
    if (cache == nullptr) {
      cache = static_cast<CountryCache*>(palloc0(sizeof(CountryCache)));
    } else {
      pfree(cache->codes);
      pfree(cache->expanded);
    }
    cache->codes = DatumGetArrayTypePCopy(PointerGetDatum(codes));
    cache->expanded = DatumGetArrayTypePCopy(PointerGetDatum(result));
    MemoryContextSwitchTo(caller);
    fcinfo->flinfo->fn_extra = cache;
  }
  PG_RETURN_ARRAYTYPE_P(cache->expanded);
}

// check_request(model, bits, ctx, conc, memory_gib, budget, max_price, tier) -> true, or an error
GPU_ADVISOR_FUNCTION(gpu_check_request) {
  const auto figure = [fcinfo](int arg) -> std::optional<std::int64_t> {
    if (PG_ARGISNULL(arg)) return std::nullopt;
    return PG_GETARG_INT64(arg);
  };
  const Request request{!PG_ARGISNULL(0),
                        figure(1),
                        figure(2),
                        figure(3),
                        optional_float(fcinfo, 4),
                        optional_float(fcinfo, 5),
                        optional_float(fcinfo, 6),
                        optional_text(fcinfo, 7)};
  PG_RETURN_BOOL(run_core([&] {
    check_request(request);
    return true;
  }));
}

// name_distance(a, b) -> how many letters apart two names are (Levenshtein), capped by length
GPU_ADVISOR_FUNCTION(gpu_name_distance) {
  const std::string_view a = text_view(PG_GETARG_DATUM(0));
  const std::string_view b = text_view(PG_GETARG_DATUM(1));
  constexpr std::size_t kLongest = 255;  // what the server's function takes
  const auto clipped = [](std::string_view s) {
    return s.size() <= kLongest
               ? static_cast<int>(s.size())
               : pg_mbcliplen(s.data(), static_cast<int>(kLongest), static_cast<int>(kLongest));
  };
  PG_RETURN_INT32(varstr_levenshtein(a.data(), clipped(a), b.data(), clipped(b), 1, 1, 1, true));
}

}  // namespace gpu_advisor::pg
