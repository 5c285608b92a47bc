#!/usr/bin/env python3
"""What vprofiler costs a server under load: memcached and redis, with 100 and with 500 functions timed.

usage: servers.py [--work FOLDER] [--pairs N] [--seconds S] [--prepare | --prepared] [--clock-alone] BUILD PROJECT...

BUILD is the folder that vprofiler was built in. Each server (Debian's source package, its own build, -O2) is built as
it is, and with functions timed and all synchronization wrapped. The functions are taken evenly out of all, hot leaves
as they come, or are those nearest to the request's handler in the call graph, breadth first, as `vprofiler iterate`
opens them. Closed-loop clients load the variants in turns, the runtime preloaded and recording where there are
probes; a turn's figures are taken relative to the plain server's of the same turn. Prints medians, and beside them what
the least that recording can cost (probe.py's bound) would take of the server's processor time with as many records;
exits 1 where throughput or mean latency are further away than the aim. --prepare only builds, --prepared only measures.
--clock-alone leaves of the probes but two reads of the clock a call, on x86-64: what no other tool could leave out.
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
import probe
import probe_work
from check import Check

AIMS = {100: 3.0, 500: 8.0}  # per cent, by number of functions timed
PLAIN = "plain"
VARIANTS = [(choice, count) for choice in ("even", "near") for count in AIMS]
CLIENTS, VALUE_BYTES = 8, 200
# `roots`: the request's handler, and what it calls through pointers under this load.
Server = collections.namedtuple("Server", "program command port roots")
SERVERS = {
    "memcached": Server("memcached", "{program} -u root -l 127.0.0.1 -p 22122 -U 0 -t 2 -m 64", 22122,
                        ["drive_machine", "try_read_command_ascii"]),
    "redis": Server("src/redis-server", "{program} --port 22123 --save '' --bind 127.0.0.1", 22123,
                    ["readQueryFromClient", "getCommand", "setCommand"]),
}


class Subject(Check):
    """A server in its variants: programs[PLAIN], programs["near", 100] with 100 functions timed, and so on."""

    def __init__(self, name, build, work):
        super().__init__(name, build, work, os.cpu_count())
        self.server, self.programs = SERVERS[name], {}
        self.records, self.user_us, self.system_us = {}, {}, {}  # a request, of the last turn

    def prepare(self):
        self.unpack()
        self.restore()
        self.configure()
        self.log = self.folder / "compile.log"
        self.log.unlink(missing_ok=True)
        self.build_variant(PLAIN, {"LD_PRELOAD": str(self.build / "lib/libvprof_record.so"),
                                   "VPROF_COMPILE_LOG": str(self.log)})
        for variant in VARIANTS:
            self.rewrite(["--time", ",".join(self.chosen_functions(*variant))])
            self.build_variant(variant)
        self.rewrite([])

    def program(self, variant):
        return self.folder / ("server-" + "-".join(map(str, [variant] if variant == PLAIN else variant)))

    def use_prepared(self):
        self.programs = {variant: self.program(variant) for variant in [PLAIN, *VARIANTS]}

    def rewrite(self, choice):
        tool = [str(self.build / "tests/rewriter/rewrite_tool"), "--log", str(self.log), "--cache",
                str(self.folder / "facts"), "--pristine", str(self.folder / "pristine")]
        done = subprocess.run([*tool, "--functions", "--sync", *choice, str(self.tree)], text=True,
                              capture_output=True)
        if done.returncode != 0:
            raise SystemExit(f"{self.name}: the rewriter failed: {done.stderr}")
        return done.stdout

    def chosen_functions(self, choice, count):
        """Evenly out of all by name, or by their distance from the request's handler."""
        callees = {name: rest.split() for name, rest in
                   re.findall(r"^\S+:\d+ (\S+)(?: \[\w+\])*:(.*)", self.rewrite([]), re.M)}
        if choice == "even":
            names = sorted(callees)
            return [names[i * len(names) // count] for i in range(min(count, len(names)))]
        found = list(self.server.roots)
        for name in found:
            found += [callee for callee in dict.fromkeys(callees[name])
                      if callee in callees and callee not in found]
        return found[:count]

    def build_variant(self, variant, environment=None):
        program = self.program(variant)
        ok, _ = self.compile(program.name, environment)
        if not ok:
            raise SystemExit(f"{program.name}: the build fails, see {self.folder}")
        self.programs[variant] = program
        shutil.copy(self.tree / self.server.program, program)

    def environment(self, variant, traces):
        if variant == PLAIN:
            return {}
        return {"LD_PRELOAD": str(self.build / "lib/libvprof.so"), "VPROF_TRACE_DIR": str(traces)}

    def records_calls(self, variant):
        return variant != PLAIN

    def turn(self, variant, load, seconds):
        """(requests a second, mean us, p99 us) of one run under load."""
        traces = self.folder / "traces"
        shutil.rmtree(traces, ignore_errors=True)
        traces.mkdir()
        environment = {**os.environ, **self.environment(variant, traces)}
        command = self.server.command.format(program=self.programs[variant])
        process = subprocess.Popen("exec " + command, shell=True, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        clients = [str(load), self.name, str(self.server.port), str(CLIENTS)]
        try:
            subprocess.run([*clients, "1", str(VALUE_BYTES)], check=True, capture_output=True)
            before = spent_us(process.pid)
            done = subprocess.run([*clients, str(seconds), str(VALUE_BYTES)], check=True,
                                  capture_output=True, text=True)
            after = spent_us(process.pid)
        finally:
            process.terminate()
            process.wait()
        written = sum(path.stat().st_blocks * 512 for path in traces.glob("*.vtr"))
        if self.records_calls(variant) and written < 1 << 20:
            raise SystemExit(f"{self.name}: the runtime recorded nothing")
        found = re.match(r"(\d+) requests, mean (\S+) us, p99 (\S+) us", done.stdout)
        rate = int(found[1]) / seconds
        self.records[variant] = written / 16 / (rate * (seconds + 1))
        self.user_us[variant], self.system_us[variant] = ((b - a) / int(found[1]) for a, b in zip(before, after))
        shutil.rmtree(traces)
        return rate, float(found[2]), float(found[3])


class ClockAlone(Subject):
    """Its probes read the clock and return."""

    # rdtsc; movq $1, (%rdi), for the exit to be one; ret
    CODE = {"vprof_call_enter_1": bytes.fromhex("0f3148c70701000000c3"),
            "vprof_call_leave_1": bytes.fromhex("0f31c3")}

    def use_prepared(self):
        super().use_prepared()
        for variant in VARIANTS:
            program = self.folder / "server-clock-{}-{}".format(*variant)
            shutil.copy(self.programs[variant], program)
            image = bytearray(program.read_bytes())
            for name, code in self.CODE.items():
                at = code_offset(program, name)
                image[at:at + len(code)] = code
            program.write_bytes(image)
            self.programs[variant] = program

    def records_calls(self, variant):
        return False


def code_offset(program, name):
    """Where in the file a function's code is."""
    symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    segments = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
    address = int(re.search(rf"^(\S+) \S {name}$", symbols, re.M)[1], 16)
    loads = [[int(number, 16) for number in load]
             for load in re.findall(r"LOAD +0x(\S+) 0x(\S+) \S+ 0x(\S+)", segments)]
    return next(offset + address - start for offset, start, size in loads if start <= address < start + size)


def spent_us(pid):
    """The process' user and system time."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return [int(field) * 1e6 / os.sysconf("SC_CLK_TCK") for field in fields[11:13]]


def build_load(work):
    load = work / "load"
    subprocess.run(["cc", "-O2", str(HERE.parent / "servers/load.c"), "-o", str(load), "-lpthread"], check=True)
    return load


def least_ns(build, work):
    """[ns of two clock reads, and of the bound], for a call among 100 functions."""
    folder = work / "probe"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    bench = probe.Bench(build, folder)
    data = {"BOUND_FILE": str(folder / "bound.data")}
    variants = [probe.Variant("plain", bench.compile("plain")),
                probe.Variant("clock", bench.compile("alone", "-DBOUND_CLOCK_ALONE", include=probe_work.BOUND), data),
                probe.Variant("bound", bench.compile("bound", include=probe_work.BOUND), data)]
    beyond = probe.measure(variants, 100, 300000, 1, 9)
    return [statistics.median(beyond[name]) for name in ("clock", "bound")]


def measure(subject, load, pairs, seconds):
    """{variant: [(throughput, mean, p99), ...]} as ratios to the plain server of the same turn."""
    ratios = {variant: [] for variant in VARIANTS}
    for number in range(pairs):
        order = list(subject.programs)
        if number % 2:
            order.reverse()
        found = {variant: subject.turn(variant, load, seconds) for variant in order}
        for variant in VARIANTS:
            ratios[variant].append([a / b for a, b in zip(found[variant], found[PLAIN])])
        time.sleep(0.2)
    return ratios


def report(subject, ratios, least):
    bad = 0
    plain_us = subject.user_us[PLAIN] + subject.system_us[PLAIN]
    print(f"{subject.name}: {plain_us:.1f} us of its processor a request")
    for variant in VARIANTS:
        choice, count = variant
        throughput, mean, p99 = (100 * (statistics.median(column) - 1) for column in zip(*ratios[variant]))
        holds = throughput >= -AIMS[count] and mean <= AIMS[count]
        bad += not holds
        records = subject.records[variant]
        clock, bound = (records * ns / 10 / plain_us for ns in least)
        print(f"{subject.name:10} {choice} {count:4}, {records:5.1f} records a request: throughput {throughput:+6.1f} %, "
              f"mean {mean:+6.1f} %, p99 {p99:+6.1f} %; clock reads alone {clock:.1f} %, bound {bound:.1f} % of "
              f"its processor   within {AIMS[count]:.0f} %: {'holds' if holds else 'DOES NOT HOLD'}", flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--prepared", action="store_true")
    parser.add_argument("--clock-alone", action="store_true")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("projects", nargs="+", choices=SERVERS)
    options = parser.parse_args()
    work = (options.work or pathlib.Path(tempfile.mkdtemp(prefix="servers-"))).resolve()
    work.mkdir(parents=True, exist_ok=True)
    load = build_load(work)
    kind = ClockAlone if options.clock_alone else Subject
    subjects = [kind(name, options.build.resolve(), work) for name in options.projects]
    for subject in subjects:
        if options.prepared or options.clock_alone:
            subject.use_prepared()
        else:
            subject.prepare()
    if options.prepare:
        return 0
    least = least_ns(options.build.resolve(), work)
    print(f"two clock reads {least[0]:.1f} ns, bound {least[1]:.1f} ns a call")
    return bool(sum(report(subject, measure(subject, load, options.pairs, options.seconds), least)
                    for subject in subjects))


if __name__ == "__main__":
    sys.exit(main())
