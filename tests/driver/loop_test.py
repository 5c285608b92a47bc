#!/usr/bin/env python3
"""The loop as a user meets it: --run and a command after --, questions, --json, --keep, dump.

usage: loop_test.py VPROFILER
"""
import os
import pty
import re
import subprocess
import sys

from target import BUILD, SERVER, Target, check_report, read_report

BUILD_ONLY = BUILD.replace("./server\n", "")
failures = []


def expect(name, truth, detail=""):
    if not truth:
        failures.append(name)
        print(f"FAILED {name} {detail}")


def top(report):
    return report["factors"][0]["functions"]


def include_of(text):
    from target import pathlib
    return text % (pathlib.Path(__file__).resolve().parents[2] / "include")


def test_command_after_dashes(vprofiler):
    with Target(vprofiler, {"build.sh": include_of(BUILD_ONLY)}) as target:
        got = target.iterate("--auto", "--json", "--", "./server")
        expect("command: exit", got.returncode == 0, got.stderr)
        report = check_report.read(got.stdout)
        expect("command: schema", report["schema"] == "vprofiler.variance/1")
        expect("command: target", report["target"] == "server", report["target"])
        expect("command: factor", top(report) == ["nanosleep"], str(top(report)))


def test_run_script(vprofiler):
    files = {"build.sh": include_of(BUILD_ONLY), "run.sh": "./server\n"}
    with Target(vprofiler, files) as target:
        got = target.iterate("--auto", "--run", "run.sh")
        expect("run script: exit", got.returncode == 0, got.stderr)
        expect("run script: headline", "nanosleep" in got.stdout, got.stdout)


def ask(target, answers):
    """The loop on a terminal; gives the exit code and the finished report."""
    master, slave = pty.openpty()
    process = subprocess.Popen(target.command("--build", "build.sh"), cwd=target.tree, stdin=slave,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    os.write(master, answers.encode())
    message = process.communicate(timeout=120)[1]
    os.close(master)
    os.close(slave)
    return process.returncode, message, read_report(target)


def test_questions(vprofiler):
    with Target(vprofiler) as target:
        code, message, report = ask(target, "n\nn\nn\nn\n")
        expect("questions: no", code == 0 and report["rounds"] == 1, message)
        expect("questions: asked", re.search(r"execute, (100|9\d)(\.\d)? % of the variance, stands in", message)
               and "Open it? [Y/n/?]" in message, message)
        code, message, report = ask(target, "y\ny\ny\ny\ny\ny\ny\n")
        expect("questions: yes", code == 0 and report["rounds"] >= 3, message)
        expect("questions: deeper", top(report) == ["nanosleep"], message)


def test_keep_and_dump(vprofiler):
    with Target(vprofiler) as target:
        got = target.iterate("--auto", "--keep")
        expect("keep: exit", got.returncode == 0, got.stderr)
        rounds = sorted((target.home / "out" / "latest" / "rounds").iterdir())
        expect("keep: tree", (target.home / "out" / "latest" / "tree" / "server.c").exists())
        dump = subprocess.run([vprofiler, "dump", str(rounds[-1] / "trace")], text=True,
                              capture_output=True)
        lines = [line.split() for line in dump.stdout.splitlines() if not line.startswith("#")]
        functions = [line for line in lines if line[0] == "function" and line[3] == "execute"]
        expect("dump: functions", len(functions) == 150, str(len(functions)))
        expect("dump: segments", sum(line[0] == "segment" for line in lines) >= 150)


GENERATED = """static void nap(long us);
static void parse(void)
{
    nap(100);
}
"""


def test_generated_again(vprofiler):
    """A build that makes a source file again takes out its probes: the report says so."""
    server = SERVER.replace("static void parse(void)\n{\n    nap(100);\n}\n",
                            '#include "parse.h"\n')
    always = include_of(BUILD).replace("set -e\n", "set -e\ncp parse.in parse.h\n")
    once = always.replace("cp parse.in", "[ -e parse.h ] || cp parse.in")
    for name, build, lost in (("always", always, True), ("once", once, False)):
        files = {"server.c": server, "parse.in": GENERATED, "build.sh": build}
        with Target(vprofiler, files) as target:
            got = target.iterate("--auto")
            expect(f"generated {name}: exit", got.returncode == 0, got.stderr)
            warnings = {warning["code"]: warning["message"]
                        for warning in read_report(target)["warnings"]}
            expect(f"generated {name}", ("lost-probes" in warnings) == lost, str(warnings))
            if lost:
                expect("generated: named", "parse.h" in warnings.get("lost-probes", ""))
                expect("generated: said", "parse.h again" in got.stderr + got.stdout, got.stderr)


TESTS = (test_command_after_dashes, test_run_script, test_questions, test_keep_and_dump,
         test_generated_again)


def main():
    for test in TESTS:
        test(sys.argv[1])
    print(f"{len(TESTS) - len(failures) if len(failures) < len(TESTS) else 0} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
