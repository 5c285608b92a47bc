#!/usr/bin/env python3
"""report_export: nodes.csv, folded stacks and DOT say of every sample what report.json says.

Where Graphviz is installed it draws the graphs; where it is not, that part is left out.
"""
import collections
import csv
import io
import json
import re
import shutil
import subprocess
import sys

PRINT = sys.argv[1]
CASES = ("toy", "odd", "empty", "rootless", "one", "constant", "quiet", "deep", "server")
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def printed(case, form):
    return subprocess.run([PRINT, case, form], check=True, capture_output=True).stdout.decode("utf-8")


def breadth_first(tree):
    nodes = [tree] if tree else []
    for node in nodes:
        nodes.extend(node["children"])
    return nodes


def check_nodes(case, nodes):
    rows = list(csv.DictReader(io.StringIO(printed(case, "nodes"), newline="")))
    expect(len(rows) == len(nodes), f"{case}: {len(rows)} rows, {len(nodes)} nodes")
    # Samples stand in another order than breadth first: compare as sets.
    want = collections.Counter((node["name"], node["kind"], node["file"], str(node["line"]))
                               for node in nodes)
    got = collections.Counter((row["name"], row["kind"], row["file"], row["line"]) for row in rows)
    expect(got == want, f"{case}: nodes.csv {got - want} for {want - got}")
    expect(all(row["parent"] == "" or int(row["parent"]) < int(row["node"]) for row in rows),
           f"{case}: a parent stands before its children")
    expect(not any(None in row for row in rows), f"{case}: a row with too many fields")


def check_folded(case, nodes):
    weights = collections.Counter()
    for line in printed(case, "folded").splitlines():
        match = re.fullmatch(r"([^\x00-\x1f]+) ([1-9]\d*)", line)
        expect(match, f"{case}: no stack: {line!r}")
        if match:
            expect(all(match[1].split(";")), f"{case}: an empty frame: {line!r}")
            weights[match[1].count(";")] += int(match[2])
    shares = [round(node["share"] * 1e6) for node in nodes if not node["children"]]
    want = sum(share for share in shares if share > 0)
    expect(abs(sum(weights.values()) - want) <= len(shares),
           f"{case}: folded {sum(weights.values())} of {want} millionths")


def check_dot(case, nodes):
    text = printed(case, "dot")
    labels = text.count(" [label=")
    expect(labels == len(nodes), f"{case}: {labels} labels for {len(nodes)} nodes")
    if not shutil.which("dot"):
        return
    done = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True)
    expect(done.returncode == 0 and "syntax" not in done.stderr, f"{case}: dot: {done.stderr}")
    drawn = sum(line.startswith("node ") for line in done.stdout.splitlines())
    expect(drawn == len(nodes), f"{case}: dot drew {drawn} of {len(nodes)} nodes")


for each in CASES:
    everything = breadth_first(json.loads(printed(each, "json"))["tree"])
    check_nodes(each, everything)
    check_folded(each, everything)
    check_dot(each, everything)

toy = printed("toy", "folded")
expect("interval;serve;pthread_mutex_lock;compact [woken-by]" in toy, f"toy: {toy}")
for failure in failures:
    print("FAILED", failure)
sys.exit(bool(failures))
