#!/usr/bin/env python3
"""ODBC, as Excel, Power BI and Tableau have it: psqlodbc by way of pyodbc, and isql."""

import datetime
import re
import subprocess

import pyodbc

from clients import Client, cases, tables

# Arrays and jsonb arrive as text, a timestamp without its zone.
client = Client("odbc", **{"text[]": str, "jsonb": str,
                           "timestamp_with_time_zone": lambda shown: datetime.datetime.fromisoformat(shown).replace(tzinfo=None)})
# Type names in the driver's catalogue functions.
DRIVER = {"text": "text", "bigint": "int8", "integer": "int4", "double precision": "float8", "numeric": "numeric", "boolean": "bool",
          "text[]": "_text", "timestamp with time zone": "timestamptz", "date": "date"}
connection = pyodbc.connect("DSN=clients", autocommit=True)


def run(case):
    # A list is no parameter of ODBC: an array goes as its text.
    values = ["{%s}" % ",".join(value) if isinstance(value, list) else value for value in case.parameters]
    cursor = connection.execute(re.sub(r"\$\d+", "?", case.sql), values)
    return [column[0] for column in cursor.description], [list(row) for row in cursor.fetchall()]


def error_of(error):
    if not isinstance(error, pyodbc.Error):
        raise error
    state, text = error.args[:2]
    found = re.search(r"ERROR: (.*);\nError while", text)
    # The driver leaves the hint out: the message has to say what is wrong by itself.
    return state, found.group(1) if found else text, None


def check_catalogue():
    relations, columns = tables("catalogue")
    cursor = connection.cursor()
    listed = [(row.table_name, row.table_type) for row in cursor.tables(schema="public")]
    client.equal("lists the tables and views", sorted((name, kind.upper()) for name, kind, _ in relations), sorted(listed))
    for relation, _, _ in relations:
        wanted = [(column, DRIVER[type_name]) for of, column, type_name, _ in columns if of == relation]
        client.equal(f"the columns of {relation}", wanted,
                     [(row.column_name, row.type_name) for row in cursor.columns(schema="public", table=relation)])


def check_isql(case):
    """isql prints a row on a line, its columns between bars."""
    done = subprocess.run(["isql", "clients", "-b", "-d|", "-m4000"], input=case.sql + "\n", check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    wanted = ["|".join("" if text == "\\N" else {"t": "1", "f": "0"}.get(text, text) if type_name == "boolean" else text
                       for type_name, text in zip(case.types, row)) for row in case.rows]
    client.equal(f"isql: {case.name}", wanted, done.stdout.rstrip("\n").split("\n"))


def main():
    every = list(cases())
    for case in every:
        client.check(case, run, error_of)
    for case in every:
        if case.name.endswith((": a count", ": grouped")):
            check_isql(case)
    check_catalogue()
    client.end()


main()
