#!/usr/bin/env python3
"""What probes that are off, and those of a round, cost PostgreSQL's throughput under pgbench with 8 clients.

usage: overhead_clients.py [--starts M] [--turns N] [--slice S] [--load NAME]... [--loop NAME=FILE]...
                           [--other-runtime LIBRARY] BUILD PLAIN RESULT FOLDER

BUILD, PLAIN and RESULT are those of overhead.py; FOLDER, for the servers and their data, is on a disk. All servers are
there at once, each with a pgbench of its own, PLAIN's: the plain one twice, one with all probes, off after a round was on, one
with the last round on, and one for each FILE, a copy of RESULT/loop.json as it was then; --other-runtime has off and the
last round again, with another libvprof.so. Only one pgbench runs at a time, for slices of S seconds in an order that
changes; the others are stopped by a signal. Transactions are those that pgbench logged in a slice, without its first
fifth; a slice is held against the mean of the plain two in the same turn, a start of all servers is the median of its N
turns. A server that was stopped comes back to caches that the others filled: a slice that is short has more of that
than of the load, and shows what more code and more memory cost there. The same server, started again, differs by some
percent, by where its program and its data come to lie in memory: so all are copied and started anew M times, from data that a
plain server loaded. For each
load a row for each server: transactions a second, and what it loses, as median and 95 % interval of the starts. Exits 1
where the median is beyond 3 % (off) or 5 % (a round).
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

    def __init__(self, tree, folder, load, environment, pgbench, data):
        program, self.folder, self.slices = folder / "program", folder / "server", []
        shutil.copytree(tree / "installed", program / "installed", symlinks=True)
        self.server = Server(program, self.folder, environment, 0, data)
        client = {**os.environ, "PGHOST": str(self.folder), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        self.pgbench = subprocess.Popen([str(pgbench), "-n", *CLIENTS, *LOADS[load], "-T", FOREVER, "-l",
                                         f"--log-prefix={self.folder}/log"], env=client,
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
    def __init__(self, options, load, data):
        self.options, self.load, self.plain = options, load, options.plain.resolve()
        result = options.result.resolve()
        self.rounds = {name: Carrier(result, pathlib.Path(file)) for name, file in
                       (loop.split("=", 1) for loop in options.loop)} | {"last round": Carrier(result)}
        self.folder = options.folder.resolve() / load
        shutil.rmtree(self.folder, ignore_errors=True)
        self.data = data
        self.traces, self.servers = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm")), {}
        self.traces.chmod(0o777)

    def start(self, name, tree, environment):
        self.servers[name] = Loaded(tree, self.folder / name.replace(" ", "-"), self.load, environment,
                                    self.plain / "installed/bin/pgbench", self.data)

    def start_carried(self, name, carrier, library):
        trace = self.traces / name.replace(" ", "-")
        trace.mkdir()
        trace.chmod(0o777)
        carrier.switch(trace, carrier.round)
        self.start(name, carrier.tree, {
            "LD_PRELOAD": str(library), "VPROF_TRACE_DIR": str(trace), "VPROF_TRACE_SHARE": "1",
            "VPROF_TRACE_KEEP": "newest", "VPROF_TRACE_CAP_BYTES": str(64 << 20)})
        return trace

    def start_states(self, library, rounds, prefix=""):
        last, off = rounds["last round"], prefix + "off"
        trace = self.start_carried(off, last, library)
        self.servers[off].run(1)
        last.switch(trace, (), rests=True)
        for name, carrier in rounds.items():
            self.start_carried(prefix + name, carrier, library)

    def start_all(self):
        for name in "plain", "plain again":
            self.start(name, self.plain, {})
        library = self.options.build.resolve() / "lib/libvprof.so.1"
        self.start_states(library, self.rounds)
        if self.options.other_runtime:
            self.start_states(self.options.other_runtime.resolve(), {"last round": self.rounds["last round"]}, OTHER)

    def measure(self):
        """For each server the median of its turns: (transactions a second, loss)"""
        for loaded in self.servers.values():
            loaded.run(1)
            loaded.slices.clear()
        order = list(self.servers.values())
        for _ in range(self.options.turns):
            random.shuffle(order)
            for loaded in order:
                loaded.run(self.options.slice)
        rates = {name: loaded.rates() for name, loaded in self.servers.items()}
        plain = [statistics.mean(pair) for pair in zip(rates["plain"], rates["plain again"])]
        return {name: (statistics.median(found), statistics.median(
            1 - mine / other for mine, other in zip(found, rates["plain"] if name == "plain again" else plain)))
            for name, found in rates.items()}

    def end(self):
        for loaded in self.servers.values():
            loaded.pgbench.kill()
            loaded.server.stop()
        shutil.rmtree(self.traces)


def make_data(options):
    """What all servers begin with."""
    folder = options.folder.resolve() / "loaded"
    shutil.rmtree(folder, ignore_errors=True)
    server = Server(options.plain.resolve(), folder, {}, 0)
    server.stop()
    return server.data


def measure_start(options, load, data):
    bench = Bench(options, load, data)
    try:
        bench.start_all()
        return bench.measure()
    finally:
        bench.end()


def report(load, starts):
    fine = True
    for name in starts[0]:
        rates, lost = zip(*(start[name] for start in starts))
        aim = AIMS.get(name.removeprefix(OTHER), overhead.AIM_OF_A_ROUND)
        beyond = not name.startswith("plain") and statistics.median(lost) > aim
        fine = fine and not beyond
        print(f"| {load} | {name} | {statistics.median(rates):.0f} | {overhead.percent(lost)} | "
              f"{f'not within {100 * aim:.0f} %' if beyond else ''} |", flush=True)
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--slice", type=float, default=1)
    parser.add_argument("--load", action="append", choices=LOADS)
    parser.add_argument("--loop", action="append", default=[])
    parser.add_argument("--other-runtime", type=pathlib.Path)
    for name in "build", "plain", "result", "folder":
        parser.add_argument(name, type=pathlib.Path)
    options = parser.parse_args()
    print("| load | probes | transactions a second | throughput lost | 95 % | |\n|---|---|---|---|---|---|")
    data = make_data(options)
    fine = [report(load, [measure_start(options, load, data) for _ in range(options.starts)])
            for load in options.load or LOADS]
    return not all(fine)


if __name__ == "__main__":
    sys.exit(main())
