#!/usr/bin/env python3
"""Checks the checker: it accepts a right report and refuses each kind of wrong one.

    check_planted_test.py EXAMPLES

Plays vprofiler itself: started as `... iterate ...` it runs build.sh once in a copy of the tree and
writes a report made from the program's own numbers, with the fault that PLANTED_FAULT names.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

FAULTS = {  # what the checker has to say
    "": "PASS",
    "other-factor": "expected ['pthread_mutex_lock']",
    "other-kind": "expected ['pthread_mutex_lock']",
    "contribution": "contribution too far",
    "path": "not on the path",
    "woken-by": "is not among the woken-by",
    "slowest": "the slowest interval shown took",
    "arrow": "no arrow of the slowest interval comes from compact",
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
}


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
    lanes = [{"spans": [{"name": "handle"}]}, {"spans": [{"name": "compact"}]}]
    slowest = {"latency_ns": max(latency), "lanes": lanes, "arrows": [{"from": 1, "to": 0}]}
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


def main():
    example = os.path.join(sys.argv[1], "lock_wait")
    here = os.path.dirname(os.path.abspath(__file__))
    include = os.path.join(sys.argv[1], "..", "include")
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        for fault, expected in FAULTS.items():
            environment = dict(os.environ, PLANTED_FAULT=fault, TMPDIR=temporary,
                               PLANTED_CFLAGS=f"-I{os.path.abspath(include)}")
            run = subprocess.run([sys.executable, os.path.join(here, "check_planted.py"),
                                  os.path.abspath(__file__), example], env=environment, text=True,
                                 stdout=subprocess.PIPE, check=False)
            right = expected in run.stdout and (run.returncode == 0) == (fault == "")
            wrong += not right
            print(f"{'ok' if right else 'WRONG'}: {fault or 'right'}: {run.stdout.strip()}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(play_vprofiler() if sys.argv[1:2] == ["iterate"] else main())
