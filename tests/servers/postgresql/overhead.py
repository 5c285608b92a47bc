#!/usr/bin/env python3
"""What probes that are off, and those of a round, cost PostgreSQL under pgbench.

usage: overhead.py [--turns N] [--seconds S] [--clients N] [--load NAME]... [--loop FILE] BUILD PLAIN RESULT FOLDER

BUILD is where vprofiler was built, PLAIN a tree that build.sh built as it is, RESULT what
`vprofiler iterate --live --keep` left (vprofiler-out/001), FOLDER where data and traces go. Two servers stay up:
the plain one, and the one that carries all probes, with the runtime as --live has it. They take turns of S
seconds: plain, all switches off, those of the last round on (or of the round in which FILE was copied from
RESULT/loop.json); then the other way round. For each load
(select-only, tpc-b) a row for off and one for on: transactions a second against the plain turn beside it, and processor time
of the server for a transaction. Exits 1 where a median loses more than 3 % (off) or 5 % (on).
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from carrier import Carrier  # noqa: E402

AIMS = {"off": 0.03, "on": 0.05}
LOADS = {"select-only": ["-S"], "tpc-b": []}
TICKS = os.sysconf("SC_CLK_TCK")
SETTINGS = """unix_socket_directories = '{folder}'
listen_addresses = ''
shared_buffers = 256MB
max_wal_size = 4GB
checkpoint_timeout = 30min
autovacuum = off
"""


def as_user(words):
    if os.getuid() != 0:
        return words
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", *words]


class Server:
    def __init__(self, tree, folder, scale, environment):
        self.bin, self.folder = tree / "installed/bin", folder
        self.client = {**os.environ, "PGHOST": str(folder), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        folder.mkdir(parents=True)
        folder.chmod(0o777)
        data = str(folder / "data")
        self.run(as_user([str(self.bin / "initdb"), "-D", data, "-U", "postgres", "--no-locale"]))
        with open(folder / "data/postgresql.conf", "a") as conf:
            conf.write(SETTINGS.format(folder=folder))
        self.process = subprocess.Popen(as_user([str(self.bin / "postgres"), "-D", data]),
                                        env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
        while subprocess.run([str(self.bin / "pg_isready"), "-q"], env=self.client).returncode:
            time.sleep(0.1)
        self.run([str(self.bin / "pgbench"), "-q", "-i", "-s", str(scale)])

    def run(self, words):
        return subprocess.run(words, env=self.client, check=True, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout

    def cpu_s(self):
        """Of all backends that have ended."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[13:15])) / TICKS

    def turn(self, load, clients, seconds):
        """(transactions a second, µs of processor time for one)"""
        before = self.cpu_s()
        said = self.run([str(self.bin / "pgbench"), "-n", "-c", str(clients), "-j", "2", "-T", str(seconds),
                         *load])
        time.sleep(0.1)
        count = int(re.search(r"actually processed: (\d+)", said)[1])
        return float(re.search(r"tps = ([\d.]+)", said)[1]), (self.cpu_s() - before) / count * 1e6

    def stop(self):
        self.process.send_signal(2)
        self.process.wait()


def interval(values):
    """95 % of the medians of samples drawn from `values`."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(2000))
    return medians[50], medians[1949]


class Bench:
    def __init__(self, options):
        self.options = options
        self.carrier = Carrier(options.result.resolve(), options.loop)
        folder = options.folder.resolve()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.trace = folder / "trace"
        self.trace.mkdir()
        self.trace.chmod(0o777)
        self.switch("off")
        self.plain = Server(options.plain.resolve(), folder / "plain", options.scale, {})
        self.carried = Server(self.carrier.tree, folder / "carried", options.scale, {
            "LD_PRELOAD": str(options.build.resolve() / "lib/libvprof.so.1"),
            "VPROF_TRACE_DIR": str(self.trace), "VPROF_TRACE_KEEP": "newest"})

    def switch(self, what):
        self.carrier.switch(self.trace, self.carrier.round if what == "on" else ())

    def turn(self, what, load):
        if what != "plain":
            self.switch(what)
        server = self.plain if what == "plain" else self.carried
        return server.turn(LOADS[load], self.options.clients, self.options.seconds)

    def measure(self, load):
        order, turns = ["plain", "off", "on"], []
        for server in self.plain, self.carried:
            server.turn(LOADS[load], self.options.clients, 2)
        for number in range(self.options.turns):
            turns.append({what: self.turn(what, load) for what in order[::-1 if number % 2 else 1]})
        return [self.row(load, what, turns) for what in AIMS]

    def row(self, load, what, turns):
        lost = [1 - turn[what][0] / turn["plain"][0] for turn in turns]
        cpu = [turn[what][1] / turn["plain"][1] - 1 for turn in turns]
        low, high = interval(lost)
        middle = statistics.median(lost)
        tps = [statistics.median(turn[name][0] for turn in turns) for name in ("plain", what)]
        fine = middle <= AIMS[what]
        print(f"| {load} | {what} | {tps[0]:,.0f} | {tps[1]:,.0f} | {100 * middle:+.1f} % | "
              f"{100 * low:+.1f} to {100 * high:+.1f} % | {100 * statistics.median(cpu):+.1f} % | "
              f"{'' if fine else 'not '}within {100 * AIMS[what]:.0f} % |", flush=True)
        return fine

    def run(self):
        print(f"{self.carrier.functions} functions and {self.carrier.probes - 1} probes carried, of which "
              f"{len(self.carrier.round)} on in {self.carrier.timed} functions; "
              f"{self.options.turns} turns of {self.options.seconds} s each\n")
        print("| load | probes | tps plain | tps | lost | 95 % interval of the median | processor time | |")
        print("|---|---|---|---|---|---|---|---|")
        try:
            rows = [fine for load in self.options.load or LOADS for fine in self.measure(load)]
        finally:
            self.plain.stop()
            self.carried.stop()
            shutil.rmtree(self.trace)
        return not all(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--scale", type=int, default=10)
    parser.add_argument("--load", action="append", choices=LOADS)
    parser.add_argument("--loop", type=pathlib.Path)
    for name in "build", "plain", "result", "folder":
        parser.add_argument(name, type=pathlib.Path)
    return Bench(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
