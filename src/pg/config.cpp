// A model's row from its published config.json, as SQL.
#include "core/config.hpp"

#include <cstring>

#include "pg/datum.hpp"

namespace gpu_advisor::pg {
namespace {

/// What the core read, as plain values. The name is the caller's own.
struct ConfigRow {
  Model model;
  CStrings notes;
};

/// JSON is UTF-8 whatever the database's encoding.
std::string_view utf8_text(Datum text) {
  const std::string_view given = text_view(text);
  const int size = static_cast<int>(given.size());
  const char* utf8 = pg_server_to_any(given.data(), size, PG_UTF8);
  return utf8 == given.data() ? given : std::string_view(utf8);
}

ConfigRow read_config(const ConfigInput& input) {
  return run_core([&] {
    const ConfigModel read = model_from_config(input);
    return ConfigRow{read.model, core_cstrings(read.notes)};
  });
}

Datum figure_datum(Oid type, std::int64_t figure) {
  return type == INT8OID ? Int64GetDatum(figure) : Int32GetDatum(static_cast<std::int32_t>(figure));
}

const Figure* find_figure(const Model& model, const char* column) {
  for (const ModelColumn& known : kModelColumns) {
    if (std::strcmp(known.name, column) == 0) return &(model.*known.figure);
  }
  return nullptr;
}

/// The row of gpu_models, by the names of its columns; licence and source_url as given.
HeapTuple model_tuple(FunctionCallInfo fcinfo, TupleDesc desc, const Model& model) {
  auto* values =
      static_cast<Datum*>(palloc0(sizeof(Datum) * static_cast<std::size_t>(desc->natts)));
  auto* nulls = static_cast<bool*>(palloc0(static_cast<std::size_t>(desc->natts)));
  for (int i = 0; i < desc->natts; ++i) {
    const FormData_pg_attribute* column = TupleDescAttr(desc, i);
    const char* name = NameStr(column->attname);
    nulls[i] = false;
    if (column->attisdropped) {
      nulls[i] = true;
    } else if (std::strcmp(name, "model") == 0) {
      values[i] = PG_GETARG_DATUM(0);
    } else if (std::strcmp(name, "kind") == 0) {
      values[i] = CStringGetTextDatum(to_text(model.kind));
    } else if (std::strcmp(name, "own") == 0) {
      values[i] = BoolGetDatum(true);
    } else if (std::strcmp(name, "licence") == 0 || std::strcmp(name, "source_url") == 0) {
      const int arg = std::strcmp(name, "licence") == 0 ? 4 : 5;
      nulls[i] = PG_ARGISNULL(arg);
      if (!nulls[i]) values[i] = PG_GETARG_DATUM(arg);
    } else {
      const Figure* figure = find_figure(model, name);
      nulls[i] = figure == nullptr || !*figure;
      if (!nulls[i]) values[i] = figure_datum(column->atttypid, **figure);
    }
  }
  return heap_form_tuple(desc, values, nulls);
}

}  // namespace

// gpu_model_from_config(model, config, params, safetensors_index, licence, source_url) ->
// gpu_models
GPU_ADVISOR_FUNCTION(gpu_model_from_config) {
  if (PG_ARGISNULL(0) || PG_ARGISNULL(1)) PG_RETURN_NULL();
  TupleDesc desc = nullptr;
  if (get_call_result_type(fcinfo, nullptr, &desc) != TYPEFUNC_COMPOSITE) {
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("gpu_model_from_config() must be called where a row is expected")));
  }
  ConfigInput input;
  input.poll = poll_interrupts;
  input.model = text_view(PG_GETARG_DATUM(0));
  input.config = utf8_text(PG_GETARG_DATUM(1));
  if (!PG_ARGISNULL(2)) input.params = PG_GETARG_INT64(2);
  if (!PG_ARGISNULL(3)) input.index = utf8_text(PG_GETARG_DATUM(3));
  const ConfigRow row = read_config(input);
  for (int i = 0; i < row.notes.count; ++i) {
    ereport(NOTICE, (errmsg("%s", row.notes.items[i])));
  }
  PG_RETURN_DATUM(HeapTupleGetDatum(model_tuple(fcinfo, BlessTupleDesc(desc), row.model)));
}

}  // namespace gpu_advisor::pg
