#!/usr/bin/env python3
"""Programs whose speed-ups are known in closed form, under `vprofiler causal`.

usage: known_test.py VPROFILER [NAME ...] [--seconds N] [--times N] [--folder DIR]

Each is rewritten, built and experimented with, N seconds for each target. A cell is a target, a level and a number: what
is predicted of it must hold the truth in its 95 % interval, or lie within POINTS of it (a rate by its period); of all
cells of --times runs nine of ten must hold it. What the recorded run says, worked out again, stands behind it, and must hold the truth or lie
within POINTS of it, too; where it can, the two must not be told apart.
"""
import argparse
import contextlib
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
POINTS = 0.04  # Omnitrace's own tests allow 0.05, up to a level of 30 %


def rate(period):
    """The throughput's change, by what is left of the period."""
    return lambda s, base: {"throughput": 1 / period(s) - 1}


def queue(s, base):
    """M/M/1, of the load as it was measured: what is served takes so much less, what comes does not."""
    rho = base["rho"]
    sojourn = (1 - s) / (1 - (1 - s) * rho) * (1 - rho)
    return {"mean": sojourn - 1, "stddev": sojourn - 1, "p99": sojourn - 1}


# Their replay can't know what happens then: the queue is never empty, its tasks are not marked; who waited for a processor
# is not recorded.
UNKNOWN_TO_REPLAY = {"pipeline", "processor"}


def fixed_queue(s, base):
    """M/D/1: what Pollaczek and Khinchine say of the time in the queue, and all of it in units of one service."""
    def moments(rho):
        return 1 + rho / (2 * (1 - rho)), math.sqrt(rho / (3 * (1 - rho)) + rho ** 2 / (4 * (1 - rho) ** 2))
    (mean, stddev), (whole_mean, whole_stddev) = moments((1 - s) * base["rho"]), moments(base["rho"])
    return {"mean": (1 - s) * mean / whole_mean - 1, "stddev": (1 - s) * stddev / whole_stddev - 1}


def trylock_round(f):
    """One round of c15_trylock.c: who wants the lock first has it first."""
    turns, free, a, b = 0, 0.0, 0.2, f
    while True:
        if max(a, free) < max(b, free):
            turns, free, a = turns + 1, max(a, free) + 0.3, max(a, free) + 0.5
            a = math.inf if turns == 20 else a
        elif turns == 20:
            return max(b, free)
        else:
            free, b = max(b, free) + 0.7, max(b, free) + 0.8


BARRIER = {"a": rate(lambda s: max(1 - s, 0.9)), "b": rate(lambda s: 1)}
PRIMITIVES = ("cond", "sem", "barrier", "futex", "pipe", "eventfd", "join", "fork")

# program, the changes of numbers at a level by target, and how the program is called
KNOWN = {
    "barrier": ("c1_barrier", BARRIER),
    "pipeline": ("c2_pipeline", {"g": rate(lambda s: max(1 - s, 0.5)), "f": rate(lambda s: 1)}),
    "amdahl": ("c3_amdahl", {"f": rate(lambda s: 1 - 0.4 * s), "g": rate(lambda s: 1 - 0.6 * s)}),
    "chain": ("c4_chain", {"f": lambda s, base: {"throughput": 1 / (1 - 0.3 * s) - 1, "mean": -0.3 * s, "p50": -0.3 * s}}),
    "convoy": ("c5_convoy", {"c": rate(lambda s: max(3 * (1 - s), (1 + 3 * (1 - s)) / 2) / 3), "w": rate(lambda s: 1)}),
    "queue": ("c6_queue", {"serve": queue}),
    "fixed": ("c6_queue", {"serve": fixed_queue}, "--fixed", "1"),
    "loop": ("c8_loop", {"serve": lambda s, base: {"throughput": 1 / (1 - 0.4 * s) - 1, "mean": -s if s < 1 else -0.98}}),
    "phases": ("c10_phases", {"f": rate(lambda s: 1 - 0.5 * s), "g": rate(lambda s: 1 - 0.5 * s)}),
    **{f"by_{name}": ("c11_primitives", BARRIER, "--by", str(by)) for by, name in enumerate(PRIMITIVES)},
    "sleep": ("c12_sleep", {"f": rate(lambda s: 1 - 0.5 * s)}),
    "bystander": ("c14_bystander", {"f": lambda s, base: {"throughput": 0, "mean": 0} if s < 1 else {}}),
    "spins": ("c15_trylock", {"f": rate(lambda s: trylock_round(8 - 8 * s) / trylock_round(8))}),
    "meets": ("c15_trylock", {"f": rate(lambda s: 1)}, "--spin", "0"),
    "processor": ("c17_processor", {name: rate(lambda s: 1 - 0.5 * s) for name in "fw"}),
    "tail": ("c16_tail", {"f": lambda s, base: {"mean": -s * 0.2 / 1.2, "p50": 0}}),
}


def run(words, folder):
    done = subprocess.run([str(word) for word in words], cwd=folder, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextlib.contextmanager
def place():
    """(what the command line names as vprofiler, a folder for a while); where there is no compiler the test is left out."""
    if not shutil.which("gcc"):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as temporary:
        yield pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(temporary)


def build(vprofiler, program, functions, folder):
    """Rewritten in a copy, as docs/causal.md has it."""
    source, copy = folder / "source", folder / "copy"
    source.mkdir()
    for name in (f"{program}.c", "work.h"):
        shutil.copy(HERE / name, source)
    flags = ["gcc", "-O2", "-g", f"-I{HERE.parents[1] / 'include'}"]
    (source / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(source), "file": f"{program}.c", "arguments": [*flags, "-c", f"{program}.c"]}]))
    run([vprofiler, "rewrite", "--quiet", "--compile-commands", "compile_commands.json", "--sync", "--time",
         ",".join(functions), "--tree", copy, "--table", folder / "functions.json"], source)
    run([*flags, copy / f"{program}.c", "-o", folder / "program", "-pthread", "-lm"], folder)


def experiment(vprofiler, functions, seconds, folder, arguments=()):
    named = [word for name in functions for word in ("--function", name)]
    told = json.loads(run([vprofiler, "causal", "--json", "--quiet", *named, "--budget", f"{seconds * len(functions)}s",
                           "--", "./program", *arguments], folder))
    look_at_files(folder / "vprofiler-out" / "latest", told)
    return told


def look_at_files(result, told):
    """The same lies in the result, and where the functions stand is known there."""
    assert json.loads((result / "causal.json").read_text()) == told, "causal.json is not what was printed"
    page, coz = (result / "causal.html").read_text(), (result / "profile.coz").read_text()
    replays = sum("replay" in level for target in told["targets"] for part in target["parts"] for level in part["levels"])
    assert ("rect class=\"again\"" in page) == (replays > 0), f"{replays} replays, and the page"
    for target in told["targets"]:
        place = re.search(r"selected=(\S+\.c:[1-9]\d*)\t", coz)
        assert place and place[1] in page, f"nobody says where {target['name']} stands"


def cells(told, truths):
    """(what, predicted, truth, by the replay)"""
    for target in told["targets"]:
        part = target["parts"][0]
        base = {"rho": target["call_ns"] / part["as_it_is"]["period_ns"]}
        for level in part["levels"][1:]:
            wanted = truths[target["name"]](level["share"], base)
            for name, change in wanted.items():
                found = level[name]
                if name == "p99" and not found:
                    continue  # of too few intervals
                assert found, f"{target['name']}, {level['share']:.0%}: nothing is told of {name}\n{told['warnings']}"
                yield (f"{target['name']} {level['share']:.0%} faster: {name}", found, change,
                       level.get("replay", {}).get(name))


def holds(found, truth):
    return found["ci95"][0] <= truth <= found["ci95"][1]


def is_off(what, found, truth):
    """A rate by the time of a unit, of what it is without a delay: little is left of that where a rate is six times as high, and
    a hand-over is no part of the law."""
    if what.endswith("throughput"):
        apart = 1 / (1 + found["change"]) - 1 / (1 + truth)
    else:
        apart = found["change"] - truth
    return not holds(found, truth) and abs(apart) > POINTS


def in_words(found):
    return f"{found['change']:+.1%} ({found['ci95'][0]:+.1%} .. {found['ci95'][1]:+.1%})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vprofiler", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=int, default=12)
    parser.add_argument("--times", type=int, default=1)
    arguments = parser.parse_args()
    if not shutil.which("gcc"):
        sys.exit(77)
    held = count = 0
    off, squares = [], 0.0
    for name in arguments.names or KNOWN:
        program, truths, *called = KNOWN[name]
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            build(arguments.vprofiler.resolve(), program, list(truths), folder)
            for _ in range(arguments.times):
                told = experiment(arguments.vprofiler.resolve(), list(truths), arguments.seconds, folder, called)
                assert not told["virtual_time"]["backwards"], told["virtual_time"]
                for what, found, truth, again in cells(told, truths):
                    held, count = held + holds(found, truth), count + 1
                    squares += (found["change"] - truth) ** 2
                    line = f"{name}: {what} {in_words(found)}, truth {truth:+.1%}"
                    line += f", replayed {in_words(again)}" if again else ", not replayed"
                    print(line + ("" if holds(found, truth) else "  *"))
                    bad = again and name not in UNKNOWN_TO_REPLAY and (again["apart"] or is_off(what, again, truth))
                    if is_off(what, found, truth) or bad:
                        off.append(line)
    print(f"{held} of {count} hold the truth; root mean square error {math.sqrt(squares / count):.2%}")
    if off or (arguments.times > 1 and held < 0.9 * count):
        print("\n".join(off))
        sys.exit(1)


if __name__ == "__main__":
    main()
