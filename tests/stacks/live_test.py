#!/usr/bin/env python3
"""Programs that know in which calls they run and wait, under `vprofiler stacks`.

usage: live_test.py VPROFILER SCENES [SECONDS]
"""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import left_out  # noqa: E402
import never_idle  # noqa: E402
from tree import Tree  # noqa: E402

VPROFILER, SCENES = sys.argv[1:3]
SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 4


def seen(scene, *words, seconds=SECONDS, program=SCENES):
    """What was found, and what the program measured itself."""
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder) / "own.json"
        done = subprocess.run([VPROFILER, "stacks", "--json", "--kernel", "on", "--out", folder + "/out", "--", program, own,
                               scene, str(seconds), *words], text=True, capture_output=True, check=False)
        if "who woke whom" not in done.stderr or done.returncode == 3:
            left_out.skip("what the kernel tells of a run",
                          how="a machine where `vprofiler doctor` says that all of it can be recorded")
        assert done.returncode == 0, done.stderr
        tree = Tree(json.loads(done.stdout))
        lost = any(w["code"] == "lost-kernel-records" for w in tree.found["warnings"])
        tree.check(whole=not lost)
        return tree, json.loads(own.read_text())


def expect_part(what, part, truth, samples, more=0.01):
    """Within 3 standard errors; what a program measures of itself has calls beside."""
    error = 3 * math.sqrt(truth * (1 - truth) / samples) + more
    print(f"{what}: {part:.3f}, and it is {truth:.3f}; {samples} samples tell it to {error:.3f}")
    assert abs(part - truth) <= error, (what, part, truth, error)


def group_of(tree, name):
    """The node of the group."""
    return next(tree.nodes[n] for n in tree.below[0] if tree.name(n) == name)


def test_alternate():
    tree, own = seen("alternate")
    (short, _, few), (long, _, many) = tree.under("G"), tree.under("H")
    expect_part("G of G and H", short / (short + long), own["first_ns"] / (own["first_ns"] + own["second_ns"]), few + many)


def test_off():
    """What it slept is told by switches: exactly, but for what it takes to be woken."""
    tree, own = seen("off")
    ran, off, samples = tree.under("f")
    rounds = round(own["first_ns"] / 5e6)
    assert rounds * 5e6 <= off <= min(own["slept_ns"], rounds * 5.4e6), (off, rounds, own)
    expect_part("f off of f", off / (off + ran), rounds * 5e6 / (rounds * 5e6 + own["first_ns"]), samples, 0.02)
    reasons = [tree.found["reasons"][r["reason"]]["cause"] for n in tree.find("f") for r in tree.nodes[n]["reasons"]]
    assert reasons[0] == "timer", reasons
    assert " f" in tree.found["headline"] or "(below f" in tree.found["headline"], tree.found["headline"]


def test_contexts():
    tree, own = seen("contexts")
    (left, _, few), (right, _, many) = tree.under("left", "shared"), tree.under("right", "shared")
    assert len(tree.find("left", "shared")) == len(tree.find("right", "shared")) == 1
    expect_part("shared below left", left / (left + right), own["first_ns"] / (own["first_ns"] + own["second_ns"]), few + many)


def test_deep():
    """Short recursion is whole; of a deep one, what is cut is said to be."""
    tree, _ = seen("deep", "40", seconds=2)
    assert tree.found["cut"] <= 0.02 * tree.found["samples"], tree.found["cut"]
    node = tree.one("main", "deep", "descend") if tree.find("main", "deep", "descend") else tree.one("main", "descend")
    assert 20 <= node["deepest"] <= 40, node
    tree, _ = seen("deep", "300", seconds=2)
    whole = [n for n in tree.find("descend") if "[cut]" not in tree.path(n)]
    cut = [n for n in range(1, len(tree.nodes)) if "[cut]" in tree.path(n)]
    assert whole and all(tree.nodes[n]["deepest"] <= 300 for n in whole)
    assert bool(cut) == bool(tree.found["cut"]), tree.found["cut"]


def test_sorted():
    """Through a library that has no frame pointers."""
    tree, _ = seen("sorted", seconds=2)
    ran, _, samples = tree.under("compare")
    all_ran = group_of(tree, "stacks_scenes")["total"]["ran_ns"]
    assert ran > 0.9 * all_ran and samples > 20, (ran, all_ran, samples)
    assert tree.found["cut"] <= 0.01 * tree.found["samples"] + 1, tree.found["cut"]
    whole = [tree.path(n) for n in tree.find("compare") if "[cut]" not in tree.path(n)]
    assert whole and all(path[1] == "main" and "qsort" in " ".join(path) for path in whole), whole


def test_stripped():
    """No name is left: a function is told by where it begins, though a library with names calls it back."""
    listed = subprocess.run(["nm", SCENES], text=True, capture_output=True, check=True).stdout
    starts = {name: int(start, 16) for start, name in re.findall(r"^(\w+) t (\w+)$", listed, re.MULTILINE)}
    inner, outer = (f"[bare+{starts[name]:#x}]" for name in ("compute", "compare"))
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder) / "bare"
        subprocess.run(["strip", "-o", stripped, SCENES], check=True)
        tree, _ = seen("sorted", seconds=2, program=stripped)
    assert f" is {inner} (below {outer}" in tree.found["headline"], (tree.found["headline"], inner, outer)
    assert tree.under(outer, inner)[0] > 0.9 * group_of(tree, "bare")["total"]["ran_ns"]


def test_shell():
    """Who waits for what it started is not the answer."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "starts"
        script.write_text(f"#!/bin/sh\n'{SCENES}' \"$@\"\ntrue\n")
        script.chmod(0o755)
        tree, _ = seen("alternate", seconds=2, program=script)
    assert " of stacks_scenes is compute (" in tree.found["headline"], tree.found["headline"]
    assert tree.under("wait4")[1] > 1.8e9 or tree.under("__wait4")[1] > 1.8e9


def test_preempted():
    """What a neighbour has of the processor is nobody's time but the queue's."""
    tree, own = seen("preempted", seconds=2)
    thread = next(t for t in tree.found["threads"] if t["name"] == "stacks_scenes" and t["ran_ns"] > 0.2 * own["cpu_ns"]
                  and tree.found["groups"][t["group"]]["main"])
    assert abs(thread["ran_ns"] - own["cpu_ns"]) < 0.03 * own["cpu_ns"] + 5e6, (thread, own)
    assert thread["queue_ns"] > 0.25 * own["wall_ns"], (thread, own)
    ran, off, _ = tree.under("compute")
    assert ran < 1.05 * own["cpu_ns"] and off < 0.02 * own["wall_ns"], (ran, off, own)


def test_threads():
    """Those of one name are a group."""
    tree, _ = seen("threads", seconds=2)
    groups = [g for g in tree.found["groups"] if g["of_run"] and g["threads"] == 8 and "worker" in g["name"]]
    names = {g["name"] for g in tree.found["groups"] if g["of_run"]}
    assert groups or {f"worker-{i}" for i in range(8)} <= names, names
    assert tree.under("work")[1] > 0


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
print("contexts of programs that know them are found")
