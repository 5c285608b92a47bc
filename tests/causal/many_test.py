#!/usr/bin/env python3
"""Seven functions: those that bring most are found in a few experiments, and told of others; the time that was planned is kept.

usage: many_test.py VPROFILER
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import known_test  # noqa: E402

NAMES = "abcdefg"
PARTS = {"f": 0.4, "g": 0.2, "e": 0.1, "d": 0.08, "c": 0.06, "b": 0.04, "a": 0.02}


def main():
    with known_test.place() as (vprofiler, folder):
        known_test.build(vprofiler, "many", NAMES, folder)
        named = [word for name in NAMES for word in ("--function", name)]
        told = json.loads(known_test.run([vprofiler, "causal", "--json", "--quiet", *named, "--budget", "30s", "--",
                                          "./program"], folder))
        text = known_test.run([vprofiler, "causal"], folder)
    targets = told["targets"]
    stayed = [target["name"] for target in targets if not target["left_out"]]
    assert len(stayed) == 3 and {"f", "g"} <= set(stayed), stayed
    assert stayed[0] == "f", stayed
    for target in targets[:3]:
        for level in target["parts"][0]["levels"][1:]:
            mean, truth = level["mean"], -level["share"] * PARTS[target["name"]]
            print(f"{target['name']} {level['share']:.0%}: {mean['change']:+.1%} {mean['ci95']}, truth {truth:+.1%}")
            assert mean["ci95"][0] <= truth <= mean["ci95"][1] or abs(mean["change"] - truth) < 0.04
    for target in targets[3:]:
        assert target["screening"]["rounds"] >= 1 and target["screening"]["blocks"] >= 3, target["screening"]
        assert not target["parts"][0]["levels"], "there is no curve of what is left out"
        assert f"  {target['name']} (" in text and "left out after" in text, text
    plan = told["plan"]
    print(f"planned {plan['planned_s']:.0f} s, took {plan['took_s']:.1f} s")
    assert abs(plan["took_s"] / plan["planned_s"] - 1) < 0.25, plan


if __name__ == "__main__":
    main()
