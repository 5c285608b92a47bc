#!/usr/bin/env python3
"""What recording the kernel's scheduler costs memcached and PostgreSQL (TPC-B), each as it is, without probes.

usage: kernel_cost.py VPROFILER WORK_FOLDER [SERVER...]

`vprofiler record` with `--kernel off`, `auto` and `on`, and `vprofiler waits`, which records stacks of waits besides, in
turns: ten of each after a run that counts for nothing, each under the load of kernel_check.py for 15 seconds. Prints
requests a second of each turn, the median of what is lost with its quartiles, and the bytes that are written in a
second. Exits 1 where the median of `auto` is above 3 %, or that of `waits` above 5 %. Needs root and the network;
nothing else should run.
"""
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

import kernel_check
import vtr

MODES = ("off", "auto", "on", "waits")
RECORDERS = ("kernel", "stacks", "points")
TURNS, SECONDS = 10, 15
MOST = {"auto": 0.03, "waits": 0.05}
DONE = re.compile(r"^(\d+) requests|^number of transactions actually processed: (\d+)", re.MULTILINE)


def build(case):
    subprocess.run([case.setting.folder / "build.sh"], cwd=case.tree, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, **case.setting.environment})


def shorter(case, folder):
    """A load of few seconds: a script's is in it, PostgreSQL's in the environment."""
    text = (case.setting.folder / "run.sh").read_text().replace(" 14 ", f" {SECONDS} ")
    kernel_check.script(folder / "load.sh", text)
    kernel_check.script(folder / "cost.sh", f"#!/bin/sh\nexec {folder}/load.sh >{folder}/load.log 2>&1\n")
    return {**os.environ, **case.setting.environment, "PG_SECONDS": str(SECONDS)}


def recorded(out):
    """(bytes a second, lost records) of the recorders' files, if there are any."""
    rate, lost = 0, 0
    for path in (path for name in RECORDERS for path in out.glob(f"*/rounds/01/trace/{name}.vtr")):
        header = vtr.Reader(path.read_bytes(), True).trace.header
        rate += path.stat().st_size * 1e9 / (header["latest_ns"] - header["start_ns"])
        lost += header["lost_records"]
    return rate, lost


def run(vprofiler, case, environment, folder, mode):
    """(requests, bytes a second, lost records)."""
    out = folder / "cost"
    shutil.rmtree(out, ignore_errors=True)
    command = ["waits"] if mode == "waits" else ["record", "--kernel", mode]
    subprocess.run([vprofiler, *command, "--quiet", "--share", "--out", out, "--", folder / "cost.sh"], cwd=case.tree,
                   env=environment, capture_output=True)
    done = DONE.search((folder / "load.log").read_text())
    return int(next(filter(None, done.groups()))), *recorded(out)


def measure(vprofiler, name, folder):
    folder.mkdir(exist_ok=True)
    case = kernel_check.SERVERS[name](folder)
    environment = shorter(case, folder)
    build(case)
    run(vprofiler, case, environment, folder, "off")
    found = {mode: [] for mode in MODES}
    for turn in range(TURNS):
        for mode in MODES if turn % 2 else MODES[::-1]:
            found[mode].append(run(vprofiler, case, environment, folder, mode))
        print("  " + ", ".join(f"{mode} {found[mode][-1][0] / SECONDS:.0f}" for mode in MODES), flush=True)
    lost = {}
    for mode in MODES[1:]:
        changes = [1 - runs[0] / off[0] for runs, off in zip(found[mode], found["off"])]
        low, lost[mode], high = statistics.quantiles(changes, n=4)
        print(f"{name}, {mode}: {lost[mode]:.1%} lost (quartiles {low:.1%} .. {high:.1%}), "
              f"{statistics.median(runs[1] for runs in found[mode]) / 1e6:.1f} MB a second written, "
              f"{sum(runs[2] for runs in found[mode])} records lost", flush=True)
    return all(lost[mode] <= most for mode, most in MOST.items())


def main():
    vprofiler, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(exist_ok=True)
    good = [measure(vprofiler, name, folder / name) for name in sys.argv[3:] or ("memcached", "postgresql")]
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())
