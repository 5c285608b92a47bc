#!/usr/bin/env python3
"""point_test.py PRINT PIE FIXED STATIC THROWS - hits of points, live.

The programs say when things were: a hit lies between two of those moments, on the same clock.
"""
import os
import subprocess
import sys
import time

from recording import OTHERS, SCENES, of, skip

PROGRAMS = [SCENES, *OTHERS[:2]]
THROWS = OTHERS[2]


def watch(program, command, *options):
    run = of([program, *command], ["-P", program, *options])
    if not run.report.get("whole"):
        skip("points of programs", run.report.get("refused", "") or run.report.get("cure", ""))
    if "CAP_PERFMON" in run.report["missing"] or "built without uprobes" in run.report["missing"]:
        skip("points of programs", "run the tests as root, outside of a container")
    assert run.hits_lost == 0 == run.report["hits_lost"] and run.report["hits"] == len(run.hits), run.report
    return run


def said(run, word):
    return [list(map(int, line.split()[1:])) for line in run.lines if line.startswith(word + " ")]


def in_pairs(hits, first, second):
    assert [h["role"] for h in hits] == [first, second] * (len(hits) // 2), [h["role"] for h in hits]
    return list(zip(hits[::2], hits[1::2]))


def test_calls():
    for program in PROGRAMS:
        run = watch(program, ["calls", "50", "500"], "-I", "handle_request")
        pairs = in_pairs(run.hits, "enter", "leave")
        told = said(run, "call")
        assert len(pairs) == len(told) == 50, (program, len(pairs))
        for (enter, leave), (before, first, last, after) in zip(pairs, told):
            assert before <= enter["ns"] <= first and last <= leave["ns"] <= after, (enter, leave, before, first)
            assert enter["second"] == leave["second"] and enter["name"] == "handle_request"
            assert enter["pid"] == enter["tid"] == run.report["pid"]


def test_values():
    """What a function is given, and what it returns."""
    run = watch(SCENES, ["cost", "100"], "-N", "1,return", "-B", "nothing", "-E", "nothing%return")
    pairs = in_pairs(run.hits, "begin", "end")
    assert [(b["value"], e["value"] & 0xffffffff) for b, e in pairs] == [(i, i + 1) for i in range(100)]


def test_kernels_return_probe():
    """Of a function whose code does not say where it goes on."""
    run = watch(SCENES, ["shapes"], "-I", "dispatch")
    pairs = in_pairs(run.hits, "enter", "leave")
    assert len(pairs) == 4 and all(a["second"] == b["second"] for a, b in pairs), pairs
    lengths = [b["ns"] - a["ns"] for a, b in pairs]
    assert lengths[0] > 10**6 and lengths[2] > 10**6, lengths
    assert "return probe" in run.report["notes"], run.report


def test_kernels_return_probe_that_was_asked_for():
    run = watch(SCENES, ["calls", "20", "500"], "-K", "-I", "handle_request")
    pairs = in_pairs(run.hits, "enter", "leave")
    told = said(run, "call")
    assert len(pairs) == len(told) == 20
    for (enter, leave), (before, first, last, after) in zip(pairs, told):
        assert before <= enter["ns"] <= first and last <= leave["ns"] <= after and enter["second"] == leave["second"]
    run = watch(THROWS, [], "-K", "-I", "shop::Pool::may_throw")  # but not where it would do harm
    assert run.report["status"] == 0, run.report


def test_shapes():
    run = watch(SCENES, ["shapes"], "-I", "recurse", "-I", "leave", "-I", "serve_last", "-I", "tail_self")
    recurse = [h for h in run.hits if h["name"] == "recurse"][:30]
    # Calls within calls, each at a lower stack pointer; they return in turn.
    assert [h["role"] for h in recurse] == (["enter"] * 5 + ["leave"] * 5) * 3, recurse
    stacks = [h["second"] for h in recurse[:10]]
    assert stacks[:5] == sorted(stacks[:5], reverse=True) and stacks[5:] == stacks[:5][::-1], stacks
    leave = [h for h in run.hits if h["name"] == "leave"]
    roles = [h["role"] for h in leave]
    assert roles == ["enter", "leave", "enter", "enter", "leave"] * 2, roles  # the second of three jumps
    served = said(run, "served")
    enters = [h for h in run.hits if h["name"] == "serve_last" and h["role"] == "enter"]
    assert len(enters) == len(served) == 5
    for enter, (before, after) in zip(enters, served):
        ends = [h for h in run.hits if h["name"] == "serve_last" and h["role"] == "leave" and
                before <= h["ns"] <= after and h["second"] == enter["second"]]
        assert len(ends) == 1 and ends[0]["ns"] - enter["ns"] > 10**6, (enter, ends)


def test_across_threads():
    run = watch(SCENES, ["hand_off", "40"], "-N", "2,1", "-B", "begin_item", "-E", "finish_item")
    items = {address: (begun, ended) for address, begun, ended in said(run, "item")}
    assert len(run.hits) == 80
    begins = {h["value"]: h for h in run.hits if h["role"] == "begin"}
    ends = {h["value"]: h for h in run.hits if h["role"] == "end"}
    assert set(begins) == set(ends) == set(items)
    for address, (begun, ended) in items.items():
        assert begins[address]["ns"] <= begun <= ended and ends[address]["ns"] <= ended
        assert begins[address]["tid"] != ends[address]["tid"]


def test_probes():
    if os.uname().machine != "x86_64":
        return
    for program in PROGRAMS:
        run = watch(program, ["queries", "20"], "-N", "1,2", "-U", "scenes:query__start,query__done")
        pairs = in_pairs(run.hits, "begin", "end")
        told = said(run, "query")
        assert [(b["value"], e["value"]) for b, e in pairs] == [(100 + i, 100 + i) for i in range(20)], pairs[:3]
        assert not any(h["unknown"] for h in run.hits)
        assert all(counter > 0 for _, _, counter in told), told  # those who watch are counted
        for (begin, end), (before, after, _) in zip(pairs, told):
            assert before <= begin["ns"] < end["ns"] <= after
        run = watch(program, ["queries", "5"], "-N", "2,1", "-U", "scenes:query__start,query__done")
        assert [h["value"] for h in run.hits] == [v for i in range(5) for v in (2**64 - 100 - i, 5)], run.hits[:4]


def test_exceptions():
    """They leave watched functions without harm, as no address in the stack is another one."""
    run = watch(THROWS, [], "-I", "shop::relay")
    assert run.report["status"] == 0 and any("caught 10" in line for line in run.lines), run.report
    run = watch(THROWS, [], "-I", "shop::Pool::may_throw")
    assert run.report["status"] == 0 and any("caught 10" in line for line in run.lines), run.report
    roles = [h["role"] for h in run.hits]
    assert roles.count("enter") == 10, roles


def test_sockets():
    if os.uname().machine != "x86_64":
        return
    for how in ("threads", "events"):
        run = watch(SCENES, [how, "1", "10"], "-D")
        server = [h for h in run.hits if h["pid"] == run.report["pid"] and h["role"] != "connect"]
        fd = next(h["value"] for h in server if h["role"] == "accept")
        mine = [h for h in server if h["value"] == fd and h["role"] in ("read", "writes", "wrote", "close")]
        assert [h["role"] for h in mine] == ["read", "writes", "wrote"] * 10 + ["close"], [h["role"] for h in mine]
        assert all(h["second"] == 4 for h in mine if h["role"] in ("read", "wrote"))
        polls = [h for h in server if h["role"] == "poll"]
        assert len(polls) == (11 if how == "events" else 0), len(polls)
        asked = [a for a in said(run, "asked")]
        for (_, begin, end, _), read, writes in zip(asked, mine[::3], mine[1::3]):
            assert begin <= read["ns"] <= writes["ns"] <= end


def test_later_process():
    """Of a child that begins when all points are watched."""
    run = watch(SCENES, ["later", "20", "100"], "-I", "handle_request")
    assert len(run.hits) == 40 and {h["pid"] for h in run.hits} != {run.report["pid"]}, len(run.hits)


def test_running_process():
    """One that runs already, by its own program as the kernel knows it."""
    for program in (SCENES, PROGRAMS[2]):
        with subprocess.Popen([program, "calls", "3000", "1000"], stdout=subprocess.DEVNULL) as target:
            time.sleep(0.1)
            run = of(["sleep", "0.5"], ["-p", str(target.pid), "-P", f"/proc/{target.pid}/exe", "-I", "handle_request"])
            target.kill()
        assert len(run.hits) > 50 and {h["pid"] for h in run.hits} == {target.pid}, (len(run.hits), run.report)


def test_others_are_left_out():
    with subprocess.Popen([SCENES, "calls", "3000", "1000"], stdout=subprocess.DEVNULL) as other:
        run = watch(SCENES, ["calls", "20", "1000"], "-I", "handle_request")
        other.kill()
    assert {h["pid"] for h in run.hits} == {run.report["pid"]} and len(run.hits) == 40, len(run.hits)
    assert run.report["hits_of_others"] > 0, run.report


def test_no_right():
    wrap = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all"]
    if os.geteuid() or subprocess.run([*wrap, SCENES, "cost", "1"], capture_output=True).returncode:
        return
    run = of([SCENES, "cost", "1"], ["-P", SCENES, "-I", "nothing"], wrap)
    assert not run.hits and "CAP_PERFMON" in run.report["missing"], run.report
    assert "setcap" in run.report["missing"] or "--cap-add" in run.report["missing"], run.report


if __name__ == "__main__":
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
    plain = watch(SCENES, ["cost", "20000"])
    def costs(run):
        return next(line for line in run.lines if "cost" in line)

    print("a call on a descriptor that is watched takes", costs(watch(SCENES, ["reads", "200000"], "-D")), "ns, else",
          costs(watch(SCENES, ["reads", "200000"])))
    for how in ([], ["-K"]):
        both = watch(SCENES, ["cost", "20000"], *how, "-I", "nothing")
        print("a call that is watched at both ends takes", *(line for line in both.lines if "cost" in line), "ns, else",
              *(line for line in plain.lines if "cost" in line), *how)
