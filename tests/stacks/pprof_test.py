#!/usr/bin/env python3
"""What is written for pprof, read by pprof itself.

usage: pprof_test.py VPROFILER

Exits 77 without go, whose pprof it is.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import left_out  # noqa: E402
import made  # noqa: E402
from made import MS  # noqa: E402

VPROFILER = sys.argv[1]
PROFILE = "profile.pb.gz"


def asked(folder, *words):
    """It keeps files of its own in the home folder."""
    return subprocess.run(["go", "tool", "pprof", *words, f"{folder}/{PROFILE}"], text=True, capture_output=True, check=True,
                          env={"PATH": "/usr/bin:/bin", "HOME": folder}).stdout


def samples(raw):
    """[(values, functions, labels)] of `pprof -raw`; the innermost function first."""
    names = {m[1]: m[2] for m in re.finditer(r"^ +(\d+): 0x0 M=\d+ (\S+) ", raw, re.M)}
    body = raw[raw.index("Samples:"):raw.index("Locations")].splitlines()[2:]
    found = []
    for line in body:
        of = re.match(r"^ +(\d+) +(\d+) +(\d+): ([\d ]+)$", line)
        if of:
            found.append(([int(of[i]) for i in (1, 2, 3)], [names[n] for n in of[4].split()], {}))
        else:
            found[-1][2].update(re.findall(r"(\w[\w ]*):\[(.*?)\]", line))
    return found


def test(folder):
    trace = made.trace(made.SAMPLES, [made.wait(10, 3, 8), made.wait(60, 4, 1)], [made.LEFT, made.RIGHT, made.FIRST, made.LAST])
    made.directory(trace, folder)
    subprocess.run([VPROFILER, "export", "--of", "stacks", "--format", "pprof", "--output", f"{folder}/{PROFILE}", folder],
                   check=True)
    raw = asked(folder, "-raw")
    assert "ran/nanoseconds[dflt] off/nanoseconds queue/nanoseconds" in raw, raw
    found = samples(raw)
    assert [sum(values[k] for values, *_ in found) for k in range(3)] == [329 * MS, 70 * MS, MS], raw
    assert ([96750000, 0, 0], ["shared", "right", "main"], {"threads": "one"}) in found, found
    assert ([0, 30 * MS, 0], ["futex_wait", "left", "main"], {"threads": "one", "waits for": "two of one"}) in found, found
    top = asked(folder, "-top", "-sample_index=off")
    assert re.search(r"70ms +100% +100% +70ms +100% +futex_wait", top), top
    tree = asked(folder, "-top", "-cum", "-focus=left")
    assert re.search(r"32.25ms .* shared", tree), tree


if not shutil.which("go"):
    left_out.skip("what is written for pprof, by pprof", apt=["golang-go"])
with tempfile.TemporaryDirectory() as folder_:
    test(folder_)
print("pprof reads contexts with their times, groups and reasons")
