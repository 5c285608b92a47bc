#!/usr/bin/env python3
"""Random waits: the sweep gives what the recursive definition of cascaded redistribution gives, to the ns.

usage: cascade_test.py CASCADE_TOOL [CASES]

A small scheduler makes them: running threads block, and running ones or devices wake those that are blocked. The
definition is the one of wPerf's paper: each wait of each thread is a root, and while the one that it waits for is
itself blocked, that wait counts for it, too.
"""
import collections
import random
import subprocess
import sys

KINDS = 4  # vertices behind the threads: no threads, as a timer


def make_waits(rng):
    """(threads, until, [(who, whom, begin, end)])"""
    threads = rng.randint(2, 9)
    blocked, waits, time = {}, [], 0
    for _ in range(rng.randint(4, 120)):
        time += rng.choice((0, 1, 1, 2, 5, 40))
        running = [t for t in range(1, threads) if t not in blocked]
        wakers = running + [threads + rng.randrange(KINDS)]
        if blocked and (rng.random() < 0.5 or not running):
            who = rng.choice(sorted(blocked))
            begin = blocked.pop(who)
            if begin < time:
                waits.append((who, rng.choice([w for w in wakers if w != who]), begin, time))
        elif running:
            blocked[rng.choice(running)] = time
    return threads, time, sorted(waits, key=lambda w: (w[2], w[0]))


def recursive(waits):
    """The paper's definition: {(who, whom): time}."""
    of = collections.defaultdict(list)
    for wait in waits:
        of[wait[0]].append(wait)
    weights = collections.Counter()

    def cascade(who, whom, begin, end):
        weights[who, whom] += end - begin
        for _, next_whom, next_begin, next_end in of[whom]:
            inner = max(begin, next_begin), min(end, next_end)
            if inner[0] < inner[1]:
                cascade(whom, next_whom, *inner)

    for wait in waits:
        cascade(*wait)
    return weights


def by_moments(waits, until):
    """(leaf, blame), ns by ns: who waits for one that runs; and for whom everyone waits in the end."""
    leaf, blame = collections.Counter(), collections.Counter()
    for time in range(until):
        whom = {w: v for w, v, begin, end in waits if begin <= time < end}
        for who in whom:
            root = whom[who]
            if root not in whom:
                leaf[who, root] += 1
            while root in whom:
                root = whom[root]
            blame[root] += 1
    return leaf, blame


def read(lines):
    raw, cascaded, leaf, blame = {}, {}, {}, {}
    for line in lines:
        kind, *numbers = line.split()
        numbers = [int(n) for n in numbers]
        if kind == "end":
            return raw, cascaded, leaf, blame
        if kind == "blame":
            blame[numbers[0]] = numbers[1]
        else:
            pair = tuple(numbers[:2])
            raw[pair], cascaded[pair], leaf[pair] = numbers[2:]
    raise EOFError


def without_zeros(counter):
    return {key: value for key, value in counter.items() if value}


def main():
    tool, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    rng = random.Random(20181008)
    cases = [make_waits(rng) for _ in range(count)]
    text = "".join(f"case {threads} 0 {until}\n" + "".join(f"{a} {b} {c} {d}\n" for a, b, c, d in waits) + "end\n"
                   for threads, until, waits in cases)
    done = subprocess.run([tool], input=text, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = iter(done.stdout.splitlines())
    for number, (_, until, waits) in enumerate(cases):
        raw, cascaded, leaf, blame = read(lines)
        truth = collections.Counter()
        for who, whom, begin, end in waits:
            truth[who, whom] += end - begin
        assert raw == truth, (number, waits, raw, truth)
        assert cascaded == dict(recursive(waits)), (number, waits, cascaded, recursive(waits))
        if number % 20 == 0:
            true_leaf, true_blame = by_moments(waits, until)
            assert without_zeros(leaf) == true_leaf, (number, waits, leaf, true_leaf)
            assert blame == true_blame, (number, waits, blame, true_blame)
    print(f"{count} cases agree")


if __name__ == "__main__":
    main()
