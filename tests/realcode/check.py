#!/usr/bin/env python3
"""Other people's programs with every function instrumented.

usage: check.py [--work FOLDER] [--jobs N] BUILD PROJECT...
       PROJECT: memcached, redis, sqlite3, leveldb, postgresql, chibicc, libuv

BUILD is the folder that vprofiler was built in. For each project: fetch its source, configure
and build it while the compiler runs are recorded, run its own test suite; instrument every function and
every call without a body and wrap every synchronization call; build again with the project's own build
files and flags; run the same suite with the runtime preloaded; compare. Prints a row of a table; exits 1
where fewer than 99 % of the functions are instrumented, a build breaks, a line number moves or a test
that passed fails. FOLDER keeps sources, logs and lists of what was skipped (PROJECT/*.txt).
"""
import argparse
import collections
import hashlib
import os
import pathlib
import pwd
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import debian_source
import line_table
from projects import PROJECTS

TRACE_CAP_BYTES = 16 << 20  # a process; a suite starts thousands
ROW = "| {:10} | {:>9} | {:>12} | {:>11} | {:>17} | {:>16} | {:>21} | {:>13} |"


class Traces:
    """Where the runtime writes. A suite leaves more than a disk holds, so what has not grown for a while
    is deleted; deleting a file does not disturb a process that writes to it."""

    def __init__(self, folder, user):
        self.folder, self.files, self.size_bytes = folder, 0, 0
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.sweep)

    def sweep(self):
        while not self.over.wait(5):
            self.delete(older_than_s=20)

    def delete(self, older_than_s):
        for path in self.folder.glob("*.vtr"):
            status = path.stat()
            if time.time() - status.st_mtime >= older_than_s:
                self.files += 1
                self.size_bytes += status.st_blocks * 512
                path.unlink()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        self.delete(older_than_s=0)


class Check:
    def __init__(self, name, build, work, jobs):
        self.name, self.build, self.jobs = name, build, jobs
        self.folder = work / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.failures = []

    def fail(self, what):
        self.failures.append(f"{self.name}: {what}")

    def shell(self, command, log, environment=None, user=None, seconds=None):
        """(exit status, seconds); what it prints goes to `log`.txt."""
        entry = pwd.getpwnam(user) if user and os.getuid() == 0 else None
        more = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []} if entry else {}
        environment = {**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})}
        if entry:
            environment["HOME"] = str(self.folder)
        start = time.monotonic()
        with open(self.folder / f"{log}.txt", "w") as output:
            process = subprocess.Popen(
                command.replace("{jobs}", str(self.jobs)), shell=True, cwd=self.tree, env=environment,
                stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                start_new_session=True, **more)
            try:
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
                status = -9
                self.fail(f"`{command}` took over {seconds} s")
        return status, time.monotonic() - start

    def configure(self):
        for i, command in enumerate(self.project.configure):
            if self.shell(command, f"configure-{i}")[0] != 0:
                raise SystemExit(f"{self.name}: `{command}` failed, see {self.folder}")

    def compile(self, what, environment=None):
        """Processor seconds: the machine may be busy with other work."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, _ = self.shell(self.project.build, f"build-{what}", environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return status == 0, (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)

    def own_tree(self):
        if self.project.user and os.getuid() == 0:
            subprocess.run(["chown", "-R", self.project.user, str(self.tree)], check=True)
            for folder in self.tree.parents:
                if folder.stat().st_mode & 0o5 != 0o5 and self.folder in [folder, *folder.parents]:
                    folder.chmod(0o755)

    def suite(self, what, environment=None):
        self.own_tree()
        status, seconds = self.shell(self.project.suite, f"suite-{what}", environment,
                                     self.project.user, self.project.seconds)
        text = (self.folder / f"suite-{what}.txt").read_text(errors="replace")
        results = self.project.results(text)
        if not results:
            self.fail(f"the suite ({what}) gave no results, exit status {status}")
        with open(self.folder / f"results-{what}.txt", "w") as output:
            output.writelines(f"{'ok' if ok else 'FAILED'} {test}\n"
                              for test, ok in sorted(results.items()))
        return results, seconds

    def instrument(self):
        command = [str(self.build / "tests/rewriter/rewrite_tool"), "--log",
                   str(self.folder / "compile.log"), "--jobs", str(self.jobs), "--time", "all",
                   "--open", "all", "--sync", "--skips", "--pristine",
                   str(self.folder / "pristine"), "--table", str(self.folder / "functions.json"),
                   str(self.tree)]
        with open(self.folder / "rewrite.txt", "w") as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
        text = (self.folder / "rewrite.txt").read_text()
        summary = re.search(r"with a body (\d+); probes: function (\d+), call (\d+), indirect (\d+), "
                            r"sync (\d+).*parse ([\d.]+) s, rewrite ([\d.]+) s", text)
        if status != 0 or not summary:
            raise SystemExit(f"{self.name}: the rewriter failed: {text[-2000:]}")
        self.functions, self.timed, self.calls, self.indirect, self.syncs = map(
            int, summary.groups()[:5])
        self.rewrite_seconds = float(summary[6]) + float(summary[7])
        self.rewrite_mebibytes = usage.ru_maxrss // 1024
        self.count_skips(text)

    def written(self):
        """The files that the rewriter changed, as they are now."""
        pristine = self.folder / "pristine"
        return {path: hashlib.sha256((self.tree / path).read_bytes()).digest()
                for path in (p.relative_to(pristine) for p in pristine.rglob("*") if p.is_file())}

    def rebuild(self):
        for command in self.project.clean:
            self.shell(command, "clean")
        written = self.written()
        ok, seconds = self.compile("instrumented")
        if not ok:
            self.fail(f"the instrumented build breaks, see {self.folder}/build-instrumented.txt")
        now = self.written()
        self.count_lost({str(path) for path in written if now[path] != written[path]})
        return seconds

    def count_lost(self, files):
        """Functions in files that the build generated again, over what was injected."""
        lost = sum(1 for file, _, _ in line_table.functions(self.folder / "functions.json")
                   if file in files)
        if lost:
            self.timed -= lost
            self.skipped[f"the build made its file again ({', '.join(sorted(files))})"] += lost

    def count_skips(self, text):
        """Functions have a line of their own, as calls have: told apart by where they stand."""
        lines = collections.Counter(line.split(": ", 1)[1] for line in text.splitlines()[:-1]
                                    if ": " in line)
        with open(self.folder / "skips.txt", "w") as output:
            output.writelines(f"{count:7} {reason}\n" for reason, count in lines.most_common())
        table = line_table.functions(self.folder / "functions.json")
        skips = collections.Counter()
        for line in text.splitlines():
            found = re.match(r"(\S+):(\d+) (\S.*?): (.*)$", line)
            if found and (found[1], int(found[2]), found[3]) in table:
                skips[found[4]] += 1
        self.skipped = skips

    def compare(self, before, after):
        broken = sorted(test for test, ok in before.items() if ok and not after.get(test))
        for test in broken:
            if self.project.flaky and re.search(self.project.flaky, test):
                print(f"  known to fail now and then: {test}")
                continue
            self.fail(f"test {test} " + ("fails" if test in after else "is gone"))

    def unpack(self):
        """Its tree, as an earlier run left it; the version."""
        project = PROJECTS[self.name]
        debian_source.need(project.packages)
        tree, version = project.fetch(self.folder)
        self.tree = tree.resolve()
        self.project = project(self.tree, self.jobs)
        return version

    def run(self):
        version = self.unpack()
        self.restore()
        self.configure()
        log = self.folder / "compile.log"
        log.unlink(missing_ok=True)
        ok, plain_s = self.compile("plain", {
            "LD_PRELOAD": str(self.build / "lib/libvprof_record.so"),
            "VPROF_COMPILE_LOG": str(log)})
        if not ok:
            raise SystemExit(f"{self.name}: its own build fails, see {self.folder}/build-plain.txt")
        lines = line_table.read(self.tree, self.project.programs)
        before, before_s = self.suite("plain")
        self.instrument()
        probed_s = self.rebuild()
        moved, compared = line_table.moved(lines, line_table.read(self.tree, self.project.programs))
        for name in moved[:5]:
            self.fail(f"line moved: {name}")
        with Traces(self.folder / "traces", self.project.user) as traces:
            after, after_s = self.suite("instrumented", {
                "LD_PRELOAD": str(self.build / "lib/libvprof.so"),
                "VPROF_TRACE_DIR": str(self.folder / "traces"),
                "VPROF_TRACE_CAP_BYTES": str(TRACE_CAP_BYTES)})
        if traces.size_bytes == 0:
            self.fail("no trace was written")
        self.compare(before, after)
        share = 100 * self.timed / self.functions
        if share < 99:
            self.fail(f"only {share:.1f} % of the functions are instrumented")
        self.print_row(version, share, plain_s, probed_s, before, after, moved, compared)
        print(f"  suite {before_s:.0f} s / {after_s:.0f} s; rewriter {self.rewrite_seconds:.1f} s, "
              f"{self.rewrite_mebibytes} MiB; probes: {self.calls} calls, {self.indirect} indirect, "
              f"{self.syncs} synchronization; {traces.files} traces, "
              f"{traces.size_bytes / 2**20:.0f} MiB")
        for reason, count in self.skipped.most_common():
            print(f"  skipped {count}: {reason}")

    def print_row(self, version, share, plain_s, probed_s, before, after, moved, compared):
        passed = [sum(results.values()) for results in (before, after)]
        print(ROW.format(self.name, self.functions, f"{share:.2f} %",
                         self.functions - self.timed, f"{plain_s:.0f} / {probed_s:.0f}",
                         f"{len(moved)} of {compared}",
                         f"{passed[0]}/{len(before)}", f"{passed[1]}/{len(after)}"), flush=True)

    def restore(self):
        """The sources as they were unpacked, in a tree that an earlier run left."""
        pristine = self.folder / "pristine"
        for path in pristine.rglob("*") if pristine.exists() else []:
            if path.is_file():
                shutil.copyfile(path, self.tree / path.relative_to(pristine))
        shutil.rmtree(pristine, ignore_errors=True)
        if (self.folder / "compile.log").exists():
            for command in self.project.clean:
                self.shell(command, "clean")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("projects", nargs="+", choices=PROJECTS)
    options = parser.parse_args()
    work = (options.work or pathlib.Path(tempfile.mkdtemp(prefix="realcode-"))).resolve()
    work.mkdir(parents=True, exist_ok=True)
    work.chmod(0o755)
    print(ROW.format("project", "functions", "instrumented", "skipped", "build CPU s",
                     "lines moved", "tests passed without", "with"))
    failures = []
    for name in options.projects:
        check = Check(name, options.build.resolve(), work, options.jobs)
        check.run()
        failures += check.failures
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
