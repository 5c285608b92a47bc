#!/usr/bin/env python3
"""How long the rewriter takes on real programs, in units of their own build.

usage: rewriter.py [--work FOLDER] [--jobs N] [--pairs N] BUILD PROJECT...
       PROJECT: redis, postgresql

BUILD is the folder that vprofiler was built in. Each project is fetched, configured and built once while its
compile commands are recorded. A pair is then its clean build and, on a copy of the built tree, the rewriter
with an empty cache, again and again until the build is done. The two take turns of a second, one stopped
while the other runs, so that whatever else the machine does meets both alike. Then the same with nothing
changed; three functions opened; none opened. Prints what each took, as medians of ratios, and exits 1
where one is over its bound.
"""
import argparse
import hashlib
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "realcode"))
import line_table
from check import Check

OPENED = {"redis": ["processCommand", "lookupKey", "dictRehash"],
          "postgresql": ["exec_simple_query", "heap_getnext", "ExecInitNode"]}
COLD_BOUND, UNCHANGED_BOUND, MEMORY_BOUND_MIB = 0.5, 0.02, 1024


class Took:
    """Seconds of wall and of processor time, the peak of memory, and what was printed."""

    def __init__(self, command, folder=None, environment=None):
        self.command, self.wall, self.done = command, 0.0, False
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, cwd=folder, env=environment, stdout=self.output,
                                        stderr=subprocess.STDOUT, shell=isinstance(command, str),
                                        start_new_session=True)
        os.killpg(self.process.pid, signal.SIGSTOP)

    def turn(self, seconds):
        """Let it run for so long, or to its end. Only its turns count."""
        start = time.monotonic()
        os.killpg(self.process.pid, signal.SIGCONT)
        while not self.done and time.monotonic() - start < seconds:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.end(os.waitstatus_to_exitcode(status), usage)
            else:
                time.sleep(0.002)
        self.wall += time.monotonic() - start
        if not self.done:
            os.killpg(self.process.pid, signal.SIGSTOP)
        return self

    def end(self, status, usage):
        self.done, self.process.returncode = True, status
        self.output.seek(0)
        self.text = self.output.read()
        self.cpu = usage.ru_utime + usage.ru_stime
        self.mebibytes = usage.ru_maxrss // 1024
        if status != 0:
            raise SystemExit(f"{self.command} ends with {status}:\n{self.text[-2000:]}")

    def whole(self):
        while not self.done:
            self.turn(1)
        return self

    def give_up(self):
        if not self.done:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def count(self, pattern):
        return int(re.search(pattern, self.text)[1])


class Bench(Check):
    def prepare(self):
        self.version = self.unpack()
        if not (self.folder / "configured").exists():
            self.configure()
            (self.folder / "configured").touch()
        log, copy = self.folder / "compile.log", self.folder / "copy"
        if not copy.exists():
            log.unlink(missing_ok=True)
            for command in self.project.clean:
                self.shell(command, "clean")
            ok, _ = self.compile("plain", {"LD_PRELOAD": str(self.build / "lib/libvprof_record.so"),
                                           "VPROF_COMPILE_LOG": str(log)})
            if not ok or not log.exists():
                raise SystemExit(f"{self.name}: no build, see {self.folder}/build-plain.txt")
            subprocess.run(["cp", "-a", str(self.tree), str(copy)], check=True)
        self.copy, self.log = copy, self.folder / "copy.log"
        self.log.write_bytes(log.read_bytes().replace(bytes(self.tree), bytes(copy)))

    def own_build(self):
        for command in self.project.clean:
            self.shell(command, "clean")
        return Took(self.project.build.replace("{jobs}", str(self.jobs)), self.tree,
                    {**os.environ, "LC_ALL": "C.UTF-8"})

    def rewriter(self, *options):
        return Took([str(self.build / "tests/rewriter/rewrite_tool"), "--log", str(self.log),
                     "--jobs", str(self.jobs), "--cache", str(self.folder / "facts"), "--pristine",
                     str(self.folder / "pristine"), "--table", str(self.folder / "functions.json"),
                     *options, str(self.copy)])

    def texts(self, files):
        return {file: hashlib.sha256((self.copy / file).read_bytes()).digest() for file in files}

    def check_opened(self, opened, files, before):
        """Only the files that hold the opened functions are other ones now."""
        names = OPENED[self.name]
        table = line_table.functions(self.folder / "functions.json")
        homes = {file for file, _, name in table if name in names}
        now = self.texts(files)
        changed = {file for file in files if now[file] != before[file]}
        if changed != homes or len(homes) != len(names):
            self.fail(f"opening {names} in {sorted(homes)} rewrites {sorted(changed)}")
        written = opened.count(r"files written (\d+)")
        if written != len(changed):
            self.fail(f"{written} files written, {len(changed)} changed")
        return sorted(changed)

    def from_nothing(self):
        shutil.rmtree(self.folder / "facts", ignore_errors=True)
        return self.rewriter()

    def take_turns(self):
        """The build, and the rewriter as often as it takes."""
        build, cold = self.own_build(), [self.from_nothing()]
        try:
            while not build.done:
                build.turn(1)
                if cold[-1].turn(1).done:
                    cold.append(self.from_nothing())
            whole = cold[:-1] or [cold[-1].whole()]
        finally:
            for took in [build, *cold]:
                took.give_up()
        for clock in ("wall", "cpu"):
            setattr(whole[0], clock, statistics.mean(getattr(took, clock) for took in whole))
        self.from_nothing().whole()
        return build, whole[0]

    def pair(self):
        build, cold = self.take_turns()
        unchanged = self.rewriter().whole()
        if unchanged.count(r"parsed (\d+)") or unchanged.count(r"files written (\d+)"):
            self.fail("the round that changes nothing parses or writes: " + unchanged.text[-200:])
        files = {file for file, _, _ in line_table.functions(self.folder / "functions.json")}
        before = self.texts(files)
        names = ",".join(OPENED[self.name])
        opened = self.rewriter("--time", names, "--open", names).whole()
        self.changed = self.check_opened(opened, files, before)
        if opened.count(r"parsed (\d+)"):
            self.fail("opening functions parses")
        self.rewriter().whole()
        if self.texts(files) != before:
            self.fail("with nothing opened again, files are not what they were")
        self.units = cold.count(r"parsed (\d+)")
        return {"build": build, "cold": cold, "unchanged": unchanged, "opened": opened}

    def judge(self, pairs, what, unit, bound):
        """Median over the pairs of the ratio to what `unit` took in the same pair."""
        wall, cpu = (statistics.median(getattr(pair[what], clock) / getattr(pair[unit], clock)
                                       for pair in pairs) for clock in ("wall", "cpu"))
        verdict = "" if bound is None else f"  bound {bound}: {'met' if wall < bound else 'MISSED'}"
        print(f"  {what:9} / {unit:5} wall {wall:.4f}, CPU {cpu:.4f}{verdict}")
        if bound is not None and wall >= bound:
            self.fail(f"{what} / {unit} is {wall:.4f}, over {bound}")

    def run(self, count):
        self.prepare()
        pairs = []
        for number in range(count):
            pairs.append(self.pair())
            print(f"  {self.name} pair {number + 1}: " + "; ".join(
                f"{what} wall {took.wall:.2f} s CPU {took.cpu:.2f} s"
                for what, took in pairs[-1].items()), flush=True)
        peak = max(pair[what].mebibytes for pair in pairs for what in ("cold", "unchanged", "opened"))
        print(f"{self.name} {self.version}: {self.units} compilations, {self.jobs} at once")
        self.judge(pairs, "cold", "build", COLD_BOUND)
        self.judge(pairs, "unchanged", "build", UNCHANGED_BOUND)
        self.judge(pairs, "unchanged", "cold", None)
        self.judge(pairs, "opened", "build", None)
        print(f"  opened {len(OPENED[self.name])} functions, rewrote {', '.join(self.changed)}")
        print(f"  peak memory {peak} MiB  bound {MEMORY_BOUND_MIB}: "
              f"{'met' if peak < MEMORY_BOUND_MIB else 'MISSED'}", flush=True)
        if peak >= MEMORY_BOUND_MIB:
            self.fail(f"peak memory is {peak} MiB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("projects", nargs="+", choices=OPENED)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # nothing is left behind stopped
    work = (options.work or pathlib.Path(tempfile.mkdtemp(prefix="bench-"))).resolve()
    work.mkdir(parents=True, exist_ok=True)
    failures = []
    for name in options.projects:
        bench = Bench(name, options.build.resolve(), work, options.jobs)
        bench.run(options.pairs)
        failures += bench.failures
    print("\n".join(failures) or "all bounds met")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
