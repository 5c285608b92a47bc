"""What `vprofiler causal` predicts of a program, and what becomes of it when it is mended: the same cells of both.

    program = Program(vprofiler, cwd, table, command, environment)     as it is, with what is planted in it
    said = predict(program, ["planted_plan"], budget_s=40)             {(target, level, type, metric): Change}
    runs = [look(program, setting, seconds) for ...]                   {(type, metric): value}, of recorded intervals
    found = changes(runs_as_it_is, runs_mended)                        by turns: Student's interval of the log ratio
    table(rows)                                                        agree: within the joint 95 % interval
"""
import collections
import csv
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

Program = collections.namedtuple("Program", "vprofiler cwd table command environment")
Change = collections.namedtuple("Change", "value low high")  # -0.1: a tenth less
METRICS = ("throughput", "mean", "stddev", "p50", "p99")
# Student's t, 97.5 %, by degrees of freedom
STUDENT = {3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 11: 2.201, 15: 2.131, 19: 2.093}
SETTLE_S = 1.0


def student(freedom):
    return STUDENT[max(known for known in STUDENT if known <= freedom)]


def run(program, words, environment=None, **more):
    done = subprocess.run([str(word) for word in words], cwd=program.cwd, text=True, capture_output=True, check=False,
                          env={**os.environ, **program.environment, **(environment or {})}, **more)
    if done.returncode:
        raise SystemExit(f"{words}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def predict(program, options, budget_s, out):
    """`options`: --function NAME and the like. The JSON of the result."""
    return json.loads(run(program, [program.vprofiler, "causal", "--json", "--quiet", "--share", "--functions", program.table, *options,
                                    "--budget", f"{budget_s}s", "--out", out, "--", *program.command]))


def predicted(told, levels=(0.5, 1)):
    for target in told["targets"]:
        for part in target["parts"]:
            for level in part["levels"][1:]:
                if level["share"] in levels:
                    for metric in METRICS:
                        if level[metric]:
                            yield ((target["name"], level["share"], part["type"] or "all", metric),
                                   Change(level[metric]["change"], *level[metric]["ci95"]))


def quantile(ordered, share):
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def numbers(intervals):
    """Of intervals as (start_s, latency_ns): their metrics."""
    latencies = sorted(latency for _, latency in intervals)
    starts = [start for start, _ in intervals]
    return {"throughput": (len(starts) - 1) / (max(starts) - min(starts)), "mean": statistics.fmean(latencies),
            "stddev": statistics.pstdev(latencies), "p50": quantile(latencies, 0.5), "p99": quantile(latencies, 0.99)}


def look(program, setting):
    """A recorded run of the program, with other variables: {"TYPE METRIC": value}. What the load makes of the first second
    is left out."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as temporary:
        pathlib.Path(temporary).chmod(0o755)  # the server may be another user
        out, tables = pathlib.Path(temporary) / "out", pathlib.Path(temporary) / "tables"
        run(program, [program.vprofiler, "record", "--quiet", "--share", "--kernel", "off", "--functions", program.table, "--out", out,
                      "--", *program.command], setting)
        run(program, [program.vprofiler, "export", "--format", "csv", "--output", tables, out])
        by_type = collections.defaultdict(list)
        with open(tables / "intervals.csv", newline="") as file:
            rows = list(csv.DictReader(file))
    first = min(float(row["begin_ns"]) for row in rows) * 1e-9 + SETTLE_S
    for row in rows:
        start = float(row["begin_ns"]) * 1e-9
        if start >= first:
            by_type["all"].append((start, float(row["latency_ns"])))
            if row["type"]:
                by_type[row["type"]].append((start, float(row["latency_ns"])))
    return {f"{kind} {metric}": value for kind, found in by_type.items() if len(found) > 100
            for metric, value in numbers(found).items()}


def change(before, after):
    """Of a number, turn by turn."""
    logs = [math.log(b / a) for a, b in zip(before, after)]
    middle = statistics.fmean(logs)
    half = student(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    return Change(math.exp(middle) - 1, math.exp(middle - half) - 1, math.exp(middle + half) - 1)


def between(by_level, share):
    """What is predicted if that share of the target's time were gone: on lines between the levels' logarithms."""
    known = {0: Change(0, 0, 0), **by_level}
    below, above = max(level for level in known if level <= share), min(level for level in known if level >= share)
    part = (share - below) / (above - below) if above > below else 0
    return Change(*(math.exp((1 - part) * math.log1p(a) + part * math.log1p(b)) - 1 for a, b in zip(known[below], known[above])))


def agree(one, other):
    """Within the joint 95 % interval of the two, of logarithms."""
    def log(x):
        return math.log(max(1 + x, 1e-3))

    def half(it):
        return (log(it.high) - log(it.low)) / 2
    return abs(log(one.value) - log(other.value)) <= math.hypot(half(one), half(other))


def percent(it):
    return f"{it.value:+.1%} ({it.low:+.1%} .. {it.high:+.1%})"


def table(rows):
    """Of (name, predicted, measured) what agrees; prints them as a table of Markdown."""
    print("| target | faster by | intervals | metric | predicted | measured | agree |\n|---|---|---|---|---|---|---|")
    good = 0
    for (target, level, kind, metric), said, found in rows:
        same = agree(said, found)
        good += same
        print(f"| {target} | {level:.0%} | {kind} | {metric} | {percent(said)} | {percent(found)} | {'yes' if same else '**no**'} |")
    print(f"\n{good} of {len(rows)} cells agree")
    return good, len(rows)
