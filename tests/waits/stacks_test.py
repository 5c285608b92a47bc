#!/usr/bin/env python3
"""Stacks of waits: weighed as they stand for others in a made trace, and of a program that knows where it waits.

usage: stacks_test.py VPROFILER STACK_SCENES
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "trace"), str(HERE.parent / "report"), str(HERE.parent)]
import check_report  # noqa: E402
import make_vtr  # noqa: E402
import never_idle  # noqa: E402

VPROFILER, SCENES = sys.argv[1:3]
check_report.SCHEMA = json.loads((HERE.parents[1] / "docs" / "waits.schema.json").read_text())
MS = 1000000
LOCK = 0x404080


def found_in(text):
    found = json.loads(text)
    faults = check_report.faults(found, check_report.SCHEMA)
    assert not faults, faults
    return found


def stacks_of(found, who, whom, of):
    """[(names, time, deviation, how many)] of an edge by the names of its groups, the kernel's kind for no thread."""
    groups = found["groups"]
    edges = {e for e, edge in enumerate(found["edges"]) if groups[edge["from"]]["name"] == who
             and whom in (groups[edge["to"]]["name"], groups[edge["to"]]["kind"])}
    return [([frame["name"] for frame in s["frames"]], s["time_ns"], s["sd_ns"], s["sampled"])
            for s in found["stacks"] if s["of"] == of and s["edge"] in edges]


def made():
    """Thread 1 waits for 2 for 10, 20 and 40 ms."""
    one, two = [["switch", 0, 0, 1]], [["switch", 0, 0, 2]]
    for begin, end in ((10, 20), (30, 50), (60, 100)):
        one += [["switch", begin * MS + 5000, 1, 0, "sleeps"], ["switch", end * MS + 6000, 0, 1]]
        two += [["waking", end * MS + 5000, 1, 2]]
    one.append(["switch", 200 * MS, 1, 0, "sleeps"])
    two.append(["switch", 200 * MS, 2, 0, "sleeps"])
    whose = [["who", 0, 100, 1, "one", "seen", 0, 1], ["who", 0, 100, 2, "two", "seen", 0, 1]]
    waits = [["wait_stack", 10 * MS, 100, 1, 0, 1, 8, LOCK, 77],  # 77 is no thread of the process
             ["wait_stack", 60 * MS, 100, 1, 0, 2, 1, LOCK, 2],
             ["wait_stack", 60 * MS, 100, 1, 0, 1, 8, LOCK, 2],  # of the same wait, and it stands for more
             ["wait_stack", 150 * MS, 100, 1, 0, 1, 8, LOCK, 2]]  # it did not begin to wait then
    wakings = [["wait_stack", 50 * MS, 100, 2, 1, 3, 4],
               ["wait_stack", 100 * MS, 100, 3, 1, 3, 4]]  # another one let it go on
    stacks = [[1, 100, 1, ["0xffffffff81000010", "0x401010"]], [2, 100, 1, ["0xffffffff81000010", "0x7f0000001010"]],
              [3, 100, 0, ["0x401010", "0x100"], 1]]
    maps = ["00401000-00402000 r-xp 00000000 08:01 7 /nowhere/server",
            "7f0000001000-7f0000002000 r-xp 00000000 08:01 8 /nowhere/libhelp.so.1"]
    return {"files": [
        {"name": "kernel.vtr", "features": 1, "watched": 1, "pid": 900, "threads": [
            {"tid": 0, "number": 1, "records": whose + one}, {"tid": 0, "number": 2, "records": two}]},
        {"name": "stacks.vtr", "features": 1, "pid": 900, "stacks": stacks, "maps_of": {"100": maps},
         "kernel": ["ffffffff81000010 futex_wait"], "threads": [
             {"tid": 0, "number": 1, "records": waits}, {"tid": 0, "number": 2, "records": wakings}]}]}


def test_made():
    with tempfile.TemporaryDirectory() as folder:
        make_vtr.make_directory(made(), pathlib.Path(folder))
        done = subprocess.run([VPROFILER, "waits", "--json", folder], text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        found = found_in(done.stdout)
        shown = subprocess.run([VPROFILER, "waits", folder], text=True, capture_output=True, check=True).stdout
    # What was recorded stands for 8 * 10 + 1 * 40 ms of the 70 that were waited, or for 4 * 20 of them.
    (slow, fast), (woke,) = stacks_of(found, "one", "two", "wait"), stacks_of(found, "one", "two", "waking")
    n = 8 * 70 / 120
    assert slow[0] == ["futex_wait", "[server]"] and slow[3] == 1 and math.isclose(slow[1], n * 10 * MS), slow
    assert math.isclose(slow[2], math.sqrt(n * (n - 1)) * 10 * MS), slow
    assert fast[0] == ["futex_wait", "[libhelp.so.1]"] and math.isclose(fast[1], 40 * MS * 70 / 120), fast
    assert woke[0] == ["[server]", "[unknown]"] and math.isclose(woke[1], 70 * MS), woke
    assert math.isclose(woke[2], math.sqrt(3.5 * 2.5) * 20 * MS), woke
    assert found["stacks_unmatched"] == 2 and found["stacks_cut"] == 1, found["stacks_unmatched"]
    (lock,) = found["locks"]
    assert (lock["address"], lock["pid"], lock["sampled"]) == (LOCK, 100, 2), lock
    assert math.isclose(lock["time_ns"], 70 * MS) and abs(lock["held_ns"] - 40 * MS * 70 / 120) < 1, lock
    assert found["groups"][lock["holder"]]["name"] == "two", lock
    assert "67 %  [server]" in shown and "on 0x404080 100 %, of that 33 % while two" in shown, shown


def below(stacks, function):
    """How long threads waited below it, and the variance of that."""
    return (sum(time for names, time, *_ in stacks if function in names),
            sum(sd ** 2 for names, _, sd, _ in stacks if function in names))


def check_naps(found):
    """A nap takes what it was asked for, and until the timer's next moment. What the stacks stand for is what was
    waited."""
    naps = stacks_of(found, "first", "timer", "wait")
    (flush, flush_variance), (rest, rest_variance) = below(naps, "flush_page"), below(naps, "rest")
    share, sd = flush / (flush + rest), math.hypot(rest * flush_variance ** 0.5, flush * rest_variance ** 0.5) / (
        flush + rest) ** 2
    assert abs(share - 3.05 / 4.1) < 0.02 + 4 * sd, (share, sd)
    waited = sum(edge["raw_ns"] for edge in found["edges"] if found["groups"][edge["from"]]["name"] == "first"
                 and found["groups"][edge["to"]]["kind"] == "timer")
    assert math.isclose(flush + rest, waited, rel_tol=1e-6), (naps, waited)
    path = next(names for names, *_ in naps if "flush_page" in names)
    at = path.index("flush_page")
    assert path[at - 1:at + 3] == ["nap", "flush_page", "compact", "main"] and path[-1] == "_start", path


def check_runs(found):
    """A clock's samples of what runs: three quarters, and so long in all."""
    groups = found["groups"]
    burner = next(g for g, group in enumerate(groups) if group["name"] == "burner")
    runs = [s for s in found["stacks"] if s["of"] == "run" and s["group"] == burner]
    parts = {f: sum(s["time_ns"] for s in runs if f in [frame["name"] for frame in s["frames"]]) for f in ("crunch", "fold")}
    samples = sum(s["sampled"] for s in runs)
    part, sd = parts["crunch"] / sum(parts.values()), math.sqrt(0.75 * 0.25 / samples)
    assert samples > 20 and abs(part - 0.75) < 4 * sd, (part, sd, samples)
    first = max(runs, key=lambda s: s["sampled"])
    k = first["sampled"]
    assert math.isclose(first["sd_ns"], math.sqrt(k * (1 - k / samples)) * first["time_ns"] / k), first


def live(*words):
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([VPROFILER, "waits", "--json", "--kernel", "on", "--out", folder, "--", SCENES, *words],
                              text=True, capture_output=True, check=False)
    if "who woke whom" not in done.stderr:
        print("left out: what the kernel tells of a run (a machine where `vprofiler doctor` says that all of it can be "
              "recorded)")
        sys.exit(77)
    assert done.returncode == 0, done.stderr
    return found_in(done.stdout)


def may_spin(found):
    return [w["message"] for w in found["warnings"] if w["code"] == "may-spin"]


def test_spin():
    """A loop with a pause is told, and one that computes is not."""
    (said,) = may_spin(live("spin"))
    assert said.startswith("spinner ") and "instructions of spin_until " in said, said


def test_roles():
    """Processes of one name are told apart by the functions that they are in."""
    found = live("roles")
    of_run = {group["name"] for group in found["groups"] if group["of_run"]}
    name = pathlib.Path(SCENES).name[:15]
    assert {f"{name}: write_log", f"{name}: serve_client"} < of_run, of_run


def test_live():
    """Compiled without frame pointers and debug information."""
    found = live()
    assert not may_spin(found), may_spin(found)
    check_naps(found)
    check_runs(found)
    for of, function in (("wait", "serve"), ("waking", "compact")):
        stacks = stacks_of(found, "worker", "first", of)
        assert below(stacks, function)[0] > 0.9 * sum(time for _, time, *_ in stacks), stacks
    assert found["stacks_cut"] < 0.02 * sum(stack["sampled"] for stack in found["stacks"]), found["stacks_cut"]
    lock = max(found["locks"], key=lambda lock: lock["time_ns"])
    assert lock["name"] == "table_lock" and found["groups"][lock["holder"]]["name"] == "first", lock
    assert lock["held_ns"] > 0.5 * lock["time_ns"], lock


if __name__ == "__main__":
    test_made()
    test_live()
    test_roles()
    test_spin()
