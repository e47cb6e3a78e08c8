// The SQL type gpu_need: JSON text in and out, binary send and receive.
#include "core/need_codec.hpp"
#include "pg/datum.hpp"

namespace gpu_advisor::pg {
namespace {

// JSON is UTF-8 whatever the database's encoding; a need holds its name in the database's.
// SQL_ASCII is none, and takes any bytes: there each byte stands for a character, so that all come
// back.

std::string_view converted(std::string_view text, bool to_json) {
  const int database = GetDatabaseEncoding() == PG_SQL_ASCII ? PG_LATIN1 : GetDatabaseEncoding();
  auto* given = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
  const auto* out = reinterpret_cast<const char*>(
      pg_do_encoding_conversion(given, static_cast<int>(text.size()), to_json ? database : PG_UTF8,
                                to_json ? PG_UTF8 : database));
  return out == text.data() ? text : std::string_view(out);
}

std::string_view to_utf8(std::string_view text) { return converted(text, true); }
std::string_view from_utf8(std::string_view text) { return converted(text, false); }

std::string_view name_of(const NeedDatum* datum) {
  return datum->binary().substr(need_binary_head());
}

}  // namespace

GPU_ADVISOR_FUNCTION(gpu_need_in) {
  const std::string_view json = to_utf8(PG_GETARG_CSTRING(0));
  NeedDatum* datum = nullptr;
  // A name has at most so many bytes in the database's encoding, and may have more in UTF-8.
  Failure failure = catch_core(
      [&] { datum = core_need_datum(need_from_json(json, kLongestName * MAX_CONVERSION_GROWTH)); });
  if (!failure.caught) {
    const std::string_view name = from_utf8(name_of(datum));
    failure = catch_core([&] {
      Need need = core_need(datum, kLongestName * MAX_CONVERSION_GROWTH);
      need.model = name;
      check_text_need(need);
      datum = core_need_datum(need);
    });
  }
  if (failure.caught) {
    raise_soft(failure, fcinfo->context);
    PG_RETURN_NULL();
  }
  PG_RETURN_POINTER(datum);
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

// The binary form outside the server holds the name in the client's encoding, as that of text does.

GPU_ADVISOR_FUNCTION(gpu_need_recv) {
  auto* message = reinterpret_cast<StringInfo>(PG_GETARG_POINTER(0));
  const int size = message->len - message->cursor;
  std::string_view bytes(pq_getmsgbytes(message, size), static_cast<std::size_t>(size));
  // The name is text from outside: this refuses what is not valid in its encoding.
  if (const std::size_t head = need_binary_head(); bytes.size() > head) {
    const std::string_view name = bytes.substr(head);
    const char* converted = pg_client_to_server(name.data(), static_cast<int>(name.size()));
    if (converted != name.data()) {
      StringInfoData whole;
      initStringInfo(&whole);
      appendBinaryStringInfo(&whole, bytes.data(), static_cast<int>(head));
      appendStringInfoString(&whole, converted);
      bytes = {whole.data, static_cast<std::size_t>(whole.len)};
    }
  }
  NeedDatum* datum = run_core([&] { return core_need_datum(need_from_binary(bytes)); });
  PG_RETURN_POINTER(datum);
}

GPU_ADVISOR_FUNCTION(gpu_need_send) {
  const NeedDatum* need = need_arg(fcinfo, 0);
  const std::string_view name = name_of(need);
  StringInfoData message;
  pq_begintypsend(&message);
  pq_sendbytes(&message, need->binary().data(), static_cast<int>(need_binary_head()));
  pq_sendtext(&message, name.data(), static_cast<int>(name.size()));
  PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}

}  // namespace gpu_advisor::pg
