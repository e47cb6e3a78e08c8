// PostgreSQL's headers for C++, and all that the versions 14 to 18 spell differently.
// Include core headers first: after this one Min, Max, Abs, _ and ERROR are macros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

extern "C" {
#include "postgres.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "utils/varlena.h"
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#endif
}

// Up to version 15 PGDLLEXPORT is empty outside Windows, and the module hides its symbols.
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))

// PG_FUNCTION_INFO_V1 declares the function too, but not as exported before version 16.
#define GPU_ADVISOR_FUNCTION(name)          \
  extern "C" {                              \
  PGDLLEXPORT Datum name(PG_FUNCTION_ARGS); \
  PG_FUNCTION_INFO_V1(name);                \
  }                                         \
  Datum name(PG_FUNCTION_ARGS)

// Before version 16 every error is raised.
#if PG_VERSION_NUM < 160000
#define errsave(context, rest) \
  do {                         \
    (void)(context);           \
    ereport(ERROR, rest);      \
  } while (0)
#endif

namespace gpu_advisor::pg {

using Mutator = Node* (*)(Node*, void*);

/// expression_tree_mutator(), whose callback has no argument list before version 16.
inline Node* mutate_expression(Node* node, Mutator mutator, void* context) {
#if PG_VERSION_NUM >= 160000
  return expression_tree_mutator(node, mutator, context);
#else
  using Untyped = Node* (*)();
  return expression_tree_mutator(
      node, reinterpret_cast<Untyped>(reinterpret_cast<void (*)()>(mutator)), context);
#endif
}

/// is_pseudo_constant_for_index(), with or without the planner's state as an argument: it came
/// with a minor release.
template <typename Function = decltype(&is_pseudo_constant_for_index)>
bool constant_for_index(PlannerInfo* root, Node* node, IndexOptInfo* index) {
  Function function = &is_pseudo_constant_for_index;
  if constexpr (std::is_invocable_v<Function, PlannerInfo*, Node*, IndexOptInfo*>) {
    return function(root, node, index);
  } else {
    return function(node, index);
  }
}

}  // namespace gpu_advisor::pg
