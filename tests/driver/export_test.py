#!/usr/bin/env python3
"""Exports of a real run (examples/prefork: processes that wait for each other) as viewers read them.

usage: export_test.py VPROFILER

Viewers refuse a whole file for one wrong event, mostly without a word: times that go back, a close
that is not the last open's, a weight that is not positive.
"""
import collections
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "report"))
import check_report  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
failures = []
count = 0


def expect(name, truth, detail=""):
    global count
    count += 1
    if not truth:
        failures.append(name)
        print(f"FAILED {name} {detail}")


class Bench:
    def __init__(self, vprofiler):
        self.vprofiler = vprofiler
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="vprofiler-export-"))
        self.tree = self.home / "prefork"
        shutil.copytree(EXAMPLES / "prefork", self.tree)
        for file in (EXAMPLES / "planted").iterdir():
            (self.tree / file.name).unlink(missing_ok=True)
            shutil.copy(file, self.tree / file.name)
        got = self.run("iterate", "--build", "build.sh", "--auto")
        expect("iterate", got.returncode == 0, got.stderr)
        self.report = check_report.read((self.tree / "vprofiler-out/latest/report.json").read_text())

    def run(self, *arguments):
        return subprocess.run([self.vprofiler, *map(str, arguments)], cwd=self.tree, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300)

    def export(self, *arguments):
        got = self.run("export", *arguments)
        expect(f"export {arguments}", got.returncode == 0, got.stderr)
        return got.stdout


def leaves(node):
    below = [leaf for child in node["children"] for leaf in leaves(child)]
    return below or [node]


def test_csv(bench):
    bench.export("--format", "csv", "--output", "tables")
    tables = {name: list(csv.DictReader(open(bench.tree / "tables" / f"{name}.csv", newline="")))
              for name in ("intervals", "nodes", "cells")}
    intervals = tables["intervals"]
    expect("csv: intervals", len(intervals) == bench.report["intervals"]["count"])
    sums = collections.Counter()
    for cell in tables["cells"]:
        sums[cell["interval"]] += int(cell["own_ns"])
        if cell["latency_ns"] != intervals[int(cell["interval"])]["latency_ns"]:
            expect("csv: latency in cells", False, str(cell))
    expect("csv: cells add up to the latency", all(
        sums[row["interval"]] == int(row["latency_ns"]) for row in intervals))
    order = [int(row["begin_ns"]) for row in intervals]
    expect("csv: in order of time", order == sorted(order))
    parents = {row["parent"] for row in tables["nodes"]}
    expect("csv: cells are of leaves", not parents & {cell["node"] for cell in tables["cells"]})
    expect("csv: processes", len({row["pid"] for row in intervals}) >= 3)
    return [int(row["latency_ns"]) for row in intervals]


def test_latencies(bench, latencies):
    """The report's quantiles and histogram, from the exported latencies."""
    said, ordered = bench.report["intervals"], sorted(latencies)
    for key, q in (("min_ns", 0), ("p50_ns", 0.5), ("p95_ns", 0.95), ("p99_ns", 0.99),
                   ("p999_ns", 0.999), ("max_ns", 1)):
        place = q * (len(ordered) - 1)
        low, high = ordered[int(place)], ordered[min(int(place) + 1, len(ordered) - 1)]
        expect(key, abs(said[key] - (low + (high - low) * (place - int(place)))) < 0.01, said[key])
    for one in said["histogram"]["bins"]:
        count = sum(one["from_ns"] <= latency < one["to_ns"] for latency in latencies)
        expect(f"bin {one}", one["count"] == count, count)
    tail = [latency for latency in ordered if latency >= said["p99_ns"]]
    ledger = bench.report["tail"]
    expect("the ledger's ends", abs(ledger["mean_ns"] - sum(ordered) / len(ordered)) <= 0.501 and
           abs(ledger["slow_ns"] - sum(tail) / len(tail)) <= 0.501, str(ledger))
    shown = {timeline["what"]: timeline for timeline in bench.report["timelines"]}
    expect("timelines are of these intervals", all(
        latencies[timeline["interval"]] == timeline["latency_ns"] for timeline in shown.values()))
    expect("the typical one", abs(shown["typical"]["latency_ns"] - said["p50_ns"]) ==
           min(abs(latency - said["p50_ns"]) for latency in latencies))
    expect("two processes", all(len({lane["pid"] for lane in timeline["lanes"]}) >= 2
                                for what, timeline in shown.items() if what != "typical"))


def test_folded(bench):
    for weight in ("share", "tail", "mean"):
        lines = bench.export("--format", "folded", "--weight", weight).splitlines()
        stacks = [re.fullmatch(r"(interval(?:;[^;]+)*) ([1-9]\d*)", line) for line in lines]
        expect(f"folded {weight}: stacks", all(stacks), str(lines))
    total = sum(int(stack[2]) for stack in stacks)
    expect("folded: mean", abs(total - bench.report["intervals"]["mean_ns"]) <= len(stacks),
           str(total))
    names = [stack[1] for stack in stacks]
    expect("folded: once each", len(set(names)) == len(names))
    seen, last = set(), []
    for name in names:
        path = name.split(";")
        for depth in range(1, len(path) + 1):
            if path[:depth] != last[:depth]:
                expect("folded: side by side", tuple(path[:depth]) not in seen, name)
                seen.add(tuple(path[:depth]))
        last = path


def check_evented(name, profile, frames):
    stack, last = [], 0
    for event in profile["events"]:
        if event["at"] < last or event["at"] > profile["endValue"]:
            return f"{name}: {event} after {last}"
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        elif not stack or stack.pop() != event["frame"]:
            return f"{name}: {event} closes another"
        if not 0 <= event["frame"] < frames:
            return f"{name}: {event} has no frame"
    return f"{name}: {len(stack)} are open at the end" if stack else None


def test_speedscope(bench, latencies):
    scope = json.loads(bench.export("--format", "speedscope"))
    frames = [frame["name"] for frame in scope["shared"]["frames"]]
    evented = [profile for profile in scope["profiles"] if profile["type"] == "evented"]
    sampled = [profile for profile in scope["profiles"] if profile["type"] == "sampled"]
    for profile in evented:
        fault = check_evented(profile["name"], profile, len(frames))
        expect("speedscope: events", fault is None, fault)
    for profile in sampled:
        expect("speedscope: weights", min(profile["weights"]) > 0)
        expect("speedscope: whole", sum(profile["weights"]) == profile["endValue"])
        expect("speedscope: samples", len(profile["samples"]) == len(profile["weights"]) and all(
            0 <= frame < len(frames) for sample in profile["samples"] for frame in sample))
    slowest = [profile for profile in evented if profile["name"].startswith("slowest")]
    typical = [profile for profile in evented if profile["name"].startswith("typical")]
    expect("speedscope: the slowest", {p["endValue"] for p in slowest} == {max(latencies)})
    expect("speedscope: a typical one", len(typical) >= 1 and all(
        abs(p["endValue"] - bench.report["intervals"]["p50_ns"]) <=
        min(abs(l - bench.report["intervals"]["p50_ns"]) for l in latencies) + 1 for p in typical))
    expect("speedscope: its waker too", len(slowest) >= 2, str([p["name"] for p in slowest]))
    used = {frames[event["frame"]] for profile in slowest for event in profile["events"]}
    expect("speedscope: names", {"handle", "blocked: pthread_mutex_lock (shared.lock)"} <= used, str(used))
    # The slowest may have waited for another request, and not for the checkpoint.
    expect("speedscope: wakers", "checkpoint" in frames, str(frames))


def test_chrome(bench, latencies):
    number = latencies.index(max(latencies))
    trace = json.loads(bench.export("--format", "chrome", "--interval", "typical", "--interval",
                                    number))["traceEvents"]
    names = [event["args"]["name"] for event in trace if event["name"] == "process_name"] \
        if all("name" in event for event in trace) else []
    expect("chrome: views", len(names) == 2 and f"interval {number}," in names[1], str(names))
    stacks, last = collections.defaultdict(list), collections.Counter()
    for event in trace:
        track = event["pid"], event["tid"]
        if event["ph"] in "BE":
            expect("chrome: order", event["ts"] >= last[track], str(event))
            last[track] = event["ts"]
        if event["ph"] == "B":
            stacks[track].append(event["name"])
        if event["ph"] == "E":
            expect("chrome: nests", stacks[track] and stacks[track].pop() == event["name"])
    expect("chrome: closed", not any(stacks.values()))
    lanes = {event["tid"] for event in trace if event["name"] == "thread_name"
             and event["args"]["name"].startswith("processor ")}
    if any(note["code"] == "kernel-recorded" for note in bench.report["notes"]):
        had = [event["name"] for event in trace if event["ph"] == "B" and event["tid"] in lanes]
        expect("chrome: processors", had and any("(" in name for name in had), str(lanes))
    starts = {event["id"]: event for event in trace if event["ph"] == "s"}
    ends = {event["id"]: event for event in trace if event["ph"] == "f"}
    expect("chrome: wake-ups", starts and starts.keys() == ends.keys())
    expect("chrome: from another, and forward", all(
        starts[i]["tid"] != ends[i]["tid"] and starts[i]["ts"] <= ends[i]["ts"] for i in starts))


def test_dot(bench):
    text = bench.export("--format", "dot", "--least", "0.01", "--output", "tree.dot")
    text = (bench.tree / "tree.dot").read_text()
    expect("dot: the lock", "pthread_mutex_lock" in text and text.endswith("}\n"))


def test_report(bench):
    folder = bench.tree / "vprofiler-out/latest"
    for form, file in (("json", "report.json"), ("html", "report.html")):
        got = bench.run("report", "--format", form)
        expect(f"report: {form}", got.stdout.rstrip("\n") == (folder / file).read_text().rstrip("\n"),
               got.stderr)
    got = bench.run("report")
    expect("report: text", got.returncode == 0 and "pthread_mutex_lock" in got.stdout)


def test_wrong_use(bench):
    for arguments, words in (
            (["--format", "chrome", "--interval", "x"], "intervals.csv"),
            (["--format", "chrome", "--interval", "999999"], "intervals.csv"),
            (["--format", "cvs"], "csv"),
            ([], "--format"),
            (["nowhere", "--format", "dot"], "There is no folder nowhere")):
        got = bench.run("export", *arguments)
        expect(f"wrong: {arguments}", got.returncode == 2 and words in got.stderr, got.stderr)
    got = bench.run("export", "--format", "dot", "--output", "none/such.dot")
    expect("wrong: output", got.returncode == 1 and "none/such.dot" in got.stderr, got.stderr)


def main():
    bench = Bench(sys.argv[1])
    latencies = test_csv(bench)
    test_latencies(bench, latencies)
    test_folded(bench)
    test_speedscope(bench, latencies)
    test_chrome(bench, latencies)
    test_dot(bench)
    test_report(bench)
    test_wrong_use(bench)
    if failures:
        print(f"kept {bench.home}")
    else:
        shutil.rmtree(bench.home)
    print(f"{count - len(failures)} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
