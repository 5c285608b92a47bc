#!/usr/bin/env python3
"""Many events, and many threads: `vprofiler waits` is done in time and in little memory, and can be read.

usage: size_test.py VPROFILER MAKE_SCHEDULER_TRACE [--full | --unbounded]

--full makes 10^7 events of 200 threads, and 10^7 of 10,000; they are measured by the clock, on a machine that does
nothing else. Otherwise the processor's time counts, of a tenth and of a thirtieth. --unbounded: whatever it takes (a
build with sanitizers).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

MIB = 1024  # KiB
LINES = 60
COLUMNS = 120


class Taken:
    def __init__(self, command):
        with tempfile.TemporaryFile() as out:
            begin = time.monotonic()
            child = subprocess.Popen(command, stdout=out, env={**os.environ, "COLUMNS": "100"})
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = status
            self.wall = time.monotonic() - begin
            out.seek(0)
            self.text = out.read().decode()
        assert status == 0, (command, status)
        self.cpu = usage.ru_utime + usage.ru_stime
        self.kib = usage.ru_maxrss

    def __str__(self):
        return f"{self.wall:.2f} s, {self.cpu:.2f} s of processors, {self.kib / MIB:.0f} MiB"


def make(tool, folder, events, threads, *rest):
    pathlib.Path(folder).mkdir()
    subprocess.run([tool, folder, *map(str, (events, threads, *rest))], check=True, stdout=subprocess.DEVNULL)


def check_sums(found):
    """What is told one by one and what is not are all waits, and each is somebody's blame."""
    groups = found["groups"]
    ours = [e for e in found["edges"] if groups[e["from"]]["kind"] == "thread" and groups[e["from"]]["of_run"]]
    waited = sum(e["raw_ns"] for e in ours) + found["edges_rest_ns"]
    waited += sum(g["within_ns"] for g in groups if g["of_run"])
    assert waited == sum(g["blamed_ns"] for g in groups) > 0, waited
    assert len(found["processor"]) <= 10000 and found["processor_rest_ns"] >= 0
    for knot in found["knots"]:
        assert all(edge < len(found["edges"]) for edge in knot["edges"])


def check_text(text):
    lines = text.splitlines()
    assert len(lines) <= LINES, len(lines)
    assert max(map(len, lines)) <= COLUMNS, max(lines, key=len)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vprofiler")
    parser.add_argument("make")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--unbounded", action="store_true")
    options = parser.parse_args()
    full = options.full
    # What is made: events, threads, processors, devices, threads of a process, whom one wakes, load, calls of a
    # thread. Seconds and MiB at the most.
    cases = [
        ("events", (10 ** 7 if full else 10 ** 6, 200, 8, 2, 0, 4, 3, 2000), 5 if full else 2, 1024 if full else 256),
        ("threads", (10 ** 7 if full else 3 * 10 ** 5, 10000, 8, 2, 500, 4, 3), 15 if full else 5, 1024),
        ("groups", (10 ** 7 if full else 3 * 10 ** 5, 10000, 8, 2, 20, 4, 3), 15 if full else 5, 1536),
    ]
    with tempfile.TemporaryDirectory() as top:
        for name, made, seconds, mib in cases:
            folder = os.path.join(top, name)
            make(options.make, folder, *made)
            told = Taken([options.vprofiler, "waits", "--json", folder])
            text = Taken([options.vprofiler, "waits", folder])
            found = json.loads(told.text)
            print(f"{made[0]} events, {made[1]} threads, {len(found['groups'])} groups: {told}", flush=True)
            check_sums(found)
            check_text(text.text)
            taken = told.wall if full else told.cpu
            if not options.unbounded:
                assert taken <= seconds, (name, taken, seconds)
                assert told.kib <= mib * MIB, (name, told.kib)


if __name__ == "__main__":
    sys.exit(main())
