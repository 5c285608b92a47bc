#!/usr/bin/env python3
"""vprofiler show FUNCTION: every place of a function in a report, with its numbers.

usage: show_test.py VPROFILER
"""
import contextlib
import json
import os
import subprocess
import sys

from checks import new_folder, run_checks

VPROFILER = os.path.abspath(sys.argv[1])


def node(name, kind, share, *children, blamed=False, covariances=(), mean=1000.0):
    return {"name": name, "kind": kind, "file": f"{name}.c", "line": 7, "calls_per_interval": 2.0,
            "mean_ns": mean, "variance_ns2": 250000.0, "contribution": share + 0.01, "share": share,
            "tail_share": share, "height": 0, "blamed": blamed, "children": list(children),
            "covariances": [{"a": a, "b": b, "contribution": c} for a, b, c in covariances]}


def woken(name, share, *children):
    return node(name, "woken-by", share, *children, blamed=True)


# handle -> read -> lock, handle -> write -> lock; the waker is flush, once by way of sync.
TREE = node("interval", "interval", 1.0, node(
    "handle", "function", 0.9,
    node("read", "function", 0.5,
         node("lock", "call", 0.45, woken("sync", 0.4, woken("flush", 0.3)),
              node("wake-up latency", "wait", 0.05))),
    node("write", "function", 0.3,
         node("lock", "call", 0.3, woken("flush", 0.2, woken("flush", 0.1)))),
    node("handle [body]", "body", 0.1), covariances=[(0, 1, -0.04), (1, 2, 0.0001)]))
REPORT = {"schema": "vprofiler.variance/1", "target": "server", "rounds": 3,
          "intervals": {"count": 1234}, "tree": TREE,
          "factors": [{"rank": 1, "kind": "variance", "functions": ["lock"], "contribution": 0.8,
                       "ci95": [0.7, 0.9], "share": 0.75, "tail_share": 0.5},
                      {"rank": 2, "kind": "covariance", "functions": ["read", "write"]}]}


def show(folder, *words, code=0, **environment):
    done = subprocess.run([VPROFILER, "show", *words], cwd=folder, text=True, capture_output=True,
                          timeout=60, env=dict(os.environ, **environment))
    assert done.returncode == code, done
    return done.stderr if code else done.stdout


def rows(found, key):
    return [(r["path"], round(r["share"], 3)) for r in found[key]]


def check_rows(folder):
    lock = json.loads(show(folder, "lock", "--json"))
    assert rows(lock, "sites") == [("handle > read > lock", 0.45), ("handle > write > lock", 0.3)], lock
    assert rows(lock, "parts") == [("wake-up latency", 0.05)], lock
    assert rows(lock, "wakers") == [("sync > flush", 0.4), ("flush", 0.2)], lock
    assert lock["factor"]["rank"] == 1 and not lock["waiters"]
    site = lock["sites"][0]
    assert (site["file"], site["line"], site["stddev_ns"]) == ("lock.c", 7, 500.0), site
    flush = json.loads(show(folder, "flush", "--json"))
    assert rows(flush, "waiters") == [("handle > read > lock", 0.3), ("handle > write > lock", 0.2)]
    assert flush["factor"] is None and not flush["sites"]
    read = json.loads(show(folder, "read", "--json"))
    assert rows(read, "wakers") == [("sync > flush", 0.4)]
    assert [(t["function"], t["contribution"]) for t in read["together"]] == [("write", -0.04)]
    handle = json.loads(show(folder, "handle", "--json"))
    assert rows(handle, "parts")[0] == ("read", 0.5) and not handle["together"]


def check_text(folder):
    text = show(folder, "lock", LC_ALL="C")
    assert text.startswith("lock  (lock.c:7)   in 1,234 intervals of server\n"), text
    assert "80.0 %" in text and "70.0 to 90.0 %" in text and "Factor 1 of 2" in text, text
    assert text.isascii() and "\x1b" not in text and max(map(len, text.split("\n"))) <= 100, text
    assert "No interval's own thread" in show(folder, "flush")
    assert "MOVES TOGETHER" in show(folder, "read")


def check_results(folder):
    latest = str(folder / "vprofiler-out" / "latest")
    assert show(folder, "lock") == show(folder, "lock", latest) == \
        show(folder, "lock", latest + "/report.json") == show("/", "lock", str(folder / "vprofiler-out"))


def check_wrong_use(folder):
    assert "Did you mean lock?" in show(folder, "lokc", code=2)
    assert "FUNCTION is missing" in show(folder, code=2)
    assert "There is no result in none" in show(folder, "lock", "none", code=2)
    (folder / "broken.json").write_text("{")
    (folder / "other.json").write_text("{}")
    for name in ("broken.json", "other.json"):
        assert "no report of vprofiler" in show(folder, "lock", name, code=1)


def main():
    with new_folder() as folder:
        result = folder / "vprofiler-out" / "001"
        result.mkdir(parents=True)
        (folder / "vprofiler-out" / "latest").symlink_to("001")
        (result / "report.json").write_text(json.dumps(REPORT))
        return run_checks([check_rows, check_text, check_results, check_wrong_use],
                          lambda: contextlib.nullcontext(folder))


if __name__ == "__main__":
    sys.exit(main())
