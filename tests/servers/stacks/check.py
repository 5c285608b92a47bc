#!/usr/bin/env python3
"""`vprofiler stacks` on programs with a known fault: does it lead to what was mended?

usage: check.py VPROFILER BUILDS WORK_FOLDER [CASE...]

BUILDS has both versions of each case, CASE/buggy and CASE/fixed, built alike (-O2), stripped, and beside each file that
holds mended functions itself before it was stripped, FILE.symbols: which name belongs to "[dnsmasq+0x1a40]" is looked up
there. The cases, and what was mended in each, are in cases.py; of jq the buggy one is Debian 12's own, CASE/buggy has the
symbols alone.

    compared     versions by `vprofiler compare`: of the contexts that changed most, one of the first 5 holds a mended function
    growth       exponents by `vprofiler stacks --growth`: that of the context at the top of the comparison is within 0.2 of
                 how the processor time of the program itself grows, measured by the kernel without vprofiler

Prints what `vprofiler stacks` says first of the version with the fault. Needs root; nothing else should run. A case
without builds is left out, and said.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "stacks"), str(HERE.parents[1])]
import cases  # noqa: E402
import never_idle  # noqa: E402
from tree import Tree  # noqa: E402

FIRST, TOLERANCE, TURNS = 5, 0.2, 3
RATE = "2000"


def processor_seconds(words, environment):
    """The least of some turns, by the kernel's account of the process."""
    least = math.inf
    for _ in range(TURNS):
        child = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(child.pid, 0)
        least = min(least, used.ru_utime + used.ru_stime)
    return least


def exponent(points):
    """The slope of a line through the logarithms."""
    logs = [(math.log(size), math.log(time)) for size, time in points]
    x, y = (sum(column) / len(logs) for column in zip(*logs))
    return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, b in logs)


def law(name, build, folder):
    """How the processor time grows with the size, without what the program takes of size 0."""
    none = processor_seconds(*cases.command(name, build, 0, folder))
    points = [(size, processor_seconds(*cases.command(name, build, size, folder)) - none)
              for size in cases.CASES[name].sizes]
    print(f"{name}: " + ", ".join(f"{size} {time:.3f} s" for size, time in points) + f" and {none:.3f} s for nothing")
    return exponent(points)


class Names:
    """What the functions of a stripped file are called, by where they begin."""

    def __init__(self, path):
        self.by_start, self.file = {}, path.name.removesuffix(".symbols")
        listed = subprocess.run(["nm", "--defined-only", path], check=True, capture_output=True, text=True).stdout
        for address, name in re.findall(r"^(\w+) [tTwWi] (\S+)$", listed, re.MULTILINE):
            self.by_start[int(address, 16)] = re.sub(r"\.(part|cold|constprop|isra).*", "", name)

    def of(self, told):
        start = re.fullmatch(r"\[(\S+)\+0x([0-9a-f]+)\]", told)
        if not start or not start[1].startswith(self.file):
            return told
        return self.by_start.get(int(start[2], 16), told)


def stacks(vprofiler, out, words, environment):
    done = subprocess.run([vprofiler, "stacks", "--json", "--kernel", "on", "--rate", RATE, "--out", out, "--", *words],
                          env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return Tree(json.loads(done.stdout))


def own_times(tree, names):
    """s by context, a tuple of names; without threads that other programs have."""
    times = {}
    for n, node in enumerate(tree.nodes):
        own = (node["own"]["ran_ns"] + node["own"]["off_ns"]) / 1e9
        if n and own and tree.found["groups"][node["group"]]["of_run"]:
            path = tuple(names.of(name) for name in tree.path(n))
            times[path] = times.get(path, 0) + own
    return times


def changes(buggy, fixed):
    """The largest first."""
    found = {path: buggy.get(path, 0) - fixed.get(path, 0) for path in {*buggy, *fixed}}
    return sorted(found.items(), key=lambda item: -item[1])


def rank_of(found, mended):
    """Of the first that holds a mended function; and how many calls are from its innermost such one to where the time is."""
    for rank, (path, _) in enumerate(found, 1):
        below = [i for i, name in enumerate(reversed(path)) if name in mended]
        if below:
            return rank, below[0]
    return math.inf, math.inf


def short(path):
    return " < ".join(list(reversed(path))[:4])


def check(vprofiler, builds, folder, name):
    case, failures = cases.CASES[name], []
    sides = {side: builds / name / side for side in ("buggy", "fixed")}
    names = {side: Names(build / f"{case.file}.symbols") for side, build in sides.items()}
    truth = law(name, sides["buggy"], folder)
    trees = {side: stacks(vprofiler, folder / f"{name}-{side}", *cases.command(name, build, None, folder))
             for side, build in sides.items()}
    print(f"{name}: {trees['buggy'].found['headline']}")
    found = changes(*(own_times(trees[side], names[side]) for side in ("buggy", "fixed")))
    for path, change in found[:FIRST]:
        print(f"    {change:+8.3f} s  {short(path)}")
    rank, edges = rank_of(found, case.mended)
    print(f"{name}: what was mended is in context {rank}, {edges} calls above it")
    if rank > FIRST:
        failures.append("what was mended is not in the first contexts")
    grown = [(size, own_times(stacks(vprofiler, folder / f"{name}-{size}", *cases.command(name, sides["buggy"], size, folder)),
                              names["buggy"])) for size in case.sizes]
    top = max(grown[-1][1], key=grown[-1][1].get)
    slope = exponent([(size, times.get(top, 1e-6)) for size, times in grown])
    print(f"{name}: {short(top)} grows as n^{slope:.2f}, the program's own time as n^{truth:.2f}", flush=True)
    if abs(slope - truth) > TOLERANCE:
        failures.append(f"n^{slope:.2f} is not n^{truth:.2f}")
    return [f"{name}: {failure}" for failure in failures]


def main():
    vprofiler = str(pathlib.Path(sys.argv[1]).resolve())
    builds, folder = (pathlib.Path(path).resolve() for path in sys.argv[2:4])
    folder.mkdir(exist_ok=True, parents=True)
    failures = []
    for name in sys.argv[4:] or cases.CASES:
        if (builds / name).exists():
            failures += check(vprofiler, builds, folder, name)
        else:
            print(f"{name} is left out: there is no {builds / name}")
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
