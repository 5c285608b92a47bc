#!/usr/bin/env python3
"""Traces whose waits, cascaded waits and blame are known: written as a recorder writes them, and read by `vprofiler waits`.

usage: known_test.py VPROFILER
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "trace"), str(HERE.parent / "report")]
import check_report  # noqa: E402
import make_vtr  # noqa: E402

check_report.SCHEMA = json.loads((HERE.parents[1] / "docs" / "waits.schema.json").read_text())

DISK = 8 << 20
CONTEXTS = {"task": ("thread", "unknown"), "hardirq": ("hard", "other"), "net_rx": ("soft", "network"),
            "block": ("soft", "disk"), "timer_softirq": ("soft", "timer")}
KINDS = {"timer": "-2", "network": "-4", "device": "-5", "interrupt": "-15", "unknown": "0"}
STATES = {"blocked": "sleeps", "runnable": "runnable"}


def add_event(logs, event):
    kind, ticks, processor, *rest = event
    if kind == "switch":
        logs[processor].append(["switch", ticks, rest[0], rest[1], STATES.get(rest[2], rest[2])])
    elif kind == "waking":
        context, interrupt = CONTEXTS[rest[2]]
        if interrupt == "disk":
            logs[processor].append(["request", ticks, DISK])
        logs[processor].append(["waking", ticks, rest[1], rest[0], context, interrupt])
    elif kind == "request":
        logs[processor].append(["request", ticks, DISK, rest[0], "read", 4096, 0, rest[1]])
    elif kind == "create":
        logs[processor].append(["waking", ticks, rest[1], rest[0], "thread", "unknown", 1])
    else:
        raise ValueError(kind)


def files_of(case):
    logs = collections.defaultdict(list)
    for event in case["events"]:
        add_event(logs, event)
    tids = set(case["threads"]) | {who for event in case["events"] for who in event[3:5] if isinstance(who, int) and who}
    first = logs[min(logs)]
    whose = {tid: 1 if tid in case["threads"] else 2 for tid in tids} | case.get("whose", {})
    first[:0] = [["who", 0, 100, tid, f"t{tid}", "seen", 0, whose[tid]] for tid in sorted(tids)] + [["who", 0, 0, DISK, "sda", "device"]]
    return {"files": [{"name": "kernel.vtr", "features": 1, "watched": 1, "pid": 900, "threads": [
        {"tid": 0, "number": 1 + processor, "records": records} for processor, records in sorted(logs.items())]}]
            + case.get("files", [])}


def waits_of(vprofiler, case, program=None):
    files = files_of(case)
    files["files"] += [program] if program else []
    with tempfile.TemporaryDirectory() as folder:
        make_vtr.make_directory(files, pathlib.Path(folder))
        done = subprocess.run([vprofiler, "waits", "--json", folder], text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def name_of(group):
    return KINDS[group["kind"]] if group["kind"] != "thread" else group["name"][1:]


def check(case, found):
    faults = check_report.faults(found, check_report.SCHEMA)
    assert not faults, (case["name"], faults)
    names = [name_of(group) for group in found["groups"]]
    for key, member in (("raw", "raw_ns"), ("cascaded", "cascaded_ns"), ("leaf", "leaf_ns")):
        said = {f"{names[e['from']]}->{names[e['to']]}": e[member] for e in found["edges"] if e[member]}
        assert said == case[key], (case["name"], key, said, case[key])
    blame = {name: group["blamed_ns"] for name, group in zip(names, found["groups"]) if group["blamed_ns"]}
    assert blame == case["blame"], (case["name"], blame, case["blame"])
    could = found["recorded_ns"] * sum(group["members"] for group in found["groups"] if group["of_run"])
    for group in found["groups"]:
        assert abs(group["blamed_part"] * could - group["blamed_ns"]) < 1e-6, (case["name"], group)
    assert abs(sum(group["gapp_ns"] for group in found["groups"]) - found["active_ns"]) < 1e-6, case["name"]
    unfinished = {name: group["unfinished_ns"] for name, group in zip(names, found["groups"]) if group["unfinished_ns"]}
    assert unfinished == case["unfinished"], (case["name"], unfinished, case["unfinished"])


def test_disk():
    """wPerf's figure 1: the disk is idle for 50 of 100, and each time until B gives it a request."""
    case = next(c for c in CASES if c["name"] == "k14_fig1")
    case = dict(case, events=case["events"] + [["request", 10 * r + 5, 2, "issued", 2] for r in range(10)])
    for key in ("raw", "cascaded", "leaf"):
        case[key] = dict(case[key], **{"-5->2": 50})
    found = waits_of(sys.argv[1], case)
    check(case, found)
    names = [name_of(group) for group in found["groups"]]
    assert [{**d, "group": names[d["group"]]} for d in found["devices"]] == [
        {"group": "-5", "requests": 10, "busy_ns": 50, "idle_ns": 50, "unended_ns": 0}], found["devices"]
    assert [{names[g] for g in knot["groups"]} for knot in found["knots"]] == [{"2", "-5"}], found["knots"]
    shares = {(names[e["from"]], names[e["to"]]): e["raw_share"]["value"] for e in found["edges"]}
    assert shares == {("1", "2"): 0.8, ("2", "-5"): 0.5, ("-5", "2"): 0.5}, shares
    assert "disk sda for t2 50 %" in found["headline"], found["headline"]


def test_lengths():
    """Waits of 100, 100, 127, 128 and 3,000 ns."""
    events, at = [["switch", 0, 0, 0, 1, "runnable"], ["switch", 0, 1, 0, 2, "runnable"]], 10
    for length in (100, 100, 127, 128, 3000):
        events += [["switch", at, 0, 1, 0, "blocked"], ["waking", at + length, 1, 2, 1, "task"],
                   ["switch", at + length, 0, 0, 1, "runnable"]]
        at += length + 10
    (edge,) = waits_of(sys.argv[1], {"threads": [1, 2], "events": events})["edges"]
    assert edge["lengths"] == [[128, 3], [256, 1], [4096, 1]] and edge["count"] == 5, edge


def test_gapp():
    """Figure 3: thread 3 runs all the time; 1 and 2 in [0, 10], the former again from 71, the latter from 41."""
    found = waits_of(sys.argv[1], next(c for c in CASES if c["name"] == "k2_fig3"))
    gapp = {group["name"]: group["gapp_ns"] for group in found["groups"] if group["of_run"]}
    together, pair = 10 / 3 + 29 / 3, 30 / 2
    for name, truth in (("t1", together), ("t2", together + pair), ("t3", together + pair + 31)):
        assert abs(gapp[name] - truth) < 1e-6, (name, gapp, truth)
    assert found["active_ns"] == 100, found["active_ns"]


def test_idle_disk():
    """One that no thread waits for may idle: whom it waits for is told, and no more."""
    case = {"threads": [1], "events": [["switch", 0, 0, 0, 1, "runnable"], ["request", 50, 1, "issued", 1],
                                       ["request", 60, 1, "done", 0], ["switch", 100, 0, 1, 0, "blocked"]]}
    found = waits_of(sys.argv[1], case)
    assert [(e["raw_ns"], e["counts"]) for e in found["edges"]] == [(50, False)], found["edges"]
    assert not found["knots"] and found["devices"][0]["unended_ns"] == 40, found


def test_spin():
    """The notes' own: 2 spins for 1's lock in [20, 50], of which 1 waits for the disk in [25, 45]. And with 2 off its
    processor in [30, 40], which is no wait of its."""
    case = {"threads": [1, 2], "events": [
        ["switch", 0, 0, 0, 1, "runnable"], ["switch", 0, 1, 0, 2, "runnable"], ["switch", 25, 0, 1, 0, "blocked"],
        ["waking", 45, 0, 0, 1, "block"], ["switch", 45, 0, 0, 1, "runnable"], ["switch", 100, 0, 1, 0, "blocked"],
        ["switch", 100, 1, 2, 0, "blocked"]]}
    program = {"name": "100.vtr", "pid": 100, "threads": [
        {"tid": 1, "records": [["release", 50, "0x10", "spin"]]},
        {"tid": 2, "records": [["block", 20, 50, "0x10", "spin"]]}]}
    for preempted, raw, cascaded in (([], 30, 40), ([["switch", 30, 1, 2, 9, "runnable"], ["switch", 40, 1, 9, 2, "runnable"]], 20, 30)):
        found = waits_of(sys.argv[1], dict(case, events=sorted(case["events"] + preempted, key=lambda e: e[1])), program)
        names = [name_of(group) for group in found["groups"]]
        edges = {(names[e["from"]], names[e["to"]]): (e["raw_ns"], e["cascaded_ns"]) for e in found["edges"]}
        assert edges["2", "1"] == (raw, raw) and edges["1", "-5"] == (20, cascaded), edges
        assert found["spun_ns"] == raw, found["spun_ns"]


CASES = json.loads((HERE / "known_cascades.json").read_text())["cases"]


def main():
    for case in CASES:
        check(case, waits_of(sys.argv[1], case))
    test_disk()
    test_gapp()
    test_lengths()
    test_idle_disk()
    test_spin()
    print(f"{len(CASES)} cases agree")


if __name__ == "__main__":
    main()
