#!/usr/bin/env python3
"""Predicted by `vprofiler causal`, then really mended: a function is made faster by half, and the program measured again.

usage: mended_test.py VPROFILER LIBVPROF [NAME ...] [--seconds N] [--pairs N]

Measured is the program as it is, without experiments, in turns with itself and `--faster FUNCTION=0.5`, by an independent
reader of its marks: a pair of runs gives one ratio, and the pairs an interval. A cell is a target and a number; predicted and
measured agree where they differ by no more than both 95 % intervals together say, and do so in nine of ten cells.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "runtime")]
import known_test  # noqa: E402
import vtr  # noqa: E402

POINTS = 0.04  # as in known_test.py
T95 = {3: 3.18, 5: 2.57, 7: 2.36, 9: 2.26, 11: 2.20}  # Student's, two-sided
NUMBERS = ("throughput", "mean", "stddev", "p99")

# program, target, and how it is called
MENDED = {
    "barrier": ("c1_barrier", "a"),
    "amdahl": ("c3_amdahl", "g"),
    "chain": ("c4_chain", "f"),
    "convoy": ("c5_convoy", "c"),
    "queue": ("c6_queue", "serve"),
    "fixed": ("c6_queue", "serve", "--fixed", "1"),
    "loop": ("c8_loop", "serve"),
    "sleep": ("c12_sleep", "f"),
    "spins": ("c15_trylock", "f"),
    "tail": ("c16_tail", "f"),
}


def marks(folder):
    """All marks of a run by time: (ns, what, id)."""
    found = []
    for path in folder.glob("*.vtr"):
        trace = vtr.read(str(path))
        head = trace.header
        tick_ns = (head["latest_ns"] - head["start_ns"]) / (head["latest_ticks"] - head["start_ticks"])
        for log in trace.logs:
            found += [(r["ticks"] * tick_ns, r["what"], r["id"]) for r in log.records if r["kind"] == "mark"]
    return sorted(found)


def numbers(found):
    """The run's throughput, and mean, standard deviation and p99 of its intervals' latencies."""
    begun, latencies, ends = {}, [], []
    for time, what, number in found:
        if what == "begin":
            begun[number] = time
        elif what == "end" and number in begun:
            latencies.append(time - begun.pop(number))
        if what in ("end", "progress"):
            ends.append(time)
    run = {"throughput": (len(ends) - 1) / (ends[-1] - ends[0])}
    if latencies:
        latencies.sort()
        run |= {"mean": statistics.fmean(latencies), "stddev": statistics.pstdev(latencies),
                "p99": latencies[math.ceil(0.99 * len(latencies)) - 1]}
    return run


def measure(library, folder, seconds, words):
    with tempfile.TemporaryDirectory(dir=folder) as trace:
        subprocess.run([folder / "plain", "--seconds", str(seconds), *words], check=True, capture_output=True,
                       env={**os.environ, "LD_PRELOAD": str(library), "VPROF_TRACE_DIR": trace})
        return numbers(marks(pathlib.Path(trace)))


def mend(library, folder, function, words, seconds, pairs):
    """{number: (log of the ratio, half of its interval)}"""
    logs = {}
    for pair in range(pairs):
        seeded = [*words, "--seed", str(pair + 1)]
        as_it_is = measure(library, folder, seconds, seeded)
        mended = measure(library, folder, seconds, [*seeded, "--faster", f"{function}=0.5"])
        for name in as_it_is:
            logs.setdefault(name, []).append(math.log(mended[name] / as_it_is[name]))
    return {name: (statistics.fmean(of), T95[pairs - 1] * statistics.stdev(of) / math.sqrt(pairs))
            for name, of in logs.items()}


def predict(vprofiler, folder, function, words, seconds):
    """The same, of the experiments at 50 %."""
    told = known_test.experiment(vprofiler, [function], seconds, folder, words)
    level = next(level for level in told["targets"][0]["parts"][0]["levels"] if level["share"] == 0.5)
    return {name: (math.log(1 + level[name]["change"]),
                   (math.log(1 + level[name]["ci95"][1]) - math.log(max(1 + level[name]["ci95"][0], 1e-9))) / 2)
            for name in NUMBERS if level[name]}


def cells(vprofiler, library, name, seconds, pairs):
    """(number, predicted, measured), where both are known"""
    program, function, *words = MENDED[name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        known_test.build(vprofiler, program, [function], folder)
        known_test.run(["gcc", "-O2", f"-I{HERE.parents[1] / 'include'}", HERE / f"{program}.c", "-o", folder / "plain",
                        "-pthread", "-lm"], folder)
        predicted = predict(vprofiler, folder, function, words, seconds)
        measured = mend(library, folder, function, words, seconds / (2 * pairs), pairs)
        for number in NUMBERS:
            if number in predicted and number in measured:
                yield f"{name}: {function}, {number}", predicted[number], measured[number]


def told(of):
    return f"{math.expm1(of[0]):+7.1%} ({math.expm1(of[0] - of[1]):+7.1%} .. {math.expm1(of[0] + of[1]):+7.1%})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vprofiler", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--pairs", type=int, choices=[n + 1 for n in T95], default=8)
    options = parser.parse_args()
    agreed, count, off = 0, 0, []
    for name in options.names or MENDED:
        for what, predicted, measured in cells(options.vprofiler.resolve(), options.library.resolve(), name,
                                               options.seconds, options.pairs):
            agrees = abs(predicted[0] - measured[0]) <= math.hypot(predicted[1], measured[1])
            agreed, count = agreed + agrees, count + 1
            line = f"{what:24} predicted {told(predicted)}  measured {told(measured)}{'' if agrees else '  *'}"
            print(line, flush=True)
            apart = abs(math.expm1(predicted[0]) - math.expm1(measured[0]))
            if not agrees and apart > POINTS * (1 + max(math.expm1(measured[0]), 0)):
                off.append(line)
    print(f"{agreed} of {count} cells agree")
    sys.exit(bool(off) if count < 10 else agreed < 0.9 * count)


if __name__ == "__main__":
    main()
