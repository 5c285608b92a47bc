#!/usr/bin/env python3
"""`vprofiler stacks` of programs whose requests are told by points, as they are: what it says of them is what they know.

usage: command_test.py VPROFILER REQUEST_SCENES POINT_SCENES [SECONDS]
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]
import left_out  # noqa: E402
import never_idle  # noqa: E402
from tree import Tree  # noqa: E402

VPROFILER, SCENES, POINT_SCENES = sys.argv[1:4]
SECONDS = float(sys.argv[4]) if len(sys.argv) > 4 else 4
PARTS = ["parse", "look_up", "rebuild", "answer"]
A_FEW_POINTS = 0.04


class Told:
    """What was said of a run: the report of its requests, the contexts of all of it, and the text."""

    def __init__(self, folder, done):
        if "CAP_PERFMON" in done.stderr or "who woke whom" not in done.stderr or "uprobes" in done.stderr:
            left_out.skip("requests of a program as it is", how="run the tests as root, outside of a container")
        assert done.returncode == 0, done.stderr
        latest = pathlib.Path(folder) / "out" / "latest"
        self.text, self.said = done.stdout, done.stderr
        self.report = json.loads((latest / "report.json").read_text())
        self.tree = Tree(json.loads((latest / "stacks.json").read_text()))
        self.notes = {note["code"]: note["message"] for note in self.report["notes"]}
        self.warnings = {warning["code"]: warning["message"] for warning in self.report["warnings"]}

    def first(self):
        """Of the factors, but for what others' wish for the processors does here: where it is, from the interval on."""
        for factor in self.report["factors"]:
            if "preempted" not in factor["functions"]:
                return factor["sites"][0]["path"] + factor["functions"]
        return []

    def shares(self, name):
        """Of all places of the function, none within another one."""
        def below(node):
            if node["name"] == name:
                return node["share"]
            return sum(below(child) for child in node["children"])
        return below(self.report["tree"])


def run(folder, options, command):
    return subprocess.run([VPROFILER, "stacks", "--kernel", "on", "--out", f"{folder}/out", *options, "--", *command],
                          text=True, capture_output=True, check=False)


def told_of(scene, *options, seconds=SECONDS):
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder) / "own"
        told = Told(folder, run(folder, options, [SCENES, own, scene, str(seconds)]))
        return told, [list(map(int, line.split())) for line in own.read_text().splitlines()]


def covariance(x, y):
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    return statistics.fmean((a - mean_x) * (b - mean_y) for a, b in zip(x, y))


def true_shares(rows):
    """Cov(X, L) / Var(L), by the program's own clock."""
    latency = [row[1] - row[0] for row in rows]
    return {part: covariance([row[2 + i] for row in rows], latency) / covariance(latency, latency)
            for i, part in enumerate(PARTS)}


def check_latencies(told, rows, more_ms=0.1):
    """A probe takes some us, in it and at its ends."""
    intervals = told.report["intervals"]
    assert intervals["count"] == len(rows) and not intervals["incomplete"], (intervals, len(rows))
    mean = statistics.fmean(row[1] - row[0] for row in rows)
    assert mean <= intervals["mean_ns"] <= mean + more_ms * 1e6, (mean, intervals["mean_ns"])


def chance(told, rows, period_ms):
    """How far a share may be off: a call's bounds by period / sqrt(6), in so many requests. On a busy machine a thread that is
    preempted right where one call gives way to another may have all of that put down to the wrong one."""
    latency = [row[1] - row[0] for row in rows]
    ends = 3 * 2 * period_ms * 1e6 / 6 ** 0.5 / (len(rows) * covariance(latency, latency)) ** 0.5
    return A_FEW_POINTS + ends + 0.4 * abs(told.shares("preempted"))


def check_shares(told, rows, period_ms):
    most = chance(told, rows, period_ms)
    for part, truth in true_shares(rows).items():
        share = told.shares(part)
        print(f"{part}: {share:.3f} of the variance, and it is {truth:.3f}; it may be off by {most:.3f}")
        assert abs(share - truth) <= most, (part, share, truth)


def check_notes(told):
    """How far it can be trusted is said."""
    assert "samples a request" in told.notes["inferred-calls"], told.notes
    assert "one each" in told.notes["inferred-calls"] and "lies near one" in told.notes["inferred-calls"]
    assert "functions seen" in told.text and "timed ·" not in told.text, told.text


def check_request_times(told, rows):
    """What a context takes a request is its time of all of the run over their number, without what it wanted a processor:
    here all of it is in requests, and runs for so long."""
    look_up = statistics.fmean(1.5 + number * 7919 % 11 * 0.1 for number in range(len(rows)))
    rebuild = 8 * statistics.fmean(number * 31 % 7 < 2 for number in range(len(rows)))
    for part, truth in [("handle_request", (1 + look_up + rebuild + 1) * 1e6), ("rebuild", rebuild * 1e6)]:
        node = told.tree.one("serve", "handle_request", *([] if part == "handle_request" else [part]))
        mean, half = node["request"]["mean_ns"], node["request"]["half_ns"]
        print(f"{part}: {mean / 1e6:.2f} ms a request, +- {half / 1e6:.2f}, and it is {truth / 1e6:.2f}")
        assert abs(mean - truth) <= 1.5 * half + 0.05 * truth and half < 0.4 * mean, (part, mean, half, truth)
    assert "a request" in told.text, told.text


def test_cause_that_ran():
    told, rows = told_of("ran", "--interval", "handle_request", "--rate", "1000")
    check_latencies(told, rows)
    assert "rebuild" in told.first(), told.first()
    if told.shares("preempted") < 0.2:
        assert "rebuild" in told.report["headline"], told.report["headline"]
    check_shares(told, rows, 1)
    check_notes(told)
    check_request_times(told, rows)


def test_cause_that_slept():
    """Where threads were blocked is exact."""
    told, rows = told_of("slept", "--interval", "handle_request")
    check_latencies(told, rows)
    assert "rebuild" in told.first(), told.first()
    check_shares(told, rows, 2)
    check_notes(told)


def test_running_server():
    """It has begun before, and is left as it was."""
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        with subprocess.Popen([SCENES, f"{folder}/own", "ran", str(SECONDS + 3)]) as server:
            time.sleep(0.5)
            done = subprocess.run([VPROFILER, "stacks", "--kernel", "on", "--out", f"{folder}/out", "--interval",
                                   "handle_request", "--pid", str(server.pid), "--for", f"{SECONDS}s"],
                                  text=True, capture_output=True, check=False)
            assert server.poll() is None
            server.terminate()
        told = Told(folder, done)
    assert "rebuild" in told.first(), told.first()
    assert told.report["intervals"]["count"] > 50, told.report["intervals"]


def test_by_descriptor():
    """An echo server that sleeps for 0 to 10 ms: each request's latency is its client's."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(folder, ["--descriptor"], [POINT_SCENES, "events", "1", "150"])
        told = Told(folder, done)
        log = next((pathlib.Path(folder) / "out" / "latest").rglob("run.log")).read_text()
    asked = [list(map(int, line.split()[1:])) for line in log.splitlines() if line.startswith("asked ")]
    intervals = told.report["intervals"]
    assert len(asked) == intervals["count"] == 150, (len(asked), intervals["count"])
    mean = statistics.fmean(one[2] - one[1] for one in asked)
    delays = statistics.fmean(one[3] * 1000 for one in asked)
    print(f"by descriptor {intervals['mean_ns'] / 1e6:.2f} ms; clients saw {mean / 1e6:.2f}, of {delays / 1e6:.2f} slept")
    assert delays <= intervals["mean_ns"] <= mean + 0.2e6, (delays, intervals["mean_ns"], mean)
    assert "pause_us" in told.first() and told.shares("pause_us") > 0.9, (told.first(), told.shares("pause_us"))


def test_returns_that_are_not_known():
    """The kernel's return probe has an address of its own in the stack: whoever called the function is told all the same."""
    told, rows = told_of("jumps", "--interval", "handle_jump", "--rate", "1000")
    check_latencies(told, rows)
    assert "return probe" in told.said, told.said
    assert told.tree.found["cut"] <= 0.02 * told.tree.found["samples"] + 1, told.tree.found["cut"]
    ways = [told.tree.path(n) for n in told.tree.find("long_way") + told.tree.find("short_way")]
    whole = [path for path in ways if "[cut]" not in path]
    assert len(whole) == 2 and all(path[1:-1] == ["main", "serve"] for path in whole), ways
    assert "rebuild" in told.first(), told.first()


def test_whole():
    """Each process is a request: of one alone there is no variance, and that is said."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Told(folder, run(folder, ["--whole"], [SCENES, f"{folder}/own", "ran", "1"]))
    assert alone.report["intervals"]["count"] == 1, alone.report["intervals"]
    assert 1e9 <= alone.report["intervals"]["mean_ns"] < 2e9 and "needs at least two" in alone.report["headline"]
    each = 'for long in 0.2 0.4 0.6 0.8 1.0; do "$@" $long; done'
    with tempfile.TemporaryDirectory() as folder:
        told = Told(folder, run(folder, ["--whole"], ["sh", "-c", each, "sh", SCENES, f"{folder}/own", "ran"]))
    types = {t["name"]: t["count"] for t in told.report["intervals"].get("types", [])}
    assert told.report["intervals"]["count"] == 6 and sorted(types.values()) == [1, 5], (types, told.report["intervals"])


def test_period():
    """A period of exactly 1 ms, and 1,000 samples a second: they do not fall into step."""
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder) / "own"
        done = run(folder, ["--json", "--rate", "1000"], [SCENES, own, "period", str(SECONDS)])
        if done.returncode == 3:
            left_out.skip("a program in step with the clock", how="run the tests as root, outside of a container")
        tree, (rows, *_) = Tree(json.loads(done.stdout)), [list(map(int, own.read_text().split()))]
    (first, _, few), (second, _, many) = tree.under("thirty"), tree.under("seventy")
    part, truth, samples = first / (first + second), rows[0] / sum(rows), few + many
    error = 3 * (truth * (1 - truth) / samples) ** 0.5 + 0.01
    print(f"in step with the clock: {part:.3f}, and it is {truth:.3f}; {samples} samples tell it to {error:.3f}")
    assert samples > 100 * SECONDS and abs(part - truth) <= error, (part, truth, samples)


if __name__ == "__main__":
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
    print("requests of programs as they are are told as they know them")
