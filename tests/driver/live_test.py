#!/usr/bin/env python3
"""iterate --live: one build, probes switched while the program runs, the same answer.

usage: live_test.py VPROFILER
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from checks import run_checks
from target import SERVER, Target, report_path

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runtime"))
import vtr  # noqa: E402

VPROFILER = os.path.abspath(sys.argv[1])
BUILD = """#!/bin/sh
set -e
cc -O1 -g ${VPROF_CFLAGS--Inowhere} -c server.c -o server.o
cc -o server server.o
"""
SHORT, LONG = 150, 200000  # requests: 0.3 s, and more than any loop needs
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
CALL = "handle(id);"
AT_START = "for (long id = 0;"


def target_of(requests, *replacements):
    text = SERVER.replace("id < 150", f"id < {requests}")
    text = "#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n" + text
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    return Target(VPROFILER, {"server.c": text, "build.sh": BUILD.replace("nowhere", str(INCLUDE))})


def live(target, *options, kernel="off", environment=None):
    """Which factors there are depends on whether the scheduler may be recorded."""
    return target.iterate("--live", "--auto", "--kernel", kernel, *options, "--", "./server", environment=environment)


def read_again(target):
    got = subprocess.run([VPROFILER, "report", "--format", "json", str(target.home / "out")],
                         text=True, capture_output=True, timeout=300)
    assert got.returncode == 0, got.stderr
    return json.loads(got.stdout)


def resume(target):
    return subprocess.run([VPROFILER, "iterate", "--resume", "--max-rounds", "9", "--out", "out"],
                          cwd=target.home, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300)


def result(target):
    return json.loads(report_path(target).read_text())


def names(found):
    return [factor["functions"] for factor in found["factors"][:3]]


def files(target, name):
    return sorted(path.parent.name for path in (target.home / "out/001/rounds").glob(f"*/{name}"))


def recorded(target, round_name):
    """The functions whose calls the trace holds."""
    folder = target.home / "out/001/rounds" / round_name
    table = json.loads((folder / "functions.json").read_text())
    found = set()
    for path in folder.glob("trace/*.vtr"):
        for log in vtr.read(str(path)).logs:
            for record in log.records:
                if record["kind"] == "function":
                    probe = table["probes"][record["probe"]]
                    found.add(table["functions"][probe["function"]]["name"])
    return found


def check_one_run():
    with target_of(LONG) as target:
        got = live(target)
        assert got.returncode == 0, got.stderr
        found = result(target)
        assert files(target, "build.log") == ["00", "01"], files(target, "build.log")
        assert files(target, "run.log") == ["01"] and found["rounds"] >= 2, got.stderr
        assert 200 <= found["intervals"]["count"] < LONG, found["intervals"]
        assert read_again(target)["tree"] == found["tree"], "read again, it tells otherwise"
    with target_of(SHORT) as target:
        assert target.iterate("--auto", "--kernel", "off", "--", "./server").returncode == 0
        assert names(result(target))[0] == names(found)[0] == ["nanosleep"], names(found)


def check_small_trace():
    """A window ends where it no longer fits, and the result is what the program left of it."""
    fast = [("execute();", "if (id % 4096 == 0) nap(20000);"), ("parse();", "")]
    with target_of(10**10, *fast) as target:
        got = live(target, kernel="auto", environment={"VPROF_TRACE_CAP_BYTES": str(4 << 20)})
        assert got.returncode == 0, got.stderr
        found = result(target)
        assert "overwritten-records" in warnings(found), warnings(found)
        assert read_again(target)["tree"] == found["tree"], "read again, it tells otherwise"
        last = target.home / f"out/001/rounds/{found['rounds']:02}/report.json"
        assert json.loads(last.read_text())["tree"] == found["tree"], "its last round tells otherwise"
        assert got.stderr.count("watch on") <= 3 * found["rounds"], got.stderr


def check_short_runs():
    """A program that ends before the ranking is clear is started once for each round."""
    with target_of(SHORT) as target:
        got = live(target)
        found = result(target)
        assert got.returncode == 0 and names(found)[0] == ["nanosleep"], got.stderr
        assert files(target, "build.log") == ["00", "01"], files(target, "build.log")
        assert len(files(target, "run.log")) == found["rounds"] >= 2, files(target, "run.log")
        assert found["intervals"]["count"] > SHORT * 0.9, found["intervals"]


def check_off_records_nothing():
    with target_of(SHORT) as target:
        assert live(target, "--max-rounds", "1").returncode == 0
        assert recorded(target, "01") == {"handle", "parse", "execute"}, recorded(target, "01")


def check_short_is_not_carried():
    """But for parse and execute: what nap does for the one is told from what it does for the other."""
    with target_of(SHORT) as target:
        got = live(target, "--max-rounds", "9")
        assert got.returncode == 0 and "in 5 of 6 functions" in got.stderr, got.stderr
        table = json.loads((target.home / "out/001/rounds/01/functions.json").read_text())
        carried = {table["functions"][probe["function"]]["name"] for probe in table["probes"]
                   if probe["kind"] == "function"}
        assert carried == {"nap", "parse", "execute", "handle", "main"}, carried
        assert result(target)["functions_timed"] <= 4, result(target)


def warnings(found):
    return [warning["code"] for warning in found["warnings"]]


def warnings_text(found):
    return " ".join(warning["message"] for warning in found["warnings"])


def write_commands(target):
    path = target.home / "commands.json"
    path.write_text(json.dumps([{"directory": str(target.tree), "file": "server.c",
                                 "command": f"cc -O1 -g -I{INCLUDE} -c server.c -o server.o"}]))
    return str(path)


def check_commands_known():
    """With the compile commands at hand there is one build, that of the probes."""
    with target_of(SHORT) as target:
        got = live(target, "--compile-commands", write_commands(target))
        assert got.returncode == 0 and names(result(target))[0] == ["nanosleep"], got.stderr
        assert files(target, "build.log") == ["01"], files(target, "build.log")


def check_sources_made_by_build():
    made = ("#include <time.h>", '#include <time.h>\n#include "made.h"')
    with target_of(SHORT, made) as target:
        script = target.tree / "build.sh"
        script.write_text(script.read_text().replace("set -e", "set -e; echo >made.h"))
        got = live(target, "--compile-commands", write_commands(target))
        assert got.returncode == 0 and "made.h" in got.stderr, got.stderr
        assert files(target, "build.log") == ["00", "01"], files(target, "build.log")


def check_broken_carrier():
    with target_of(SHORT) as target:
        script = target.tree / "build.sh"
        script.write_text(script.read_text() + "false\n")
        got = live(target, "--compile-commands", write_commands(target))
        assert got.returncode == 1 and "--compile-commands" in got.stderr, got.stderr


HOT = ("static void handle(long id)\n{",
       "static volatile long ticks;\nstatic void tick(long n)\n"
       "{ for (long i = 0; i < n; i++) ticks++; }\n"
       "static void handle(long id)\n{")
TICKING = ("parse();", "parse(); for (int i = 0; i < 4000; i++) tick(3);")
CALM = ["--threshold", "0.5"]  # a busy machine may take its time from what is called most


def functions_in(node):
    return {node["name"]}.union(*map(functions_in, node["children"]))


def check_hot():
    """What is called too often is left out, after --resume too, and named."""
    with target_of(LONG, HOT, TICKING) as target:
        got = live(target, *CALM, "--max-rounds", "1")
        assert got.returncode == 0, got.stderr
        assert "[1] left out 1 function called too often (tick): " in got.stderr
        assert "The window begins anew without them" in got.stderr, got.stderr
        assert "watch on: 0 intervals" not in got.stderr, got.stderr
        got = resume(target)
        found = result(target)
        assert got.returncode == 0 and found["rounds"] >= 2, got.stderr
        assert "left out" not in got.stderr, got.stderr
        told = [warning["message"] for warning in found["warnings"]
                if warning["code"] == "hot-functions"]
        assert len(told) == 1 and "tick" in told[0], found["warnings"]
        assert "tick" not in functions_in(found["tree"]), found["tree"]
        assert names(found)[0] == ["nanosleep"], names(found)


OUTSIDE = ("int main(void)\n{",
           "#include <pthread.h>\nstatic void *work(void *unused)\n"
           "{ for (;; nap(1000)) for (int i = 0; i < 2000; i++) tick(3); return unused; }\n"
           "int main(void)\n{ pthread_t thread; pthread_create(&thread, NULL, work, NULL);")


def check_hot_outside():
    """Calls that are few in the intervals' time, and too many for the program's processor time."""
    with target_of(LONG, HOT, ("parse();", "parse(); tick(3);"), OUTSIDE) as target:
        got = live(target, *CALM, "--max-rounds", "1")
        assert got.returncode == 0, got.stderr
        assert "[1] left out 1 function called too often" in got.stderr, got.stderr
        assert "tick" not in functions_in(result(target)["tree"]), result(target)["tree"]


def check_hot_at_the_end():
    """A program that ends as soon as functions are left out is started again."""
    ends = """{ handle(id); char left[4096], path[4096]; unsigned header[6] = {0};
    snprintf(left, sizeof left, "%s/../left", getenv("VPROF_TRACE_DIR"));
    snprintf(path, sizeof path, "%s/control.shm", getenv("VPROF_TRACE_DIR"));
    FILE *file = fopen(path, "r");
    if (file) { fread(header, sizeof header, 1, file); fclose(file); }
    if (header[4] > 2 && access(left, F_OK)) { fclose(fopen(left, "w")); exit(0); } }"""
    with target_of(LONG, HOT, TICKING, (CALL, ends)) as target:
        got = live(target, *CALM, "--max-rounds", "1")
        assert got.returncode == 0, got.stderr
        assert files(target, "left") == ["01"] and got.stderr.count("[1] run") == 2, got.stderr
        assert got.stderr.count("is run again: the window begins anew") == 1, got.stderr
        assert result(target)["intervals"]["count"] >= 200, got.stderr


def check_budget():
    """A round of a slow server ends with the budget, far from what it would like to have."""
    with target_of(LONG, (CALL, "{ handle(id); nap(200000); }")) as target:
        got = live(target, "--budget", "8s")
        found = result(target)
        assert got.returncode == 0 and 5 < found["intervals"]["count"] < 200, got.stderr
        assert "[1] the budget of 8 s ended" in got.stderr, got.stderr
        assert "The budget of 8 s ended in round 1" in warnings_text(found), found["warnings"]
        assert "few-intervals" in warnings(found) and "end the program" in got.stderr, got.stderr


def check_load_that_stops():
    """What a round without intervals leaves is the result of the round before."""
    seen = '{ handle(id); char p[4096]; snprintf(p, sizeof p, "%s/../report.json", '\
           'getenv("VPROF_TRACE_DIR")); if (access(p, F_OK) == 0) for (;;) pause(); }'
    with target_of(LONG, (CALL, seen)) as target:
        got = live(target, "--budget", "25s")
        found = result(target)
        assert got.returncode == 0 and names(found)[0] == ["execute"], got.stderr
        if found["rounds"] == 1:
            print("  the machine is too busy for a second round within the budget")
            return
        assert "No interval was completed in round 2" in got.stdout, got.stdout
        first = json.loads((target.home / "out/001/rounds/01/report.json").read_text())
        assert first["tree"] == found["tree"], "these are not the figures of the round before"


def check_no_load():
    with target_of(LONG, (AT_START, "for (;;) pause();\n" + AT_START)) as target:
        got = live(target, "--budget", "3s")
        assert got.returncode == 3 and "SI_BEGIN reached: 0 times" in got.stderr, got.stderr
        assert "The budget of 3 s ended" in got.stderr and "does the run" not in got.stderr


def check_budget_without_build():
    """A build that takes longer than the budget leaves all of it to the rounds."""
    with target_of(LONG) as target:
        script = target.tree / "build.sh"
        script.write_text(script.read_text() + "sleep 5\n")
        got = live(target, "--budget", "4s", "--max-rounds", "1")
        assert got.returncode == 0 and result(target)["intervals"]["count"] > 100, got.stderr


def ends_how(replacement):
    """(how the server's trace says it ended, what was said)"""
    with target_of(LONG, (AT_START, replacement + AT_START)) as target:
        got = live(target, "--max-rounds", "1", kernel="auto")
        assert got.returncode == 0 and result(target)["intervals"]["count"] >= 200, got.stderr
        path, = (target.home / "out/001/rounds/01/trace").glob("[0-9]*.vtr")
        return vtr.read(str(path)).header["end"], got.stderr


def check_polite_end():
    """A server that only SIGINT ends may do what it has to; one that nothing ends is killed."""
    deaf = "signal(SIGTERM, SIG_IGN);\n"
    end, said = ends_how(deaf + "signal(SIGINT, exit);\n")
    assert end == "exited" and "killed" not in said, said
    end, said = ends_how(deaf + "signal(SIGINT, SIG_IGN);\n")
    assert end == "running" and "killed" in said, said


def check_missing_end():
    lost = ("SI_END(id);", "if (id % 7) SI_END(id);")
    for more in [], [("handle(id);", "handle(id % 700);")]:
        with target_of(LONG, lost, *more) as target:
            got = live(target, "--max-rounds", "1")
            found = result(target)
            part = found["intervals"]["incomplete"] / found["intervals"]["count"]
            assert "incomplete-intervals" in warnings(found) and part > 0.1, got.stderr
    with target_of(LONG) as target:
        live(target, "--max-rounds", "1")
        found = result(target)
        assert found["intervals"]["incomplete"] <= 1, found["intervals"]


def check_crash():
    with target_of(LONG, (CALL, "{ handle(id); if (id == 400) abort(); }")) as target:
        got = live(target)
        assert got.returncode == 1 and "signal 6 (Aborted)" in got.stderr, got.stderr


def check_interrupt():
    with target_of(LONG) as target:
        process = subprocess.Popen(target.command("--build", "build.sh", "--live", "--auto", "--",
                                                  "./server"),
                                   cwd=target.tree, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        trace = target.home / "out/001/rounds/01/trace"
        while process.poll() is None and not list(trace.glob("[0-9]*.vtr")):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        message = process.communicate(timeout=60)[1]
        assert process.returncode == 130, message
        server = int(next(trace.glob("[0-9]*.vtr")).stem)
        assert not pathlib.Path(f"/proc/{server}").exists(), "the program runs on"


def check_resume():
    with target_of(LONG) as target:
        assert live(target, "--max-rounds", "1").returncode == 0
        got = resume(target)
        assert got.returncode == 0, got.stderr
        found = result(target)
        assert names(found)[0] == ["nanosleep"] and found["rounds"] >= 2, got.stderr
        assert "--live" in found["origin"]["command"], found["origin"]


def check_wrong_use():
    with target_of(SHORT) as target:
        got = target.iterate("--live", "--auto")
        assert got.returncode == 2 and "--run" in got.stderr, got.stderr


def main():
    return run_checks([check_one_run, check_small_trace, check_short_runs, check_commands_known,
                       check_sources_made_by_build, check_broken_carrier, check_off_records_nothing,
                       check_short_is_not_carried, check_hot, check_hot_outside,
                       check_hot_at_the_end, check_budget, check_budget_without_build,
                       check_load_that_stops, check_no_load,
                       check_polite_end, check_missing_end, check_crash, check_interrupt, check_resume,
                       check_wrong_use])


if __name__ == "__main__":
    sys.exit(main())
