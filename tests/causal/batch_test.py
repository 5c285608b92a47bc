#!/usr/bin/env python3
"""A program without a unit of work is run again and again until the answer is known: the part of a run that is f's, by its
probes, and by the line that calls it in the program as it is.

usage: batch_test.py VPROFILER

The program measures for a while how fast the processor is before it works: that is part of a run too, and of the truth.
"""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import known_test  # noqa: E402
import line_test  # noqa: E402

POINTS = 0.05


def look(told, most):
    """Every level's mean is what is left of a run."""
    assert told["end_to_end"] and told["plan"]["whole_runs"] == 1, told["plan"]
    target = told["targets"][0]
    assert target["processors"] > 0.05, target["processors"]
    levels = target["parts"][0]["levels"]
    assert 60 <= told["experiments"] <= most and told["experiments"] % 6 == 0, told["experiments"]
    for level in levels[1:]:
        found, truth = level["mean"], -level["share"] * target["processors"]
        print(f"{target['name']}, {level['share']:.0%}: {found['change']:+.1%} ({found['ci95'][0]:+.1%} .. "
              f"{found['ci95'][1]:+.1%}), truth {truth:+.1%}")
        assert found["ci95"][0] <= truth <= found["ci95"][1] or abs(found["change"] - truth) < POINTS
        assert level["throughput"] is not None and level["count"] == level["experiments"]
    print(f"{told['experiments']} runs")


def main():
    with known_test.place() as (vprofiler, folder):
        known_test.build(vprofiler, "batch", ["f", "rest"], folder)
        words = [vprofiler, "causal", "--json", "--end-to-end", "--width"]
        by_calls = [*words, "0.1", "--function", "f"]
        done = subprocess.run([*by_calls, "--budget", "1s", "--", "./program"], cwd=folder, text=True, capture_output=True,
                              check=False)
        assert done.returncode == 2 and re.search(r"60 runs are needed .*: --budget \d+s", done.stderr), done.stderr
        look(json.loads(known_test.run([*by_calls, "--quiet", "--", "./program"], folder)), 120)
        (folder / "functions.json").unlink()
        line_test.build(folder, "gcc", "batch", "-g")
        line = line_test.line_of("batch", "        f();")
        look(json.loads(known_test.run([*words, "0.2", "--line", line, "--quiet", "--", "./program"], folder)), 120)


if __name__ == "__main__":
    main()
