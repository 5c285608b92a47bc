#!/usr/bin/env python3
"""A loop that was killed, or that a limit ended, goes on with --resume to the result of a whole one.

usage: resume_test.py VPROFILER [TIMES]       TIMES is 6 where not given
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from checks import run_checks
from target import Target

VPROFILER = sys.argv[1]
# Far from what noise makes of the functions that do not vary.
CLEAR = ["--auto", "--threshold", "0.3"]
TIMES = int(sys.argv[2]) if len(sys.argv) > 2 else 6


def resume(target, *options):
    return subprocess.run([VPROFILER, "iterate", "--resume", "--out", "out",
                           *options], cwd=target.home, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300)


def report(target):
    return json.loads((target.home / "out/latest/report.json").read_text())


def codes(found):
    return [warning["code"] for warning in found["warnings"]]


def outline(found):
    """What does not depend on the clock: which functions were timed, how deep the tree is."""
    def names(node):
        return {node["name"]: [names(child) for child in sorted(node["children"],
                                                                key=lambda child: child["name"])]}
    return (found["rounds"], found["functions_timed"], found["intervals"]["count"],
            found["factors"][0]["functions"], names(found["tree"]), found["origin"]["command"])


def begin(target, *options):
    return subprocess.Popen(target.command("--build", "build.sh", *CLEAR, *options),
                            cwd=target.tree, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def measured(target):
    """When each round's program ran, as its log's time says."""
    return {log.parent.name: log.stat().st_mtime_ns
            for log in sorted((target.home / "out").glob("0*/rounds/*/build.log"))
            if log.parent.name != "00"}


def whole_and_how_long():
    with Target(VPROFILER) as target:
        start = time.monotonic()
        got = target.iterate(*CLEAR)
        assert got.returncode == 0, got.stderr
        return outline(report(target)), time.monotonic() - start


def killed_once(whole, moment_s):
    with Target(VPROFILER) as target:
        process = begin(target)
        time.sleep(moment_s)
        process.kill()
        process.wait()
        out = target.home / "out"
        state = next(out.glob("*/loop.json"), None) if out.exists() else None
        before, kept = measured(target), json.loads(state.read_text()) if state else None
        got = resume(target)
        if not state:
            assert got.returncode == 2 and "no loop" in got.stderr, got.stderr
            return "before the loop began"
        assert got.returncode == 0, got.stderr
        found, final = outline(report(target)), json.loads(state.read_text())
        # On a busy machine a loop may take a round more: its way differs, not where it comes to.
        assert found[0] >= 3 and found[2:4] == whole[2:4], f"{found} is not {whole}"
        for choice in ("opened", "timed"):
            assert set(kept.get(choice, [])) <= set(final[choice]), f"{choice}: {kept} {final}"
        assert not kept["first"]["count"] or kept["first"] == final["first"], "another first round"
        after = measured(target)
        done = kept["round"] + kept["measured"] - 1
        for number in range(1, done + 1):
            name = f"{number:02}"
            assert before[name] == after[name], f"round {name} was measured again"
        assert not list(out.glob("*/tree")), "the copy of the tree stays"
        return f"after {max(done, 0)} rounds"


def check_killed():
    random.seed(7)
    whole, whole_s = whole_and_how_long()
    assert whole[0] >= 3, whole
    for i in range(TIMES):
        moment_s = whole_s * (i + random.random()) / TIMES
        print(f"  {moment_s:.2f} s of {whole_s:.2f}: killed {killed_once(whole, moment_s)}")


# It is as if vprofiler were killed when one of the copy's files is gone.
KILLED_WHILE_IT_REMOVES = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <signal.h>
int remove(const char *path)
{
    int (*next)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "remove");
    int result = next(path);
    if (strlen(path) > 9 && strcmp(path + strlen(path) - 9, "/server.c") == 0)
        raise(SIGKILL);
    return result;
}
"""


def check_killed_while_it_removes_its_copy():
    with Target(VPROFILER) as target:
        library = target.home / "removes.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], check=True, text=True,
                       input=KILLED_WHILE_IT_REMOVES)
        got = subprocess.run(target.command("--build", "build.sh", *CLEAR), cwd=target.tree, stdin=subprocess.DEVNULL,
                             capture_output=True, env={**os.environ, "LD_PRELOAD": library})
        assert got.returncode == -signal.SIGKILL, got
        assert (target.home / "out/001/removed").exists(), list((target.home / "out/001").iterdir())
        got = resume(target)
        assert got.returncode == 0, got.stderr
        assert not list(target.home.glob("out/001/tree")) + list(target.home.glob("out/001/removed"))


def check_limits():
    with Target(VPROFILER) as target:
        got = target.iterate(*CLEAR, "--max-rounds", "1")
        assert got.returncode == 0 and "stopped-early" in codes(report(target)), got.stderr
        first = (target.home / "out/001/rounds/01/report.txt").read_text()
        assert "round 1 of at most 1" in first, first
        times = measured(target)
        got = resume(target, "--max-rounds", "9")
        assert got.returncode == 0, got.stderr
        found = report(target)
        assert found["rounds"] >= 3 and "stopped-early" not in codes(found), got.stdout
        assert "--resume" in found["origin"]["command"], found["origin"]
        assert measured(target)["01"] == times["01"], "round 1 was measured again"
        again = resume(target)
        assert again.returncode == 0 and outline(report(target)) == outline(found), again.stderr


def check_budget():
    with Target(VPROFILER) as target:
        got = target.iterate(*CLEAR, "--budget", "0.1s")
        found = report(target)
        assert got.returncode == 0 and found["rounds"] == 1, got.stderr
        message = next(w["message"] for w in found["warnings"] if w["code"] == "stopped-early")
        assert "budget" in message and "--resume" in message, message
        got = resume(target, "--budget", "1h")
        assert got.returncode == 0 and report(target)["rounds"] >= 3, got.stderr


def check_one_at_a_time():
    slow = {"build.sh": "#!/bin/sh\nsleep 60\n"}
    with Target(VPROFILER, slow) as target:
        process = begin(target)
        while not list((target.home / "out").glob("*/rounds/00/build.log")):
            time.sleep(0.02)
        got = resume(target)
        tree = list((target.home / "out").glob("*/tree/server.c"))
        process.send_signal(signal.SIGINT)
        message = process.communicate(timeout=60)[1]
        assert got.returncode == 2 and "Another vprofiler" in got.stderr, got.stderr
        assert tree, "the tree of the one that works was removed"
        assert "--resume" in message, message


def check_other_source():
    with Target(VPROFILER) as target:
        assert target.iterate(*CLEAR, "--max-rounds", "1").returncode == 0
        source = target.tree / "server.c"
        source.write_text(source.read_text().replace("3000", "4000"))
        got = resume(target, "--max-rounds", "3")
        assert got.returncode == 2 and "not what this loop began with" in got.stderr, got.stderr


MAKEFILE = """CFLAGS = -O1 -g %s
server: server.o more.o
\tcc -o server server.o more.o
%%.o: %%.c
\tcc $(CFLAGS) -c $< -o $@
\techo $< >> ../compiled
""" % ("-I" + str(pathlib.Path(__file__).resolve().parents[2] / "include"))
MADE = {"build.sh": "make\n", "Makefile": MAKEFILE, "more.c": "int more(int x)\n{\n    return x;\n}\n",
        "load": "1", "run.sh": "cat load >> ../loads\n./server\n"}


def lines(target, name):
    path = target.home / "out/001" / name
    return path.read_text().split() if path.exists() else []


def check_nothing_is_built_again():
    """What was built stays until the loop is done; what changed beside the source is taken."""
    for cleaned in (False, True):
        with Target(VPROFILER, MADE) as target:
            got = target.iterate(*CLEAR, "--run", "run.sh", "--max-rounds", "1")
            assert got.returncode == 0 and (target.home / "out/001/tree").exists(), got.stderr
            before, ran = lines(target, "compiled"), lines(target, "loads")
            (target.tree / "load").write_text("2")
            if cleaned:
                subprocess.run([VPROFILER, "clean", "--out", str(target.home / "out")], check=True,
                               stdout=subprocess.DEVNULL)
            assert (target.home / "out/001/tree").exists() != cleaned, "clean"
            got = resume(target, "--max-rounds", "2")
            assert got.returncode == 0 and "[0] build" not in got.stderr, got.stderr
            assert "[0] run" not in got.stderr, got.stderr
            after = lines(target, "compiled")[len(before):]
            assert sorted(after) == (["more.c", "server.c"] if cleaned else ["server.c"]), after
            assert "".join(lines(target, "loads")) == "".join(ran) + "2", lines(target, "loads")
            got = resume(target, "--max-rounds", "9")
            assert got.returncode == 0 and report(target)["rounds"] >= 3, got.stderr
            assert not (target.home / "out/001/tree").exists(), "the copy stays"


def check_interrupted_while_it_runs():
    """A copy in which no build was broken off is gone on with."""
    slow = dict(MADE, **{"run.sh": "[ $VPROF_ROUND != 2 ] || [ -e ../again ] || sleep 60\n./server\n"})
    with Target(VPROFILER, slow) as target:
        process = begin(target, "--run", "run.sh")
        while not (target.home / "out/001/rounds/02/run.log").exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        message = process.communicate(timeout=60)[1]
        assert process.returncode == 130 and "--resume" in message, message
        before = lines(target, "compiled")
        (target.home / "out/001/again").write_text("")
        got = resume(target, "--max-rounds", "2")
        assert got.returncode == 0 and lines(target, "compiled") == before, got.stderr


def check_broken_off_build():
    """What a build was making when it was broken off may be half of it: all is made anew."""
    slow = dict(MADE, **{"build.sh": "[ $VPROF_ROUND != 2 ] || [ -e ../again ] || sleep 60\nmake\n"})
    with Target(VPROFILER, slow) as target:
        process = begin(target, "--run", "run.sh")
        while not (target.home / "out/001/rounds/02/build.log").exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        (target.home / "out/001/again").write_text("")
        got = resume(target, "--max-rounds", "2")
        assert got.returncode == 0 and "[0] copy" in got.stderr, got.stderr


if __name__ == "__main__":
    sys.exit(run_checks([check_killed, check_killed_while_it_removes_its_copy, check_limits, check_budget,
                         check_one_at_a_time, check_other_source, check_nothing_is_built_again,
                         check_interrupted_while_it_runs, check_broken_off_build]))
