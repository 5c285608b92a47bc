#!/usr/bin/env python3
"""Recursion of any depth: a report that every parser reads, that does not grow with it, and whose shares add up.

usage: deep_recursion_test.py VPROFILER
"""
import json
import re
import subprocess
import sys

from checks import run_checks
from target import Target, read_report, report_path

VPROFILER = sys.argv[1]
PARSERS_TAKE = 256  # jq; Python has 1000, PHP 512

SERVER = r"""
#include <time.h>
#include "vprof_api.h"
static void nap(long us) { struct timespec t = {0, us * 1000}; nanosleep(&t, 0); }
static long other(long n);
static long deep(long n) { volatile char pad[8]; pad[0] = 1; if (!n) nap(100); return n ? NEXT(n - 1) + pad[0] : 0; }
static long other(long n) { volatile char pad[8]; pad[0] = 1; if (!n) nap(300); return n ? deep(n - 1) + pad[0] : 0; }
static void request(long i) { SI_BEGIN(i); deep(i % 5 ? DEPTH / 2 : DEPTH); if (i < 0) other(1); SI_END(i); }
int main(void) { for (long i = 0; i < 150; i++) request(i); return 0; }
"""


def recurse(depth, following):
    target = Target(VPROFILER, {"server.c": f"#define DEPTH {depth}\n#define NEXT {following}\n{SERVER}"})
    got = target.iterate("--auto")
    assert got.returncode == 0, got.stderr
    return target


def nesting(text):
    depth = most = 0
    for bracket in re.sub(r'"(?:[^"\\]|\\.)*"|[^\[\]{}"]+', "", text):
        depth += 1 if bracket in "[{" else -1
        most = max(most, depth)
    return most


def assert_read(target):
    """By parsers of others and by all of ours."""
    out = target.home / "out"
    text = report_path(target).read_text()
    assert nesting(text) <= PARSERS_TAKE, nesting(text)
    report = read_report(target)
    shares = sum(leaf["share"] for leaf in leaves(report["tree"]))
    assert abs(shares - 1) < 1e-6, shares
    for words in (["show", "deep", out], ["show", "deep", out, "--json"], ["report", out],
                  ["compare", out / "001", out / "001"], ["analyze", out / "001", "--json", "--out", out],
                  ["export", "--format", "csv", "--output", target.home / "tables", out / "001"],
                  ["export", "--format", "folded", "--output", target.home / "folded", out / "001"]):
        got = subprocess.run([VPROFILER, *map(str, words)], capture_output=True, text=True, timeout=120)
        assert got.returncode == 0, (words, got.stderr)
        if "--json" in words:
            json.loads(got.stdout)
    return report


def leaves(node):
    return [node] if not node["children"] else [leaf for child in node["children"] for leaf in leaves(child)]


def check_direct():
    """The whole tree is there, exact, and as large for any depth."""
    sizes = []
    for depth in 200, 2500:
        with recurse(depth, "deep") as target:
            report = assert_read(target)
            sizes.append(len(json.dumps({**report, "timelines": []})))
            assert "cut" not in report_path(target).read_text()
            by_name = [leaf for leaf in leaves(report["tree"]) if leaf["name"] == "deep [body]"]
            assert sum(leaf["share"] for leaf in by_name) > 0
            deep = [factor for factor in report["factors"] if factor["functions"] == ["deep"]]
            assert deep and len(deep[0]["sites"]) <= 16, deep
            calls = sum(node["calls"] for node in walk(report["tree"]) if node["name"] == "deep")
            assert calls == 30 * (depth + 1) + 120 * (depth // 2 + 1), calls
    assert sizes[1] < 1.3 * sizes[0], sizes


def walk(node):
    yield node
    for child in node["children"]:
        yield from walk(child)


def check_mutual():
    """What stands too deep is its ancestor's, which says so."""
    sizes = []
    for depth in 600, 1800:
        with recurse(depth, "other") as target:
            report = assert_read(target)
            sizes.append(len(json.dumps(report["tree"])))
            assert any("cut" in node for node in walk(report["tree"]))
    assert sizes[1] < 4 * sizes[0], sizes


if __name__ == "__main__":
    sys.exit(run_checks([check_direct, check_mutual]))
