#!/usr/bin/env python3
"""`vprofiler stacks` on programs with a known fault: does it lead to what was mended?

usage: check.py VPROFILER BUILDS WORK_FOLDER [CASE...]

BUILDS has both versions of each case, CASE/buggy and CASE/fixed, built alike (-O2), stripped; and beside the file that
holds the mended functions itself before it was stripped, FILE.symbols, where is looked up whose name belongs to
"[dnsmasq+0x4a5d0]". The cases, and what was mended in each, are in cases.py.

    comparison   three runs of each, in turns. Of the first five contexts that `vprofiler compare FIXED BUGGY` tells, one
                 is below a mended function or is it itself.
    growth       three sizes. The exponent of the first context that `vprofiler stacks --growth` tells is within 0.2 of
                 that by which the processor time grows that the kernel accounts for, without vprofiler.

Prints the first sentences of `stacks`, `compare` and `stacks --growth`. Needs root; nothing else should run.
A case without builds is left out, and said.
"""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import cases  # noqa: E402

FIRST, TOLERANCE, TURNS = 5, 0.2, 3
RATE = "2000"
WORSE = 1  # what `compare` ends with where B takes longer


def processor_seconds(words, environment):
    """The least of some turns, by the kernel's account of the process."""
    least = math.inf
    for _ in range(TURNS):
        child = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"{' '.join(words)} ends with {child.returncode}")
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


def record(vprofiler, out, words, environment):
    """One more run in the folder; the first sentence."""
    run(vprofiler, "stacks", "--quiet", "--kernel", "on", "--rate", RATE, "--out", out, "--", *words, environment=environment)
    return json.loads((out / "latest" / "stacks.json").read_text())["headline"]


def run(*words, environment=None):
    done = subprocess.run([str(word) for word in words], env=environment, check=False, capture_output=True, text=True)
    if done.returncode not in (0, WORSE):
        raise SystemExit(f"{done.stderr}{words[0]} {words[1]} ends with {done.returncode}")
    return done.stdout


def contexts(compared, names):
    """By rank: the names on the path, the outermost first, and what changed."""
    found = []
    for n in compared["order"][:FIRST]:
        change, path = compared["nodes"][n]["own"]["change_ns"], []
        while n is not None and compared["nodes"][n]["function"]:
            node = compared["nodes"][n]
            path.insert(0, names["fixed" if node["presence"] == "gone" else "buggy"].of(node["function"]))
            n = node["parent"]
        found.append((path, change))
    return found


def rank_of(found, mended):
    """Of the first one below a mended function; and how many calls are from that one to where the time is."""
    for rank, (path, _) in enumerate(found, 1):
        calls = [i for i, name in enumerate(reversed(path)) if name in mended]
        if calls:
            return rank, calls[0]
    return None, None


def short(path):
    return " < ".join(list(reversed(path))[:4])


def check_comparison(vprofiler, name, sides, names, folder):
    outs = {side: folder / f"{name}-{side}" for side in sides}
    for out in outs.values():
        shutil.rmtree(out, ignore_errors=True)
    for _ in range(TURNS):
        headlines = {side: record(vprofiler, outs[side], *cases.command(name, build, cases.CASES[name].sizes[-1], folder))
                     for side, build in sides.items()}
    print(f"{name}: {headlines['buggy']}")
    compared = json.loads(run(vprofiler, "compare", "--json", outs["fixed"], outs["buggy"]))
    print(f"{name}: {compared['headline']}")
    found = contexts(compared, names)
    for path, change in found:
        print(f"    {change / 1e9:+8.3f} s  {short(path)}")
    rank, calls = rank_of(found, cases.CASES[name].mended)
    print(f"{name}: what was mended is in context {rank}, {calls} calls above it")
    return [] if rank else ["what was mended is not in the first contexts"]


def check_growth(vprofiler, name, build, names, folder):
    truth, words = law(name, build, folder), []
    for size in cases.CASES[name].sizes:
        out = folder / f"{name}-{size}"
        shutil.rmtree(out, ignore_errors=True)
        record(vprofiler, out, *cases.command(name, build, size, folder))
        words += ["--growth", f"{size}={out}"]
    grown = json.loads(run(vprofiler, "stacks", "--json", *words))
    print(f"{name}: {grown['headline']}")
    first = grown["contexts"][0]
    slope, path = first["own"]["exponent"], [names.of(function) for function in first["path"]]
    print(f"{name}: {short(path)} grows as n^{slope:.2f}, the program's own time as n^{truth:.2f}", flush=True)
    return [] if abs(slope - truth) <= TOLERANCE else [f"n^{slope:.2f} is not n^{truth:.2f}"]


def check(vprofiler, builds, folder, name):
    sides = {side: builds / name / side for side in ("fixed", "buggy")}
    names = {side: Names(build / f"{cases.CASES[name].file}.symbols") for side, build in sides.items()}
    failures = check_comparison(vprofiler, name, sides, names, folder)
    failures += check_growth(vprofiler, name, sides["buggy"], names["buggy"], folder)
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
