// The SQL type gpu_need: JSON text in and out, binary send and receive.
#include "core/need_codec.hpp"
#include "pg/datum.hpp"

namespace gpu_advisor::pg {
namespace {

// JSON is UTF-8 whatever the database's encoding; a need holds its name in the database's.

std::string_view to_utf8(std::string_view text) {
  const char* utf8 = pg_server_to_any(text.data(), static_cast<int>(text.size()), PG_UTF8);
  return utf8 == text.data() ? text : std::string_view(utf8);
}

std::string_view from_utf8(std::string_view text) {
  const char* server = pg_any_to_server(text.data(), static_cast<int>(text.size()), PG_UTF8);
  return server == text.data() ? text : std::string_view(server);
}

std::string_view name_of(const NeedDatum* datum) {
  return datum->binary().substr(need_binary_head());
}

NeedDatum* renamed(const NeedDatum* datum, std::string_view name) {
  return run_core([&] {
    Need need = core_need(datum);
    need.model = name;
    return core_need_datum(need);
  });
}

}  // namespace

GPU_ADVISOR_FUNCTION(gpu_need_in) {
  const std::string_view json = to_utf8(PG_GETARG_CSTRING(0));
  NeedDatum* datum = nullptr;
  const Failure failure = catch_core([&] { datum = core_need_datum(need_from_json(json)); });
  if (failure.caught) {
    raise_soft(failure, fcinfo->context);
    PG_RETURN_NULL();
  }
  PG_RETURN_POINTER(renamed(datum, from_utf8(name_of(datum))));
}

GPU_ADVISOR_FUNCTION(gpu_need_out) {
  const NeedDatum* datum = need_arg(fcinfo, 0);
  const std::string_view name = to_utf8(name_of(datum));
  const std::string_view json = run_core([&] {
    Need need = core_need(datum);
    need.model = name;
    return std::string_view(core_cstring(to_json(need)));
  });
  PG_RETURN_CSTRING(pstrdup(from_utf8(json).data()));
}

GPU_ADVISOR_FUNCTION(gpu_need_recv) {
  auto* message = reinterpret_cast<StringInfo>(PG_GETARG_POINTER(0));
  const int size = message->len - message->cursor;
  const std::string_view bytes(pq_getmsgbytes(message, size), static_cast<std::size_t>(size));
  // The name is text from outside: it must be valid in the encoding of the database.
  if (bytes.size() > need_binary_head()) {
    const std::string_view name = bytes.substr(need_binary_head());
    pg_verifymbstr(name.data(), static_cast<int>(name.size()), false);
  }
  NeedDatum* datum = run_core([&] { return core_need_datum(need_from_binary(bytes)); });
  PG_RETURN_POINTER(datum);
}

GPU_ADVISOR_FUNCTION(gpu_need_send) {
  const std::string_view binary = need_arg(fcinfo, 0)->binary();
  StringInfoData message;
  pq_begintypsend(&message);
  pq_sendbytes(&message, binary.data(), static_cast<int>(binary.size()));
  PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}

}  // namespace gpu_advisor::pg
