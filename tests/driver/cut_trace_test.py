#!/usr/bin/env python3
"""A trace that lost something after its run is told, wherever it was cut; two runs together are each as alone.

usage: cut_trace_test.py VPROFILER
"""
import collections
import csv
import json
import os
import random
import shutil
import struct
import subprocess
import sys

from checks import run_checks
from target import SERVER, Target

VPROFILER = os.path.abspath(sys.argv[1])
PAGE, SEAL_AT, SEALED_BYTES_AT, FILLED_AT = 4096, 480, 512, 552


def recorded(files=None):
    target = Target(VPROFILER, files)
    got = target.iterate("--auto", "--max-rounds", "1")
    assert got.returncode == 0, got.stderr
    return target


def trace_of(target):
    return next((target.home / "out/001/rounds").glob("*/trace/[0-9]*.vtr"))


def told(target):
    """Whether vprofiler says of the result that its trace is not whole."""
    got = subprocess.run([VPROFILER, "report", "--format", "json", str(target.home / "out")],
                         text=True, capture_output=True, timeout=60)
    if got.returncode != 0:
        assert "Traceback" not in got.stderr and got.returncode in (2, 3), (got.returncode, got.stderr)
        return "cut" in got.stderr or "damaged" in got.stderr, got.stderr
    damage = [warning["message"] for warning in json.loads(got.stdout)["warnings"] if warning["code"] == "damaged-trace"]
    return bool(damage), " ".join(damage)


def check_whole():
    with recorded() as target:
        whole = trace_of(target).read_bytes()
        assert struct.unpack_from("<Q", whole, SEALED_BYTES_AT)[0] == len(whole), "it is not sealed"
        assert not told(target)[0], "a whole trace is told to be damaged"


def check_cuts():
    with recorded() as target:
        trace = trace_of(target)
        whole = trace.read_bytes()
        for size in range(PAGE, len(whole), PAGE):
            trace.write_bytes(whole[:size])
            found, text = told(target)
            assert found and str(target.home) in text, f"cut to {size} of {len(whole)} bytes: {text}"


def check_cuts_of_killed():
    """Of one that nobody sealed: what is cut off is told, or held nothing."""
    with recorded() as target:
        trace = trace_of(target)
        whole = bytearray(trace.read_bytes())
        whole[SEAL_AT:SEAL_AT + 48] = bytes(48)
        filled = struct.unpack_from("<Q", whole, FILLED_AT)[0]
        assert PAGE < filled <= len(whole), filled
        for size in range(PAGE, len(whole), PAGE):
            trace.write_bytes(whole[:size])
            assert told(target)[0] == (size < filled), f"cut to {size} of {filled}"


def check_changes():
    """A bit in what was written, or a page of zeros, as a disk may leave it."""
    chance = random.Random(1)
    with recorded() as target:
        trace = trace_of(target)
        whole = trace.read_bytes()
        written = [at for at in range(PAGE, len(whole), PAGE) if any(whole[at:at + PAGE])]
        for at in written:
            trace.write_bytes(whole[:at] + bytes(PAGE) + whole[at + PAGE:])
            assert told(target)[0], f"zeros at {at} of {len(whole)}"
            data = bytearray(whole)
            data[chance.randrange(at, min(at + PAGE, len(whole)))] ^= 1 << chance.randrange(8)
            trace.write_bytes(data)
            assert told(target)[0], f"a bit after {at} of {len(whole)}"


def check_sparse_copy():
    """Holes that a copy has filled, or made, are no change."""
    with recorded() as target:
        trace = trace_of(target)
        copy = trace.with_suffix(".copy")
        for how in ("always", "never"):
            subprocess.run(["cp", f"--sparse={how}", trace, copy], check=True)
            copy.replace(trace)
            assert not told(target)[0], f"a copy with --sparse={how}"


FORKS = {"server.c": SERVER.replace("int main(void)\n{", "#include <unistd.h>\n#include <sys/wait.h>\n\nint main(void)\n{\n"
                                    "    if (fork() == 0) {\n        for (long id = 0; id < 20; id++)\n"
                                    "            handle(1000 + id);\n        return 0;\n    }\n    wait(NULL);")}


def check_files():
    """One of two processes' traces is gone, or empty."""
    with recorded(FORKS) as target:
        traces = sorted(trace_of(target).parent.glob("[0-9]*.vtr"))
        assert len(traces) == 2 and not told(target)[0]
        for trace in traces:
            whole = trace.read_bytes()
            trace.write_bytes(b"")
            found, text = told(target)
            assert found and "2 traces" in text, text
            trace.unlink()
            assert told(target)[0]
            trace.write_bytes(whole)


def latencies(target, name, *results):
    tables = target.home / name
    subprocess.run([VPROFILER, "export", "--format", "csv", "--output", str(tables), *map(str, results)],
                   check=True, capture_output=True, timeout=60)
    with open(tables / "intervals.csv", newline="", encoding="utf-8") as file:
        return collections.Counter(row["latency_ns"] for row in csv.DictReader(file))


def check_together():
    with recorded() as target:
        one = target.home / "one"
        shutil.move(target.home / "out", one)
        assert target.iterate("--auto", "--max-rounds", "1").returncode == 0
        two = target.home / "out"
        alone = latencies(target, "a", one / "latest") + latencies(target, "b", two / "latest")
        assert latencies(target, "both", one / "latest", two / "latest") == alone, "a merge moves latencies"


if __name__ == "__main__":
    sys.exit(run_checks([check_whole, check_cuts, check_cuts_of_killed, check_changes, check_sparse_copy, check_files, check_together]))
