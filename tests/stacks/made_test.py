#!/usr/bin/env python3
"""Contexts with their times in made traces, to the ns; layers, cut stacks, and the faces.

usage: made_test.py VPROFILER
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
from made import AT, FIRST, LAST, LEFT, MS, RIGHT, SAMPLES, directory, sample, stack, wait  # noqa: E402
from made import trace as made  # noqa: E402
from tree import Tree  # noqa: E402

VPROFILER = sys.argv[1]


def told(trace, *options):
    with tempfile.TemporaryDirectory() as folder:
        directory(trace, folder)
        done = subprocess.run([VPROFILER, "stacks", "--json", *options, folder], text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        shown = subprocess.run([VPROFILER, "stacks", *options, folder], text=True, capture_output=True, check=True).stdout
    tree = Tree(json.loads(done.stdout))
    tree.check()
    return tree, shown


def times(tree, *names):
    total = tree.one(*names)["total"]
    return total["ran_ns"], total["off_ns"]


def test_contexts():
    """One of four samples is in the left context. The first wait stands for 8, of 20 ms that were not recorded it has
    all; the third one stands for itself."""
    tree, shown = told(made(SAMPLES, [wait(10, 3, 8), wait(60, 4, 1)], [LEFT, RIGHT, FIRST, LAST]))
    (thread, _) = sorted(tree.found["threads"], key=lambda t: t["tid"])
    assert [thread[k] for k in ("wall_ns", "ran_ns", "off_ns", "queue_ns")] == [200 * MS, 129 * MS, 70 * MS, MS], thread
    assert times(tree, "left", "shared") == (32250000, 0) and times(tree, "right", "shared") == (96750000, 0)
    assert times(tree, "left", "futex_wait") == (0, 30 * MS) and times(tree, "right", "futex_wait") == (0, 40 * MS)
    assert times(tree, "one", "main") == (129 * MS, 70 * MS)
    assert tree.found["stood_for_ns"] == 20 * MS and tree.found["offs"] == 3 and tree.found["offs_with_stack"] == 2
    # Of what ran one boundary that was met by chance, gap^2 / 2, of four gaps: less than sqrt(p (1 - p) / n). The rest of
    # the waiting by sum n (n - 1) d^2, never less than 1 / (2 n + 2).
    sd = tree.one("left", "shared")["own_sd"]["ran_ns"]
    assert math.isclose(sd, 129 * MS * math.sqrt(0.5 / 4**2)), sd
    few = 1 / 6
    off = tree.one("left", "futex_wait")["own_sd"]["off_ns"]
    assert math.isclose(off, 20 / 70 * math.sqrt(few * (1 - few) * 8 * 7) * 10 * MS), off
    (reason,) = tree.one("left", "futex_wait")["reasons"]
    why = tree.found["reasons"][reason["reason"]]
    assert why["cause"] == "thread" and tree.found["groups"][why["group"]]["name"] == "two", why
    (function,) = [f for f in tree.found["functions"] if tree.found["frames"][f["frame"]]["function"] == "shared"]
    assert (function["contexts"], function["own_ran_ns"], function["samples"]) == (2, 129 * MS, 4), function
    assert math.isclose(tree.found["never_seen_below"], 3 / 4)
    assert "few-samples" in shown and "[wants a processor]" in shown, shown


def test_without_stacks():
    """Nothing is put down to contexts that none of it was seen in."""
    tree, _ = told(made(SAMPLES, [], [LEFT, RIGHT]))
    assert tree.one("one", "[stack not recorded]")["total"]["off_ns"] == 70 * MS
    assert tree.one("two", "[not seen]")["total"]["ran_ns"] == 200 * MS
    tree, _ = told(made([], [wait(10, 3, 1)], [FIRST]))
    assert tree.one("one", "[not seen]")["total"]["ran_ns"] == 129 * MS
    # 10 ms were seen; so much again may be like it, and no more
    assert times(tree, "left", "futex_wait") == (0, 20 * MS)
    assert tree.one("one", "[stack not recorded]")["total"]["off_ns"] == 50 * MS


def test_cut():
    """From the innermost call on, and apart from whole ones."""
    cut = stack(2, "left", "shared", cut=1)
    tree, _ = told(made(SAMPLES, [], [LEFT, cut]))
    assert times(tree, "one", "[cut]", "shared", "left") == (96750000, 0)
    assert tree.one("one", "[cut]", "shared")["own"]["ran_ns"] == 96750000
    assert times(tree, "one", "main", "left", "shared") == (32250000, 0) and tree.found["cut"] == 3
    assert "stacks-cut" in {w["code"] for w in tree.found["warnings"]}


def test_lost():
    """Shares are those of what was seen, and it is said how much was not."""
    small = made(SAMPLES[:3] + [sample(150, 0)], [], [LEFT, RIGHT])
    small["files"][1]["unwound"] = [[4, 9, 5000, 1], []]
    tree, shown = told(small)
    assert times(tree, "left", "shared") == (32250000, 0) and times(tree, "right", "shared") == (64500000, 0)
    assert tree.one("one", "[stack not recorded]")["total"]["ran_ns"] == 32250000
    assert {"stacks-lost", "too-many-stacks"} <= {w["code"] for w in tree.found["warnings"]}, tree.found["warnings"]
    assert "9 stacks found no room in the recorder's rings, 4 were taken" in " ".join(shown.split()), shown


def test_recursion():
    """One node, that says how deep."""
    deep = stack(1, "main", *["walk"] * 5, "leaf")
    mutual = stack(2, "main", *["left", "right"] * 3, "leaf")
    tree, shown = told(made(SAMPLES, [], [deep, mutual]))
    assert tree.one("main", "walk")["deepest"] == 5 and times(tree, "main", "walk", "leaf") == (32250000, 0)
    assert tree.one("main", "left", "right", "leaf")["total"]["ran_ns"] == 96750000
    assert tree.one("left", "right")["deepest"] == 3
    assert "walk x5" in shown or "walk ×5" in shown, shown


def test_beginning():
    """The C library begins a thread where it is outermost; what it does for the program stays, named or not."""
    def seen(*addresses):
        trace = made([sample(5, 1)], [], [[1, 1, 0, list(addresses)]])
        trace["files"][1]["maps_of"]["1"] = ["00401000-00402000 r-xp 00000000 08:01 7 /nowhere/server",
                                             "7f0000001000-7f0000002000 r-xp 00000000 08:01 8 /nowhere/libc.so.6"]
        tree, _ = told(trace)
        (path,) = [tree.path(n) for n in range(1, len(tree.nodes)) if tree.nodes[n]["own"]["ran_ns"] == 129 * MS]
        return path[1:]
    assert seen("0x401010", "0x7f0000001010", "0x401020") == ["[server]", "[libc.so.6]", "[server]"]
    assert seen("0x401010", "0x401020", "0x7f0000001010", "0x7f0000001020") == ["[server]"]


def test_own():
    """Samples of a user without rights are of what runs outside of the kernel: each stands for itself."""
    trace = made(SAMPLES, [], [LEFT, RIGHT])
    trace["files"][0]["watched"] = 2
    tree, shown = told(trace)
    assert times(tree, "left", "shared") == (10 * MS, 0) and times(tree, "right", "shared") == (30 * MS, 0)
    assert times(tree, "one", "[in the kernel]") == (89 * MS, 0) and times(tree, "two", "[in the kernel]") == (200 * MS, 0)
    assert "outside of the kernel" in shown, shown


def test_generated():
    """What a JIT wrote down has its name; what it did not is told as generated, and a warning says how it gets one."""
    def seen(names):
        code = [1, 1, 0, ["0x7f0000001010", "0x7e0000000010", "0x401010"]]
        trace = made([sample(5, 1)], [], [code])
        trace["files"][1]["maps_of"]["1"].append("7e0000000000-7e0000001000 r-xp 00000000 00:00 0 ")
        trace["files"][1]["generated_of"] = names
        return told(trace)
    tree, _ = seen({"1": ["7e0000000010 JS:*work /srv/app.js:3"]})
    assert times(tree, "[server]", "JS:*work /srv/app.js:3", "[libhelp.so.1]")[0] == 129 * MS
    (frame,) = [f for f in tree.found["frames"] if f["function"].startswith("JS:")]
    assert frame["layer"] == "program", frame
    tree, _ = seen({"2": ["7e0000000010 another process's"]})
    assert times(tree, "[server]", "[generated code]", "[libhelp.so.1]")[0] == 129 * MS
    trace = made([sample(5, 1)], [], [[1, 1, 0, ["0x7e0000000010", "0x401010"]]])
    trace["files"][1]["maps_of"]["1"].append("7e0000000000-7e0000001000 r-xp 00000000 00:00 0 ")
    tree, shown = told(trace)
    assert "generated-code" in {w["code"] for w in tree.found["warnings"]} and "--perf-basic-prof" in shown, shown


def test_interpreter():
    code = [1, 1, 0, ["0x401010"]]
    trace = made([sample(5, 1)], [], [code])
    trace["files"][1]["maps_of"]["1"] = ["00401000-00402000 r-xp 00000000 08:01 7 /nowhere/python3.11"]
    tree, shown = told(trace)
    assert "interpreter" in {w["code"] for w in tree.found["warnings"]} and "python3.11 is an interpreter" in shown, shown


def test_replaced():
    """A file of which it is known that it is not the one that ran has no names."""
    trace = made([sample(5, 1)], [], [[1, 1, 0, ["0x401010"]]])
    trace["files"][1]["maps_of"]["1"] = ["00401000-00402000 r-xp 00000000 08:01 7 /bin/sh"]
    trace["files"][1]["files"] = ["7 11 12.000000000 - - /bin/sh"]
    tree, _ = told(trace)
    assert tree.find("[sh: replaced since]"), [f["function"] for f in tree.found["frames"]]


def test_layers():
    """Another layer's time is that of who called it."""
    program = [1, 1, 1, [hex(AT["leaf"]), "0x7f0000001010", "0x401010"]]
    trace = made([sample(5, 1)], [], [program])
    whole, _ = told(trace)
    assert times(whole, "[server]", "[libhelp.so.1]", "leaf") == (129 * MS, 0)
    assert whole.found["by_layer"]["kernel"]["ran_ns"] == 129 * MS
    assert whole.found["layers"] == ["kernel", "library", "program"]
    own, _ = told(trace, "--layer", "program")
    assert own.one("one", "[server]")["own"]["ran_ns"] == 129 * MS and own.found["layers"] == ["program"]
    two, _ = told(trace, "--layer", "program", "--layer", "kernel")
    assert times(two, "[server]", "leaf") == (129 * MS, 0)
    kernel, _ = told(made([sample(5, 1)], [], [[1, 1, 0, ["0x401010"]]]), "--layer", "kernel")
    assert kernel.one("one", "[other layers]")["total"]["ran_ns"] == 129 * MS


def test_nothing():
    trace = made([], [], [])
    del trace["files"][1]
    with tempfile.TemporaryDirectory() as folder:
        directory(trace, folder)
        done = subprocess.run([VPROFILER, "stacks", folder], text=True, capture_output=True, check=False)
    assert done.returncode == 3 and "No stacks were recorded" in done.stderr, done


def exported(folder, trace_format, *more):
    return subprocess.run([VPROFILER, "export", "--of", "stacks", "--format", trace_format, folder, *more], text=True,
                          capture_output=True, check=True).stdout


def test_exports():
    """What they weigh is the time of all threads."""
    trace = made(SAMPLES, [wait(10, 3, 8), wait(60, 4, 1)], [LEFT, RIGHT, FIRST, LAST])
    with tempfile.TemporaryDirectory() as folder:
        directory(trace, folder)
        folded = exported(folder, "folded")
        scope = json.loads(exported(folder, "speedscope"))
        exported(folder, "csv", "--output", folder + "/csv")
        csv = (pathlib.Path(folder) / "csv" / "stack_contexts.csv").read_text().splitlines()
    weights = {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in folded.splitlines()}
    assert sum(weights.values()) == 400 * MS, weights
    assert weights["one;main_[k];left_[k];futex_wait_[k];[waits for two of one]"] == 30 * MS, weights
    assert weights["one;main_[k];right_[k];shared_[k]"] == 96750000, weights
    assert sum(p["endValue"] for p in scope["profiles"]) == 400 * MS
    for profile in scope["profiles"]:
        assert sum(profile["weights"]) == profile["endValue"]
        assert all(f < len(scope["shared"]["frames"]) for stack_ in profile["samples"] for f in stack_)
    own = [csv[0].split(",").index(f"own_{kind}_ns") for kind in ("ran", "off", "queue", "missing")]
    assert sum(int(line.split(",")[i]) for line in csv[1:] for i in own) == 400 * MS, csv


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
print("contexts, cut and folded ones, layers and exports have their times")
