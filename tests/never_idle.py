"""Processors that always have something to do.

    with never_idle.all_processors():
        ...

Some kernels tell nothing of what interrupts do while a processor is idle. What keeps it busy has the least priority:
whoever else wants the processor has it at once.
"""
import contextlib
import ctypes
import os
import signal
import subprocess
import sys


DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def die_with_parent():
    ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)


def begin():
    """The least priority counts only among the threads of one session, so the session's is the least, too."""
    die_with_parent()
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    os.setsid()
    with contextlib.suppress(OSError):
        with open("/proc/self/autogroup", "w") as file:
            file.write("19")


@contextlib.contextmanager
def all_processors():
    busy = [subprocess.Popen([sys.executable, "-c", f"import os\nos.sched_setaffinity(0, [{cpu}])\nwhile 1: 0"],
                             preexec_fn=begin) for cpu in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
