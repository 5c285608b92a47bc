#!/usr/bin/env python3
"""iterate interrupted at random moments: the tree keeps its bytes, and the next iterate works.

One signal in two goes to vprofiler alone, the others to its process group, as a terminal sends ^C and a
hang-up. Whatever the signal, nothing of the program runs on.

usage: interrupt_test.py VPROFILER [TIMES]       TIMES is 8 where not given
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from target import Target, kill_group, read_report, report_path

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP]
ENDS_S = 20  # a child that does not heed SIGTERM is killed after 2 s


def running(home):
    """Processes whose working directory lies in `home`."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            folder = os.readlink(process / "cwd")
        except OSError:
            continue
        if folder == str(home) or folder.startswith(f"{home}/"):
            found.append(process.name)
    return found


def all_ended(target):
    for _ in range(ENDS_S * 10):
        if not running(target.home):
            return True
        time.sleep(0.1)
    return False


def interrupt_once(target, moment_s, number, group):
    process = subprocess.Popen(target.command("--build", "build.sh", "--auto", "--quiet"),
                               cwd=target.tree, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    time.sleep(moment_s)
    if group:
        kill_group(process, number)
    else:
        process.send_signal(number)
    message = process.communicate(timeout=60)[1]
    return process.returncode, message


def main():
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    random.seed(4)
    failed = 0
    with Target(sys.argv[1]) as target:
        before = target.hashes()
        start = time.monotonic()
        assert target.iterate("--auto").returncode == 0, "iterate fails uninterrupted"
        whole_s = time.monotonic() - start
        for i in range(times):
            moment_s, number = random.uniform(0.01, whole_s), SIGNALS[i // 2 % len(SIGNALS)]
            group = i % 2 == 1
            code, message = interrupt_once(target, moment_s, number, group)
            good = (target.hashes() == before and code in (0, 130, -signal.SIGKILL)
                    and all_ended(target))
            print(f"{moment_s:5.2f} s of {whole_s:.2f}: {number.name}{' to the group' * group}, exit {code}: "
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
