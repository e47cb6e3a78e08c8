// PostgreSQL's headers for C++, and what the supported versions spell differently.
// Include core headers first: after this one Min, Max, Abs, _ and ERROR are macros.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
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
