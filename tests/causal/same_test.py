#!/usr/bin/env python3
"""c13: what is never delayed is told from itself as seldom as 95 % intervals say: in 3 to 7 % of 400 pairs.

usage: same_test.py VPROFILER SAME [--times N] [--seconds N]

A program whose mean drifts and a queue, whose latencies hang together, are experimented with N times each. The windows
without a delay of these runs are cut and set against each other (same.c).
"""
import argparse
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import known_test  # noqa: E402

# program, its target and arguments, ms of a piece
PROGRAMS = [("c13_same", "f", [], "20"), ("c6_queue", "serve", ["--rate", "3000", "--ms", "0.2"], "40")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vprofiler", type=pathlib.Path)
    parser.add_argument("same", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=80)
    arguments = parser.parse_args()
    vprofiler = arguments.vprofiler.resolve()
    told = pairs = 0
    for program, target, words, piece in PROGRAMS:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            known_test.build(vprofiler, program, [target], folder)
            for seed in range(1, arguments.times + 1):
                known_test.run([vprofiler, "causal", "--json", "--quiet", "--function", target, "--budget",
                                f"{arguments.seconds}s", "--seed", seed, "--", "./program", *words, "--seed", seed],
                               folder)
            traces = sorted(folder.glob("vprofiler-out/0*/rounds/01/trace"))
            said = known_test.run([arguments.same.resolve(), piece, *traces], folder)
            print(f"{program}\n{said}", end="")
            count, part = re.search(r"all +(\d+) pairs, told ([\d.]+) %", said).groups()
            pairs += int(count)
            told += int(count) * float(part) / 100
    print(f"{pairs} effects, told {told / pairs:.1%}")
    if pairs >= 400 * 5 and not 0.03 <= told / pairs <= 0.07:
        sys.exit(1)


if __name__ == "__main__":
    main()
