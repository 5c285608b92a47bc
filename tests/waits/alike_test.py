#!/usr/bin/env python3
"""Are two looks at one program told apart that should not be, and one that should?

usage: alike_test.py VPROFILER SCENES [PAIRS] [SECONDS] [compare]

A program whose threads work by dice, always alike, is looked at again and again: of PAIRS (5) pairs of neighbours, at
most so many may differ in an edge as one in twenty makes likely. Of a program in which one of them works half
as long again, each look differs from the first one's.

An edge differs where its raw share does, by the 95 % intervals that vprofiler gives: Student's t of the difference,
with as many degrees of freedom as two jackknifes of 20 windows have, at 5 % for all edges together (Holm, 1979). Or
`vprofiler compare` is asked, by the same rule.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]
import never_idle  # noqa: E402

VPROFILER, SCENES = sys.argv[1:3]
PAIRS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
SECONDS = sys.argv[4] if len(sys.argv) > 4 else "0.8"
BY_COMPARE = sys.argv[5:] == ["compare"]
WINDOWS = 20
LEVEL = 0.05


def students_tail(t, degrees):
    """P(|T| > t), by Simpson's rule over the density."""
    steps, width = 2000, abs(t) / 2000
    factor = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    density = [factor * (1 + (i * width) ** 2 / degrees) ** (-(degrees + 1) / 2) for i in range(steps + 1)]
    inside = width / 3 * (density[0] + density[-1] + 4 * sum(density[1:-1:2]) + 2 * sum(density[2:-1:2]))
    return max(1 - 2 * inside, 0)


def quantile(part, degrees):
    """Of |T|."""
    low, high = 0, 100
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if students_tail(middle, degrees) > 1 - part else (low, middle)
    return high


HALF_WIDTH = quantile(0.95, WINDOWS - 1)  # in standard errors


def shares(found):
    """By the names of the groups; of the run's threads."""
    groups = found["groups"]
    return {(groups[edge["from"]]["name"], groups[edge["to"]]["name"], groups[edge["to"]]["kind"]):
            (edge["raw_share"]["value"], (edge["raw_share"]["ci95"][1] - edge["raw_share"]["ci95"][0]) / 2 / HALF_WIDTH)
            for edge in found["edges"] if groups[edge["from"]]["of_run"] and edge["counts"]}


def compared(one, other):
    """What `compare` says of the results."""
    done = subprocess.run([VPROFILER, "compare", "--json", one["result"], other["result"]], text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return [(change["from"]["name"], change["to"]["name"]) for change in json.loads(done.stdout)["edges"]
            if change["surely"]]


def told_apart(one, other):
    """The edges in which they differ."""
    if BY_COMPARE:
        return compared(one, other)
    ones, others = shares(one), shares(other)
    chances = []
    for edge in ones.keys() & others.keys():
        difference, error = ones[edge][0] - others[edge][0], math.hypot(ones[edge][1], others[edge][1])
        chance = students_tail(difference / error, 2 * (WINDOWS - 1)) if error else float(difference == 0)
        chances.append((chance, edge))
    named = []
    for i, (chance, edge) in enumerate(sorted(chances)):
        if chance > LEVEL / (len(chances) - i):
            break
        named.append(edge[:2])
    return named


def look(pid, folder, number):
    result = f"{folder}/{number}"
    done = subprocess.run([VPROFILER, "waits", "--json", "--out", result, "--kernel", "on", "--pid", str(pid), "--for",
                           f"{SECONDS}s"], text=True, capture_output=True, check=False)
    if "who woke whom" not in done.stderr:
        print("left out: what the kernel tells of a run (a machine where `vprofiler doctor` says that all of it can be "
              "recorded)")
        sys.exit(77)
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "result": result}


def looks(folder, count, longer):
    with subprocess.Popen([SCENES, f"{folder}/own.json", "stage", "10000000", "steady", longer],
                          preexec_fn=never_idle.die_with_parent) as program:
        try:
            return [look(program.pid, f"{folder}/{longer}", number) for number in range(count)]
        finally:
            program.kill()


def most_by_chance(count):
    """More than so many of `count`, each with a chance of LEVEL, have a chance of less than one in 10,000."""
    left, most = 1.0, -1
    while left > 1e-4:
        most += 1
        left -= math.comb(count, most) * LEVEL ** most * (1 - LEVEL) ** (count - most)
    return most


def main():
    with tempfile.TemporaryDirectory() as folder, never_idle.all_processors():
        alike = looks(folder, PAIRS + 1, "1")
        slower = looks(folder, 2, "1.5")
        named = [told_apart(one, other) for one, other in zip(alike, alike[1:])]
        told = [told_apart(alike[0], one) for one in slower]
    count = sum(map(bool, named))
    print(f"{count} of {PAIRS} pairs that are alike are told apart: {[edges for edges in named if edges]}")
    print(f"half as long again: {told}")
    assert len(shares(alike[0])) >= 3, alike[0]["edges"]
    assert count <= most_by_chance(PAIRS), named
    assert all(("B", "C") in edges for edges in told), told


if __name__ == "__main__":
    main()
