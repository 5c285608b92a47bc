#!/usr/bin/env python3
"""`vprofiler compare`: its numbers computed again from the exported tables, its laws, the runs of --ab.

usage: compare_test.py VPROFILER
"""
import csv
import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import time

from checks import new_folder, run_checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "report"))
import check_report  # noqa: E402
import ci_formats  # noqa: E402

VPROFILER = os.path.abspath(sys.argv[1])
CLOCK_AT, SEAL_AT = 32, 480  # in a trace's header
MONOTONIC_AT = (56, 72)  # of its two calibrations
TSC, MONOTONIC = 1, 3
SCHEMA = json.loads((ROOT / "docs" / "compare.schema.json").read_text())
SERVER = r"""
#include <stdlib.h>
#include <time.h>
#include "vprof_api.h"

static unsigned seed = 1;

static void nap(double us)
{
    struct timespec time = {0, (long)(us * 1000)};
    nanosleep(&time, NULL);
}

static void fetch(double slower)
{
    nap((100 + (seed = seed * 1103515245u + 12345u) / 65536 % 100) * slower);
}

static void reply(void)
{
    nap(20);
}

static void handle(long id, double slower)
{
    SI_BEGIN(id);
    fetch(slower);
    reply();
    SI_END(id);
}

int main(int argc, char **argv)
{
    (void)argc;
    seed = (unsigned)atoi(argv[1]);
    for (long id = 0; id < atoi(argv[2]); id++)
        handle(id, atof(argv[3]));
    while (argv[4])
        nap(1e5);
    return 0;
}
"""


def build(home):
    """An instrumented program; the functions.json beside it."""
    source = home / "source"
    source.mkdir()
    (source / "server.c").write_text(SERVER)
    command = ["cc", "-O1", "-g", f"-I{ROOT / 'include'}", "-c", "server.c"]
    (source / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(source), "file": "server.c", "arguments": command}]))
    subprocess.run([VPROFILER, "rewrite", "--quiet", "--tree", home / "tree", "--table",
                    home / "functions.json"], cwd=source, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(command, cwd=home / "tree", check=True)
    subprocess.run(["cc", "-o", home / "server", "server.o", "-ldl"], cwd=home / "tree", check=True)


def compare(home, *words, code=None):
    done = subprocess.run([VPROFILER, "compare", *map(str, words)], cwd=home, text=True,
                          capture_output=True, timeout=300, stdin=subprocess.DEVNULL)
    assert code is None or done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done


def compared(home, *words, code=None):
    report = json.loads(compare(home, *words, "--json", code=code).stdout)
    check_report.SCHEMA = SCHEMA
    assert not check_report.faults(report, SCHEMA), check_report.faults(report, SCHEMA)
    return report


def ab(home, a, b, *words, code=None):
    functions = ["--functions-a", "functions.json", "--functions-b", "functions.json"]
    return compared(home, "--ab", "--run-a", a, "--run-b", b, *functions, *words, code=code)


# ---- the numbers again ----

def t_beyond(outside, freedom):
    """By integrating Student's density: another way than stats/student.c."""
    steps = 20000
    constant = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    low, high = 0.0, 60.0
    def inside(t):
        h = t / steps
        f = [constant * (1 + (i * h) ** 2 / freedom) ** (-(freedom + 1) / 2) for i in range(steps + 1)]
        return 2 * h / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - inside(middle) > outside else (low, middle)
    return (low + high) / 2


def mean(values):
    return sum(values) / len(values)


def variance(values):
    return mean([x * x for x in values]) - mean(values) ** 2


def quantile(values, q):
    values = sorted(values)
    at = q * (len(values) - 1)
    below = min(int(at), len(values) - 2)
    return values[below] + (at - below) * (values[below + 1] - values[below])


def moments_left_out(blocks, of):
    every = [x for block in blocks for x in block]
    return of(every), [of([x for c, block in enumerate(blocks) if c != b for x in block])
                       for b in range(len(blocks))]


def quantile_left_out(blocks, q):
    """As it is made linear; and last where it is at so many standard errors of probability from q."""
    every = sorted(x for block in blocks for x in block)
    n, at = len(every), quantile(every, q)
    part = sum(x <= at for x in every) / n
    apart = [len(b) / (n - len(b)) * (sum(x <= at for x in b) / len(b) - part) for b in blocks]
    error = math.sqrt(sum(x * x for x in apart) * (len(blocks) - 1) / len(blocks))
    whole = max(error, math.sqrt(q * (1 - q) / n))
    step = min(2 * whole, 0.9 * min(q, 1 - q))
    slope = (quantile(every, q + step) - quantile(every, q - step)) / (2 * step)
    reach = lambda errors: quantile(every, min(max(q + errors * whole, 0), 1))
    return at, [at + x * slope for x in apart], reach


def covariance(x, y):
    x, y = [v - mean(x) for v in x], [v - mean(y) for v in y]
    return (len(x) - 1) / len(x) * sum(v * w for v, w in zip(x, y))


def correlation(x, y):
    both = math.sqrt(covariance(x, x) * covariance(y, y))
    return covariance(x, y) / both if both > 0 else 0


def reached(a, b, t, scale):
    """How far a difference of two quantiles may go: Woodruff's intervals of both, as far as they are not correlated."""
    if len(a) < 3:
        return None
    t, r = min(math.ceil(t * 8), 64) / 8, correlation(a[1], b[1])
    low, high = [[scale(side[2](sign * t)) - scale(side[0]) for side in (a, b)] for sign in (-1, 1)]

    def distance(down, up, together):
        return math.sqrt((1 - r) * (down ** 2 + up ** 2) + r * max(together, 0) ** 2 if r > 0 else
                         down ** 2 + up ** 2 - 2 * r * down * up)
    apart = scale(b[0]) - scale(a[0])
    return [apart - distance(-low[1], high[0], max(low[0] - low[1], high[0] - high[1])),
            apart + distance(high[1], -low[0], max(high[1] - high[0], low[1] - low[0]))]


def fieller(a, b, whole, t):
    """The roots of (part - r whole)^2 = t^2 var(part - r whole), part = b - a."""
    part = b[0] - a[0]
    parts = [y - x for x, y in zip(a[1], b[1])]
    p = whole[0] ** 2 - t * t * covariance(whole[1], whole[1])
    q = part * whole[0] - t * t * covariance(parts, whole[1])
    r = part ** 2 - t * t * covariance(parts, parts)
    if p <= 0:
        return [None, None]
    root = math.sqrt(max(q * q - p * r, 0))
    ends = reached(a, b, t, lambda x: x)
    low, high = [end / whole[0] for end in ends] if ends else [math.inf, -math.inf]
    return [min((q - root) / p, low), max((q + root) / p, high)]


def positive(a, b, whole, t):
    """Of the logarithm of b / a; below a tenth its tangent."""
    def log(x):
        return math.log(x) if x >= 0.1 else math.log(0.1) + (x - 0.1) / 0.1
    apart = [log(y / b[0]) - log(x / a[0]) for x, y in zip(a[1], b[1])]
    half = t * math.sqrt(covariance(apart, apart))
    ends = reached(a, b, t, math.log)
    low, high = [math.expm1(end) for end in ends] if ends else [math.inf, -math.inf]
    return [min(b[0] / a[0] * math.exp(-half) - 1, low), max(b[0] / a[0] * math.exp(half) - 1, high)]


def tables(home, runs):
    """By run: latencies, and the time in fetch, of the exported tables."""
    for number, run in enumerate(runs):
        out = home / f"csv-{run.parent.name}-{number}"
        subprocess.run([VPROFILER, "export", run, "--format", "csv", "--functions", home / "functions.json",
                        "--output", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        nodes = {row["node"]: row for row in csv.DictReader(open(out / "nodes.csv", newline=""))}
        below = set()
        for name, row in nodes.items():
            at = row
            while at and at["name"] != "fetch":
                at = nodes.get(at["parent"])
            if at:
                below.add(name)
        latency = {row["interval"]: int(row["latency_ns"])
                   for row in csv.DictReader(open(out / "intervals.csv", newline=""))}
        fetch = dict.fromkeys(latency, 0)
        for row in csv.DictReader(open(out / "cells.csv", newline="")):
            if row["node"] in below:
                fetch[row["interval"]] += int(row["own_ns"])
        yield list(latency.values()), list(fetch.values())


def close(got, expected, what):
    assert math.isclose(got, expected, rel_tol=1e-6, abs_tol=1e-9), (what, got, expected)


def check_change(change, a, b, whole, way, ts, key):
    close(change["a_" + key], a[0], "a")
    close(change["b_" + key], b[0], "b")
    close(change["change"], (b[0] - a[0]) / whole[0], "change")
    for name, t in zip(("ci95", "ci95_together"), ts):
        low, high = way(a, b, whole, t)
        if low is None or high - low > 50:  # the machine was busy: the last digits decide about the bounds
            assert change[name][1] is None or change[name][1] - change[name][0] > 40, (name, change, low, high)
            continue
        close(change[name][0], low, name)
        close(change[name][1], high, name)


def check_numbers(home, report, folder):
    sides = [list(tables(home, sorted(p for p in (folder / s).iterdir() if p.is_dir()))) for s in "ab"]
    judged = sum(bool(f[m]) for f in report["factors"] for m in ("mean", "variance", "p99"))
    freedom = report["blocks"] - 1
    usual, latency_t = t_beyond(0.05, freedom), t_beyond(0.05 / 4, freedom)
    factor_t = t_beyond(0.05 / 8 / judged, freedom)
    fetch = next(f for f in report["factors"] if f["functions"] == ["fetch"])
    ways = {"mean": (lambda b: moments_left_out(b, mean), "ns"),
            "variance": (lambda b: moments_left_out(b, variance), "ns2"),
            "p99": (lambda b: quantile_left_out(b, 0.99), "ns")}
    for metric, (way, key) in ways.items():
        a, b = (way([run[0] for run in side]) for side in sides)
        check_change(report["latency"][metric], a, b, a, positive, (usual, latency_t), key)
        fa, fb = (way([run[1] for run in side]) for side in sides)
        check_change(fetch[metric], fa, fb, a, fieller, (usual, factor_t), key)
    a, b = (quantile_left_out([run[0] for run in side], 0.5) for side in sides)
    check_change(dict(report["latency"]["p50"], ci95_together=report["latency"]["p50"]["ci95"]), a, b, a,
                 positive, (usual, usual), "ns")


def check_mirrored(there, back):
    close((1 + there["change"]) * (1 + back["change"]), 1, "there and back")
    for low, high in zip(there["ci95"], reversed(back["ci95"])):
        assert (low is None) == (high is None)
        if low is not None and min(low, high) > -0.999:  # else its digits are lost
            close((1 + low) * (1 + high), 1, "there and back")


def stretch(trace, by):
    """Every time in it becomes so much longer: a tick of its clock does. (trace/trace_format.h)

    A tick of CLOCK_MONOTONIC is a nanosecond whatever the header says, so those become a counter's.
    """
    data = bytearray(trace.read_bytes())
    if struct.unpack_from("<I", data, CLOCK_AT)[0] == MONOTONIC:
        struct.pack_into("<I", data, CLOCK_AT, TSC)
    before, after = (struct.unpack_from("<Q", data, at)[0] for at in MONOTONIC_AT)
    struct.pack_into("<Q", data, MONOTONIC_AT[1], before + round((after - before) * by))
    struct.pack_into("48s", data, SEAL_AT, b"")  # it would be another clock's
    trace.write_bytes(data)


# ---- checks ----

def check_in_turns(home):
    """The order of the runs, what is kept, and every number again."""
    build(home)
    report = ab(home, "echo A >> order; ./server $$ 200 1", "echo B >> order; ./server $$ 200 1.6",
                "--rounds", "6", "--k", "10")
    order = (home / "order").read_text().replace("\n", "")
    assert order == "AB" + "ABBA" * 3, order
    folder = home / "vprofiler-out" / "001"
    assert sorted(p.name for p in (folder / "a").iterdir() if p.is_dir()) == [f"{i:02}" for i in range(1, 7)]
    assert json.loads((folder / "compare.json").read_text()) == report
    assert report["blocks"] == 6 and report["blocks_are_runs"]
    assert report["a"]["runs"] == 6 and report["b"]["intervals"] == 1200
    assert not (home / "vprofiler-out" / "latest").exists()
    check_numbers(home, report, folder)
    again = compared(home, "--paired", folder / "a", folder / "b", "--k", "10", code=report["verdict"] == "worse")
    assert dict(again, command=0) == dict(report, command=0)
    mirrored = compared(home, "--paired", folder / "b", folder / "a")
    for metric in ("mean", "variance", "p99"):
        check_mirrored(report["latency"][metric], mirrored["latency"][metric])
    itself = compared(home, folder / "a", folder / "a", code=0)
    assert all(f[m]["verdict"] == "not-worse" and f[m]["change"] == 0
               for f in [itself["latency"], *itself["factors"]] for m in ("mean", "variance", "p99") if f[m])
    alone = compared(home, folder / "a" / "01", folder / "b" / "01", code=None)
    assert alone["a"]["runs"] == 1 and "few-runs" in [w["code"] for w in alone["warnings"]]
    assert alone["blocks"] == 20 and not alone["blocks_are_runs"]


def check_stretched(home):
    """The same runs with all times half as long again: worse, by exactly so much, whatever they were."""
    build(home)
    ab(home, "./server $$ 300 1", "true; ./server $$ 300 1", "--rounds", "5", "--kernel", "off")
    folder = home / "vprofiler-out" / "001"
    shutil.copytree(folder / "a", folder / "longer")
    for side, by in (("a", 1), ("longer", 1.5)):
        for trace in (folder / side).glob("*/*.vtr"):
            stretch(trace, by)
    report = compared(home, folder / "a", folder / "longer", code=1)
    for metric, change in (("mean", 0.5), ("variance", 1.25), ("p99", 0.5)):
        got = report["latency"][metric]
        assert got["verdict"] == "worse" and math.isclose(got["change"], change, rel_tol=1e-3), got
        assert got["ci95_together"] == [None, None] or math.isclose(got["ci95_together"][0], change, rel_tol=1e-2)
    back = compared(home, folder / "longer", folder / "a", "--strict", code=0)
    assert all(back["latency"][m]["verdict"] == "not-worse" for m in ("mean", "variance", "p99"))
    assert back["finding"] == "better" and all(back["latency"][m]["finding"] == "better" for m in ("mean", "variance", "p99"))
    text = compare(home, folder / "longer", folder / "a", code=0).stdout
    assert "B is better: mean -33.3 %, variance -55.6 % and p99 -33.3 %" in " ".join(text.split()), text
    text = compare(home, folder / "a", folder / "longer").stdout
    assert "B is worse: mean +50.0 %, variance +125.0 % and p99 +50.0 %" in " ".join(text.split()), text
    within = compared(home, folder / "a", folder / "longer", "--margin", "0.6", "--strict", code=0)
    assert within["verdict"] == "not-worse" and within["finding"] == "not-different", within["verdict"]
    check_roots(report, 1.5)
    for trace in (folder / "longer").glob("*/*.vtr"):
        stretch(trace, 1000 / 1.5)
    far = compared(home, folder / "a", folder / "longer", code=1)
    assert math.isclose(far["latency"]["mean"]["change"], 999, rel_tol=1e-3), far["latency"]["mean"]
    text = compare(home, folder / "a", folder / "longer", code=1).stdout
    assert "mean > 100 x" in text and not re.search(r"\de[+]\d|\d{4} %", text), text


def check_roots(report, by):
    """What goes back to each adds up to the latency, on both sides, to what is rounded of a double."""
    for metric, key, whole in (("mean", "ns", "mean"), ("covariance", "ns2", "variance")):
        for side in "ab":
            parts = sum(line[metric][f"{side}_{key}"] for line in report["root_ledger"])
            assert math.isclose(parts, report["latency"][whole][f"{side}_{key}"], rel_tol=1e-9), (metric, side)
    for line in report["root_ledger"]:
        assert math.isclose(line["mean"]["b_ns"], by * line["mean"]["a_ns"], rel_tol=1e-2, abs_tol=20), line


def check_strict(home):
    """Too few intervals: nobody can tell, and it says how many it takes."""
    build(home)
    report = ab(home, "./server 1 40 1", "./server 2 40 1", "--rounds", "2", "--strict", code=3)
    assert report["verdict"] == "inconclusive"
    close(report["latency"]["mean"]["more"], 100 / 80, "more")
    close(report["latency"]["p99"]["more"], 1000 / 80, "more")
    assert report["latency"]["p99"]["ci95"] == [None, None]
    a, b = (f"vprofiler-out/001/{s}" for s in "ab")
    compare(home, a, b, code=0)
    text = compare(home, a, b, "--strict", code=3).stdout
    assert "1,000 intervals of each side (12 times as many)" in " ".join(text.split()), text


def check_latencies_alone(home):
    """Marked, but not instrumented: no factors, and the latencies all the same."""
    build(home)
    command = ["cc", "-O1", f"-I{ROOT / 'include'}", "-o", home / "plain", "server.c"]
    subprocess.run(command, cwd=home / "source", check=True)
    report = compared(home, "--ab", "--run-a", "./plain 1 100 1", "--run-b", "./plain 2 100 2", "--rounds", "3")
    assert report["a"]["intervals"] == report["b"]["intervals"] == 300
    assert report["factors"] == [], report["factors"]


def check_seconds(home):
    """A program that never ends is ended."""
    build(home)
    start = time.monotonic()
    report = ab(home, "exec ./server 1 60 1 stay", "./server 2 60 1 stay", "--rounds", "2", "--seconds", "1")
    assert 0 < report["a"]["intervals"] <= 120, report["a"]
    assert time.monotonic() - start >= 6


def check_failing_command(home):
    done = compare(home, "--ab", "--run-a", "echo so far; exit 7", "--run-b", "true", "--rounds", "2", code=2)
    assert "exit status 7" in done.stderr and "| so far" in done.stderr, done.stderr
    assert "Make the command work by hand first." in done.stderr, done.stderr
    done = compare(home, "--ab", "--run-a", "true", "--run-b", "true", "--rounds", "2", code=2)
    assert "There is no trace" in done.stderr, done.stderr
    fails = ("--ab", "--run-a", "echo so far; exit 7", "--run-b", "true", "--rounds", "2")
    done = compare(home, *fails, "--format", "github", code=2)
    (level, _, message), = ci_formats.commands(done.stdout)
    assert level == "error" and "exit status 7" in message and "so far" in message, message
    compare(home, *fails, "--format", "junit", "--output", "cannot.xml", code=2)
    assert ci_formats.results(ci_formats.junit((home / "cannot.xml").read_text())) == {"can be compared": "error"}


# ---- for CI ----

def check_formats(home):
    """The same comparison in every form, and where each of them goes."""
    build(home)
    report = ab(home, "./server $$ 300 1", "./server $$ 300 1.6 # --token s3cret", "--rounds", "5", "--redact")
    folder = home / "vprofiler-out" / "001"
    sides = ("--paired", folder / "a", folder / "b")
    assert report["a"]["command"] == "./server $$ 300 1", report["a"]
    assert report["b"]["command"] == "./server $$ 300 1.6 # --token ***", report["b"]
    code = report["verdict"] == "worse"
    assert "A: ./server $$ 300 1 " in compare(home, *sides, code=code).stdout
    assert dict(json.loads(compare(home, *sides, "--format", "json").stdout), command=0) == dict(report, command=0)
    for kept in (folder / "compare.html", home / "page.html"):
        if not kept.exists():
            compare(home, *sides, "--format", "html", "--output", "page.html", code=code)
        assert "<title>vprofiler: comparison" in kept.read_text() and "s3cret" not in kept.read_text()
    suite = ci_formats.junit(compare(home, *sides, "--format", "junit", code=code).stdout)
    wanted = {"worse": "failure", "inconclusive": "skipped"}
    for metric, result in ci_formats.results(suite).items():
        assert result == wanted.get(report["latency"][metric]["finding"], "passed"), (metric, result)
    check_summary(home, sides, report)


def check_summary(home, sides, report):
    """The job's summary is added to; without a job it follows the annotations, or goes to a file."""
    alone = compare(home, *sides, "--format", "github").stdout
    commands = "".join(line + "\n" for line in alone.splitlines() if line.startswith("::"))
    summary = alone[len(commands):]
    assert "B is " in ci_formats.commands(commands)[0][2] or report["finding"] == "inconclusive", commands
    job = home / "summary.md"
    job.write_text("before\n")
    done = subprocess.run([VPROFILER, "compare", *map(str, sides), "--format", "github"], cwd=home, text=True,
                          capture_output=True, env=dict(os.environ, GITHUB_STEP_SUMMARY=str(job)))
    assert done.stdout == commands, done.stdout
    assert job.read_text() == "before\n" + summary
    assert [row[0] for row in ci_formats.table(summary)[1:3]] == ["A", "B"]
    compare(home, *sides, "--format", "github", "--output", "mine.md")
    assert (home / "mine.md").read_text() == summary
    lost = subprocess.run([VPROFILER, "compare", *map(str, sides), "--format", "html", "--output", "no/such/page.html"],
                          cwd=home, text=True, capture_output=True)
    assert lost.returncode == 2 and "no/such/page.html" in lost.stderr, lost.stderr


# ---- what can't be compared ----

def check_other_programs(home):
    """Two programs, and one interval: refused, or nothing is said of it."""
    build(home)
    other = home / "other"
    other.mkdir()
    build_other(other)
    functions = ("--functions-a", "functions.json", "--functions-b", "other/functions.json")
    done = compare(home, "--ab", "--run-a", "./server 1 150 1", "--run-b", "other/server 2 150 1", *functions,
                   "--rounds", "1", code=2)
    assert "A's are marked in handle, B's in answer" in done.stderr, done.stderr
    report = ab(home, "./server 1 1 1", "./server 2 300 2", "--rounds", "1")
    assert report["finding"] == "inconclusive" and report["a"]["intervals"] == 1
    for change in report["latency"].values():
        assert change["no_interval"] == "few-intervals" and change["ci95"] == [None, None], change
    for part in ("tree", "root_ledger"):
        assert all(n[m]["no_interval"] == "few-intervals" for n in report[part] for m in ("mean", "covariance")), part


def build_other(home):
    global SERVER
    before = SERVER
    SERVER = before.replace("handle(", "answer(").replace("fetch(", "look_up(").replace("reply(", "send_it(")
    build(home)
    SERVER = before


def main():
    return run_checks([check_in_turns, check_stretched, check_strict, check_latencies_alone, check_seconds,
                       check_failing_command, check_formats, check_other_programs], new_folder)


if __name__ == "__main__":
    sys.exit(main())
