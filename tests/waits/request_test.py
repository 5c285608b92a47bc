#!/usr/bin/env python3
"""What requests wait for, in made runs: of shares that are known, and of random ones whose every ns is worked out anew.

usage: request_test.py VPROFILER [CASES]
"""
import collections
import fractions
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "report")]
import check_report  # noqa: E402
import made_run  # noqa: E402

VPROFILER = sys.argv[1]
CASES = int(sys.argv[2]) if len(sys.argv) > 2 else 60
check_report.SCHEMA = json.loads((HERE.parents[1] / "docs" / "waits.schema.json").read_text())


def asked(run, *words, code=0):
    with tempfile.TemporaryDirectory() as folder:
        run.write(folder)
        done = subprocess.run([VPROFILER, "waits", folder, *words], text=True, capture_output=True, check=False)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stderr


def found_of(run, *words):
    found = json.loads(asked(run, "--json", *words))
    faults = check_report.faults(found, check_report.SCHEMA)
    assert not faults, faults
    return found


def group_name(found, group):
    if group is None:
        return ""
    group = found["groups"][group]
    return group["name"] if group["kind"] == "thread" else group["kind"]


def parts_of(found, which):
    """By (kind, from, to), or (from, to)."""
    parts = {}
    for part in found["requests"][which]:
        key = (group_name(found, part["from"]), group_name(found, part["to"]))
        key = (part["kind"], *key) if which == "leaves" else key
        assert key not in parts, key
        parts[key] = part
    return parts


# ---- by hand: the truth of each request as a dict of leaves, from which all numbers follow ----

def mean(values):
    return fractions.Fraction(sum(values), len(values))


def truth_of(requests):
    """`requests` are dicts: leaf -> ns."""
    latency = [sum(r.values()) for r in requests]
    centre = mean(latency)
    variance = mean([(x - centre) ** 2 for x in latency])
    ordered = sorted(latency)
    place = fractions.Fraction(99, 100) * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    p99 = float(ordered[low] + (place - low) * (ordered[high] - ordered[low]))
    slow = [r for r, x in zip(requests, latency) if x >= p99]
    truth = {}
    for leaf in {leaf for r in requests for leaf in r}:
        of = [r.get(leaf, 0) for r in requests]
        average = mean(of)
        truth[leaf] = {
            "mean_ns": average, "share": average / centre,
            "variance_share": mean([x * (y - centre) for x, y in zip(of, latency)]) / variance if variance else 0,
            "slow_ns": mean([r.get(leaf, 0) for r in slow]),
            "slower_ns": mean([r.get(leaf, 0) for r in slow]) - average}
    return truth


def value(part, member):
    return part[member]["value"] if isinstance(part[member], dict) else part[member]


def near(a, b):
    return abs(float(a) - float(b)) <= 1e-9 * max(1, abs(float(b)))


def expect(found, which, requests):
    truth, parts = truth_of(requests), parts_of(found, which)
    truth = {key: of for key, of in truth.items() if of["mean_ns"]}
    assert set(parts) == set(truth), (which, sorted(set(parts) ^ set(truth)))
    for key, of in truth.items():
        for member, right in of.items():
            assert near(value(parts[key], member), right), (which, key, member, value(parts[key], member), float(right))


def expect_sums(found):
    requests = found["requests"]
    for member, whole in (("mean_ns", requests["mean_ns"]["value"]), ("share", 1), ("slow_ns", requests["slow_ns"]),
                          ("variance_share", 1 if requests["sd_ns"] else 0)):
        total = sum(value(part, member) for part in requests["leaves"])
        assert abs(total - whole) <= 1e-9 * max(1, abs(whole)), (member, total, whole)


# ---- 90 % of requests wait 1 ms for x, 10 % wait 10 ms for y ----

def served(run, start, number, peer, length, of_type=None):
    """Main waits for a peer, which runs for it; the result is its leaves."""
    run.begin(start, 100, number, of_type)
    run.wake(start + 4, 100, peer)
    run.come(start + 4, peer)
    run.out(start + 10, 100)
    run.wake(start + 10 + length, peer, 100)
    run.come(start + 15 + length, 100)
    run.out(start + 16 + length, peer)
    run.end(start + 25 + length, 100, number)
    name = run.names.get(peer) or run.others[peer]
    return {("runs", "main", ""): 20, ("runs", name, ""): length, ("processor", "main", "idle"): 5}


def two_peers(count=1000, types=False, others=False):
    peers = {101: "x", 102: "y"}
    run = made_run.Run({100: "main", **({} if others else peers)}, peers if others else {})
    for peer in peers:
        run.out(2, peer)
    requests = []
    for i in range(count):
        slow = i % 10 == 3
        requests.append(served(run, 100 + i * 20_000_000, 1 + i, 102 if slow else 101, 10_000_000 if slow else 1_000_000,
                               ("slow" if slow else "fast") if types else None))
    return run, requests


def test_shares(others):
    run, requests = two_peers(others=others)
    found = found_of(run)
    expect(found, "leaves", requests)
    expect_sums(found)
    leaves, edges = parts_of(found, "leaves"), parts_of(found, "edges")
    x, y = leaves["runs", "x", ""], leaves["runs", "y", ""]
    assert near(x["mean_ns"]["value"], 0.9e6) and near(y["mean_ns"]["value"], 1e6)
    assert abs(y["variance_share"]["value"] - 10 / 9) < 1e-9 and abs(x["variance_share"]["value"] + 1 / 9) < 1e-9
    for part in (x, y):
        low, high = part["variance_share"]["ci95"]
        assert low <= part["variance_share"]["value"] <= high, part
    assert edges["main", "y"]["mean_ns"] == y["mean_ns"] and edges["main", "x"]["slow_ns"] == 0
    assert abs(y["slower_ns"]["value"] - 9e6) < 1e-6
    text = " ".join(asked(run).split())
    y_runs = "y runs" if others else "y of main runs"
    assert f"By request: {y_runs}, 1.00 ms of a request (53 %), has 111 % of the variance" in text, text
    text = " ".join(asked(run, "--slow").split())
    assert f"by 8.10 ms more than one of all; most of it: {y_runs}, 9.00 ms." in text, text


def test_page():
    """Of the edges the page says the same: 1.00 ms of a request and 111 % of the variance lie behind the wait for y."""
    run, _ = two_peers()
    with tempfile.TemporaryDirectory() as folder:
        run.write(folder)
        subprocess.run([VPROFILER, "waits", folder], check=True, capture_output=True)
        page = pathlib.Path(folder, "waits.html").read_text()
    leaves = page[page.index('id="requests"'):page.index('id="edge-table"')]
    rows = {tuple(re.findall(r"<td[^>]*>([^<]*)</td>", row))[:4] for row in re.findall(r"<tr><td.*?</tr>", leaves, re.S)}
    assert ("y of main runs", "1.00 ms", "52.6 %", "111.1 %") in rows, rows
    assert "1,000 requests of 1.90 ms, p99 10.0 ms." in leaves, leaves[:400]
    table = page[page.index('id="edge-table"'):page.index('id="groups"')]
    titles = re.findall(r"<th[^>]*>([^<]*)</th>", table)
    columns = [titles.index(title) for title in ("who", "waits for", "a request", "of variance", "slower by")]
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in re.findall(r"<tr data-edge.*?</tr>", table, re.S)]
    said = {tuple(row[column] for column in columns) for row in rows}
    assert ("main", "y of main", "1.00 ms", "111.1 %", "9.00 ms") in said, said
    assert ("main", "x of main", "900 \u00b5s", "-11.1 %", "-900 \u00b5s") in said, said


def test_types():
    run, requests = two_peers(200, types=True)
    for of_type, peer in (("fast", "x"), ("slow", "y")):
        found = found_of(run, "--type", of_type)
        expect(found, "leaves", [r for r in requests if ("runs", peer, "") in r])
        assert found["requests"]["type"] == of_type and found["requests"]["sd_ns"] == 0
    said = asked(run, "--type", "none", code=2)
    assert "No complete interval is of type none. The types are: fast, slow" in said, said


# ---- a request passes four threads ----

def test_chain():
    """Each lets the next one go on, works on for a while and leaves off; the next one comes late to its processor."""
    names = {100: "main", 101: "b", 102: "c", 103: "d"}
    run, requests = made_run.Run(names), []
    for tid in (101, 102, 103):
        run.out(2, tid)
        run.enter(2, tid, "none")  # its first record: it was there before the first request
    for i in range(40):
        at, own = 1000 + 100_000 * i, {}
        run.begin(at, 100, 1 + i)
        for tid in (100, 101, 102):
            work, late = 1000 * (tid - 99) + 37 * (i % 7 + tid - 100), 11 + i % 3
            at += work
            run.wake(at, tid, tid + 1)
            run.enter(at, tid, "none")
            run.come(at + late, tid + 1)
            if tid > 100:
                run.out(at + late + 50, tid)
            run.enter(at + late, tid + 1, 1 + i)
            own[("runs", names[tid], "")] = work
            own[("processor", names[tid + 1], "idle")] = late
            at += late
        run.end(at + 500 + i, 103, 1 + i)
        run.out(at + 600 + i, 103)
        own[("runs", "d", "")] = 500 + i
        requests.append(own)
    found = found_of(run)
    expect(found, "leaves", requests)
    expect_sums(found)
    expect_tree(found, run)


# ---- random runs ----

class Machine:
    """Threads that run, block, wake each other and are woken by devices, at random. No two things at one moment."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = {100: "main", **{101 + i: f"t{i}" for i in range(self.random.randint(1, 4))}}
        self.others = {201: "other"} if self.random.random() < 0.5 else {}
        self.run = made_run.Run(self.names, self.others)
        self.all = {**self.names, **self.others}
        self.state = dict.fromkeys(self.all, "runs")
        self.offs = collections.defaultdict(list)  # tid -> [out, woken, in, whom]
        self.coming = []                           # (time, tid)
        self.intervals, self.open = [], {}
        self.now = 10

    def step(self):
        self.now += self.random.randint(1, 300)
        ready = [tid for time, tid in self.coming if time < self.now]
        for tid in ready:
            self.arrive(tid)
        running = [tid for tid, state in self.state.items() if state == "runs"]
        blocked = [tid for tid, state in self.state.items() if state == "blocked"]
        what = self.random.random()
        if what < 0.4 and running:
            self.block(self.random.choice(running))
        elif what < 0.8 and blocked:
            tid = self.random.choice(blocked)
            waker = self.random.choice([*running, "timer", "disk", "network"])
            self.wake(tid, waker)
        elif running:
            self.mark(self.random.choice(running))

    def arrive(self, tid):
        self.coming = [(time, other) for time, other in self.coming if other != tid]
        self.run.come(self.now, tid)
        self.offs[tid][-1][2] = self.now
        self.state[tid] = "runs"
        self.now += self.random.randint(1, 50)

    def block(self, tid):
        self.run.out(self.now, tid)
        self.offs[tid].append([self.now, None, None, None])
        self.state[tid] = "blocked"

    def wake(self, tid, waker):
        if isinstance(waker, str):
            self.run.interrupt(self.now, tid, waker)
        else:
            self.run.wake(self.now, waker, tid)
        self.offs[tid][-1][1], self.offs[tid][-1][3] = self.now, waker
        self.state[tid] = "comes"
        self.coming.append((self.now + self.random.randint(1, 200), tid))

    def mark(self, tid):
        if tid not in self.names:
            return
        if tid in self.open:
            number, begin = self.open.pop(tid)
            self.run.end(self.now, tid, number)
            self.intervals.append((tid, begin, self.now))
        else:
            number = 1 + len(self.intervals) + len(self.open)
            while any(number == other for other, _ in self.open.values()):
                number += 1
            self.run.begin(self.now, tid, number)
            self.open[tid] = (number, self.now)

    def finish(self):
        for _ in range(3):
            self.now += 500
            for tid in [tid for _, tid in self.coming]:
                self.arrive(tid)
        for tid in [tid for tid, state in self.state.items() if state == "blocked"]:
            self.now += 7
            self.wake(tid, "timer")
            self.now += 300
            self.arrive(tid)
        for tid in list(self.open):
            self.now += 7
            self.mark(tid)
        self.now += 7
        for tid in self.all:
            self.now += 1
            self.run.out(self.now, tid)

    # The truth, at a moment: down the waits of that moment alone.
    def owner_at(self, tid, time):
        chain = []
        while True:
            off = next((off for off in self.offs[tid] if off[0] <= time < off[2]), None)
            if off is None:
                return ("runs", self.all[tid], ""), chain
            if time >= off[1]:
                return ("processor", self.all[tid], "idle"), chain
            if isinstance(off[3], str):
                kind = {"disk": "device"}.get(off[3], off[3])
                return ("waits", self.all[tid], kind), chain
            chain.append((self.all[tid], self.all[off[3]]))
            tid = off[3]

    def divide(self, tid, begin, end, moments, own, behind):
        borders = [begin, *[m for m in moments if begin < m < end], end]
        for lo, hi in zip(borders, borders[1:]):
            leaf, chain = self.owner_at(tid, lo)
            own[leaf] += hi - lo
            for edge in chain:
                behind[edge] += hi - lo

    def truth(self):
        moments = sorted({time for offs in self.offs.values() for off in offs for time in off[:3]})
        leaves, edges = [], []
        for tid, begin, end in self.intervals:
            own, behind = collections.Counter(), collections.Counter()
            self.divide(tid, begin, end, moments, own, behind)
            leaves.append(own)
            edges.append(behind)
        return leaves, edges


def expect_edges(found, leaves, edges):
    """An edge's time is no part of a sum: its covariance is with the latency all the same."""
    parts = parts_of(found, "edges")
    latency = [sum(own.values()) for own in leaves]
    centre = mean(latency)
    variance = mean([(x - centre) ** 2 for x in latency])
    keys = {key for behind in edges for key in behind}
    assert set(parts) == keys, (set(parts) ^ keys)
    for key in keys:
        of = [behind[key] for behind in edges]
        assert near(parts[key]["mean_ns"]["value"], mean(of)), (key, parts[key], of)
        with_latency = mean([x * (y - centre) for x, y in zip(of, latency)])
        assert near(parts[key]["variance_share"]["value"], with_latency / variance if variance else 0), (key, parts[key])


# ---- intervals: each block of the requests, in order of time, is left out in turn ----

BLOCKS, STUDENT = 20, 2.093  # two-sided 95 % of 19 degrees of freedom


def covariance(x, y):
    return sum(a * b for a, b in zip(x, y)) / len(x) - sum(x) / len(x) * sum(y) / len(y)


def error2(x, y):
    """Of two numbers, by what they are without each block."""
    return (len(x) - 1) * covariance(x, y)


def numbers(of, latency, p99):
    slow = [x for x, y in zip(of, latency) if y >= p99]
    centre = sum(of) / len(of)
    return (centre, covariance(of, latency), covariance(latency, latency), sum(slow) / len(slow) - centre if slow else None)


def expect_intervals(found, leaves):
    """`leaves` in order of the requests' begin."""
    latency = [sum(own.values()) for own in leaves]
    count, p99 = len(latency), found["requests"]["p99_ns"]
    first = [-(-b * count // BLOCKS) for b in range(BLOCKS + 1)]
    for key, part in parts_of(found, "leaves").items():
        of = [own[key] for own in leaves]
        whole = numbers(of, latency, p99)
        without = [numbers(of[:lo] + of[hi:], latency[:lo] + latency[hi:], p99) for lo, hi in zip(first, first[1:])]
        mean_of, with_of, all_of, slower_of = zip(*without)
        half = STUDENT * error2(mean_of, mean_of) ** 0.5
        near_interval(part["mean_ns"]["ci95"], whole[0] - half, whole[0] + half, key)
        if None in slower_of:
            assert part["slower_ns"]["ci95"] == [None, None], part
        else:
            half = STUDENT * max(error2(slower_of, slower_of), 0) ** 0.5
            near_interval(part["slower_ns"]["ci95"], whole[3] - half, whole[3] + half, key)
        told = whole[2] - STUDENT * error2(all_of, all_of) ** 0.5 > 0
        if told:  # Fieller: all r for which part - r whole is not told from 0
            for r in part["variance_share"]["ci95"]:
                rest = [a - r * b for a, b in zip(with_of, all_of)]
                edge = abs(whole[1] - r * whole[2]) / (STUDENT * error2(rest, rest) ** 0.5)
                assert abs(edge - 1) < 1e-3, (key, part["variance_share"], r, edge)


def near_interval(said, low, high, what):
    room = 1e-6 * max(1, abs(low), abs(high))
    assert abs(said[0] - low) < room and abs(said[1] - high) < room, (what, said, low, high)


def tree_of(run):
    """The same leaves by what they are, as the variance tree has them."""
    with tempfile.TemporaryDirectory() as folder:
        run.write(folder)
        (pathlib.Path(folder) / "functions.json").write_text(json.dumps(
            {"schema": "vprofiler.functions/1", "functions": [],
             "probes": [{"kind": "none", "function": None, "within": None, "line": 0, "file": ""}]}))
        done = subprocess.run([VPROFILER, "analyze", folder, "--json", "--out", folder + "/out"], text=True,
                              capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    sums = collections.Counter()
    for node in check_report.nodes(json.loads(done.stdout)["tree"]):
        if not node["children"]:
            sums[LEAVES.get(node["name"].split()[0], "runs")] += node["mean_ns"]
    return sums


LEAVES = {"timer": "timer", "disk": "device", "network": "network", "wake-up": "processor"}


def expect_tree(found, run):
    sums, tree = collections.Counter(), tree_of(run)
    for (kind, _, to), part in parts_of(found, "leaves").items():
        sums[to if kind == "waits" else kind] += part["mean_ns"]["value"]
    for what in {*sums, *tree}:
        assert abs(sums[what] - tree[what]) < 1e-6 * (1 + tree[what]), (what, sums, tree)


def test_random(seed):
    machine = Machine(seed)
    while len(machine.intervals) < 25 and machine.now < 400_000:
        machine.step()
    machine.finish()
    if not machine.intervals:
        return 0
    found = found_of(machine.run)
    leaves, edges = machine.truth()
    assert found["requests"]["count"] == len(leaves), (found["requests"]["count"], len(leaves))
    expect(found, "leaves", leaves)
    expect_edges(found, leaves, edges)
    expect_sums(found)
    if len(leaves) >= BLOCKS:
        begins = [begin for _, begin, _ in machine.intervals]
        expect_intervals(found, [own for _, own in sorted(zip(begins, leaves), key=lambda pair: pair[0])])
    if not machine.others:  # the tree does not follow what is not of the run
        expect_tree(found, machine.run)
    return len(leaves)


def test_queue():
    """A worker that is behind: while a request waits for it, it serves up to a hundred others, and waits for whom they
    wait for."""
    machine = Machine(7)
    machine.names, machine.others = {100: "main", 101: "worker", 102: "peer"}, {}
    machine.all, machine.run = machine.names, made_run.Run(machine.names)
    machine.state = dict.fromkeys(machine.all, "runs")
    machine.run.enter(2, 101, "none")
    requests, at = [], 1000
    for i in range(150):
        machine.run.begin(1000 + 300 * i, 100, 1 + i)
        machine.run.enter(1000 + 300 * i + 40, 100, "none")
    for i in range(150):
        at = max(at, 1000 + 300 * i) + 100
        machine.run.enter(at, 101, 1 + i)
        came = at
        for _ in range(machine.random.randint(1, 12)):
            machine.now = at + machine.random.randint(20, 90)
            machine.block(101)
            machine.now += machine.random.randint(20, 90)
            machine.wake(101, machine.random.choice([102, "disk", "timer"]))
            machine.now += machine.random.randint(1, 9)
            machine.arrive(101)
            at = machine.now + machine.random.randint(20, 90)
        machine.run.end(at, 101, 1 + i)
        requests.append((1000 + 300 * i, came, at))
    moments = sorted({time for off in machine.offs[101] for time in off[:3]})
    leaves, edges = [], []
    for begin, _, end in requests:
        own, behind = collections.Counter({("runs", "main", ""): 40}), collections.Counter()
        machine.divide(101, begin + 40, end, moments, own, behind)
        leaves.append(own)
        edges.append(behind)
    assert max(end - begin for begin, _, end in requests) > 50 * 300  # many are under way
    found = found_of(machine.run)
    expect(found, "leaves", leaves)
    expect_sums(found)
    expect_tree(found, machine.run)
    peer = parts_of(found, "edges")["worker", "peer"]["mean_ns"]["value"]
    queued = parts_of(found, "edges")["", "worker"]["mean_ns"]["value"]
    assert near(queued, mean([came - begin - 40 for begin, came, _ in requests])), queued
    assert near(peer, mean([behind["worker", "peer"] for behind in edges])), peer


def test_born():
    """The thread that serves a request is made for it."""
    run = made_run.Run({100: "main", 101: "worker"})
    run.begin(1000, 100, 1)
    run.enter(1100, 100, "none")
    run.enter(1500, 101, 1)
    run.end(1600, 101, 1)
    found = found_of(run)
    expect(found, "leaves", [{("runs", "main", ""): 100, ("queue", "worker", ""): 400, ("runs", "worker", ""): 100}])
    edges = parts_of(found, "edges")
    assert list(edges) == [("", "worker")] and edges["", "worker"]["mean_ns"]["value"] == 400, edges


if __name__ == "__main__":
    test_shares(others=False)
    test_shares(others=True)
    test_page()
    test_types()
    test_chain()
    test_queue()
    test_born()
    print(f"{sum(test_random(seed) for seed in range(CASES))} requests of {CASES} random runs agree")
