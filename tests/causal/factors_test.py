#!/usr/bin/env python3
"""From the source alone: `iterate` names a factor, and `causal --build --from` says what it would bring: as it is known.

usage: factors_test.py VPROFILER
"""
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import known_test  # noqa: E402

PROGRAM, FACTOR = "c16_tail", "f"
POINTS = 0.03


def main():
    with known_test.place() as (vprofiler, folder):
        tree = folder / "tree"
        tree.mkdir()
        for name in (f"{PROGRAM}.c", "work.h"):
            shutil.copy(known_test.HERE / name, tree)
        (tree / "build.sh").write_text(f"set -e\ngcc -O2 -g $VPROF_CFLAGS -c {PROGRAM}.c\n"
                                       f"gcc {PROGRAM}.o -o program -pthread -lm\n")
        (tree / "run.sh").write_text("exec ./program\n")
        built = ["--quiet", "--build", "build.sh", "--run", "run.sh", "--budget"]
        before = sorted(tree.iterdir())
        known_test.run([vprofiler, "iterate", "--auto", "--live", "--kernel", "auto", "--out", folder / "found", *built,
                        "6s"], tree)
        told = json.loads(known_test.run([vprofiler, "causal", "--json", "--from", folder / "found", "--out",
                                          folder / "out", *built, "30s"], tree))
        assert sorted(tree.iterdir()) == before, "something of the source tree was changed"
        assert not list(folder.glob("out/*/tree")), "the copy is left"
        assert not list(folder.glob("out/*/loop.json")), "`iterate --resume` would take it for a loop"
        found = (folder / "found/latest").resolve()
        factors = json.loads((found / "report.json").read_text())["factors"]
        mended = {factor["functions"][0]: factor["mended"] for factor in factors if "mended" in factor}
        told_of = {target["name"]: target["sentence"] for target in told["targets"]}
        assert mended.get(FACTOR) == told_of[FACTOR], (mended, told_of)
        assert mended[FACTOR][:20] in (found / "report.txt").read_text()
        assert "What mending a factor would bring" in (found / "report.html").read_text()
        targets = {target["name"]: target for target in told["targets"]}
        assert FACTOR in targets, list(targets)
        for level in targets[FACTOR]["parts"][0]["levels"][1:]:
            truth = known_test.KNOWN["tail"][1][FACTOR](level["share"], None)["mean"]
            found, ci95 = level["mean"]["change"], level["mean"]["ci95"]
            print(f"{level['share']:.0%}: {found:+.1%} ({ci95[0]:+.1%} .. {ci95[1]:+.1%}), truth {truth:+.1%}")
            assert ci95[0] <= truth <= ci95[1] or abs(found - truth) < POINTS


if __name__ == "__main__":
    main()
