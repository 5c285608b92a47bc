#!/usr/bin/env python3
"""Versions of one program, recorded and compared: a delay that one of them has, a function that was split and one that was
inlined, the same one twice; and how known work grows.

usage: compare_live_test.py VPROFILER VERSION DELAYED SPLIT
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import left_out  # noqa: E402
import never_idle  # noqa: E402

VPROFILER, VERSION, DELAYED, SPLIT = sys.argv[1:5]
MS = 1000000
REQUESTS, SIZES = 150, (1000, 3000, 9000)


def record(out, program, *words, options=("--interval", "handle_request")):
    done = subprocess.run([VPROFILER, "stacks", "--kernel", "on", "--rate", "2000", *options, "--out", out, "--", program, *map(str, words)],
                          text=True, capture_output=True, check=False)
    if "who woke whom" not in done.stderr or done.returncode == 3 or "uprobe" in done.stderr:
        left_out.skip("what the kernel tells of a run, and calls of a function",
                      how="a machine where `vprofiler doctor` says that all of it can be recorded")
    assert done.returncode == 0, done.stderr


def told(*words, codes=(0,)):
    done = subprocess.run([VPROFILER, *map(str, words), "--json"], text=True, capture_output=True, check=False)
    assert done.returncode in codes, (words, done.returncode, done.stderr)
    return json.loads(done.stdout)


def sure(found):
    return [found["nodes"][n] for n in found["order"] if found["nodes"][n]["own"]["surely"]]


def path_of(found, n):
    names = []
    while n is not None:
        names.append(found["nodes"][n]["function"])
        n = found["nodes"][n]["parent"]
    return names[::-1]


def test_injected(home):
    """s5: the first place is the delay, and the sentence has its callers and how much it is."""
    found = told("compare", home / "first", home / "delayed", "--mended", "deflate_filter", codes=(0, 1))
    path, place = path_of(found, found["place"]), found["nodes"][found["place"]]
    assert found["unit"] == "request" and "deflate_filter" in path and "usleep" in path, found["headline"]
    assert 4.9 * MS < place["below"]["change_ns"] < 6.5 * MS, place
    assert found["mended"]["p_min"] and found["mended"]["p_min"] <= 5, found["mended"]
    print(f"{found['headline']}\np_min {found['mended']['p_min']}, f_min {found['mended']['f_min']}")


def test_nothing(home):
    """s6: the same program twice, three runs each."""
    found = told("compare", home / "first", home / "again", codes=(0, 1))
    named = [n["function"] for n in sure(found) if n["layer"] != "none"]
    print(f"the same program: {named or 'nothing'} told apart")
    assert not named, found["headline"]


def test_versions(home):
    """s7: what was split and what was inlined is no change."""
    found = told("compare", home / "first", home / "split", codes=(0, 1))
    wrong = [n["function"] for n in sure(found) if n["layer"] == "program"]
    assert not wrong, (wrong, found["headline"])
    assert all(node["presence"] == "both" for node in found["nodes"] if node["function"] in ("process", "emit", "deflate_filter"))


def test_growth(home):
    """s11: exponents of n, n log n and n^2 within 0.1."""
    words = []
    for size in SIZES:
        record(home / str(size), VERSION, "grow", size, options=())
        words += ["--growth", f"{size}={home / str(size)}"]
    found = told("stacks", "--layer", "program", *words)
    first, last = SIZES[0], SIZES[-1]
    truth = {"linear": 1, "square": 2, "sorted": 1 + math.log(math.log2(last) / math.log2(first)) / math.log(last / first)}
    exponents = {c["path"][-2]: c["own"]["exponent"] for c in found["contexts"] if c["path"][-1] == "compute"}
    print({name: round(exponents[name], 3) for name in truth})
    for name, b in truth.items():
        assert abs(exponents[name] - b) < 0.1, (name, exponents[name], b)
    assert found["contexts"][0]["path"][-2:] == ["square", "compute"], found["headline"]


def main():
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        for _ in range(3):
            for name, program in (("first", VERSION), ("delayed", DELAYED), ("split", SPLIT), ("again", VERSION)):
                record(home / name, program, "serve", REQUESTS)
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test(home)
    print("what was changed in a program is told, and nothing else")


main()
