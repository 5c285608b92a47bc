#!/usr/bin/env python3
"""nothing_lost.py LIBRARY PROGRAMS_DIR [--full] [--dump TOOL] [CASE...]

Written + lost = happened: programs count in shared memory what they record, and every one of these
records is read back or was counted as lost. One line for each case, with its figures. --full takes
the sizes of docs/measurements/losses.md; TOOL prints a folder's traces as vprofiler dump does.
"""
import argparse
import collections
import contextlib
import os
import pathlib
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time

import check
import vtr

SLOTS = 4096


class Happened(check.Bench):
    """A bench whose program counts what it records."""

    def __init__(self, options, directory):
        super().__init__(options.library, options.programs.iterdir(), directory)
        self.dump_tool, self.full = options.dump, options.full
        self.live_reader = options.programs / "read_live"
        self.counts = self.directory.parent / (self.directory.name + ".counts")
        self.counts.write_bytes(bytes(8 * SLOTS))

    def paths(self):
        """But for those of processes that were killed when they began."""
        return [p for p in super().paths() if p.stat().st_size > vtr.PAGE or any(p.read_bytes()[:8])]

    def made(self):
        return struct.unpack(f"<{SLOTS}Q", self.counts.read_bytes())

    def run_case(self, *args, expect=0, **more):
        self.run("happened", self.counts, *args, expect=expect, **more)

    def dump(self, directory=None):
        return subprocess.run([self.dump_tool, directory or self.directory], text=True, check=True,
                              stdout=subprocess.PIPE).stdout


def steps_of(log):
    """How many steps of happened.c the log holds, and its slot; they are all there, in order."""
    slot, n = None, 0
    for r in log.records:
        if r["kind"] == "thread" or r["kind"] == "release":
            continue
        if n % 3 == 0:
            assert r["kind"] == "task" and r["task"] == n and slot in (None, r["queue"]), (n, r)
            slot = r["queue"]
        elif n % 3 == 1:
            assert r["kind"] == "function" and r["probe"] == 1, (n, r)
        else:
            assert r["kind"] == "mark" and (r["id"], r["value"]) == (slot, n), (n, r)
        n += 1
    return slot, n


def steps_by_slot(traces):
    steps = collections.Counter()
    for trace in traces:
        for log in trace.logs:
            slot, n = steps_of(log)
            steps[slot] += n
    return steps


def written_and_lost(traces):
    return (sum(len(t.records()) for t in traces), sum(t.header["lost_records"] for t in traces))


def fresh(bench):
    for path in bench.directory.iterdir():
        path.unlink()
    bench.counts.write_bytes(bytes(8 * SLOTS))


def killed_once(bench, seconds):
    process = subprocess.Popen([bench.programs["happened"], bench.counts, "kill", "3", "3000"],
                               env=bench.environment())
    time.sleep(seconds)
    process.kill()
    process.wait()
    made, kept = bench.made(), steps_by_slot(bench.traces())
    for slot in range(3):  # the one that was written may not have been counted any more
        assert made[slot] <= kept[slot] <= made[slot] + 1, (seconds, slot, made[slot], kept[slot])
    assert all(t.header["lost_records"] == 0 for t in bench.traces())
    return sum(made[:3])


def case_killed(bench):
    kills, total, empty = 100 if bench.full else 12, 0, 0
    for _ in range(kills):
        fresh(bench)
        records = killed_once(bench, random.uniform(0, 0.1))
        total, empty = total + records, empty + (records == 0)
    assert empty < kills
    return f"{kills} kills, {total} records counted and read back, {empty} before the first"


def happened_of(traces):
    """What is in the files, was lost and was overwritten, but for what threads record of themselves."""
    headers = [t.header for t in traces]
    steps = sum(r["kind"] not in ("thread", "release") for t in traces for r in t.records())
    return steps, sum(h["lost_records"] for h in headers), sum(h["overwritten_records"] for h in headers)


def case_newest_killed(bench):
    """With either policy of a cap that is reached soon; each thread may have made one that it has not counted yet. No trace
    is damaged, for vtr.py refuses those."""
    kills, overwritten, over = 100 if bench.full else 16, 0, 0
    for i in range(kills):
        fresh(bench)
        keep = ("newest", "oldest")[i % 2]
        process = subprocess.Popen([bench.programs["happened"], bench.counts, "kill", "3", "0"],
                                   env=bench.environment(VPROF_TRACE_CAP_BYTES="3000000", VPROF_TRACE_KEEP=keep))
        time.sleep(random.uniform(0, 0.15))
        process.kill()
        process.wait()
        all_of, made = happened_of(bench.traces()), sum(bench.made()[:3])
        assert made <= sum(all_of) <= made + 3, (keep, made, all_of)
        overwritten, over = overwritten + all_of[2], over + (all_of[2] > 0)
    assert over > 0
    return f"{kills} kills, {over} of them with {overwritten} records overwritten"


def case_newest_limits(bench):
    """Files that may not be as long as the cap, and such that may: they end where they may, and keep what is newest."""
    n, cap, said = 400000, 3000000, []
    for limit in (8192, 20000, 65536, 100000, 300000, 700000, 1500000, 3000000, 5000000, 10000000):
        for keep in "newest", "oldest":
            fresh(bench)
            bench.run_case("threads", 2, n, VPROF_TRACE_CAP_BYTES=str(cap), VPROF_TRACE_KEEP=keep,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            written, lost, overwritten = happened_of(bench.traces())
            more = written + lost + overwritten - sum(bench.made())
            assert 0 <= more <= 2, (limit, keep, more)  # each thread's end, where it was lost
            files = [p.stat() for p in bench.directory.iterdir()]
            assert sum(s.st_blocks * 512 for s in files) < 1.1 * cap and max(s.st_size for s in files) < 2 * cap, files
            assert keep == "oldest" or limit < 300000 or not lost, (limit, keep, lost)
        said.append(f"{limit}: {lost}")
    return f"lost of {2 * n} where the oldest are kept, by the file's limit: " + ", ".join(said)


def case_read_live(bench):
    """By the reader of the analysis, in the middle of it, as `iterate --live` does."""
    said, rounds = [], 200 if bench.full else 30
    for case in (("kill", "3", "0"), ("kill", "3", "300"), ("kill", "3", "10000"), ("churn", "3", "9000")):
        fresh(bench)
        process = subprocess.Popen([bench.programs["happened"], bench.counts, *case],
                                   env=bench.environment(VPROF_TRACE_CAP_BYTES=str(1 << 26)))
        try:
            while min(bench.made()[:3]) < 8000:  # so many don't fit into a first window
                time.sleep(0.001)
            (path,) = bench.paths()
            read = subprocess.run([bench.live_reader, bench.counts, path, "3", str(rounds)], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        finally:
            process.kill()
            process.wait()
        assert read.returncode == 0, f"{' '.join(case)}: {read.stdout}"
        assert case[0] == "churn" or " 0 copies" not in read.stdout, read.stdout
        said.append(read.stdout.strip())
    return "; ".join(said)


def case_forks(bench):
    n = 1000 if bench.full else 100
    bench.run_case("forks", n)
    traces, made = bench.traces(), bench.made()
    steps = steps_by_slot(traces)
    assert all(steps[slot] == made[slot] for slot in range(n + 1)), "a process's records"
    assert all(trace.header["lost_records"] == 0 for trace in traces)
    return f"{n} forks, {len(traces)} files, {sum(made)} records"


def case_short_threads(bench):
    n = 20000 if bench.full else 2000
    bench.run("short_threads", n)
    trace = bench.trace()
    assert trace.header["threads"] == n + 1 == len(trace.logs), trace.header
    assert trace.header["lost_records"] == 0
    records = sum(len(log.records) for log in trace.logs[1:])
    assert records == 4 * n and len(check.functions(trace.records())) == n
    return f"{n} threads, {len(trace.records())} records, {trace.header['lost_records']} lost"


def case_short_life(bench):
    lives, total = 0, 0
    for end, status in (("exit", 0), ("_exit", 0), ("kill", -9)) * (7 if bench.full else 2):
        fresh(bench)
        bench.run_case("live", 5, end, expect=status)
        trace, made = bench.trace(), bench.made()
        assert (trace.header["end"] == "exited") == (end == "exit")
        steps = steps_by_slot([trace])
        assert (steps[0], steps[1]) == made[:2] and trace.header["lost_records"] == 0
        assert made[0] > 0
        lives, total = lives + 1, total + sum(made)
    return f"{lives} processes of 5 ms, {total} records"


def case_locks(bench):
    n, said = 1000000 if bench.full else 40000, []
    for threads in (1, 4):
        fresh(bench)
        bench.run_case("locks", threads, n)
        trace = bench.trace()
        counts = check.count_by_probe(trace.records())
        assert bench.made()[0] == n == counts[2] and trace.header["lost_records"] == 0, counts
        marks = collections.Counter(r["what"] for r in trace.records("mark"))
        assert marks == {"begin": 1, "enter": threads, "end": 1}, marks
        blocks = [r for r in trace.records("block") if r["operation"] == "mutex"]
        assert all(b["site"] == 3 and b["ticks"] <= b["end"] for b in blocks)
        assert threads > 1 or not blocks
        for log in trace.logs:
            check.assert_nested(log.records)
        said.append(f"{threads} threads: {counts[2]} pairs, {len(blocks)} blocked")
    return "; ".join(said)


def calls_by_interval(text):
    return collections.Counter(re.findall(r"^function \S+ (\S+) ", text, re.M))


def case_outside(bench):
    n, intervals, seen = 100000, 200, []
    for calls in (0, n):
        fresh(bench)
        bench.run_case("outside", calls, intervals)
        (path,) = bench.paths()
        seen.append((sum(log.record_bytes for log in vtr.read(path).logs), bench.dump()))
    grown = seen[1][0] - seen[0][0]
    assert grown == 16 * n, f"records grew by {grown} bytes"
    before, after = (calls_by_interval(text) for _, text in seen)
    assert after.pop("-") == n and before == after, "calls outside were given to intervals"
    assert set(after.values()) == {10} and len(after) == intervals
    return f"{n} calls outside: {grown} bytes of records, none in the {intervals} intervals"


@contextlib.contextmanager
def full_disk(bench, size, filesystem):
    """The traces go to a disk of that size."""
    outer = bench.directory
    bench.directory = outer / "disk"
    try:
        with check.small_disk(bench.directory, size, filesystem):
            yield
    finally:
        bench.directory = outer


def fill_disk(bench, case, size, filesystem, ended):
    bench.counts.write_bytes(bytes(8 * SLOTS))
    with full_disk(bench, size, filesystem):
        bench.run_case(*case)
        written, lost = written_and_lost(bench.traces())
        happened = sum(bench.made()) + ended  # threads record their end as well
        assert written > 0 and lost > 0 and written + lost == happened, (written, lost, happened)
        assert f"lost records {lost}\n" in bench.dump()
    return f"{case[0]}: {written} written + {lost} lost"


def case_full_disk(bench):
    """In memory, and on a disk, whose blocks a file system may promise before it has them."""
    said = []
    for case, size, filesystem, ended in ((("threads", 4, 5000), "300k", "tmpfs", 4),
                                          (("forks", 40), "200k", "tmpfs", 40 // 5),
                                          (("threads", 4, 100000), "3M", "ext4", 4)):
        try:
            said.append(f"{filesystem}, {fill_disk(bench, case, size, filesystem, ended)}")
        except SystemExit:
            said.append(f"{filesystem} can't be mounted here")
        bench.directory.joinpath("disk").rmdir()
    return "; ".join(said)


def case_unwritable(bench):
    not_a_folder = bench.directory / "file"
    not_a_folder.touch()
    wanted = None
    for folder in (bench.directory, "/nonexistent/x", "/proc", not_a_folder, "x" * 5000):
        bench.counts.write_bytes(bytes(8 * SLOTS))
        bench.run_case("threads", 2, 1000, trace_dir=folder)
        wanted = wanted or bench.made()
        assert bench.made() == wanted, "the program ran differently"
    return "4 folders that can't be written, the program ran as ever"


CASES = {name[5:]: function for name, function in list(globals().items())
         if name.startswith("case_")}


def passes(name, options):
    with tempfile.TemporaryDirectory(prefix="vprof-") as top:
        folder = pathlib.Path(top) / "traces"
        folder.mkdir()
        begin = time.monotonic()
        try:
            said, ok = CASES[name](Happened(options, folder)), True
        except AssertionError as e:
            said, ok = f"FAILED: {e}", False
    print(f"{name:14} {said} ({time.monotonic() - begin:.1f} s)", flush=True)
    return ok


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--dump", default=None)
    parser.add_argument("--seed", type=int, default=os.getpid())
    options = parser.parse_args()
    options.library = os.path.abspath(options.library)
    options.dump = options.dump or options.programs / "../trace/trace_dump_tool"
    random.seed(options.seed)
    print(f"seed {options.seed}")
    sys.exit(not all([passes(name, options) for name in options.cases or list(CASES)]))


if __name__ == "__main__":
    main()
