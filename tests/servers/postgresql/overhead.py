#!/usr/bin/env python3
"""What probes that are off, and those of a round, cost a transaction of PostgreSQL.

usage: overhead.py [--seconds S] [--backends N] [--load NAME]... [--loop NAME=FILE]... BUILD PLAIN RESULT FOLDER

BUILD is where vprofiler was built, PLAIN a tree that build.sh built as it is, RESULT what
`vprofiler iterate --live --keep` left (vprofiler-out/001), FOLDER where data and traces go. Two servers stay up:
the plain one, and the one that carries all probes, with the runtime as --live has it. Each has N connections (1),
whose backends share a processor and have one transaction each in turn; this client has another one. First the plain
one and, before any round, all off take turns in random order, of some 10 ms each; then plain; all off; marks and
synchronization on, but no call; the last round on; and as many rounds as there are FILEs, copies of RESULT/loop.json
as it was then. For each load (select-only, tpc-b: the transactions of pgbench) a row for each: processor time of the
backends for a transaction, and the time that the client sees, whose inverse is the throughput, against the plain turn
beside it. S is for all of a load, and again for what comes first. Exits 1 where the throughput's median loses more
than 3 % (off) or 5 % (a round).
"""
import argparse
import os
import pathlib
import random
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from carrier import Carrier  # noqa: E402

AIMS = {"off": 0.03, "off, no round yet": 0.03, "marks": 1.0}  # others: that of a round
AIM_OF_A_ROUND = 0.05
LOADS = {"select-only": ("SELECT abalance FROM pgbench_accounts WHERE aid = {a};",), "tpc-b": (
    "BEGIN;",
    "UPDATE pgbench_accounts SET abalance = abalance + {d} WHERE aid = {a};",
    "SELECT abalance FROM pgbench_accounts WHERE aid = {a};",
    "UPDATE pgbench_tellers SET tbalance = tbalance + {d} WHERE tid = {t};",
    "UPDATE pgbench_branches SET bbalance = bbalance + {d} WHERE bid = {b};",
    "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES ({t}, {b}, {a}, {d}, CURRENT_TIMESTAMP);",
    "END;")}
BURST = {"select-only": 250, "tpc-b": 40}  # transactions
SCALE = 10
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


class Connection:
    """The protocol of PostgreSQL's clients, as far as it is needed: who asks is trusted, answers are not looked at."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.send(b"", struct.pack(">I", 3 << 16) + b"user\0postgres\0database\0postgres\0\0")
        greeting = self.answer()
        key = greeting.index(b"K\0\0\0\x0c")
        self.pid, = struct.unpack(">I", greeting[key + 5:key + 9])

    def send(self, kind, body):
        self.socket.sendall(kind + struct.pack(">I", len(body) + 4) + body)

    def answer(self):
        """Up to ReadyForQuery."""
        answer = b""
        while answer[-6:-1] != b"Z\0\0\0\5":
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError(f"the server said {answer}")
            answer += piece
        return answer

    def ask(self, statement):
        self.send(b"Q", statement.encode() + b"\0")
        return self.answer()

    def cpu_ns(self):
        return int(pathlib.Path(f"/proc/{self.pid}/schedstat").read_text().split()[0])


class Server:
    def __init__(self, tree, folder, environment, backends, loaded=None):
        """`loaded`: data that a server left, to begin with a copy of them."""
        bin, self.data = tree / "installed/bin", folder / "data"
        folder.mkdir(parents=True)
        folder.chmod(0o777)
        if loaded:
            subprocess.run(["cp", "-a", str(loaded), str(self.data)], check=True)
        else:
            subprocess.run(as_user([str(bin / "initdb"), "-D", str(self.data), "-U", "postgres", "--no-locale"]),
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(self.data / "postgresql.conf", "a") as conf:
            conf.write(SETTINGS.format(folder=folder))
        client = {**os.environ, "PGHOST": str(folder), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        self.process = subprocess.Popen(as_user([str(bin / "postgres"), "-D", str(self.data)]),
                                        env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
        while subprocess.run([str(bin / "pg_isready"), "-q"], env=client).returncode:
            time.sleep(0.1)
        if not loaded:
            subprocess.run([str(bin / "pgbench"), "-q", "-i", "-s", str(SCALE)], env=client, check=True,
                           stderr=subprocess.DEVNULL)
        self.connections = [Connection(folder / ".s.PGSQL.5432") for _ in range(backends)]

    def cpu_ns(self):
        return sum(connection.cpu_ns() for connection in self.connections)

    def burst(self, load, count, draw):
        """µs for a transaction: (processor time of the backends, time that the client sees)"""
        cpu, start = self.cpu_ns(), time.perf_counter_ns()
        for i in range(count):
            values = {"a": draw.randint(1, 100000 * SCALE), "d": draw.randint(-5000, 5000),
                      "t": draw.randint(1, 10 * SCALE), "b": draw.randint(1, SCALE)}
            for statement in LOADS[load]:
                self.connections[i % len(self.connections)].ask(statement.format(**values))
        end = time.perf_counter_ns()
        return (self.cpu_ns() - cpu) / count / 1e3, (end - start) / count / 1e3

    def stop(self):
        self.process.send_signal(2)
        self.process.wait()


def interval(values):
    """95 % of the medians of samples drawn from `values`."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(2000))
    return medians[50], medians[1949]


def percent(values):
    low, high = interval(values)
    return f"{100 * statistics.median(values):+.1f} % | {100 * low:+.1f} to {100 * high:+.1f} %"


class Bench:
    def __init__(self, options):
        self.seconds = options.seconds
        result = options.result.resolve()
        self.carrier = Carrier(result)
        self.first = {"plain": None, "off, no round yet": ()}
        self.states = {"plain": None, "off": (), "marks": (), "last round": self.carrier.round}
        for loop in options.loop:
            name, file = loop.split("=", 1)
            self.states[name] = Carrier(result, pathlib.Path(file)).round
        folder = options.folder.resolve()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.trace = folder / "trace"
        self.trace.mkdir()
        self.trace.chmod(0o777)
        self.switch(())
        self.plain = Server(options.plain.resolve(), folder / "plain", {}, options.backends)
        self.carried = Server(self.carrier.tree, folder / "carried", {
            "LD_PRELOAD": str(options.build.resolve() / "lib/libvprof.so.1"),
            "VPROF_TRACE_DIR": str(self.trace), "VPROF_TRACE_SHARE": "1", "VPROF_TRACE_KEEP": "newest"}, options.backends)
        *_, client, backend = [0, *sorted(os.sched_getaffinity(0))]
        os.sched_setaffinity(0, {client})
        for connection in self.plain.connections + self.carried.connections:
            os.sched_setaffinity(connection.pid, {backend})

    def switch(self, on, rests=True):
        self.carrier.switch(self.trace, on, rests)

    def turn(self, state, load, seed):
        server = self.plain if state == "plain" else self.carried
        if state in self.states and state != "plain":
            self.switch(self.states[state], rests=state == "off")
        server.burst(load, BURST[load] // 5, random.Random(-seed))  # in which the backends change their code
        return server.burst(load, BURST[load], random.Random(seed))

    def measure(self, load, states):
        order, turns, end = list(states), [], time.monotonic() + self.seconds
        while time.monotonic() < end or len(turns) < 10:
            random.shuffle(order)
            turns.append({state: self.turn(state, load, len(turns)) for state in order})
        return [self.row(load, state, turns[4:]) for state in states]

    def row(self, load, state, turns):
        cpu = [turn[state][0] / turn["plain"][0] - 1 for turn in turns]
        lost = [1 - turn["plain"][1] / turn[state][1] for turn in turns]
        cpu_us, seen_us = (statistics.median(turn[state][i] for turn in turns) for i in range(2))
        aim = AIMS.get(state, AIM_OF_A_ROUND)
        fine = state == "plain" or statistics.median(lost) <= aim
        print(f"| {load} | {state} | {cpu_us:.2f} | {percent(cpu)} | {seen_us:.1f} | {percent(lost)} | "
              f"{'' if fine else f'not within {100 * aim:.0f} %'} |", flush=True)
        return fine

    def run(self, loads):
        print(f"{self.carrier.functions} functions and {self.carrier.probes - 1} probes carried; on: "
              + ", ".join(f"{name} {len(on)}" for name, on in self.states.items() if on) + "\n")
        print("| load | probes | µs of processor | more | 95 % | µs for the client | throughput lost | 95 % | |")
        print("|---|---|---|---|---|---|---|---|---|")
        try:
            rows = [fine for states in (self.first, self.states) for load in loads
                    for fine in self.measure(load, states)]
        finally:
            self.plain.stop()
            self.carried.stop()
            shutil.rmtree(self.trace)
        return not all(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--backends", type=int, default=1)
    parser.add_argument("--load", action="append", choices=LOADS)
    parser.add_argument("--loop", action="append", default=[])
    for name in "build", "plain", "result", "folder":
        parser.add_argument(name, type=pathlib.Path)
    options = parser.parse_args()
    return Bench(options).run(options.load or list(LOADS))


if __name__ == "__main__":
    sys.exit(main())
