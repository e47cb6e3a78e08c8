// Update scripts change tables whose owner is no superuser, and may have attached code to them.
#include "pg/postgres.hpp"

extern "C" {
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/syscache.h"
}

namespace gpu_advisor::pg {
namespace {

Oid owner_of(Oid relation) {
  HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
  if (!HeapTupleIsValid(tuple)) {
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE), errmsg("there is no table %u", relation)));
  }
  const Oid owner = static_cast<Form_pg_class>(static_cast<void*>(GETSTRUCT(tuple)))->relowner;
  ReleaseSysCache(tuple);
  return owner;
}

}  // namespace

// run_as_owner(owned, statement): as PostgreSQL itself runs what a table's owner attached to it,
// such as the functions in an index that is built. An error resets user and settings with the
// transaction.
GPU_ADVISOR_FUNCTION(gpu_run_as_owner) {
  if (!superuser()) {
    ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                    errmsg("only a superuser may run a statement as another role")));
  }
  const Oid owner = owner_of(PG_GETARG_OID(0));
  const char* statement = text_to_cstring(PG_GETARG_TEXT_PP(1));
  Oid user = InvalidOid;
  int context = 0;
  GetUserIdAndSecContext(&user, &context);
  SetUserIdAndSecContext(owner, context | SECURITY_LOCAL_USERID_CHANGE |
                                    SECURITY_RESTRICTED_OPERATION | SECURITY_NOFORCE_RLS);
  const int settings = NewGUCNestLevel();
  SPI_connect();
  const int result = SPI_execute(statement, false, 0);
  if (result < 0) elog(ERROR, "the statement failed: %s", SPI_result_code_string(result));
  SPI_finish();
  AtEOXact_GUC(false, settings);
  SetUserIdAndSecContext(user, context);
  PG_RETURN_VOID();
}

}  // namespace gpu_advisor::pg
