#!/usr/bin/env python3
"""Does a rewritten program do what the program did? Asked of random programs.

usage: fuzz_rewriter.py --build DIR [--programs N] [--seed N] [--rotate] [--warnings] [--no-sites] [--keep DIR]

Files of many programs are rewritten in one go, everything timed and opened, synchronization wrapped.
Each is built by gcc and clang, as it was with -O0, rewritten with -O0 and -O2, and run: as it was,
rewritten, and rewritten with the runtime loaded. Output and exit status must be the same; where they
are not it is also built as it was with that level, to tell whose fault it is. A program that shows a
difference is written to the --keep folder, alone. Exit status: 0 no difference, 1 some, 77 a part is
missing.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import generate_c

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

COMPILERS = ["gcc", "clang"]
LEVELS = ["-O0", "-O2"]
STANDARDS = ["gnu11", "gnu99", "gnu17"]
WARNING = re.compile(r"^[^:\n]+:(\d+):\d+: warning: .*\[(-W[^\]]+)\]$", re.M)
SKIP = re.compile(r"^(\S+\.c):(\d+) (\S*): (.*)$")


class Fuzz:
    def __init__(self, options):
        self.options = options
        self.tool = pathlib.Path(options.build, "tests/rewriter/rewrite_tool").resolve()
        self.runtime = pathlib.Path(options.build, "lib/libvprof.so").resolve()
        self.faults = collections.Counter()
        self.programs = self.runs = self.probes = 0
        self.skips = collections.Counter()
        self.kept = set()

    def report(self, kind, numbers, name, message):
        """`numbers`: the programs that it may be."""
        self.faults[kind] += 1
        print(f"{kind}: {name}, program {numbers[0] if len(numbers) == 1 else numbers}:\n{message[:1500]}\n",
              flush=True)
        if self.options.keep and len(numbers) == 1 and (kind, numbers[0]) not in self.kept:
            self.kept.add((kind, numbers[0]))
            folder = pathlib.Path(self.options.keep)
            folder.mkdir(parents=True, exist_ok=True)
            base = folder / f"{kind}-{self.options.seed}-{numbers[0]}"
            base.with_suffix(".c").write_text(generate_c.generate_file(numbers, self.options.seed))
            base.with_suffix(".txt").write_text(f"{name}\n{message}\n")

    # -- one file

    def compile(self, source, program, compiler, level, standard):
        flags = ["-Wall", "-Wextra"] if self.options.warnings else ["-w"]
        flags += ["-DVPROF_NO_SITES"][:self.options.no_sites]
        command = [compiler, f"-std={standard}", level, *flags, str(source), "-o", str(program), "-pthread"]
        return subprocess.run(command, capture_output=True, text=True, errors="replace")

    def run(self, program, traces=None):
        environment = dict(os.environ)
        if traces:
            environment.update(LD_PRELOAD=str(self.runtime), VPROF_TRACE_DIR=str(traces),
                               VPROF_TRACE_CAP_BYTES=str(1 << 26))
        try:
            done = subprocess.run([program], capture_output=True, text=True, errors="replace", timeout=60,
                                  env=environment)
            return done.stdout, done.returncode, done.stderr
        except subprocess.TimeoutExpired as error:
            return (error.stdout or b"").decode(errors="replace"), "timeout", ""

    def of_line(self, text, line, numbers):
        """The program that a line of the file belongs to."""
        for at in range(min(line, len(text)) - 1, -1, -1):
            found = re.search(r"\bp(\d+)_", text[at])
            if found:
                return [int(found[1])]
        return numbers

    def of_output(self, wanted, got, numbers):
        """The first program whose line is missing or another one."""
        lines = got.split("\n")
        for at, line in enumerate(wanted.split("\n")):
            if at >= len(lines) or lines[at] != line:
                return [numbers[min(at, len(numbers) - 1)]]
        return numbers

    def check_warnings(self, plain, rewritten, text, numbers, name):
        fresh = set(WARNING.findall(rewritten)) - set(WARNING.findall(plain))
        for line, flag in sorted(fresh)[:3]:
            message = [m for m in rewritten.split("\n") if f":{line}:" in m and flag in m]
            self.report("warning", self.of_line(text, int(line), numbers), name, "\n".join(message[:2]))

    def build_plain(self, batch, work, name, numbers, compiler, level, standard):
        """What the compiler said, or None where the program is at fault."""
        plain = batch / "plain" / name
        built = self.compile(plain, work / f"plain{level}", compiler, level, standard)
        if built.returncode == 0:
            return built.stderr
        line = re.search(r":(\d+):\d+: (fatal )?error", built.stderr)
        text = plain.read_text().split("\n")
        self.report("generator", self.of_line(text, int(line[1]) if line else 0, numbers),
                    f"{compiler} {level} -std={standard}", built.stderr)
        return None

    def run_plain(self, program, numbers, label):
        """What the program does, or None where it is at fault."""
        wanted = self.run(program)
        if wanted[1] != "timeout" and wanted[1] >= 0:
            return wanted
        names = "\n".join(f"p{n}" for n in numbers)
        self.report("generator", self.of_output(names, re.sub(r" .*", "", wanted[0]), numbers), label,
                    f"it ends with {wanted[1]}")
        return None

    def check_file(self, batch, name, numbers, compiler, levels, standard):
        """As it was it is built with -O0 only: its output is the same at every level, or it is at fault."""
        work = pathlib.Path(tempfile.mkdtemp(dir=batch))
        label = f"{compiler} -O0 -std={standard}"
        if self.build_plain(batch, work, name, numbers, compiler, "-O0", standard) is None:
            return
        wanted = self.run_plain(work / "plain-O0", numbers, label)
        for level in levels if wanted else []:
            self.check_level(batch, work, name, numbers, wanted, (compiler, level, standard))
        shutil.rmtree(work, ignore_errors=True)

    def check_level(self, batch, work, name, numbers, wanted, how):
        label = "{} {} -std={}".format(*how)
        text = (batch / "plain" / name).read_text().split("\n")
        again = self.compile(batch / "tree" / name, work / f"rewritten{how[1]}", *how)
        if again.returncode != 0:
            line = re.search(r":(\d+):\d+: (fatal )?error", again.stderr)
            error = re.search(r"^.*error.*(\n.*){0,4}", again.stderr, re.M)
            self.report("build", self.of_line(text, int(line[1]) if line else 0, numbers), label,
                        error[0] if error else again.stderr)
            return
        if self.options.warnings:
            plain = self.build_plain(batch, work, name, numbers, *how)
            self.check_warnings(plain or "", again.stderr, text, numbers, label)
        traces = work / f"trace{how[1]}"
        traces.mkdir()
        for kind, folder in (("off", None), ("on", traces)):
            got = self.run(work / f"rewritten{how[1]}", folder)
            self.runs += len(numbers)
            if got != wanted and self.same_when_plain(batch, work, name, numbers, wanted, how):
                self.report(f"behaviour-{kind}", self.of_output(wanted[0], got[0], numbers), label,
                            f"exit {wanted[1]} and now {got[1]}\n{wanted[0][-300:]}\n--\n{got[0][-300:]}{got[2]}")
        if not list(traces.glob("*.vtr")):
            self.report("no-trace", numbers, label, "the runtime left no trace")

    def same_when_plain(self, batch, work, name, numbers, wanted, how):
        """Is it the rewriting, and not the level, that makes the difference?"""
        label = "{} {} -std={}".format(*how)
        if self.build_plain(batch, work, name, numbers, *how) is None:
            return False
        got = self.run_plain(work / f"plain{how[1]}", numbers, label)
        if got is None or got == wanted:
            return got is not None
        self.report("generator", self.of_output(wanted[0], got[0], numbers), label,
                    "its output differs from that at -O0")
        return False

    # -- a batch

    def rewrite(self, batch, standard, names):
        command = [self.tool, f"--flag=-std={standard}", "--jobs", str(self.options.jobs), "--time", "all",
                   "--open", "all", "--sync", "--skips", batch / "tree"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if done.returncode != 0:
            self.report("rewriter", [], "rewrite_tool", f"exit status {done.returncode}\n{done.stderr}")
            return False
        for line in done.stdout.split("\n"):
            found = SKIP.match(line)
            if found and not found[3]:
                text = (batch / "plain" / found[1]).read_text().split("\n")
                self.report("parse", self.of_line(text, int(found[2]), names[found[1]]), found[1], found[4])
            elif found:
                self.skips[found[4]] += 1
        summary = done.stdout.strip().split("\n")[-1]
        self.probes += sum(int(n) for n in re.findall(r"(?:function|call|indirect|sync) (\d+)[,;]", summary))
        return True

    def batch(self, first, count):
        options = self.options
        names, at = {}, first
        while at < first + count:
            numbers = list(range(at, min(at + options.per_file, first + count)))
            names[f"f{at}.c"] = numbers
            at += len(numbers)
        batch = pathlib.Path(tempfile.mkdtemp(prefix="vprof-fuzz-")).resolve()
        for folder in ("plain", "tree"):
            (batch / folder).mkdir()
            for name, numbers in names.items():
                (batch / folder / name).write_text(generate_c.generate_file(numbers, options.seed))
        standard = STANDARDS[first // options.per_file % len(STANDARDS)]
        if self.rewrite(batch, standard, names):
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                work = []
                for index, (name, numbers) in enumerate(names.items()):
                    turn = (first // options.per_file + index) % 2
                    for at, compiler in enumerate(COMPILERS):
                        levels = [LEVELS[(turn + at) % 2]] if options.rotate else LEVELS
                        work.append(pool.submit(self.check_file, batch, name, numbers, compiler, levels,
                                                standard))
                for future in work:
                    future.result()
        self.programs += count
        shutil.rmtree(batch, ignore_errors=True)

    def main(self):
        options, start = self.options, time.time()
        for part in (self.tool, self.runtime):
            if not part.exists():
                left_out.skip(str(part), how="make")
        if any([left_out.lacks(compiler, f"random programs by {compiler}") for compiler in COMPILERS]):
            return left_out.SKIPPED
        step = options.per_file * options.files
        for at in range(options.first, options.first + options.programs, step):
            self.batch(at, min(step, options.first + options.programs - at))
            if options.verbose:
                print(f"{self.programs} programs, {sum(self.faults.values())} differences", file=sys.stderr)
            if options.minutes and time.time() - start > options.minutes * 60:
                break
        wrong = sum(self.faults.values())
        print(f"{self.programs} programs from seed {options.seed}, {self.probes} probes, {self.runs} runs, "
              f"{wrong} differences {dict(self.faults) if wrong else ''}, {time.time() - start:.0f} s")
        if options.verbose:
            for reason, count in self.skips.most_common():
                print(f"{count:7d} skipped: {reason}")
        return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", default="build", help="build folder of vprofiler")
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--per-file", type=int, default=20)
    parser.add_argument("--files", type=int, default=4, help="files that are rewritten at once")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, help="stop after so many")
    parser.add_argument("--rotate", action="store_true", help="two of compiler and level for each file, in turn")
    parser.add_argument("--no-sites", action="store_true", help="with the probes of compilers and machines that have no sites")
    parser.add_argument("--warnings", action="store_true", help="also: no warnings that were not there")
    parser.add_argument("--keep", help="folder for programs that show a difference")
    parser.add_argument("--verbose", action="store_true", help="count what was skipped")
    return Fuzz(parser.parse_args()).main()


if __name__ == "__main__":
    sys.exit(main())
