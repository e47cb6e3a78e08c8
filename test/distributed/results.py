"""The results of a test: a line each."""

import contextlib
import difflib
import subprocess
import time

failures = []


def report(passed, title, detail=""):
    if not passed:
        failures.append(title)
        print(detail)
    print(f"{'ok' if passed else 'not ok'} - {title}", flush=True)


def check_equal(title, wanted, got):
    """Compares two texts; shows the first lines that differ."""
    lines = difflib.unified_diff(wanted.split("\n"), got.split("\n"), "wanted", "got", n=0, lineterm="")
    report(wanted == got, title, "\n".join(line[:400] for line, _ in zip(lines, range(60))))


@contextlib.contextmanager
def part(title):
    """A part of the test; an error in it is one failure, and the rest goes on."""
    start = time.monotonic()
    print(f"# {title}", flush=True)
    try:
        yield
        print(f"# {time.monotonic() - start:.1f} s", flush=True)
    except subprocess.CalledProcessError as error:
        report(False, title, f"{' '.join(map(str, error.cmd))[:600]}\n{error.output}")
    except TimeoutError as error:
        report(False, title, str(error))
