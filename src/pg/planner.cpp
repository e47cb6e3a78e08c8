// What the planner learns of a fit: how many machines pass, and that an index on the machines'
// memory or capacity finds those that may. A recommendation computes its need once, in an InitPlan,
// so while planning the need is a parameter without a value: the value is looked up in the plan of
// that InitPlan, as far as it depends on nothing but constants and the catalogue. It serves
// estimates only; the query itself computes the need again. Plain C: everything here may raise.
#include <initializer_list>

#include "core/need.hpp"

#include "pg/datum.hpp"
#include "pg/postgres.hpp"

namespace gpu_advisor::pg {
namespace {

// What an expression stands for, inside the plan of an InitPlan.
struct Scope {
  PlannerInfo* root;
  List* cte_columns;  // the target list behind the variables of a CTE scan, or NIL
  PlannerInfo* cte_root;
};

Node* look_up(Node* node, Scope* scope);

// A plan that only computes its columns: no input, no condition.
List* computed_columns(const Plan* plan) {
  if (!IsA(plan, Result) || plan->lefttree != nullptr || plan->qual != NIL) return NIL;
  if (reinterpret_cast<const Result*>(plan)->resconstantqual != nullptr) return NIL;
  return plan->targetlist;
}

Plan* subplan_of(const PlannerInfo* root, int plan_id, PlannerInfo** subroot) {
  *subroot = static_cast<PlannerInfo*>(list_nth(root->glob->subroots, plan_id - 1));
  return static_cast<Plan*>(list_nth(root->glob->subplans, plan_id - 1));
}

Node* column(List* columns, int number) {
  if (number < 1 || number > list_length(columns)) return nullptr;
  return reinterpret_cast<Node*>(list_nth_node(TargetEntry, columns, number - 1)->expr);
}

// The value of a scalar sub-select, as an expression.
Node* sub_select_value(const PlannerInfo* root, int plan_id) {
  Scope scope{};
  Plan* plan = subplan_of(root, plan_id, &scope.root);
  if (IsA(plan, CteScan) && plan->qual == NIL) {
    const Plan* cte =
        subplan_of(root, reinterpret_cast<CteScan*>(plan)->ctePlanId, &scope.cte_root);
    scope.cte_columns = computed_columns(cte);
    return scope.cte_columns == NIL ? nullptr : look_up(column(plan->targetlist, 1), &scope);
  }
  return look_up(column(computed_columns(plan), 1), &scope);
}

// An InitPlan's parameter belongs to this query level or to one around it.
Node* parameter_value(const PlannerInfo* root, int param_id) {
  for (; root != nullptr; root = root->parent_root) {
    ListCell* cell = nullptr;
    foreach (cell, root->init_plans) {
      const auto* sub = lfirst_node(SubPlan, cell);
      if (sub->subLinkType == EXPR_SUBLINK && list_length(sub->setParam) == 1 &&
          linitial_int(sub->setParam) == param_id) {
        return sub_select_value(root, sub->plan_id);
      }
    }
  }
  return nullptr;
}

Node* look_up_mutator(Node* node, void* context) {
  auto* scope = static_cast<Scope*>(context);
  if (node == nullptr) return nullptr;
  if (IsA(node, Param) && reinterpret_cast<Param*>(node)->paramkind == PARAM_EXEC) {
    Node* value = parameter_value(scope->root, reinterpret_cast<Param*>(node)->paramid);
    return value != nullptr ? value : node;
  }
  if (IsA(node, Var) && scope->cte_columns != NIL) {
    Scope inside{scope->cte_root, NIL, nullptr};
    Node* value = column(scope->cte_columns, reinterpret_cast<Var*>(node)->varattno);
    return value != nullptr ? look_up(value, &inside) : node;
  }
  return mutate_expression(node, look_up_mutator, context);
}

Node* look_up(Node* node, Scope* scope) { return look_up_mutator(node, scope); }

// The likely value of an expression, or nullptr where it is not known before the query runs.
Const* likely_value(PlannerInfo* root, Node* node) {
  if (root == nullptr) return nullptr;
  Scope scope{root, NIL, nullptr};
  node = estimate_expression_value(root, look_up(node, &scope));
  return node != nullptr && IsA(node, Const) ? reinterpret_cast<Const*>(node) : nullptr;
}

RestrictInfo* comparison(PlannerInfo* root, Node* left, int strategy, Const* right) {
  const Oid type = exprType(left);
  const Oid family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
  const Oid op = get_opfamily_member(family, type, type, static_cast<int16>(strategy));
  return make_simple_restrictinfo(
      root, make_opclause(op, BOOLOID, false, reinterpret_cast<Expr*>(left),
                          reinterpret_cast<Expr*>(right), InvalidOid, InvalidOid));
}

Const* float_const(double value) {
  return makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(value), false, true);
}

// A number of GPUs, in the type of the column that it is compared with.
Const* count_const(Oid type, std::int64_t value) {
  if (type == INT4OID) {
    const auto small = static_cast<std::int32_t>(Min(value, PG_INT32_MAX));
    return makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(small), false, true);
  }
  return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false, true);
}

// The column behind gpu_count, whose cast to bigint hides its statistics.
Node* uncast_count(Node* count) {
  if (IsA(count, FuncExpr) && reinterpret_cast<FuncExpr*>(count)->funcid == F_INT8_INT4) {
    return static_cast<Node*>(linitial(reinterpret_cast<FuncExpr*>(count)->args));
  }
  return count;
}

// The machines of each rung of the ladder, summed: those with at least its number of GPUs and
// fewer than the next one's, whose memory holds its share.
Selectivity fits_selectivity(const SupportRequestSelectivity* request, const NeedDatum* need) {
  Node* count = uncast_count(static_cast<Node*>(lsecond(request->args)));
  Node* memory = static_cast<Node*>(lthird(request->args));
  Selectivity sum = 0;
  for (std::int32_t i = 0; i < need->rung_count; ++i) {
    List* clauses = list_make1(comparison(request->root, memory, BTGreaterEqualStrategyNumber,
                                          float_const(need->rungs[i].gib_on_each)));
    if (need->rungs[i].gpus > 1) {
      clauses = lappend(clauses, comparison(request->root, count, BTGreaterEqualStrategyNumber,
                                            count_const(exprType(count), need->rungs[i].gpus)));
    }
    if (i + 1 < need->rung_count) {
      clauses = lappend(clauses, comparison(request->root, count, BTLessStrategyNumber,
                                            count_const(exprType(count), need->rungs[i + 1].gpus)));
    }
    sum += clauselist_selectivity(request->root, clauses, request->varRelid, request->jointype,
                                  request->sjinfo);
  }
  return Min(sum, 1.0);
}

Oid internal_function(const char* name, std::initializer_list<Oid> types) {
  const Oid schema = get_namespace_oid("gpu_advisor_internal", true);
  return GetSysCacheOid3(
      PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
      PointerGetDatum(buildoidvector(types.begin(), static_cast<int>(types.size()))),
      ObjectIdGetDatum(schema));
}

// estimated(value, estimate), as an expression: `value` when it runs, `estimate` when the planner
// asks how many rows it lets through.
Node* with_estimate(Node* value, const Const* estimate) {
  const Oid function = internal_function("estimated", {FLOAT8OID, FLOAT8OID});
  if (!OidIsValid(function)) return value;
  return reinterpret_cast<Node*>(makeFuncExpr(function, FLOAT8OID,
                                              list_make2(value, copyObjectImpl(estimate)),
                                              InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

// `column >= least` for an index on the column. Not in a join of many needs with the machines:
// there one pass over the machines for each need costs less than what an index scan fetches again.
List* at_least(const SupportRequestIndexCondition* request, Node* column, Node* least) {
  const Oid op =
      get_opfamily_member(request->opfamily, FLOAT8OID, FLOAT8OID, BTGreaterEqualStrategyNumber);
  if (!OidIsValid(op) || contain_var_clause(least) ||
      !constant_for_index(request->root, least, request->index)) {
    return NIL;
  }
  const Const* estimate = IsA(least, Const) ? nullptr : likely_value(request->root, least);
  if (estimate != nullptr && !estimate->constisnull) least = with_estimate(least, estimate);
  return list_make1(make_opclause(op, BOOLOID, false, reinterpret_cast<Expr*>(column),
                                  reinterpret_cast<Expr*>(least), InvalidOid, InvalidOid));
}

// Whether the machines are tested for their capacity as well.
bool tests_capacity(const RelOptInfo* machines) {
  ListCell* cell = nullptr;
  foreach (cell, machines->baserestrictinfo) {
    const Node* clause = reinterpret_cast<Node*>(lfirst_node(RestrictInfo, cell)->clause);
    if (!IsA(clause, FuncExpr)) continue;
    const RegProcedure support =
        get_func_support(reinterpret_cast<const FuncExpr*>(clause)->funcid);
    if (support == internal_function("capacity_holds_support", {INTERNALOID})) return true;
  }
  return false;
}

// A need that takes one GPU only, as far as that is known.
bool takes_one_gpu(PlannerInfo* root, Node* need) {
  const Const* value = likely_value(root, need);
  if (value == nullptr || value->constisnull) return false;
  return reinterpret_cast<const NeedDatum*>(PG_DETOAST_DATUM(value->constvalue))->rung_count == 1;
}

// gpu_fits(need, gpu_count, gpu_memory_gib) as `gpu_memory_gib >= least_memory(need)`. Where a need
// may be split the capacity says more: the planner, which takes the two for independent, would
// look both up and read far more entries than machines.
List* memory_condition(const SupportRequestIndexCondition* request) {
  if (request->indexarg != 2 || !IsA(request->node, FuncExpr)) return NIL;
  List* args = reinterpret_cast<const FuncExpr*>(request->node)->args;
  auto* need = static_cast<Node*>(linitial(args));
  const Oid function = internal_function("least_memory", {exprType(need)});
  if (!OidIsValid(function)) return NIL;
  if (tests_capacity(request->index->rel) && !takes_one_gpu(request->root, need)) return NIL;
  auto* least = reinterpret_cast<Node*>(makeFuncExpr(function, FLOAT8OID, list_make1(need),
                                                     InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
  // Where the need is a constant, so is its least memory.
  least = eval_const_expressions(request->root, least);
  return at_least(request, static_cast<Node*>(lthird(args)), least);
}

// capacity_holds(capacity, least) as `capacity >= least`.
List* capacity_condition(const SupportRequestIndexCondition* request) {
  if (request->indexarg != 0 || !IsA(request->node, FuncExpr)) return NIL;
  List* args = reinterpret_cast<const FuncExpr*>(request->node)->args;
  return at_least(request, static_cast<Node*>(linitial(args)), static_cast<Node*>(lsecond(args)));
}

}  // namespace

// gpu_fits_support(internal) -> internal: how many machines a need fits, and an index condition
GPU_ADVISOR_FUNCTION(gpu_fits_support) {
  auto* node = reinterpret_cast<Node*>(PG_GETARG_POINTER(0));
  if (IsA(node, SupportRequestIndexCondition)) {
    PG_RETURN_POINTER(memory_condition(reinterpret_cast<SupportRequestIndexCondition*>(node)));
  }
  if (!IsA(node, SupportRequestSelectivity)) PG_RETURN_POINTER(nullptr);
  auto* request = reinterpret_cast<SupportRequestSelectivity*>(node);
  if (request->is_join || list_length(request->args) != 3) PG_RETURN_POINTER(nullptr);
  const Const* need = likely_value(request->root, static_cast<Node*>(linitial(request->args)));
  if (need == nullptr) PG_RETURN_POINTER(nullptr);
  request->selectivity = 0;
  if (!need->constisnull) {
    request->selectivity = fits_selectivity(
        request, reinterpret_cast<const NeedDatum*>(PG_DETOAST_DATUM(need->constvalue)));
  }
  PG_RETURN_POINTER(request);
}

// capacity_holds(capacity, least) -> boolean
GPU_ADVISOR_FUNCTION(gpu_capacity_holds) {
  PG_RETURN_BOOL(float8_ge(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1)));
}

// capacity_holds_support(internal) -> internal. Beside gpu_fits() the condition takes no row away.
GPU_ADVISOR_FUNCTION(gpu_capacity_holds_support) {
  auto* node = reinterpret_cast<Node*>(PG_GETARG_POINTER(0));
  if (IsA(node, SupportRequestSelectivity)) {
    reinterpret_cast<SupportRequestSelectivity*>(node)->selectivity = 1;
    PG_RETURN_POINTER(node);
  }
  if (!IsA(node, SupportRequestIndexCondition)) PG_RETURN_POINTER(nullptr);
  auto* request = reinterpret_cast<SupportRequestIndexCondition*>(node);
  List* condition = capacity_condition(request);
  if (condition != NIL) request->lossy = false;
  PG_RETURN_POINTER(condition);
}

// estimated(value, estimate) -> value
GPU_ADVISOR_FUNCTION(gpu_estimated) { PG_RETURN_FLOAT8(PG_GETARG_FLOAT8(0)); }

// estimated_support(internal) -> internal. Only an estimate is made without the planner's state;
// what is going to run is simplified with it.
GPU_ADVISOR_FUNCTION(gpu_estimated_support) {
  auto* node = reinterpret_cast<Node*>(PG_GETARG_POINTER(0));
  if (!IsA(node, SupportRequestSimplify)) PG_RETURN_POINTER(nullptr);
  const auto* request = reinterpret_cast<SupportRequestSimplify*>(node);
  if (request->root != nullptr || list_length(request->fcall->args) != 2) {
    PG_RETURN_POINTER(nullptr);
  }
  PG_RETURN_POINTER(lsecond(request->fcall->args));
}

// least_memory(need) -> the least GiB of one GPU on which any split of it fits
GPU_ADVISOR_FUNCTION(gpu_least_memory) {
  const NeedDatum* need = need_arg(fcinfo, 0);
  PG_RETURN_FLOAT8(least_memory(need->rungs, static_cast<std::size_t>(need->rung_count)));
}

// least_capacity(need) -> the least GiB over all GPUs of a machine that may hold it
GPU_ADVISOR_FUNCTION(gpu_least_capacity) {
  const NeedDatum* need = need_arg(fcinfo, 0);
  PG_RETURN_FLOAT8(least_capacity(need->rungs, static_cast<std::size_t>(need->rung_count)));
}

}  // namespace gpu_advisor::pg
