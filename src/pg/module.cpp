// What PostgreSQL asks of a module, and which version of it is loaded.
#include "pg/guard.hpp"

extern "C" {
PG_MODULE_MAGIC;
}

#define GPU_ADVISOR_TEXT(version) #version
#define GPU_ADVISOR_VERSION_TEXT(version) GPU_ADVISOR_TEXT(version)

namespace gpu_advisor::pg {

// library_version() -> such as 0.1.0: that of the library, which need not be that of the SQL
GPU_ADVISOR_FUNCTION(gpu_library_version) {
  static_cast<void>(fcinfo);
  PG_RETURN_TEXT_P(cstring_to_text(GPU_ADVISOR_VERSION_TEXT(GPU_ADVISOR_VERSION)));
}

}  // namespace gpu_advisor::pg
