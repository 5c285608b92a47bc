#!/usr/bin/env python3
"""Two sides of made runs, compared by the command: what was put in is told, and where nothing was, nothing is.

usage: compare_test.py VPROFILER [TEST...]
"""
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "report")]
import check_report  # noqa: E402
from made_load import MS, Load, run, wait  # noqa: E402

VPROFILER = sys.argv[1]
DOCS = HERE.parents[1] / "docs"
SCHEMAS = {s["$id"]: s for s in (json.loads((DOCS / f"stacks-{name}.schema.json").read_text()) for name in ("compare", "growth"))}


def vprofiler(*words, status=0):
    done = subprocess.run([VPROFILER, *map(str, words)], text=True, capture_output=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def told(*words, status=0):
    found = json.loads(vprofiler(*words, "--json", status=status).stdout)
    check_report.SCHEMA = SCHEMAS[found["schema"]]
    faults = check_report.faults(found, check_report.SCHEMA)
    assert not faults, faults
    return found


def compare(a, b, *more, status=0):
    found = told("compare", "--of", "stacks", a, b, *more, status=status)
    check_laws(found)
    return found


def check_laws(found):
    """What is below a node is its own and that of all that is below it, of each side."""
    nodes = found["nodes"]
    for side in ("a_ns", "b_ns"):
        sums = [0.0] * len(nodes)
        for n in range(len(nodes) - 1, -1, -1):
            sums[n] += nodes[n]["own"][side] if nodes[n]["own"] else 0
            assert abs(sums[n] - nodes[n]["below"][side]) < 1 + 1e-6 * sums[n], (n, nodes[n], sums[n])
            if n:
                assert nodes[n]["parent"] < n
                sums[nodes[n]["parent"]] += sums[n]
    assert found["changed"] == sum(bool(n["own"] and n["own"]["surely"]) for n in nodes)
    assert sorted(found["order"]) == [n for n, node in enumerate(nodes) if node["own"]]


def path_of(found, n):
    names = []
    while n:
        names.append(found["nodes"][n]["function"])
        n = found["nodes"][n]["parent"]
    return " ".join(names[::-1][1:])


def sure(found):
    """{path: change in ms} of what surely changed, the first one first."""
    return {path_of(found, n): found["nodes"][n]["own"]["change_ns"] / MS for n in found["order"]
            if found["nodes"][n]["own"]["surely"]}


# ---- loads ----

PARSE, DEFLATE, LOG = "main serve parse", "main serve deflate compress", "main serve log_write do_sleep"
DELAY = "main serve deflate usleep do_sleep"


def serve(load, requests=400, delay=0.0, slow_each=0):
    vary = load.random
    for n in range(requests):
        steps = [run(PARSE, vary.uniform(0.5, 1.5)), run(DEFLATE, vary.uniform(1, 3)), wait(LOG, vary.uniform(0.5, 1.5))]
        if delay and (not slow_each or n % slow_each == 0):
            steps.insert(2, wait(DELAY, vary.uniform(0.98, 1.02) * delay))
        load.request(steps)
        load.run("main idle", 0.2)
    return load


# ---- what was put in ----

def test_injected(home):
    """5 ms more in one context of each request, by a call that A does not have: it is the first, alone, and in the sentence."""
    a = serve(Load(1)).write(home / "a")
    b = serve(Load(2), delay=5).write(home / "b")
    found = compare(a, b, "--mended", "deflate", status=1)
    assert found["unit"] == "request" and found["a"]["requests"] == 400
    changes = sure(found)
    assert list(changes) == [DELAY] and abs(changes[DELAY] - 5) < 0.05, changes
    place = found["nodes"][found["place"]]
    assert DELAY.startswith(path_of(found, found["place"])) and place["presence"] == "new", place
    assert place["below"]["ci95"][0] < 5 * MS < place["below"]["ci95"][1] + 0.05 * MS, place
    assert abs(found["whole"]["change_ns"] / MS - 5) < 0.3, found["whole"]
    assert "B's requests take" in found["headline"] and "usleep" in found["headline"], found["headline"]
    # the paper's: the path with the delay is the most costly one, and usleep's callee the hottest of it
    assert path_of(found, found["paths"][0]["leaf"]) == DELAY and not found["paths"][0]["in_both"]
    assert found["mended"] == {"function": "deflate", "p_min": 1, "f_min": 2}, found["mended"]
    assert compare(b, a)["whole"]["change_ns"] == -found["whole"]["change_ns"]
    shown = vprofiler("compare", "--of", "stacks", a, b, "--mended", "deflate", status=1).stdout
    assert "p_min 1, f_min 2" in shown and "new: " in shown, shown


def test_slower_function(home):
    """A function that both have runs half as long again; time that a worker waits between requests is none of theirs."""
    a, b = serve(Load(3), 600), Load(4)
    for _ in range(600):
        b.request([run(PARSE, b.random.uniform(0.5, 1.5)), run(DEFLATE, b.random.uniform(2, 4)), wait(LOG, b.random.uniform(0.5, 1.5))])
        b.wait("main epoll_wait", 5)
    found = compare(a.write(home / "a"), b.write(home / "b"), status=1)
    changes = sure(found)
    assert list(changes)[0] == DEFLATE and abs(changes.pop(DEFLATE) - 1) < 0.25, changes
    assert all(abs(ms) < 0.15 for ms in changes.values()), changes
    assert "compress" in found["headline"] and "below deflate" in found["headline"], found["headline"]


def test_units(home):
    """Without requests: of a run that was recorded to its end, of a second where it was not, as one wishes else."""
    a, b = serve(Load(5)), serve(Load(6), delay=5)
    for name, load in (("a", a), ("b", b)):
        load.write(home / name, requests=False)
        load.write(home / (name + "_goes_on"), requests=False, ends=False)
    found = compare(home / "a", home / "b")
    assert found["unit"] == "run" and not sure(found) and found["place"] is None, found["headline"]
    largest = found["nodes"][found["largest"]]
    assert DELAY.startswith(path_of(found, found["largest"])) and abs(largest["below"]["change_ns"] / MS - 400 * 5) < 20, largest
    assert "takes 3 of each side to tell" in found["headline"] and "usleep" in found["headline"], found["headline"]
    found = compare(home / "a_goes_on", home / "b_goes_on")
    second = 1000 * b.time[DELAY] / b.now
    assert found["unit"] == "second" and abs(sure(found)[DELAY] - second) < 0.05 * second, sure(found)
    assert compare(home / "a", home / "b", "--per", "second")["unit"] == "second"
    assert "has fewer than 20 requests" in vprofiler("compare", "--of", "stacks", home / "a", home / "b", "--per", "request",
                                                     status=2).stderr


def test_runs(home):
    """Three runs of each side in a folder each: what differs from run to run is in the intervals."""
    for side, delay in (("a", 0.0), ("b", 5.0), ("c", 0.0)):
        for n in range(3):
            (home / side).mkdir(exist_ok=True)
            serve(Load(10 * n + ord(side)), requests=300, delay=delay).write(home / side / str(n), requests=False)
    found = compare(home / "a", home / "b", status=1)
    assert found["a"]["runs"] == found["b"]["runs"] == 3 and found["a"]["blocks"] == 3, found["a"]
    assert list(sure(found)) == [DELAY], sure(found)
    assert "few-runs" not in [w["code"] for w in found["warnings"]]
    found = compare(home / "a", home / "c")
    assert found["place"] is None and not sure(found) and "Nothing is told apart" in found["headline"], found["headline"]


# ---- versions ----

def version(load, split):
    """process was split in two, and helper inlined into serve; the program has another name."""
    for _ in range(500):
        one, two, help_ = (load.random.uniform(a, 2 * a) for a in (1, 0.5, 0.4))
        if split:
            steps = [run("main serve process", one), run("main serve process process_rest", two), run("main serve", help_),
                     run("main serve emit", 0.5), run("main serve process compute", one),
                     run("main serve process process_rest compute", two)]
        else:
            steps = [run("main serve process", one + two), run("main serve helper", help_), run("main serve helper emit", 0.5),
                     run("main serve process compute", one + two)]
        load.request(steps)
        load.run("main idle", 0.2)
    return load


def test_versions(home):
    a, b = version(Load(21, "server-1.0"), False).write(home / "a"), version(Load(22, "server-1.1"), True).write(home / "b")
    found = compare(a, b)
    assert not sure(found), sure(found)
    first = found["nodes"][found["order"][0]]
    assert not any(found["nodes"][n]["presence"] != "both" and abs(found["nodes"][n]["own"]["change_ns"]) > 0.3 * MS
                   for n in found["order"]), first


# ---- where nothing changed ----

def test_nothing(home, pairs=40):
    """s6: of runs of one program at least 95 % are told alike, within what chance allows (binomial, 99.9 %)."""
    named = 0
    for n in range(pairs):
        a, b = (serve(Load(1000 + 2 * n + side), requests=150).write(home / f"{side}") for side in (0, 1))
        found = told("compare", "--of", "stacks", a, b) if n % 2 else told("compare", "--of", "stacks", a, b, "--per", "second")
        named += found["changed"] > 0
        assert (found["changed"] > 0) == (found["place"] is not None)
    print(f"of {pairs} pairs of runs of one program {named} are told apart")
    assert named <= 7, named


# ---- slow and typical ----

def test_slow(home):
    """One request of 50 waits 8 ms more in one context."""
    folder = serve(Load(31), requests=1000, delay=8, slow_each=50).write(home / "a")
    found = told("stacks", "--slow", folder)
    check_laws(found)
    assert found["of"] == "requests of one run" and found["b"]["requests"] == 20 and found["a"]["requests"] == 500
    changes = sure(found)
    assert list(changes)[0] == DELAY and abs(changes[DELAY] - 8) < 0.2, changes
    assert found["headline"].startswith("Slow requests take") and "usleep" in found["headline"], found["headline"]
    said = vprofiler("stacks", "--slow", folder)
    assert "slow.html, slow.json" in said.stderr and (folder / "slow.html").exists(), said.stderr
    assert json.loads((folder / "slow.json").read_text())["headline"] == found["headline"]
    few = serve(Load(32), requests=100).write(home / "few")
    assert "takes 200 requests, and here are 100" in vprofiler("stacks", "--slow", few, status=3).stderr


# ---- growth ----

def test_growth(home):
    """s11: n, n log n and n^2."""
    words = []
    for size in (1000, 4000, 16000):
        load = Load(size, "lists")
        load.run("main linear", size * 0.05)
        load.run("main sorted", size * math.log2(size) * 0.004)
        load.run("main square", size * size * 8e-6)
        load.run("main constant", 300)
        load.wait("main poll", size * size * 2e-5)  # it has the largest part, and waits for work
        load.write(home / str(size), requests=False)
        words += ["--growth", f"{size}={home / str(size)}"]
    found = told("stacks", *words)
    exponents = {" ".join(c["path"][1:]): c["own"]["exponent"] for c in found["contexts"] if c["own"]}
    truth = {"main linear": 1, "main sorted": 1 + math.log(math.log2(16000) / math.log2(1000)) / math.log(16), "main square": 2,
             "main constant": 0}
    for path, exponent in truth.items():
        assert abs(exponents[path] - exponent) < 0.1, (path, exponents[path], exponent)
    assert [c["path"][-1] for c in found["contexts"] if c["waits"]] == ["poll"], found["contexts"]
    ranks = [c["rank"] for c in found["contexts"] if not c["waits"]]
    assert found["contexts"][0]["path"][1:] == ["main", "square"] and ranks == sorted(ranks, reverse=True), ranks
    assert ranks[-1] < 0.02, ranks
    shown = vprofiler("stacks", *words).stdout
    assert "grows as size^" in shown and "square < main" in shown, shown
    assert "runs of 3 sizes" in vprofiler("stacks", *words[:4], status=2).stderr


def sized(load, sizes):
    for size in sizes:
        load.answer([("run", "main linear", size * 0.01), ("run", "main square", size * size * 2e-5),
                     ("run", "main constant", 1)], size)
    return load


def check_grows(found, groups):
    assert found["unit"] == "request" and found["value"] == "bytes" and len(found["runs"]) == groups, found["runs"]
    fits = {c["path"][-1]: c["own"] for c in found["contexts"] if c["own"]}
    for name, exponent in (("linear", 1), ("square", 2), ("constant", 0)):
        low, high = fits[name]["ci95"]
        assert abs(fits[name]["exponent"] - exponent) < 0.1 and low - 0.05 < exponent < high + 0.05, (name, fits[name])
    assert found["contexts"][0]["path"][-1] == "square", found["contexts"][0]


def test_growth_by_value(home):
    """Of one run, by the bytes of each request: of three sizes each has a group, of many they are put together."""
    random.seed(5)
    sizes = [100, 200, 400] * 60
    random.shuffle(sizes)
    three = sized(Load(51, period=0.05), sizes + [7]).write(home / "three")
    found = told("stacks", "--growth-by", "bytes", three)
    check_grows(found, 3)
    assert [run["size"] for run in found["runs"]] == [100, 200, 400], found["runs"]
    many = sized(Load(52, period=0.05), [int(100 * 10 ** random.random()) for _ in range(400)] + [7]).write(home / "many")
    check_grows(told("stacks", "--growth-by", "bytes", many), 8)
    shown = vprofiler("stacks", "--growth-by", "bytes", three).stdout
    assert "square < main" in shown and "a request, by its bytes" in shown and "60 requests of 400" in shown, shown
    assert "has a value rows" in vprofiler("stacks", "--growth-by", "rows", three, status=3).stderr
    one = sized(Load(53), [100] * 50).write(home / "one")
    assert "3 sizes at the least" in vprofiler("stacks", "--growth-by", "bytes", one, status=3).stderr


# ---- faces ----

def test_faces(home):
    a, b = serve(Load(41)).write(home / "a"), serve(Load(42), delay=5).write(home / "b")
    page = home / "compare.html"
    vprofiler("compare", "--of", "stacks", a, b, "--format", "html", "--output", page, status=1)
    text = page.read_text()
    assert re.search(r"B takes \d.*? ms more", text), "the page's words"
    said = vprofiler("compare", "--of", "stacks", a, b, "--format", "junit", status=2).stderr
    assert "text, json or html" in said, said
    program = compare(a, b, "--layer", "kernel", status=1)
    assert program["place"] is not None


def main():
    wanted = sys.argv[2:]
    for name, test in list(globals().items()):
        if name.startswith("test_") and (not wanted or name in wanted):
            with tempfile.TemporaryDirectory() as folder:
                test(pathlib.Path(folder))
    print("what was put into a side is told, and where nothing was, nothing is")


main()
