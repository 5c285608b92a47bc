#!/usr/bin/env python3
"""What mended.py computes, against answers worked out by hand."""
import math

import coz
import mended


def close(one, other):
    assert abs(one - other) < 1e-9 * max(1, abs(other)), f"{one} is not {other}"


def test_numbers():
    # Starts 1 s apart; 1 .. 100 ms: mean 50.5, variance (100^2 - 1) / 12
    got = mended.numbers([(float(i), (i + 1) * 1e6) for i in range(100)])
    close(got["throughput"], 1)
    close(got["mean"], 50.5e6)
    close(got["stddev"], math.sqrt(9999 / 12) * 1e6)
    close(got["p50"], 51e6)  # the least that half of them are below
    close(got["p99"], 100e6)


def test_change():
    # Halves each time: an interval of no width
    same = mended.change([2, 4, 6, 8], [1, 2, 3, 4])
    for number in same:
        close(number, -0.5)
    # Logs 0, 0, 0, ln 4: their mean is ln 2 / 2, their standard deviation ln 2, of four; 3 degrees: 3.182
    got = mended.change([1, 1, 1, 1], [1, 1, 1, 4])
    half = 3.182 * math.log(2) / 2
    close(got.value, math.sqrt(2) - 1)
    close(got.low, math.sqrt(2) * math.exp(-half) - 1)
    close(got.high, math.sqrt(2) * math.exp(half) - 1)


def test_between():
    # Half way between 1 x and 4 x is 2 x, of each end of the intervals
    levels = {0.5: mended.Change(0, 0, -0.75), 1: mended.Change(3, 0, 3)}
    got = mended.between(levels, 0.75)
    close(got.value, 1)
    close(got.low, 0)
    close(got.high, 0)
    close(mended.between(levels, 1).value, 3)
    close(mended.between(levels, 0.25).high, -0.5)


def test_agree():
    # Of e^0 and e^0.5, each e^+-h: apart by 0.5, joint half width h sqrt 2
    def around(log, half):
        return mended.Change(*(math.exp(log + by) - 1 for by in (0, -half, half)))
    assert mended.agree(around(0, 0.36), around(0.5, 0.36))
    assert not mended.agree(around(0, 0.35), around(0.5, 0.35))
    assert mended.agree(mended.Change(-1, -1, -1), mended.Change(-0.9995, -1, -0.999))  # nothing is left: no logarithm of 0


def test_student():
    close(mended.student(4), 2.776)
    close(mended.student(10), 2.262)  # fewer degrees of freedom that the table has: wider


def test_coz():
    # (speed-up, visits, duration): rates are 4 to the power of the speed-up
    for number in coz.coz_change([(0, 10, 5), (0, 20, 10), (0.5, 20, 5), (0.5, 4, 1), (1, 40, 5)]):
        close(number, 1)
    # Two times 1/e and e at 0 and at 1, and 1 at 0.5: slope 0; rest 8 over 7 degrees, squares 2
    got = coz.coz_change([(0, 1, math.e), (0, math.e, 1)] * 2 + [(1, 1, math.e), (1, math.e, 1)] * 2 + [(0.5, 1, 1)])
    close(got.value, 0)
    close(got.high, math.exp(2.365 * math.sqrt(8 / 7 / 2) / 2) - 1)
    assert coz.coz_change([(0, 4, 2)] * 2 + [(0.5, 1, 1)] * 2) is None
    assert coz.coz_change([(0.1, 4, 2), (0.2, 4, 2)] * 2 + [(0.5, 1, 1)] * 2) is None


def main():
    for test in (test_coz, test_between, test_numbers, test_change, test_agree, test_student):
        test()


if __name__ == "__main__":
    main()
