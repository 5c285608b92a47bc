#!/usr/bin/env python3
"""compare_text and compare_json: golden pictures, and a valid vprofiler.compare/1.

    test_compare.py compare_print [--update]
"""
import json
import pathlib
import subprocess
import sys

import check_report

PRINT, UPDATE = sys.argv[1], "--update" in sys.argv
ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = pathlib.Path(__file__).parent / "golden"
check_report.SCHEMA = json.loads((ROOT / "docs" / "compare.schema.json").read_text())
failures = []


def printed(*words):
    return subprocess.run([PRINT, *words], check=True, capture_output=True).stdout.decode("utf-8")


def expect(truth, what):
    if not truth:
        failures.append(what)


def compare(name, text):
    path = GOLDEN / name
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    else:
        expect(path.read_text(encoding="utf-8") == text, f"{name} differs: --update shows it in git diff")


for case in ("worse", "fine", "unknown"):
    compare(f"compare-{case}.txt", printed(case, "text", "100", "utf8"))
    for width in ("60", "72", "80", "93", "100", "160"):
        for style in ("utf8", "ascii"):
            text = printed(case, "text", width, style)
            expect(all(len(line) <= int(width) for line in text.splitlines()), f"{case} {width} {style}: too wide")
            expect("\033" not in text, f"{case} {width}: colour")
            expect(style == "utf8" or text.isascii(), f"{case} {width}: not ASCII")
    for fault in check_report.faults(json.loads(printed(case, "json")), check_report.SCHEMA):
        failures.append(f"{case}: {fault}")
compare("compare-worse-60-ascii.txt", printed("worse", "text", "60", "ascii"))
expect("\033[33mworse" in printed("worse", "text", "100", "utf8", "color"), "colour")

worse, unknown = json.loads(printed("worse", "json")), json.loads(printed("unknown", "json"))
expect(list(worse)[:4] == ["schema", "command", "verdict", "margin"], "keys in order")
expect(worse["verdict"] == "worse" and worse["latency"]["p99"]["verdict"] == "worse", "verdicts")
expect(worse["latency"]["p50"]["verdict"] is None and "ci95_together" not in worse["latency"]["p50"], "for information")
expect(worse["factors"][1]["functions"] == ["parse", "reply"] and worse["factors"][1]["mean"] is None, "a pair")
expect(worse["factors"][2]["not_timed_in_b"] == "find" and worse["factors"][2]["p99"] is None, "blind")
expect(unknown["latency"]["p99"]["ci95"] == [None, None] and unknown["latency"]["p99"]["more"] == 12, "not bounded")
del worse["latency"]["p99"]
expect(check_report.faults(worse, check_report.SCHEMA) == ["$.latency: no p99"], "the checker can fail")

print("\n".join(failures))
sys.exit(1 if failures else 0)
