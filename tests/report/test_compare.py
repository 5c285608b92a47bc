#!/usr/bin/env python3
"""What a comparison is written as: golden pictures, a valid vprofiler.compare/1 that those who know its first version
can still read, and what GitHub and JUnit's readers make of theirs.

    test_compare.py compare_print [--update]
"""
import html
import json
import pathlib
import re
import subprocess
import sys

import check_report
import ci_formats

PRINT, UPDATE = sys.argv[1], "--update" in sys.argv
ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = pathlib.Path(__file__).parent / "golden"
NOW = json.loads((ROOT / "docs" / "compare.schema.json").read_text())
FIRST = json.loads(pathlib.Path(__file__).with_name("compare-1-first.schema.json").read_text())
CASES = ("worse", "fine", "better", "unknown", "mixed", "huge", "zero", "odd", "bare")
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


def faults(value, schema):
    check_report.SCHEMA = schema
    return check_report.faults(value, schema)


def check_text(case):
    for width in ("60", "72", "80", "93", "100", "160"):
        for style in ("utf8", "ascii"):
            text = printed(case, "text", width, style)
            expect(case == "odd" or all(len(line) <= int(width) for line in text.splitlines()),
                   f"{case} {width} {style}: too wide")
            expect("\033" not in text, f"{case} {width}: colour")
            expect(style == "utf8" or text.isascii(), f"{case} {width}: not ASCII")


def check_json(case):
    report = json.loads(printed(case, "json"))
    for schema in (NOW, FIRST):
        for fault in faults(report, schema):
            failures.append(f"{case}: {fault}")
    rows = [report["latency"], *report["factors"]]
    changes = [change for row in rows for change in row.values() if isinstance(change, dict)]
    for change in changes:
        bounded = None not in change.get("ci95_together", change["ci95"])
        expect(bounded == (change["no_interval"] is None), f"{case}: neither an interval nor a reason: {change}")
        expect(not change.get("more") or change["more"] <= 100, f"{case}: {change.get('more')} times as many")
    return report


# ---- what CI reads ----

LEVELS = {"worse": "error", "odd": "error", "mixed": "error", "huge": "error", "zero": "error", "fine": "notice",
          "better": "notice", "unknown": "warning", "bare": "notice"}
ODD = b"a|b`c*d_e<script>alert(1)</script>\"'&%25,:"


def check_github(case, report):
    found = ci_formats.commands(printed(case, "github"))
    level, properties, message = found[0]
    text = " ".join(printed(case, "text", "160").split("\n\n")[1].split())
    expect(level == LEVELS[case], f"{case}: {level}")
    expect(message == text, f"{case}: {message!r} is not {text!r}")
    expect(properties["title"] == "vprofiler compare", f"{case}: {properties}")
    expect(("file" in properties) == (case in ("worse", "odd")), f"{case}: {properties}")
    expect([(p["title"], m) for _, p, m in found[1:]] == [(w["code"], w["message"]) for w in report["warnings"]],
           f"{case}: doubts")
    rows = ci_formats.table(printed(case, "summary"))
    changes = [row for row in rows[4:] if len(row) == 7]
    judged = [change for row in [report["latency"], *report["factors"]] for key, change in row.items()
              if isinstance(change, dict)]
    blind = sum(bool(f["not_timed_in_b"]) for f in report["factors"])
    expect(len(changes) == len(judged) + blind, f"{case}: {len(changes)} rows of {len(judged)}")
    expect(rows[1][1] == (report["a"]["command"] or "unknown") or case == "odd", f"{case}: {rows[1]}")


def check_junit(case):
    suite = ci_formats.junit(printed(case, "junit"))
    strict = ci_formats.results(ci_formats.junit(printed(case, "junit-strict")))
    found = ci_formats.results(suite)
    report = json.loads(printed(case, "json"))
    for metric in ("mean", "variance", "p99"):
        finding, known = (report["latency"][metric][key] for key in ("finding", "verdict"))
        wanted = {"worse": "failure", "inconclusive": "skipped"}.get(finding, "passed")
        expect(found[metric] == wanted, f"{case} {metric}: {found[metric]}")
        wanted = "failure" if known == "inconclusive" else wanted
        expect(strict[metric] == wanted, f"{case} {metric} --strict: {strict[metric]}")
    expect(suite.find("system-out").text == printed(case, "text", "100", "utf8"), f"{case}: the text")


def check_hostile():
    (level, properties, message), = ci_formats.commands(printed("odd", "failed-github"))
    expect(level == "error" and message.encode().startswith(ODD + b"\n::error ::x\r"), f"hostile: {message!r}")
    (_, properties, _), *_ = ci_formats.commands(printed("odd", "github"))
    expect(properties["file"] == "src/a,b:c%.c" and properties["line"] == "80", f"hostile: {properties}")
    expect(ci_formats.results(ci_formats.junit(printed("odd", "failed-junit"))) == {"can be compared": "error"},
           "nothing could be compared")
    summary = printed("odd", "summary")
    expect(ci_formats.table(summary)[1][1].encode().startswith(ODD), "hostile: the summary")
    page = printed("odd", "html")
    expect("<script>alert" not in page and html.escape(ODD.decode()[:30], quote=False) in page, "hostile: the page")


# ---- the page, without a browser ----


def check_page(case):
    page, report = printed(case, "html"), json.loads(printed(case, "json"))
    expect(not re.search(r"https?://|<link|<img|src=|url\(|@import", page), f"{case}: asks the network")
    expect(page.count("<h1") == 1 and page.count("</section>") == page.count("<section"), f"{case}: sections")
    expect(len(page) < 100000, f"{case}: {len(page)} bytes")
    bare = case == "bare"
    expect(page.count('role="treeitem"') == (0 if bare else 2 * len(report["tree"])), f"{case}: boxes")
    for text in ("Who does it", "How slow, how often", "Where it changed"):
        expect((f"<h2>{text}" in page) == (not bare or text == "Where it changed"), f"{case}: {text}")
    for text in ("From A to B", "Every number", "How it is judged"):
        expect(f"<h2>{text}" in page, f"{case}: {text}")


for case in CASES:
    if case != "bare":
        compare(f"compare-{case}.txt", printed(case, "text", "100", "utf8"))
    check_text(case)
    report = check_json(case)
    check_github(case, report)
    check_junit(case)
    check_page(case)
check_hostile()
compare("compare-worse-60-ascii.txt", printed("worse", "text", "60", "ascii"))
compare("compare-worse.github", printed("worse", "github"))
compare("compare-worse.md", printed("worse", "summary"))
compare("compare-unknown.junit.xml", printed("unknown", "junit"))
expect("\033[33mworse" in printed("worse", "text", "100", "utf8", "color"), "colour")
expect("\033[34mbetter" in printed("better", "text", "100", "utf8", "color"), "colour of what is better")

worse, unknown = json.loads(printed("worse", "json")), json.loads(printed("unknown", "json"))
better, zero = json.loads(printed("better", "json")), json.loads(printed("zero", "json"))
expect(list(worse)[:4] == ["schema", "command", "verdict", "finding"], "keys in order")
expect(worse["verdict"] == worse["finding"] == "worse" and worse["latency"]["p99"]["verdict"] == "worse", "verdicts")
expect(better["verdict"] == "not-worse" and better["finding"] == "better", "better is not worse")
expect(worse["latency"]["p50"]["verdict"] is None and "ci95_together" not in worse["latency"]["p50"], "for information")
expect(worse["factors"][1]["functions"] == ["parse", "reply"] and worse["factors"][1]["mean"] is None, "a pair")
expect(worse["factors"][2]["not_timed_in_b"] == "find" and worse["factors"][2]["p99"] is None, "blind")
expect(unknown["latency"]["p99"]["ci95"] == [None, None] and unknown["latency"]["p99"]["more"] == 12, "not bounded")
expect(unknown["latency"]["p99"]["no_interval"] == "few-intervals", "why not")
expect(zero["latency"]["variance"]["no_interval"] == "zero" and zero["latency"]["variance"]["change"] is None, "no ratio")
expect("> 100 x" in printed("huge", "text") and not re.search(r"[0-9]e[+][0-9]", re.sub("<[^>]*>", "", printed("huge", "html"))), "more than is known")
del worse["latency"]["p99"]
expect(faults(worse, NOW) == ["$.latency: no p99"], "the checker can fail")

print("\n".join(failures))
sys.exit(1 if failures else 0)
