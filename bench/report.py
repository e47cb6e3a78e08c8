"""Results as a table, as every round in a CSV, and as a drawing."""

import csv
import math
import os
import platform
import statistics
import time
from xml.sax.saxutils import escape

SHOWN = ("shared_buffers", "work_mem", "effective_cache_size", "random_page_cost", "max_parallel_workers_per_gather",
         "max_parallel_workers", "max_worker_processes", "jit", "autovacuum", "fsync")


def environment(server):
    """What the figures depend on, as (name, value)."""
    def first(path, name):
        with open(path, encoding="utf-8") as file:
            return next((line.split(":", 1)[1].strip() for line in file if line.startswith(name)), "not known")
    values = [server.psql("postgres", "-c", f"SHOW {name}") for name in SHOWN]
    return [("date", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())),
            ("processor", first("/proc/cpuinfo", "model name") if os.path.exists("/proc/cpuinfo") else platform.processor()),
            ("cores", str(os.cpu_count())),
            ("memory", f"{int(first('/proc/meminfo', 'MemTotal').split()[0]) / 2**20:.1f} GiB"),
            ("load average at the end", " ".join(f"{load:.1f}" for load in os.getloadavg())),
            ("server", server.psql("postgres", "-c", "SELECT version()")),
            ("extension", server.psql(server.databases[0], "-c", "SELECT extversion FROM pg_extension WHERE extname = 'gpu_advisor'")),
            ("settings", ", ".join(f"{name} = {value}" for name, value in zip(SHOWN, values)))]


# Numbers in words

def number(value):
    """Three figures that count."""
    if value == 0 or value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def spread(values, unit=""):
    """The median, and the quartiles where there are enough values for them."""
    text = number(statistics.median(values)) + unit
    if len(values) < 3:
        return text
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return f"{text} ({number(low)} to {number(high)})"


def side_text(side, unit):
    return f"{spread(side.values, ' ' + unit)}{' ' + side.label if side.label else ''}"


def verdict(result, judge):
    if result.goal is None or not judge:
        return "-"
    return "yes" if result.reached else "**no**"


def table(bench):
    lines = ["| figure | machines | ours | baseline | ratio | goal | reached |", "|---|---:|---|---|---|---|---|"]
    for r in bench.results:
        ratio = spread(r.ratios, " x faster" if r.faster else "") if r.baseline else "-"
        lines.append("| " + " | ".join((
            r.title + (f" ({r.note})" if r.note else ""), f"{r.fleet:,}", side_text(r.ours, r.unit),
            side_text(r.baseline, r.unit) if r.baseline else "-", ratio, str(r.goal or "-"), verdict(r, not bench.small))) + " |")
    return lines


def times(bench):
    """Medians of what the server says of planning and execution, and of what psql says of the whole."""
    groups = {}
    for key, fleet, side, _, *values in bench.rounds_log:
        groups.setdefault((key, fleet, side), []).append(values)
    lines = ["| figure | machines | side | planning | execution | whole |", "|---|---:|---|---:|---:|---:|"]
    for (key, fleet, side), rounds in groups.items():
        medians = ["" if column[0] is None else number(statistics.median(column)) for column in zip(*rounds)]
        lines.append(f"| {key} | {fleet:,} | {side} | " + " | ".join(medians) + " |")
    return lines


def markdown(bench, around):
    judged = [r for r in bench.results if r.goal]
    reached = sum(r.reached for r in judged)
    summary = "A small run: it shows that all works, and no goal is judged." if bench.small else \
        f"{reached} of {len(judged)} goals reached."
    lines = ["# What was measured", "", "Made by bench/run; [README.md](../README.md) says what each line means."
             if not bench.small else "Made by bench/run --small.", ""]
    lines += [f"* {name}: {value}" for name, value in around]
    lines += ["", f"{summary} Medians of {bench.rounds} rounds, quartiles in parentheses; a ratio is taken in each round.", ""]
    lines += ["![ratios against their goals, and growth](results.svg)", ""] + table(bench)
    lines += ["", "## Planning and execution", "", "Medians in ms (memory: KiB).", ""] + times(bench)
    lines += ["", "## Checked before measuring", ""] + [f"* {check}" for check in bench.checks]
    lines += [f"* skipped: {line}" for line in bench.skipped]
    return "\n".join(lines) + "\n"


# The drawing

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .small { font-size: 11px; fill: #57606a; } .title { font-size: 15px; font-weight: 600; } .end { text-anchor: end; }
  .middle { text-anchor: middle; }
  .grid { stroke: #d0d7de; stroke-width: 1; } .goal { stroke: #57606a; stroke-width: 2; }
  .yes { fill: #1a7f37; stroke: #1a7f37; } .no { fill: #cf222e; stroke: #cf222e; } .open { fill: #0969da; stroke: #0969da; }
  .line { fill: none; stroke-width: 2; } .c0 { stroke: #0969da; } .c1 { stroke: #0969da; stroke-dasharray: 5 4; }
  .c2 { stroke: #bc4c00; } .c3 { stroke: #bc4c00; stroke-dasharray: 5 4; }
  .back { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .small { fill: #9198a1; } .grid { stroke: #3d444d; } .goal { stroke: #9198a1; }
    .yes { fill: #3fb950; stroke: #3fb950; } .no { fill: #f85149; stroke: #f85149; } .open { fill: #4493f8; stroke: #4493f8; }
    .c0, .c1 { stroke: #4493f8; } .c2, .c3 { stroke: #f0883e; } .back { fill: #0d1117; }
  }
"""
WIDTH, LEFT, RIGHT = 960, 420, 860  # of the drawing, and of the field where points stand


def text(x, y, words, kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


class LogAxis:
    """Places values of a logarithmic scale between two pixels; what lies outside is put at its end."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value):
        value = min(max(value, self.low), self.high)
        share = (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        return self.start + share * (self.end - self.start)

    def decades(self):
        return [10.0 ** e for e in range(round(math.log10(self.low)), round(math.log10(self.high)) + 1)]


def beside_goal(result, value):
    """A ratio as a multiple of its goal: below 1 it is reached, whichever way the goal points."""
    return value / result.goal.value if result.goal.kind == "most" else result.goal.value / max(value, 1e-9)


def draw_ratios(bench, top):
    """One line a goal: the median, and a bar from quartile to quartile."""
    judged = [r for r in bench.results if r.goal]
    axis = LogAxis(0.01, 100, LEFT, RIGHT)
    bottom = top + 46 + 24 * len(judged)
    out = [text(20, top, "Ratios against their goals", "title"),
           text(axis(1), top + 18, "goal", "small middle"), text(LEFT, top + 18, "better", "small"),
           text(RIGHT, top + 18, "worse", "small end")]
    for decade in axis.decades():
        out.append(line(axis(decade), top + 26, axis(decade), bottom - 10, "goal" if decade == 1 else "grid"))
        out.append(text(axis(decade), bottom + 6, f"{decade:g} x", "small middle"))
    for i, r in enumerate(judged):
        y = top + 46 + 24 * i
        kind = "open" if bench.small else "yes" if r.reached else "no"
        values = sorted(beside_goal(r, v) for v in (r.ratios if r.baseline else r.ours.values))
        if len(values) >= 3:
            low, _, high = statistics.quantiles(values, n=4, method="inclusive")
            out.append(line(axis(low), y - 4, axis(high), y - 4, kind))
        out.append(f'<circle cx="{axis(beside_goal(r, r.judged)):.1f}" cy="{y - 4}" r="5" class="{kind}">'
                   f"<title>{escape(f'{r.title}: {number(r.judged)}, goal {r.goal}')}</title></circle>")
        out.append(text(LEFT - 12, y, r.title, "end"))
        out.append(text(RIGHT + 10, y, number(r.judged) + ("" if r.baseline else r.goal.unit), "small"))
    return out, bottom + 50


def draw_growth(bench, top):
    """Time over the number of machines, both on log axes."""
    lines = {name: points for name, points in bench.growth.items() if points}
    if not lines:
        return [], top
    sizes = sorted({machines for points in lines.values() for machines, _ in points})
    most = max(ms for points in lines.values() for _, ms in points)
    least = min(ms for points in lines.values() for _, ms in points)
    bottom = top + 260
    across = LogAxis(10 ** math.floor(math.log10(sizes[0])), 10 ** math.ceil(math.log10(sizes[-1])), 100, RIGHT - 160)
    up = LogAxis(10 ** math.floor(math.log10(least)), 10 ** math.ceil(math.log10(most) + 1e-9), bottom, top + 30)
    out = [text(20, top, "Cost as the fleet grows (ms of execution, both axes logarithmic)", "title")]
    for decade in up.decades():
        out += [line(100, up(decade), RIGHT - 160, up(decade), "grid"), text(92, up(decade) + 4, f"{decade:g} ms", "small end")]
    for machines in sizes:
        out.append(text(across(machines), bottom + 18, f"{machines:,}", "small middle"))
    ends = []
    for i, (name, points) in enumerate(lines.items()):
        path = " ".join(f"{across(machines):.1f},{up(ms):.1f}" for machines, ms in points)
        out.append(f'<polyline points="{path}" class="line c{i}"/>')
        y = up(points[-1][1]) + 4
        while any(abs(y - other) < 14 for other in ends):  # names beside each other, not on each other
            y += 14
        ends.append(y)
        out.append(text(RIGHT - 152, y, f"{name}: {number(points[-1][1])} ms"))
    return out, bottom + 50


def svg(bench):
    ratios, below = draw_ratios(bench, 36)
    growth, height = draw_growth(bench, below)
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
                      "<title>Measured ratios against their goals, and cost as the fleet grows</title>",
                      f"<style>{STYLE}</style>", f'<rect class="back" width="{WIDTH}" height="{height}"/>',
                      *ratios, *growth, "</svg>"]) + "\n"


def write(bench, around, directory):
    """Writes the three files; returns the keys of the goals that were not reached."""
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "results.md"), "w", encoding="utf-8") as file:
        file.write(markdown(bench, around))
    with open(os.path.join(directory, "results.svg"), "w", encoding="utf-8") as file:
        file.write(svg(bench))
    with open(os.path.join(directory, "results.csv"), "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("figure", "machines", "side", "round", "planning_ms", "execution_ms", "whole_ms"))
        rows.writerows(bench.rounds_log)
    return [] if bench.small else [r.key for r in bench.results if r.goal and not r.reached]
