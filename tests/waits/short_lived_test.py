#!/usr/bin/env python3
"""Threads that live shortly are told as virtual ones, which wait for their parents between. Traces made by hand.

usage: short_lived_test.py VPROFILER
"""
import subprocess
import sys
import tempfile
import pathlib

import known_test

UNTIL = 100


def child(its_tid, born, ended, parent=1, waits=()):
    """It runs on a processor of its own, but in `waits`: (from, until, waker)."""
    processor = 10 + its_tid
    events = [["create", born, processor, parent, its_tid], ["switch", born, processor, 0, its_tid, "runnable"]]
    for begin, end, waker in waits:
        events += [["switch", begin, processor, its_tid, 0, "blocked"], ["waking", end, processor, waker, its_tid, "task"],
                   ["switch", end, processor, 0, its_tid, "runnable"]]
    return events + [["switch", ended, processor, its_tid, 0, "ended"]]


def case_of(children, name="child", until=UNTIL):
    events = [["switch", 0, 1, 0, 1, "runnable"]] + [e for c in children for e in c] + [["switch", until, 1, 1, 0, "blocked"]]
    tids = sorted({c[0][4] for c in children})
    return {"threads": [1] + tids, "names": {tid: name for tid in tids}, "events": events}


def found_of(*children, **rest):
    found = known_test.waits_of(sys.argv[1], dict(case_of(children), **rest))
    faults = known_test.check_report.faults(found, known_test.check_report.SCHEMA)
    assert not faults, faults
    return found


def groups(found):
    return sorted((g["name"], g["members"], g["threads"]) for g in found["groups"] if g["of_run"])


def raw(found):
    names = [g["name"] or g["kind"] for g in found["groups"]]
    return {(names[e["from"]], names[e["to"]]): e["raw_ns"] for e in found["edges"]}


def test_one_after_the_other():
    """The known answer: it waits in [0, 10], [30, 40] and [70, 100] of 100."""
    found = found_of(child(2, 10, 30), child(3, 40, 70))
    assert groups(found) == [("child", 1, 2), ("t1", 1, 1)], groups(found)
    assert raw(found) == {("child", "t1"): 50}, found["edges"]
    assert found["edges"][0]["raw_share"]["value"] == 0.5, found["edges"]
    assert {g["name"]: g["blamed_ns"] for g in found["groups"] if g["blamed_ns"]} == {"t1": 50}


def test_hardly_there():
    """Two that live for 9 of 100 together are nothing to wait for; of 10, they are."""
    assert raw(found_of(child(2, 10, 14), child(3, 40, 45))) == {}
    assert raw(found_of(child(2, 10, 15), child(3, 40, 45))) == {("child", "t1"): 90}


def test_all_at_once():
    """Two places: 2 then 4; 3, which lives long, by itself: that one waits for nobody."""
    found = found_of(child(2, 10, 30), child(3, 15, 95), child(4, 30, 90))
    assert groups(found) == [("child", 2, 3), ("t1", 1, 1)], groups(found)
    assert raw(found) == {("child", "t1"): 20}, found["edges"]


def test_one_is_no_virtual():
    found = found_of(child(2, 10, 30))
    assert groups(found) == [("child", 1, 1), ("t1", 1, 1)] and not found["edges"], found["edges"]


def test_other_names():
    found = found_of(child(2, 10, 30), child(3, 40, 70), names={2: "a", 3: "b"})
    assert groups(found) == [("a", 1, 1), ("b", 1, 1), ("t1", 1, 1)] and not found["edges"], found["edges"]


def test_waits_of_both():
    """What each waited is the virtual one's; a waker that has gone is, too."""
    found = found_of(child(2, 10, 30, waits=[(15, 20, 1)]), child(3, 40, 70, waits=[(50, 53, 9)]),
                     child(9, 0, 100), names={2: "c", 3: "c", 9: "long"})
    assert raw(found) == {("c", "t1"): 55, ("c", "long"): 3}, found["edges"]


def test_children_of_children():
    """Who is made by one of a virtual one waits for that."""
    found = found_of(child(2, 10, 30), child(4, 15, 20, parent=2), child(5, 22, 28, parent=2), child(3, 40, 70),
                     names={2: "c", 3: "c", 4: "d", 5: "d"})
    assert groups(found) == [("c", 1, 2), ("d", 1, 2), ("t1", 1, 1)], groups(found)
    # d: before and after, as long as 2 lives, from 10 to 30
    assert raw(found) == {("c", "t1"): 50, ("d", "c"): 5 + 2 + 2}, found["edges"]


def test_ten_thousand():
    """All are told as those that live at a time: 5. Some of the time is the script's; the rest is bounded by CTest."""
    count = 10000
    case = case_of([child(200 + i, 10 * i, 10 * i + 45) for i in range(count)], until=10 * count + 100)
    # One processor for each of five: the logs are not as many as the threads.
    case["events"] = [[kind, ticks, 10 + processor % 5 if processor > 1 else processor, *rest] for kind, ticks, processor, *rest in case["events"]]
    with tempfile.TemporaryDirectory() as folder:
        known_test.make_vtr.make_directory(known_test.files_of(case), pathlib.Path(folder))
        done = subprocess.run([sys.argv[1], "waits", folder], text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "10,000 threads that lived shortly, one after the other, are told as 5" in " ".join(done.stdout.split()), done.stdout


if __name__ == "__main__":
    for test in [value for name, value in list(globals().items()) if name.startswith("test_")]:
        test()
