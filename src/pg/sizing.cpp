// What a model needs, as SQL: gpu_model_need and its sisters.
#include "core/items.hpp"
#include "core/need.hpp"
#include "core/workload.hpp"
#include "pg/datum.hpp"

namespace gpu_advisor::pg {
namespace {

/// The arguments of a workload, from the first of them on: bits, ctx, conc, task.
struct Arguments {
  std::int64_t bits;
  std::int64_t ctx;
  std::int64_t conc;
  std::optional<std::string_view> task;
};

bool has_figures(FunctionCallInfo fcinfo, int first) {
  return !PG_ARGISNULL(first) && !PG_ARGISNULL(first + 1) && !PG_ARGISNULL(first + 2);
}

Arguments arguments(FunctionCallInfo fcinfo, int first) {
  return {PG_GETARG_INT64(first), PG_GETARG_INT64(first + 1), PG_GETARG_INT64(first + 2),
          optional_text(fcinfo, first + 3)};
}

Workload model_workload(const Model& model, const Arguments& a) {
  return check_workload(model, a.bits, a.ctx, a.conc, a.task);
}

Workload notebook_workload(const Arguments& a) {
  return check_notebook(a.bits, a.ctx, a.conc, a.task);
}

}  // namespace

// gpu_model_need(m gpu_models, bits, ctx, conc, task) -> gpu_need or NULL
GPU_ADVISOR_FUNCTION(gpu_model_need) {
  if (PG_ARGISNULL(0) || !has_figures(fcinfo, 1)) PG_RETURN_NULL();
  const Model model = model_row(fcinfo, PG_GETARG_HEAPTUPLEHEADER(0));
  const Arguments args = arguments(fcinfo, 1);
  const NeedDatum* datum = run_core([&]() -> NeedDatum* {
    const auto need = model_need(model, model_workload(model, args));
    return need ? core_need_datum(*need) : nullptr;
  });
  if (datum == nullptr) PG_RETURN_NULL();
  PG_RETURN_POINTER(datum);
}

// notebook_need(bits, ctx, conc, task, memory_gib) -> gpu_need, or NULL where nothing was asked for
GPU_ADVISOR_FUNCTION(gpu_notebook_need) {
  if (!has_figures(fcinfo, 0) || (PG_ARGISNULL(3) && PG_ARGISNULL(4))) PG_RETURN_NULL();
  const Arguments args = arguments(fcinfo, 0);
  const std::optional<double> memory = optional_float(fcinfo, 4);
  PG_RETURN_POINTER(
      run_core([&] { return core_need_datum(notebook_need(notebook_workload(args), memory)); }));
}

namespace {

/// A row of the items, as plain values.
struct ItemRow {
  char* name;
  char* formula;
  char* assumption;
  Bytes bytes;
  bool known;
};

struct ItemRows {
  ItemRow* rows = nullptr;
  std::uint64_t count = 0;
};

ItemRows plain_rows(const std::vector<Item>& items) {
  ItemRows out;
  out.rows = static_cast<ItemRow*>(core_palloc(sizeof(ItemRow) * (items.size() + 1)));
  for (const Item& item : items) {
    out.rows[out.count++] = {core_cstring(item.name), core_cstring(item.formula),
                             core_cstring(item.assumption), item.bytes.value_or(0),
                             item.bytes.has_value()};
  }
  return out;
}

/// Networks of a pipeline from four arrays of the same length; plain until the core runs.
struct NetworkArrays {
  Datum* names = nullptr;
  Datum* classes = nullptr;
  Datum* params = nullptr;
  Datum* quantized = nullptr;
  bool* unknown_class = nullptr;
  bool* unknown_params = nullptr;
  int count = 0;
};

int elements(FunctionCallInfo fcinfo, int arg, Oid type, Datum** values, bool** nulls) {
  if (PG_ARGISNULL(arg)) {
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                    errmsg("an array of an image pipeline's networks is missing")));
  }
  ArrayType* array = PG_GETARG_ARRAYTYPE_P(arg);
  check_length(array, "an image pipeline's networks");
  int count = 0;
  int16 length = 0;
  bool by_value = false;
  char align = 0;
  get_typlenbyvalalign(type, &length, &by_value, &align);
  deconstruct_array(array, type, length, by_value, align, values, nulls, &count);
  return count;
}

void refuse_nulls(const bool* nulls, int count, const char* what) {
  for (int i = 0; i < count; ++i) {
    if (!nulls[i]) continue;
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                    errmsg("a network of an image pipeline has no %s", what)));
  }
}

NetworkArrays network_arrays(FunctionCallInfo fcinfo, int first) {
  NetworkArrays out;
  if (PG_ARGISNULL(first)) return out;
  bool* unnamed = nullptr;
  bool* unsaid = nullptr;
  out.count = elements(fcinfo, first, TEXTOID, &out.names, &unnamed);
  const int classes = elements(fcinfo, first + 1, TEXTOID, &out.classes, &out.unknown_class);
  const int params = elements(fcinfo, first + 2, INT8OID, &out.params, &out.unknown_params);
  const int quantized = elements(fcinfo, first + 3, BOOLOID, &out.quantized, &unsaid);
  if (classes != out.count || params != out.count || quantized != out.count) {
    ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
                    errmsg("the arrays of an image pipeline's networks differ in length")));
  }
  refuse_nulls(unnamed, out.count, "name");
  refuse_nulls(unsaid, out.count, "word on quantization");
  return out;
}

/// The arrays as the core takes them: their texts are detoasted before it runs.
Network* plain_networks(const NetworkArrays& arrays) {
  auto* out =
      static_cast<Network*>(palloc0(sizeof(Network) * static_cast<std::size_t>(arrays.count + 1)));
  for (int i = 0; i < arrays.count; ++i) {
    out[i] = Network{};
    out[i].name = text_view(arrays.names[i]);
    if (!arrays.unknown_class[i]) out[i].class_name = text_view(arrays.classes[i]);
    if (!arrays.unknown_params[i]) out[i].params = DatumGetInt64(arrays.params[i]);
    out[i].quantized = DatumGetBool(arrays.quantized[i]);
  }
  return out;
}

/// memory_items(m, network_names, network_classes, network_params, network_quantized,
///              bits, ctx, conc, task, memory_gib, gpus)
ItemRows item_rows(FunctionCallInfo fcinfo) {
  constexpr int kNetworks = 1;
  constexpr int kArguments = 5;
  constexpr int kMemory = 9;
  constexpr int kGpus = 10;
  const std::optional<double> memory = optional_float(fcinfo, kMemory);
  const bool notebook = PG_ARGISNULL(0);
  if (!has_figures(fcinfo, kArguments) || PG_ARGISNULL(kGpus)) return {};
  if (notebook && !memory && PG_ARGISNULL(kArguments + 3)) return {};
  const Arguments args = arguments(fcinfo, kArguments);
  const std::int64_t gpus = PG_GETARG_INT64(kGpus);
  if (notebook) {
    return run_core(
        [&] { return plain_rows(notebook_items(notebook_workload(args), memory, gpus)); });
  }
  const Model model = model_row(fcinfo, PG_GETARG_HEAPTUPLEHEADER(0));
  const NetworkArrays arrays = network_arrays(fcinfo, kNetworks);
  const Network* networks = plain_networks(arrays);
  return run_core([&] {
    return plain_rows(memory_items(model, model_workload(model, args),
                                   {networks, networks + arrays.count}, gpus));
  });
}

Datum item_tuple(TupleDesc desc, int position, const ItemRow& row) {
  Datum values[6] = {Int32GetDatum(position),           CStringGetTextDatum(row.name),
                     CStringGetTextDatum(row.formula),  Int64GetDatum(row.bytes),
                     Float8GetDatum(to_gib(row.bytes)), CStringGetTextDatum(row.assumption)};
  bool nulls[6] = {false, false, false, !row.known, !row.known, false};
  return HeapTupleGetDatum(heap_form_tuple(desc, values, nulls));
}

}  // namespace

// memory_items(...) -> setof (position, item, formula, bytes, gib, assumption)
GPU_ADVISOR_FUNCTION(gpu_memory_items) {
  if (SRF_IS_FIRSTCALL()) {
    FuncCallContext* state = SRF_FIRSTCALL_INIT();
    MemoryContext caller = MemoryContextSwitchTo(state->multi_call_memory_ctx);
    TupleDesc desc = nullptr;
    if (get_call_result_type(fcinfo, nullptr, &desc) != TYPEFUNC_COMPOSITE) {
      ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                      errmsg("memory_items() must be called where a row is expected")));
    }
    state->tuple_desc = BlessTupleDesc(desc);
    // model_row() keeps its layout in fn_extra, which the SRF machinery uses too.
    void* srf_state = fcinfo->flinfo->fn_extra;
    fcinfo->flinfo->fn_extra = nullptr;
    const ItemRows items = item_rows(fcinfo);
    fcinfo->flinfo->fn_extra = srf_state;
    state->user_fctx = items.rows;
    state->max_calls = items.count;
    MemoryContextSwitchTo(caller);
  }
  FuncCallContext* state = SRF_PERCALL_SETUP();
  if (state->call_cntr >= state->max_calls) SRF_RETURN_DONE(state);
  const auto* rows = static_cast<const ItemRow*>(state->user_fctx);
  const int at = static_cast<int>(state->call_cntr);
  SRF_RETURN_NEXT(state, item_tuple(state->tuple_desc, at + 1, rows[at]));
}

namespace {

/// The total on each of `gpus` GPUs; -1 where the work does not split over so many.
Bytes total_on_each(const NeedDatum* datum, std::int64_t gpus) {
  return run_core([&]() -> Bytes {
    if (gpus < 1) {
      throw invalid_argument(std::string("gpus must be at least 1, not ") + std::to_string(gpus),
                             "Give the number of GPUs that share the work, such as 1.");
    }
    const Need need = core_need(datum);
    return need.splits_over(gpus) ? need.on_each_of(gpus).total() : -1;
  });
}

}  // namespace

// gpu_need_gib(need, gpus) -> GiB over all of them, or NULL
GPU_ADVISOR_FUNCTION(gpu_need_gib) {
  const std::int64_t gpus = PG_GETARG_INT64(1);
  const Bytes on_each = total_on_each(need_arg(fcinfo, 0), gpus);
  if (on_each < 0) PG_RETURN_NULL();
  PG_RETURN_FLOAT8(to_gib(run_core([&] { return mul(on_each, gpus); })));
}

// need_gib_per_gpu(need, gpus) -> GiB on each of them, or NULL
GPU_ADVISOR_FUNCTION(gpu_need_gib_per_gpu) {
  const Bytes on_each = total_on_each(need_arg(fcinfo, 0), PG_GETARG_INT64(1));
  if (on_each < 0) PG_RETURN_NULL();
  PG_RETURN_FLOAT8(to_gib(on_each));
}

// need_model(need) -> the model whose measured speed counts, or NULL
GPU_ADVISOR_FUNCTION(gpu_need_model) {
  const NeedDatum* datum = need_arg(fcinfo, 0);
  const text* name = run_core([&]() -> text* {
    const Need need = core_need(datum);
    if (need.task == Task::notebook || need.task == Task::finetune) return nullptr;
    return core_text(need.model);
  });
  if (name == nullptr) PG_RETURN_NULL();
  PG_RETURN_TEXT_P(name);
}

}  // namespace gpu_advisor::pg
