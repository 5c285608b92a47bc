#!/usr/bin/env python3
"""A server does not end by itself: round 0 says so, once, and what suits it.

usage: server_hint_test.py VPROFILER
"""
import signal
import subprocess
import sys
import threading
import time

from target import BUILD, SERVER, Target, pathlib

ENDLESS = SERVER.replace("return 0;", "for (;;)\n        nap(100000);")
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
MOST_S = 90
failures = []


def expect(name, truth, detail=""):
    if not truth:
        failures.append(name)
        print(f"FAILED {name} {detail}")


def watch(target, options, said):
    """Interrupts the loop ten seconds after it gave its hint: it is not given again."""
    process = subprocess.Popen(target.command("--build", "build.sh", "--auto", *options), text=True,
                               cwd=target.tree, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               stdout=subprocess.DEVNULL)
    timer = threading.Timer(MOST_S, process.send_signal, (signal.SIGINT,))
    timer.start()
    began = time.monotonic()
    for line in process.stderr:
        said.append((time.monotonic() - began, line))
        if "still running" in line:
            threading.Timer(10, process.send_signal, (signal.SIGINT,)).start()
    timer.cancel()
    said.append(process.wait())


def main():
    only_built = (BUILD % INCLUDE).replace("./server\n", "")
    cases = {
        "run script": ({"build.sh": only_built, "run.sh": "./server\n"}, ["--run", "run.sh"],
                       "add --live,"),
        "command": ({"build.sh": only_built}, ["--", "./server"], "add --live,"),
        "one script": ({"build.sh": BUILD % INCLUDE}, [], "--live --run SCRIPT"),
    }
    started = []
    for name, (files, options, _) in cases.items():
        target, said = Target(sys.argv[1], {"server.c": ENDLESS, **files}), []
        thread = threading.Thread(target=watch, args=(target, options, said))
        thread.start()
        started.append((name, target, thread, said))
    for name, target, thread, said in started:
        thread.join()
        hints = [line for line in said[:-1] if "still running" in line[1]]
        expect(f"{name}: once", len(hints) == 1, str(said))
        expect(f"{name}: what suits", hints and cases[name][2] in hints[0][1], str(said))
        expect(f"{name}: not at once", hints and hints[0][0] > 20, str(hints))
        expect(f"{name}: interrupted", said[-1] == 130, str(said[-1]))
        target.close()
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
