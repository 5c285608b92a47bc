#!/usr/bin/env python3
"""What experiments cost while they run: an uncontended lock and unlock, a recorded call, and a call of the target.

usage: delays.py BUILD [--samples N]

BUILD is the folder that vprofiler was built in. Variants run in turns; each prints its own processor time. A pair may take
twice what a bare one does, while an experiment runs and while none does. Exit status 1 where that does not hold.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import probe
import probe_work

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAIRS, CALLS, CHILDREN = 3000000, 200000, 100
PAIR_MOST = 2.0


class Bench(probe.Bench):
    def __init__(self, build, folder):
        super().__init__(build, folder)
        self.lasting = folder / "lasting"
        subprocess.run(["gcc", "-O2", "-D_GNU_SOURCE", f"-I{ROOT}", f"-I{ROOT / 'include'}",
                        str(ROOT / "tests/causal/lasting.c"), "-o", str(self.lasting)], check=True)

    def run(self, program, words, experiment=None, loaded=True):
        self.clear_traces()
        if experiment:
            subprocess.run([self.lasting, self.traces, *experiment], check=True, capture_output=True)
        done = subprocess.run([program, *map(str, words)], check=True, text=True, capture_output=True,
                              env={**os.environ, **(self.loaded if loaded else {})})
        return float(done.stdout.split()[-1])


def variants(bench):
    """{what: {variant: (program, words, experiment, loaded)}}; the first of each is the bare one."""
    source = bench.folder / "lock.c"
    source.write_text(probe_work.LOCK)
    lock, ours = bench.compile("lock", source=source), bench.rewritten("lock-ours", source)
    plain, calls = bench.compile("plain"), bench.rewritten("calls", bench.source, "--time", "all")
    found = {}
    for threads in (1, 2):
        pair, experiment = [PAIRS, threads], ("calls", "50", "1", "250")
        found[f"lock pair, x{threads}"] = {
            "bare": (lock, pair, None, False), "no experiments": (ours, pair, None, True),
            "in an experiment": (ours, pair, experiment, True)}
    work = [CHILDREN, CALLS, 1]
    found["a call"] = {
        "bare": (plain, work, None, False), "recorded, no experiments": (calls, work, None, True),
        "switched off": (calls, work, ("calls", "50", "0", "250"), True),
        "recorded": (calls, work, ("calls", "50", "1", "250"), True),
        "of the target": (calls, work, ("calls", "50", "2", "250"), True),
        "of the target, at 0 %": (calls, work, ("calls", "0", "2", "250"), True)}
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--samples", type=int, default=15)
    options = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="delays-") as folder:
        bench = Bench(options.build.resolve(), pathlib.Path(folder))
        for what, of in variants(bench).items():
            rows = [{name: bench.run(*variant) for name, variant in of.items()} for _ in range(options.samples)]
            for name in of:
                ns = statistics.median(row[name] for row in rows)
                ratio = statistics.median(row[name] / row["bare"] for row in rows)
                beyond = statistics.median(row[name] - row["bare"] for row in rows)
                holds = not what.startswith("lock") or ratio <= PAIR_MOST
                bad += not holds
                print(f"{what:14} {name:26} {ns:7.1f} ns  {beyond:+7.1f} ns  x {ratio:.2f}{'' if holds else '  NOT'}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
