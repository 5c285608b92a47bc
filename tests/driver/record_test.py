#!/usr/bin/env python3
"""record: an annotated program, a rewritten one, one that fails, one that is stopped.

usage: record_test.py VPROFILER
"""
import json
import signal
import subprocess
import sys
import time

from checks import run_checks
from target import Target

VPROFILER = sys.argv[1]


def build(target):
    """The program of target.py, built where it is, and nothing run."""
    script = (target.tree / "build.sh").read_text().replace("./server\n", "")
    subprocess.run(["sh", "-c", script], cwd=target.tree, check=True)


def record(target, *words, where=None):
    return subprocess.run([VPROFILER, "record", "--kernel", "off", "--out", str(target.home / "out"), *words],
                          cwd=where or target.tree, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60)


def check_annotated():
    with Target(VPROFILER) as target:
        build(target)
        got = record(target, "--json", "--", "./server")
        lines = got.stderr.splitlines()
        assert got.returncode == 0 and "only the intervals" in lines[-1], got.stderr
        assert "functions.json" not in lines[0], got.stderr
        report = json.loads(got.stdout)
        assert report["intervals"]["count"] == 150, report["intervals"]
        assert (target.home / "out/latest/report.html").exists()


def check_rewritten():
    with Target(VPROFILER) as target:
        command = {"directory": str(target.tree), "file": "server.c",
                   "arguments": ["cc", "-I" + str(INCLUDE), "-c", "server.c"]}
        (target.tree / "compile_commands.json").write_text(json.dumps([command]))
        copy = target.home / "copy"
        subprocess.run([VPROFILER, "rewrite", "--tree", str(copy), "--table",
                        str(target.home / "functions.json"), "--open", "all", "--out",
                        str(target.home / "out")], cwd=target.tree, check=True, capture_output=True)
        target.tree = copy
        build(target)
        got = record(target, "--json", "--functions", str(target.home / "functions.json"), "--",
                     "./server")
        assert got.returncode == 0, got.stderr
        assert json.loads(got.stdout)["factors"][0]["functions"] == ["nanosleep"], got.stdout


def check_failing():
    with Target(VPROFILER) as target:
        build(target)
        got = record(target, "--", "sh", "-c", "./server; exit 7")
        assert got.returncode == 1 and "exit status 7" in got.stderr, got.stderr
        assert "150 intervals" in got.stdout and "No function of" in got.stdout, got.stdout
        got = record(target, "--", "./no-such-program")
        assert got.returncode == 1 and "its name right" in got.stderr, got.stderr


def check_stopped():
    with Target(VPROFILER) as target:
        build(target)
        ready = target.home / "ready"
        process = subprocess.Popen([VPROFILER, "record", "--out", str(target.home / "out"), "--",
                                    "sh", "-c", f"./server; touch {ready}; sleep 60"],
                                   cwd=target.tree, stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not ready.exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        result, message = process.communicate(timeout=60)
        assert process.returncode == 0 and "150 intervals" in result, message


if __name__ == "__main__":
    from target import pathlib
    INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
    sys.exit(run_checks([check_annotated, check_rewritten, check_failing, check_stopped]))
