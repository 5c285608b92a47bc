#!/usr/bin/env python3
"""What a timed call costs, beside the least it can cost and beside other tools.

usage: probe.py BUILD [--samples N] [--calls N] [--children K,K] [--threads T,T] [--json FILE]

BUILD is the folder that vprofiler was built in. One program in several variants, run in turns; each prints its own
processor time for a call of a leaf function. Printed are medians of the nanoseconds beyond the plain program, and
the ratios that have a bound. Variants: the bound (two rdtsc and a 16-byte store into a file mapping populated
ahead), the same with the pages written before they are mapped, the two rdtsc alone, a pair of clock_gettime with the
same store, ours recording, ours switched off, ours with no runtime, ours as sites in the code (iterate --live) on
and off, and uftrace -pg and LTTng-UST where they are installed. Exit status 1 where a bound does not hold; what does
not is marked NOT. Many short rounds tell more than few long ones: what disturbs a machine stays for seconds, and is then in all of a short round's variants.
"""
import argparse
import json
import math
import os
import pathlib
import random
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

import probe_work

LEAVES = 500
FLAGS = ["-std=gnu11", "-O2", "-g"]


class Variant:
    """One way to record the program's calls."""

    def __init__(self, name, program, environment=None, command=None, before=None, after=None):
        self.name, self.program = name, program
        self.environment = environment or {}
        self.command = command or []
        self.before, self.after = before, after

    def sample(self, children, calls, threads):
        if self.before:
            self.before()
        arguments = [*self.command, str(self.program), str(children), str(calls), str(threads)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True,
                              env={**os.environ, **self.environment})
        if self.after:
            self.after()
        return float(done.stdout.split()[-1])


class Bench:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.source = folder / "work.c"
        self.source.write_text(probe_work.source(LEAVES))
        self.traces = folder / "traces"
        self.loaded = {"LD_PRELOAD": str(build / "lib/libvprof.so"), "VPROF_TRACE_DIR": str(self.traces)}

    def compile(self, name, *flags, source=None, include=None):
        program = self.folder / name
        if include:
            (self.folder / f"{name}.h").write_text(include)
            flags = ("-include", str(self.folder / f"{name}.h"), *flags)
        subprocess.run(["gcc", *FLAGS, f"-I{self.folder}", str(source or self.source), "-o", str(program),
                        "-pthread", *flags], check=True)
        return program

    def rewritten(self, name, source, *choice, flags=()):
        tree = self.folder / f"tree-{name}"
        tree.mkdir()
        shutil.copy(source, tree)
        subprocess.run([str(self.build / "tests/rewriter/rewrite_tool"), *choice, "--sync", "--pristine",
                        str(self.folder / f"pristine-{name}"), str(tree)], check=True,
                       capture_output=True)
        return self.compile(name, *flags, source=tree / source.name)

    def clear_traces(self):
        shutil.rmtree(self.traces, ignore_errors=True)
        self.traces.mkdir()

    def switch_off(self):
        """The switches of all probes, as docs/vprofiler-trace.5.md says."""
        page = b"vprofct\n" + struct.pack("<II", 1, 4096)
        (self.traces / "control.shm").write_bytes(page.ljust(4096, b"\0") + bytes(1 << 16))

    def ours(self):
        """Calls with sites, and with the probes of compilers and machines for whom there are none."""
        program = self.rewritten("ours", self.source, "--time", "all")
        probes = self.rewritten("probes", self.source, "--time", "all", flags=["-DVPROF_NO_SITES"])
        self.clear_traces()
        return [Variant("ours", program, self.loaded, after=self.clear_traces),
                Variant("ours, off", program, self.loaded, before=self.switch_off, after=self.clear_traces),
                Variant("ours, no runtime", program),
                Variant("probes", probes, self.loaded, after=self.clear_traces),
                Variant("probes, off", probes, self.loaded, before=self.switch_off, after=self.clear_traces),
                Variant("probes, no runtime", probes)]

    def bytes_per_call(self, program, children=100):
        """By what the trace is longer with three times as many calls; 1/1024 of it are chunks' heads."""
        found = {}
        for calls in (1000000, 3000000):
            self.clear_traces()
            subprocess.run([str(program), str(children), str(calls), "1"], check=True, capture_output=True,
                           env={**os.environ, **self.loaded})
            size = sum(path.stat().st_size for path in self.traces.glob("*.vtr"))
            found[calls // children * (children + 1) * 11 // 10] = size  # it calls a tenth more to begin with
        self.clear_traces()
        (fewer, less), (more, size) = found.items()
        return (size - less) / (more - fewer)

    def uftrace(self):
        if not shutil.which("uftrace"):
            return []
        data = self.folder / "uftrace"
        return [Variant("uftrace -pg", self.compile("pg", "-pg"),
                        command=["uftrace", "record", "--no-libcall", "-d", str(data)],
                        after=lambda: shutil.rmtree(data, ignore_errors=True))]

    def lttng(self):
        if not shutil.which("lttng"):
            return []
        (self.folder / "lttng_work.h").write_text(probe_work.LTTNG_PROVIDER)
        try:
            program = self.compile("lttng", "-llttng-ust", "-ldl", include=probe_work.LTTNG)
        except subprocess.CalledProcessError:
            return []  # its headers are not installed
        subprocess.run(["lttng-sessiond", "--daemonize"], capture_output=True)
        output = self.folder / "lttng-data"
        for command in (["create", "probe", f"--output={output}"],
                        ["enable-channel", "-u", "calls", "--subbuf-size=4M", "--num-subbuf=8"],
                        ["enable-event", "-u", "probe_work:*", "-c", "calls"], ["start"]):
            if subprocess.run(["lttng", *command], capture_output=True).returncode != 0:
                return []
        return [Variant("LTTng-UST", program)]

    def variants(self):
        plain = Variant("plain", self.compile("plain"))
        data = {"BOUND_FILE": str(self.folder / "bound.data")}
        bound = Variant("bound", self.compile("bound", include=probe_work.BOUND), data)
        clock = Variant("clock_gettime pair", self.compile("clock", "-DBOUND_MONOTONIC",
                                                           include=probe_work.BOUND), data)
        alone = Variant("two clock reads", self.compile("alone", "-DBOUND_CLOCK_ALONE",
                                                        include=probe_work.BOUND), data)
        written = Variant("bound, written ahead", self.compile("written", "-DBOUND_WRITTEN",
                                                               include=probe_work.BOUND), data)
        return [plain, Variant("plain again", plain.program), alone, bound, written, clock, *self.ours(),
                *self.uftrace(), *self.lttng()]


    def locks(self, samples, pairs=5000000):
        """{threads: [ratio of a wrapped pair to a bare one]}, and that no record was written."""
        source = self.folder / "lock.c"
        source.write_text(probe_work.LOCK)
        bare, ours = self.compile("lock", source=source), self.rewritten("lock-ours", source)
        environment = {**os.environ, **self.loaded}

        def run(program, threads, environment=None):
            done = subprocess.run([str(program), str(pairs), str(threads)], check=True, text=True,
                                  capture_output=True, env=environment)
            return float(done.stdout)

        found = {1: [], 2: []}
        for _ in range(samples):
            for threads in found:
                plain = run(bare, threads)
                found[threads].append((plain, run(ours, threads, environment) / plain))
        written = max(path.stat().st_size for path in self.traces.glob("*.vtr"))
        self.clear_traces()
        if written > 64 << 10:
            raise SystemExit(f"uncontended locks wrote {written} bytes")
        return found


def measure(variants, children, calls, threads, samples):
    """{name: [ns beyond plain]}: each round runs every variant once, in random order, and takes off what the plain
    program took in the two times that it ran; of the second, what the first took."""
    beyond = {variant.name: [] for variant in variants[1:]}
    order = random.Random(1)
    for number in range(samples + 1):
        times = {variant.name: variant.sample(children, calls, threads)
                 for variant in order.sample(variants, len(variants))}
        if number == 0:
            continue  # the first round warms files and caches
        calls_timed = (children + 1) / children  # the root is timed too
        both = (times["plain"] + times["plain again"]) / 2
        for name in beyond:
            plain = times["plain"] if name == "plain again" else both
            beyond[name].append((times[name] - plain) / calls_timed)
    return beyond


def table(title, keys, lines):
    print(f"{title:33}" + "".join(f"{f'K={children} x{threads}':>11}" for children, threads in keys))
    for name, cells in lines.items():
        print(f"{name:33}" + "".join(f"{cell:>11}" for cell in cells))


def ratio(one, other):
    """The median of the rounds' ratios. A round's figures are of one moment; the medians of two rows need not be."""
    return lambda row: statistics.median(a / b if b > 0 else math.inf for a, b in zip(row[one], row[other]))


# what; its figure, of a row of measure; whether it holds
BOUNDS = [
    ("ours / bound <= 1.25", ratio("ours", "bound"), lambda found: found <= 1.25),
    ("ours / bound, written ahead", ratio("ours", "bound, written ahead"), lambda found: True),
    ("ours, off <= 0.5 ns", lambda row: statistics.median(row["ours, off"]), lambda ns: ns <= 0.5),
    ("uftrace -pg / ours >= 5", ratio("uftrace -pg", "ours"), lambda found: found >= 5),
    ("LTTng-UST / ours >= 10", ratio("LTTng-UST", "ours"), lambda found: found >= 10),
    ("probes / bound <= 1.25", ratio("probes", "bound"), lambda found: found <= 1.25),
    ("probes, off", lambda row: statistics.median(row["probes, off"]), lambda ns: True),
    ("uftrace -pg / probes >= 5", ratio("uftrace -pg", "probes"), lambda found: found >= 5),
    ("LTTng-UST / probes >= 10", ratio("LTTng-UST", "probes"), lambda found: found >= 10),
]


def verdicts(rows):
    """({what: [cell]}, how many do not hold); a cell that does not is marked."""
    lines, bad = {}, 0
    for what, value, holds in BOUNDS:
        try:
            values = [value(row) for row in rows.values()]
        except KeyError:
            continue  # the tool is not installed
        lines[what] = [f"{found:.2f}" if holds(found) else f"NOT {found:.2f}" for found in values]
        bad += sum(not holds(found) for found in values)
    return lines, bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--samples", type=int, default=41)
    parser.add_argument("--calls", type=int, default=200000)
    parser.add_argument("--children", default="1,10,100,500")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="probe-") as folder:
        bench = Bench(options.build.resolve(), pathlib.Path(folder))
        variants = bench.variants()
        bytes_per_call = bench.bytes_per_call(next(v.program for v in variants if v.name == "ours"))
        rows = {}
        for threads in map(int, options.threads.split(",")):
            for children in map(int, options.children.split(",")):
                rows[children, threads] = measure(variants, children, options.calls, threads,
                                                  options.samples)
        subprocess.run(["lttng", "destroy", "probe"], capture_output=True) if shutil.which("lttng") else None
        locks = bench.locks(options.samples)
    table("ns a call beyond the plain one's", rows,
          {v.name: [f"{statistics.median(row[v.name]):.1f}" for row in rows.values()] for v in variants[1:]})
    lines, bad = verdicts(rows)
    table("", rows, lines)
    found = [("bytes of trace a call", bytes_per_call, 16.1)]
    for threads, pairs in locks.items():
        bare, ratio = (statistics.median(column) for column in zip(*pairs))
        found.append((f"lock pair / {bare:.1f} ns, x{threads}", ratio, 2))
    for what, value, most in found:
        print(f"{what} <= {most}: {'' if value <= most else 'NOT '}{value:.2f}")
        bad += value > most
    if options.json:
        options.json.write_text(json.dumps({f"{k}x{t}": v for (k, t), v in rows.items()}, indent=1))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
