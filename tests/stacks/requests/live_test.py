#!/usr/bin/env python3
"""live_test.py SAMPLER_PRINT REQUEST_PRINT POINT_SCENES - requests of programs that know how long theirs took."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[1] / "runtime")]
import left_out
import vtr

SAMPLER, REQUESTS, SCENES = sys.argv[1:4]


class Run:
    def __init__(self, command, *options, whole=()):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([SAMPLER, "-P", SCENES, *options, folder, SCENES, *command], text=True,
                                  capture_output=True, check=False)
            *self.lines, report = done.stdout.splitlines()
            self.report = json.loads(report)
            if not self.report.get("hits") and not whole:
                left_out.say("requests of running programs", how="run the tests as root, outside of a container")
                sys.exit(left_out.SKIPPED)
            told = subprocess.run([REQUESTS, folder, *whole], text=True, capture_output=True, check=False)
            said = [json.loads(line) for line in told.stdout.splitlines()]
            starts = [vtr.read_header(path)["start_ns"] for path in pathlib.Path(folder).glob("*.vtr")]
        assert told.returncode == 0 and said[-1]["fault"] == "", (told.stderr, said[-1:])
        self.zero = min(starts)  # times of a run are since its first calibration
        self.intervals = [s for s in said if "begin" in s]
        self.labels = [s for s in said if "label" in s]
        self.threads = [s for s in said if "thread" in s]
        self.totals = said[-1]

    def said(self, word):
        return [[int(n) for n in line.split()[1:]] for line in self.lines if line.startswith(word + " ")]

    def complete(self):
        return [i for i in self.intervals if i["complete"]]


def milliseconds(intervals):
    return [(i["end"] - i["begin"]) / 1e6 for i in intervals]


def test_function():
    run = Run(["calls", "60", "2000"], "-I", "handle_request")
    told = run.said("call")
    assert len(run.complete()) == len(run.intervals) == 60 == len(told)
    for interval, (before, first, last, after) in zip(run.intervals, told):
        begin, end = interval["begin"] + run.zero, interval["end"] + run.zero
        assert before <= begin <= first and last <= end <= after, (interval, before, first)
        assert interval["interval"] == "handle_request" and interval["begin_tid"] == interval["end_tid"]
    # The thread works for each of them as long as it lasts.
    changes = [(lab["label"], lab["interval"]) for lab in run.labels]
    expected = [c for n, i in enumerate(run.intervals) for c in ((i["begin"], n), (i["end"], -1))]
    assert changes == expected, changes[:6]
    # It slept in each of them, and the kernel's side is there.
    assert run.threads[0]["blocks"] >= 60 and run.threads[0]["name"].startswith("point_scenes"), run.threads


def check_whole(run, told):
    """Whatever is missing: an interval is one of the calls, and never reaches from one to another."""
    calls = iter(told)
    for interval in run.complete():
        begin, end = interval["begin"] + run.zero, interval["end"] + run.zero
        before, first, last, after = next(call for call in calls if call[3] >= begin)
        assert before <= begin <= first and last <= end <= after, (interval, before, first)


def test_pauses():
    """Calls that take more than recording may are watched in windows."""
    run = Run(["calls", "150000", "0"], "-s", "0.02", "-I", "handle_request")
    told = run.said("call")
    assert run.report["hits_pauses"] > 0 == run.report["hits_lost"], run.report
    assert 1000 < len(run.complete()) < len(told), (len(run.complete()), len(told))
    print(f"{len(run.complete())} of {len(told)} calls in {run.report['hits_pauses'] + 1} windows")
    check_whole(run, told)


def test_bound():
    """The newest are kept; where others had to make room, nothing is told of what is not whole."""
    run = Run(["calls", "20000", "0"], "-m", "400000", "-I", "handle_request")
    told = run.said("call")
    assert 1000 < len(run.complete()) < 10000 and run.totals["lost"] > 20000, (len(run.complete()), run.totals)
    check_whole(run, told)


def test_across_threads():
    run = Run(["hand_off", "40"], "-N", "2,1", "-B", "begin_item", "-E", "finish_item")
    told = run.said("item")
    assert len(run.complete()) == 40 == len(told)
    for (address, begun, ended), interval in zip(told, run.intervals):
        assert interval["id"] == address and interval["begin"] + run.zero <= begun
        assert begun <= interval["end"] + run.zero <= ended
        assert interval["begin_tid"] != interval["end_tid"] and interval["interval"] == "begin_item"


def by_client(run, asked):
    """(what a client saw, the interval): a client has a descriptor of the server for itself."""
    of_id = {}
    for interval in run.complete():
        of_id.setdefault(interval["id"], []).append(interval)
    for client in {one[0] for one in asked}:
        own = [one for one in asked if one[0] == client]
        fitting = [intervals for intervals in of_id.values() if len(intervals) == len(own) and
                   all(one[1] <= i["begin"] + run.zero <= one[2] for one, i in zip(own, intervals))]
        assert len(fitting) == 1, (client, len(fitting))
        yield from zip(own, fitting[0])


def check_echo(run, count):
    """The delay is uniform in 0 to 10 ms, and the server waits for nothing else."""
    asked = run.said("asked")
    intervals = run.complete()
    assert len(asked) == len(intervals) == count, (len(asked), len(intervals), run.totals)
    assert {i["interval"] for i in intervals} == {"socket"}
    apart = []
    for one, interval in by_client(run, asked):
        ours = milliseconds([interval])[0]
        apart.append((one[2] - one[1]) / 1e6 - ours)
        assert ours >= one[3] / 1000, (one, ours)
    mean, spread = statistics.mean(milliseconds(intervals)), statistics.stdev(milliseconds(intervals))
    print(f"{count} requests: mean {mean:.2f} ms, sd {spread:.2f} ms; the client's are longer by "
          f"{statistics.median(apart):.3f} ms, the 95th of 100 by {sorted(apart)[len(apart) * 95 // 100]:.3f} ms")
    assert abs(statistics.median(apart)) < 0.2, statistics.median(apart)
    # The delays are the least, and what the clients saw the most, but for the end of a write that woke them.
    delays, seen = [one[3] / 1000 for one in asked], [(one[2] - one[1]) / 1e6 for one in asked]
    assert statistics.mean(delays) <= mean <= statistics.mean(seen) + 0.2, (statistics.mean(delays), mean, seen)


def test_threads_by_descriptor():
    check_echo(Run(["threads", "4", "100"], "-D"), 400)


def test_events_by_descriptor():
    check_echo(Run(["events", "1", "150"], "-D"), 150)


def test_by_descriptor_beside_others():
    """Who else calls often is left out by a filter, which takes another's place again and again: no call is missed."""
    loud = [subprocess.Popen([SCENES, "reads", str(3000000 * (i + 1))], stdout=subprocess.DEVNULL) for i in range(3)]
    run = Run(["events", "1", "300"], "-D")
    for process in loud:
        process.kill()
        process.wait()
    assert len(run.complete()) == 300 and run.totals["fates"][1:4] == [0, 0, 0], run.totals
    assert run.report["hits_of_others"] > 1000, run.report


def test_static_probes():
    run = Run(["queries", "20"], "-U", "scenes:query__start,query__done")
    told = run.said("query")
    assert len(run.complete()) == 20
    for interval, (before, after, _) in zip(run.intervals, told):
        assert before <= interval["begin"] + run.zero < interval["end"] + run.zero <= after
        assert interval["end"] - interval["begin"] >= 300000


def test_several_wishes():
    """A call within another kind of request: the thread works for the inner one, and then for the other again."""
    run = Run(["shapes"], "-I", "serve_last", "-I", "reply")
    serves = [i for i in run.complete() if i["interval"] == "serve_last"]
    replies = [i for i in run.complete() if i["interval"] == "reply"]
    assert len(serves) == 5 and len(replies) > 10, run.totals
    assert not [i for i in run.intervals if not i["complete"]], run.totals


def test_begins_again():
    if os.uname().machine != "x86_64":
        return
    run = Run(["shapes"], "-I", "begin_again")
    assert run.report["hits"] == 4 * 5 and len(run.complete()) == 4 == len(run.intervals), (run.report, run.intervals)


def test_whole():
    run = Run(["hand_off", "5"], whole=("threads",))
    assert len(run.complete()) == 3 == len(run.threads) and {i["interval"] for i in run.intervals} == {"thread"}
    run = Run(["later", "3", "1000"], whole=("processes",))
    assert len(run.complete()) == 2, run.intervals
    first, second = run.intervals
    assert first["begin"] < second["begin"] and second["end"] - second["begin"] >= 3 * 10**6


if __name__ == "__main__":
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
