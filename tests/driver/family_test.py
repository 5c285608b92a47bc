#!/usr/bin/env python3
"""A family of analyses that is registered by one struct is told everywhere; the others as ever.

usage: family_test.py VPROFILER VPROFILER_TOY
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tarfile

from checks import new_folder, run_checks

VPROFILER, TOY = map(os.path.abspath, sys.argv[1:3])
KEPT = pathlib.Path(__file__).resolve().parent / "kept_results/sealed.tar.xz"
THREADS, INTERVALS = 3, 148  # two that serve, and the child's own


def run(program, *words, where, status=0):
    got = subprocess.run([program, *map(str, words)], cwd=where, text=True, stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=60)
    assert got.returncode == status, (words, got.returncode, got.stderr)
    return got.stdout


def unpack(home):
    with tarfile.open(KEPT) as tar:
        tar.extractall(home)
    return "sealed"


def reports(program, home, result):
    return {form: run(program, "report", "--format", form, result, where=home) for form in ("text", "json", "html")}


def check_report(home):
    result = unpack(home)
    plain, toy = reports(VPROFILER, home, result), reports(TOY, home, result)
    sentence = f"{INTERVALS} intervals ended on {THREADS} threads."
    assert sentence in toy["text"] and sentence not in plain["text"]
    assert toy["text"].replace(f"  {sentence}\n\n", "") == plain["text"]
    assert f"<p>{sentence}</p>" in toy["html"] and 'id="toy"' not in plain["html"]
    told = json.loads(toy["json"])
    assert told.pop("toy") == {"schema": "vprofiler.toy/1", "threads": THREADS, "intervals": INTERVALS}
    plain_json = json.loads(plain["json"])
    assert told == plain_json and list(told) == list(plain_json), "the variance's part has changed"


def check_export(home):
    result = unpack(home)
    names = {}
    for program in VPROFILER, TOY:
        folder = home / pathlib.Path(program).name
        run(program, "export", "--format", "csv", "--output", folder, result, where=home)
        names[program] = {path.stem for path in folder.iterdir()}
    assert names[TOY] == names[VPROFILER] | {"threads"} != names[VPROFILER], names
    with (folder / "threads.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == THREADS and sum(int(row["intervals"]) for row in rows) == INTERVALS


def check_compare(home):
    result = unpack(home)
    assert f"Intervals ended on {THREADS} threads, and now on {THREADS}." in run(TOY, "compare", result, result,
                                                                               where=home)
    told = json.loads(run(TOY, "compare", "--json", result, result, where=home))
    assert told.pop("toy") == {"schema": "vprofiler.toy/1", "a": THREADS, "b": THREADS}
    assert told == json.loads(run(VPROFILER, "compare", "--json", result, result, where=home))


def check_command(home):
    assert "vprofiler.variance/1, vprofiler.toy/1)" in run(TOY, "--version", where=home)
    assert "where intervals end" in run(TOY, "help", where=home)
    assert run(TOY, "toy", where=home) == "There is nothing to it.\n"
    assert "toy" in run(TOY, "completion", "bash", where=home)
    run(VPROFILER, "toy", where=home, status=2)


sys.exit(run_checks([check_report, check_export, check_compare, check_command], new_folder))
