// libpq: text and binary results and parameters, prepared statements, pipeline mode, and gpu_need
// in binary. Run with the directory that reference.py wrote; the connection comes from PGHOST and
// the like.

#include <libpq-fe.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Record = std::vector<std::string>;
using Table = std::vector<Record>;

// A query and what psql shows for it.
struct Case {
  std::string name, sql;
  Record parameters;  // type and value in turn
  Record columns, types;
  Table rows;

  bool is_error() const { return types == Record{"error"}; }
  size_t parameter_count() const { return parameters.size() / 2; }
};

const std::string kNull = "\\N";
constexpr int kText = 0;
constexpr int kBinary = 1;
int failures = 0;

void report(bool passed, const std::string& title, const std::string& detail = "") {
  if (!passed) {
    ++failures;
    std::cout << detail << '\n';
  }
  std::cout << (passed ? "ok" : "not ok") << " - libpq: " << title << '\n';
}

Record split(const std::string& text, char end) {
  Record parts(1);
  for (char c : text) {
    if (c == end)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<Case> read_cases(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::vector<Case> cases;
  for (const auto& table : split(all, '\x1d')) {
    Table records;
    for (const auto& record : split(table, '\x1e')) records.push_back(split(record, '\x1f'));
    if (records.size() < 4) throw std::runtime_error("a case without its records in " + path);
    cases.push_back({records[0].at(0),
                     records[0].at(1),
                     records[1].size() > 1 ? records[1] : Record{},
                     records[2],
                     records[3],
                     {records.begin() + 4, records.end()}});
  }
  return cases;
}

struct Clear {
  void operator()(PGresult* result) const { PQclear(result); }
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
using Result = std::unique_ptr<PGresult, Clear>;
using Connection = std::unique_ptr<PGconn, Clear>;

// The type names of the server by their numbers, and the numbers by names.
std::map<Oid, std::string> type_names;
std::map<std::string, Oid> type_numbers;

void read_types(PGconn* connection) {
  const Result result(PQexec(connection, "SELECT oid, format_type(oid, NULL) FROM pg_type"));
  for (int i = 0; i < PQntuples(result.get()); ++i) {
    const Oid oid = static_cast<Oid>(std::stoul(PQgetvalue(result.get(), i, 0)));
    type_names[oid] = PQgetvalue(result.get(), i, 1);
    type_numbers[PQgetvalue(result.get(), i, 1)] = oid;
  }
}

// Numbers in network order.

std::string network(uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i));
  return out;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t number(size_t bytes) {
    uint64_t value = 0;
    for (unsigned char c : take(bytes)) value = value << 8 | c;
    return value;
  }
  int16_t int2() { return static_cast<int16_t>(number(2)); }
  int32_t int4() { return static_cast<int32_t>(number(4)); }
  std::string_view take(size_t bytes) {
    if (bytes > bytes_.size()) throw std::runtime_error("a binary value is too short");
    const auto part = bytes_.substr(0, bytes);
    bytes_.remove_prefix(bytes);
    return part;
  }
  std::string_view rest() { return take(bytes_.size()); }

 private:
  std::string_view bytes_;
};

// numeric: digits of base 10,000, the weight of the first, the sign, and the decimals to show.
std::string decode_numeric(Reader reader) {
  const int digits = reader.int2();
  const int weight = reader.int2();
  const bool negative = reader.int2() != 0;
  const int scale = reader.int2();
  std::vector<int> values;
  for (int i = 0; i < digits; ++i) values.push_back(reader.int2());
  const auto group = [&](int place) {
    const int index = weight - place;
    const int value = index >= 0 && index < digits ? values[static_cast<size_t>(index)] : 0;
    const std::string text = std::to_string(value);
    return std::string(4 - text.size(), '0') + text;
  };
  std::string whole, fraction;
  for (int place = std::max(weight, 0); place >= 0; --place) whole += group(place);
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
  for (int place = -1; static_cast<int>(fraction.size()) < scale; --place) fraction += group(place);
  return (negative ? "-" : "") + whole + (scale > 0 ? "." : "") +
         fraction.substr(0, static_cast<size_t>(scale));
}

// text[]: dimensions, flags, element type, length and lower bound, then each element with its
// length.
std::string decode_array(Reader reader) {
  const int dimensions = reader.int4();
  reader.int4();
  if (reader.int4() != static_cast<int32_t>(type_numbers.at("text")))
    throw std::runtime_error("an array of another type");
  const int length = dimensions == 0 ? 0 : reader.int4();
  if (dimensions > 0) reader.int4();
  std::string text = "{";
  for (int i = 0; i < length; ++i) {
    const auto element = reader.take(static_cast<size_t>(reader.int4()));
    const bool bare = !element.empty() && element != "NULL" &&
                      element.find_first_of(" \t\n,{}\"\\") == std::string_view::npos;
    text += i > 0 ? "," : "";
    if (bare) {
      text += element;
      continue;
    }
    text += '"';
    for (char c : element) text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    text += '"';
  }
  return text + "}";
}

// Seconds since 2000, from where PostgreSQL counts, as a date and time of UTC.
std::string calendar(int64_t seconds, const char* format) {
  const auto since_1970 = static_cast<time_t>(seconds + 946'684'800);
  char text[64];
  std::strftime(text, sizeof text, format, std::gmtime(&since_1970));
  return text;
}

// What psql would show for a value that arrived in binary.
std::string decode(const std::string& type, std::string_view bytes, const std::string& shown) {
  Reader reader(bytes);
  if (type == "text") return std::string(bytes);
  if (type == "integer") return std::to_string(reader.int4());
  if (type == "bigint") return std::to_string(static_cast<int64_t>(reader.number(8)));
  if (type == "boolean") return reader.number(1) != 0 ? "t" : "f";
  if (type == "numeric") return decode_numeric(reader);
  if (type == "text[]") return decode_array(reader);
  if (type == "double precision") {
    // Bit for bit what the shown text stands for.
    const auto value = std::bit_cast<double>(reader.number(8));
    return value == std::strtod(shown.c_str(), nullptr) ? shown : std::to_string(value);
  }
  if (type == "jsonb") {
    if (reader.number(1) != 1) throw std::runtime_error("jsonb of another version");
    return std::string(reader.rest());
  }
  if (type == "date") return calendar(int64_t{reader.int4()} * 86'400, "%Y-%m-%d");
  if (type == "timestamp with time zone") {
    const auto microseconds = static_cast<int64_t>(reader.number(8));
    std::string fraction = std::to_string(1'000'000 + microseconds % 1'000'000);
    fraction.replace(0, 1, ".");
    fraction.erase(fraction.find_last_not_of(".0") + 1);
    return calendar(microseconds / 1'000'000, "%Y-%m-%d %H:%M:%S") + fraction + "+00";
  }
  throw std::runtime_error("no decoder for " + type);
}

// Where an answer differs from what psql shows; empty where nowhere.
std::string differences(const Case& c, const PGresult* result, int format) {
  if (c.is_error()) {
    if (PQresultStatus(result) != PGRES_FATAL_ERROR) return "no error";
    const auto field = [&](int code) {
      const char* text = PQresultErrorField(result, code);
      return std::string(text == nullptr ? "" : text);
    };
    const Record got{field(PG_DIAG_SQLSTATE), field(PG_DIAG_MESSAGE_PRIMARY),
                     field(PG_DIAG_MESSAGE_HINT)};
    return got == c.rows.at(0) ? "" : got[0] + ": " + got[1] + "\n" + got[2];
  }
  if (PQresultStatus(result) != PGRES_TUPLES_OK) return PQresultErrorMessage(result);
  if (PQnfields(result) != static_cast<int>(c.columns.size())) return "another number of columns";
  if (PQntuples(result) != static_cast<int>(c.rows.size()))
    return std::to_string(PQntuples(result)) + " rows";
  for (int column = 0; column < PQnfields(result); ++column) {
    const auto at = static_cast<size_t>(column);
    if (PQfname(result, column) != c.columns[at]) return PQfname(result, column);
    const auto type = type_names.find(PQftype(result, column));
    if (type == type_names.end() || type->second != c.types[at])
      return c.columns[at] + " is of type " + std::to_string(PQftype(result, column));
    if (PQfformat(result, column) != format) return c.columns[at] + " comes in the other format";
    for (int row = 0; row < PQntuples(result); ++row) {
      const std::string& shown = c.rows[static_cast<size_t>(row)].at(at);
      const std::string_view bytes(PQgetvalue(result, row, column),
                                   static_cast<size_t>(PQgetlength(result, row, column)));
      const std::string value = PQgetisnull(result, row, column) != 0 ? kNull
                                : format == kBinary ? decode(c.types[at], bytes, shown)
                                                    : std::string(bytes);
      if (value != shown) return c.columns[at] + ": " + value + ", psql shows " + shown;
    }
  }
  return "";
}

// The parameters of a case, bigint and double precision in binary if so wanted.
struct Parameters {
  std::vector<std::string> texts;
  std::vector<const char*> values;
  std::vector<int> lengths, formats;
  std::vector<Oid> types;

  Parameters(const Case& c, int format) {
    for (size_t i = 0; i < c.parameters.size(); i += 2) {
      const std::string& type = c.parameters[i];
      const std::string& value = c.parameters[i + 1];
      const bool binary =
          format == kBinary && value != kNull && (type == "bigint" || type == "double precision");
      formats.push_back(binary ? kBinary : kText);
      // In text the server finds the types itself.
      types.push_back(binary ? type_numbers.at(type) : 0);
      if (binary && type == "bigint")
        texts.push_back(network(static_cast<uint64_t>(std::stoll(value)), 8));
      else if (binary)
        texts.push_back(network(std::bit_cast<uint64_t>(std::stod(value)), 8));
      else
        texts.push_back(type == "text[]" ? "{" + value + "}" : value);
      lengths.push_back(static_cast<int>(texts.back().size()));
    }
    for (size_t i = 0; i < texts.size(); ++i)
      values.push_back(c.parameters[2 * i + 1] == kNull ? nullptr : texts[i].data());
  }
};

void check(const std::string& how, const Case& c, const PGresult* result, int format) {
  std::string found;
  try {
    found = differences(c, result, format);
  } catch (const std::exception& error) {
    found = error.what();
  }
  report(found.empty(), how + c.name, found);
}

void check_exec(PGconn* connection, const Case& c, int format) {
  const Parameters p(c, format);
  const Result result(PQexecParams(connection, c.sql.c_str(), static_cast<int>(p.values.size()),
                                   p.types.data(), p.values.data(), p.lengths.data(),
                                   p.formats.data(), format));
  check(format == kBinary ? "in binary: " : "", c, result.get(), format);
}

// Prepared, with the types that the server finds for the parameters; six times, as the sixth may
// run with a generic plan.
void check_prepared(PGconn* connection, const Case& c) {
  Result result(PQprepare(connection, "case", c.sql.c_str(), 0, nullptr));
  result.reset(PQdescribePrepared(connection, "case"));
  std::string wanted, got;
  for (size_t i = 0; i < c.parameter_count(); ++i) {
    wanted += c.parameters[2 * i] + " ";
    got += type_names[PQparamtype(result.get(), static_cast<int>(i))] + " ";
  }
  if (PQnparams(result.get()) != static_cast<int>(c.parameter_count())) got += "and another number";
  if (wanted != got) report(false, "prepared: " + c.name, got);
  const Parameters p(c, kText);
  for (int time = 0; time < 6; ++time)
    result.reset(PQexecPrepared(connection, "case", static_cast<int>(p.values.size()),
                                p.values.data(), nullptr, nullptr, kText));
  if (wanted == got) check("prepared, the sixth time: ", c, result.get(), kText);
  result.reset(PQexec(connection, "DEALLOCATE \"case\""));
}

// All cases are sent before the first answer is read; an error ends no more than its own part.
void check_pipeline(PGconn* connection, const std::vector<Case>& cases) {
  bool sent = PQenterPipelineMode(connection) == 1 && PQsetnonblocking(connection, 1) == 0;
  for (const auto& c : cases) {
    const Parameters p(c, kText);
    sent = sent &&
           PQsendQueryParams(connection, c.sql.c_str(), static_cast<int>(p.values.size()), nullptr,
                             p.values.data(), nullptr, nullptr, kText) == 1 &&
           PQpipelineSync(connection) == 1;
  }
  report(sent, "a pipeline takes all cases", PQerrorMessage(connection));
  PQsetnonblocking(connection, 0);
  for (const auto& c : cases) {
    const Result answer(PQgetResult(connection));
    check("in a pipeline: ", c, answer.get(), kText);
    while (const Result more{PQgetResult(connection)})
      ;  // none, and the end of this query
    const Result sync(PQgetResult(connection));
    if (PQresultStatus(sync.get()) != PGRES_PIPELINE_SYNC)
      report(false, "in a pipeline: each part ends", PQerrorMessage(connection));
  }
  report(PQexitPipelineMode(connection) == 1, "the pipeline ends", PQerrorMessage(connection));
}

Result with_need(PGconn* connection, const char* sql, const std::string& need) {
  const char* value = need.data();
  const int length = static_cast<int>(need.size());
  return Result(PQexecParams(connection, sql, 1, &type_numbers.at("gpu_need"), &value, &length,
                             &kBinary, kText));
}

// gpu_need goes to the client and back in binary: send and receive. The model's name is its last
// part, so that only a cut before the name can be seen.
void check_need(PGconn* connection, const std::string& call, const std::string& model) {
  const Result out(PQexecParams(connection, ("SELECT " + call).c_str(), 0, nullptr, nullptr,
                                nullptr, nullptr, kBinary));
  if (PQntuples(out.get()) != 1) {
    report(false, call + " arrives in binary", PQresultErrorMessage(out.get()));
    return;
  }
  const std::string need(PQgetvalue(out.get(), 0, 0),
                         static_cast<size_t>(PQgetlength(out.get(), 0, 0)));
  report(type_names[PQftype(out.get(), 0)] == "gpu_need" && !need.empty(),
         call + " arrives in binary");
  const std::string asked =
      "(%::text, gpu_need_gib(%), gpu_fit_verdict(%, 4, 48), gpus_needed(%, 8, 24))";
  const auto filled = [&](const std::string& with) {
    std::string sql = "SELECT ";
    for (char c : asked) sql += c == '%' ? with : std::string(1, c);
    return sql;
  };
  const Result same = with_need(connection, filled("$1").c_str(), need);
  const Result wanted(PQexec(connection, filled(call).c_str()));
  const auto text = [](const Result& result) {
    return PQntuples(result.get()) == 1
               ? std::string(PQgetvalue(result.get(), 0, 0))
               : "no row: " + std::string(PQresultErrorMessage(result.get()));
  };
  report(text(same) == text(wanted) && PQntuples(wanted.get()) == 1,
         call + " in binary is the same to every function", text(same) + "\n" + text(wanted));
  std::string faults;
  for (size_t length = 0; length + model.size() < need.size(); ++length) {
    const Result cut = with_need(connection, "SELECT $1::text", need.substr(0, length));
    const char* state = PQresultErrorField(cut.get(), PG_DIAG_SQLSTATE);
    if (state == nullptr || (std::string(state) != "22P03" && std::string(state) != "08P01"))
      faults += std::to_string(length) +
                (state == nullptr ? " passes; " : " is " + std::string(state) + "; ");
  }
  report(faults.empty(), call + " cut short within its figures is refused", faults);
  const Result longer = with_need(connection, "SELECT $1::text", need + '\0');
  report(PQresultStatus(longer.get()) == PGRES_FATAL_ERROR,
         call + " with a byte too many is refused");
}

}  // namespace

int main(int, char** arguments) {
  try {
    const auto cases = read_cases(std::string(arguments[1]) + "/cases");
    const Connection connection(PQconnectdb(""));
    if (PQstatus(connection.get()) != CONNECTION_OK)
      throw std::runtime_error(PQerrorMessage(connection.get()));
    read_types(connection.get());
    for (const int format : {kText, kBinary})
      for (const auto& c : cases) check_exec(connection.get(), c, format);
    for (const auto& c : cases)
      if (c.parameter_count() > 0) check_prepared(connection.get(), c);
    check_pipeline(connection.get(), cases);
    const char* const needs[][2] = {
        {"gpu_need('llama-3.1-70b', bits => 8, ctx => 8192, conc => 4)",
         "meta-llama/Llama-3.1-70B"},
        {"gpu_need('black-forest-labs/FLUX.1-dev', bits => 8)", "black-forest-labs/FLUX.1-dev"},
        {"gpu_need('llama-3.1-8b', bits => 4, ctx => 2048, task => 'finetune')",
         "meta-llama/Llama-3.1-8B"},
        {"gpu_need(NULL, memory_gib => 40.5)", ""}};
    for (const auto& [call, model] : needs) check_need(connection.get(), call, model);
    report(PQstatus(connection.get()) == CONNECTION_OK, "the connection is still there");
  } catch (const std::exception& error) {
    report(false, "runs to its end", error.what());
  }
  return failures == 0 ? 0 : 1;
}
