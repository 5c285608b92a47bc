#!/usr/bin/env python3
"""iterate interrupted at random moments: the tree keeps its bytes, and the next iterate works.

usage: interrupt_test.py VPROFILER [TIMES]       TIMES is 5 where not given
"""
import random
import signal
import subprocess
import sys
import time

from target import Target, read_report, report_path

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


def interrupt_once(target, moment_s, number):
    process = subprocess.Popen(target.command("--build", "build.sh", "--auto", "--quiet"),
                               cwd=target.tree, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(moment_s)
    process.send_signal(number)
    message = process.communicate(timeout=60)[1]
    return process.returncode, message


def main():
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    random.seed(4)
    failed = 0
    with Target(sys.argv[1]) as target:
        before = target.hashes()
        start = time.monotonic()
        assert target.iterate("--auto").returncode == 0, "iterate fails uninterrupted"
        whole_s = time.monotonic() - start
        for i in range(times):
            moment_s, number = random.uniform(0.01, whole_s), SIGNALS[i % len(SIGNALS)]
            code, message = interrupt_once(target, moment_s, number)
            good = target.hashes() == before and code in (0, 130, -signal.SIGKILL)
            print(f"{moment_s:5.2f} s of {whole_s:.2f}: {number.name}, exit {code}: "
                  f"{'tree unchanged' if good else 'FAILED ' + message}")
            failed += not good
        report_path(target).unlink()
        after = target.iterate("--auto")
        if after.returncode != 0 or not read_report(target)["factors"]:
            print("the next iterate fails:", after.stderr)
            failed += 1
        if target.hashes() != before:
            print("the tree changed")
            failed += 1
    print(f"{times + 1 - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
