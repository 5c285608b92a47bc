#!/usr/bin/env python3
"""The README's own program and demo do what it says; commands_test.py runs all other commands.

usage: readme_test.py VPROFILER
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from blocks import ROOT, blocks

sys.path.append(str(ROOT / "tests" / "report"))
import check_report  # noqa: E402

PROGRAM = r"""
#include <unistd.h>
#include "vprof_api.h"

struct request { int number; };

static void work(struct request *request)
{
    usleep(request->number & 3 ? 200 : 4000);
}

%s

int main(void)
{
    for (int i = 0; i < 150; i++) {
        struct request request = {i};
        handle(&request);
    }
    return 0;
}
"""


def own_program(folder, snippet):
    """A program around the README's own `handle`, built by make and run by bench.sh."""
    handle = snippet.split('#include "vprof_api.h"')[1].split("/* on another thread")[0]
    (folder / "server.c").write_text(PROGRAM % handle.replace("...", "work(request);"))
    (folder / "Makefile").write_text("server: server.o\n\t$(CC) -o $@ $^\n")
    (folder / "bench.sh").write_text("#!/bin/sh\nexec ./server\n")
    (folder / "bench.sh").chmod(0o755)


def run_own(vprofiler, folder, script):
    path = f"{pathlib.Path(vprofiler).resolve().parent}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-e", "-c", script], cwd=folder, env=dict(os.environ, PATH=path),
                          stdin=subprocess.DEVNULL, text=True, capture_output=True, timeout=200)
    assert done.returncode == 0, done.stderr
    report = check_report.read((folder / "vprofiler-out/latest/report.json").read_text())
    assert report["factors"][0]["functions"] == ["usleep"], report["factors"][0]
    for name in ("report.html", "report.txt"):
        assert (folder / "vprofiler-out/latest" / name).stat().st_size > 1000, name


def run_demo(vprofiler, folder):
    done = subprocess.run([vprofiler, "demo"], cwd=folder, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=200)
    assert done.returncode == 0, done.stderr
    assert "pthread_mutex_lock" in done.stdout, done.stdout
    assert (folder / "vprofiler-demo/vprofiler-out/latest/report.html").exists()


def main():
    vprofiler = str(pathlib.Path(sys.argv[1]).resolve())
    commands = blocks("README.md", "sh")
    assert commands[0].split("\n")[:2] == ["tools/install_packages.sh", "make demo"] and "make test\n" in commands, commands
    assert "make test" in (ROOT / ".ci/run").read_text() and "make demo" in (ROOT / ".ci/run").read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        own_program(folder, blocks("README.md", "c")[0])
        run_own(vprofiler, folder, next(text for text in commands if "build.sh" in text))
        run_demo(vprofiler, folder)
    print("2 passed, 0 failed")


if __name__ == "__main__":
    main()
