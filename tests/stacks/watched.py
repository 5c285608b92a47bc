"""`vprofiler stacks` on programs that a test builds: what it found, what it said, and what the program printed.

    place = watched.Place(VPROFILER)                    a folder of its own; copies for a user without rights
    program = place.build("it", "-static")              of programs.c, with gcc
    seen = place.run([program, "plain", "1"])           seen.tree (tree.py), seen.err, seen.own["first"] in ms
    seen = place.attach([program, "plain", "3"], meanwhile=lambda pid: ...)     by --pid
"""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import left_out  # noqa: E402
import never_idle  # noqa: E402
from tree import Tree  # noqa: E402

ALL = "who woke whom"
OWN = "when the program's threads had no processor is recorded"


class Seen:
    def __init__(self, done, own="", folder=None):
        self.code, self.err, self.out, self.folder = done.returncode, done.stderr, done.stdout, folder
        assert done.returncode == 0, done.stderr
        self.tree = Tree(json.loads(done.stdout))
        lost = any(w["code"] == "lost-kernel-records" for w in self.tree.found["warnings"])
        self.tree.check(whole=not lost)
        self.own = {name: float(ms) for name, ms in re.findall(r"(first|second) (\d+)", own)}
        self.said = {w["code"]: w["message"] for w in self.tree.found["warnings"] + self.tree.found.get("notes", [])}

    def whole(self, least=0.98):
        """The part of stacks that reach the start of their threads."""
        found = self.tree.found
        count = found["samples"] + found["offs_with_stack"]
        return 1 - found["cut"] / max(count, 1)

    def share(self, name, of):
        """Of what ran in these functions, with all that they call."""
        ran = {each: self.tree.under(each) for each in of}
        total = sum(r for r, _, _ in ran.values())
        return ran[name][0] / max(total, 1), sum(n for _, _, n in ran.values())

    def expect_share(self, name, of, truth, more=0.02):
        part, samples = self.share(name, of)
        error = 3 * math.sqrt(truth * (1 - truth) / max(samples, 1)) + more
        print(f"  {name} of {'+'.join(of)}: {part:.3f}, and it is {truth:.3f}; {samples} samples tell it to {error:.3f}")
        assert samples > 30 and abs(part - truth) <= error, (name, part, truth, error, self.names())

    def names(self):
        return sorted({f["function"] for f in self.tree.found["frames"]})


class Place:
    def __init__(self, vprofiler, user=()):
        self.top = tempfile.TemporaryDirectory()
        self.home = pathlib.Path(self.top.name)
        self.vprofiler, self.user, self.runs = vprofiler, list(user), 0
        self.home.chmod(0o755)

    def build(self, name, *options, source="programs.c", compiler="gcc"):
        program = self.home / name
        program.parent.mkdir(parents=True, exist_ok=True)
        words = [compiler, "-O2", "-g0", "-fomit-frame-pointer", "-fno-optimize-sibling-calls", "-w", "-o", program,
                 HERE / source, *options, "-lpthread", "-ldl"]
        subprocess.run(words, check=True)
        program.chmod(0o755)
        return str(program)

    def command(self, *words):
        self.runs += 1
        self.out = self.home / f"out-{self.runs}"
        return [*self.user, self.vprofiler, "stacks", "--json", "--kernel", "on", "--out", str(self.out), *map(str, words)]

    def checked(self, done, own):
        if ALL not in done.stderr and not self.user:
            left_out.skip("what the kernel tells of a run",
                          how="a machine where `vprofiler doctor` says that all of it can be recorded")
        return Seen(done, own, self.out)

    def run(self, command, env=None, cwd=None):
        """Of a program that it starts; what that prints goes to a file."""
        printed = self.home / "printed"
        script = ["sh", "-c", 'exec "$@" >"$0"', str(printed), *map(str, command)]
        with never_idle.all_processors():
            done = subprocess.run(self.command("--", *script), text=True, capture_output=True, check=False, timeout=120,
                                  env=env, cwd=cwd or self.home)
        return self.checked(done, printed.read_text(errors="replace") if printed.exists() else "")

    def attach(self, command, pid_of=None, seconds=2, meanwhile=None, before=0.3, env=None):
        """Of a program that runs already. `meanwhile` is called with its pid half a second after the recording began."""
        with never_idle.all_processors(), subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True,
                                                           env=env) as process:
            time.sleep(before)
            pid = pid_of(process.pid) if pid_of else process.pid
            with subprocess.Popen(self.command("--pid", pid, "--for", f"{seconds}s"), text=True, cwd=self.home,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watcher:
                if meanwhile:
                    time.sleep(0.5)
                    meanwhile(pid)
                out, err = watcher.communicate(timeout=120)
            own = process.communicate(timeout=120)[0]
        return self.checked(subprocess.CompletedProcess(command, watcher.returncode, out, err), own)

    def again(self, seen):
        """The same result, told once more."""
        done = subprocess.run([*self.user, self.vprofiler, "stacks", "--json", seen.folder / "latest"], text=True,
                              capture_output=True, check=False, cwd=self.home)
        return Seen(done)

    def copy(self, program, name):
        return shutil.copy(program, self.home / name)


def run_all(names):
    for name, test in list(names.items()):
        if name.startswith("test_"):
            print(name, flush=True)
            test()
