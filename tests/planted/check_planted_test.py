#!/usr/bin/env python3
"""Checks the checker: it accepts a right report and refuses each kind of wrong one.

    check_planted_test.py EXAMPLES

Plays vprofiler itself: started as `... iterate ...` it runs build.sh once in a copy of the tree and
writes a report made from the program's own numbers, with the fault that PLANTED_FAULT names.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

import check_planted

FAULTS = {  # what the checker has to say
    "": "PASS",
    "other-factor": "expected ['pthread_mutex_lock']",
    "other-kind": "expected ['pthread_mutex_lock']",
    "contribution": "contribution too far",
    "path": "not on the path",
    "woken-by": "compact has 0.000 of the",
    "slowest": "the slowest interval shown took",
    "arrow": "no arrow of a slow interval comes from compact",
    "coverage": "coverage 0.5",
    "lost": "3 records lost",
    "intervals": "intervals, the program counted",
    "latency": "latency's variance is",
    "law-2": "law 2",
    "law-3": "latency is not its children's",
    "share": "share is",
    "root": "the root's time is not the latency",
    "source": "own files were changed",
    "new-file": "own files were changed",
    "status": "exit status 1: it did not build",
    "no-report": "no result",
    "no-field": "report.json is not as agreed",
    "unsteady": "coverage 0.500, and latency-shift",
}


SIZE = {"name": "rows", "explained": [0.3, 0.6], "slope_ns": [90, 110], "tolerance": 0.02}
TYPES = {"names": ["lookup", "scan"], "tolerance": 0.02}
MEASURED = {"size": {"mean": 20.5, "slope_ns": 100.0, "explained": 0.4},
            "types": {"lookup": {"count": 60, "mean_ns": 1000.0}, "scan": {"count": 40, "mean_ns": 3000.0}},
            "latency_variance_ns2": 3e6, "between_types_ns2": 0.96e6, "within_types_ns2": 2.04e6}
WORK_FAULTS = {  # in what a report says of sizes and types
    "": "PASS",
    "value": "the values are []",
    "explained": "explained of rows is 0.43, by the program's own count 0.4",
    "slope": "slope_ns of rows is 103, by the program's own count 100",
    "count": "or not of all",
    "mean": "mean of rows is 20.6",
    "ci95": "lies outside its interval",
    "together": "explained by all values is",
    "type": "the types are ['scan']",
    "type-count": "61 of type lookup, the program counted 60",
    "type-mean": "mean of scan is 3100",
    "between": "between_types_ns2 is",
    "within": "within_types_ns2 is",
    "sum": "between and within is",
}


def right_work():
    value = {"name": "rows", "count": 100, "mean": 20.5, "slope_ns": 100.0, "explained": 0.4,
             "ci95": [0.3, 0.5]}
    kinds = [{"name": name, **kind} for name, kind in MEASURED["types"].items()]
    return {"count": 100, "variance_ns2": 3e6, "values": [value], "values_explained": 0.4,
            "types": kinds, "between_types_ns2": 0.96e6, "within_types_ns2": 2.04e6}


def judge_work(fault):
    work = right_work()
    value, (lookup, scan) = work["values"][0], work["types"]
    actions = {
        "value": work["values"].clear,
        "explained": lambda: value.update(explained=0.43),
        "slope": lambda: value.update(slope_ns=103),
        "count": lambda: value.update(count=99),
        "mean": lambda: value.update(mean=20.6),
        "ci95": lambda: value.update(ci95=[0.41, 0.5]),
        "together": lambda: work.update(values_explained=0.5),
        "type": lambda: work["types"].remove(lookup),
        "type-count": lambda: lookup.update(count=61),
        "type-mean": lambda: scan.update(mean_ns=3100),
        "between": lambda: work.update(between_types_ns2=1.1e6, within_types_ns2=1.9e6),
        "within": lambda: work.update(within_types_ns2=2.2e6),
        "sum": lambda: work.update(within_types_ns2=2.041e6),
    }
    actions.get(fault, lambda: None)()
    try:
        check_planted.check_size(work, SIZE, MEASURED["size"])
        check_planted.check_types(work, TYPES, MEASURED)
    except check_planted.Failed as failed:
        return str(failed)
    return "PASS"


def test_planted_work():
    """The bounds around what was planted hold even where program and report agree."""
    try:
        check_planted.check_size(right_work(), dict(SIZE, explained=[0.5, 0.6]), MEASURED["size"])
    except check_planted.Failed as failed:
        return "not as planted" in str(failed)
    return False


def judge_others(types):
    tree = {"kind": "call", "name": "lock", "children": [
        {"kind": "for-another", "name": "another interval (get)", "children": []}]}
    try:
        check_planted.check_others({"tree": tree}, types)
    except check_planted.Failed as failed:
        return str(failed)
    return "PASS"


def test_who_was_blocked():
    """A slow interval that slept for a set time was ended by nobody; one that waited for the lock was."""
    def timeline(name):
        return {"latency_ns": 100, "lanes": [{"worked": [{"start_ns": 10, "end_ns": 100}], "spans": [
            {"name": name, "blocked": True, "start_ns": 0, "end_ns": 40}]}]}
    calls = ["pthread_mutex_lock"]
    return (check_planted.was_blocked(timeline("blocked: pthread_mutex_lock (table_lock)"), calls)
            and not check_planted.was_blocked(timeline("blocked: timer"), calls))


def node(kind, name, rows, latency, children=()):
    """A node of the tree; `rows` are its times, one for each interval."""
    n, total = len(rows), sum(latency)
    own, square = sum(rows), sum(x * x for x in rows)
    product = sum(x * l for x, l in zip(rows, latency))
    whole = n * sum(l * l for l in latency) - total * total
    pairs = [(a, b) for b in range(len(children)) for a in range(b)]
    return {"kind": kind, "name": name,
            "contribution": (n * square - own * own) / whole,
            "share": (n * product - own * total) / whole,
            "moments": {"sum": str(own), "square": str(square), "latency": str(product)},
            "children": [child for child, _ in children],
            "covariances": [{"a": a, "b": b, "product": str(sum(
                x * y for x, y in zip(children[a][1], children[b][1])))} for a, b in pairs]}


def right_report(measured):
    """A tree whose lock has the measured contribution to within a percent."""
    n = measured["intervals"]
    scale = (measured["latency_variance_ns2"] * 12) ** 0.5
    lock = [int(scale * i / n) for i in range(n)]
    body = [1000 + i * 7919 % 100 for i in range(n)]
    latency = [a + b for a, b in zip(lock, body)]
    woken = node("woken-by", "compact", lock, latency)
    call = node("call", "pthread_mutex_lock", lock, latency, [(woken, lock)])
    own = node("body", "handle [body]", body, latency)
    function = node("function", "handle", latency, latency, [(call, lock), (own, body)])
    root = node("interval", "interval", latency, latency, [(function, latency)])
    mean = sum(latency) / n
    variance = sum((l - mean) ** 2 for l in latency) / (n - 1)
    site = {"path": ["interval", "handle", "pthread_mutex_lock"], "contribution": 1.0}
    factor = {"rank": 1, "kind": "variance", "functions": ["pthread_mutex_lock"],
              "contribution": call["contribution"], "sites": [site]}
    whole = {"start_ns": 0, "end_ns": max(latency)}
    lanes = [{"worked": [whole], "spans": [{"name": "blocked: pthread_mutex_lock (lock)", "blocked": True, **whole}]},
             {"worked": [], "spans": [{"name": "compact", "blocked": False, **whole}]}]
    slowest = {"what": "slowest", "latency_ns": max(latency), "lanes": lanes,
               "arrows": [{"from": 1, "to": 0}]}
    return {"timelines": [slowest], "rounds": 1, "functions_timed": 4, "coverage": 1.0, "lost_records": 0,
            "intervals": {"count": n, "variance_ns2": variance, "max_ns": max(latency)},
            "factors": [factor], "tree": root}


def add(numbers, key, more):
    numbers[key] = str(int(numbers[key]) + more)


def spoil(report, fault):
    top, root = report["factors"][0], report["tree"]
    call, own = root["children"][0]["children"]
    slowest = report["timelines"][0]
    actions = {
        "other-factor": lambda: top.update(functions=["parse"]),
        "other-kind": lambda: top.update(kind="covariance"),
        "contribution": lambda: top.update(contribution=top["contribution"] - 0.06),
        "path": lambda: top["sites"][0].update(path=["interval", "handle"]),
        "woken-by": lambda: call["children"][0].update(name="compactor"),
        "slowest": lambda: slowest.update(latency_ns=slowest["latency_ns"] - 1),
        "arrow": lambda: slowest["arrows"][0].update({"from": 0, "to": 1}),
        "coverage": lambda: report.update(coverage=0.5),
        "lost": lambda: report.update(lost_records=3),
        "intervals": lambda: report["intervals"].update(count=report["intervals"]["count"] - 1),
        "latency": lambda: report["intervals"].update(variance_ns2=1.0),
        "law-2": lambda: add(root["children"][0]["covariances"][0], "product", 1),
        "law-3": lambda: add(own["moments"], "latency", 1),
        "share": lambda: own.update(share=own["share"] + 0.01),
        "root": lambda: add(root["moments"], "latency", 1),
        "no-field": lambda: report.pop("coverage"),
        "unsteady": lambda: report.update(coverage=0.5, warnings=[{"code": "latency-shift"}]),
    }
    actions.get(fault, lambda: None)()


def play_vprofiler():
    fault, tree = os.environ["PLANTED_FAULT"], os.getcwd()
    if fault == "status":
        print("it did not build")
        return 1
    with tempfile.TemporaryDirectory() as mirror:
        shutil.copytree(tree, mirror, dirs_exist_ok=True)
        subprocess.run(["sh", "build.sh"], cwd=mirror, check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, VPROF_CFLAGS=os.environ["PLANTED_CFLAGS"]))
    with open(os.environ["PLANTED_TRUTH"]) as file:
        report = right_report(json.loads(file.read().splitlines()[-1]))
    spoil(report, fault)
    out = os.path.join(sys.argv[sys.argv.index("--out") + 1], "latest")
    os.makedirs(out)
    if fault != "no-report":
        with open(os.path.join(out, "report.json"), "w") as file:
            json.dump(report, file)
    if fault == "source":
        with open("planted.c", "a") as file:
            file.write("\n")
    if fault == "new-file":
        open("planted.o", "w").close()
    return 0


def judge(example, fault, expected, temporary):
    """Whether the checker says so, and what it says. The example sleeps most of its time."""
    include = os.path.abspath(os.path.join(sys.argv[1], "..", "include"))
    environment = dict(os.environ, PLANTED_FAULT=fault, TMPDIR=temporary, PLANTED_CFLAGS=f"-I{include}")
    run = subprocess.run([sys.executable, check_planted.__file__, os.path.abspath(__file__), example],
                         env=environment, text=True, stdout=subprocess.PIPE, check=False)
    right = expected in run.stdout and (run.returncode == 0) == (fault == "")
    right &= run.stdout.count("\n") == (check_planted.UNSTEADY_MAX if fault == "unsteady" else 1)
    return right, run.stdout.strip()


def main():
    example = os.path.join(sys.argv[1], "lock_wait")
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(4) as several:
        judged = {fault: several.submit(judge, example, fault, expected, temporary) for fault, expected in FAULTS.items()}
        for fault, future in judged.items():
            right, said = future.result()
            wrong += not right
            print(f"{'ok' if right else 'WRONG'}: {fault or 'right'}: {said}")
    for fault, expected in WORK_FAULTS.items():
        said = judge_work(fault)
        wrong += expected not in said
        print(f"{'ok' if expected in said else 'WRONG'}: work, {fault or 'right'}: {said}")
    wrong += not test_planted_work()
    wrong += not test_who_was_blocked()
    wrong += judge_others(["get"]) != "PASS"
    wrong += [judge_others(types)[:14] for types in ([], ["put"])] != ["wakers served "] * 2
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(play_vprofiler() if sys.argv[1:2] == ["iterate"] else main())
