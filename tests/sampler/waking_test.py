#!/usr/bin/env python3
"""Who woke a thread, by the recording: a peer, a timer, a disk; and what the kernel says of threads."""
import os
import subprocess
import sys
import tempfile

import recording
from recording import SCENES, needs_all, of

import never_idle  # noqa: E402


def most(wakings, **fields):
    """Nearly all of them: other wakings, as by a signal or a lock of the C library, are few."""
    fitting = [w for w in wakings if all(w[name] == value for name, value in fields.items())]
    assert len(wakings) > 20 and len(fitting) > 0.9 * len(wakings), (len(fitting), len(wakings), wakings[:20])


def wake_each_other(run, a, b):
    """In each round one of them is: who is on the processor still needs no waking."""
    wakings = run.wakings(a) + run.wakings(b)
    by_peer = [w for w in wakings if w["context"] == "thread" and {w["tid"], w["waker"]} == {a, b}]
    assert len(by_peer) > 200 and len(by_peer) > 0.9 * len(wakings), (len(by_peer), wakings[:20])


def alternates(run, tid):
    """A thread comes and goes in turn; and all it ran and was off in between is the time between."""
    moments = run.switches(tid)
    assert all(a[1] != b[1] for a, b in zip(moments, moments[1:])), (tid, moments[:40])
    ran = sum(b[0] - a[0] for a, b in zip(moments, moments[1:]) if a[1])
    off = sum(b[0] - a[0] for a, b in zip(moments, moments[1:]) if not a[1])
    assert ran + off == moments[-1][0] - moments[0][0]
    return ran


def test_peers():
    run = needs_all(of([SCENES, "pingpong", "300"]))
    first, pong = run.tids["first"], run.tids["pong"]
    wake_each_other(run, first, pong)
    assert run.report["lost"] == 0 and run.report["missing"] == ""
    for tid in (first, pong):
        alternates(run, tid)
    born = run.of_kind("waking", tid=pong, born=1)
    assert [w["waker"] for w in born] == [first], born


def test_names():
    run = of([SCENES, "pingpong", "20"])
    first, pong = run.tids["first"], run.tids["pong"]
    who = run.of_kind("who", tid=pong)
    assert who[0]["what"] == "created" and who[0]["maker"] == first and who[0]["pid"] == run.report["pid"], who
    assert who[-1]["what"] == "ended" and who[-1]["name"] == "pong", who
    told = {0, recording.UNKNOWN}
    for record in run.records:
        if record["kind"] == "who":
            told.add(record["tid"])
        named = {"switch": ("from", "to"), "waking": ("tid", "waker")}.get(record["kind"], ())
        assert {record[name] for name in named} <= told, record


def test_titles():
    """What processes say that they are, while they live. Of the first one there are only arguments."""
    run = of([SCENES, "titles", "300", "room for a title, and some more"])
    told = {r["pid"]: r["title"] for r in run.of_kind("title")}
    assert told == {run.tids["writer"]: "toy: writer", run.tids["reader"]: "toy: reader 7 [idle]"}, told


def test_timer():
    run = of([SCENES, "sleeps", "100"])
    most(run.wakings(run.tids["first"]), interrupt="timer")
    assert not run.of_kind("waking", tid=run.tids["first"], interrupt="timer", context="thread")


def test_timer_of_idle():
    """Of a processor that has just been idle some kernels tell nothing; but of what they tell the chain is known, too."""
    run = of(["sh", "-c", "for turn in $(seq 20); do sleep 0.03; done"])
    told = run.of_kind("waking", context="hard", born=0)
    assert sum(w["interrupt"] == "timer" for w in told) >= 0.8 * len(told), told


def test_loopback():
    run = of([SCENES, "tcp", "300"])
    wake_each_other(run, run.tids["first"], run.tids["echo"])


def test_fast_loopback():
    """Far more wakings in soft interrupts than call chains are taken of: what others of the pair tell holds of them."""
    run = of([SCENES, "tcp", "30000"])
    first, echo = run.tids["first"], run.tids["echo"]
    wakings = run.wakings(first) + run.wakings(echo)
    named = [w for w in wakings if w["context"] == "thread" and {w["tid"], w["waker"]} == {first, echo}]
    assert len(wakings) > 20000 and len(named) > 0.99 * len(wakings), (len(named), len(wakings))


def with_file(test, size):
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(os.path.abspath(SCENES))) as file:
        file.write(os.urandom(size))
        file.flush()
        os.fsync(file.fileno())
        test(file.name)


def test_disk(path):
    command = ["dd", f"if={path}", "of=/dev/null", "bs=64k", "iflag=direct"]
    if subprocess.run(command, capture_output=True).returncode:
        return print("left out: reads of a disk (a build folder on one that allows O_DIRECT)")
    run = of(command)
    dd = run.report["pid"]
    reads = run.of_kind("request", what="issued", way="read", bytes=65536)
    assert len(reads) >= 60, reads
    assert sum(r["tid"] == dd for r in reads) >= 60, (dd, reads)  # a worker of the kernel issues some of them
    device = max((r["device"] for r in reads), key=[r["device"] for r in reads].count)
    reads = [r for r in reads if r["device"] == device]
    done = {(r["device"], r["sector"]) for r in run.of_kind("request", what="done")}
    assert sum((r["device"], r["sector"]) in done for r in reads) > 0.9 * len(reads), reads
    names = [r["name"] for r in run.of_kind("who", what="device", tid=device)]
    assert os.path.exists(f"/sys/block/{names[0]}") or os.path.exists(f"/sys/class/block/{names[0]}"), names
    disk = [w for w in run.wakings(dd) if w["interrupt"] == "disk"]
    assert len(disk) > 0.7 * len(run.wakings(dd)) and len(disk) > 20, run.wakings(dd)


def test_flushes():
    """The kernel asks for them itself, by a worker: they are of who wanted them."""
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(os.path.abspath(SCENES))) as file:
        run = of([sys.executable, "-c", f"import os\nfile = open({file.name!r}, 'wb')\nfor turn in range(50):\n"
                  "    file.write(b'x')\n    file.flush()\n    os.fsync(file.fileno())"])
    flushes = [r["tid"] for r in run.of_kind("request", what="issued", bytes=0)]
    if len(flushes) < 50:
        return print("left out: flushes (a build folder on a disk with a cache of its own)")
    assert flushes.count(run.report["pid"]) > 40, (flushes, run.report["pid"])


def test_faults(path):
    run = of([SCENES, "faults", "1", path])
    count = len(run.of_kind("fault", tid=run.tids["first"]))
    assert count > 20 or not run.of_kind("request", way="read", tid=run.tids["first"]), count


def waits_of(run, tid):
    """(ns that the thread waited for a processor, {who had the one that it got in the end: ns})"""
    has, since, pieces, waits, whose = {}, None, [], 0, {}
    for r in run.records:
        if r["kind"] not in ("switch", "waking", "missed"):
            continue
        if since is not None:
            pieces.append((r["ticks"] - since, dict(has)))
            since = r["ticks"]
        if r["kind"] == "missed":
            has[r["cpu"]] = recording.UNKNOWN
        elif r["kind"] == "switch":
            assert has.get(r["cpu"], r["from"]) in (r["from"], recording.UNKNOWN), r
            has[r["cpu"]] = r["to"]
            if r["to"] == tid:
                for length, had in pieces:
                    waits += length
                    whose[had.get(r["cpu"])] = whose.get(had.get(r["cpu"]), 0) + length
                since, pieces = None, []
            elif r["from"] == tid and r["state"] == "runnable":
                since = r["ticks"]
        elif r["kind"] == "waking" and r["tid"] == tid and since is None and tid not in has.values():
            since = r["ticks"]
    return waits, whose


def test_hogs():
    """While the thread waits for its processor, it is known who has it."""
    run = of([SCENES, "hogs", "100"])
    waits, whose = waits_of(run, run.tids["first"])
    by_hogs = whose.get(run.tids["hog_a"], 0) + whose.get(run.tids["hog_b"], 0)
    unknown = whose.get(recording.UNKNOWN, 0) + whose.get(None, 0) + whose.get(0, 0)
    assert waits > 5 * 10**7 and by_hogs > 0.05 * waits and unknown < 0.05 * waits, (waits, whose, run.tids)


if __name__ == "__main__":
    test_peers()
    test_names()
    test_titles()
    with never_idle.all_processors():
        test_timer()
        with_file(test_disk, 64 * 65536)
    test_timer_of_idle()
    test_loopback()
    test_fast_loopback()
    with_file(test_faults, 64 * 65536)
    test_flushes()
    test_hogs()
