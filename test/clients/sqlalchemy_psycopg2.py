#!/usr/bin/env python3
"""SQLAlchemy on psycopg2, as Superset has it: reflection with comments, then the queries."""

import re
import warnings

import sqlalchemy
from sqlalchemy.dialects import postgresql

from clients import Client, cases, tables

client = Client("sqlalchemy_psycopg2")
# What reflection calls a column's type.
REFLECTED = {"text": sqlalchemy.TEXT, "bigint": sqlalchemy.BIGINT, "integer": sqlalchemy.INTEGER, "numeric": sqlalchemy.NUMERIC,
             "double precision": postgresql.DOUBLE_PRECISION, "boolean": sqlalchemy.BOOLEAN, "text[]": postgresql.ARRAY,
             "timestamp with time zone": postgresql.TIMESTAMP, "date": sqlalchemy.DATE}


def run(connection):
    def rows(case):
        # A name for each placeholder; a colon is one in SQLAlchemy, unless it is quoted.
        statement = sqlalchemy.text(re.sub(r"\$(\d+)", r":p\1", case.sql.replace(":", r"\:")))
        result = connection.execute(statement, {f"p{place}": value for place, value in enumerate(case.parameters, 1)})
        return list(result.keys()), [list(row) for row in result]
    return rows


def error_of(error):
    if not isinstance(error, sqlalchemy.exc.DBAPIError):
        raise error
    return error.orig.pgcode, error.orig.diag.message_primary, error.orig.diag.message_hint or ""


def check_reflection(engine):
    relations, columns = tables("catalogue")
    inspector = sqlalchemy.inspect(engine)
    names = {"table": inspector.get_table_names(), "view": inspector.get_view_names()}
    for kind, found in names.items():
        client.equal(f"lists the {kind}s", sorted(name for name, its_kind, _ in relations if its_kind == kind), sorted(found))
    for relation, _, comment in relations:
        wanted = [(column, REFLECTED[type_name], text) for of, column, type_name, text in columns if of == relation]
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            reflected = inspector.get_columns(relation)
        client.equal(f"reflects the columns of {relation} with types and comments, without a warning",
                     (wanted, []), ([(c["name"], type(c["type"]), c["comment"]) for c in reflected], [str(w.message) for w in warned]))
        client.equal(f"reflects the comment of {relation}", comment, inspector.get_table_comment(relation)["text"])


def check_table_object(engine, connection, first_rows):
    """SELECT * ... LIMIT over a reflected table, as a data set of Superset."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it leaves the indexes over expressions out
        table = sqlalchemy.Table(first_rows.name.split(":")[0], sqlalchemy.MetaData(), autoload_with=engine)
    result = connection.execute(sqlalchemy.select(table).order_by(*table.columns).limit(20))
    found = client.differences(first_rows, list(result.keys()), [list(row) for row in result])
    client.report(not found, f"{first_rows.name}, over the reflected table", found)


def main():
    engine = sqlalchemy.create_engine("postgresql+psycopg2://", isolation_level="AUTOCOMMIT")
    every = list(cases())
    with engine.connect() as connection:
        for case in every:
            client.check(case, run(connection), error_of)
        for case in every:
            if case.name.endswith(": the first rows"):
                check_table_object(engine, connection, case)
    check_reflection(engine)
    client.end()


main()
