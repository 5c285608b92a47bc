#!/usr/bin/env python3
"""uprobes.py: its arithmetic on rows that are known, and, where bpftrace may be used, a program that sleeps.

usage: uprobes_test.py
"""
import pathlib
import subprocess
import sys
import tempfile

import uprobes

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

PRINTED = """Attaching 7 probes...
100 40 1
 300 240 1
Nothing 1 2
200 140 7
100 40
"""
PROGRAM = r"""
#include <unistd.h>
__attribute__((noinline)) void nap(int ms) { usleep(ms * 1000); }
__attribute__((noinline)) void slow(int ms) { nap(ms); __asm__ volatile(""); }
__attribute__((noinline)) void outer(int ms) { slow(ms); slow(2); __asm__ volatile(""); }
__attribute__((noinline)) void begin(int ms) { outer(ms); nap(3); __asm__ volatile(""); }
__attribute__((noinline)) void end(void) { __asm__ volatile(""); }
int main(void)
{
    for (int i = 0; i < 300; i++) {
        begin(i % 2 ? 1 : 11);
        end();
    }
    return 0;
}
"""


def test_parse():
    assert uprobes.parse(PRINTED, 3) == [[100, 40, 1], [300, 240, 1], [200, 140, 7]]


def test_decompose():
    result = uprobes.decompose(["f", "g"], [[100, 40, 1, 0, 0], [300, 240, 2, 0, 0], [200, 140, 3, 60, 3]])
    f, g = result["parts"]["f"], result["parts"]["g"]
    assert result["count"] == 3 and result["mean_ns"] == 200
    assert abs(result["variance_ns2"] - 20000 / 3) < 1e-6
    assert abs(f["contribution"] - 1) < 1e-9 and abs(f["share"] - 1) < 1e-9 and f["mean_ns"] == 140
    assert f["calls"] == 2 and g["calls"] == 1
    assert abs(g["contribution"] - 800 / (20000 / 3)) < 1e-9 and abs(g["share"]) < 1e-9


def test_program():
    if left_out.lacks("bpftrace", "uprobes on a program"):
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-O1", "-x", "c", "-", "-o", f"{folder}/program"], input=PROGRAM, text=True,
                       check=True)
        with subprocess.Popen([f"{folder}/program"]) as program:
            try:
                names, rows = uprobes.Uprobes(f"{folder}/program", "begin", ["end"], ["outer", "slow", "nap"],
                                              {"nap": "slow"}).rows(1)
            except RuntimeError as refused:
                print(f"bpftrace: {refused}")
                left_out.say("uprobes on a program", how="as root, on a kernel that lets bpftrace")
                return
            finally:
                program.terminate()
    assert names == ["outer", "slow", "nap"] and rows
    for latency, outer, outers, slow, slows, nap, naps in rows:  # a sleep may be longer than it was asked for, never shorter
        assert latency >= outer + nap and outer >= slow >= 3e6 and nap >= 3e6
        assert (outers, slows, naps) == (1, 2, 1)


def main():
    tests = [test for name, test in globals().items() if name.startswith("test_")]
    for test in tests:
        test()
    print(f"{len(tests)} passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
