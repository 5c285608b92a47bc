#!/usr/bin/env python3
"""Results of earlier versions stay readable: report, show, export and compare, by what was measured then.

kept_results/NAME.tar.xz is what `vprofiler iterate` left of kept_results/server.c, without program and pages:
`before_seals` by a runtime that wrote no checksums, `sealed` by the first that did, `files_counted` by the first whose
files know how many their run left, and that has a control page.

usage: kept_results_test.py VPROFILER
"""
import csv
import functools
import json
import os
import pathlib
import subprocess
import sys
import tarfile

from checks import check_report, new_folder, run_checks

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "trace"))
import make_vtr  # noqa: E402

VPROFILER = os.path.abspath(sys.argv[1])
KEPT = pathlib.Path(__file__).resolve().parent / "kept_results"


def run(*words, where):
    got = subprocess.run([VPROFILER, *map(str, words)], cwd=where, text=True, stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=120)
    assert got.returncode == 0, (words, got.returncode, got.stderr)
    return got.stdout


def told_names(node):
    """Of nodes with a part of the variance: what has less may be told otherwise since."""
    below = [told_names(child) for child in node["children"]]
    return set().union({node["name"]} if abs(node["share"]) >= 0.001 else set(), *below)


def own_functions(result):
    """What else stands in the tree may be named from the program's file, which is not kept."""
    (table,) = (result / "rounds").glob("*/functions.json")
    return {function["name"] for function in json.loads(table.read_text())["functions"]}


def check_kept(archive, home):
    with tarfile.open(archive) as tar:
        tar.extractall(home)
    (result,) = home.iterdir()
    then = json.loads((result / "report.json").read_text())
    now = check_report.read(run("report", "--format", "json", result, where=home))
    assert now["intervals"] == then["intervals"], (now["intervals"], then["intervals"])
    own = own_functions(result)
    assert own & told_names(now["tree"]) == own & told_names(then["tree"]) >= {"nap", "table_walk"}, now["tree"]
    # A lock told by its object may be a nearer rival.
    fresh = [w for w in now["warnings"] if w not in then["warnings"] and w["code"] != "unstable-ranking"]
    assert fresh == [], fresh
    shown = run("show", "nap", result, where=home)
    assert "in 148 intervals" in shown, shown
    run("export", "--format", "csv", "--output", home / "rows", result, where=home)
    rows = list(csv.DictReader((home / "rows/intervals.csv").open()))
    assert sum(int(row["latency_ns"]) for row in rows) == round(then["intervals"]["mean_ns"] * 148), len(rows)
    assert f" · {result.name} · 148 intervals" in run("compare", result.name, result.name, where=home)


def check_recorder(home):
    """Who watched the program from outside is no process of it, and no host's only file is an error."""
    with tarfile.open(KEPT / "files_counted.tar.xz") as tar:
        tar.extractall(home)
    before = check_report.read(run("report", "--format", "json", "files_counted", where=home))
    (trace,) = (home / "files_counted/rounds").glob("*/trace")
    make_vtr.make_directory({"files": [{"name": "kernel.vtr", "features": 1, "pid": 900, "stacks": [[7, 100, 0, ["0x10"]]],
                                        "threads": [{"tid": 0, "records": [["sample", 22, 100, 11, 7, 5]]}]}]}, trace)
    now = check_report.read(run("report", "--format", "json", "files_counted", where=home))
    assert (now["intervals"], now["tree"], now["warnings"]) == (before["intervals"], before["tree"], before["warnings"])
    run("export", "--format", "csv", "--output", home / "rows", "files_counted", where=home)
    rows = list(csv.DictReader((home / "rows/intervals.csv").open()))
    assert len(rows) == 148 and {row["host"] for row in rows} == {"host"}, rows[:3]
    assert "\nsample 11 - 22 5 0 1\n" in run("dump", trace, where=home)


def checks():
    yield check_recorder
    for archive in sorted(KEPT.glob("*.tar.xz")):
        check = functools.partial(check_kept, archive)
        check.__name__ = archive.name
        yield check


sys.exit(run_checks(checks(), new_folder))
