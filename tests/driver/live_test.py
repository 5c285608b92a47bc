#!/usr/bin/env python3
"""iterate --live: one build, probes switched while the program runs, the same answer.

usage: live_test.py VPROFILER
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from checks import run_checks
from target import SERVER, Target, report_path

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runtime"))
import vtr  # noqa: E402

VPROFILER = os.path.abspath(sys.argv[1])
BUILD = """#!/bin/sh
set -e
cc -O1 -g ${VPROF_CFLAGS--Inowhere} -c server.c -o server.o
cc -o server server.o
"""
SHORT, LONG = 150, 200000  # requests: 0.3 s, and more than any loop needs


def target_of(requests, replace=("", "")):
    text = SERVER.replace("id < 150", f"id < {requests}").replace(*replace)
    include = pathlib.Path(__file__).resolve().parents[2] / "include"
    return Target(VPROFILER, {"server.c": text, "build.sh": BUILD.replace("nowhere", str(include))})


def live(target, *options):
    return target.iterate("--live", "--auto", *options, "--", "./server")


def result(target):
    return json.loads(report_path(target).read_text())


def names(found):
    return [factor["functions"] for factor in found["factors"][:3]]


def files(target, name):
    return sorted(path.parent.name for path in (target.home / "out/001/rounds").glob(f"*/{name}"))


def recorded(target, round_name):
    """The functions whose calls the trace holds."""
    folder = target.home / "out/001/rounds" / round_name
    table = json.loads((folder / "functions.json").read_text())
    found = set()
    for path in folder.glob("trace/*.vtr"):
        for log in vtr.read(str(path)).logs:
            for record in log.records:
                if record["kind"] == "function":
                    probe = table["probes"][record["probe"]]
                    found.add(table["functions"][probe["function"]]["name"])
    return found


def check_one_run():
    with target_of(LONG) as target:
        got = live(target)
        assert got.returncode == 0, got.stderr
        found = result(target)
        assert files(target, "build.log") == ["00", "01"], files(target, "build.log")
        assert files(target, "run.log") == ["01"] and found["rounds"] >= 2, got.stderr
        assert 200 <= found["intervals"]["count"] < LONG, found["intervals"]
        again = subprocess.run([VPROFILER, "report", "--format", "json", str(target.home / "out")],
                               text=True, capture_output=True, timeout=300)
        assert again.returncode == 0, again.stderr
        assert json.loads(again.stdout)["tree"] == found["tree"], "read again, it tells otherwise"
    with target_of(SHORT) as target:
        assert target.iterate("--auto", "--", "./server").returncode == 0
        assert names(result(target))[0] == names(found)[0] == ["nanosleep"], names(found)


def check_short_runs():
    """A program that ends before the ranking is clear is started once for each round."""
    with target_of(SHORT) as target:
        got = live(target)
        found = result(target)
        assert got.returncode == 0 and names(found)[0] == ["nanosleep"], got.stderr
        assert files(target, "build.log") == ["00", "01"], files(target, "build.log")
        assert len(files(target, "run.log")) == found["rounds"] >= 2, files(target, "run.log")
        assert found["intervals"]["count"] > SHORT * 0.9, found["intervals"]


def check_resume():
    """The tree is copied anew: it has no probes before it is built with them once more."""
    with target_of(SHORT) as target:
        assert live(target, "--max-rounds", "1").returncode == 0
        got = subprocess.run([VPROFILER, "iterate", "--resume", "--max-rounds", "9", "--out", "out"],
                             cwd=target.home, stdin=subprocess.DEVNULL, text=True,
                             capture_output=True, timeout=300)
        assert got.returncode == 0 and names(result(target))[0] == ["nanosleep"], got.stderr


def check_off_records_nothing():
    with target_of(SHORT) as target:
        assert live(target, "--max-rounds", "1").returncode == 0
        assert recorded(target, "01") == {"handle", "parse", "execute"}, recorded(target, "01")


def check_crash():
    with target_of(LONG, ("handle(id);", "{ handle(id); if (id == 400) abort(); }")) as target:
        got = live(target)
        assert got.returncode == 1 and "signal 6 (Aborted)" in got.stderr, got.stderr


def check_interrupt():
    with target_of(LONG) as target:
        process = subprocess.Popen(target.command("--build", "build.sh", "--live", "--auto", "--",
                                                  "./server"),
                                   cwd=target.tree, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        trace = target.home / "out/001/rounds/01/trace"
        while process.poll() is None and not list(trace.glob("*.vtr")):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        message = process.communicate(timeout=60)[1]
        assert process.returncode == 130, message
        server = int(next(trace.glob("*.vtr")).stem)
        assert not pathlib.Path(f"/proc/{server}").exists(), "the program runs on"


def check_wrong_use():
    with target_of(SHORT) as target:
        got = target.iterate("--live", "--auto")
        assert got.returncode == 2 and "--run" in got.stderr, got.stderr


def main():
    return run_checks([check_one_run, check_short_runs, check_resume, check_off_records_nothing, check_crash,
                       check_interrupt, check_wrong_use])


if __name__ == "__main__":
    sys.exit(main())
