#!/usr/bin/env python3
"""Functions that were measured in made traces: counts, lengths, what their threads did, requests, all to the ns.

usage: made_test.py VPROFILER SCHEMA
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]
from made import FIRST, LAST, LEFT, MS, RIGHT, SAMPLES, directory, wait  # noqa: E402
from made import trace as made  # noqa: E402

VPROFILER, SCHEMA = sys.argv[1:3]
POINTS = ["1 1 1 0 request", "2 1 2 0 request", "3 2 12 0 left@kernel", "4 2 13 0 left@kernel", "5 3 12 0 shared@kernel",
          "6 3 13 0 shared@kernel", "7 4 12 0 gone@libhelp.so.1"]


# Of the two threads' 400 ms, one wanted a processor for 1 ms: a second is so much shorter.
GIVEN = 399 / 400


def hit(at, point, stack):
    return ["hit", round(at * MS), 1, 1, point, 0, stack]


def proof(hits, more=()):
    """Thread 1 as in made.py: off from 10 to 20, runnable to 21, off from 30 to 50 and from 60 to 100 ms, gone at 200."""
    trace = made([], [], [])
    trace["files"][1] = {"name": "points.vtr", "features": 1, "pid": 900, "points": POINTS, "threads": [
        {"tid": 0, "number": 1, "records": sorted([*hits, *more], key=lambda r: r[1])}]}
    return trace


def write(folder, hits, more=()):
    """A result, and what was measured beside it."""
    directory(made(SAMPLES, [wait(10, 3, 8), wait(60, 4, 1)], [LEFT, RIGHT, FIRST, LAST]), folder)
    second = pathlib.Path(folder) / "proof" / "trace"
    second.mkdir(parents=True)
    directory(proof(hits, more), second)
    return second.parent


def told(hits, more=(), refused=""):
    with tempfile.TemporaryDirectory() as folder:
        beside = write(folder, hits, more)
        if refused:
            (beside / "refused.txt").write_text(refused)
        done = subprocess.run([VPROFILER, "stacks", "--json", folder], text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        shown = subprocess.run([VPROFILER, "stacks", folder], text=True, capture_output=True, check=True).stdout
        page = (pathlib.Path(folder) / "stacks.html").read_text()
        found = json.loads(done.stdout)
        return found["proof"], {f["function"]: f for f in found["proof"]["functions"]}, shown, page


CALLS = [hit(2, 1, 900), hit(5, 3, 800), hit(25, 4, 800), hit(28, 2, 900),  # left: 20 ms, of which 9 it ran
         hit(40, 1, 900), hit(52, 3, 800), hit(54, 5, 700), hit(55, 6, 700), hit(58, 4, 800), hit(59, 2, 900),
         hit(120, 3, 800), hit(121, 3, 600), hit(122, 4, 600), hit(150, 3, 600), hit(155, 3, 810)]


def test_calls():
    whole, functions, shown, page = told(CALLS, refused="leaf: it has no function leaf.\n")
    left = functions["left"]
    assert whole["wall_ns"] == 200 * MS and whole["switches"] and whole["lost_hits"] == 0, whole
    assert whole["refused"] == ["leaf: it has no function leaf."] and "Not measured: leaf:" in shown
    # 5..25, 52..58 and 121..122 returned; 120.. and 150.. were left at 155; that one was open at the end.
    assert (left["calls"], left["returned"], left["left"], left["open"]) == (6, 3, 2, 1), left
    assert left["mean_ns"] == 9 * MS and left["p50_ns"] == 6 * MS and left["max_ns"] == 20 * MS and left["min_ns"] == MS
    assert math.isclose(left["sd_ns"], math.sqrt((400 + 36 + 1) / 3 - 81) * MS)
    assert (left["deepest"], left["threads"], left["mode"]) == (2, 1, "whole"), left
    # Outermost ones that a jump did not leave: 20 + 6 + 45 ms, off 10 of the first, wanting a processor 1 of it.
    assert (left["ran_ns"], left["off_ns"], left["queue_ns"]) == (60 * MS, 10 * MS, MS), left
    assert math.isclose(left["part"], 0.35 / GIVEN), left
    # By stacks 32.25 ms ran and 30 ms off, of 200 (tests/stacks/made_test.py)
    assert math.isclose(left["by_stacks"], 62.25 / 200 / GIVEN) and left["verdict"] == "agrees", left
    assert "MEASURED CALL BY CALL" in shown and 'id="proof-table"' in page


def test_compared():
    """Left: 30 calls a second of 9 ms, against 20 of 10 ms. Shared was measured in one of the two."""
    with tempfile.TemporaryDirectory() as folder:
        sides = [pathlib.Path(folder) / name for name in "ab"]
        write(sides[0], CALLS)
        write(sides[1], [hit(at, 3 + (at % 20 == 15), 800) for at in range(5, 85, 10)])
        done = subprocess.run([VPROFILER, "compare", "--of", "stacks", *sides, "--per", "second", "--json"], text=True, capture_output=True)
        assert done.returncode in (0, 1), done.stderr
        (left,) = json.loads(done.stdout)["proven"]
        sides_told = [(side["runs"], round(side["calls"], 6), side["length_ns"]) for side in (left["a"], left["b"])]
        assert left["function"] == "left" and left["unit"] == "second" and sides_told == [(1, 30, 9 * MS), (1, 20, 10 * MS)], left
        parts = {name: left[name]["change_ns"] for name in ("whole", "by_calls", "by_length")}
        for name, ms in (("whole", -70), ("by_calls", -95), ("by_length", 25)):
            assert math.isclose(parts[name], ms * MS) and left[name]["ci95"] == [None, None], (name, left)
        shown = subprocess.run([VPROFILER, "compare", "--of", "stacks", *sides, "--per", "second"], text=True, capture_output=True).stdout
        assert "30 → 20" in shown and "9.00 ms → 10.0 ms" in shown and "takes 3 runs a side" in shown, shown
        page = sides[0] / "compare.html"
        subprocess.run([VPROFILER, "compare", "--of", "stacks", *sides, "--per", "second", "--format", "html", "--output", page], capture_output=True)
        assert 'id="proven"' in page.read_text()


def test_requests():
    _, functions, _, _ = told(CALLS)
    requests = functions["left"]["requests"]
    # Two: of 26 ms, 20 of them in left; of 19 ms, 6 of them. Two points lie on a line of slope 14 / 7.
    assert requests == {"count": 2, "calls": 1, "time_ns": 13 * MS, "share": 2}, requests
    assert functions["shared"]["requests"]["calls"] == 0.5, functions["shared"]


def test_counted():
    """Of one whose returns are not known, and of one that no stack has."""
    _, functions, shown, _ = told([*CALLS, hit(60, 7, 500), hit(61, 7, 500)])
    gone = functions["gone"]
    assert (gone["mode"], gone["calls"], gone["measured_ns"], gone["part"]) == ("counted", 2, 0, None), gone
    assert gone["frame"] is None and gone["verdict"] == "unseen" and gone["mean_ns"] is None, gone
    assert "At which places gone returns is not known" in shown, shown


def test_closed():
    """Returns were given up at 30 ms, of shared entries, too, at 54.5 ms; what came then tells nothing of lengths."""
    _, functions, shown, _ = told(CALLS, [["point_closed", 30 * MS, 4], ["point_closed", round(54.5 * MS), 6],
                                          ["point_closed", round(54.5 * MS), 5]])
    left, shared = functions["left"], functions["shared"]
    assert (left["mode"], left["calls"], left["returned"], left["measured_ns"]) == ("begin", 6, 1, 30 * MS), left
    assert left["mean_ns"] == 20 * MS and left["open"] == 0 and left["requests"]["count"] == 1, left
    assert math.isclose(left["part"], 19 / 30 / GIVEN), left
    assert (shared["mode"], shared["calls"], shared["counted_ns"]) == ("stopped", 1, round(54.5 * MS)), shared
    assert "From then on its calls were counted" in shown and "left alone" in shown, shown


def test_lost():
    whole, functions, shown, _ = told(CALLS, [["points_lost", 58 * MS, 3]])
    assert whole["lost_hits"] == 3 and functions["left"]["doubtful"] == 1, functions["left"]
    assert "under way when hits were lost" in shown


def test_differs():
    """Stacks said 64 % of the time, and it is 1 ms of it."""
    _, functions, shown, _ = told([hit(2, 5, 700), hit(3, 6, 700)])
    assert functions["shared"]["verdict"] == "differs" and "measured it is 0.5 %" in shown, shown
    assert functions["left"]["calls"] == 0 and functions["left"]["mean_ns"] is None, functions["left"]


def test_schema():
    try:
        import jsonschema
    except ImportError:
        return
    schema = json.loads(pathlib.Path(SCHEMA).read_text())
    whole, _, _, _ = told(CALLS)
    jsonschema.validate(whole, {**schema["$defs"]["proof"], "$defs": schema["$defs"]})


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
print("measured functions of made traces are as they are known")
