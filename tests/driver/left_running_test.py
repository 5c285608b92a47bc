#!/usr/bin/env python3
"""Builds and programs that would outlive their round, wait for ever, or fill the disk.

usage: left_running_test.py VPROFILER
"""
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import time

from checks import run_checks
from target import BUILD, Target, read_report

VPROFILER = sys.argv[1]
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
USUAL = BUILD % INCLUDE
ENDS_S = 20

# Forks twice, has a session of its own, an empty environment and no folder of the tree: nothing tells whose it is.
DAEMON = """
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.chdir("/")
        stubborn = sys.argv[2:] == ["stubborn"]
        if stubborn:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with open(sys.argv[1], "a") as file:
            file.write(f"{os.getpid()}\\n")
        os.execve("/bin/sleep", ["sleep", "600"], {})
    os._exit(0)
os.wait()
"""


def with_build(lines, **files):
    return Target(VPROFILER, {"build.sh": USUAL + lines, **files})


def pids_of(path):
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def runs(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False


def assert_all_ended(pids):
    end = time.monotonic() + ENDS_S
    while any(map(runs, pids)):
        assert time.monotonic() < end, [pid for pid in pids if runs(pid)]
        time.sleep(0.05)


def check_daemons():
    """By setsid, and the whole way; also one that does not heed SIGTERM. Each is named."""
    with with_build("", **{"daemon.py": DAEMON}) as target:
        pids = target.home / "pids"
        # The build goes on when the first one is there: what had not begun yet would be no daemon.
        script = USUAL + f"""setsid sh -c 'echo $$ >>{pids}; >{pids}.up; while :; do sleep 0.05; done' >/dev/null 2>&1 &
while [ ! -e {pids}.up ]; do sleep 0.01; done
rm {pids}.up
python3 daemon.py {pids} </dev/null >/dev/null 2>&1
python3 daemon.py {pids} stubborn </dev/null >/dev/null 2>&1
"""
        (target.tree / "build.sh").write_text(script)
        got = target.iterate("--auto", "--max-rounds", "1")
        assert got.returncode == 0, got.stderr
        started = pids_of(pids)
        assert len(started) == 6, started
        assert_all_ended(started)
        for pid in started:
            assert f"{pid} (" in got.stderr, (pid, got.stderr)


def check_killed():
    """Where vprofiler is killed a daemon of its command ends all the same."""
    with with_build("") as target:
        pids = target.home / "pids"
        (target.tree / "build.sh").write_text(
            f"setsid sh -c 'echo $$ >>{pids}; while :; do sleep 0.05; done' >/dev/null 2>&1 &\nsleep 60\n")
        process = subprocess.Popen(target.command("--build", "build.sh", "--auto"), cwd=target.tree,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not pids_of(pids):
            time.sleep(0.02)
        process.kill()
        process.wait()
        assert_all_ended(pids_of(pids))


def at_terminal(target, *options):
    """With a controlling terminal, as a user has it; gives the status and what was shown."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(target.tree)
        command = target.command("--build", "build.sh", *options)
        os.execv(command[0], command)
    shown, end = b"", time.monotonic() + ENDS_S
    try:
        while part := os.read(terminal, 4096):
            shown += part
            assert time.monotonic() < end, shown
    except OSError:
        pass
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()


def check_terminal():
    """There is none to read, to set or to ask for a password at: an error at once, and no stopped build."""
    for line in "read x </dev/tty\n", "stty -echo </dev/tty\n", "python3 -c 'open(\"/dev/tty\", \"r+b\", 0)'\n":
        with with_build(line) as target:
            signal.alarm(3 * ENDS_S)
            status, shown = at_terminal(target, "--auto")
            signal.alarm(0)
            assert status == 1 and "/dev/tty" in shown and "no terminal" in shown, (line, shown)
    with with_build("read x || true\n(read y </dev/tty) 2>/dev/null || true\n") as target:
        status, shown = at_terminal(target, "--auto", "--max-rounds", "1")
        assert status == 0, shown


def check_stopped():
    with with_build("kill -STOP $$\n") as target:
        process = subprocess.Popen(target.command("--build", "build.sh", "--auto", "--max-rounds", "1"),
                                   cwd=target.tree, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        told = []
        for line in process.stderr:
            if found := re.search(r"To go on: kill -CONT (\d+)", line):
                told.append(line)
                os.kill(int(found[1]), signal.SIGCONT)
        assert process.wait() == 0 and len(told) == 2, told


def check_log():
    """It keeps its head and its tail, and tells what is missing."""
    with with_build("echo the head\nhead -c 150000000 /dev/zero | tr '\\0' x\nsleep 0.6\necho the tail\n") as target:
        got = target.iterate("--auto", "--keep", "--max-rounds", "1")
        assert got.returncode == 0, got.stderr
        for log in (target.home / "out/001/rounds").glob("*/build.log"):
            text = log.read_bytes()
            assert len(text) < 34 << 20 and b"the head" in text and text.endswith(b"the tail\n"), len(text)
            left = int(re.search(rb"\n\.\.\. (\d+) bytes were left out here \.\.\.\n", text)[1])
            assert left > 100_000_000, left


def check_results():
    """A copy that a failed loop left is there until the next one; traces of the newest loops, and of kept ones."""
    with with_build("[ ! -e fails ]\n") as target:
        out = target.home / "out"
        (target.tree / "fails").touch()
        for _ in range(2):
            assert target.iterate("--auto").returncode == 1
        assert not (out / "001/tree").exists() and (out / "002/tree").exists()
        assert (out / "001/rounds/00/build.log").exists()
        (target.tree / "fails").unlink()
        assert target.iterate("--auto", "--max-rounds", "1").returncode == 0
        assert target.iterate("--auto", "--max-rounds", "1", "--keep").returncode == 0
        assert not (out / "002/tree").exists() and (out / "004/tree").exists()
        (out / "024").mkdir()
        got = target.iterate("--auto", "--max-rounds", "1")
        assert got.returncode == 0 and re.search(r"traces of \d old loops", got.stderr), got.stderr
        assert not (out / "003/rounds/01/trace").exists() and (out / "003/report.json").exists()
        assert (out / "004/rounds/01/trace").exists() and (out / "004/tree").exists()
        read_report(target)


def check_sparse():
    with with_build("") as target:
        with open(target.tree / "image", "wb") as file:
            file.truncate(8 << 30)
        got = target.iterate("--auto", "--keep", "--max-rounds", "1")
        assert got.returncode == 0, got.stderr
        copy = (target.home / "out/001/tree/image").stat()
        assert copy.st_size == 8 << 30 and copy.st_blocks < 1000, copy


if __name__ == "__main__":
    sys.exit(run_checks([check_daemons, check_killed, check_terminal, check_stopped, check_log, check_results,
                         check_sparse]))
