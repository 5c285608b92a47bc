#!/usr/bin/env python3
"""report_export: every export says of every sample what report.json says, whatever its functions are called.

Each is read by a parser that knows nothing of vprofiler. Where Graphviz is installed it draws the graphs, and the names
are read from its picture; where it is not, that part is left out.
"""
import collections
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

PRINT = sys.argv[1]
CASES = ("toy", "odd", "empty", "rootless", "one", "constant", "quiet", "deep", "server", "large")
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def printed(case, form):
    return subprocess.run([PRINT, case, form], check=True, capture_output=True).stdout.decode("utf-8")


def table(case, name):
    return list(csv.DictReader(io.StringIO(printed(case, name), newline=""), strict=True))


def breadth_first(tree):
    nodes = [tree] if tree else []
    for node in nodes:
        nodes.extend(node["children"])
    return nodes


def check_nodes(case, nodes):
    rows = table(case, "nodes")
    expect(len(rows) == len(nodes), f"{case}: {len(rows)} rows, {len(nodes)} nodes")
    # Samples stand in another order than breadth first: compare as sets.
    want = collections.Counter((cell(node["name"]), node["kind"], cell(node["file"]), str(node["line"]))
                               for node in nodes)
    got = collections.Counter((row["name"], row["kind"], row["file"], row["line"]) for row in rows)
    expect(got == want, f"{case}: nodes.csv {got - want} for {want - got}")
    expect(all(row["parent"] == "" or int(row["parent"]) < int(row["node"]) for row in rows),
           f"{case}: a parent stands before its children")
    expect(not any(None in row for row in rows), f"{case}: a row with too many fields")


def check_folded(case, nodes):
    weights = collections.Counter()
    frames = {frame_name(node).replace(";", ":") for node in nodes}
    for line in printed(case, "folded").splitlines():
        match = re.fullmatch(r"([^\x00-\x1f]+) ([1-9]\d*)", line)
        expect(match, f"{case}: no stack: {line!r}")
        if match:
            expect(all(match[1].split(";")), f"{case}: an empty frame: {line!r}")
            weights[match[1].count(";")] += int(match[2])
            expect(frames >= set(match[1].split(";")), f"{case}: a frame of another name: {line!r}")
    shares = [round(node["share"] * 1e6) for node in nodes if not node["children"]]
    want = sum(share for share in shares if share > 0)
    expect(abs(sum(weights.values()) - want) <= len(shares),
           f"{case}: folded {sum(weights.values())} of {want} millionths")


def check_intervals(case, nodes):
    rows = table(case, "intervals")
    names = collections.Counter(cell(node["name"]) for node in nodes)
    expect(collections.Counter(row["type"] for row in rows) == names, f"{case}: types in intervals.csv")
    expect(all(row["host"] == row["type"] for row in rows), f"{case}: hosts in intervals.csv")


def shown(name):
    """As printed: what would paint, move the cursor or turn the direction of reading is U+FFFD."""
    return re.sub("[\x01-\x08\x0e-\x1f\x7f-\x9f\xad\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff]", "\ufffd", name)


def cell(name):
    """What a spreadsheet would take for a formula it takes for a text."""
    return "'" * bool(re.match(r"\s*[=+\-@|]", name)) + shown(name)


def plain(name):
    return shown(re.sub("[\x00-\x1f]", " ", name))


def check_dot(case, nodes):
    text = printed(case, "dot")
    labels = text.count(" [label=")
    expect(labels == len(nodes), f"{case}: {labels} labels for {len(nodes)} nodes")
    if len(nodes) > 1000 or left_out.lacks("dot", "drawing by Graphviz", "graphviz"):
        return
    done = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True)
    expect(done.returncode == 0 and "syntax" not in done.stderr, f"{case}: dot: {done.stderr}")
    svg = "{http://www.w3.org/2000/svg}"
    drawn = [group.find(f"{svg}text").text for group in xml.etree.ElementTree.fromstring(done.stdout).iter(f"{svg}g")
             if group.get("class") == "node"]
    wanted = collections.Counter(frame_name(node) for node in nodes)
    drawn = collections.Counter(re.sub("\u00a0", " ", name) for name in drawn)
    expect(drawn == wanted, f"{case}: dot drew {drawn - wanted} for {wanted - drawn}")


def frame_name(node):
    """As folded stacks, DOT and speedscope call it: what a viewer cannot show of `kind` is in the name."""
    kind = f" [{node['kind']}]" if node["kind"] in ("woken-by", "wait", "queue", "io") else ""
    return plain(node["name"] or "[no name]") + kind


def check_speedscope(case, nodes):
    scope = json.loads(printed(case, "speedscope"))
    frames = [frame["name"] for frame in scope["shared"]["frames"]]
    for profile in scope["profiles"]:
        where = f"{case}: speedscope: {profile['name']}"
        expect(profile["startValue"] <= profile["endValue"] and profile["unit"], where)
        if profile["type"] == "sampled":
            expect(len(profile["samples"]) == len(profile["weights"]) and all(w > 0 for w in profile["weights"]), where)
            expect(all(0 <= frame < len(frames) for stack in profile["samples"] for frame in stack), where)
        else:
            spans = check_spans(where, [(e["at"], e["type"] == "O", frames[e["frame"]]) for e in profile["events"]])
            expect(spans == collections.Counter(node["name"] for node in nodes), f"{where}: {spans}")
    expect([profile["type"] for profile in scope["profiles"]] == ["sampled", "sampled", "evented", "evented"], case)


def check_spans(where, events):
    """How often each name was opened; every close is of the last open, times never fall, all is closed."""
    stack, opened, last = [], collections.Counter(), 0
    for at, opens, name in events:
        expect(at >= last, f"{where}: time falls")
        last = at
        if opens:
            opened[name] += 1
            stack.append(name)
        else:
            expect(stack and stack.pop() == name, f"{where}: closes another")
    expect(not stack, f"{where}: left open: {stack[:3]}")
    return opened


def check_chrome(case, nodes):
    trace = json.loads(printed(case, "chrome"))["traceEvents"]
    for tid in (1, 2):
        events = [(e["ts"], e["ph"] == "B", e["name"]) for e in trace if e["tid"] == tid and e["ph"] in "BE"]
        spans = check_spans(f"{case}: chrome", events)
        expect(spans == collections.Counter(node["name"] for node in nodes), f"{case}: chrome: {spans}")
    expect(sum(e["ph"] in "sf" and e["id"] == 0 for e in trace) == 2, f"{case}: chrome: one wake-up")


for each in CASES:
    everything = breadth_first(json.loads(printed(each, "json"))["tree"])
    check_nodes(each, everything)
    check_intervals(each, everything)
    check_speedscope(each, everything)
    check_chrome(each, everything)
    check_folded(each, everything)
    check_dot(each, everything)

toy = printed("toy", "folded")
expect("interval;serve;pthread_mutex_lock;compact [woken-by]" in toy, f"toy: {toy}")
for failure in failures:
    print("FAILED", failure)
sys.exit(bool(failures))
