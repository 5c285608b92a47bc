#!/usr/bin/env python3
"""What probes that are off, and those of a round, cost PostgreSQL's throughput under pgbench with 8 clients.

usage: overhead_clients.py [--turns N] [--slice S] [--load NAME]... [--loop NAME=FILE]... [--other-runtime LIBRARY]
                           BUILD PLAIN RESULT FOLDER

BUILD, PLAIN and RESULT are those of overhead.py; FOLDER, for the data, is on a disk. All servers are there at once, each
with a pgbench of its own: the plain one twice, one with all probes, off after a round was on, one with the
last round on, and one for each FILE, a copy of RESULT/loop.json as it was then; --other-runtime has off and the last
round again, with another libvprof.so. Only one pgbench runs at a time, for slices of S seconds in an order that changes;
the others are stopped by a signal. Transactions are those that pgbench logged in a slice, without its first fifth. For
each load a row for each server: transactions a second, and what it loses against the mean of the plain two in the same
turn, as median and 95 % interval. Exits 1 where the median is beyond 3 % (off) or 5 % (a round).
"""
import argparse
import bisect
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import overhead
from overhead import Server
from carrier import Carrier

AIMS = {"off": 0.03}
LOADS = {"select-only": ["-S"], "tpc-b": []}
CLIENTS = ["-c", "8", "-j", "2"]
FOREVER = "86400"  # seconds
OTHER = "other "
SKIPPED = 0.2  # of a slice


class Loaded:
    """A server and its pgbench, which is stopped."""

    def __init__(self, tree, folder, load, environment):
        self.server, self.folder, self.slices = Server(tree, folder, environment, 0), folder, []
        client = {**os.environ, "PGHOST": str(folder), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        self.pgbench = subprocess.Popen([str(tree / "installed/bin/pgbench"), "-n", *CLIENTS, *LOADS[load], "-T", FOREVER,
                                         "-l", f"--log-prefix={folder}/log"], env=client,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        self.pgbench.send_signal(signal.SIGSTOP)

    def run(self, seconds):
        self.pgbench.send_signal(signal.SIGCONT)
        begin = time.time()
        time.sleep(seconds)
        self.slices.append((begin + SKIPPED * seconds, time.time()))
        self.pgbench.send_signal(signal.SIGSTOP)

    def rates(self):
        """Transactions a second, of each slice; pgbench writes its log by 4 KiB, and is killed."""
        self.run(1)
        self.pgbench.kill()
        self.slices.pop()
        ends = sorted(int(words[4]) + int(words[5]) / 1e6 for log in self.folder.glob("log.*")
                      for words in map(str.split, log.read_text().splitlines()[:-1]))
        return [(bisect.bisect(ends, end) - bisect.bisect(ends, begin)) / (end - begin) for begin, end in self.slices]


class Bench:
    def __init__(self, options, load):
        self.options, self.load = options, load
        result = options.result.resolve()
        self.rounds = {name: Carrier(result, pathlib.Path(file)) for name, file in
                       (loop.split("=", 1) for loop in options.loop)} | {"last round": Carrier(result)}
        self.folder = options.folder.resolve() / load
        shutil.rmtree(self.folder, ignore_errors=True)
        self.traces, self.servers = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm")), {}
        self.traces.chmod(0o777)

    def start(self, name, tree, environment):
        self.servers[name] = Loaded(tree, self.folder / name.replace(" ", "-"), self.load, environment)

    def start_carried(self, name, carrier, library):
        trace = self.traces / name.replace(" ", "-")
        trace.mkdir()
        trace.chmod(0o777)
        carrier.switch(trace, carrier.round)
        self.start(name, carrier.tree, {
            "LD_PRELOAD": str(library), "VPROF_TRACE_DIR": str(trace),
            "VPROF_TRACE_KEEP": "newest", "VPROF_TRACE_CAP_BYTES": str(64 << 20)})
        return trace

    def start_states(self, library, rounds, prefix=""):
        last, off = rounds["last round"], prefix + "off"
        trace = self.start_carried(off, last, library)
        self.servers[off].run(1)
        last.switch(trace, (), rests=True)
        for name, carrier in rounds.items():
            self.start_carried(prefix + name, carrier, library)

    def measure(self):
        plain = self.options.plain.resolve()
        for name in "plain", "plain again":
            self.start(name, plain, {})
        library = self.options.build.resolve() / "lib/libvprof.so.1"
        self.start_states(library, self.rounds)
        if self.options.other_runtime:
            self.start_states(self.options.other_runtime.resolve(), {"last round": self.rounds["last round"]}, OTHER)
        for loaded in self.servers.values():
            loaded.run(1)
            loaded.slices.clear()
        order = list(self.servers.values())
        for _ in range(self.options.turns):
            random.shuffle(order)
            for loaded in order:
                loaded.run(self.options.slice)

    def report(self):
        rates = {name: loaded.rates() for name, loaded in self.servers.items()}
        plain = [statistics.mean(pair) for pair in zip(rates["plain"], rates["plain again"])]
        fine = True
        for name, found in rates.items():
            lost = [1 - mine / other for mine, other in zip(found, rates["plain"] if name == "plain again" else plain)]
            aim = AIMS.get(name.removeprefix(OTHER), overhead.AIM_OF_A_ROUND)
            beyond = not name.startswith("plain") and statistics.median(lost) > aim
            fine = fine and not beyond
            print(f"| {self.load} | {name} | {statistics.median(found):.0f} | {overhead.percent(lost)} | "
                  f"{f'not within {100 * aim:.0f} %' if beyond else ''} |", flush=True)
        return fine

    def end(self):
        for loaded in self.servers.values():
            loaded.pgbench.kill()
            loaded.server.stop()
        shutil.rmtree(self.traces)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--slice", type=float, default=0.25)
    parser.add_argument("--load", action="append", choices=LOADS)
    parser.add_argument("--loop", action="append", default=[])
    parser.add_argument("--other-runtime", type=pathlib.Path)
    for name in "build", "plain", "result", "folder":
        parser.add_argument(name, type=pathlib.Path)
    options = parser.parse_args()
    fine = True
    print("| load | probes | transactions a second | throughput lost | 95 % | |\n|---|---|---|---|---|---|")
    for load in options.load or LOADS:
        bench = Bench(options, load)
        try:
            bench.measure()
            fine = bench.report() and fine
        finally:
            bench.end()
    return not fine


if __name__ == "__main__":
    sys.exit(main())
