"""made_load.py - traces of a thread that does what it is told to, with a jittered clock's samples and each wait's stack.

    load = Load(seed)
    load.request([run("main serve parse", 2.0), wait("main serve flush", 1.5)])      ms; the load has it as one request
    load.run("main idle", 0.3)
    load.write(folder)

    truth = load.time["main serve parse"]     ms that it had, in requests and outside
"""
import collections
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "trace"))
import make_vtr  # noqa: E402

MS = 1000000


def run(path, ms):
    return "run", path, ms


def wait(path, ms):
    return "wait", path, ms


class Load:
    def __init__(self, seed, process="server", period=1.0):
        self.random = random.Random(seed)
        self.process, self.period = process, period
        self.now, self.next = 1.0, 1.0 + period * self.random.random()
        self.switches, self.samples, self.hits, self.stacks = [["switch", 0, 0, 1]], [], [], {}
        self.names, self.time = {}, collections.Counter()
        self.by_descriptor = False

    def address(self, name):
        return self.names.setdefault(name, 0xffffffff81000000 + 0x100 * (len(self.names) + 1))

    def stack(self, path):
        if path not in self.stacks:
            frames = [hex(self.address(name)) for name in path.split()[::-1]]
            self.stacks[path] = [len(self.stacks) + 1, 100, len(frames), frames, 0]
        return self.stacks[path][0]

    def run(self, path, ms):
        """A sample stands for the period; between waits the clock goes on where it was."""
        left, self.time[path] = ms, self.time[path] + ms
        while self.next - self.now < left:
            left -= self.next - self.now
            self.now = self.next
            self.samples.append(["sample", int(self.now * MS), 1, 1, self.stack(path), int(self.period * MS)])
            self.next += self.period * self.random.uniform(0.8, 1.2)
        self.now += left

    def wait(self, path, ms):
        begin, end = self.now, self.now + ms
        self.switches += [["switch", int(begin * MS), 1, 0, "sleeps"], ["waking", int(end * MS), 1, 0, "hard", "timer"],
                          ["switch", int(end * MS) + 1000, 0, 1]]
        self.samples.append(["wait_stack", int(begin * MS), 1, 1, 0, self.stack(path), 1])
        self.time[path] += ms
        self.next += ms + 0.001
        self.now = end + 0.001

    def request(self, steps):
        self.hits.append(["hit", int(self.now * MS), 1, 1, 1, 0, 900])
        for kind, path, ms in steps:
            getattr(self, kind)(path, ms)
        self.hits.append(["hit", int(self.now * MS), 1, 1, 2, 0, 900])

    def answer(self, steps, size):
        """A request by descriptor 7: so many bytes are read, and it is answered."""
        self.by_descriptor = True
        self.hits.append(["hit", int(self.now * MS), 1, 1, 1, 7, size])
        for kind, path, ms in steps:
            getattr(self, kind)(path, ms)
        self.hits.append(["hit", int(self.now * MS), 1, 1, 2, 7, 1])
        self.now += 0.01

    def write(self, folder, requests=True, ends=True):
        end = int(self.now * MS) + 1000
        who = [["who", 0, 1, 1, self.process, "seen", 0, 1]]
        last = [["switch", end, 1, 0, "ended" if ends else "sleeps"]]
        last += [["who", end + 1, 1, 1, self.process, "ended", 0, 1]] if ends else []
        maps = ["00401000-00402000 r-xp 00000000 08:01 7 /nowhere/server"]
        files = [{"name": "kernel.vtr", "features": 1, "watched": 1, "pid": 900,
                  "threads": [{"tid": 0, "number": 1, "records": who + self.switches + last}]},
                 {"name": "stacks.vtr", "features": 1, "pid": 900, "stacks": list(self.stacks.values()),
                  "maps_of": {"1": maps, "100": maps}, "kernel": [f"{at:x} {name}" for name, at in self.names.items()],
                  "threads": [{"tid": 0, "number": 1, "records": sorted(self.samples, key=lambda r: r[1])}]}]
        if requests:
            points = ["1 1 5 0 read", "2 1 7 0 write"] if self.by_descriptor else ["1 1 1 0 serve", "2 1 2 0 serve"]
            files.append({"name": "points.vtr", "features": 1, "pid": 900, "points": points,
                          "threads": [{"tid": 0, "number": 1, "records": self.hits}]})
        make_vtr.make_directory({"files": files}, pathlib.Path(folder))
        return folder
