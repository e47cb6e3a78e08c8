// Names of GPU types, as SQL: what gpu_datasheet_memory looks for.
#include "core/gpu_name.hpp"

#include "pg/datum.hpp"

namespace gpu_advisor::pg {

// gpu_name_key(name text) -> text, or NULL where there is no name
GPU_ADVISOR_FUNCTION(gpu_name_key) {
  const std::string_view written = text_view(PG_GETARG_DATUM(0));
  const text* key = run_core([&]() -> text* {
    const auto name = parse_gpu_name(written);
    return name ? core_text(name->key()) : nullptr;
  });
  if (key == nullptr) PG_RETURN_NULL();
  PG_RETURN_TEXT_P(key);
}

// gpu_search_keys(names text[]) -> text[]
GPU_ADVISOR_FUNCTION(gpu_search_keys) {
  const TextArray names = text_array(PG_GETARG_ARRAYTYPE_P(0), "the names of a GPU type");
  const CStrings keys = run_core([&] {
    const std::set<std::string> found =
        search_keys({names.items, names.items + names.count}, poll_interrupts);
    return core_cstrings({found.begin(), found.end()});
  });
  PG_RETURN_ARRAYTYPE_P(text_array_datum(keys));
}

}  // namespace gpu_advisor::pg
