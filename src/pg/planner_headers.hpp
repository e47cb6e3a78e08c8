// The planner's own headers, and what the supported versions of it spell differently.
#pragma once

#include <type_traits>

#include "pg/postgres.hpp"

extern "C" {
#include "access/stratnum.h"
#include "catalog/namespace.h"
#include "catalog/pg_proc.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/float.h"
#include "utils/fmgroids.h"
#include "utils/syscache.h"
}

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

/// is_pseudo_constant_for_index(), with or without the planner's state as an argument.
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
