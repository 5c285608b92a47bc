#!/usr/bin/env python3
"""`vprofiler waits` on servers as Debian ships them: what caps them, one change because of it, and what that brought.

usage: check.py VPROFILER WORK_FOLDER [CASE...]

Each case is a script beside this file that runs a server and its load for $SECONDS_LONG seconds, as it is or with the
one change ($CHANGED). Ten turns of both, alternately; and `waits` of the server as it is. Prints its first lines, what
its replay says that the heaviest edges are worth, and how many times as much was done after the change, with a 95 %
interval (Student's t over the logarithms of the turns' ratios). Exits 1 where the change made nothing faster, or where the
first sentence does not name what was changed. Processors are kept from idling: some kernels tell nothing of interrupts
on one that idles. Needs root, a disk below WORK_FOLDER, and Debian's redis-server, postgresql-15,
pgbouncer and libleveldb-dev; nothing else should run.
"""
import collections
import contextlib
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1]))
import never_idle  # noqa: E402

TURNS, SECONDS = 10, 5
T_975_9 = 2.262  # Student's t of 9 degrees of freedom

# What the first sentence must name.
Case = collections.namedtuple("Case", "named")
CASES = {"postgresql": Case(r"disk|vd[a-z]|sd[a-z]|nvme"),
         "redis": Case(r"disk|vd[a-z]|sd[a-z]|nvme"),
         "leveldb": Case(r"disk|vd[a-z]|sd[a-z]|nvme"),
         "pgbouncer": Case(r"pgbouncer")}


def command(name, folder, changed):
    """The words that run it, and its environment."""
    environment = {**os.environ, "FOLDER": str(folder / name), "SECONDS_LONG": str(SECONDS),
                   "CHANGED": "1" if changed else ""}
    return [str(HERE / f"{name}.sh")], environment


def done(name, folder, changed):
    words, environment = command(name, folder, changed)
    out = subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout
    return int(re.search(r"^(\d+) a second", out, re.MULTILINE)[1])


def interval(ratios):
    logs = [math.log(ratio) for ratio in ratios]
    half = T_975_9 * statistics.stdev(logs) / math.sqrt(len(logs))
    return [math.exp(statistics.mean(logs) + sign * half) for sign in (0, -1, 1)]


def waits(vprofiler, name, folder):
    words, environment = command(name, folder, False)
    run = subprocess.run([vprofiler, "waits", "--quiet", "--out", folder / f"{name}-waits", "--", *words], check=True,
                         env=environment, capture_output=True, text=True)
    return run.stdout


def headline(text):
    """The first paragraph."""
    return " ".join(text.strip().split("\n\n")[0].split())


@contextlib.contextmanager
def one_session():
    """What keeps processors busy gives way at once to servers that have sessions of their own, too."""
    groups = pathlib.Path("/proc/sys/kernel/sched_autogroup_enabled")
    was = groups.read_text() if groups.exists() else None
    if was:
        groups.write_text("0")
    try:
        yield
    finally:
        if was:
            groups.write_text(was)


def check(vprofiler, name, folder):
    done(name, folder, False)  # fills the database
    text = waits(vprofiler, name, folder)
    print(f"{name}:\n{text}")
    before, after = [], []
    for turn in range(TURNS):
        for changed in (False, True) if turn % 2 else (True, False):
            (after if changed else before).append(done(name, folder, changed))
    ratio, low, high = interval([b / a for a, b in zip(before, after)])
    print(f"{name}: {statistics.median(before)} a second before, {statistics.median(after)} after: "
          f"{ratio:.2f} times as much ({low:.2f} .. {high:.2f})", flush=True)
    failures = [] if low > 1 else ["the change made nothing faster"]
    if not re.search(CASES[name].named, headline(text)):
        failures.append(f"the first sentence does not name what was changed: {headline(text)}")
    return [f"{name}: {failure}" for failure in failures]


def main():
    vprofiler, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(exist_ok=True, parents=True)
    with one_session(), never_idle.all_processors():
        failures = [failure for name in sys.argv[3:] or CASES for failure in check(vprofiler, name, folder)]
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
