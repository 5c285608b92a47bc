#!/usr/bin/env python3
"""thread_states_test.py trace_dump_tool - when threads ran, could have run, and waited for whom.

The traces of thread_states.json, whose waits are known, are written as a recorder writes them, read by
the product, and what it says is compared with those waits and with the states that a walk over the
events gives, by which each thread's ran + runnable + blocked is the time of the trace, to the ns. Of a
thread that does not come back before the trace ends the product says nothing: only the walk does.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_vtr

Off = collections.namedtuple("Off", "out woken back cause")  # cause: a tid, "runnable", "timer", ...
CAUSES = {"network": "network", "timer": "timer", "disk": "disk", "other": "interrupt"}
SAID = {"read": "disk", "write": "disk"}


def files(case):
    """One recorder's file with a log for each processor, and the process with its threads."""
    logs = collections.defaultdict(list)
    last = case["records"][-1][2]
    for processor, *record in case["records"]:
        logs[processor].append(record)
    logs[min(logs)][:0] = [["who", 0, 100, tid, f"t{tid}"] for tid in case["threads"]]
    kernel = {"name": "kernel.vtr", "features": 1, "watched": 1, "pid": 900, "threads": [
        {"tid": 0, "number": 1 + processor, "records": records} for processor, records in sorted(logs.items())]}
    process = {"threads": [{"tid": tid, "records": [["begin", 0, tid], ["end", last, tid]]}
                           for tid in case["threads"]]}
    return {"files": [kernel, process]}


def cause_of(waker, context, interrupt):
    if context == "thread":
        return str(waker) if waker else "unknown"
    return CAUSES[interrupt]


class Thread:
    """The states of one thread, event by event."""

    def __init__(self):
        self.state, self.since, self.offs, self.ran, self.waking, self.early = "unknown", 0, [], 0, None, None

    def goes(self, time, state):
        self.ran += time - self.since
        self.state, self.since, self.waking = state, time, None

    def wakes(self, time, cause):
        if self.state != "sleeps":
            self.early = (time, cause)
        elif not self.waking:
            self.waking = (time, cause)

    def comes(self, time):
        if self.state in ("sleeps", "runnable"):
            if self.state == "runnable":
                woken, cause = self.since, "runnable"
            elif self.waking:
                woken, cause = self.waking
            elif self.early:
                woken, cause = self.since, self.early[1]
            else:
                woken, cause = time, "unknown"
            self.offs.append(Off(self.since, woken, time, cause))
            self.since = time
        self.state, self.early = "runs", None

    def left(self, end):
        """What it began and did not come back from."""
        if self.state != "sleeps":
            return []
        woken, cause = self.waking or (end, "open")
        return [Off(self.since, woken, end, cause)]


def walk(case):
    """By tid; what happens at one tick is in the order of the case."""
    threads = {tid: Thread() for tid in case["threads"]}
    for _, kind, time, *rest in case["records"]:
        if kind == "switch" and rest[0] in threads:
            threads[rest[0]].goes(time, rest[2])
        if kind == "switch" and rest[1] in threads:
            threads[rest[1]].comes(time)
        if kind == "waking" and rest[0] in threads:
            threads[rest[0]].wakes(time, cause_of(*rest[1:4]))
    return threads


def said(tool, case, folder):
    make_vtr.make_directory(files(case), folder)
    dump = subprocess.run([tool, folder], check=True, text=True, stdout=subprocess.PIPE).stdout
    offs = {tid: [] for tid in case["threads"]}
    for line in dump.splitlines():
        word, tid, *rest = line.split()
        if word == "off" and int(tid) in offs:
            thread, out, woken, back, cause, waker = rest[:6]
            assert thread == tid, line
            cause = SAID.get(cause, waker if cause in ("thread", "lock") else cause)
            offs[int(tid)].append(Off(int(out), int(woken), int(back), cause))
    return offs


def waits_of(offs):
    sums = collections.Counter()
    for off in offs:
        sums[off.cause] += off.woken - off.out
    return {cause: ns for cause, ns in sums.items() if ns and cause != "runnable"}


def faults(case, offs, threads):
    end = case["records"][-1][2]
    for tid in case["threads"]:
        known, got = threads[tid], offs[tid]
        waits = waits_of(got + known.left(end))
        if waits.pop("open", 0) != case["open"].get(str(tid), 0) or waits != case["waits"].get(str(tid), {}):
            yield f"{tid} waited {waits}"
        if got != known.offs:
            yield f"{tid}: known {known.offs}, but {got}"
        if any(a.back > b.out for a, b in zip(got, got[1:])) or \
                any(not o.out <= o.woken <= o.back for o in got):
            yield f"{tid}: out of order"
        blocked, runnable = sum(o.woken - o.out for o in got), sum(o.back - o.woken for o in got)
        ran = known.ran + end - known.since  # what follows the last switch counts as running
        if ran + runnable + blocked != end:
            yield f"{tid}: ran {ran}, runnable {runnable} and blocked {blocked} are not {end}"


def main():
    tool = sys.argv[1]
    cases = json.loads((HERE / "thread_states.json").read_text())["cases"]
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            found = list(faults(case, said(tool, case, folder), walk(case)))
        failed += bool(found)
        for fault in found:
            print(f"{case['name']}: {fault}")
    print(f"{len(cases)} traces, {failed} differ")
    sys.exit(failed != 0 or not cases)


if __name__ == "__main__":
    main()
