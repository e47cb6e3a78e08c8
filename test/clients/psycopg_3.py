#!/usr/bin/env python3
"""psycopg 3: parameters bound on the server, as text and as binary; prepared statements."""

import decimal
import re

import psycopg

from clients import Client, cases, tables

client = Client("psycopg_3")
connection = psycopg.connect(autocommit=True)


def run(binary, prepare=None):
    def rows(case):
        with connection.cursor(binary=binary) as cursor:
            cursor.execute(re.sub(r"\$\d+", "%b" if binary else "%s", case.sql.replace("%", "%%")), case.parameters or None, prepare=prepare)
            return [column.name for column in cursor.description], [list(row) for row in cursor.fetchall()]
    return rows


def error_of(error):
    if not isinstance(error, psycopg.Error):
        raise error
    return error.sqlstate, error.diag.message_primary, error.diag.message_hint or ""


def main():
    every = list(cases())
    for case in every:
        client.check(case, run(binary=False), error_of)
    for case in every:
        client.check(case._replace(name="in binary: " + case.name), run(binary=True), error_of)
    for case in every:
        if case.parameters and case.types != ["error"]:
            # The server makes a generic plan after five executions.
            ask = run(binary=False, prepare=True)
            for _ in range(5):
                ask(case)
            client.check(case._replace(name="prepared, the sixth time: " + case.name), ask, error_of)
    # A price as applications have it, which the server takes for a numeric.
    for case in every[:2]:
        values = [decimal.Decimal(str(value)) if isinstance(value, float) else value for value in case.parameters]
        client.check(case._replace(name="decimals: " + case.name, parameters=values), run(binary=False), error_of)
    described = connection.execute("SELECT * FROM gpu_machines LIMIT 0").description
    wanted = [(column, type_name) for relation, column, type_name, _ in tables("catalogue")[1] if relation == "gpu_machines"]
    names = dict(connection.execute("SELECT oid, format_type(oid, NULL) FROM pg_type").fetchall())
    client.equal("the types of gpu_machines", wanted, [(column.name, names[column.type_code]) for column in described])
    client.end()


main()
