#include "pg/datum.hpp"

#include <cstring>

#include "core/need_codec.hpp"

namespace gpu_advisor::pg {

std::string_view text_view(Datum datum) {
  text* packed = DatumGetTextPP(datum);
  return {VARDATA_ANY(packed), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(packed))};
}

void check_length(const ArrayType* array, const char* what) {
  constexpr int kMost = 100000;
  const int count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
  if (count > kMost) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s: %d elements are more than %d", what, count, kMost),
                    errhint("Give each once.")));
  }
}

TextArray text_array(ArrayType* array, const char* what) {
  check_length(array, what);
  if (ARR_NDIM(array) > 1) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s must be a one-dimensional array, not one of %d dimensions", what,
                           ARR_NDIM(array)),
                    errhint("Write it as '{DE,FR}' or ARRAY['DE', 'FR'].")));
  }
  Datum* values = nullptr;
  bool* nulls = nullptr;
  TextArray out;
  deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, &out.count);
  auto* items = static_cast<std::string_view*>(
      palloc(sizeof(std::string_view) * static_cast<std::size_t>(out.count + 1)));
  for (int i = 0; i < out.count; ++i) {
    if (nulls[i]) {
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s holds a NULL", what),
                      errhint("Leave the NULL out, or give NULL instead of the array.")));
    }
    items[i] = text_view(values[i]);
  }
  out.items = items;
  return out;
}

ArrayType* text_array_datum(const CStrings& strings) {
  auto* values =
      static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<std::size_t>(strings.count + 1)));
  for (int i = 0; i < strings.count; ++i) values[i] = CStringGetTextDatum(strings.items[i]);
  return construct_array(values, strings.count, TEXTOID, -1, false, TYPALIGN_INT);
}

namespace {

constexpr int kFigures = static_cast<int>(sizeof(kModelColumns) / sizeof(kModelColumns[0]));

/// Where the columns of gpu_models are, looked up once for each call site.
struct ModelLayout {
  std::uint64_t version;  ///< of the row type: it may change between two calls of a call site
  int model;
  int kind;
  int figures[kFigures];
};

int column_number(TupleDesc desc, const char* name, bool is_text) {
  for (int i = 0; i < desc->natts; ++i) {
    const FormData_pg_attribute* column = TupleDescAttr(desc, i);
    if (column->attisdropped || std::strcmp(NameStr(column->attname), name) != 0) continue;
    const Oid type = column->atttypid;
    if (is_text ? type == TEXTOID : type == INT4OID || type == INT8OID) return i + 1;
    break;
  }
  ereport(ERROR,
          (errcode(ERRCODE_UNDEFINED_COLUMN),
           errmsg("gpu_models has no column \"%s\" of type %s", name,
                  is_text ? "text" : "integer or bigint"),
           errhint("The columns of gpu_models belong to the extension: leave them as they are.")));
  pg_unreachable();
}

const ModelLayout* model_layout(FunctionCallInfo fcinfo, TupleDesc desc) {
  const std::uint64_t version =
      lookup_type_cache(desc->tdtypeid, TYPECACHE_TUPDESC)->tupDesc_identifier;
  auto* layout = static_cast<ModelLayout*>(fcinfo->flinfo->fn_extra);
  if (layout == nullptr) {
    layout = static_cast<ModelLayout*>(
        MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(ModelLayout)));
    fcinfo->flinfo->fn_extra = layout;
  }
  if (layout->version != version) {
    layout->model = column_number(desc, "model", true);
    layout->kind = column_number(desc, "kind", true);
    for (int i = 0; i < kFigures; ++i) {
      layout->figures[i] = column_number(desc, kModelColumns[i].name, false);
    }
    layout->version = version;
  }
  return layout;
}

std::int64_t integer(TupleDesc desc, int column, Datum value) {
  return TupleDescAttr(desc, column - 1)->atttypid == INT8OID ? DatumGetInt64(value)
                                                              : DatumGetInt32(value);
}

}  // namespace

Model model_row(FunctionCallInfo fcinfo, HeapTupleHeader row) {
  TupleDesc desc =
      lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row));
  const ModelLayout* layout = model_layout(fcinfo, desc);
  HeapTupleData tuple{};
  tuple.t_len = HeapTupleHeaderGetDatumLength(row);
  ItemPointerSetInvalid(&tuple.t_self);
  tuple.t_tableOid = InvalidOid;
  tuple.t_data = row;
  Model model;
  bool null = false;
  const Datum name = heap_getattr(&tuple, layout->model, desc, &null);
  if (!null) model.name = text_view(name);
  const Datum kind = heap_getattr(&tuple, layout->kind, desc, &null);
  if (!null) {
    const std::string_view word = text_view(kind);
    model.kind = run_core([&] { return kind_from_text(word); });
  }
  for (int i = 0; i < kFigures; ++i) {
    const Datum value = heap_getattr(&tuple, layout->figures[i], desc, &null);
    if (!null) model.*kModelColumns[i].figure = integer(desc, layout->figures[i], value);
  }
  ReleaseTupleDesc(desc);
  return model;
}

NeedDatum* core_need_datum(const Need& need) {
  const std::vector<Rung> rungs = ladder(need);
  const std::string binary = to_binary(need);
  const std::size_t head = offsetof(NeedDatum, rungs) + rungs.size() * sizeof(Rung);
  auto* datum = static_cast<NeedDatum*>(core_palloc(head + binary.size()));
  SET_VARSIZE(datum, head + binary.size());
  datum->rung_count = static_cast<std::int32_t>(rungs.size());
  std::memcpy(datum->rungs, rungs.data(), rungs.size() * sizeof(Rung));
  std::memcpy(reinterpret_cast<char*>(datum) + head, binary.data(), binary.size());
  return datum;
}

Need core_need(const NeedDatum* datum, std::size_t longest_name) {
  return need_from_binary(datum->binary(), longest_name);
}

}  // namespace gpu_advisor::pg
