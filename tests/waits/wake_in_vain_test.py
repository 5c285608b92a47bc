#!/usr/bin/env python3
"""What a program's own record tells of wakes in vain. Traces made by hand.

usage: wake_in_vain_test.py VPROFILER
"""
import sys

import known_test

UNIT = 100000  # ticks: the clocks of the kernel's record and of the program's may disagree by some thousands


def thread(its_tid, waits=()):
    """It has a processor all the time but in `waits`: (from, until, waker)."""
    processor = its_tid
    events = [["switch", 0, processor, 0, its_tid, "runnable"]]
    for begin, end, waker in waits:
        events += [["switch", begin * UNIT, processor, its_tid, 0, "blocked"], ["waking", end * UNIT, processor, waker, its_tid, "task"],
                   ["switch", end * UNIT, processor, 0, its_tid, "runnable"]]
    return events + [["switch", 100 * UNIT, processor, its_tid, 0, "runnable"]]


def found_of(waits, **records):
    """Of threads 11, 12, 13, of which the first waits; `records` of each: time first."""
    logs = [{"tid": its_tid, "records": [[kind, *(int(t * UNIT) for t in rest[:1 + (kind == "block")]), *rest[1 + (kind == "block"):]]
                                         for kind, *rest in records[f"t{its_tid}"]]} for its_tid in (11, 12, 13)]
    events = thread(11, waits) + thread(12) + thread(13)
    found = known_test.waits_of(sys.argv[1], {"threads": [11, 12, 13], "events": events, "files": [{"threads": logs}]})
    faults = known_test.check_report.faults(found, known_test.check_report.SCHEMA)
    assert not faults, faults
    return found


def raw(found):
    names = [g["name"] or g["kind"] for g in found["groups"]]
    return {(names[e["from"]], names[e["to"]]): e["raw_ns"] // UNIT for e in found["edges"]}


TWO = [(10, 40, 12), (50, 90, 13)]


def conditions(mode):
    return {"t11": [["release", 9, "0xa", "mutex", "one", 4], ["block", 9.1, 40.5, "0xc", "cond", 4],
                    ["release", 49, "0xa", "mutex", mode, 4], ["block", 49.1, 90.5, "0xc", "cond", 4]],
            "t12": [["release", 40, "0xc", "cond", "broadcast"]], "t13": [["release", 90, "0xc", "cond"]]}


def test_condition():
    """12 wakes it, but there is nothing for it; 13 has it: it waited for 13 from 10 to 90."""
    found = found_of(TWO, **conditions("again"))
    assert raw(found) == {("t11", "t13"): 80} and found["in_vain"] == 1, (found["edges"], found["in_vain"])
    assert found["edges"][0]["count"] == 1, found["edges"]


def test_two_conditions():
    """It did something between: two waits."""
    found = found_of(TWO, **conditions("one"))
    assert raw(found) == {("t11", "t12"): 30, ("t11", "t13"): 40} and found["in_vain"] == 0, found["edges"]


def test_said():
    """VPROF_FALSE_WAKEUP tells it of what is no condition."""
    records = {"t11": [["block", 9.1, 40.5, "0xd", "channel"], ["false_wakeup", 45], ["block", 49.1, 90.5, "0xd", "channel"]],
               "t12": [["release", 39.9, "0xd", "channel"]], "t13": [["release", 89.9, "0xd", "channel"]]}
    found = found_of(TWO, **records)
    assert raw(found) == {("t11", "t13"): 80} and found["in_vain"] == 1, (found["edges"], found["in_vain"])
    del records["t11"][1]
    assert raw(found_of(TWO, **records)) == {("t11", "t12"): 30, ("t11", "t13"): 40}


def test_three_in_a_row():
    """And what comes before and after stays."""
    records = {"t11": [["block", 10, 20.5, "0xd", "channel"], ["false_wakeup", 21], ["block", 30, 40.5, "0xd", "channel"],
                       ["false_wakeup", 41], ["block", 50, 60.5, "0xd", "channel"]],
               "t12": [["release", 19.9, "0xd", "channel"], ["release", 39.9, "0xd", "channel"]],
               "t13": [["release", 59.9, "0xd", "channel"]]}
    found = found_of([(2, 5, 12), (10, 20, 12), (30, 40, 12), (50, 60, 13), (70, 77, 12)], **records)
    assert raw(found) == {("t11", "t12"): 10, ("t11", "t13"): 50} and found["in_vain"] == 2, (found["edges"], found["in_vain"])


if __name__ == "__main__":
    for test in [value for name, value in list(globals().items()) if name.startswith("test_")]:
        test()
