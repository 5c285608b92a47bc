"""Processors that always have something to do.

    with never_idle.all_processors():
        ...

Some kernels tell nothing of what interrupts do while a processor is idle. What keeps it busy has the least priority:
whoever else wants the processor has it at once.
"""
import contextlib
import os
import subprocess
import sys


def begin():
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


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
