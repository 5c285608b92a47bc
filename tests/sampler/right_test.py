#!/usr/bin/env python3
"""Who may not see all sees less, and is told what is missing and the cure."""
import os
import shutil
import subprocess

from recording import ALL, OWN, SCENES, TOTALS, of, skip

import less_rights  # beside `recording`, which has told where


def test_own(run):
    first = run.tids["first"]
    moments = run.switches(first)
    assert len(moments) > 100 and all(a[1] != b[1] for a, b in zip(moments, moments[1:])), moments[:20]
    assert not run.of_kind("waking") and not run.of_kind("request")
    off = sum(b[0] - a[0] for a, b in zip(moments, moments[1:]) if a[2] == "sleeps" and not a[1])
    assert off > 100 * 2 * 10**6, off


def test_totals(run):
    totals = {r["tid"]: r for r in run.of_kind("totals")}
    assert set(totals) == set(run.tids.values()), (totals, run.tids)
    assert totals[run.tids["first"]]["runnable"] > 2 * 10**7, totals


def test_asked_for_less():
    own = of([SCENES, "sleeps", "100"], ["-w", "own"])
    if own.report["watched"] == OWN:
        test_own(own)
        assert own.report["missing"] == own.report["cure"] == ""
    totals = of([SCENES, "hogs", "300"], ["-w", "totals"])
    assert totals.report["watched"] == totals.header["watched"] == TOTALS
    test_totals(totals)


def may_leave_root(wrap):
    """Also for who is started by who has left it."""
    tried = subprocess.run([*wrap, "sh", "-c", '"$0" none 1', SCENES], capture_output=True)
    return tried.returncode == 0


def test_refused():
    wrap = less_rights.as_user()
    if os.geteuid() or not shutil.which("setpriv") or not may_leave_root(wrap):
        skip("a user without rights", "run the tests as root, in a folder that others may read")
    run = of([SCENES, "sleeps", "100"], wrap=wrap)
    assert run.report["watched"] in (OWN, TOTALS, ALL), run.report
    if run.report["watched"] == ALL:
        skip("a user without rights", "sysctl kernel.perf_event_paranoid=2")
    assert "setcap" in run.report["cure"] or "--cap-add" in run.report["cure"], run.report
    assert run.report["missing"], run.report
    if run.report["watched"] == OWN:
        test_own(run)
    run = of([SCENES, "hogs", "300"], ["-w", "totals"], wrap)
    test_totals(run)


def test_ids_of_a_container():
    """There the kernel's ids are not those that programs have."""
    wrap = ["unshare", "--pid", "--fork", "--mount-proc"]
    if os.geteuid() or not shutil.which("unshare") or not may_leave_root(wrap):
        return
    run = of([SCENES, "sleeps", "100"], wrap=wrap)
    assert run.report["watched"] in (OWN, TOTALS), run.report
    assert "container" in run.report["missing"] and "--pid host" in run.report["cure"], run.report


if __name__ == "__main__":
    test_ids_of_a_container()
    test_asked_for_less()
    test_refused()
