"""The figures: what is measured against what, and with which goal."""

import json
import os
import shutil
import statistics
import subprocess
from dataclasses import dataclass, field

from server import HERE, Failure, Session, fill, machines_read, nodes, sections

LLAMA_8B = "gpu_need('meta-llama/Llama-3.1-8B', {bits})"
LLAMA_405B = "gpu_need('meta-llama/Llama-3.1-405B', 16, 32768, {conc})"
RARE_GIB = 280  # between the largest GPU of the real fleet (268.6 GiB) and the rare machines' 288
RARE_CAPACITY = (8 * 268.6, 8 * 288)  # GiB over 8 GPUs: more than the former hold, not more than the latter


@dataclass
class Goal:
    """What a ratio is to reach: 'most' or 'least'."""
    kind: str
    value: float
    unit: str = ""

    def reached(self, ratio):
        return ratio <= self.value if self.kind == "most" else ratio >= self.value

    def __str__(self):
        return f"at {self.kind} {self.value:g}{self.unit}"


@dataclass
class Side:
    """What one side took, in milliseconds a round (or another unit), summed up in the table."""
    label: str
    values: list

    @property
    def median(self):
        return statistics.median(self.values)


@dataclass
class Result:
    """One line of the table. Where the goal is on a value of ours, and on no ratio, there is no baseline."""
    key: str
    title: str
    fleet: int
    ours: Side
    baseline: Side = None
    goal: Goal = None
    unit: str = "ms"
    faster: bool = False  # the ratio says how many times faster we are, not how much we take
    scale: float = 1.0  # for costs a machine: the ratio is divided by it
    note: str = ""

    @property
    def ratios(self):
        """A ratio for each round: both sides of a pair ran one after the other, under the same load."""
        pairs = zip(self.ours.values, self.baseline.values)
        return [(b / o if self.faster else o / b) / self.scale for o, b in pairs]

    @property
    def judged(self):
        """The number that the goal is on."""
        return statistics.median(self.ratios) if self.baseline else self.ours.median

    @property
    def reached(self):
        return None if self.goal is None else self.goal.reached(self.judged)


@dataclass
class Bench:
    """What a run measures with, and what it has found."""
    server: object
    sizes: list
    rounds: int
    small: bool
    work: str  # the directory for plans and the application
    results: list = field(default_factory=list)
    rounds_log: list = field(default_factory=list)  # rows of the CSV
    growth: dict = field(default_factory=dict)  # line -> [(machines, ms)]
    checks: list = field(default_factory=list)
    skipped: list = field(default_factory=list)

    @property
    def fleet(self):
        """The fleet that the goals are on; a larger one is for growth and memory only."""
        return min(max(self.sizes), 1_000_000)

    def session(self, machines=None):
        return Session(self.server, f"bench_{machines or self.fleet}")

    def same(self, what, one, other):
        """No ratio of different answers."""
        if one != other:
            at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
            raise Failure(f"{what}: the two sides differ: {len(one)} and {len(other)} rows, at row {at + 1} "
                          f"{one[at:at + 1]} and {other[at:at + 1]}")
        self.checks.append(f"both sides give the same rows: {what} ({len(one)})")

    def keep_plans(self, session, key, statements):
        """What EXPLAIN says of each side, for whoever asks where the time goes."""
        with open(os.path.join(self.work, "plans.txt"), "a", encoding="utf-8") as file:
            for label, sql in statements.items():
                file.write(f"== {key}: {label}\n{session.plan_text(sql)}\n\n")

    def log(self, key, fleet, side, number, planning, execution, wall):
        self.rounds_log.append([key, fleet, side, number, planning, execution, wall])

    def alternate(self, key, fleet, measures):
        """Rounds of A, B, ... in turn, after one that is not counted. A measure gives planning, execution
        and wall time, of which some are None. Returns {side: [(planning, execution, wall), ...]}."""
        found = {side: [] for side in measures}
        for number in range(self.rounds + 1):
            for side, measure in measures.items():
                times = measure()
                if number > 0:
                    found[side].append(times)
                    self.log(key, fleet, side, number, *times)
        return found

    def add(self, result):
        self.results.append(result)


def explained(session, sql, repeat=1):
    """A measure by the server's own planning and execution times; the median where it is repeated."""
    def measure():
        plans = [session.explain(sql) for _ in range(repeat)]
        return (statistics.median(p["Planning Time"] for p in plans),
                statistics.median(p["Execution Time"] for p in plans), None)
    return measure


def on_the_wall(session, *statements):
    """A measure of whole statements, one after the other."""
    return lambda: (None, None, sum(session.wall_ms(sql) for sql in statements))


def execution(side, times):
    return Side(side, [t[1] for t in times])


def with_planning(side, times):
    return Side(side, [t[0] + t[1] for t in times])


def wall(side, times):
    return Side(side, [t[2] for t in times])


# What one writes by hand: the needs as constants

def ladder(session, need):
    """{GPUs: GiB on each} of a need, up to the 16 GPUs that the largest machine has."""
    sql = f"""SELECT k, repr FROM (
        SELECT k, gpu_need_gib({need}, k) / k AS repr FROM unnest(ARRAY[1, 2, 4, 8, 16]) AS k) AS s
        WHERE repr IS NOT NULL ORDER BY k"""
    return {int(k): float(gib) for k, gib in (row.split("|") for row in session.rows(sql))}


def condition(rungs):
    terms = [f"gpu_memory_gib >= {gib!r}" if gpus == 1 else f"gpu_count >= {gpus} AND gpu_memory_gib >= {gib!r}"
             for gpus, gib in rungs.items()]
    return "(" + " OR ".join(terms) + ")"


def gpus_used(rungs):
    cases = [f"WHEN gpu_count >= {gpus} AND gpu_memory_gib >= {gib!r} THEN {gpus}" for gpus, gib in rungs.items()]
    return "CASE " + " ".join(cases) + " END"


def constants(session):
    """The values of the names in the files: of Llama 3.1 8B at 16, 8 and 4 bits, and the countries."""
    values = {"eu": session.value("SELECT string_agg(quote_literal(c), ', ') FROM unnest(gpu_countries('{EU}')) AS c")}
    for bits, end in ((16, ""), (8, "_8"), (4, "_4")):
        rungs = ladder(session, LLAMA_8B.format(bits=bits))
        values["holds" + end], values["gpus_used" + end] = condition(rungs), gpus_used(rungs)
        if bits == 16:
            values.update({f"gib_{gpus}": repr(gib) for gpus, gib in rungs.items()})
            values["capacity"] = repr(min(gpus * gib for gpus, gib in rungs.items()))
    return values


def large_model(session, conc):
    """The values for Llama 3.1 405B with many requests."""
    rungs = ladder(session, LLAMA_405B.format(conc=conc))
    return {"conc": conc, "holds": condition(rungs), "capacity": repr(min(k * gib for k, gib in rungs.items())),
            **{f"gib_{gpus}": repr(gib) for gpus, gib in rungs.items()}}


def rare_requests(session):
    """With how many requests Llama 3.1 405B needs more than the real fleet has, and the rare machines hold it."""
    low, high = RARE_CAPACITY
    sql = f"""SELECT conc FROM generate_series(1, 400) AS conc
        WHERE gpu_need_gib({LLAMA_405B.format(conc='conc')}, 8) > {low} AND gpu_need_gib({LLAMA_405B.format(conc='conc')}, 8) <= {high}
        ORDER BY conc OFFSET 2 LIMIT 1"""
    return int(session.value(sql))


# The figures

def fit_scan(bench):
    """The fit test over every machine: against a bare comparison, and over two workers."""
    statements = sections("fit_scan")
    with bench.session() as s, bench.session() as indexed:
        statements = {k: fill(v, constants(s)) for k, v in statements.items()}
        bench.same("the fit test over all machines", s.rows(statements["ours"]), s.rows(statements["by hand"]))
        # The same scan on every side: an index that holds the one column answers without the table.
        for kind in ("indexscan", "indexonlyscan", "bitmapscan"):
            s.run(f"SET enable_{kind} = off")
        bench.keep_plans(s, "fit_scan", statements)
        found = bench.alternate("fit_scan", bench.fleet, {**{side: explained(s, sql) for side, sql in statements.items()},
                                                          "one column, index": explained(indexed, statements["one column"])})
        ours = execution("gpu_fits", found["ours"])
        bench.add(Result("fit_scan", "Fit test over all machines, one core", bench.fleet, ours,
                         execution("a comparison of one column", found["one column"]), Goal("most", 1.25)))
        bench.add(Result("fit_scan_by_hand", "the same", bench.fleet, ours,
                         execution("the same condition by hand", found["by hand"])))
        bench.add(Result("fit_scan_indexed", "the same", bench.fleet, ours,
                         execution("the one column, read from its index alone", found["one column, index"])))
    for machines in sorted({bench.fleet, max(bench.sizes)}):
        parallel_fit_scan(bench, machines, statements["ours"])


def parallel_fit_scan(bench, machines, sql):
    """The fit test over two workers. What starting them takes is shown as well: it is the machine's affair."""
    key = "parallel" if machines == bench.fleet else "parallel_largest"
    with bench.session(machines) as one, bench.session(machines) as two, bench.session(machines) as alone:
        for s, leader in ((two, "on"), (alone, "off")):
            # A small fleet would not be shared out otherwise.
            for setting in ("max_parallel_workers_per_gather = 2", f"parallel_leader_participation = {leader}",
                            "min_parallel_table_scan_size = 0", "parallel_setup_cost = 0", "parallel_tuple_cost = 0"):
                s.run(f"SET {setting}")
        bench.same(f"the fit test over two workers, {machines:,} machines", one.rows(sql), two.rows(sql))
        bench.keep_plans(two, key, {"two workers and leader": sql})

        def in_new_backend():
            with bench.session(machines) as new:
                return explained(new, sql)()

        launched = {workers_launched(s.explain(sql)) for s in (two, alone)}
        if launched != {2}:
            raise Failure(f"two workers were to start, and {launched} did")
        found = bench.alternate(key, machines, {
            "one core": explained(one, sql), "two workers": explained(two, sql), "two workers alone": explained(alone, sql),
            "start": explained(two, "SELECT count(*) FROM gpu_models WHERE layers = -1"), "new": in_new_backend})
        base = execution("one core", found["one core"])
        note = f"{os.cpu_count()} cores"
        bench.add(Result(key, "The fit test over two workers and the leader", machines,
                         execution("two workers and the leader", found["two workers"]), base,
                         Goal("least", 1.7, " x faster") if key == "parallel" else None, faster=True, note=note))
        bench.add(Result(key + "_alone", "the same, and the leader only collects", machines,
                         execution("two workers", found["two workers alone"]), base, faster=True, note=note))
        bench.add(Result(key + "_start", "of which two workers take to start, by a count of nothing", machines,
                         execution("", found["start"])))
        bench.add(Result(key + "_new", "one core, in a backend that has not touched the shared buffers, as a worker has not", machines,
                         execution("in a new backend", found["new"]), base))


def workers_launched(plan):
    return sum(node.get("Workers Launched", 0) for node in nodes(plan["Plan"]))


def cheapest(bench):
    """The 10 cheapest, with every preference."""
    with bench.session() as s:
        statements = {k: fill(v, constants(s)) for k, v in sections("cheapest").items()}
        found = compare(bench, s, "cheapest", "The 10 cheapest by price, tier and EU", statements, Goal("most", 1.5))
        read = {side: machines_read(s.explain(sql)) for side, sql in statements.items()}
        bench.add(Result("cheapest_time", "The 10 cheapest: execution alone", bench.fleet, execution("", found["ours"]),
                         goal=Goal("most", 2, " ms")))
        bench.add(Result("cheapest_read", "The 10 cheapest: machines read", bench.fleet,
                         Side("recommend_machines", [read["ours"]]), Side("by hand", [read["by hand"]]), unit="machines"))


def compare(bench, session, key, title, statements, goal, repeat=15):
    """A pair of short statements: the same rows, then execution (with the goal) and planning as well."""
    if bench.small:
        repeat = 3
    (_, ours), (label, by_hand) = statements.items()
    bench.same(title, session.rows(ours), session.rows(by_hand))
    bench.keep_plans(session, key, statements)
    found = bench.alternate(key, bench.fleet, {side: explained(session, sql, repeat) for side, sql in statements.items()})
    bench.add(Result(key, title, bench.fleet, execution("recommend_machines", found["ours"]), execution(label, found[label]), goal))
    bench.add(Result(key + "_planned", "the same with planning", bench.fleet, with_planning("recommend_machines", found["ours"]),
                     with_planning(label, found[label])))
    return found


def hardly_any(bench):
    """Needs that nothing meets, and that one machine in 100,000 meets: of a notebook and of a model."""
    texts = sections("hardly_any")
    with bench.session() as s:
        rare = max(1, bench.fleet // 100_000)
        requests = rare_requests(s)
        cases = (("nothing", "notebook", "No machine holds 100,000 GiB", {"notebook_gib": 100000}, 0),
                 ("nothing_model", "model", "No machine holds 405B with 5,000 requests", large_model(s, 5000), 0),
                 ("rare", "notebook", "One machine in 100,000 holds 280 GiB", {"notebook_gib": RARE_GIB}, rare),
                 ("rare_model", "model", f"One machine in 100,000 holds 405B with {requests} requests", large_model(s, requests), rare))
        for key, kind, title, values, wanted in cases:
            statements = {side: fill(texts[f"{kind}: {side}"], values) for side in ("ours", "by hand")}
            if len(s.rows(statements["by hand"])) != min(10, wanted):
                raise Failure(f"{title}: the fleet was not built so that {wanted} machines do")
            compare(bench, s, key, title, statements, Goal("most", 2))
            if wanted == 0:
                read = machines_read(s.explain(statements["ours"], "TIMING OFF, BUFFERS"))
                bench.add(Result(key + "_read", f"{title}: machines read", bench.fleet, Side("recommend_machines", [read]),
                                 goal=Goal("most", 10, " machines"), unit="machines"))
        prepared(bench, s, texts, cases)


def prepared(bench, session, texts, cases):
    """The same through statements that were planned for no values: reported, without a goal."""
    session.run("SET plan_cache_mode = force_generic_plan")
    for side in ("ours", "by hand"):
        session.run(texts[f"prepare: {side}"])
    for key, kind, title, values, _ in cases:
        statements = {side: fill(texts[f"execute {kind}: {side}"], values) for side in ("ours", "by hand")}
        compare(bench, session, key + "_generic", title + ": generic plan", statements, None, repeat=3)
    session.run("RESET plan_cache_mode")


def matrix(bench):
    """Models by precisions by machines."""
    texts = sections("matrix")
    machines = 10_000 if 10_000 in bench.sizes else min(bench.sizes)
    models = 20 if bench.small else 350
    values = {"models": models, "shares": texts.pop("shares by hand")}
    with bench.session(machines) as s:
        statements = {side: fill(sql, values) for side, sql in texts.items()}
        answers = {side: s.rows(sql) for side, sql in statements.items()}
        if len(answers["ours"]) != models:
            raise Failure(f"the fit matrix has {len(answers['ours'])} models, not {models}")
        for side in ("ladder by hand", "thresholds by hand"):
            bench.same(f"the fit matrix, {side}", answers["ours"], answers[side])
        bench.keep_plans(s, "matrix", statements)
        found = bench.alternate("matrix", machines, {side: explained(s, sql) for side, sql in statements.items()})
        ours = execution("gpu_fits", found["ours"])
        title = f"Fit matrix: {models} models x 3 precisions x {machines:,} machines"
        bench.add(Result("matrix", title, machines, ours, execution("the best plain SQL found", found["thresholds by hand"]),
                         Goal("least", 3, " x faster"), faster=True))
        bench.add(Result("matrix_ladder", "the same", machines, ours,
                         execution("the rule as one says it, in plain SQL", found["ladder by hand"]), faster=True))


def whole_answer(bench):
    """launch_by_workload against the queries for the same content."""
    texts = sections("whole_answer")
    by_hand = ("recommended", "alternatives", "constraints")
    with bench.session() as s:
        values = {**constants(s), **{part: texts[f"{part} by hand"] for part in by_hand}}
        statements = {title: fill(text, values) for title, text in texts.items()}
        bench.same("the whole answer", s.rows(statements["content of ours"]), s.rows(statements["content by hand"]))
        bench.keep_plans(s, "whole_answer", {k: v for k, v in statements.items() if not k.startswith("content")})
        for workers in (0, 2):
            s.run(f"SET max_parallel_workers_per_gather = {workers}")
            key = "whole_answer" if workers == 0 else "whole_answer_workers"
            found = bench.alternate(key, bench.fleet, {
                "ours": on_the_wall(s, statements["ours"]),
                "by hand": on_the_wall(s, *(statements[f"{part} by hand"] for part in by_hand))})
            title = "The whole answer for 20 machines, one core" if workers == 0 else "the same with two workers allowed"
            bench.add(Result(key, title, bench.fleet, wall("launch_by_workload", found["ours"]),
                             wall("three queries by hand", found["by hand"]), Goal("most", 1.5) if workers == 0 else None))


def application(bench):
    """The ranking in an application that fetches the machines."""
    directory = os.path.join(bench.work, "application")
    if not shutil.which("node") or not shutil.which("npm"):
        bench.skipped.append("application code: there is no Node.js here")
        return
    shutil.copytree(os.path.join(HERE, "application"), directory, dirs_exist_ok=True)
    if not os.path.isdir(os.path.join(directory, "node_modules", "pg")):
        # The small run asks no network.
        if bench.small or subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=directory, check=False,
                                         stdin=subprocess.DEVNULL).returncode != 0:
            bench.skipped.append("application code: the package pg is not here")
            return
    env = {**bench.server.env, "PGDATABASE": f"bench_{bench.fleet}"}
    done = subprocess.run(["node", "--max-old-space-size=4096", "rank.mjs", json.dumps({"rounds": bench.rounds})], cwd=directory,
                          env=env, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failure("the application in Node.js failed")
    found = json.loads(done.stdout)
    if not found["same"]:
        raise Failure("the application recommends other machines")
    bench.checks.append(f"both sides give the same rows: application code ({len(found['ids'])})")
    for side in ("ours", "application"):
        for number, ms in enumerate(found[side], 1):
            bench.log("application", bench.fleet, side, number, None, None, ms)
    bench.add(Result("application", "20 machines for a Node.js program", bench.fleet, Side("recommend_machines", found["ours"]),
                     Side("fetched and ranked in Node.js", found["application"]), Goal("least", 50, " x faster"), faster=True))


def growth(bench):
    """Cost as the fleet grows: the 10 cheapest stay flat, a count is linear."""
    measured = {"10 cheapest": [], "10 cheapest by hand": [], "count": [], "count by hand": []}
    for machines in bench.sizes:
        with bench.session(machines) as s:
            values = constants(s)
            for name, file in (("10 cheapest", "cheapest"), ("count", "fit_scan")):
                statements = {k: fill(v, values) for k, v in sections(file).items() if k in ("ours", "by hand")}
                bench.same(f"{name} of {machines:,} machines", s.rows(statements["ours"]), s.rows(statements["by hand"]))
                repeat = 15 if file == "cheapest" and not bench.small else 1
                found = bench.alternate(f"growth: {name}", machines,
                                        {side: explained(s, sql, repeat) for side, sql in statements.items()})
                measured[name].append(execution(f"{machines:,} machines", found["ours"]))
                measured[name + " by hand"].append(execution(f"{machines:,} machines", found["by hand"]))
    for line, sides in measured.items():
        bench.growth[line] = [(machines, side.median) for machines, side in zip(bench.sizes, sides)]
    first, last, times = bench.sizes[0], bench.sizes[-1], bench.sizes[-1] / bench.sizes[0]
    for name, scale, title, goal in (
            ("10 cheapest", 1, f"The 10 cheapest as the fleet grows {times:g} times: flat", Goal("most", 2)),
            ("count", times, f"The count, a machine, as the fleet grows {times:g} times: linear", Goal("most", 1.5))):
        for end, its_goal in (("", goal), (" by hand", None)):
            sides = measured[name + end]
            bench.add(Result(f"growth_{name.replace(' ', '_')}{end.replace(' ', '_')}", title if not end else "the same by hand",
                             last, sides[-1], sides[0], its_goal, scale=scale,
                             note=f"{last:,} machines against {first:,}"))


def memory(bench):
    """What a backend keeps: recommendations over the largest fleet must not make it grow."""
    texts = sections("memory")
    machines = max(bench.sizes)
    with bench.session(machines) as s:
        def resident_kib():
            with open(f"/proc/{s.pid}/status", encoding="ascii") as file:
                return next(int(line.split()[1]) for line in file if line.startswith("RssAnon:"))
        for key, title, sql, calls in (("memory", "Memory of the backend: 20 more recommendations", texts["recommendation"], 20),
                                       ("memory_rows", "Memory of the backend: every row, 10 more times", texts["every row"], 10)):
            for _ in range(2):  # the catalogue's caches, and what malloc keeps, have come by then
                s.run(sql)
            before = resident_kib()
            for _ in range(calls):
                s.run(sql)
            after = resident_kib()
            for side, value in (("before", before), ("after", after)):
                bench.log(f"{key} (KiB)", machines, side, 1, None, None, value)
            bench.add(Result(key, title, machines, Side("after", [after]), Side("after the second", [before]),
                             Goal("most", 1.1), unit="KiB"))


FIGURES = {"fit_scan": fit_scan, "cheapest": cheapest, "hardly_any": hardly_any, "matrix": matrix,
           "whole_answer": whole_answer, "application": application, "growth": growth, "memory": memory}
