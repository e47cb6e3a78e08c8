#!/usr/bin/env python3
"""What the server's log (CSV) says of a run of SQLsmith: how many errors of which kind, and what is a fault."""

import collections
import csv
import re
import sys

# Columns of the log: process, severity, state, message, query, where in PostgreSQL's source.
PROCESS, SEVERITY, STATE, MESSAGE, QUERY, LOCATION = 3, 11, 12, 13, 19, 21
# The extension's functions and tables, and those of database.sql.
OURS = re.compile(r"\b(gpu_\w+|gpus_needed|recommend_\w+|launch_by_workload|smith)\b")
# An internal error by its state or its text; a session or server that ended.
INTERNAL = re.compile(r"cache lookup failed|unrecognized|unexpected|could not find|no relation entry|variable not found|failed to", re.I)
ENDED = re.compile(r"terminated by signal|terminated by exception|terminating any other active|was terminated abnormally", re.I)


def main():
    csv.field_size_limit(1 << 30)
    states, faults = collections.Counter(), []
    with open(sys.argv[1], encoding="utf-8", errors="replace", newline="") as file:
        for row in csv.reader(line.replace("\0", "") for line in file):
            severity, state, message, query = row[SEVERITY], row[STATE], row[MESSAGE], row[QUERY]
            if ENDED.search(message) or severity == "PANIC":
                faults.append((severity, state, message, row[14], row[LOCATION]))
            elif severity in ("ERROR", "FATAL") and OURS.search(query):
                states[state] += 1
                if state.startswith("XX") or (state[:2] not in ("22", "42") and INTERNAL.search(message)):
                    faults.append((severity, state, message, query, row[LOCATION]))
            elif severity in ("ERROR", "FATAL"):
                states["without us: " + state] += 1
    print("errors by state: " + ", ".join(f"{state} {count}" for state, count in states.most_common()))
    for fault in faults[:20]:
        print("\n".join(part[:4000] for part in fault), end="\n\n")
    print(f"{'not ok' if faults else 'ok'} - SQLsmith finds no crash and no internal error ({len(faults)} faults)")
    return 1 if faults else 0


sys.exit(main())
