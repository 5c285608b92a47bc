#!/usr/bin/env python3
"""What `vprofiler stacks` costs redis, PostgreSQL (TPC-B) and memcached, each as it is, by windows of one run; and
`vprofiler waits`, with stacks and without, which is what recording the kernel's scheduler takes.

usage: stacks_cost.py VPROFILER WORK_FOLDER [--servers NAME,...] [--modes MODE,...] [--pairs N] [--seconds N]

The server runs under its load all the time. A pair is a window in which nothing is recorded and one in which
`vprofiler stacks --pid` records it, one right behind the other, the first of each in turns; modes take turns, too.
Prints for each mode the median of what is lost of the requests a second, and of how much more of the processors a request
takes, the recorder's part counted in, with their 95 % intervals; and the bytes that are written in a second. Exits 1
where the default, or `waits`, loses more than 5 %, or the scheduler alone 3 %. Needs root and the network; nothing else should run: where it does, the second
figure is the steadier one.
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
from stacks_against_iterate import CASES, Case  # noqa: E402

# What is recorded; {requests}: as many words as it takes to say where this server's requests are.
MODES = {"default": ["stacks"], "rate-2000": ["stacks", "--rate", "2000"], "kernel-on": ["stacks", "--kernel", "on"],
         "interval": ["stacks", "{requests}"], "descriptor": ["stacks", "--descriptor"], "waits": ["waits"], "scheduler": ["waits", "--no-stacks"]}
MOST = {"default": 0.05, "waits": 0.05, "scheduler": 0.03}
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


class Memcached:
    """The count of its commands, asked of itself."""

    def __init__(self, folder):
        del folder
        self.environment = {}

    def ask(self):
        with socket.create_connection(("127.0.0.1", 21311)) as peer:
            peer.sendall(b"stats\r\n")
            text = b""
            while not text.endswith(b"END\r\n"):
                text += peer.recv(65536)
        return dict(line.split()[1:3] for line in text.decode().splitlines() if line.startswith("STAT"))

    def pid(self):
        return int(self.ask()["pid"])

    def done(self):
        counts = self.ask()
        return int(counts["cmd_get"]) + int(counts["cmd_set"])

    def rate(self, seconds):
        began, first = time.monotonic(), self.done()
        time.sleep(seconds)
        return (self.done() - first) / (time.monotonic() - began)


Window = collections.namedtuple("Window", "rate processor written lost")  # processor: ns a request


def processor_ns(*roots):
    """What these processes, and what they started, have had of the processors until now."""
    children, total = collections.defaultdict(list), 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            children[int(stat.read_text().rsplit(")", 1)[1].split()[1])].append(int(stat.parent.name))
        except OSError:
            pass
    waiting = list(roots)
    while waiting:
        pid = waiting.pop()
        waiting += children[pid]
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
            try:
                total += int(task.read_text().split()[0])
            except OSError:
                pass
    return total


METERS = {"redis": Redis, "postgresql": Postgresql, "memcached": Memcached}
Server = collections.namedtuple("Server", "case meter tree folder load")


def memcached(folder, seconds):
    """As kernel_check.py has it, for so long; where its requests are is not told here."""
    case, run = kernel_check.memcached(folder), folder / "run.sh"
    kernel_check.script(run, run.read_text().replace(" 14 ", f" {seconds} "))
    return Case(None, case.setting, "memcached", []), case.tree


def of_package(name, folder, seconds):
    case = CASES[name](folder, seconds)
    return case, server.source(case.package, folder / "source")


def prepare(name, folder, seconds):
    """Built, as it is."""
    folder.mkdir(exist_ok=True)
    case, tree = memcached(folder, seconds) if name == "memcached" else of_package(name, folder, seconds)
    meter = METERS[name](folder)
    case = case._replace(setting=case.setting._replace(environment={**case.setting.environment, **meter.environment}))
    server.run([case.setting.folder / "build.sh"], case.setting, cwd=tree, stdout=subprocess.DEVNULL)
    return Server(case, meter, tree, folder, None)


def end(load):
    """The script, its server and its clients."""
    if load.poll() is None:
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
                return one._replace(load=load)
        except (OSError, statistics.StatisticsError):
            pass
    end(load)
    raise SystemExit(f"no load began: {one.folder}/load.log")


def window(one, seconds, *recorders):
    began, before = time.monotonic(), processor_ns(one.load.pid, *recorders)
    rate = one.meter.rate(seconds)
    taken = processor_ns(one.load.pid, *recorders) - before
    return Window(rate, taken / (rate * (time.monotonic() - began)), 0, 0)


def recorded_window(vprofiler, one, mode, seconds):
    out = one.folder / "cost"
    shutil.rmtree(out, ignore_errors=True)
    program = one.tree / one.case.program
    words = [word for part in MODES[mode]
             for word in ([request.format(program=program) for request in one.case.requests]
                          if part == "{requests}" else [part])]
    with subprocess.Popen([vprofiler, *words, "--quiet", "--out", out, "--pid", str(one.meter.pid()), "--for",
                           f"{seconds + 2 * AROUND_SECONDS + 1}s"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as recorder:
        while recorder.poll() is None and not list(out.glob("*/rounds/01/trace/kernel.vtr")):
            time.sleep(0.02)
        time.sleep(AROUND_SECONDS)
        found = window(one, seconds, recorder.pid)
        if recorder.poll() is not None:
            raise SystemExit(f"{mode}: the recorder ended before the window did")
    written, lost = kernel_cost.recorded(out)
    return found._replace(written=written, lost=lost)


def pair(vprofiler, one, mode, seconds, first):
    """(recorded, plain)"""
    recorded = recorded_window(vprofiler, one, mode, seconds) if first else None
    time.sleep(AROUND_SECONDS)
    plain = window(one, seconds)
    return recorded or recorded_window(vprofiler, one, mode, seconds), plain


def interval(values):
    """Of the median, by the ranks that hold it in 95 % (binomial)."""
    ordered, n = sorted(values), len(values)
    rank = max(0, int((n - 1.96 * n ** 0.5) / 2))
    return ordered[rank], ordered[n - 1 - rank]


def described(values):
    low, high = interval(values)
    return f"{statistics.median(values):.1%} ({low:.1%} .. {high:.1%})"


def tell(name, mode, pairs):
    lost = [1 - recorded.rate / plain.rate for recorded, plain in pairs]
    more = [recorded.processor / plain.processor - 1 for recorded, plain in pairs]
    print(f"{name}, {mode}, {len(pairs)} pairs: {described(lost)} lost of "
          f"{statistics.median(plain.rate for _, plain in pairs):.0f} a second; {described(more)} more of the processors "
          f"than {statistics.median(plain.processor for _, plain in pairs) / 1000:.1f} us; "
          f"{statistics.median(recorded.written for recorded, _ in pairs) / 1e6:.2f} MB a second written, "
          f"{sum(recorded.lost for recorded, _ in pairs)} records lost", flush=True)
    return statistics.median(lost) <= MOST.get(mode, 1)


def measure(options, name):
    seconds = int(options.pairs * len(options.modes) * (2 * options.seconds + 15)) + START_SECONDS
    one, found = start(prepare(name, options.folder / name, seconds)), {mode: [] for mode in options.modes}
    try:
        for turn in range(options.pairs):
            for mode in options.modes:
                found[mode].append(pair(options.vprofiler, one, mode, options.seconds, turn % 2))
            print("  " + ", ".join(f"{mode} {found[mode][-1][0].rate / found[mode][-1][1].rate - 1:+.1%}"
                                   for mode in options.modes), flush=True)
    finally:
        end(one.load)
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
