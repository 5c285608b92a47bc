#!/usr/bin/env python3
"""What is not looked at for a knot: waits for a client, and threads of the background. Traces made by hand.

usage: outside_test.py VPROFILER
"""
import sys

import known_test

ROUNDS = 40


def thread(its_tid, pieces, length=100):
    """Runs but in `pieces` of each round: (from, until, waker, context), or (from, until): preempted."""
    processor = 10 + its_tid
    events = [["switch", 0, processor, 0, its_tid, "runnable"]]
    for start in range(0, ROUNDS * length, length):
        for piece in pieces:
            state = ("blocked" if len(piece) < 5 else piece[4]) if len(piece) > 2 else "runnable"
            begin, end = start + piece[0], start + piece[1]
            events.append(["switch", begin, processor, its_tid, 0, state])
            if len(piece) > 2:
                events.append(["waking", end, processor, piece[2], its_tid, piece[3]])
            events.append(["switch", end, processor, 0, its_tid, "runnable"])
    return events + [["switch", ROUNDS * length, processor, its_tid, 0, "runnable"]]


def found_of(*threads, **rest):
    """A thread is (tid, pieces)."""
    events = [event for its_tid, pieces in threads for event in thread(its_tid, pieces)]
    case = {"threads": [its_tid for its_tid, _ in threads], "events": events + rest.pop("more", []), **rest}
    found = known_test.waits_of(sys.argv[1], case)
    faults = known_test.check_report.faults(found, known_test.check_report.SCHEMA)
    assert not faults, faults
    return found


def names(found, groups):
    return {known_test.name_of(found["groups"][g]) for g in groups}


def knots(found):
    return [names(found, knot["groups"]) for knot in found["knots"]]


def test_client():
    found = found_of((1, [(40, 100, 50, "task")]))
    assert not found["saturated"] and not found["knots"], found
    assert len(found["arrivals"]) == 1 and found["arrivals"][0]["time_ns"] == 60 * ROUNDS, found["arrivals"]
    assert names(found, [found["arrivals"][0]["client"]]) == {"50"} and found["arrivals"][0]["serves"], found["arrivals"]
    assert found["headline"].startswith("Not saturated: "), found["headline"]
    assert "t50" in found["headline"] and "60 % of the time" in found["headline"], found["headline"]


def test_client_waits():
    """What the client waits for is not the run's; unless it gives answers."""
    naps = thread(50, [(50, 90, 0, "timer_softirq")])
    found = found_of((1, [(40, 100, 50, "task")]), more=naps)
    assert any(e["raw_ns"] == 40 * ROUNDS and e["counts"] for e in found["edges"]), found["edges"]
    assert not found["saturated"] and not found["knots"] and not found["background"], found
    file = {"threads": [{"tid": 1, "records": [["begin", 1, 1], ["end", ROUNDS * 100, 1]]}]}
    found = found_of((1, [(40, 100, 50, "task")]), more=naps, files=[file])
    assert found["saturated"] and knots(found) == [{"-2"}], found


def test_network():
    found = found_of((1, [(40, 100, 0, "net_rx")]))
    assert not found["saturated"] and not found["knots"], found
    assert "t1 waits for the network 60 % of the time" in found["headline"], found["headline"]


def test_kernel_is_no_client():
    found = found_of((1, [(40, 100, 50, "task")]), whose={50: 3})
    assert found["saturated"] and not found["arrivals"] and knots(found) == [{"50"}], found


def test_lock_is_no_arrival():
    """What no signal can end is no wait for a request."""
    found = found_of((1, [(40, 100, 50, "task", "uninterruptible")]))
    assert found["saturated"] and not found["arrivals"] and knots(found) == [{"50"}], found


def test_answer_is_no_arrival():
    """In an interval, it is an answer that is waited for."""
    file = {"threads": [{"tid": 1, "records": [["begin", 1, 1], ["end", ROUNDS * 100, 1]]}]}
    found = found_of((1, [(40, 100, 50, "task")]), files=[file])
    assert found["saturated"] and not found["arrivals"] and knots(found) == [{"50"}], found
    file["threads"][0]["records"][1][1] = 2
    assert not found_of((1, [(40, 100, 50, "task")]), files=[file])["saturated"]


def test_acceptor():
    """One that hardly works may wait for connections: those that work do not wait."""
    found = found_of((1, [(2, 100, 50, "task")]), (2, []))
    assert found["saturated"] and not found["knots"], found
    assert [a["serves"] for a in found["arrivals"]] == [False], found["arrivals"]
    assert "Not saturated" not in found["headline"], found["headline"]


def test_disk_never_idle():
    """Whoever waits besides: the disk has no more to give."""
    half = [["request", 100 * i + 50, 9, "issued", 1] for i in range(ROUNDS)]  # the waking tells that it is done
    busy = [["request", 100 * i + when, 9, what, 1] for i in range(ROUNDS)
            for what, when in (("issued", 0), ("done", 50), ("issued", 50))]
    disk = (50, 100, 7, "block")
    found = found_of((1, [(20, 30, 50, "task"), disk]), more=busy)
    assert found["saturated"] and knots(found) == [{"-5"}], found
    assert found["arrivals"][0]["time_ns"] == 10 * ROUNDS and found["arrivals"][0]["serves"], found["arrivals"]
    found = found_of((1, [(20, 30, 50, "task"), disk]), more=half)
    assert not found["saturated"] and found["devices"][0]["idle_ns"] == 50 * ROUNDS, found["devices"]


def test_knot_is_no_bottleneck():
    found = found_of((1, [(20, 40, 2, "task"), (40, 100, 50, "task")]), (2, [(0, 15, 1, "task")]))
    assert not found["saturated"] and knots(found) == [{"1", "2"}], found
    assert found["headline"].startswith("Not saturated"), found["headline"]
    assert "knot" not in found["headline"] and "caps nothing yet" in found["headline"], found["headline"]


TURNS = ((2, [(60, 100, 3, "task")]), (3, [(0, 40, 2, "task")]))
HEARTBEAT = (1, [(1, 100, 0, "timer_softirq")])


def background(found):
    return [(names(found, part["groups"]), part["reason"], part["ran_share"]) for part in found["background"]]


def test_heartbeat():
    found = found_of(HEARTBEAT, *TURNS)
    assert background(found) == [({"1"}, "sleeps", 0.01)], found["background"]
    assert knots(found) == [{"2", "3"}], found["knots"]
    assert "t2" in found["headline"] and "knot" in found["headline"], found["headline"]


def test_waited_for():
    """Whoever sleeps while another one waits for it is not beside."""
    found = found_of(HEARTBEAT, (2, [(60, 100, 3, "task")]), (3, [(0, 40, 2, "task"), (80, 90, 1, "task")]))
    assert not found["background"] and knots(found) == [{"-2"}], found


def test_one_behind_the_other():
    """Only one that is set aside waits for the other: both are."""
    found = found_of(HEARTBEAT, (4, [(1, 31, 1, "task"), (32, 100, 0, "timer_softirq")]), *TURNS)
    assert [b[:2] for b in background(found)] == [({"4"}, "sleeps"), ({"1"}, "sleeps")], found["background"]
    assert knots(found) == [{"2", "3"}], found["knots"]


def test_knot_beside():
    """4 and 5 wait for each other and for a processor; they run for 20 %, and nobody waits for them."""
    beside = (4, [(10, 20, 5, "task"), (21, 91)]), (5, [(20, 91, 4, "task"), (0, 11)])
    beside = beside[0], (5, sorted(beside[1][1]))
    found = found_of(*beside, *TURNS)
    assert [b[:2] for b in background(found)] == [({"4", "5"}, "knot")], (found["background"], found["edges"])
    assert knots(found) == [{"2", "3"}], found["knots"]
    assert background(found_of(*beside)) == [], "who does most of the work is not beside it"


def test_sleeps_all_by_itself():
    found = found_of(HEARTBEAT)
    assert not found["background"] and knots(found) == [{"-2"}], found


if __name__ == "__main__":
    for test in [value for name, value in list(globals().items()) if name.startswith("test_")]:
        test()
