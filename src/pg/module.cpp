#include "pg/postgres.hpp"

extern "C" {
PG_MODULE_MAGIC;
}
