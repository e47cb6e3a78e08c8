// What a user asks the recommender, as SQL: countries, preferences, the name of a model.
#include "core/request.hpp"
#include "core/countries.hpp"
#include "pg/datum.hpp"

namespace gpu_advisor::pg {

// gpu_countries(codes text[]) -> text[], expanded and checked
GPU_ADVISOR_FUNCTION(gpu_countries) {
  const TextArray codes = text_array(PG_GETARG_DATUM(0), "countries");
  const CStrings expanded = run_core([&] {
    return core_cstrings(expand_countries({codes.items, codes.items + codes.count}));
  });
  auto* values =
      static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<std::size_t>(expanded.count + 1)));
  for (int i = 0; i < expanded.count; ++i) values[i] = CStringGetTextDatum(expanded.items[i]);
  PG_RETURN_ARRAYTYPE_P(construct_array(values, expanded.count, TEXTOID, -1, false, TYPALIGN_INT));
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
