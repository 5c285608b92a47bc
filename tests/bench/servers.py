#!/usr/bin/env python3
"""What vprofiler costs a server under load: memcached and redis, with 100 and with 500 functions timed.

usage: servers.py [--work FOLDER] [--turns N] [--seconds S] [--prepare | --prepared] [--choice even|carried|near]
                  [--functions 100|500] [--other-runtime LIBRARY] BUILD PROJECT...

BUILD is the folder that vprofiler was built in. Each server (Debian's source package, its own build, -O2) is built as
it is, and with functions timed and all synchronization wrapped. The functions are taken evenly out of all, hot leaves
as they come; or evenly out of those that `vprofiler iterate --live` carries, which are not short; or are those nearest
to the request's handler in the call graph, breadth first, as `vprofiler iterate` opens them. Each turn loads every
variant by closed-loop clients, in random order: the plain server twice; with its synchronization wrapped and nothing
timed; with functions timed, the runtime recording; and with --clock the same where each call reads the clock twice and
does nothing else, which is what no tool could leave out (x86-64). A turn's figures are taken relative to the mean of its two plain servers.
Prints their medians and the medians' 95 % intervals, for the plain server, too: what that shows is noise. Exits 1
where an interval of throughput or mean latency lies beyond the aim; one that holds the aim decides nothing: more
turns do, and fewer servers in each. --functions measures with as many only. --prepare only builds, --prepared only
measures.
--other-runtime runs the same programs with another libvprof.so, too, in the same turns.
"""
import argparse
import collections
import math
import os
import pathlib
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "realcode"))
from check import Check

AIMS = {100: 3.0, 500: 8.0}  # per cent, by number of functions timed
CHOICES = ("even", "carried", "near")
# `file` is the name of what --prepare builds; `off`: the runtime is there, and all probes are switched off; `library`:
# the runtime, in the build's folder.
Variant = collections.namedtuple("Variant", "name file runtime off aim library",
                                 defaults=(False, False, None, "lib/libvprof.so"))
PLAIN, AGAIN = Variant("plain", "plain"), Variant("plain again", "plain")
HOOKS = Variant("synchronization alone", "none-0", runtime=True)
Run = collections.namedtuple("Run", "rate mean_us p99_us processor_us records")  # the last two of a request
CLIENTS, VALUE_BYTES, FIRST_PORT = 8, 200, 22120
# `roots`: the request's handler, and what it calls through pointers under this load.
Server = collections.namedtuple("Server", "program command roots")
SERVERS = {
    "memcached": Server("memcached", "{program} -u root -l 127.0.0.1 -p {port} -U 0 -t 2 -m 64",
                        ["drive_machine", "try_read_command_ascii"]),
    "redis": Server("src/redis-server", "{program} --port {port} --save '' --bind 127.0.0.1",
                    ["readQueryFromClient", "getCommand", "setCommand"]),
}


def timed(choice, count):
    return Variant(f"{count} {choice}", f"{choice}-{count}", runtime=True, aim=AIMS[count])


def with_other(library):
    """Makes the same by another runtime."""
    def make(choice, count):
        return timed(choice, count)._replace(name=f"{count} {choice}, other runtime", library=library)
    return make


def clock_alone(library, work):
    """Makes the same with a runtime that reads the clock at a call's entry and at its exit, and returns."""
    # mov %rdx, %r10; rdtsc; mov %r10, %rdx; ret, and the same with %rax kept in %r8
    codes = {"site_hit_enter": "4989d2 0f31 4c89d2 c3", "site_hit_leave": "4989c0 4989d2 0f31 4c89c0 4c89d2 c3"}
    copy = patched(library, work / "libvprof-clock.so",
                   {code_offset(library, name): code for name, code in codes.items()})
    return lambda choice, count: Variant(f"{count} {choice}, clock alone", f"{choice}-{count}", runtime=True,
                                         library=copy)


class Subject(Check):
    """A server in its variants."""

    def __init__(self, name, build, work):
        super().__init__(name, build, work, os.cpu_count())
        self.server = SERVERS[name]

    def prepare(self, choices):
        self.unpack()
        self.restore()
        self.configure()
        self.log = self.folder / "compile.log"
        self.log.unlink(missing_ok=True)
        self.build_program(PLAIN.file, {"LD_PRELOAD": str(self.build / "lib/libvprof_record.so"),
                                        "VPROF_COMPILE_LOG": str(self.log)})
        for choice, count in [(choice, count) for choice in choices for count in AIMS]:
            self.rewrite(["--time", ",".join(self.chosen_functions(choice, count))])
            self.build_program(timed(choice, count).file)
        self.rewrite([])
        self.build_program(HOOKS.file)

    def program(self, file):
        return self.folder / f"server-{file}"

    def rewrite(self, choice):
        tool = [str(self.build / "tests/rewriter/rewrite_tool"), "--log", str(self.log), "--cache",
                str(self.folder / "facts"), "--pristine", str(self.folder / "pristine")]
        done = subprocess.run([*tool, "--functions", "--sync", *choice, str(self.tree)], text=True,
                              capture_output=True)
        if done.returncode != 0:
            raise SystemExit(f"{self.name}: the rewriter failed: {done.stderr}")
        return done.stdout

    def chosen_functions(self, choice, count):
        """Evenly by name, out of all or of those not short; or by their distance from the request's handler."""
        listed = re.findall(r"^\S+:\d+ (\S+)((?: \[\w+\])*):(.*)", self.rewrite(["--lean"]), re.M)
        callees = {name: rest.split() for name, _, rest in listed}
        if choice != "near":
            short = {name for name, flags, _ in listed if choice == "carried" and "[short]" in flags}
            names = sorted(callees.keys() - short)
            count = min(count, len(names))
            return [names[i * len(names) // count] for i in range(count)]
        found = list(self.server.roots)
        for name in found:
            found += [callee for callee in dict.fromkeys(callees[name])
                      if callee in callees and callee not in found]
        return found[:count]

    def build_program(self, file, environment=None):
        program = self.program(file)
        ok, _ = self.compile(program.name, environment)
        if not ok:
            raise SystemExit(f"{program.name}: the build fails, see {self.folder}")
        shutil.copy(self.tree / self.server.program, program)


class Running:
    """A server of one variant."""

    def __init__(self, subject, variant, number):
        self.subject, self.variant, self.port = subject, variant, FIRST_PORT + number
        self.traces = subject.folder / f"traces-{number}"
        shutil.rmtree(self.traces, ignore_errors=True)
        self.traces.mkdir()
        command = subject.server.command.format(program=subject.program(variant.file), port=self.port)
        self.process = subprocess.Popen("exec " + command, shell=True, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env={**os.environ, **self.environment()})

    def environment(self):
        if self.variant.off:  # as docs/vprofiler-trace.5.md says
            head = b"vprofct\n" + struct.pack("<II", 1, 4096)
            (self.traces / "control.shm").write_bytes(head.ljust(4096, b"\0") + bytes(1 << 16))
        if not self.variant.runtime:
            return {}
        return {"LD_PRELOAD": str(self.subject.build / self.variant.library), "VPROF_TRACE_DIR": str(self.traces)}

    def spent_us(self):
        """The processor time of its threads, user and system."""
        threads = pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e3

    def written_bytes(self):
        return sum(path.stat().st_blocks * 512 for path in self.traces.glob("*.vtr"))

    def state(self):
        return self.spent_us(), self.written_bytes()

    def run(self, seconds, requests, mean_us, p99_us, before):
        spent_us, written = (b - a for a, b in zip(before, self.state()))
        if self.variant.aim and written < 1 << 20:
            raise SystemExit(f"{self.subject.name}: the runtime recorded nothing")
        return Run(requests / seconds, mean_us, p99_us, spent_us / requests, written / 16 / requests)

    def terminate(self):
        self.process.terminate()

    def clear(self):
        self.process.wait()
        shutil.rmtree(self.traces)


def code_offset(program, name):
    """Where in the file a function's code is."""
    symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    segments = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
    address = int(re.search(rf"^(\S+) \S {name}$", symbols, re.M)[1], 16)
    loads = [[int(number, 16) for number in load]
             for load in re.findall(r"LOAD +0x(\S+) 0x(\S+) \S+ 0x(\S+)", segments)]
    return next(offset + address - start for offset, start, size in loads if start <= address < start + size)


def patched(library, copy, codes):
    """A copy of the runtime with other bytes, in hex, at some offsets of its file."""
    image = bytearray(library.read_bytes())
    for at, code in codes.items():
        code = bytes.fromhex(code)
        image[at:at + len(code)] = code
    copy.write_bytes(image)
    return copy


def build_load(work):
    load = work / "load"
    subprocess.run(["cc", "-O2", str(HERE.parent / "servers/load.c"), "-o", str(load), "-lpthread"], check=True)
    return load


def load_all(load, running, seconds, mix):
    """[(requests, mean us, p99 us) of each]"""
    ports = ",".join(str(server.port) for server in running)
    done = subprocess.run([str(load), running[0].subject.name, ports, str(CLIENTS), str(seconds), str(VALUE_BYTES),
                           mix], check=True, capture_output=True, text=True)
    return [[float(number) for number in line]
            for line in re.findall(r"(\d+) requests, mean (\S+) us, p99 (\S+) us", done.stdout)]


def turn(subject, variants, load, seconds):
    """{variant: Run}: all servers are there at once and loaded by turns, with all keys in them."""
    running = []
    try:
        for number, variant in enumerate(variants):
            running.append(Running(subject, variant, number))
        load_all(load, running, 0.3, "set")
        before = [server.state() for server in running]
        found = load_all(load, running, seconds, "get")
        return {server.variant: server.run(seconds, *of, state) for server, of, state in zip(running, found, before)}
    finally:
        for server in running:
            server.terminate()
        for server in running:
            server.clear()


def measure(subject, variants, load, turns, seconds):
    """{variant: [Run of each turn]}"""
    order = random.Random(1)
    found = [turn(subject, order.sample(variants, len(variants)), load, seconds) for _ in range(turns)]
    return {variant: [runs[variant] for runs in found] for variant in variants}


def interval(values):
    """Of the median: between two of the values, so far apart that they miss it in at most 5 % of cases. Five turns
    are too few for that."""
    values, n = sorted(values), len(values)
    outer = sum(sum(math.comb(n, k) for k in range(i + 1)) <= 0.025 * 2**n for i in range(n))
    return (values[outer - 1], values[n - outer]) if outer else (-math.inf, math.inf)


def changes(column, run, reference):
    """One figure of each turn, in per cent of the reference's beyond it."""
    return [100 * (getattr(a, column) / statistics.mean(getattr(b, column) for b in b_of) - 1)
            for a, *b_of in zip(run, *reference)]


def verdict(aim, throughput, mean):
    """Both are within the aim, by their intervals; one is beyond it; or neither is known."""
    low, high = interval(throughput)
    losses = [(-high, -low), interval(mean)]
    if all(most <= aim for _, most in losses):
        return "holds"
    return "DOES NOT HOLD" if any(least > aim for least, _ in losses) else "undecided"


def report(subject, runs):
    plain = [statistics.median(column) for column in zip(*runs[PLAIN], *runs[AGAIN])]
    print(f"{subject.name}: {plain[0]:.0f} requests a second, mean {plain[1]:.1f} us, p99 {plain[2]:.0f} us, "
          f"{plain[3]:.2f} us of its processor a request; {len(runs[PLAIN])} turns")
    bad = 0
    for variant, found in runs.items():
        if variant == PLAIN:
            continue
        reference = [runs[PLAIN]] if variant == AGAIN else [runs[PLAIN], runs[AGAIN]]
        columns = {name: changes(name, found, reference) for name in ("rate", "mean_us", "p99_us", "processor_us")}
        text = ", ".join("{} {:+.1f} % ({:+.1f} to {:+.1f})".format(name, statistics.median(column), *interval(column))
                         for name, column in zip(("throughput", "mean", "p99", "processor"), columns.values()))
        holds = verdict(variant.aim, columns["rate"], columns["mean_us"]) if variant.aim else ""
        bad += holds == "DOES NOT HOLD"
        print(f"  {variant.name:25} {statistics.median(run.records for run in found):5.1f} records a request; {text}"
              f"{f'; within {variant.aim:.0f} %: {holds}' if holds else ''}", flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--prepared", action="store_true")
    parser.add_argument("--choice", choices=CHOICES, action="append")
    parser.add_argument("--functions", type=int, choices=AIMS, action="append")
    parser.add_argument("--clock", action="store_true")
    parser.add_argument("--other-runtime", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("projects", nargs="+", choices=SERVERS)
    options = parser.parse_args()
    work = (options.work or pathlib.Path(tempfile.mkdtemp(prefix="servers-"))).resolve()
    work.mkdir(parents=True, exist_ok=True)
    load = build_load(work)
    subjects = [Subject(name, options.build.resolve(), work) for name in options.projects]
    for subject in subjects if not options.prepared else []:
        subject.prepare(options.choice or CHOICES)
    if options.prepare:
        return 0
    makers = [timed]
    if options.clock:
        makers.append(clock_alone(options.build.resolve() / "lib/libvprof.so", work))
    if options.other_runtime:
        makers.append(with_other(options.other_runtime.resolve()))
    variants = [PLAIN, AGAIN, HOOKS] + [make(choice, count) for choice in options.choice or CHOICES
                                        for count in options.functions or AIMS for make in makers]
    return bool(sum(report(subject, measure(subject, variants, load, options.turns, options.seconds))
                    for subject in subjects))


if __name__ == "__main__":
    sys.exit(main())
