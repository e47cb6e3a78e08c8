"""The private server, its fleets, and one persistent psql session for each."""

import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

# Sized for a fleet that stays in memory. Nothing runs in the background that could disturb a round.
SETTINGS = {"shared_buffers": "1GB", "work_mem": "64MB", "maintenance_work_mem": "256MB", "effective_cache_size": "4GB",
            "max_wal_size": "8GB", "max_worker_processes": "8", "max_parallel_workers": "4", "jit": "off",
            "autovacuum": "off", "max_parallel_workers_per_gather": "0"}


class Failure(Exception):
    """What ends the run: an error of the server, or two sides with different answers."""


def sections(name):
    """The statements of bench/NAME.sql by the titles above them: '-- [title]'."""
    with open(os.path.join(HERE, name + ".sql"), encoding="utf-8") as file:
        parts = re.split(r"^-- \[(.*)\]\n", file.read(), flags=re.M)
    return {title: re.sub(r"^--.*\n", "", text, flags=re.M).strip().rstrip(";")
            for title, text in zip(parts[1::2], parts[2::2])}


def fill(text, values):
    """Replaces :name as psql would; a value may hold names itself."""
    filled = re.sub(r"(?<![:\w]):([a-z]\w*)", lambda m: str(values[m.group(1)]), text)
    return filled if filled == text else fill(filled, values)


class Server:
    """tools/server's server NAME, started with the settings of the benchmark."""

    def __init__(self, name, settings):
        self.name, self.settings, self.env, self.databases = name, settings, None, []

    def __enter__(self):
        try:
            self._tool("start", *(f"{key}={value}" for key, value in self.settings.items()))
            shell = 'eval "$(tools/server env "$1")" && env -0'
            out = subprocess.check_output(["bash", "-c", shell, "bash", self.name], cwd=ROOT)
        except subprocess.CalledProcessError as error:
            self._tool("stop")
            raise Failure(f"the server '{self.name}' did not start") from error
        self.env = dict(entry.split("=", 1) for entry in out.decode().split("\0") if entry)
        return self

    def __exit__(self, *_):
        self._tool("stop")

    def _tool(self, command, *arguments):
        subprocess.run(["tools/server", command, self.name, *arguments], cwd=ROOT, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)

    def psql(self, database, *arguments):
        """Runs psql once, from the root of the checkout, for scripts with commands of psql."""
        done = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, *arguments], cwd=ROOT, env=self.env,
                              check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise Failure(done.stdout)
        return done.stdout.strip()

    def build_fleet(self, machines):
        """A database with a fleet of that many machines; returns its name."""
        database = f"bench_{machines}"
        self.psql("postgres", "-c", f"DROP DATABASE IF EXISTS {database}", "-c", f"CREATE DATABASE {database}")
        self.databases.append(database)
        self.psql(database, "-c", "CREATE EXTENSION gpu_advisor", "-f", "examples/fleet/load.sql",
                  "-v", f"machines={machines}", "-f", "bench/fleet.sql")
        self.psql("postgres", "-c", "CHECKPOINT")
        return database

    def drop_fleets(self):
        for database in self.databases:
            self.psql("postgres", "-c", f"DROP DATABASE {database}")


class Session:
    """One psql that stays connected. Times are those that psql and the server measure themselves."""

    MARK = "-- end of the answer --"

    def __init__(self, server, database):
        self._psql = subprocess.Popen(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database], env=server.env, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.run("\\timing on")
        self.pid = int(self.rows("SELECT pg_backend_pid()")[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._psql.stdin.close()
        self._psql.wait()
        self._psql.stdout.close()

    def run(self, sql):
        """The lines of an answer, psql's 'Time: ...' among them."""
        end = "" if sql.startswith("\\") else ";"
        try:
            self._psql.stdin.write(f"{sql}{end}\n\\echo {self.MARK}\n")
            self._psql.stdin.flush()
        except BrokenPipeError:
            pass  # what psql said before it ended is read below
        lines = []
        for line in self._psql.stdout:
            line = line.rstrip("\n")
            if line == self.MARK:
                return lines
            lines.append(line)
        raise Failure("\n".join(lines) + f"\n{sql}")

    def rows(self, sql):
        """The rows of one statement, their columns joined with |."""
        return [line for line in self.run(sql) if not line.startswith("Time: ")]

    def value(self, sql):
        return self.rows(sql)[0]

    def wall_ms(self, sql):
        """How long a statement takes from psql and back, in milliseconds."""
        times = [line for line in self.run(sql) if line.startswith("Time: ")]
        return float(times[-1].split()[1])

    def explain(self, sql, options="TIMING OFF, SUMMARY ON"):
        """EXPLAIN ANALYZE of a statement, as the server's JSON."""
        return json.loads("\n".join(self.rows(f"EXPLAIN (ANALYZE, {options}, FORMAT JSON) {sql}")))[0]

    def plan_text(self, sql):
        return "\n".join(self.rows(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) {sql}"))


def nodes(plan):
    """A plan's nodes, InitPlans and all."""
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def machines_read(explained):
    """How many rows of the fleet a plan has looked at."""
    return sum((node["Actual Rows"] + node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0))
               * node["Actual Loops"] for node in nodes(explained["Plan"]) if node.get("Relation Name") == "gpu_machines")
