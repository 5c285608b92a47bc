#!/usr/bin/env python3
"""Suites of small programs, with every function timed and every synchronization call wrapped.

usage: suites.py [--work FOLDER] [--jobs N] BUILD [SUITE...]
       SUITE: c-testsuite, mir, tinycc, uftrace, chibicc; otherwise all of them

BUILD is the folder that vprofiler was built in. Each suite is fetched, and built and run by gcc and by clang, at
-O0 and -O2: as it is, and after `vprofiler rewrite --sync`, with the runtime preloaded and recording.
Exit status and output must be the same. Prints a row of a table for each; exits 1 where a program
is different or is built only as it was.

What is no program, does not build or does not end in time as it is, is left out; so is what does another
thing each time without us. FOLDER keeps the sources and SUITE/COMPILER-LEVEL/: `skips.txt` (what was left
out), `programs.txt` (how each one ended), and for what differs NAME/{plain,timed}.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import git_source
from suite_list import SUITES

COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}
LEVELS = ("-O0", "-O2")
PLAIN_S, TIMED_S = 10, 60  # that a program may take; a recorded one does more
TRIES = 4                  # runs after which a program that was always the same counts as such
TRACE_CAP_BYTES = 16 << 20
ROW = "| {:11} | {:9} | {:>8} | {:>15} | {:>11} | {:>6} | {:>9} | {:>9} | {:>9} | {:>9} | {:>7} |"


@dataclasses.dataclass(frozen=True)
class Outcome:
    status: int
    output: bytes

    def shape(self):
        """What stays the same where addresses, times and the order of threads do not."""
        text = re.sub(rb"0x[0-9a-f]+|\d+", b"#", self.output)
        return self.status, tuple(sorted(text.splitlines()))


def launch(command, folder, output, seconds, environment=None):
    """Exit status; None where it did not end in time. What it left running is ended, too."""
    with open(output, "wb") as file:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=file,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   env={**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})})
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


class Configuration:
    """One suite, by one compiler at one level."""

    def __init__(self, suite, build, folder, compiler, level, jobs):
        self.suite, self.build, self.folder, self.jobs = suite, build, folder, jobs
        self.compilers, self.level = COMPILERS[compiler], level
        self.copy = folder / "copy" / suite.tree.name  # "../tests2/x.h" may be included
        self.endings, self.untraced, self.functions, self.timed = {}, [], 0, 0
        shutil.rmtree(folder, ignore_errors=True)
        self.copy.parent.mkdir(parents=True)

    # Building ----------------------------------------------------------------------------------

    def place(self, program):
        return self.place_of(program.name)

    def place_of(self, name):
        return self.folder / name.replace("/", "+")

    def compiler_of(self, source):
        return self.compilers[source.endswith((".cpp", ".cc"))]

    def object_of(self, program, what, source):
        return self.place(program) / what / f"{source.replace('/', '+')}.o"

    def compilation(self, program, what, source):
        language = [] if pathlib.Path(source).suffix else ["-x", "c"]
        return [self.compiler_of(source), self.level, *self.suite.flags, *program.flags,
                *language, "-c", source, "-o", str(self.object_of(program, what, source))]

    def make(self, program, what, tree):
        """Compiles the program's files in `tree` and links them: whether that is possible."""
        place = self.place(program) / what
        place.mkdir(parents=True)
        commands = [self.compilation(program, what, source) for source in program.sources]
        linker = max(map(self.compiler_of, program.sources), key=len)
        commands.append([linker, self.level,
                         *(str(self.object_of(program, what, source)) for source in program.sources),
                         "-o", str(place / "program"), *self.suite.libraries])
        return all(launch(command, tree, place / f"build-{i}.txt", 300) == 0
                   for i, command in enumerate(commands))

    # Running -----------------------------------------------------------------------------------

    def run(self, program, what, seconds, environment=None):
        """The program in a folder of its own, with what it may execute; None where it did not end."""
        place = self.place(program) / what
        scratch = place / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        for name, other in self.suite.beside.items():
            (scratch / name).symlink_to(self.place_of(other) / what / "program")
        command = ["prlimit", "--core=0", "../program", *program.arguments]
        status = launch(command, scratch, place / "output.txt", seconds, environment)
        return None if status is None else Outcome(status, (place / "output.txt").read_bytes())

    def run_timed(self, program):
        traces = self.place(program) / "traces"
        shutil.rmtree(traces, ignore_errors=True)
        traces.mkdir()
        outcome = self.run(program, "timed", TIMED_S, {
            "LD_PRELOAD": str(self.build / "lib/libvprof.so"),
            "VPROF_TRACE_DIR": str(traces), "VPROF_TRACE_CAP_BYTES": str(TRACE_CAP_BYTES)})
        if not list(traces.glob("*.vtr")):
            self.untraced.append(program.name)
        shutil.rmtree(traces)
        return outcome

    def compare(self, program, plain):
        """A program that is not the same each time is told from one that we change by running it again."""
        timed = self.run_timed(program)
        if timed == plain:
            return "identical"
        again = {self.run(program, "plain", PLAIN_S) for _ in range(TRIES)} - {None}
        varies = again != {plain} and timed
        return "varies" if varies and timed.shape() in {one.shape() for one in again} else "different"

    # The steps ---------------------------------------------------------------------------------

    def each(self, step, programs):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(step, programs))

    def plain(self, program):
        """What the program does as it is; the reason where there is nothing to compare."""
        if not self.make(program, "plain", self.suite.tree):
            return "plain not built"
        return self.run(program, "plain", PLAIN_S) or "plain hangs"

    def rewrite(self, programs):
        """Of all programs at once, as if they were one project."""
        commands = [{"directory": str(self.suite.tree), "file": source,
                     "arguments": self.compilation(program, "plain", source)}
                    for program in programs for source in program.sources]
        (self.folder / "compile_commands.json").write_text(json.dumps(commands, indent=0))
        status = launch([str(self.build / "bin/vprofiler"), "rewrite", "--sync", "--explain",
                         "--source", str(self.suite.tree), "--tree", str(self.copy),
                         "--compile-commands", str(self.folder / "compile_commands.json"),
                         "--table", str(self.folder / "functions.json"),
                         "--out", str(self.folder / "facts"), "--jobs", str(self.jobs)],
                        self.folder, self.folder / "skips.txt", 3600)
        if status != 0:
            raise SystemExit(f"the rewriter failed, see {self.folder}/skips.txt")
        table = json.loads((self.folder / "functions.json").read_text())
        self.functions = sum(function["body"] for function in table["functions"])
        self.timed = len({probe["function"] for probe in table["probes"]
                          if probe["kind"] == "function"})

    def timed_one(self, program_and_plain):
        program, plain = program_and_plain
        if not self.make(program, "timed", self.copy):
            return "not built"
        return self.compare(program, plain)

    def forget(self, program):
        """What is of no more use."""
        if self.endings[program.name] in ("identical", "varies", "plain not built", "plain hangs"):
            shutil.rmtree(self.place(program))

    def check(self):
        programs = self.suite.programs()
        plain = self.each(self.plain, programs)
        able = [(program, outcome) for program, outcome in zip(programs, plain)
                if isinstance(outcome, Outcome)]
        self.endings = {program.name: outcome for program, outcome in zip(programs, plain)}
        if able:
            self.rewrite([program for program, _ in able])
        ends = self.each(self.timed_one, able)
        self.endings.update({program.name: end for (program, _), end in zip(able, ends)})
        for program in programs:
            self.forget(program)
        (self.folder / "programs.txt").write_text(
            "".join(f"{end}: {name}\n" for name, end in self.endings.items()))
        return collections.Counter(self.endings.values())


def row(name, compiler, counts, functions, timed):
    skipped = 100 * (functions - timed) / functions if functions else 0
    print(ROW.format(name, compiler, sum(counts.values()), counts["plain not built"],
                     counts["plain hangs"], counts["varies"], counts["identical"], counts["different"],
                     counts["not built"], functions, f"{skipped:.2f} %"), flush=True)


def check_suite(name, build, work, jobs):
    """Prints its rows; returns what is not as it should be."""
    kind = SUITES[name]
    commit = git_source.fetch(kind.url, work / name / "source", kind.parts)
    totals, functions, timed, lines = collections.Counter(), 0, 0, []
    for compiler in COMPILERS:
        for level in LEVELS:
            one = Configuration(kind((work / name / "source").resolve()), build,
                                work / name / f"{compiler}{level}", compiler, level, jobs)
            counts = one.check()
            row(name, compiler + " " + level, counts, one.functions, one.timed)
            totals += counts
            functions, timed = functions + one.functions, timed + one.timed
            lines += [f"{name}, {compiler} {level}: {program} is {end}" for program, end
                      in one.endings.items() if end in ("different", "not built")
                      and program.partition(":")[0] not in kind.own]
            lines += [f"{name}, {compiler} {level}: {program} leaves no trace"
                      for program in sorted(one.untraced)]
    row(name, commit, totals, functions, timed)
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    options = parser.parse_args()
    if not set(options.suites) <= set(SUITES):
        parser.error(f"the suites are {', '.join(SUITES)}")
    work = (options.work or pathlib.Path(tempfile.mkdtemp(prefix="suites-"))).resolve()
    work.mkdir(parents=True, exist_ok=True)
    print(ROW.format("suite", "by", "programs", "plain not built", "plain hangs", "varies", "identical",
                     "different", "not built", "functions", "skipped"))
    failures = []
    for name in options.suites or SUITES:
        failures += check_suite(name, options.build.resolve(), work, options.jobs)
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
