#!/usr/bin/env python3
"""Servers' own test suites pass while experiments run.

usage: suites.py [--work FOLDER] [--jobs N] [--level PERCENT] BUILD memcached redis

Each is fetched, built and its suite run, as tests/realcode/check.py does it; then it is rewritten with the functions of a
request timed and all synchronization wrapped, and the suite is run again: calls of these functions seem to take so much less
(50 %), all else is made to wait, and a new experiment begins each 300 ms, in all processes that the suite starts. Exits 1
where a test fails that passed before, or nothing was waited for.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "realcode"))
import check  # noqa: E402

TARGETS = {"memcached": "process_command_ascii,complete_nread,drive_machine", "redis": "processCommand,call,readQueryFromClient"}


class Check(check.Check):
    def instrument(self):
        command = [str(self.build / "tests/rewriter/rewrite_tool"), "--log", str(self.folder / "compile.log"),
                   "--jobs", str(self.jobs), "--time", TARGETS[self.name], "--sync",
                   "--pristine", str(self.folder / "pristine"), "--table", str(self.folder / "functions.json"),
                   str(self.tree)]
        with open(self.folder / "rewrite.txt", "w") as output:
            subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, check=True)

    def count_lost(self, files):
        pass

    def experiments(self, level):
        """(the suite's results, its seconds, what `lasting` tells)"""
        folder = self.folder / "traces"
        with check.Traces(folder, self.project.user), subprocess.Popen(
                [self.build / "tests/causal/causal_lasting", folder, "calls", str(level), "2", "250", "300"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as lasting:
            lasting.stdout.readline()
            after, seconds = self.suite("experiments", {"LD_PRELOAD": str(self.build / "lib/libvprof.so"),
                                                        "VPROF_TRACE_DIR": str(folder),
                                                        "VPROF_TRACE_CAP_BYTES": str(check.TRACE_CAP_BYTES)})
            told, _ = lasting.communicate("\n")
        return after, seconds, told.strip()

    def run(self, level):
        version = self.unpack()
        self.restore()
        self.configure()
        log = self.folder / "compile.log"
        log.unlink(missing_ok=True)
        ok, _ = self.compile("plain", {"LD_PRELOAD": str(self.build / "lib/libvprof_record.so"), "VPROF_COMPILE_LOG": str(log)})
        if not ok:
            raise SystemExit(f"{self.name}: its own build fails, see {self.folder}/build-plain.txt")
        before, before_s = self.suite("plain")
        self.instrument()
        self.rebuild()
        after, after_s, told = self.experiments(level)
        self.compare(before, after)
        print(f"{self.name} {version}: {sum(before.values())} of {len(before)} tests pass, in experiments {sum(after.values())} of "
              f"{len(after)}; {before_s:.0f} s, {after_s:.0f} s; {told}", flush=True)
        if not float(re.search(r"paid ([\d.]+)", told)[1]):
            self.fail("nothing was waited for")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--level", type=int, default=50)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("projects", nargs="+", choices=TARGETS)
    options = parser.parse_args()
    work = (options.work or pathlib.Path(tempfile.mkdtemp(prefix="suites-"))).resolve()
    work.mkdir(parents=True, exist_ok=True)
    work.chmod(0o755)
    failures = []
    for name in options.projects:
        one = Check(name, options.build.resolve(), work, options.jobs)
        one.run(options.level)
        failures += one.failures
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
