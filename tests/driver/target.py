"""A small program to profile, in a folder of its own, and the vprofiler to profile it with."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "report"))
import check_report  # noqa: E402

SERVER = r"""
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include "vprof_api.h"

static unsigned seed = 1;

static unsigned next_random(void)
{
    seed = seed * 1103515245u + 12345u;
    return seed >> 16;
}

static void nap(long us)
{
    struct timespec time = {0, us * 1000};
    nanosleep(&time, NULL);
}

static void parse(void)
{
    nap(100);
}

static void execute(void)
{
    nap(next_random() % 2 ? 3000 : 200);
}

static void handle(long id)
{
    SI_BEGIN(id);
    parse();
    execute();
    SI_END(id);
}

int main(void)
{
    /* Where it may: what else runs on the machine does not make its latency vary. */
    struct sched_param first = {.sched_priority = 10};
    sched_setscheduler(0, SCHED_FIFO, &first);
    for (long id = 0; id < 150; id++)
        handle(id);
    return 0;
}
"""

BUILD = """#!/bin/sh
set -e
cc -O1 -g ${VPROF_CFLAGS--I%s} -c server.c -o server.o
cc -o server server.o
./server
"""


class Target:
    """`files` (name -> text) replace or add to the default server.c and build.sh."""

    def __init__(self, vprofiler, files=None):
        self.vprofiler = vprofiler
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="vprofiler-test-"))
        self.tree = self.home / "tree"
        self.tree.mkdir()
        include = pathlib.Path(__file__).resolve().parents[2] / "include"
        everything = {"server.c": SERVER, "build.sh": BUILD % include}
        everything.update(files or {})
        for name, text in everything.items():
            (self.tree / name).write_text(text)
        (self.tree / "build.sh").chmod(0o755)

    def command(self, *options):
        return [self.vprofiler, "iterate", "--out", str(self.home / "out"), *options]

    def iterate(self, *options, build="build.sh", environment=None):
        where = ["--build", build] if build else []
        return subprocess.run(self.command(*where, *options), cwd=self.tree, text=True,
                              env={**os.environ, **(environment or {})},
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300)

    def hashes(self):
        return {str(p.relative_to(self.tree)): hashlib.sha256(p.read_bytes()).hexdigest()
                for p in sorted(self.tree.rglob("*")) if p.is_file()}

    def close(self):
        shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


def report_path(target):
    return target.home / "out" / "latest" / "report.json"


def read_report(target):
    return check_report.read(report_path(target).read_text())


def kill_group(process, number):
    os.killpg(process.pid, number)
