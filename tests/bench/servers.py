#!/usr/bin/env python3
"""What vprofiler costs a server under load: memcached and redis, with 100 and with 500 functions timed.

usage: servers.py [--work FOLDER] [--pairs N] [--seconds S] BUILD PROJECT...

BUILD is the folder that vprofiler was built in. Each server (Debian's source package, its own build, -O2) is built as
it is, and with functions timed that are taken evenly out of all, and all synchronization wrapped. Closed-loop
clients load the variants in turns, the runtime preloaded and recording where there are probes; a turn's figures are
taken relative to the plain server's of the same turn. Prints medians; exits 1 where throughput or mean latency
are further away than the bound.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "realcode"))
from check import Check

BOUNDS = {100: 3.0, 500: 8.0}  # per cent, by number of functions timed
CLIENTS, VALUE_BYTES = 8, 200
Server = collections.namedtuple("Server", "program command port")
SERVERS = {
    "memcached": Server("memcached", "{program} -u root -l 127.0.0.1 -p 22122 -U 0 -t 2 -m 64", 22122),
    "redis": Server("src/redis-server", "{program} --port 22123 --save '' --bind 127.0.0.1", 22123),
}


class Subject(Check):
    """A server in its variants: programs[0] plain, programs[n] with n functions timed."""

    def __init__(self, name, build, work):
        super().__init__(name, build, work, os.cpu_count())
        self.server, self.programs, self.bytes = SERVERS[name], {}, {}

    def prepare(self):
        self.unpack()
        self.restore()
        self.configure()
        self.log = self.folder / "compile.log"
        self.log.unlink(missing_ok=True)
        self.build_variant(0, {"LD_PRELOAD": str(self.build / "lib/libvprof_record.so"),
                               "VPROF_COMPILE_LOG": str(self.log)})
        for count in BOUNDS:
            self.rewrite(["--time", ",".join(self.chosen_functions(count))])
            self.build_variant(count)
        self.rewrite([])

    def rewrite(self, choice):
        tool = [str(self.build / "tests/rewriter/rewrite_tool"), "--log", str(self.log), "--cache",
                str(self.folder / "facts"), "--pristine", str(self.folder / "pristine")]
        done = subprocess.run([*tool, "--functions", "--sync", *choice, str(self.tree)], text=True,
                              capture_output=True)
        if done.returncode != 0:
            raise SystemExit(f"{self.name}: the rewriter failed: {done.stderr}")
        return done.stdout

    def chosen_functions(self, count):
        """Evenly out of all, by name: hot and cold as they come."""
        names = sorted(set(re.findall(r"^\S+:\d+ (\S+):", self.rewrite([]), re.M)))
        return [names[i * len(names) // count] for i in range(min(count, len(names)))]

    def build_variant(self, count, environment=None):
        ok, _ = self.compile(f"with-{count}", environment)
        if not ok:
            raise SystemExit(f"{self.name}: the build with {count} functions fails, see {self.folder}")
        self.programs[count] = self.folder / f"server-{count}"
        shutil.copy(self.tree / self.server.program, self.programs[count])

    def turn(self, count, load, seconds):
        """(requests a second, mean us, p99 us) of one run under load."""
        traces = self.folder / "traces"
        shutil.rmtree(traces, ignore_errors=True)
        traces.mkdir()
        environment = dict(os.environ)
        if count:
            environment.update(LD_PRELOAD=str(self.build / "lib/libvprof.so"),
                               VPROF_TRACE_DIR=str(traces))
        command = self.server.command.format(program=self.programs[count])
        process = subprocess.Popen("exec " + command, shell=True, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        clients = [str(load), self.name, str(self.server.port), str(CLIENTS)]
        try:
            subprocess.run([*clients, "1", str(VALUE_BYTES)], check=True, capture_output=True)
            done = subprocess.run([*clients, str(seconds), str(VALUE_BYTES)], check=True,
                                  capture_output=True, text=True)
        finally:
            process.terminate()
            process.wait()
        if count and not any(path.stat().st_size > 1 << 20 for path in traces.glob("*.vtr")):
            raise SystemExit(f"{self.name}: the runtime recorded nothing")
        found = re.match(r"(\d+) requests, mean (\S+) us, p99 (\S+) us", done.stdout)
        rate = int(found[1]) / seconds
        written = sum(path.stat().st_blocks * 512 for path in traces.glob("*.vtr"))
        self.bytes[count] = written / (rate * (seconds + 1))
        shutil.rmtree(traces)
        return rate, float(found[2]), float(found[3])


def measure(subject, load, pairs, seconds):
    """{functions: [(throughput, mean, p99), ...]} as ratios to the plain server of the same turn."""
    ratios = {count: [] for count in BOUNDS}
    for number in range(pairs):
        counts = list(subject.programs)
        if number % 2:
            counts.reverse()
        found = {count: subject.turn(count, load, seconds) for count in counts}
        for count in BOUNDS:
            ratios[count].append([a / b for a, b in zip(found[count], found[0])])
        time.sleep(0.2)
    return ratios


def report(subject, ratios):
    bad = 0
    for count, bound in BOUNDS.items():
        throughput, mean, p99 = (100 * (statistics.median(column) - 1) for column in zip(*ratios[count]))
        holds = throughput >= -bound and mean <= bound
        bad += not holds
        calls = subject.bytes[count] / 16
        print(f"{subject.name:10} {count:4} functions, {calls:5.1f} records a request: throughput {throughput:+6.1f} %, mean "
              f"{mean:+6.1f} %, p99 {p99:+6.1f} %   within {bound:.0f} %: {'holds' if holds else 'DOES NOT HOLD'}",
              flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("projects", nargs="+", choices=SERVERS)
    options = parser.parse_args()
    work = (options.work or pathlib.Path(tempfile.mkdtemp(prefix="servers-"))).resolve()
    work.mkdir(parents=True, exist_ok=True)
    load = work / "load"
    subprocess.run(["cc", "-O2", str(HERE.parent / "servers/load.c"), "-o", str(load), "-lpthread"],
                   check=True)
    bad = 0
    for name in options.projects:
        subject = Subject(name, options.build.resolve(), work)
        subject.prepare()
        bad += report(subject, measure(subject, load, options.pairs, options.seconds))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
