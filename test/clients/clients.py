"""What the clients in Python share: the cases, the comparison and the report. See reference.py."""

import collections
import datetime
import decimal
import json
import os
import re
import sys

Case = collections.namedtuple("Case", "name sql parameters columns types rows")


def tables(name):
    """The tables of a file of the reference."""
    with open(os.path.join(sys.argv[1], name), encoding="utf-8", newline="") as file:
        return [[record.split("\x1f") for record in table.split("\x1e")] for table in file.read().split("\x1d")]


def cases():
    for (name, sql), parameters, columns, types, *rows in tables("cases"):
        values = [parameter(*pair) for pair in zip(parameters[::2], parameters[1::2])]
        yield Case(name, sql, values, columns, [t for t in types if t], rows)


def parameter(type_name, written):
    if written == "\\N":
        return None
    return {"bigint": int, "double precision": float, "text": str, "text[]": lambda text: text.split(",")}[type_name](written)


def elements(shown):
    """The elements of an array as psql shows it."""
    return [re.sub(r"\\(.)", r"\1", quoted) if quoted else bare
            for quoted, bare in re.findall(r'"((?:[^"\\]|\\.)*)"|([^,{}"]+)', shown)]


# A value as Python has it, from what psql shows.
NATIVE = {
    "text": str,
    "bigint": int,
    "integer": int,
    "double precision": float,
    "numeric": decimal.Decimal,
    "boolean": lambda shown: {"t": True, "f": False}[shown],
    "text[]": elements,
    "jsonb": json.loads,
    "timestamp with time zone": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
}


class Client:
    """The report of one client. `native` holds the types that arrive otherwise than NATIVE says."""

    def __init__(self, name, **native):
        self.name, self.failed, self.native = name, 0, {**NATIVE, **{key.replace("_", " "): value for key, value in native.items()}}

    def report(self, passed, title, detail=""):
        if not passed:
            self.failed += 1
            print(str(detail)[:2000])
        print(f"{'ok' if passed else 'not ok'} - {self.name}: {title}")

    def equal(self, title, wanted, got):
        self.report(wanted == got, title, f"wanted {wanted!r}\ngot    {got!r}")

    def differences(self, case, columns, rows):
        """Where an answer differs from what psql shows, in value or in type."""
        if list(columns) != case.columns:
            return f"columns {columns}, wanted {case.columns}"
        if len(rows) != len(case.rows):
            return f"{len(rows)} rows, wanted {len(case.rows)}: {rows[:1]}"
        found = []
        for shown, row in zip(case.rows, rows):
            for column, type_name, text, value in zip(case.columns, case.types, shown, row):
                wanted = None if text == "\\N" else self.native[type_name](text)
                # Decimals that are equal may still differ in their digits: 0.350 and 0.35.
                if type(value) is not type(wanted) or value != wanted or (type_name == "numeric" and str(value) != str(wanted)):
                    found.append(f"{column}: {value!r}, psql shows {text!r}")
        return "\n".join(found[:10])

    def check(self, case, run, error_of):
        """Runs one case: `run` gives columns and rows, or raises what `error_of` makes SQLSTATE, message and
        hint of; the hint is None where the client does not pass it on."""
        try:
            columns, rows = run(case)
        except Exception as error:  # pylint: disable=broad-except
            got = list(error_of(error))
            wanted = case.rows[0] if case.types == ["error"] else "no error"
            if got[2] is None:
                wanted = [*wanted[:2], None]
            self.equal(case.name, wanted, got)
            return
        found = self.differences(case, columns, rows) if case.types != ["error"] else f"no error, but {rows[:1]}"
        self.report(not found, case.name, found)

    def end(self):
        sys.exit(1 if self.failed else 0)
