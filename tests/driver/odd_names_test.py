#!/usr/bin/env python3
"""Names that command a terminal or a spreadsheet, or are megabytes long: nothing that vprofiler prints does as they say.

usage: odd_names_test.py VPROFILER
"""
import csv
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import unicodedata

from checks import run_checks
from target import BUILD, Target

VPROFILER = sys.argv[1]
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
TITLE, PAINT, C1, TURNED = "\033]0;owned\007", "\033[31m", "\u009b31m", "\u202egnp"
ODD = f"p{TITLE}{PAINT}{C1}{TURNED}\r"
FORMULAS = ["=cmd|'/C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1", "\uff1d1", " =1"]


def run(*words, where, status=0):
    got = subprocess.run([VPROFILER, *map(str, words)], cwd=where, stdin=subprocess.DEVNULL, capture_output=True,
                         timeout=60)
    assert got.returncode == status, (words, got.returncode, got.stderr)
    for text in got.stdout.decode(), got.stderr.decode():
        assert_harmless(text, words)
    return got.stdout.decode()


def assert_harmless(text, what):
    """Lines and tabs, and nothing else that is not shown."""
    wrong = {c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t"}
    assert not wrong, (what, wrong)


def finished(files=None):
    """A result of a program with an odd name, of a file with one."""
    build = (BUILD % INCLUDE).replace("server.o\n./server", "server.o\nmv server \"$(cat name)\"\n./\"$(cat name)\"")
    build = build.replace("server.c", '"$(cat name)".c').replace('-c "', '-c ./"')
    target = Target(VPROFILER, {"build.sh": build, "name": ODD.strip("\r") + "+", **(files or {})})
    shutil.move(target.tree / "server.c", target.tree / (ODD.strip("\r") + "+.c"))
    got = target.iterate("--auto", "--max-rounds", "2")
    assert got.returncode == 0, got.stderr
    assert_harmless(got.stdout + got.stderr, "iterate")
    return target


def forge(target, change):
    """Its functions.json, changed."""
    (table,) = (target.home / "out/001/rounds/02").glob("functions.json")
    functions = json.loads(table.read_text())
    for function in functions["functions"]:
        change(function)
    table.write_text(json.dumps(functions))


def check_printed():
    with finished() as target:
        home, out = target.home, target.home / "out"
        run("show", "execute", out, where=home)
        run("show", "execute", out, "--json", where=home)
        forge(target, lambda function: function.update(name=f"{function['name']}{ODD}", file=f"{ODD}.c"))
        shutil.copytree(out / "001/rounds/02", home / f"run{ODD}")
        for words in (["analyze", out / "001", "--out", out], ["analyze", out / "001", "--json", "--out", out],
                      ["compare", out / "001", out / "002"], ["compare", out / "001", out / "002", "--json"],
                      ["show", f"execute{ODD}", out], ["show", f"execute{ODD}", out, "--json"],
                      ["report", out / "002"], ["dump", out / "001/rounds/02/trace"],
                      ["analyze", home / f"run{ODD}", "--out", out]):
            run(*words, where=home)
        for format in "folded", "dot", "csv":
            run("export", "--format", format, "--output", home / f"exported-{format}", out / "002", where=home)
        for path in [*home.glob("exported-*"), *out.glob("00*/report.*"), *home.glob("exported-*/*")]:
            if path.is_file():
                assert_harmless(path.read_text(), path)


def check_errors():
    """Of a file that is no table, of an option, of a folder: each is told with the odd text in it."""
    with finished() as target:
        home, out = target.home, target.home / "out"
        (home / f"{ODD}.json").write_text(f'{{"schema": "{"a" * 9}{ODD}"}}')
        for words, status in ((["compare", out / "001", out / "001", "--functions-a", home / f"{ODD}.json"], 2),
                              (["show", ODD, out], 2), (["show", f"executee{ODD}", out], 2),
                              (["report", home / f"none{ODD}"], 2), (["iterate", f"--{ODD}"], 2), ([ODD], 2),
                              (["iterate", "--build", f"{ODD}.sh"], 2)):
            got = subprocess.run([VPROFILER, *map(str, words)], cwd=home, capture_output=True, timeout=60)
            assert got.returncode, words
            assert_harmless(got.stderr.decode() + got.stdout.decode(), words)
        forge(target, lambda function: function.update(line=ODD))
        got = subprocess.run([VPROFILER, "analyze", out / "001", "--out", out], capture_output=True, timeout=60)
        assert got.returncode and not got.stdout
        assert_harmless(got.stderr.decode(), "damaged")


def check_formulas():
    """A spreadsheet shows them as they are; other texts are not touched."""
    with finished() as target:
        names = iter(FORMULAS * 3)
        plain = ["execute", "a-b", "a=b", "operator-", "\t"]
        wanted = {"execute": plain, "parse": FORMULAS}
        forge(target, lambda function: function.update(name=next(names) if function["name"] != "execute" else
                                                       function["name"]))
        target_out = target.home / "tables"
        run("export", "--format", "csv", "--output", target_out, target.home / "out/001", where=target.home)
        cells = []
        for path in target_out.glob("*.csv"):
            with open(path, newline="") as file:
                cells += [cell for row in csv.reader(file) for cell in row]
        formulas = [cell for cell in cells if re.match(r"[\s\u3000]*[=+\-@|\uff1d\uff0b\uff0d\uff20]", cell)
                    and not re.fullmatch(r"-?\d+", cell)]
        assert not formulas, formulas
        assert "execute" in cells and any(cell.lstrip("'") in FORMULAS and cell[0] == "'" for cell in cells), wanted


def check_long():
    """It is as quick as with a short one, but for reading and writing it."""
    with finished() as target:
        out = target.home / "out"
        times = []
        for length in 10, 5_000_000:
            forge(target, lambda function: function.update(name="n" * length) if function["name"][0] in "en" else None)
            start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            for words in ["analyze", out / "001", "--out", out], ["show", "nanosleep", out], ["report", out]:
                got = subprocess.run([VPROFILER, *map(str, words)], capture_output=True, timeout=60)
                assert got.returncode == 0 or words[0] == "show", got.stderr
            assert (out / "latest/report.html").stat().st_size < 1_000_000
            times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start)
        assert times[1] < 20, times  # of the processor, whatever else runs; it grew by the number of places on the page


if __name__ == "__main__":
    sys.exit(run_checks([check_printed, check_errors, check_formulas, check_long]))
