#!/usr/bin/env python3
"""The kernel's side of runs of memcached, redis and PostgreSQL, each in the setting of its check.py, against perf.

usage: kernel_check.py VPROFILER [WORK_FOLDER [SERVER...]]

One round of `iterate --kernel on` each, while `perf sched record` records the machine. Of the time in which intervals
were blocked, 98 % must have a waker or a device that is named (report.json). Of the intervals that lie within perf's
recording, the part in which their own thread was runnable and did not run must be that of `perf sched timehist`, within
3 points (the tables of `vprofiler export`). Where a processor tells nothing while it is idle (the warning
wakings-missing), let all of it run on others: `taskset -c 0 kernel_check.py ...`. Needs root, linux-perf and the network.
Prints the figures; exits 1 where one is out of its bounds, and 77 where nothing can be said.
"""
import bisect
import collections
import csv
import importlib.util
import itertools
import mmap
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.append(str(HERE.parent / "runtime"))
import server  # noqa: E402
import vtr  # noqa: E402

KNOWN, POINTS, PERF_SECONDS = 0.98, 0.03, 6
LEAST = 0.001  # of the time of intervals: of less blocked time nothing is asked
RUNNABLE = ("waiting for a processor", "preempted", "wake-up latency")
UNSEEN = ("unknown waker", "timed out or interrupted")
TIMEHIST = re.compile(r"\s*(\d+)\.(\d{6})\s+\[\d+\]\s+.*?\[(\d+)(?:/\d+)?\]\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+(\S+)")

# What vprofiler takes and a file that is there when the load has begun, and the seconds that it needs from then on.
Case = collections.namedtuple("Case", "setting tree loaded settle")


def checks_of(name):
    """The module that is the server's check.py, with what stands beside it."""
    sys.path.append(str(HERE / name))
    spec = importlib.util.spec_from_file_location(f"{name}_check", HERE / name / "check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)


def memcached(folder):
    check = checks_of("memcached")
    check.compile_tools(folder)
    tree = check.fetch(folder)
    build, run = check.BUILD.split("make -j2 memcached\n")
    build += "make -s -j2 memcached\n"
    run = run.format(clock=folder / "clock.so", load=folder / "load", port=21311, latencies=folder / "latencies",
                     threads=2, connections=8, seconds=14)
    script(folder / "build.sh", build)
    script(folder / "run.sh", f"#!/bin/sh\nset -e\n{run}")
    (folder / "vprofiler.json").write_text(check.json.dumps(check.declare(tree)))
    return Case(server.Setting(folder, {}), tree, folder / "started", 3)


def redis(folder):
    check, load = checks_of("redis"), folder / "load"
    subprocess.run(["cc", "-O2", HERE / "load.c", "-o", load, "-lpthread"], check=True)
    setting = check.setting(check.LOADS["always"][0], load, 14)
    return Case(setting, server.source("redis", folder / "source"), folder / "started", 6)


def postgresql(folder):
    check, data = checks_of("postgresql"), folder / "data"
    environment = {**check.SETTINGS["tpcb"]["environment"], "PG_FOLDER": str(data), "PG_SECONDS": "14"}
    tree = server.source("postgresql-15", folder / "source")
    return Case(server.Setting(HERE / "postgresql", environment), tree, data / "loaded", 3)


SERVERS = {"memcached": memcached, "redis": redis, "postgresql": postgresql}


def perf(folder, *words):
    """With the tracing files that it needs, mounted for itself alone."""
    mount = "[ -e /sys/kernel/tracing/events ] || mount -t tracefs nodev /sys/kernel/tracing; exec perf sched \"$@\""
    return subprocess.run(["unshare", "-m", "sh", "-c", mount, "perf", *words], cwd=folder, text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout


def record_perf(case, folder, over):
    """While the load runs; the program as it is is run first, so the last time counts."""
    while not over.wait(0.1):
        if case.loaded.exists():
            case.loaded.unlink()
            time.sleep(case.settle)
            perf(folder, "record", "-m", "64M", "--realtime", "1", "-k", "CLOCK_MONOTONIC", "-o", "perf.data", "--", "sleep", str(PERF_SECONDS))


def run_server(vprofiler, case, folder):
    """One round, and perf beside it."""
    for old in (folder / "out", folder / "tables"):
        shutil.rmtree(old, ignore_errors=True)
    for old in (case.loaded, folder / "perf.data"):
        old.unlink(missing_ok=True)
    script(folder / "started.sh", f"#!/bin/sh\ntouch {folder}/started\nexec {case.setting.folder}/run.sh\n")
    over = threading.Event()
    beside = threading.Thread(target=record_perf, args=(case, folder, over))
    beside.start()
    try:
        server.run([vprofiler, "iterate", "--auto", "--quiet", "--share", "--max-rounds", "1", "--kernel", "on",
                    "--source", case.tree, "--out", folder / "out", "--build", case.setting.folder / "build.sh",
                    "--run", folder / "started.sh", "--config", case.setting.folder / "vprofiler.json"], case.setting)
    finally:
        over.set()
        beside.join()
    server.run([vprofiler, "export", "--quiet", "--format", "csv", "--output", folder / "tables", folder / "out/latest"],
               case.setting)
    return server.result(folder / "out")


def leaves(node, runnable=False):
    """Those below a node, and whether each is time without a processor that was asked for."""
    runnable = runnable or node.get("kernel") == "processor" or node["name"] in RUNNABLE
    if not node["children"]:
        yield node, runnable
    for child in node["children"]:
        yield from leaves(child, runnable)


def is_unseen(leaf):
    return leaf["kind"] == "wait" and (leaf["name"] in UNSEEN or leaf.get("kernel") in ("interrupt", "asleep"))


def check_blocked(report):
    """What a waker did is what its waiter was blocked for."""
    blocked = [leaf for leaf, runnable in leaves(report["tree"])
               if not runnable and (leaf["blamed"] or leaf["kind"] in ("wait", "io"))]
    whole = sum(leaf["mean_ns"] for leaf in blocked)
    unseen = sum(leaf["mean_ns"] for leaf in blocked if is_unseen(leaf))
    mean = report["intervals"]["mean_ns"]
    known = 1 - unseen / whole if whole > 0 else 1
    print(f"  blocked {whole / mean:.3f} of the time, of this {known:.4f} has a waker or a device")
    for leaf in sorted(blocked, key=lambda leaf: -leaf["mean_ns"])[:8]:
        print(f"    {leaf['name']:40} {leaf.get('kernel') or leaf['kind']:10} {leaf['mean_ns'] / mean:.4f}")
    return [] if known >= KNOWN or whole < LEAST * mean else [f"of the blocked time {known:.4f} has a waker or a device"]


class Covered:
    """How much of the time before a moment lies in any of these stretches, which do not overlap."""

    def __init__(self, stretches):
        stretches = sorted(stretches)
        self.starts = [start for start, _ in stretches]
        self.ends = [end for _, end in stretches]
        self.sums = [0, *itertools.accumulate(end - start for start, end in stretches)]

    def before(self, moment):
        n = bisect.bisect_right(self.starts, moment)
        return self.sums[n] - max(0, self.ends[n - 1] - moment) if n else 0

    def within(self, begin, end):
        return self.before(end) - self.before(begin)


def timehist(folder):
    """By thread, when it was runnable and did not run; and the first and the last moment that is told of. A line tells
    of one run of a thread: how it came to a processor, and in which state it left it."""
    waits, states, seen = collections.defaultdict(list), {}, []
    for line in perf(folder, "timehist", "-i", "perf.data", "--state").splitlines():
        found = TIMEHIST.match(line)
        if not found:
            continue
        out = int(found[1]) * 10**9 + int(found[2]) * 1000
        tid = int(found[3])
        waited, delay, ran = (int(float(found[i]) * 1e6) for i in (4, 5, 6))
        asked = waited if states.get(tid) == "R" else delay  # preempted before: it has been runnable since
        if asked:
            waits[tid].append((out - ran - asked, out - ran))
        states[tid] = found[7][0]
        seen.append(out)
    return {tid: Covered(stretches) for tid, stretches in waits.items()}, min(seen), max(seen)


def table(folder, name):
    with open(folder / "tables" / f"{name}.csv", newline="") as file:
        yield from csv.DictReader(file)


def first_chunks(reader):
    """Of each thread, the records of its first."""
    seen = set()
    for at, end in reader.chunks():
        _, kind, _, _, thread, *_ = vtr.CHUNK.unpack_from(reader.data, at)
        if kind == vtr.CHUNK_LOG and thread not in seen:
            seen.add(thread)
            yield reader.records(vtr.Log(thread, 0), at + vtr.CHUNK.size, end)


def run_began(folder):
    """When the run's first record was made, by CLOCK_MONOTONIC: the tables' times count from there."""
    firsts = []
    for path in (folder / "out/latest/rounds").glob("*/trace/**/*.vtr"):
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
            reader = vtr.Reader(data, True)
            header = reader.trace.header
            if header["features"] & vtr.FEATURE_RECORDER:
                continue
            rate = (header["latest_ns"] - header["start_ns"]) / (header["latest_ticks"] - header["start_ticks"])
            firsts += [header["start_ns"] + int((record["ticks"] - header["start_ticks"]) * rate)
                       for records in first_chunks(reader) for record in records]
    return min(firsts)


def runnable_nodes(folder):
    """Of the intervals' own threads: what lies below such a wait says who had the processor."""
    nodes = {row["node"]: row for row in table(folder, "nodes")}

    def is_of_them(node):
        while node in nodes:
            if nodes[node]["kind"] == "wait" and nodes[node]["name"] in RUNNABLE:
                return nodes[node]["blamed"] == "0"
            node = nodes[node]["parent"]
        return False
    return {node for node in nodes if is_of_them(node)}


def lost_by_perf(folder):
    """Of what it lost it does not know: to it a thread waits until it is seen again."""
    events = subprocess.run(["perf", "script", "-i", "perf.data", "--show-lost-events"], cwd=folder, text=True, check=True,
                            capture_output=True).stdout
    return sum(int(lost) for lost in re.findall(r"PERF_RECORD_LOST lost (\d+)", events))


def check_runnable(folder):
    lost = lost_by_perf(folder)
    if lost:
        return [f"perf lost {lost} events: nothing can be said of its figure"]
    waits, first, last = timehist(folder)
    began = run_began(folder)
    none, nodes = Covered([]), runnable_nodes(folder)
    truth, latency, inside = 0, 0, set()
    for row in table(folder, "intervals"):
        begin, length = began + int(row["begin_ns"]), int(row["latency_ns"])
        if first <= begin and begin + length <= last:
            inside.add(row["interval"])
            truth += waits.get(int(row["tid"]), none).within(begin, begin + length)
            latency += length
    if not inside:
        return ["no interval lies within perf's recording"]
    ours = sum(int(row["own_ns"]) for row in table(folder, "cells") if row["interval"] in inside and row["node"] in nodes)
    print(f"  runnable {ours / latency:.4f} of the time of {len(inside)} intervals, by perf {truth / latency:.4f}")
    off = abs(ours - truth) / latency
    return [] if off <= POINTS else [f"the runnable part is {off:.4f} from perf's"]


def check(vprofiler, name, folder):
    print(f"{name}:", flush=True)
    folder.mkdir(exist_ok=True)
    report = run_server(vprofiler, SERVERS[name](folder), folder)
    for warning in report["warnings"]:
        print(f"  {warning['code']}: {warning['message']}")
    failures = check_blocked(report) + check_runnable(folder)
    return [f"{name}: {failure}" for failure in failures]


def main():
    vprofiler = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    folder.mkdir(exist_ok=True)
    if os.geteuid() != 0 or not shutil.which("perf"):
        print("needs root and perf (linux-perf)")
        return 77
    failures = [failure for name in sys.argv[3:] or SERVERS for failure in check(vprofiler, name, folder / name)]
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
