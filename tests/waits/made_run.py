"""made_run.py - a process whose threads wait for each other, as a recorder writes it.

    run = made_run.Run({100: "main", 101: "x"})
    run.begin(5, 100, 1)              interval 1 begins on thread 100
    run.out(10, 100)                  it blocks
    run.wake(30, 101, 100)            thread 101 lets it go on; or run.interrupt(30, 100, "timer" | "disk" | "network")
    run.come(32, 100)                 it has its processor again
    run.end(40, 100, 1)
    run.write(folder)

Each thread has a processor of its own, which idles while it does not run. Times are ns and need not be given in
order.
"""
import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "trace"))
import make_vtr  # noqa: E402

DISK = 8 << 20
PID = 100
CONTEXTS = {"timer": ("hard", "timer"), "disk": ("soft", "disk"), "network": ("soft", "network")}


class Run:
    def __init__(self, names, others=None):
        """`others` are threads of another program."""
        self.names, self.others = names, others or {}
        self.marks, self.logs = collections.defaultdict(list), collections.defaultdict(list)
        for tid in [*names, *self.others]:
            self.come(1, tid)

    def mark(self, kind, at, tid, interval, *more):
        self.marks[tid].append([kind, at, interval, *more])

    def begin(self, at, tid, interval, of_type=None):
        self.mark("begin", at, tid, interval)
        if of_type:
            self.mark("type", at, tid, interval, of_type)

    def enter(self, at, tid, interval):
        self.mark("enter", at, tid, interval)

    def end(self, at, tid, interval):
        self.mark("end", at, tid, interval)

    def out(self, at, tid):
        self.logs[tid].append(["switch", at, tid, 0, "sleeps"])

    def over(self, at, tid):
        """It ends."""
        self.logs[tid].append(["switch", at, tid, 0, "ended"])

    def come(self, at, tid):
        self.logs[tid].append(["switch", at, 0, tid, "runnable"])

    def wake(self, at, waker, tid):
        self.logs[waker].append(["waking", at, tid, waker, "thread", "unknown"])

    def interrupt(self, at, tid, what):
        """On the thread's processor, which is idle."""
        if what == "disk":
            self.logs[tid].append(["request", at, DISK])
        self.logs[tid].append(["waking", at, tid, 0, *CONTEXTS[what]])

    def write(self, folder):
        tids = [*self.names, *self.others]
        seen = [["who", 0, PID if tid in self.names else 700, tid, {**self.names, **self.others}[tid], "seen", 0,
                 1 if tid in self.names else 2] for tid in tids] + [["who", 0, 0, DISK, "sda", "device"]]
        kernel = [{"tid": 0, "number": 1 + i, "records": (seen if i == 0 else []) + sorted(self.logs[tid], key=at)}
                  for i, tid in enumerate(tids)]
        threads = [{"tid": tid, "records": sorted(self.marks[tid], key=at)} for tid in self.names]
        base = {"calibration": [[0, 0], [1000, 1000]], "base": 0}
        make_vtr.make_directory({"files": [
            {"name": "kernel.vtr", "features": 1, "watched": 1, "pid": 900, "threads": kernel, **base},
            {"name": f"{PID}.vtr", "pid": PID, "threads": threads, **base}]}, pathlib.Path(folder))


def at(record):
    return record[1]
