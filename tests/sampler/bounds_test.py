#!/usr/bin/env python3
"""What finds no room is counted: in the kernel's rings, and in a file that may not grow."""
import itertools
import math
import os
import signal
import sys

from recording import SCENES, needs_all, of


def test_lost():
    run = needs_all(of([SCENES, "pingpong", "20000"], ["-r", "4096"]))
    missed = sum(r["records"] for r in run.of_kind("missed"))
    assert run.report["lost"] == missed == run.header["lost_records"] > 0, (run.report, missed)


LOOK = """
import os, time
tasks = f"/proc/{os.getppid()}/task"
for turn in range(100):
    found = [int(t) for t in os.listdir(tasks) if open(f"{tasks}/{t}/comm").read() == "vprof-sampler\\n"]
    policy = os.sched_getscheduler(found[0]) if found else -1
    if policy == os.SCHED_RR:
        break
    time.sleep(0.01)
print("tid policy", policy)
"""


def may_go_first():
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except PermissionError:
        return False
    return True


def test_first():
    """Others that want the processor, in whatever group or session, do not keep the recorder from emptying the rings."""
    run = of([sys.executable, "-c", LOOK])
    assert run.tids["policy"] == (os.SCHED_RR if may_go_first() else os.SCHED_OTHER), run.tids


def test_bound():
    whole = of([SCENES, "pingpong", "8000"])
    for most in (400000, 100000):
        run = of([SCENES, "pingpong", "8000"], ["-m", str(most)])
        assert run.report["whole"] and run.report["bytes"] <= most, run.report
        assert run.header["overwritten_records"] > 0
        assert run.header["overwritten_records"] + len(run.records) > 0.5 * len(whole.records)
        assert run.records[-1]["ticks"] > run.header["overwritten_ticks"] - run.header["clock_base"]
        told = {r["tid"] for r in run.of_kind("who")}
        named = {r[name] for r in run.of_kind("switch") for name in ("from", "to")} - {0, 2**32 - 1}
        assert named <= told, named - told
    assert whole.header["overwritten_records"] == whole.header["overwritten_ticks"] == 0


BIRTHS = """
import os, sys, time
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    if os.fork() == 0:
        for turn in range(20):
            time.sleep(0.0001)
        os._exit(0)
    os.wait()
"""


def pauses_of(run):
    """[(begins, ends)], which all processors tell alike; the last one may go on."""
    told = {}
    for r in run.of_kind("pause"):
        told.setdefault(r["cpu"], []).append((r["ticks"], r["what"]))
    assert len(told) >= len(os.sched_getaffinity(0)) and len({str(one) for one in told.values()}) == 1, told
    moments = next(iter(told.values()))
    assert [what for _, what in moments] == [i % 2 for i in range(len(moments))], moments
    moments = [ticks for ticks, _ in moments]
    return list(itertools.zip_longest(moments[::2], moments[1::2], fillvalue=math.inf))


def test_paused(seconds=5):
    """What takes more than its share is recorded in windows; but whose the threads are that are born meanwhile is known."""
    busy = f"{SCENES} pingpong 4000000 >/dev/null & \"$@\"; kill $!; wait"
    run = needs_all(of(["sh", "-c", busy, "sh", sys.executable, "-c", BIRTHS, str(seconds)], ["-s", "0.01"]))
    pauses = pauses_of(run)
    assert pauses, run.report
    paused = 0
    for begin, end in pauses:
        inside = [r for r in run.records if begin < r["ticks"] < end and r["kind"] not in ("who", "missed")]
        paused += sum(r["kind"] == "who" for r in run.records if begin < r["ticks"] < end)
        assert not inside, inside[:3]
    assert paused and run.of_kind("switch"), (paused, run.report)
    told = {r["tid"] for r in run.of_kind("who")}
    named = {r[name] for r in run.of_kind("switch") for name in ("from", "to")} - {0, 2**32 - 1}
    assert named <= told, named - told


def test_not_paused():
    assert not needs_all(of([sys.executable, "-c", BIRTHS, "0.5"])).of_kind("pause")


def test_killed():
    run = of(["sh", "-c", "kill -9 $$"])
    assert run.report["status"] == signal.SIGKILL and run.report["whole"]
    assert run.header["end"] == "exited"
    assert run.of_kind("who", what="ended", tid=run.report["pid"])


if __name__ == "__main__":
    test_lost()
    test_first()
    test_bound()
    test_paused()
    test_not_paused()
    test_killed()
