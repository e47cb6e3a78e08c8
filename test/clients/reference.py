#!/usr/bin/env python3
"""psql: what it shows for every query that the clients run. The others compare with it.

    reference.py DIRECTORY          writes DIRECTORY/cases and DIRECTORY/catalogue
    reference.py DIRECTORY --wrong  the same with one value of every answer changed: a client that
                                    then finds no fault compares nothing

A file holds tables, a table holds records, a record holds fields; the characters that end them are
those that ASCII has for it: group, record and unit separator. NULL is \\N, as in COPY. A case is
(name, sql), (type and value of each parameter in turn), the column names, their types, and a record
for each row; where psql shows an error, the types are "error" alone and the one row is SQLSTATE,
message and hint. The catalogue is two tables: relations, and their columns.
"""

import json
import os
import re
import subprocess
import sys

GROUP, RECORD, UNIT, NULL = "\x1d", "\x1e", "\x1f", "\\N"
HERE = os.path.dirname(os.path.abspath(__file__))
# What every client has a type for.
PLAIN = {"text", "bigint", "integer", "double precision", "numeric", "boolean", "timestamp with time zone", "date"}
# For each type a value that no answer has.
WRONG = {"text": "wrong", "bigint": "987654", "integer": "987654", "double precision": "98765.5", "numeric": "98765.5",
         "text[]": "{wrong}", "jsonb": '{"wrong": 1}', "timestamp with time zone": "2001-02-03 04:05:06+00", "date": "2001-02-03"}
RELATIONS = """
    SELECT c.oid::regclass::text AS relation, CASE WHEN c.relkind IN ('r', 'p') THEN 'table' ELSE 'view' END AS kind,
           obj_description(c.oid, 'pg_class') AS comment
      FROM pg_extension AS e
      JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
      JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
     WHERE e.extname = 'gpu_advisor' AND c.relkind IN ('r', 'p', 'v', 'm')
       AND c.relnamespace <> 'gpu_advisor_internal'::regnamespace
     ORDER BY relation"""
COLUMNS = f"""
    SELECT r.relation, a.attname AS "column", format_type(a.atttypid, NULL) AS type,
           col_description(a.attrelid, a.attnum) AS comment
      FROM ({RELATIONS}) AS r JOIN pg_attribute AS a ON a.attrelid = r.relation::regclass
     WHERE a.attnum > 0 AND NOT a.attisdropped
     ORDER BY r.relation, a.attnum"""

failed = 0


def report(passed, title, detail=""):
    global failed
    if not passed:
        failed += 1
        print(detail)
    print(f"{'ok' if passed else 'not ok'} - psql: {title}")


def psql(sql):
    """The table that psql shows: its column names, their types, and the rows; or its error."""
    command = ["psql", "-XqA", "-v", "VERBOSITY=verbose", "-F", UNIT, "-R", RECORD, "-P", f"null={NULL}", "-P", "footer=off"]
    run = subprocess.run(command, input=f"{sql} \\gdesc\n\\echo -n {GROUP}\n{sql};\n", check=False, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    error = re.search(r"ERROR: +(\w{5}): (.*)", run.stderr)
    if error:
        hint = re.search(r"^HINT: +(.*)", run.stderr, re.M)
        return ["ERROR"], ["error"], [[*error.groups(), hint.group(1) if hint else ""]]
    described, shown = ([record.split(UNIT) for record in part.removesuffix("\n").split(RECORD)]
                        for part in run.stdout.split(GROUP))
    return shown[0], [re.sub(r"\(.*\)", "", type_name) for _, type_name in described[1:]], shown[1:]


def literal(type_name, value):
    """A parameter as one writes it in psql."""
    if value is None:
        return "NULL"
    if type_name == "text[]":
        value = "{%s}" % ",".join(value)
    return str(value) if type_name in ("bigint", "double precision") else "'%s'" % str(value).replace("'", "''")


def written(value):
    """A parameter in the file of cases. A list is joined with commas."""
    return NULL if value is None else ",".join(value) if isinstance(value, list) else str(value)


def case(name, sql, parameters=(), wrong=False):
    """A query, its parameters (type and value), and what psql shows."""
    shown = re.sub(r"\$(\d+)", lambda match: literal(*parameters[int(match.group(1)) - 1]), sql)
    columns, types, rows = psql(shown)
    report((types == ["error"]) == wrong and (not wrong or all(rows[0])), f"{name} gives {'an error with a hint' if wrong else 'an answer'}",
           f"{shown}\n{rows}")
    return [[name, sql], [field for type_name, value in parameters for field in (type_name, written(value))], columns, types, *rows]


def cases_of_queries():
    with open(os.path.join(HERE, "queries.json"), encoding="utf-8") as file:
        queries = json.load(file)
    for query in queries["queries"]:
        arguments = queries["arguments"][query["arguments"]]
        for kind, some in (("good", None), ("wrong", query.get("wrong"))):
            for values in arguments[kind][:some]:
                name = f"{query['name']}({', '.join(written(value) for value in values)})".replace(NULL, "NULL")
                yield case(name, query["sql"], list(zip(arguments["types"], values)), kind == "wrong")


def cases_of_relation(relation, columns):
    """What a BI tool asks of a table or view."""
    order = ", ".join(str(place) for place in range(1, len(columns) + 1))
    rows = case(f"{relation}: the first rows", f"SELECT * FROM {relation} ORDER BY {order} LIMIT 20")
    report(len(rows) > 4, f"{relation} has rows")
    yield rows
    yield case(f"{relation}: a count", f"SELECT count(*) AS number FROM {relation}")
    (first, first_type), (second, _) = columns[:2]
    yield case(f"{relation}: grouped",
               f'SELECT "{second}", count(*) AS number, min("{first}") AS least FROM (SELECT * FROM {relation}) AS virtual_table '
               f'GROUP BY "{second}" ORDER BY number DESC, "{second}" LIMIT 1000')
    one = rows[-1][0]
    if first_type in ("bigint", "integer"):
        first_type, one = "bigint", int(one)
    yield case(f"{relation}: one of it", f'SELECT * FROM {relation} WHERE "{first}" = $1 ORDER BY {order} LIMIT 20', [(first_type, one)])


def falsify(table, place):
    """Changes one value of a case's last row, or adds a row where there is none."""
    _, _, columns, types, *rows = table
    if types == ["error"]:
        # The message, or the rest: ODBC has no hint.
        for field in ((1,) if place % 2 else (0, 2)):
            rows[0][field] += " "
        return
    if not rows:
        table.append([NULL] * len(columns))
    place %= len(columns)
    table[-1][place] = {"f": "t", "t": "f"}.get(table[-1][place], "t") if types[place] == "boolean" else WRONG[types[place]]


def write(path, tables):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(GROUP.join(RECORD.join(UNIT.join(record) for record in table) for table in tables))


def main():
    directory, wrong = sys.argv[1], "--wrong" in sys.argv
    relations, columns = (psql(sql)[2] for sql in (RELATIONS, COLUMNS))
    report(len(relations) > 4, "the extension's tables and views are found", relations)
    report(NULL not in [comment for *_, comment in (*relations, *columns)], "every table, view and column has a comment", columns)
    cases = list(cases_of_queries())
    for relation, kind, _ in relations:
        its_columns = [(name, type_name) for of, name, type_name, _ in columns if of == relation]
        plain = PLAIN if kind == "view" else PLAIN | {"text[]"}
        report(all(type_name in plain for _, type_name in its_columns), f"{relation} has plain types only", its_columns)
        cases += cases_of_relation(relation, its_columns)
    if wrong:
        for place, table in enumerate(cases):
            falsify(table, place)
        relations = [[name, "view" if kind == "table" else "table", comment + " "] for name, kind, comment in relations]
        columns = [[relation, name + " ", *rest] for relation, name, *rest in columns]
    write(os.path.join(directory, "cases"), cases)
    write(os.path.join(directory, "catalogue"), [relations, columns])
    return 1 if failed else 0


sys.exit(main())
