#!/usr/bin/env python3
"""What `vprofiler stacks` costs redis and PostgreSQL (TPC-B), each as it is, by windows of one run.

usage: stacks_cost.py VPROFILER WORK_FOLDER [--servers NAME,...] [--modes MODE,...] [--pairs N] [--seconds N]

The server runs under its load all the time. A pair is a window in which nothing is recorded and one in which
`vprofiler stacks --pid` records it, one right behind the other, the first of each in turns; modes take turns, too.
Prints for each mode the median of what is lost of the requests a second, with its 95 % interval, and the bytes that are
written in a second. Exits 1 where the default costs more than 5 %. Needs root and the network; nothing else should run.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import kernel_check  # noqa: E402
import kernel_cost  # noqa: E402
import server  # noqa: E402
from stacks_against_iterate import CASES  # noqa: E402

# What is recorded; {requests}: as many words as it takes to say where this server's requests are.
MODES = {"default": ["stacks"], "rate-2000": ["stacks", "--rate", "2000"], "kernel-on": ["stacks", "--kernel", "on"],
         "interval": ["stacks", "{requests}"], "descriptor": ["stacks", "--descriptor"], "waits": ["waits"]}
MOST = {"default": 0.05}
START_SECONDS, AROUND_SECONDS = 30, 0.5  # for a load to begin; between a recorder's start or end and a window


class Redis:
    """The count of its commands, asked of itself."""

    def __init__(self, folder):
        del folder
        self.environment = {"REDIS_SETTINGS": "", "REDIS_MIX": "get"}

    def ask(self):
        with socket.create_connection(("127.0.0.1", 21379)) as peer:
            peer.sendall(b"info\r\n")
            text = b""
            while not text.endswith(b"\r\n") or b"# Keyspace" not in text:
                text += peer.recv(65536)
        return dict(line.split(":", 1) for line in text.decode().splitlines() if ":" in line)

    def pid(self):
        return int(self.ask()["process_id"])

    def rate(self, seconds):
        began, first = time.monotonic(), int(self.ask()["total_commands_processed"])
        time.sleep(seconds)
        return (int(self.ask()["total_commands_processed"]) - first) / (time.monotonic() - began)


class Postgresql:
    """What pgbench tells of each second."""

    LINE = re.compile(r"^progress: ([\d.]+) s, ([\d.]+) tps", re.MULTILINE)

    def __init__(self, folder):
        self.folder, self.environment = folder, {"PG_LOAD": "-P 1 --progress-timestamp"}

    def pid(self):
        return int((self.folder / "data/data/postmaster.pid").read_text().split()[0])

    def rate(self, seconds):
        began = time.time()
        time.sleep(seconds)
        lines = self.LINE.findall((self.folder / "load.log").read_text())
        return statistics.fmean(float(tps) for end, tps in lines if began + 1 <= float(end) <= began + seconds)


METERS = {"redis": Redis, "postgresql": Postgresql}
Server = collections.namedtuple("Server", "case meter tree folder")


def prepare(name, folder, seconds):
    """Built, as it is."""
    folder.mkdir(exist_ok=True)
    case, meter = CASES[name](folder, seconds), METERS[name](folder)
    case = case._replace(setting=case.setting._replace(environment={**case.setting.environment, **meter.environment}))
    tree = server.source(case.package, folder / "source")
    server.run([case.setting.folder / "build.sh"], case.setting, cwd=tree, stdout=subprocess.DEVNULL)
    return Server(case, meter, tree, folder)


def end(load):
    """The script, its server and its clients."""
    os.killpg(load.pid, signal.SIGTERM)
    load.wait()


def start(one):
    """Its load, when it has begun."""
    log = open(one.folder / "load.log", "w")
    load = subprocess.Popen([one.case.setting.folder / "run.sh"], cwd=one.tree, stdout=log, stderr=log,
                            env={**os.environ, **one.case.setting.environment}, start_new_session=True)
    latest = time.monotonic() + START_SECONDS
    while time.monotonic() < latest and load.poll() is None:
        time.sleep(1)
        try:
            if one.meter.rate(2) > 100:
                return load
        except (OSError, statistics.StatisticsError):
            pass
    end(load)
    raise SystemExit(f"no load began: {one.folder}/load.log")


def recorded_rate(vprofiler, one, mode, seconds):
    """(requests a second while it is recorded, bytes a second, lost records)"""
    out = one.folder / "cost"
    shutil.rmtree(out, ignore_errors=True)
    program = one.tree / one.case.program
    words = [word for part in MODES[mode]
             for word in ([request.format(program=program) for request in one.case.requests]
                          if part == "{requests}" else [part])]
    with subprocess.Popen([vprofiler, *words, "--quiet", "--out", out, "--pid", str(one.meter.pid()), "--for",
                           f"{seconds + 2 * AROUND_SECONDS + 0.5}s"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as recorder:
        while recorder.poll() is None and not list(out.glob("*/rounds/01/trace/kernel.vtr")):
            time.sleep(0.02)
        time.sleep(AROUND_SECONDS)
        rate = one.meter.rate(seconds)
        if recorder.poll() is not None:
            raise SystemExit(f"{mode}: the recorder ended before the window did")
    return rate, *kernel_cost.recorded(out)


def pair(vprofiler, one, mode, seconds, first):
    """(lost part, plain rate, bytes a second, lost records)"""
    if first:
        recorded = recorded_rate(vprofiler, one, mode, seconds)
    time.sleep(AROUND_SECONDS)
    plain = one.meter.rate(seconds)
    if not first:
        recorded = recorded_rate(vprofiler, one, mode, seconds)
    return 1 - recorded[0] / plain, plain, *recorded[1:]


def interval(values):
    """Of the median, by the ranks that hold it in 95 % (binomial)."""
    ordered, n = sorted(values), len(values)
    rank = max(0, int((n - 1.96 * n ** 0.5) / 2))
    return ordered[rank], ordered[n - 1 - rank]


def tell(name, mode, pairs):
    lost = statistics.median(one[0] for one in pairs)
    low, high = interval([one[0] for one in pairs])
    print(f"{name}, {mode}: {lost:.1%} lost ({low:.1%} .. {high:.1%}; {len(pairs)} pairs) of "
          f"{statistics.median(one[1] for one in pairs):.0f} a second, "
          f"{statistics.median(one[2] for one in pairs) / 1e6:.2f} MB a second written, "
          f"{sum(one[3] for one in pairs)} records lost", flush=True)
    return lost <= MOST.get(mode, 1)


def measure(options, name):
    seconds = options.pairs * len(options.modes) * (2 * options.seconds + 15) + START_SECONDS
    one = prepare(name, options.folder / name, seconds)
    load, found = start(one), {mode: [] for mode in options.modes}
    try:
        for turn in range(options.pairs):
            for mode in options.modes:
                found[mode].append(pair(options.vprofiler, one, mode, options.seconds, turn % 2))
            print("  " + ", ".join(f"{mode} {found[mode][-1][0]:.1%}" for mode in options.modes), flush=True)
    finally:
        end(load)
    return all([tell(name, mode, pairs) for mode, pairs in found.items()])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("vprofiler", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("folder", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--servers", type=lambda text: text.split(","), default=list(METERS))
    parser.add_argument("--modes", type=lambda text: text.split(","), default=list(MODES))
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    return not all([measure(options, name) for name in options.servers])


if __name__ == "__main__":
    sys.exit(main())
