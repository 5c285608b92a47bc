#!/usr/bin/env python3
"""Programs that count and time their own calls, under `vprofiler stacks --prove`.

usage: live_test.py VPROFILER SCENES [NAME]...
"""
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))
import left_out  # noqa: E402
import never_idle  # noqa: E402

VPROFILER, SCENES = sys.argv[1:3]
NAMES = sys.argv[3:]


def run(*words):
    done = subprocess.run([VPROFILER, "stacks", *words], text=True, capture_output=True, check=False)
    if "CAP_PERFMON" in done.stderr or (done.returncode == 3 and "doctor" in done.stderr):
        left_out.skip("functions that are measured call by call",
                      how="a machine where `vprofiler doctor` says that points of a program may be watched")
    return done


def proven(scene, *options, seconds=2, program=SCENES):
    """What was found, and what the second run of the program measured itself."""
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder) / "own.json"
        done = run("--json", "--out", folder + "/out", *options, "--", program, own, scene, str(seconds))
        assert done.returncode == 0 and "nothing was measured" not in done.stderr, done.stderr
        found = json.loads(done.stdout)
        again = subprocess.run([VPROFILER, "stacks", folder + "/out"], text=True, capture_output=True, check=True)
        return found, json.loads(own.read_text()), " ".join((again.stdout + done.stderr).split())


def one(found, name):
    return next(f for f in found["proof"]["functions"] if f["function"] == name)


def expect_lengths(function, own):
    """Counts are exact; lengths lie between what calls were to take at least and what the program measured around them."""
    calls = own["calls"]
    print(f"{function['function']}: {function['calls']} calls, mean {function['mean_ns'] / 1e6:.4f} ms; it says {calls}, "
          f"{own['asked_ns'] / calls / 1e6:.4f} to {own['sum_ns'] / calls / 1e6:.4f} ms")
    assert function["calls"] == function["returned"] == calls, (function, own)
    assert function["left"] == function["open"] == function["begun_before"] == 0 and function["mode"] == "whole", function
    assert own["asked_ns"] / calls <= function["mean_ns"] <= own["sum_ns"] / calls, (function, own)
    assert own["asked_p50_ns"] <= function["p50_ns"] <= own["p50_ns"], (function, own)
    assert own["asked_most_ns"] <= function["max_ns"] <= own["most_ns"], (function, own)
    assert function["min_ns"] <= function["p50_ns"] <= function["p95_ns"] <= function["p99_ns"] <= function["max_ns"]


def expect_agreement(function):
    """Two recordings of one program are alike where others leave it the processors."""
    busy = function["queue_ns"] > 0.2 * (function["ran_ns"] + function["queue_ns"])
    print(f"measured {function['part']:.3f}, by stacks {function['by_stacks']:.3f}{', on a busy machine' if busy else ''}")
    assert busy or function["verdict"] == "agrees", function


def test_exponential():
    """Of 1 ms in the mean at a clock of 1 ms; what no stack can tell. Stacks said the same of its time."""
    found, own, text = proven("exponential", "--prove", "1", "--rate", "1000", seconds=4)
    assert all("mean" not in key for f in found["functions"] for key in f)
    serve = one(found, "serve")
    expect_lengths(serve, own)
    asked = own["asked_ns"] / own["calls"] / 1e6
    assert abs(asked - 1) < 4 / math.sqrt(own["calls"]) and abs(own["asked_p50_ns"] / 1e6 - math.log(2)) < 0.1, own
    assert serve["object"] == pathlib.Path(SCENES).name and serve["frame"] is not None
    expect_agreement(serve)
    assert "MEASURED CALL BY CALL" in text and "a second run" in text, text


def test_requests():
    """What each request had of it; half of them called it twice."""
    found, own, _ = proven("requests", "--prove", "parse", "--interval", "handle")
    parse = one(found, "parse")
    requests = parse["requests"]
    assert abs(requests["count"] - own["calls"]) <= 1, (parse, own)
    assert abs(requests["calls"] - 1.5) < 0.01 and abs(parse["calls"] - 1.5 * own["calls"]) <= 1, (parse, own)
    assert 0.7e6 < requests["time_ns"] and requests["share"] > 0, requests
    assert parse["off_ns"] < 0.2 * (parse["ran_ns"] + parse["queue_ns"]), parse


def test_recursion():
    found, own, _ = proven("recursion", "--prove", "walk")
    walk = one(found, "walk")
    assert walk["calls"] == walk["returned"] == own["calls"] and walk["deepest"] == 6, (walk, own)
    total = walk["ran_ns"] + walk["off_ns"] + walk["queue_ns"]
    assert own["asked_ns"] <= total <= own["sum_ns"], (walk, own)


def test_tails():
    """It ends where what it goes on in returns, which others call as well."""
    found, own, _ = proven("tails", "--prove", "first")
    expect_lengths(one(found, "first"), own)


def test_threads():
    found, own, _ = proven("threads", "--prove", "work")
    work = one(found, "work")
    expect_lengths(work, own)
    assert work["threads"] == 8 and work["off_ns"] > 9.9e6 * work["calls"], work
    assert work["part"] > 1, work


def test_often():
    """Some 5,000 calls a second would take 6 %: lengths are of the first of them, counts are of all."""
    found, own, text = proven("often", "--prove", "often")
    often = one(found, "often")
    assert often["calls"] == own["calls"], (often, own)
    assert 100000 <= often["min_ns"] and often["returned"] > 1000, often
    if own["calls"] < 6000:
        print(f"only {own['calls']} calls on a busy machine")
        return
    assert often["mode"] == "begin" and often["measured_ns"] < 0.9 * often["counted_ns"], often
    assert often["returned"] < own["calls"] and "more than 2 % of a processor" in text, (often, text)


def test_hot():
    """What is called too often is left alone at once, and the program goes on at its own pace."""
    _, fast, _ = proven_of_nothing("hot")
    found, own, text = proven("hot", "--prove", "tiny")
    tiny = one(found, "tiny")
    assert tiny["mode"] == "stopped" and tiny["counted_ns"] < 0.5 * found["proof"]["wall_ns"], tiny
    assert "left alone" in text, text
    alone, beside = (o["calls"] / o["cpu_ns"] * 1e3 for o in (fast, own))
    print(f"hot: {alone:.0f} million calls a second of a processor, {beside:.0f} beside it")
    assert beside > 0.5 * alone, (fast, own)


def proven_of_nothing(scene, seconds=2):
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder) / "own.json"
        subprocess.run([SCENES, own, scene, str(seconds)], check=True)
        return None, json.loads(own.read_text()), ""


def test_inlined():
    """There is nothing to be watched: said before anything runs."""
    done = run("--prove", "small", "--", SCENES, "/dev/null", "inlined", "0.2")
    assert done.returncode == 2 and "has no function small" in done.stderr and "inlined" in done.stderr, done.stderr


def test_stripped():
    """By the table for unwinding, whose functions have no names; and what is in it without being one is left alone."""
    if not shutil.which("strip"):
        left_out.say("stripped programs", apt=["binutils"])
        return
    with tempfile.TemporaryDirectory() as folder:
        bare = pathlib.Path(folder) / "bare"
        subprocess.run(["strip", "-o", bare, SCENES], check=True)
        found, own, _ = proven("exponential", "--prove", "1", program=bare)
        (function,) = found["proof"]["functions"]
        assert function["function"].startswith("[bare+0x") and function["object"] == "bare", function
        expect_lengths(function, own)
        assert function["frame"] is not None
        expect_agreement(function)
        _, own, text = proven("tails", "--prove", "5", program=bare, seconds=1)
        assert own["calls"] and "ended with signal" not in text, text


def test_process():
    """A process that runs already: first stacks, then calls, in halves of the time; some calls had begun before."""
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder) / "own.json"
        with subprocess.Popen([SCENES, own, "exponential", "8"]) as program:
            time.sleep(0.3)
            done = run("--json", "--out", folder + "/out", "--prove", "serve", "--pid", str(program.pid), "--for", "4s")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        serve = one(found, "serve")
        own = json.loads(own.read_text())
        assert 1.2e9 < serve["measured_ns"] < 3e9 and 1.2e9 < found["wall_ns"] < 3e9, (serve, found["wall_ns"])
        assert serve["calls"] == serve["returned"] + serve["open"] and serve["begun_before"] <= 1, serve
        rate = serve["calls"] / serve["counted_ns"], own["calls"] / own["wall_ns"]
        assert 0.5 * rate[1] < rate[0] < 2 * rate[1], rate
        expect_agreement(serve)


for name, test in list(globals().items()):
    if name.startswith("test_") and (not NAMES or name[5:] in NAMES):
        print(f"-- {name[5:]}", flush=True)
        test()
