#!/usr/bin/env python3
"""A program behaves within experiments as without: its signals, timers, time-outs, threads, processes and libraries.

usage: behaves_test.py VPROFILER LIBVPROF LASTING [CASE ...]

Each case is run as it is and within an experiment that makes all others wait for half as long as the target runs, of which
a new one begins each 10 ms; or, where debts are to grow, each 200. What `lasting` tells of them afterwards is checked, too.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent / "runtime"))
import known_test  # noqa: E402
import vtr  # noqa: E402

# case: exit status; what the experiments must have seen
CASES = {
    "prof": (0, lambda told: told["steps"] > 100 and told["calls"] > 100),
    "timer": (0, lambda told: told["paid"] > 10),
    "trap": (0, lambda told: told["steps"] == 0),
    "trap_late": (0, lambda told: told["steps"] > 50),
    "marks": (0, lambda told: told["paid"] > 10),
    "timeouts": (0, lambda told: told["paid"] > 10),
    "threads": (0, lambda told: told["calls"] >= 900),
    "cancel": (0, lambda told: told["calls"] > 100),
    "fork_calls": (0, lambda told: told["processes"] == 2 and told["calls"] > 100 and told["paid"] > 30),
    "fork_pays": (0, lambda told: told["processes"] == 2 and told["calls"] > 100 and told["paid"] > 30),
    "exec": (0, lambda told: told["processes"] >= 1 + 5),
    "refused": (0, lambda told: told["paid"] > 60),
    "exit": (3, lambda told: told["paid"] > 10),
    "abort": (-6, lambda told: told["paid"] > 5),
    "dlopen": (0, lambda told: told["calls"] >= 140),
    "files": (0, lambda told: told["processes"] == 2),
    "asks": (0, lambda told: told["calls"] > 1990 and told["granted"] > 0.95 * told["calls"] * 0.1 / 2),
    "sends": (0, lambda told: told["granted"] > 100 and told["paid"] > 0.8 * told["granted"]),
}


RELEASES = ("cancel", "exit")  # cases in which threads wait for each other
LONG = {"timer", "timeouts", "fork_calls", "fork_pays", "refused", "asks", "sends"}


def build_module(vprofiler, folder):
    module = folder / "module"
    source, copy = module / "source", module / "copy"
    source.mkdir(parents=True)
    shutil.copy(known_test.HERE / "behaves_module.c", source)
    flags = ["gcc", "-O2", "-g", "-fPIC"]
    (source / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(source), "file": "behaves_module.c", "arguments": [*flags, "-c", "behaves_module.c"]}]))
    known_test.run([vprofiler, "rewrite", "--quiet", "--compile-commands", "compile_commands.json", "--sync", "--time", "f",
                    "--tree", copy, "--table", module / "functions.json"], source)
    known_test.run([*flags, "-shared", copy / "behaves_module.c", "-o", folder / "module.so"], folder)


def numbers(line):
    """`lasting` tells names and numbers."""
    return {name: float(number) for name, number in re.findall(r"([a-z]+) ([\d.]+)", line)}


def run_within(library, lasting, folder, case, faster=50):
    """(the program's end, what the experiments saw)"""
    trace = folder / f"trace-{case}-{faster}"
    trace.mkdir()
    with subprocess.Popen([lasting, trace, "calls", str(faster), "2", "250", "200" if case in LONG else "10"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as experiments:
        assert experiments.stdout.readline() == "ready\n"
        done = subprocess.run(["./program", case], cwd=folder, text=True, capture_output=True, timeout=60, check=False,
                              env={**os.environ, "LD_PRELOAD": str(library), "VPROF_TRACE_DIR": str(trace)})
        told, _ = experiments.communicate("\n")
    return done, numbers(told)


def releases(trace):
    """(all, those that say from where they came: to find that out while a lock is held makes others wait for it)"""
    all_of_them = [record for path in trace.glob("*.vtr") for record in vtr.read(path, lenient=True).records("release")]
    return len(all_of_them), sum(record["callers"] != 0 for record in all_of_them)


def look_at_releases(folder, case):
    """Where others wait, waits have a record only if a new experiment begins within them; without a delay all have."""
    few, _ = releases(folder / f"trace-{case}-50")
    all_of_them, asked = releases(folder / f"trace-{case}-0")
    print(f"{case}: {few} releases, without a delay {all_of_them}")
    if asked or not all_of_them or few > all_of_them / 3:
        yield f"{case}: {few} releases; without a delay {all_of_them}, of which {asked} have callers"


def main():
    vprofiler, library, lasting = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    if not shutil.which("gcc"):
        sys.exit(77)
    bad = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        known_test.build(vprofiler, "behaves", ["f"], folder)
        build_module(vprofiler, folder)
        for case in sys.argv[4:] or CASES:
            status, holds = CASES[case]
            bare = subprocess.run(["./program", case], cwd=folder, text=True, capture_output=True, timeout=60, check=False)
            done, told = run_within(library, lasting, folder, case)
            print(case, told, done.stderr)
            if bare.returncode != status:
                bad.append(f"{case}: without experiments it ends with {bare.returncode}: {bare.stderr}")
            if done.returncode != status:
                bad.append(f"{case}: it ends with {done.returncode}, not {status}: {done.stderr}")
            elif not holds(told):
                bad.append(f"{case}: the experiments saw {told}")
        for case in () if sys.argv[4:] else RELEASES:
            run_within(library, lasting, folder, case, 0)
            bad += look_at_releases(folder, case)
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
