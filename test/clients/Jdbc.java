// JDBC, as Metabase, DBeaver and Tableau have it. Run as a single file: java -cp DRIVER Jdbc.java DIRECTORY

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.*;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.*;
import java.util.regex.*;
import org.postgresql.util.PGobject;
import org.postgresql.util.PSQLException;

public class Jdbc {
    /** A query and what psql shows for it: see reference.py. */
    record Case(String name, String sql, List<String> parameters, List<String> columns, List<String> types, List<List<String>> rows) {
        boolean isError() {
            return types.equals(List.of("error"));
        }
    }

    static final String NULL = "\\N";
    /** The driver's names of the types. */
    static final Map<String, String> DRIVER = Map.of("text", "text", "bigint", "int8", "integer", "int4", "double precision", "float8",
        "numeric", "numeric", "boolean", "bool", "text[]", "_text", "jsonb", "jsonb", "timestamp with time zone", "timestamptz", "date", "date");
    static String directory;
    static boolean failed = false;

    static void report(boolean passed, String title, Object detail) {
        if (!passed) {
            failed = true;
            System.out.println(detail);
        }
        System.out.println((passed ? "ok" : "not ok") + " - jdbc: " + title);
    }

    static void equal(String title, Object wanted, Object got) {
        report(wanted.equals(got), title, "wanted " + wanted + "\ngot    " + got);
    }

    static List<List<List<String>>> tables(String name) throws Exception {
        var tables = new ArrayList<List<List<String>>>();
        for (String table : Files.readString(Path.of(directory, name)).split("\u001d", -1)) {
            var records = new ArrayList<List<String>>();
            for (String record : table.split("\u001e", -1)) records.add(List.of(record.split("\u001f", -1)));
            tables.add(records);
        }
        return tables;
    }

    static List<Case> cases() throws Exception {
        return tables("cases").stream().map(t ->
            new Case(t.get(0).get(0), t.get(0).get(1), t.get(1), t.get(2), t.get(3), t.subList(4, t.size()))).toList();
    }

    static void bind(PreparedStatement statement, List<String> parameters) throws SQLException {
        for (int i = 0; i + 1 < parameters.size(); i += 2) {
            int place = i / 2 + 1;
            String value = parameters.get(i + 1);
            boolean isNull = value.equals(NULL);
            switch (parameters.get(i)) {
                case "bigint" -> {
                    if (isNull) statement.setNull(place, Types.BIGINT);
                    else statement.setLong(place, Long.parseLong(value));
                }
                case "double precision" -> {
                    if (isNull) statement.setNull(place, Types.DOUBLE);
                    else statement.setDouble(place, Double.parseDouble(value));
                }
                case "text[]" -> {
                    if (isNull) statement.setNull(place, Types.ARRAY);
                    else statement.setArray(place, statement.getConnection().createArrayOf("text", value.split(",")));
                }
                default -> {
                    if (isNull) statement.setNull(place, Types.VARCHAR);
                    else statement.setString(place, value);
                }
            }
        }
    }

    /** The elements of an array as psql shows it. */
    static List<String> elements(String shown) {
        var found = new ArrayList<String>();
        Matcher matcher = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|([^,{}\"]+)").matcher(shown);
        while (matcher.find()) found.add(matcher.group(1) != null ? matcher.group(1).replaceAll("\\\\(.)", "$1") : matcher.group(2));
        return found;
    }

    /** Whether a value is what psql shows, and of the type that belongs to it. */
    static boolean same(String type, String shown, Object value) throws SQLException {
        if (shown.equals(NULL) || value == null) return shown.equals(NULL) && value == null;
        return switch (type) {
            case "bigint" -> value.equals(Long.valueOf(shown));
            case "integer" -> value.equals(Integer.valueOf(shown));
            case "double precision" -> value.equals(Double.valueOf(shown));
            case "numeric" -> value instanceof BigDecimal number && number.toPlainString().equals(shown);
            case "boolean" -> value.equals(shown.equals("t"));
            case "text[]" -> value instanceof java.sql.Array array && Arrays.asList((Object[]) array.getArray()).equals(elements(shown));
            case "jsonb" -> value instanceof PGobject object && object.getType().equals("jsonb") && shown.equals(object.getValue());
            case "timestamp with time zone" -> value instanceof Timestamp time
                && time.toInstant().equals(OffsetDateTime.parse(shown.replace(' ', 'T') + ":00").toInstant());
            case "date" -> value.toString().equals(shown) && value instanceof java.sql.Date;
            default -> value.equals(shown);
        };
    }

    /** Executes a statement; says where its answer differs from what psql shows, or nothing. */
    static String differences(Case c, PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            var meta = result.getMetaData();
            List<String> columns = new ArrayList<>(), types = new ArrayList<>();
            for (int i = 1; i <= meta.getColumnCount(); i++) {
                columns.add(meta.getColumnLabel(i));
                types.add(meta.getColumnTypeName(i));
            }
            if (!columns.equals(c.columns)) return "columns " + columns + ", wanted " + c.columns;
            List<String> wanted = c.types.stream().map(DRIVER::get).toList();
            if (!types.equals(wanted)) return "types " + types + ", wanted " + wanted;
            int row = 0;
            for (; result.next(); row++) {
                for (int i = 0; row < c.rows.size() && i < columns.size(); i++) {
                    String shown = c.rows.get(row).get(i);
                    Object value = result.getObject(i + 1);
                    if (!same(c.types.get(i), shown, value)) return columns.get(i) + ": " + value + ", psql shows " + shown;
                }
            }
            return row == c.rows.size() ? null : row + " rows, wanted " + c.rows.size();
        }
    }

    /**
     * The driver prepares a statement on the server the fifth time that it runs, and takes binary values from
     * then on; the server makes a generic plan after five times more.
     */
    static final int OFTEN = 11;

    static void check(Connection connection, Case c, int times) {
        String found = null;
        try (var statement = connection.prepareStatement(c.sql.replaceAll("\\$\\d+", "?"))) {
            bind(statement, c.parameters);
            for (int time = 1; found == null && time <= (c.parameters.size() > 1 && !c.isError() ? times : 1); time++) {
                found = differences(c, statement);
                if (found != null) found = "the " + time + ". time: " + found;
            }
            if (c.isError()) found = "no error";
        } catch (PSQLException error) {
            var message = error.getServerErrorMessage();
            List<String> got = message == null ? List.of(error.toString())
                : Arrays.asList(message.getSQLState(), message.getMessage(), message.getHint());
            found = c.isError() && got.equals(c.rows.get(0)) ? null : "got " + got;
        } catch (SQLException error) {
            found = error.toString();
        }
        report(found == null, c.name, found);
    }

    /** Arguments of the types beside: int for bigint, BigDecimal for double precision. */
    static void checkOtherTypes(Connection connection, Case c) throws SQLException {
        try (var statement = connection.prepareStatement(c.sql.replaceAll("\\$\\d+", "?"))) {
            bind(statement, c.parameters);
            for (int i = 0; i < c.parameters.size(); i += 2) {
                String value = c.parameters.get(i + 1);
                if (value.equals(NULL)) continue;
                if (c.parameters.get(i).equals("bigint")) statement.setInt(i / 2 + 1, Integer.parseInt(value));
                if (c.parameters.get(i).equals("double precision")) statement.setBigDecimal(i / 2 + 1, new BigDecimal(value));
            }
            String found = differences(c, statement);
            report(found == null, "int and BigDecimal: " + c.name, found);
        }
    }

    static void checkCatalogue(DatabaseMetaData meta) throws Exception {
        var catalogue = tables("catalogue");
        var listed = new ArrayList<List<String>>();
        try (ResultSet r = meta.getTables(null, "public", "%", new String[] {"TABLE", "VIEW"})) {
            while (r.next()) listed.add(List.of(r.getString("TABLE_NAME"), r.getString("TABLE_TYPE").toLowerCase(), r.getString("REMARKS")));
        }
        listed.sort(Comparator.comparing(fields -> fields.get(0)));
        equal("lists the tables and views with their comments", catalogue.get(0), listed);
        for (var relation : catalogue.get(0)) {
            List<List<String>> wanted = new ArrayList<>(), got = new ArrayList<>();
            for (var column : catalogue.get(1)) {
                if (column.get(0).equals(relation.get(0))) wanted.add(List.of(column.get(1), DRIVER.get(column.get(2)), column.get(3)));
            }
            try (ResultSet r = meta.getColumns(null, "public", relation.get(0), "%")) {
                while (r.next()) got.add(List.of(r.getString("COLUMN_NAME"), r.getString("TYPE_NAME"), r.getString("REMARKS")));
            }
            equal("the columns of " + relation.get(0) + " with types and comments", wanted, got);
        }
        var names = new ArrayList<String>();
        try (ResultSet r = meta.getFunctionColumns(null, "public", "recommend_constraints", "%")) {
            while (r.next()) names.add(r.getString("COLUMN_NAME") + " " + r.getString("TYPE_NAME"));
        }
        report(names.contains("max_price float8") && names.contains("machines_left int8"), "the arguments and columns of a function", names);
    }

    public static void main(String[] arguments) throws Exception {
        directory = arguments[0];
        var env = System.getenv();
        String url = "jdbc:postgresql://" + env.get("PGHOST") + ":" + env.get("PGPORT") + "/" + env.get("PGDATABASE");
        try (var connection = DriverManager.getConnection(url, env.get("PGUSER"), env.get("PGPASSWORD"))) {
            for (Case c : cases()) check(connection, c, OFTEN);
            for (Case c : cases().subList(0, 2)) checkOtherTypes(connection, c);
            checkCatalogue(connection.getMetaData());
            try (var statement = connection.createStatement();
                 var result = statement.executeQuery("SELECT coalesce(sum(generic_plans), 0), coalesce(sum(custom_plans), 0) FROM pg_prepared_statements")) {
                result.next();
                report(result.getLong(1) > 0 && result.getLong(2) > 0, "both custom and generic plans were run",
                    result.getLong(1) + " generic, " + result.getLong(2) + " custom");
            }
            // Nothing but generic plans, from the first time on.
            try (var statement = connection.createStatement()) {
                statement.execute("SET plan_cache_mode = force_generic_plan");
            }
            connection.unwrap(org.postgresql.PGConnection.class).setPrepareThreshold(1);
            for (Case c : cases()) {
                if (c.parameters.size() > 1 && !c.isError()) {
                    check(connection, new Case("with a generic plan: " + c.name, c.sql, c.parameters, c.columns, c.types, c.rows), 2);
                }
            }
        }
        System.exit(failed ? 1 : 0);
    }
}
