#!/usr/bin/env python3
"""`vprofiler stacks` as an ordinary user: in which calls his own threads ran is known, and one line says what is not.

usage: own_test.py VPROFILER
"""
import json
import math
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import less_rights  # noqa: E402
import left_out  # noqa: E402
import watched  # noqa: E402
from tree import Tree  # noqa: E402

BUILT = watched.Place(sys.argv[1])
PLACE = less_rights.Place(sys.argv[1], BUILT.build("programs"))
VPROFILER, PROGRAMS = PLACE.programs


def checked(done):
    if watched.OWN not in done.stderr:
        left_out.skip("a user who may record his own threads, and no more",
                      how="run the tests as root where kernel.perf_event_paranoid is 2 or less")
    assert done.returncode == 0, done.stderr
    assert "which calls" in done.stderr and ("setcap" in done.stderr or "--cap-add" in done.stderr), done.stderr
    tree = Tree(json.loads(done.stdout))
    tree.check(whole=False)
    return tree


def of(*words):
    """What the program prints goes to a file of his."""
    script = ["sh", "-c", 'exec "$@" >"$0"', PLACE.folder / "printed", PROGRAMS, *words]
    tree = checked(PLACE.run([VPROFILER, "stacks", "--json", "--kernel", "on", "--", *script]))
    own = re.findall(r"(first|second) (\d+)", (PLACE.folder / "printed").read_text())
    return tree, {name: float(ms) for name, ms in own}


def ran(tree, name):
    return tree.under(name)[0] / 1e6


def test_plain():
    """Shares are right, and all stacks reach main."""
    tree, own = of("plain", "3")
    part = ran(tree, "first_work") / (ran(tree, "first_work") + ran(tree, "second_work"))
    truth, samples = own["first"] / (own["first"] + own["second"]), tree.found["samples"]
    error = 3 * math.sqrt(truth * (1 - truth) / samples) + 0.02
    print(f"  first_work {part:.3f}, and it is {truth:.3f}; {samples} samples tell it to {error:.3f}")
    assert samples > 50 and abs(part - truth) < error, (part, truth)
    assert tree.found["cut"] <= 0.02 * samples, tree.found["cut"]
    assert tree.find("main", "turns", "first_work"), [f["function"] for f in tree.found["frames"]]
    total = ran(tree, "first_work") + ran(tree, "second_work")
    assert 0.7 * (own["first"] + own["second"]) < total < 1.1 * (own["first"] + own["second"]) + 10, (total, own)
    codes = {w["code"] for w in tree.found["warnings"]}
    assert "stacks-missing" in codes, codes


def test_kernel():
    """What is not seen of the kernel is told as that, and not put down to what is seen."""
    tree, own = of("system", "2")
    kernel = sum(tree.nodes[n]["own"]["ran_ns"] for n in tree.find("[in the kernel]")) / 1e6
    print(f"  [in the kernel] {kernel:.0f} ms of {own['second']:.0f}; first_work {ran(tree, 'first_work'):.0f} of {own['first']:.0f}")
    assert 0.8 * own["second"] < kernel < 1.1 * own["second"] + 0.3 * own["first"] + 20, (kernel, own)
    assert 0.7 * own["first"] < ran(tree, "first_work") < 1.1 * own["first"] + 10, (ran(tree, "first_work"), own)


def test_children():
    """Threads and children inherit the clock."""
    tree, own = of("forks", "20", "30")
    assert 0.7 * own["first"] < ran(tree, "child_work") < 1.3 * own["first"], (ran(tree, "child_work"), own)
    tree, own = of("many", "20", "30")
    assert 0.7 * own["first"] < ran(tree, "thread_work") < 1.4 * own["first"], (ran(tree, "thread_work"), own)


def test_attached():
    """A process of his that runs already."""
    with subprocess.Popen([*PLACE.user, PROGRAMS, "plain", "5"], stdout=subprocess.DEVNULL) as process:
        tree = checked(PLACE.run([VPROFILER, "stacks", "--json", "--kernel", "on", "--pid", process.pid, "--for", "2s"]))
        process.terminate()
    first, second = ran(tree, "first_work"), ran(tree, "second_work")
    assert tree.found["samples"] > 20 and 0.5 < first / (first + second) < 0.95, (first, second)


def test_text():
    done = PLACE.run([VPROFILER, "stacks", "--", PROGRAMS, "plain", "1"])
    assert done.returncode == 0 and done.stdout.count("stacks-missing") == 1, (done.stdout, done.stderr)
    assert "first_work" in done.stdout, done.stdout
    print(done.stderr, done.stdout, sep="\n")


def test_nothing():
    """Where perf events are refused there is one line, and its cure."""
    done = PLACE.run(less_rights.contained([VPROFILER, "stacks", "--", PROGRAMS, "plain", "0.2"]))
    assert done.returncode == 3 and not done.stdout, (done.returncode, done.stdout)
    assert "--cap-add PERFMON" in done.stderr and "doctor" in done.stderr, done.stderr


if __name__ == "__main__":
    watched.run_all({k: v for k, v in globals().items() if len(sys.argv) < 3 or k in sys.argv[2:]})
    print("an ordinary user has the stacks of what his threads run")
