#!/usr/bin/env python3
"""check.py CASE LIBRARY PROGRAM... - run test programs under the runtime and check their traces.

LIBRARY is preloaded. Exit 0 pass, 1 fail, 77 cannot be tested here.
"""
import bisect
import collections
import contextlib
import ctypes
import fcntl
import itertools
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import vtr

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

NOT_SWITCHED = 2**32 - 1


class Bench:
    """A directory for traces, and programs to run in it."""

    def __init__(self, library, programs, directory):
        self.library, self.directory = library, pathlib.Path(directory)
        self.programs = {pathlib.Path(p).name: p for p in programs}

    def environment(self, preload=True, trace_dir=None, **more):
        env = {k: v for k, v in os.environ.items() if not k.startswith("VPROF_")}
        if preload:
            env["LD_PRELOAD"] = self.library
        env["VPROF_TRACE_DIR"] = str(trace_dir or self.directory)
        env.update(more)
        return env

    def run(self, name, *args, expect=0, preexec_fn=None, **environment):
        done = subprocess.run([self.programs.get(name, name), *map(str, args)], text=True,
                              env=self.environment(**environment), preexec_fn=preexec_fn,
                              stdout=subprocess.PIPE, timeout=120)
        assert done.returncode == expect, f"{name} exited with {done.returncode}"
        return done.stdout

    def paths(self):
        return sorted(self.directory.glob("*.vtr"))

    def traces(self):
        return [vtr.read(p) for p in self.paths()]

    def trace(self):
        (trace,) = self.traces()
        return trace


def has_sites(program):
    """It was built to have them, by a compiler and for a machine that can."""
    return b"vprof_sites_2" in pathlib.Path(program).read_bytes()


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def functions(records):
    return [r for r in records if r["kind"] == "function"]


def count_by_probe(records):
    return collections.Counter(r["probe"] for r in functions(records))


def assert_nested(records):
    """Callees stand before their callers; two calls are nested or apart."""
    done = []  # finished calls that no caller has taken in, as (start, end)
    for r in functions(records):
        start, end = r["ticks"], r["ticks"] + r["duration"]
        while done and done[-1][0] >= start:
            assert done[-1][1] <= end, "a callee outlives its caller"
            done.pop()
        assert not done or done[-1][1] <= start, "calls overlap"
        done.append((start, end))


def check_calls(bench):
    leaf = int(bench.run("calls", 20000).split()[0], 16)
    trace = bench.trace()
    (log,) = trace.logs
    assert trace.header["end"] == "exited" and trace.header["hook_tables"] == 1, trace.header
    assert trace.header["lost_records"] == 0 and trace.header["program"].endswith("/calls")
    assert len(trace.maps) == 1 and "calls" in trace.maps[0] and "[stack]" in trace.maps[0]
    assert count_by_probe(log.records) == {1: 20000 + 6 + 2, 2: 6, 3: 1, 4: 1, 0x1234567: 1}
    assert_nested(log.records)
    (call,) = [r for r in functions(log.records) if r["probe"] == 4]
    assert call["target"] == leaf
    restarted = functions(log.records)[12]  # the argument's own call of leaf() is not timed by 4
    assert restarted["probe"] == 1 and restarted["ticks"] + restarted["duration"] <= call["ticks"]
    marks = [(r["what"], r.get("id"), r.get("name"), r.get("value"))
             for r in log.records if r["kind"] == "mark"]
    long_name = "a type whose name is longer than wh"
    assert marks == [("begin", 7, None, None), ("begin", 8, None, None),
                     ("type", 8, long_name, 0), ("enter", 7, None, None), ("type", 7, "short", 0),
                     ("value", 7, "rows", -5), ("false_wakeup", 0, None, None),
                     ("progress", 0, "unit", 0), ("acquire", 9, None, None),
                     ("enter", 2**64 - 1, None, None), ("end", 7, None, None)], marks
    tasks = [(r["what"], r["queue"], r["task"]) for r in log.records if r["kind"] == "task"]
    assert tasks == [("enqueue", 100, 200), ("dequeue", 100, 200)]


def check_clock(bench):
    before = time.monotonic_ns()
    bench.run("calls", 300000)
    after = time.monotonic_ns()
    h = bench.trace().header
    assert before <= h["start_ns"] < h["latest_ns"] <= after
    assert h["start_ticks"] < h["latest_ticks"] and h["clock_base"] == 0
    rate = (h["latest_ticks"] - h["start_ticks"]) / (h["latest_ns"] - h["start_ns"])
    for r in bench.trace().records("function")[-100:]:
        ns = h["start_ns"] + (r["ticks"] - h["start_ticks"]) / rate
        assert before <= ns <= after


def check_workers(bench):
    bench.run("workers")
    trace = bench.trace()
    main, *workers = trace.logs
    assert trace.header["threads"] == 5 and len(workers) == 4
    for log in workers:
        assert count_by_probe(log.records) == {1: 10000, 5: 1}
        assert_nested(log.records)
        last = log.records[-1]
        assert (last["kind"], last["what"]) == ("thread", "exit")
        assert log.records[0 if log.thread % 2 else 1]["what"] in ("enter", "started")
    created = [r for r in main.records if r["kind"] == "thread" and r["what"] == "create"]
    started = {log.records[0]["token"]: log for log in workers
               if log.records[0]["kind"] == "thread"}
    assert [r["site"] for r in created] == [11, 11]
    assert sorted(started) == sorted(r["token"] for r in created)
    joins = [r for r in main.records if r["kind"] == "block"]
    assert [j["site"] for j in joins] == [12] * 4
    for join, log in zip(joins, workers):
        assert join["object"] == log.records[-1]["pthread"]
        assert log.records[-1]["ticks"] <= join["end"]
    assert [r["operation"] for r in trace.records("release")] == ["join", "join"]
    ends = [log.thread for log in trace.logs for r in log.records if r.get("what") == "end"]
    assert ends == [workers[-1].thread]


def check_short_threads(bench):
    n = 20000
    bench.run("short_threads", n)
    trace = bench.trace()
    assert trace.header["threads"] == n + 1 == len(trace.logs), trace.header
    assert trace.header["lost_records"] == 0
    for log in trace.logs[1:]:
        assert [r["kind"] for r in log.records] == ["thread", "function", "release", "thread"]
        assert log.records[-1]["what"] == "exit"


def check_forks(bench):
    bench.run("forks")
    counts = {}
    for trace in bench.traces():
        tasks = collections.Counter(r["task"] for r in trace.records("task"))
        assert len(tasks) <= 1, f"records of several processes in one file: {tasks}"
        for name, count in tasks.items():
            counts[name] = count
        calls = trace.records("function")
        assert sum(tasks.values()) == len(calls)
        for log in trace.logs:
            assert_nested(log.records)
        assert bool(calls) == (trace.header["end"] == "exited")
    assert counts == {0: 10003, 1: 5000, 2: 5001, 3: 5000, 20: 5000}, counts
    parents = {t.header["pid"]: t.header["parent_pid"] for t in bench.traces()}
    assert sum(parent in parents for parent in parents.values()) == 5


def check_forks_handled(bench):
    """Nothing of what handlers of pthread_atfork() do is lost, and each process has its own."""
    bench.run("forks_handled")
    traces = {trace.header["pid"]: trace for trace in bench.traces()}
    prepare, parent, child, late, calls = 100, 200, 300, 10, 7000
    generations = collections.Counter()
    for trace in traces.values():
        generation, above = 0, trace.header["parent_pid"]
        while above in traces:
            generation, above = generation + 1, traces[above].header["parent_pid"]
        generations[generation] += 1
        forks, forked = (3, 1, 0)[generation], int(generation > 0)
        tasks = collections.Counter(r["task"] for r in trace.records("task"))
        assert (tasks.pop(1, 0) > 0) == (generation == 0)
        assert tasks.pop(2, 0) <= 1
        expected = {prepare: forks * calls, prepare + late: forks, parent: forks * calls,
                    parent + late: forks, child: forked * calls, child + late: forked}
        assert tasks == {k: n for k, n in expected.items() if n}, (generation, tasks)
        assert trace.header["lost_records"] == 0 and not trace.damage, trace.header
        for log in trace.logs:
            assert_nested(log.records)
    assert generations == {0: 1, 1: 3, 2: 3}, generations


def check_raw_forks(bench):
    """A process that fork() did not make has a log of its own, or what it does is counted as lost."""
    bench.run("raw_forks")
    counts, lost = {}, 0
    for trace in bench.traces():
        tasks = collections.Counter(r["task"] for r in trace.records("task"))
        assert len(tasks) == 1, f"records of several processes in one file: {tasks}"
        counts.update(tasks)
        assert sum(tasks.values()) == len([r for r in trace.records("function") if r["how"] == 0])
        lost += trace.header["lost_records"]
        for log in trace.logs:
            assert_nested(log.records)
    # the parent's: before the first, beside each of six, vfork's child in its log, at the end
    assert counts == {0: 9 * 5000, **{n: 5000 for n in range(1, 7)}}, counts
    assert lost == 2 * (2 * 5000), f"the two that share a thread's log lose all of theirs: {lost}"


def check_killed(bench):
    counter = bench.directory / "counter"
    counter.write_bytes(bytes(4096))
    process = subprocess.Popen([bench.programs["killed"], counter], env=bench.environment())
    time.sleep(0.1)
    process.kill()
    process.wait()
    counted = [int.from_bytes(counter.read_bytes()[i * 8:i * 8 + 8], "little") for i in (0, 1)]
    trace = bench.trace()
    written = sorted(sum(count_by_probe(log.records).values()) for log in trace.logs)
    assert trace.header["end"] == "running" and trace.header["lost_records"] == 0
    assert min(counted) > 10000, counted
    for made, kept in zip(sorted(counted), written):
        assert made <= kept <= made + 1, (counted, written)


def release_within(trace, block, **wanted):
    found = [r for r in trace.records("release")
             if r["object"] == block["object"] and block["ticks"] <= r["ticks"] <= block["end"] and
             all(r[key] == value for key, value in wanted.items())]
    assert found, f"nobody released {block}"
    return found


def check_waits(bench):
    words = bench.run("waits").split()
    objects = {name: int(at, 16) for name, at in zip(words[::2], words[1::2])}
    trace = bench.trace()
    main, other = trace.logs
    (begin,) = [r for r in main.records if r["kind"] == "mark"]
    early = [r for r in main.records if r["ticks"] < begin["ticks"]]
    assert not early, f"uncontended calls left records: {early[:3]}"
    blocks = {r["site"]: r for r in other.records if r["kind"] == "block"}
    expected = {1: ("mutex", "mutex", 21), 3: ("rwlock", "rwlock_write", 22),
                5: ("cond_mutex", "mutex", 23), 6: ("cond", "cond", 24),
                8: ("semaphore", "semaphore", 26), 9: ("barrier", "barrier", 28),
                10: ("rwlock", "rwlock_read", 29)}
    assert sorted(blocks) == sorted(expected), sorted(blocks)
    for site, (name, operation, waker_site) in expected.items():
        block = blocks[site]
        assert (block["object"], block["operation"]) == (objects[name], operation), block
        (release,) = release_within(trace, block, site=waker_site)
        assert release in main.records
    # the waiter of the condition takes its mutex again: that release is there as well
    cond = blocks[6]
    assert any(r["site"] == 25 and cond["ticks"] <= r["ticks"] <= cond["end"]
               and r["object"] == objects["cond_mutex"] for r in main.records
               if r["kind"] == "release")
    main_blocks = [r for r in main.records if r["kind"] == "block" and r["ending"] != vtr.NO_WAIT]
    assert [r["operation"] for r in main_blocks] == ["join"], main_blocks  # last at the barrier
    release_within(trace, main_blocks[0], operation="join")


def of_thread(record):
    """Of a thread's life, or from where it was created."""
    return record["kind"] in ("thread", "callers")


def check_takings(bench):
    """What is taken while somebody waits leaves a record, what nobody waits for leaves none; and who
    goes to wait for a condition again says whether it gave the mutex back meanwhile."""
    objects = [line.split() for line in bench.run("takings").splitlines()]
    main, *others = bench.trace().logs
    taken = [(r["object"], r["operation"], r["site"]) for r in main.records
             if r["kind"] == "block" and r["ending"] == vtr.NO_WAIT and r["site"] != 43]
    wanted = [(int(at, 16), operation, int(site)) for at, operation, site in objects]
    assert taken == wanted and len(wanted) > 10, (taken, wanted)
    modes = [r["mode"] for log in others for r in log.records
             if r["kind"] == "release" and r["site"] == 40]
    assert modes == [0, vtr.AGAIN, vtr.AGAIN, 0, 0], modes
    assert_no_waiters(bench)


def check_primitives(bench):
    """Each wait that the program names is a block, with a release of the main thread in it."""
    (name,) = bench.programs
    cases = [line.split() for line in bench.run(name).splitlines()]
    check_cases(bench.trace(), cases)
    assert_no_waiters(bench)


def check_cases(trace, cases):
    main = trace.logs[0]
    for case, operation, object_text in cases:
        blocks = [r for log in trace.logs[1:] for r in log.records
                  if r["kind"] == "block" and r["object"] == int(object_text, 16) and
                  r["operation"] == operation]
        named = sum(other[1:] == [operation, object_text] for other in cases)
        assert len(blocks) >= named, f"{case}: {len(blocks)} blocks"
        assert all(r["site"] == 0 for r in blocks), (case, blocks)
        # more than one: a wait that was woken for nothing, or an object that is used again
        # main held rwlocks for writing, but for one
        ending = "rwlock_read" if case == "exclusive" else operation.replace("_read", "_write")
        releases = release_within(trace, blocks[-1], operation=ending)
        if operation != "join":
            assert any(r in main.records for r in releases), f"{case}: not released by main"
    created = [r["token"] for r in main.records if r.get("what") == "create"]
    started = [r["token"] for log in trace.logs[1:] for r in log.records
               if r.get("what") == "started"]
    assert len(created) >= len(cases) and sorted(created) == sorted(started)
    early = [r for r in main.records if not of_thread(r) and r["ticks"] < first_tick(main)]
    assert not early, f"uncontended calls left records: {early[:3]}"


def check_channels(bench):
    """The same, and a child that waits for its parent."""
    cases = [line.split() for line in bench.run("channels").splitlines()]
    parent, child = sorted(bench.traces(), key=lambda t: t.header["pid"])
    check_cases(parent, cases[:-1])
    ((_, operation, object_text),) = cases[-1:]
    blocks = child.records("block")
    assert blocks and all(b["operation"] == operation and b["object"] == int(object_text, 16)
                          for b in blocks), blocks
    releases = [r for r in parent.records("release") if r["object"] == blocks[-1]["object"]]
    assert any(blocks[-1]["ticks"] <= r["ticks"] <= blocks[-1]["end"] for r in releases), releases
    assert_no_waiters(bench)


def check_several(bench, program="several"):
    """Each waiter was let go on by the thread that did, and by none before."""
    said = [line.split() for line in bench.run(program).splitlines()]
    dumped = bench.run("trace_dump_tool", bench.directory, preload=False).splitlines()
    wakers = collections.defaultdict(list)
    for kind, waiter, waker, *_ in (line.split() for line in dumped if line.startswith("wake-up")):
        wakers[waiter].append(waker)
    blocked = {line.split()[1] for line in dumped if line.endswith(" blocked")}
    wrong = [(case, waiter, waker, wakers[waiter]) for case, waiter, waker in said
             if wakers[waiter] != ([] if waker == "-" else [waker]) or waiter not in blocked]
    assert not wrong and len(said) > 15, wrong
    assert_no_waiters(bench)


def check_ready(bench):
    """The same of waits for whichever of several descriptors becomes ready."""
    check_several(bench, "ready")


def check_remapped(bench):
    """At one address one after another: each mutex has one number in both processes, its file's."""
    *files, address, punched = bench.run("remapped").splitlines()
    parent, child = sorted(bench.traces(), key=lambda t: t.header["pid"])
    blocks = [r for r in child.records("block") if r["operation"] == "mutex"]
    numbers = [vtr.shared_object(*map(int, line.split()), offset=4096) for line in files]
    assert [r["object"] for r in blocks[:3]] == numbers, (blocks, numbers)
    assert len(blocks) == 4 and blocks[3]["object"] >> 63, blocks
    turns = [r for log in parent.logs[1:] for r in log.records if r["kind"] == "block"]
    behind = vtr.shared_object(*map(int, files[1].split()), offset=8192)
    assert [r["object"] for r in turns] == [int(address), numbers[0], int(address), numbers[1], behind,
                                            int(punched)], turns
    for block in blocks + turns:
        release_within(parent, block, operation="mutex")


def first_tick(log):
    return next(r["ticks"] for r in log.records if r["kind"] == "thread")


check_standard = check_primitives


def check_same(bench):
    """With and without the runtime, the rewritten program says what the bare one says."""
    bare, = [name for name in bench.programs if name.endswith("_bare")]
    name = bare[:-len("_bare")]
    wanted = bench.run(bare, preload=False).splitlines()
    assert len(wanted) > 20
    for preload in (False, True):
        said = bench.run(name, preload=preload).splitlines()
        wrong = [pair for pair in zip(wanted, said) if pair[0] != pair[1]]
        assert not wrong and len(said) == len(wanted), wrong[:5]
    assert_no_waiters(bench)


check_points = check_same


def check_tables(bench):
    bench.run("tables")
    assert bench.trace().header["hook_tables"] == 2


def assert_no_waiters(bench):
    words = struct.unpack("<1025I", (bench.directory / "waiters.shm").read_bytes())
    # between the counters and that of waits for sets lie the marks of what is in a set
    assert not any(words[:512]) and words[1024] == 0, "a waiter stayed counted"


def check_answers(bench):
    bench.run("answers", preload=False)
    assert not bench.paths()
    bench.run("answers")
    trace = bench.trace()
    assert len(trace.records("function")) == 300000 and trace.header["lost_records"] == 0
    timed_out = {r["operation"] for r in trace.records("block") if r["ending"] == 1}
    assert timed_out == {"mutex", "rwlock_write", "semaphore", "cond"}, timed_out
    assert_no_waiters(bench)


def check_cancelled(bench):
    bench.run("cancelled", preload=False)
    bench.run("cancelled")
    trace = bench.trace()
    blocks = collections.Counter(r["operation"] for r in trace.records("block"))
    assert blocks == {"cond": 1, "semaphore": 1, "join": 1}, blocks
    assert all(r["ending"] == 1 for r in trace.records("block"))
    assert count_by_probe(trace.records()) == {1: 1, 7: 200000}
    assert_no_waiters(bench)


def check_signals(bench):
    made, handled = map(int, bench.run("signals").split())
    trace = bench.trace()
    assert handled > 1000, handled
    counts = count_by_probe(trace.records())
    assert counts[1] + counts[2] + len(trace.records("task")) + trace.header["lost_records"] == \
        made + 2 * handled, (counts, made, handled, trace.header["lost_records"])
    assert trace.header["lost_records"] < 500, trace.header  # at most where chunks change
    # a handler's records may stand before the record that they interrupted
    (log,) = trace.logs
    assert_nested(sorted(functions(log.records), key=lambda r: r["ticks"] + r["duration"]))


def check_jumps(bench, program="jumps"):
    """What a longjmp leaves is recorded as ended by it, and marked."""
    # Who dives makes 101 deep calls; of probes' calls 64 are watched, and it is one.
    deep = 101 if has_sites(bench.programs[program]) else 63
    n = 5000
    bench.run(program, n)
    trace = bench.trace()
    log, *beside = trace.logs
    left = count_by_probe([r for r in functions(log.records) if r["how"] == 1])
    returned = count_by_probe([r for r in functions(log.records) if r["how"] == 0])
    assert left == {2: n + 2, 3: n + 2, 5: deep, 6: 1, 8: 1, 13: n}, left
    assert returned == {1: 3, 2: n + 1, 3: 2 * n + 2 + 1 + 1, 4: n + 2 + 1, 7: 1, 8: 1, 12: n, 14: 1}, returned
    for other in beside:
        assert sorted((r["probe"], r["how"]) for r in functions(other.records)) == \
            [(3, 0), (9, 0), (10, 1), (11, 0), (11, 1)], functions(other.records)
    assert trace.header["lost_records"] == 0 and len(beside) == 2
    calls = functions(log.records)
    replies = sorted(r["ticks"] for r in calls if r["probe"] == 4)
    for r in calls:
        if r["how"] == 1 and r["probe"] in (2, 3):
            end = r["ticks"] + r["duration"]
            reply = replies[bisect.bisect_left(replies, r["ticks"])]
            assert r["ticks"] < end <= reply, "it ends with the jump, before what comes next"


def check_after_jumps(bench):
    """A jump that left a call makes no later call of its thread dearer, but for the next few."""
    cases = [line.split() for line in bench.run("after_jumps").splitlines()]
    assert [name for name, _, _ in cases] == ["before", "known", "unknown", "handler", "signal-stack", "context", "often"]
    assert {way for _, way, _ in cases} <= {"cheap", "-"}, cases
    trace = bench.trace()
    calls = trace.logs[0].records
    by_how = [count_by_probe([r for r in functions(calls) if r["how"] == how]) for how in (0, 1)]
    assert by_how == [{1: 1, 2: 7 * 200 + 5 + 1000}, {3: 5 + 1000}], by_how
    assert trace.header["lost_records"] == 0
    told = {"before", "known", "handler", "context", "often"}  # how far the jump went: what is gone is so at once
    assert max(int(depth) for name, _, depth in cases if name in told) <= 1, cases


def check_short(bench):
    for _ in range(20):
        bench.run("calls", 100)
    traces = bench.traces()
    assert len(traces) == 20
    for trace in traces:
        assert count_by_probe(trace.records())[1] == 108 and trace.header["end"] == "exited"


def check_inert(bench):
    bench.run("attached", "no", VPROF_TRACE_DIR="")
    environment = bench.environment()
    del environment["VPROF_TRACE_DIR"]
    subprocess.run([bench.programs["attached"], "no"], env=environment, check=True)
    assert not list(bench.directory.iterdir())
    bench.run("attached", "yes")
    assert len(bench.paths()) == 1


def check_no_notes(bench):
    bench.run("sh", "-c", "ls / > /dev/null; (sleep 0) & wait; exec true")
    assert not list(bench.directory.iterdir()), list(bench.directory.iterdir())


def check_unwritable(bench):
    (bench.directory / "file").touch()
    for bad in ("/nonexistent/x", "/proc", str(bench.directory / "file"), "x" * 5000):
        bench.run("attached", "no", trace_dir=bad)


def check_throws(bench):
    bench.run("throws")
    (worker,) = [log for log in bench.trace().logs if functions(log.records)]
    assert count_by_probe(worker.records) == {1: 5, 2: 1, 3: 1}
    assert_nested(worker.records)


def check_cap(bench):
    bench.run("calls", 200000, VPROF_TRACE_CAP_BYTES="200000")
    (path,) = bench.paths()
    trace = bench.trace()
    assert path.stat().st_size <= 200000
    assert len(trace.records()) + trace.header["lost_records"] == 200000 + 30
    assert 5000 < len(trace.records()) < 12500


def check_ahead(bench):
    """Blocks beyond the file's end are an eighth of it at the most, and none of what it may not have."""
    slack = 16384  # for the file system's own
    bench.run("calls", 1000000)
    (path,) = bench.paths()
    size = path.stat().st_size
    assert size >= 16 * 1000000 and path.stat().st_blocks * 512 <= size * 9 // 8 + slack, path.stat()
    assert len(bench.trace().records()) == 1000000 + 30
    path.unlink()
    bench.run("calls", 1000000, VPROF_TRACE_CAP_BYTES=str(4 << 20))
    (path,) = bench.paths()
    assert path.stat().st_blocks * 512 <= (4 << 20) + slack, path.stat()


def check_windows(bench):
    """A chunk takes 256 KiB in the first threads, as many as take a sixteenth of the cap by that: here 2. Then 64."""
    bench.run("workers", 40000, VPROF_TRACE_CAP_BYTES=str(8 << 20))
    trace = bench.trace()
    largest = {log.thread: max(len(records) for _, records in log.chunks) for log in trace.logs}
    large, small = ((size - 64) // 16 for size in (256 << 10, 64 << 10))
    main = largest.pop(1)
    assert main < 100 and trace.header["lost_records"] == 0
    assert sorted(largest) == [2, 3, 4, 5] and large - 4 < largest.pop(2) <= large, largest
    assert all(small - 4 < most <= small for most in largest.values()), largest
    assert sum(count_by_probe(log.records).get(1, 0) for log in trace.logs) == 4 * 40000


NEWEST = {"VPROF_TRACE_KEEP": "newest", "VPROF_TRACE_CAP_BYTES": str(4 << 20)}


def check_newest(bench):
    """The newest records stay; the older ones are counted, and their room is taken by others."""
    bench.run("calls", 2000000, **NEWEST)
    (path,) = bench.paths()
    trace, header = bench.trace(), bench.trace().header
    assert path.stat().st_blocks * 512 <= (4 << 20) + 65536 and path.stat().st_size < 6 << 20
    assert header["lost_records"] == 0 and header["overwritten_records"] > 1500000
    assert len(trace.records()) + header["overwritten_records"] == 2000000 + 30
    (log,) = trace.logs
    kept = sorted(sequence for sequence, _ in log.chunks)
    assert kept == list(range(kept[0], kept[-1] + 1)) and kept[0] > 0
    ends = [r["ticks"] + r.get("duration", 0) for r in log.records]
    assert ends[0] > header["overwritten_ticks"] - header["clock_base"] - 10**9
    assert max(ends[:100]) >= header["overwritten_ticks"] - header["clock_base"]


def check_newest_threads(bench):
    """Threads that have ended give their room to others."""
    n = 3000
    bench.run("short_threads", n, **NEWEST)
    trace, header = bench.trace(), bench.trace().header
    assert header["threads"] == n + 1 > len(trace.logs) and header["lost_records"] == 0
    first = trace.logs[0].records
    others = sum(len(log.records) for log in trace.logs[1:])
    total = len(first) + others + header["overwritten_records"]
    callers = trace.records("callers")  # and in each chunk that is gone, some
    assert 0 <= total - 5 * n - len(callers) < n // 20, (total, len(callers))
    assert trace.logs[-1].thread == n + 1


def check_file_limit(bench):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
    bench.run("calls", 50000, preexec_fn=limit)
    trace = bench.trace()
    assert len(trace.records()) + trace.header["lost_records"] == 50000 + 30
    assert trace.header["lost_records"] > 0


def mounted(directory, size, filesystem):
    """A file system of that size: tmpfs, or ext4 in a file."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", directory]
    if filesystem == "ext4":
        image = directory.with_suffix(".ext4")
        if left_out.lacks("mkfs.ext4", "a full disk", "e2fsprogs"):
            return False
        subprocess.run(["truncate", "-s", size, image], check=True)
        subprocess.run(["mkfs.ext4", "-q", image], check=True)
        command = ["mount", "-o", "loop", image, directory]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


@contextlib.contextmanager
def small_disk(directory, size, filesystem="tmpfs"):
    directory.mkdir()
    if os.geteuid() != 0 or not mounted(directory, size, filesystem):
        left_out.skip("a full disk", how="as root, where file systems can be mounted")
    try:
        yield
    finally:
        subprocess.run(["umount", directory], check=True)


def check_full_disk(bench):
    bench.directory = bench.directory / "disk"
    with small_disk(bench.directory, "300k"):
        bench.run("calls", 200000)
        trace = bench.trace()
        assert len(trace.records()) + trace.header["lost_records"] == 200000 + 30
        assert len(trace.records()) > 5000 and trace.header["lost_records"] > 0
    for size in ("4k", "8k", "12k"):  # no room for the header, a chunk, the maps
        with contextlib.suppress(FileExistsError), small_disk(bench.directory / size, size):
            bench.run("calls", 1000, trace_dir=bench.directory / size)


def check_closes(bench):
    own = bench.directory / "own"
    bench.run("closes", own)
    assert own.read_bytes() == b"mine"
    trace = bench.trace()
    kept = len(trace.records("function"))
    assert kept + trace.header["lost_records"] == 100000
    assert kept > 40000, kept


def check_closed_outputs(bench):
    """A program that has no output prints all the same: not into the trace, however few descriptors there may be."""
    def close(which, most):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        for fd in which:
            os.close(fd)

    for which in (1,), (0, 1), (0, 1, 2), (2,):
        for most in 10, 40, 100, 1024:
            bench.run("calls", 100, preexec_fn=lambda: close(which, most))
            assert count_by_probe(bench.trace().records())[1] == 108, (which, most)
            for path in bench.paths():
                path.unlink()


def check_shared(bench):
    """As large as the memory into which the runtime read the maps, it gets the place where that was."""
    for size in (4096, 65536):
        check_shared_mutex(bench, int(bench.run("shared", size), 16))
        for path in bench.paths():
            path.unlink()


def check_shared_mutex(bench, mutex):
    parent, child = sorted(bench.traces(), key=lambda t: t.header["pid"])
    (block,) = child.records("block")
    (release,) = [r for r in parent.records("release") if r["site"] == 4]
    assert block["object"] == release["object"] and block["site"] == 2
    assert block["ticks"] <= release["ticks"] <= block["end"]
    for trace in (parent, child):
        place, flags, offset, device, inode, *_ = next(
            fields for fields in map(str.split, trace.maps[-1].splitlines())
            if int(fields[0].split("-")[0], 16) <= mutex < int(fields[0].split("-")[1], 16))
        major, minor = (int(n, 16) for n in device.split(":"))
        at = mutex - int(place.split("-")[0], 16) + int(offset, 16)
        assert flags == "rw-s", trace.maps[-1]
        assert vtr.shared_object(major, minor, int(inode), at) == block["object"]
    assert_no_waiters(bench)


def check_user_locks(bench):
    held, flag = (int(word, 16) for word in bench.run("user_locks").split())
    trace = bench.trace()
    blocks = {r["object"]: r for r in trace.records("block")}
    assert blocks[held]["operation"] == "user" and blocks[held]["site"] == 1
    assert blocks[flag]["operation"] == "spin" and len(blocks) == 2
    release_within(trace, blocks[held], site=4, operation="user")
    release_within(trace, blocks[flag], operation="spin")
    assert_no_waiters(bench)


def check_loads(bench):
    bench.run("loads", bench.programs["module.so"])
    traces = bench.traces()
    assert [count_by_probe(t.records()) for t in traces] == [{1: 1}, {1: 1}]
    assert all("module.so" in t.maps[-1] for t in traces)


def check_loads_at_once(bench):
    bench.run("loads_at_once", bench.programs["module.so"])
    assert count_by_probe(bench.trace().records()) == {1: 1, 2: 1}
    assert bench.trace().header["hook_tables"] == 2


def check_loads_at_a_time(bench):
    """None of the calls is missing, whoever scans for whose module."""
    module = bench.programs["module.so"]
    with tempfile.TemporaryDirectory() as folder:
        for i in range(200):
            shutil.copy(module, f"{folder}/{'ab'[i % 2]}{i // 2}.so")
        bench.run("loads_at_once", module, folder)
    assert count_by_probe(bench.trace().records()) == {1: 201, 2: 201}
    assert bench.trace().header["hook_tables"] == 202


def check_execs(bench):
    bench.run("execs")
    first, second = sorted(bench.traces(), key=lambda t: t.header["start_ns"])
    assert first.header["pid"] == second.header["pid"] and first.header["end"] == "running"
    assert [t.records("task")[0]["task"] for t in (first, second)] == [1, 2]
    assert len({p.name for p in bench.paths()}) == 2


def check_static(bench):
    bench.run("calls_static", 1000, preload=False)
    trace = bench.trace()
    assert count_by_probe(trace.records())[1] == 1008 and trace.header["hook_tables"] == 1


def check_tsan(bench):
    """A program that was built for ThreadSanitizer, which wants a fixed memory layout, and has memory for what is mapped."""
    Switches(bench).set(1)  # whose code is mapped
    bench.run("setarch", "-R", bench.programs["calls_tsan"], 1000)
    trace = bench.trace()
    assert count_by_probe(trace.records())[1] == 1008 and trace.header["lost_records"] == 0


def check_both(bench):
    """The runtime is linked in and preloaded: one of them records."""
    bench.run("calls_linked", 1000)
    assert count_by_probe(bench.trace().records())[1] == 1008


def check_switched(bench):
    """Probes are switched from outside while the program runs, through the file of switches."""
    switches, goes_on = bench.directory / "control.shm", bench.directory / "goes-on"
    page = b"vprofct\n" + struct.pack("<II", 1, 4096)
    switches.write_bytes(page.ljust(4096, b"\0") + bytes(4096))
    goes_on.touch()

    def switch(probe, on):
        with open(switches, "r+b") as file:
            file.seek(4096 + probe)
            file.write(bytes([on]))

    def recorded():
        return count_by_probe([r for t in bench.traces() for r in t.records()])[7]

    def settle():
        """The count that it has come to; a call that was on its way may still be added."""
        before = recorded()
        time.sleep(0.3)
        return before if recorded() == before else settle()

    program = subprocess.Popen([bench.programs["switched"], str(goes_on)], text=True,
                               env=bench.environment(), stdout=subprocess.PIPE)
    try:
        wait_until(lambda: bench.paths())
        time.sleep(0.2)
        assert recorded() == 0, "off from the start"
        switch(7, 1)
        wait_until(lambda: recorded() > 100)
        switch(7, 0)
        off = settle()
        switch(7, 1)
        wait_until(lambda: recorded() > off)
    finally:
        goes_on.unlink()
        calls = int(program.communicate(timeout=60)[0])
    counts = count_by_probe(bench.trace().records())
    assert set(counts) == {7} and off < counts[7] < calls, (counts, off, calls)


def records_calls(bench):
    """One that is read while its process makes it may not be whole yet."""
    try:
        return any(count_by_probe(trace.records()) for trace in bench.traces())
    except vtr.Damaged:
        return False


def check_planted(bench):
    """A file that others may have made or may write to is not mapped: who shortens it would end the program."""
    goes_on = bench.directory / "goes-on"

    def survives(name, plant, **environment):
        """Whether the file was used, which shows when it gets shorter."""
        for old in [*bench.paths(), bench.directory / "control.shm", bench.directory / "waiters.shm"]:
            old.unlink(missing_ok=True)
        path = bench.directory / name
        path.write_bytes((b"vprofct\n" + struct.pack("<II", 1, 4096)).ljust(4096, b"\0") + b"\1" * 4096 * 16)
        plant(path)
        goes_on.touch()
        program = subprocess.Popen([bench.programs["switched"], str(goes_on)], text=True,
                                   env=bench.environment(**environment), stdout=subprocess.PIPE)
        wait_until(lambda: records_calls(bench))
        maps = pathlib.Path(f"/proc/{program.pid}/maps").read_text()
        if path.is_file():
            os.truncate(path, 0)
        time.sleep(0.1)
        goes_on.unlink()
        program.communicate(timeout=60)
        assert program.returncode == 0 or f"/{name}" in maps, (name, program.returncode)
        return f"/{name}" not in maps

    def of_another(path):
        os.chown(path, 65534, 65534)

    def a_pipe(path):
        path.unlink()
        os.mkfifo(path)

    plants = [lambda path: path.chmod(0o666), lambda path: path.chmod(0o620), a_pipe,
              lambda path: os.link(path, bench.directory / f"second-{path.name}")]
    if os.geteuid() == 0:
        plants.append(of_another)
    for name in "control.shm", "waiters.shm":
        for plant in plants:
            assert survives(name, plant), (name, plant)
        assert not survives(name, lambda path: path.chmod(0o600)), name
    assert not survives("control.shm", lambda path: path.chmod(0o666), VPROF_TRACE_SHARE="1")
    for path in [*bench.paths(), bench.directory / "waiters.shm"]:
        assert path.stat().st_mode & 0o077 == 0o044 & ~umask_now(), path
    if os.geteuid() != 0:
        left_out.skip("files of another user", how="as root")


def umask_now():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def check_switches_made(bench):
    """Where no file of switches is, one is made with all on, and processes share it."""
    bench.run("calls", 100)
    text = (bench.directory / "control.shm").read_bytes()
    assert text[:16] == b"vprofct\n" + struct.pack("<II", 1, 4096) and text[4096:] == b"\1" * 4096
    (bench.directory / "control.shm").write_bytes(b"something else".ljust(8192))
    bench.run("calls", 100)
    assert [count_by_probe(t.records())[1] for t in bench.traces()] == [108, 108], "all on, privately"


def check_switches_grow(bench):
    """What a file says stays; what it lacks is on, as far as the program may write."""
    path = bench.directory / "control.shm"
    head = b"vprofct\n" + struct.pack("<II", 1, 4096).ljust(4096 - 8, b"\0")
    path.write_bytes(head + b"\1\0\0")
    bench.run("calls", 100)
    assert path.read_bytes() == head + b"\1\0\0".ljust(4096, b"\1")
    assert 1 not in count_by_probe(bench.trace().records())
    path.unlink()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    bench.run("calls", 100, preexec_fn=limit)


def check_damage(bench):
    """The reader of these tests refuses what is not whole, with the offset."""
    bench.run("calls", 1000)
    (path,) = bench.paths()
    good = path.read_bytes()
    for at, what in ((0, b"X"), (8, b"\2"), (4096, b"X")):
        path.write_bytes(good[:at] + what + good[at + len(what):])
        try:
            vtr.read(path)
            assert False, f"damage at byte {at} went unnoticed"
        except vtr.Damaged as e:
            assert str(e).startswith(f"byte {at}:")


# ---- programs whose probes are sites

PER_TURN = {1: 1, 2: 4, 3: 4, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1}  # probes of sites.c


class Switches:
    """The file of switches, as `iterate --live` writes it."""

    def __init__(self, bench):
        self.path, self.generation = bench.directory / "control.shm", 0
        page = b"vprofct\n" + struct.pack("<II", 1, 4096)
        self.path.write_bytes(page.ljust(4096, b"\0") + b"\1" + bytes(4095))
        self.set(0)

    def set(self, on):
        self.generation += 1
        with open(self.path, "r+b") as file:
            file.seek(4097)
            file.write(bytes([on]) * 4095)
            file.flush()
            file.seek(16)
            file.write(struct.pack("<I", self.generation))

    def rest(self, resting):
        with open(self.path, "r+b") as file:
            file.seek(20)
            file.write(struct.pack("<I", resting))


def check_resting(bench):
    """No round is on: neither marks nor waits nor releases have a record, and no waiter stays counted."""
    switches = Switches(bench)
    switches.rest(1)
    bench.run("user_locks")
    bench.run("waits")
    assert not [r for t in bench.traces() for r in t.records() if not of_thread(r)]
    assert_no_waiters(bench)
    for path in bench.paths():
        path.unlink()
    switches.rest(0)
    check_user_locks(bench)


def check_sites_resting(bench):
    """Between two rounds marks stop and go on."""
    for name, switches in each_sites(bench):
        switches.rest(1)
        traces = run_sites(bench, name, lambda: time.sleep(0.01))[2]
        assert not [r for t in traces for r in t.records("mark")]
        turns, _, traces = run_sites(bench, name, by_turns(switches.rest, 0.005))
        marks = sum(len(t.records("mark")) for t in traces)
        assert 0 < marks < 2 * turns, (name, marks, turns)
        switches.rest(0)


OPEN_TO_CHANGE = 257, 2, os.O_ACCMODE | os.O_CREAT, os.O_RDWR  # openat of what exists: /proc/self/mem
WRITABLE_CODE = 10, 2, 6, 6  # mprotect to PROT_WRITE | PROT_EXEC
SHARED_CODE = 9, 3, 0xffffffff, 2  # mmap of a file, MAP_PRIVATE: code.c tries so whether it can be


def refuse(*calls):
    """In this process and what it becomes, the system calls (number, argument, mask, value) fail, by seccomp."""
    LOAD, EQUAL, AND, RETURN, ALLOW, REFUSE = 0x20, 0x15, 0x54, 6, 0x7fff0000, 0x5000d
    steps = []
    for number, argument, mask, value in calls:
        steps += [(LOAD, 0, 0, 0), (EQUAL, 0, 4, number), (LOAD, 0, 0, 16 + 8 * argument), (AND, 0, 0, mask),
                  (EQUAL, 0, 1, value), (RETURN, 0, 0, REFUSE)]
    code = b"".join(struct.pack("<HBBI", *step) for step in steps + [(RETURN, 0, 0, ALLOW)])
    libc, text = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(text)))
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program) != 0:
        raise OSError(ctypes.get_errno(), "no seccomp filter")


def run_sites(bench, name, change, refused=()):
    """What the processes counted, and what they recorded, while change() was called again and again."""
    try:
        program = subprocess.Popen([bench.programs[name], "60"], text=True, env=bench.environment(),
                                   stdout=subprocess.PIPE, preexec_fn=lambda: refuse(*refused) if refused else None)
    except subprocess.SubprocessError:
        left_out.skip("a process that is refused system calls", how="on a kernel with seccomp filters")
    while program.poll() is None:
        change()
    turns = int(program.communicate()[0])
    assert program.returncode == 0, program.returncode
    traces = bench.traces()
    lost = [t.header["lost_records"] for t in traces]
    assert lost == [0, 0, 0], (name, lost)
    records = [r for t in traces for log in t.logs for r in log.records]
    for path in bench.paths():
        path.unlink()
    for trace in traces:
        for log in trace.logs:
            assert_nested(log.records)
    return turns, count_by_probe(records), traces


def by_turns(switch, seconds):
    """Switches to 1, to 0, and so on, each time that it is called."""
    states = itertools.cycle((1, 0))

    def change():
        switch(next(states))
        time.sleep(seconds)

    return change


def each_sites(bench):
    for name in "sites", "sites_O0":
        yield name, Switches(bench)


def check_sites_on(bench):
    for name, switches in each_sites(bench):
        switches.set(1)
        turns, counts, traces = run_sites(bench, name, lambda: time.sleep(0.01))
        assert counts == {probe: n * turns for probe, n in PER_TURN.items()}, (name, turns, counts)
        calls = [r for t in traces for log in t.logs for r in functions(log.records) if r["probe"] == 5]
        assert all(r["target"] for r in calls)
        assert all(t.header["switched_generation"] == 2 for t in traces)


def check_sites_without_mem(bench):
    """Without a copy to share, each process writes to its own code, by /proc/self/mem; where that can't be, the code
    is made writable; where it can't be, the trace says so."""
    for name, switches in each_sites(bench):
        switches.set(1)
        for refused in [SHARED_CODE], [SHARED_CODE, OPEN_TO_CHANGE]:
            turns, counts, _ = run_sites(bench, name, lambda: time.sleep(0.01), refused)
            assert counts == {probe: n * turns for probe, n in PER_TURN.items()}, (name, turns, counts)
    name, switches = next(each_sites(bench))
    switches.set(1)
    refused = [SHARED_CODE, OPEN_TO_CHANGE, WRITABLE_CODE]
    _, counts, traces = run_sites(bench, name, lambda: time.sleep(0.01), refused)
    assert not counts and all(t.header["switched_generation"] == NOT_SWITCHED for t in traces), counts


def check_sites_off(bench):
    for name, _ in each_sites(bench):
        assert not run_sites(bench, name, lambda: time.sleep(0.01))[1]


def check_sites_switched(bench):
    """Whatever is switched when: no call is recorded that was not made, and none with another's time."""
    for name, switches in each_sites(bench):
        turns, counts, traces = run_sites(bench, name, by_turns(switches.set, 0.001))
        assert switches.generation > 4 and set(counts) == set(PER_TURN), (name, counts)
        assert all(0 < counts[probe] < n * turns for probe, n in PER_TURN.items()), (turns, counts)
        for trace in traces:
            since = trace.header["switched_ns"]
            assert trace.header["switched_generation"] and since >= trace.header["start_ns"]


class Sharer:
    """sites.c's processes, while they run: two children, which turn, and their parent, which waits for them."""

    def __init__(self, bench):
        self.path = bench.programs["sites"]
        self.program = subprocess.Popen([self.path, "60000"], env=bench.environment(VPROF_TRACE_CAP_BYTES="1000000"),
                                        stdout=subprocess.DEVNULL, start_new_session=True)
        children = pathlib.Path(f"/proc/{self.program.pid}/task/{self.program.pid}/children")
        wait_until(lambda: len(children.read_text().split()) == 2)
        self.children = [int(pid) for pid in children.read_text().split()]
        self.pids = [self.program.pid, *self.children]
        self.traces = [bench.directory / f"{pid}.vtr" for pid in self.children]

        wait_until(lambda: all(path.exists() and path.read_bytes()[:7] == b"vproftr" for path in self.traces))

    def generations(self):
        return {vtr.read_header(path)["switched_generation"] for path in self.traces}

    def follow(self, switches, on):
        switches.set(on)
        wait_until(lambda: self.generations() == {switches.generation})

    def code(self, pid):
        """Where its code lies, in which file."""
        for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, permissions, _, _, inode, *path = line.split(maxsplit=5)
            if permissions == "r-xp" and path and (path[0] == self.path or "/code-sites-" in path[0]):
                return [int(end, 16) for end in span.split("-")], int(inode), path[0]

    def memory(self, pid):
        (start, end), *_ = self.code(pid)
        with open(f"/proc/{pid}/mem", "rb") as memory:
            memory.seek(start)
            return memory.read(end - start)

    def poke(self, pid, byte):
        """As a debugger does; what stands first in the code, .init, has been."""
        with open(f"/proc/{pid}/mem", "r+b") as memory:
            memory.seek(self.code(pid)[0][0])
            memory.write(byte)

    def kill(self):
        os.killpg(self.program.pid, signal.SIGKILL)
        self.program.wait()


def own_pages(pid, start):
    """The process's own bytes of a mapping, not a file's."""
    text = pathlib.Path(f"/proc/{pid}/smaps").read_text()
    _, _, tail = text.partition(f"\n{start:x}-")
    return next(int(line.split()[1]) for line in tail.splitlines() if line.startswith("Anonymous:"))


def shared_files(bench):
    return list(bench.directory.glob("code-*"))


@contextlib.contextmanager
def sharers(bench, count):
    started = []
    try:
        for _ in range(count):
            started.append(Sharer(bench))
        yield started
    finally:
        for sharer in started:
            sharer.kill()


def check_sites_shared(bench):
    """Processes of a program have one copy of the code that is on; with all off again they have the program's file."""
    switches = Switches(bench)
    switches.set(1)
    with sharers(bench, 2) as programs:
        pids = [(program, pid) for program in programs for pid in program.pids]
        for on in 1, 0, 1, 0:
            for program in programs:
                program.follow(switches, on)
            codes = [program.code(pid) for program in programs for pid in program.children]
            assert len({inode for _, inode, _ in codes}) == 1 and ("/code-" in codes[0][2]) == bool(on), codes
            assert not any(own_pages(pid, program.code(pid)[0][0]) for program, pid in pids)
            assert len(shared_files(bench)) == on
    recorded = [line for trace in bench.traces() for line in trace.maps[-1].splitlines() if " r-xp " in line]
    assert len([line for line in recorded if line.endswith(programs[0].path)]) == 6, recorded
    assert not [line for line in recorded if "/code-" in line], recorded


def check_sites_poked(bench):
    """Where another tool has changed a process's code it keeps that, and the process changes its own code, for good."""
    for poked_while in 0, 1:
        switches = Switches(bench)
        switches.set(poked_while)
        with sharers(bench, 1) as (program,):
            program.follow(switches, poked_while)
            one, other = program.children
            program.poke(one, b"\xcc")
            own = program.code(one)[:2]
            for on in 1 - poked_while, poked_while, 1 - poked_while:
                program.follow(switches, on)
                assert program.code(one)[:2] == own and ("/code-" in program.code(other)[2]) == bool(on)
                assert program.memory(one) == b"\xcc" + program.memory(other)[1:]


def check_sites_unfinished(bench):
    """What a killed process left is made again; what another one is making is waited for, but not for ever; what others
    may have written is not run."""
    switches = Switches(bench)
    switches.set(1)

    def run_exactly():
        turns, counts, _ = run_sites(bench, "sites", lambda: time.sleep(0.01))
        assert counts == {probe: n * turns for probe, n in PER_TURN.items()}, (turns, counts)

    run_exactly()
    (path,) = shared_files(bench)
    code = path.read_bytes()
    assert path.stat().st_mode & 0o7777 == 0o500
    spoil(path, 0o600)
    run_exactly()
    assert path.read_bytes() == code and path.stat().st_mode & 0o7777 == 0o500
    spoil(path, 0o600)
    with open(path, "r+b") as made:
        fcntl.lockf(made, fcntl.LOCK_EX)
        with sharers(bench, 1) as (program,):
            assert program.generations() == {0}
            wait_until(lambda: program.generations() == {switches.generation})
            assert all(program.code(pid)[2] == program.path and program.memory(pid) == code for pid in program.children)
    for trace in bench.paths():
        trace.unlink()
    spoil(path, 0o777)
    run_exactly()
    assert path.read_bytes() != code
    if os.geteuid() == 0:
        spoil(path, 0o500)
        os.chown(path, 65534, 65534)
        run_exactly()
        assert path.read_bytes() != code


def spoil(path, mode):
    path.chmod(0o600)
    path.write_bytes(b"\xcc" * path.stat().st_size)
    path.chmod(mode)


def check_unloads(bench):
    """Objects come and go while their sites are switched: what is gone is forgotten, what comes is switched."""
    switches = Switches(bench)
    switches.set(1)
    program = subprocess.Popen([bench.programs["unloads"], bench.programs["module.so"]], text=True,
                               env=bench.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    path = bench.directory / f"{program.pid}.vtr"

    def followed():
        return path.exists() and vtr.read(path).header["switched_generation"] == switches.generation

    def recorded():
        return len(functions(vtr.read(path).records()))

    try:
        for i in range(300):
            time.sleep(0.002)
            switches.set(i % 2)
        wait_until(followed)
        some = recorded() + 10  # of the load that is under way
        wait_until(lambda: recorded() > some)
    finally:
        loads = int(program.communicate("")[0] or 0)
    assert program.returncode == 0, program.returncode
    trace = vtr.read(path)
    counts = count_by_probe(trace.records())
    assert loads > 10 and set(counts) == {1} and 0 < counts[1] < 10 * loads, (loads, counts)
    assert trace.header["lost_records"] == 0 and not shared_files(bench)


def check_jumps_inlined(bench):
    """Where functions are inlined into one, a call may lie higher up the stack than the one that it is in."""
    check_jumps(bench, "jumps_inlined")


def check_sites_jumps(bench):
    """Where functions are inlined, the stack does not tell which of them a jump has left: not at once."""
    n = 5000
    bench.run("jumps_inlined", n)
    trace = bench.trace()
    calls = functions(trace.logs[0].records)
    by_how = [count_by_probe([r for r in calls if r["how"] == how]) for how in (0, 1)]
    assert by_how[0] == {1: 3, 2: n + 1, 3: 2 * n + 2 + 1 + 1, 4: n + 2 + 1, 7: 1, 8: 1, 12: n, 14: 1}, by_how
    assert all(by_how[1][left] > n - 5 for left in (2, 3, 13)) and trace.header["lost_records"] == 0, by_how


OUTER_MAX = 1 << 14  # calls that a thread keeps beside the innermost 64


def assert_taken_in_turns(calls):
    """Parts of calls on two stacks: never are calls of both open, once it is known that there are two, and the parts
    of a call make a whole of it."""
    calls = [{"began": r["ticks"], **r} for r in calls]
    known = min(r["ticks"] for r in calls if r["ticks"] != r["began"])
    ends = sorted((r["ticks"], r["ticks"] + r["duration"], r["probe"]) for r in calls if r["ticks"] >= known)
    for probe in {r["probe"] for r in calls}:
        other = [(start, end) for start, end, p in ends if p != probe]
        starts = [start for start, _ in other]
        latest = list(itertools.accumulate((end for _, end in other), max))
        for start, end, p in ends:
            before = bisect.bisect_left(starts, end) - 1
            assert p != probe or before < 0 or latest[before] <= start, (start, end, probe)
    for key, parts in itertools.groupby(sorted(calls, key=lambda r: (r["began"], r["probe"], r["ticks"])),
                                        lambda r: (r["began"], r["probe"])):
        parts = list(parts)
        assert parts[0]["ticks"] == key[0] and [r["how"] for r in parts] == [2] * (len(parts) - 1) + [0], parts


def check_deep(bench):
    """Calls nested as deep as programs go have their records, also where a jump, a handler or another stack is between."""
    def run(case, *numbers):
        for path in bench.paths():
            path.unlink()
        bench.run("deep", case, *numbers)
        trace = bench.trace()
        calls = [r for log in trace.logs for r in functions(log.records)]
        return trace, [r for r in calls if r["how"] == 0], [r for r in calls if r["how"] == 1], trace.header["lost_records"]

    for depth in 63, 64, 65, 96, 97, 1000, OUTER_MAX + 61:
        trace, returned, left, lost = run("down", depth)
        assert count_by_probe(returned) == {1: depth + 1, 2: 2 * (depth + 1), 3: 1}, (depth, count_by_probe(returned))
        assert not left and not lost
        assert_nested(returned)
        downs = sorted((r["ticks"], r["ticks"] + r["duration"]) for r in returned if r["probe"] == 1)
        assert all(a[0] < b[0] and b[1] < a[1] for a, b in itertools.pairwise(downs)), "each is in the one before"
        (through,) = [r for r in returned if r["probe"] == 3]
        assert through["target"] and through["ticks"] >= downs[0][1], "an argument's calls are not its"
    _, returned, left, lost = run("down", 20000)
    assert lost == OUTER_MAX and len(returned) + lost == 3 * 20001 + 1, (len(returned), lost)
    for depth, back in (300, 10), (300, 250), (100, 99), (2000, 0):
        _, returned, left, lost = run("jump", depth, back)
        assert count_by_probe(returned) == {4: back + 1, 2: back + 1} and not lost, (depth, back, returned)
        assert count_by_probe(left) == {4: depth - back}, (depth, back, count_by_probe(left))
    _, returned, left, lost = run("handler", 300)
    assert count_by_probe(returned) == {5: 301, 6: 3 * 151} and not left and not lost, count_by_probe(returned)
    assert_nested(sorted(returned, key=lambda r: r["ticks"] + r["duration"]))
    trace, returned, left, lost = run("stacks", 100)
    assert count_by_probe(returned) == {7: 101, 8: 101} and not left and not lost, (count_by_probe(returned), lost)
    assert_taken_in_turns(functions(trace.logs[0].records))
    _, returned, left, lost = run("given up", 3000)
    assert count_by_probe(returned) == {1: 4 * 3000, 2: 8 * 3000} and not left, (count_by_probe(returned), lost)
    _, returned, left, lost = run("elsewhere", 10)
    assert count_by_probe(returned) == {8: 11} and not left and not lost, (count_by_probe(returned), lost)
    assert all("began" in r for r in returned), "their last parts"


def check_fibers(bench):
    """What a call costs does not grow with the number of fibers on its thread: of processor time, and far from what a search
    among all their calls would take."""
    turns = 20000
    few, many = map(float, bench.run("fibers", turns).split())
    (log,) = bench.trace().logs
    calls = functions(log.records)
    assert count_by_probe([r for r in calls if r["how"] == 0]) == {1: 20 * turns, 2: 2 * turns, 3: 2 * turns, 4: 1010}
    assert count_by_probe([r for r in calls if r["how"] == 2]) == {2: 2 * turns, 3: 2 * turns, 4: 2 * turns}
    assert bench.trace().header["lost_records"] == 0
    assert many < 8 * few + 200, f"{few:.0f} ns a call with 10 fibers, {many:.0f} ns with 1000"


def through_hooks(check):
    def through(bench):
        os.environ["TEST_HOOKS"] = "1"
        check(bench)
    return through


check_calls_hooks = through_hooks(check_calls)
check_after_jumps_hooks = through_hooks(check_after_jumps)
check_jumps_hooks = through_hooks(check_jumps)
check_signals_hooks = through_hooks(check_signals)


PROBES = {"after_jumps", "calls", "cancelled", "execs", "forks", "forks_handled", "jumps", "killed", "loads", "shared", "short_threads", "signals",
          "static", "switched", "throws", "workers"}
globals().update({f"check_probes_{name}": globals()[f"check_{name}"] for name in PROBES})


def main():
    case, library, *programs = sys.argv[1:]
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    with tempfile.TemporaryDirectory(prefix="vprof-") as directory:
        globals()["check_" + case](Bench(library, programs, directory))


if __name__ == "__main__":
    main()
