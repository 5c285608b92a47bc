#!/usr/bin/env python3
"""Programs whose waits are known, by what they do and by clocks of their own, under `vprofiler waits`.

usage: scenes_test.py VPROFILER SCENES [--times N] [--only NAME,..] [--folder DIR] [--busy]

What a scene's threads waited for whom they measured themselves (scenes/own_time.h): blocked, without what they wanted
a processor. vprofiler's edges and what it charges the processor with must be within 5 % of that. Where it says that
the kernel lost records, a thread's wait at that moment may be missing. A run in which the program itself did not do
what it is to show, for the machine was too busy, is repeated, three times at the most; with --busy it is only told
then, and its edges are compared all the same.

--times N: a table of N runs of each scene; whole are those of which no record was lost.
"""
import argparse
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "report")]
import check_report  # noqa: E402
import never_idle  # noqa: E402
from seen import LEAST, Seen  # noqa: E402

check_report.SCHEMA = json.loads((HERE.parents[1] / "docs" / "waits.schema.json").read_text())
CLOSE = 0.05
# A thread that is woken from another processor is in the queue of its own only when that has heard of it, and from then
# on the kernel counts. The recorder's own work at a switch is between, too. Where a host keeps a processor from
# hearing, the program is kept from what it is to show, too.
WAKING_NS = 40_000
DISK_BYTES = 32 << 20


class Run:
    """What is asked of the runs of one scene."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, pathlib.Path(folder)
        self.faults, self.worst, self.worst_edge = [], 0.0, ""
        self.lost = False
        self.missed = []  # what the program itself did not do; what follows from it says nothing then
        self.follows = []

    # ---- programs ----

    def disk(self):
        """A file on the disk, with all of its blocks."""
        path = self.folder / "over.bin"
        if not path.exists():
            with open(path, "wb") as file:
                file.write(os.urandom(1 << 20) * (DISK_BYTES >> 20))
                os.fsync(file.fileno())
        return str(path)

    def seen(self, scene, rounds, *words):
        """Of a program as it is."""
        own, result = self.folder / "own.json", self.folder / "result"
        told, found = self.vprofiler("waits", "--json", "--out", result, "--kernel", "on", "--",
                                     self.arguments.scenes, own, scene, str(rounds), *words)
        if "who woke whom" not in told:
            leave_out("what the kernel tells of a run (a machine where `vprofiler doctor` says that all of it can be "
                      "recorded)")
        return Seen(json.loads(own.read_text()), self.correct(found))

    def recorded(self, scene, rounds, *words):
        """Of a run that was recorded with its intervals."""
        own, result = self.folder / "own.json", self.folder / "recorded"
        self.vprofiler("record", "--json", "--out", result, "--kernel", "on", "--",
                       self.arguments.scenes, own, scene, str(rounds), *words)
        return Seen(json.loads(own.read_text()), self.correct(self.vprofiler("waits", "--json", result)[1]))

    def vprofiler(self, *words):
        done = subprocess.run([self.arguments.vprofiler, *words], text=True, capture_output=True, check=False)
        if "exit status 77" in done.stderr:
            leave_out("what threads wanted a processor (a kernel with /proc/thread-self/schedstat)")
        assert done.returncode == 0, done.stderr
        return done.stderr, json.loads(done.stdout)

    @staticmethod
    def correct(found):
        faults = check_report.faults(found, check_report.SCHEMA)
        assert not faults, faults
        return found

    def rate(self, scene, rounds, *words):
        """Of the program alone."""
        own = self.folder / "alone.json"
        subprocess.run([self.arguments.scenes, own, scene, str(rounds), *words], check=True)
        return Seen(json.loads(own.read_text()), {"groups": []}).rate()

    # ---- checks ----

    def truth(self, what, value, expected, close=CLOSE):
        """Of the program itself."""
        if abs(value - expected) > close * expected:
            self.missed.append(f"{what}: {value:.4g}, and not {expected:.4g}")

    def check(self, what, good):
        if not good:
            self.faults.append(what)

    def follow(self, what, good):
        """From what the program is to do."""
        if not good:
            self.follows.append(what)

    def disk_alone(self, seen):
        facts = seen.own["facts"]
        self.truth("requests of the disk", facts["disk_requests"], facts["writes"], 0.1)

    def near(self, what, found_ns, own_ns, close=CLOSE, missing_ns=0, more_ns=0, told=True):
        """So much may be missing, or more than the program knows of."""
        off = abs(found_ns - own_ns) / max(own_ns, 1)
        if off > self.worst and told:
            self.worst, self.worst_edge = off, what
        ask = self.check if told else self.follow
        good = own_ns * (1 - close) - missing_ns <= found_ns <= own_ns * (1 + close) + more_ns
        ask(f"{what}: found {found_ns / 1e6:.4g} ms, and not {own_ns / 1e6:.4g}", good)

    def edges(self, seen, but=()):
        """All edges and charges of threads, but of those for whom only the sum is known."""
        self.lost |= seen.lost() > 0
        for who, whom in seen.pairs():
            if who not in but:
                self.near(f"{who} -> {whom}", seen.raw_ns(who, whom), seen.own_ns(who, whom),
                          missing_ns=missing_ns(seen, who))
        for who, thread in seen.threads.items():
            waited = sum(wait["blocked_ns"] for wait in thread["waits"])
            if waited > LEAST * thread["lived_ns"]:
                self.near(f"{who} -> all", seen.all_raw_ns(who), waited, missing_ns=missing_ns(seen, who))
            if max(thread["wanted_ns"], seen.wanted_ns(who)) > LEAST * thread["lived_ns"]:
                self.near(f"{who} wants a processor", seen.wanted_ns(who), thread["wanted_ns"],
                          close=0.15 if self.arguments.busy else CLOSE, missing_ns=missing_ns(seen, who),
                          more_ns=WAKING_NS * seen.counted(who) + seen.outside_ns(who), told=False)
            if who not in but:
                self.check(f"{who} waits for whom it does not know: {seen.unheard_of(who):.3f} of its time",
                           seen.unheard_of(who) * seen.lived_ns(who)
                           < LEAST * seen.lived_ns(who) + missing_ns(seen, who))

    def running(self, seen):
        for who, thread in seen.threads.items():
            if thread["cpu_ns"] > LEAST * thread["lived_ns"]:
                self.near(f"{who} ran", seen.ran_ns(who), thread["cpu_ns"], missing_ns=missing_ns(seen, who),
                          more_ns=WAKING_NS * seen.counted(who) + seen.outside_ns(who))

    def idle_disk(self, seen, who, idle_ms):
        """What the disk does not do for it, the disk waits for it: in stretches of about that length. Where others use
        it meanwhile, they end such stretches, too. Of a request whose end the kernel does not tell, as it is for some
        idle processors, it seems to be busy."""
        facts = seen.own["facts"]
        told = max(device["requests"] for device in seen.found["devices"])
        self.truth("requests of the disk that the kernel tells", told, facts["disk_requests"], 0.02)
        others = (facts["disk_requests"] - facts["writes"]) * idle_ms * 1e6
        self.near(f"disk -> {who}", seen.raw_ns("disk", who), seen.lived_ns(who) - seen.own_ns(who, "disk"),
                  missing_ns=others + missing_ns(seen, who),
                  more_ns=seen.found["wall_ns"] - seen.lived_ns(who) + seen.lost() * seen.longest_ns(who),
                  told=False)

    def gain(self, seen, who, whom, expected):
        found = seen.gain(who, whom)
        self.follow(f"without {who} -> {whom} x {found}, and not {expected}",
                    found is not None and abs(found / expected - 1) < 2 * CLOSE)

    def knot(self, seen, *names):
        self.follow(f"the first knot is {seen.knots()[:1]}, and not {set(names)}: {seen.found['headline']}",
                   seen.knots()[:1] == [set(names)])


def missing_ns(seen, who):
    """What may be told by one side alone: of what was lost; and what is a wait for the kernel, and already for a
    processor for vprofiler (WAKING_NS)."""
    thread = seen.threads[who]
    return seen.lost() * seen.longest_ns(who) * thread["members"] + max(seen.wanted_ns(who) - thread["wanted_ns"], 0)


def leave_out(what):
    print(f"left out: {what}")
    sys.exit(77)


# ---- scenes ----


def w1_disk(run):
    """A 2 ms -> queue -> B 5 ms, who then writes for 5 ms: the disk is idle while B computes."""
    seen = run.seen("buffer", 100, "single", run.disk())
    run.disk_alone(seen)
    run.truth("A waits for B of the time", seen.own_share("A", "B"), 0.8)
    run.truth("B writes of the time", seen.own_wall_share("B", "disk"), 0.5)
    run.edges(seen)
    run.follow(f"a disk at the end: {seen.knots()}", ["disk" in knot for knot in seen.knots()[:1]] == [True])
    run.idle_disk(seen, "B", 5)
    run.knot(seen, "B", "disk")
    run.running(seen)
    run.gain(seen, "B", "disk", 1 / (1 - seen.own_share("B", "disk")))  # then B sets the pace
    two = run.rate("buffer", 100, "double", run.disk())
    run.truth("what two buffers bring", two / seen.rate(), 2, 0.1)


def w1_nap(run):
    """The same with a nap in place of the disk."""
    seen = run.seen("buffer", 100, "single")
    run.truth("A waits for B of the time", seen.own_share("A", "B"), 0.8)
    run.truth("B waits for its nap of the time", seen.own_share("B", "timer"), 0.5)
    run.edges(seen)
    run.truth("what two buffers bring", run.rate("buffer", 100, "double") / seen.rate(), 2, 0.1)


def w2(run):
    """A thread C in place of the device."""
    seen = run.seen("stage", 100)
    run.truth("A waits for B of the time", seen.own_share("A", "B"), 0.8)
    run.truth("B waits for C of the time", seen.own_share("B", "C"), 0.5)
    run.truth("C waits for B of the time", seen.own_share("C", "B"), 0.5)
    run.edges(seen)
    run.knot(seen, "B", "C")
    processors = len(os.sched_getaffinity(0))
    run.gain(seen, "B", "C", min(2, 10 / 12 * processors))  # as many as the processors can do: 12 ms of work each


def w3(run):
    """Unequal parts: each waits for the other a third of the time."""
    seen = run.seen("imbalance", 50)
    run.truth("A waits for B of the time", seen.own_share("A", "B"), 1 / 3)
    run.truth("B waits for A of the time", seen.own_share("B", "A"), 1 / 3)
    run.edges(seen)
    run.knot(seen, "A", "B")
    run.gain(seen, "A", "B", 1.5)
    run.truth("what balance brings", run.rate("imbalance", 50, "balanced") / seen.rate(), 1.5)


def w4_new(run):
    """One prepares, two that are made for that work: main waits for them."""
    seen = run.seen("startup", 80)
    run.truth("first waits for workers of the time", seen.own_share("first", "worker"), 0.6)
    run.edges(seen, but=["worker"])  # none lives to know how long they are not there
    run.near("worker -> first", seen.raw_ns("worker", "first"), 2 * 0.4 * seen.lived_ns("first"),
             missing_ns=2 * missing_ns(seen, "first"), more_ns=2 * (seen.found["wall_ns"] - seen.lived_ns("first")))
    run.knot(seen, "first", "worker")
    run.truth("what preparing together brings", run.rate("startup", 80, "parallel") / seen.rate(), 1.25)


def w4_kept(run):
    """The same workers in all rounds, who wait for main meanwhile."""
    seen = run.seen("startup", 80, "single", "kept")
    run.truth("first waits for workers of the time", seen.own_share("first", "worker"), 0.6)
    run.truth("workers wait for first of the time", seen.own_share("worker", "first"), 0.4)
    run.edges(seen)
    run.knot(seen, "first", "worker")


def w5(run):
    """A logger syncs four of 40 waiting requests at once."""
    seen = run.seen("batch", 100, "4", run.disk())
    run.disk_alone(seen)
    run.truth("requests a second", seen.rate(), 4 / 0.005, 0.15)
    run.edges(seen)
    run.follow(f"a disk at the end: {seen.knots()}", ["disk" in knot for knot in seen.knots()[:1]] == [True])
    run.knot(seen, "logger", "disk")
    four, forty = run.rate("batch", 100, "4"), run.rate("batch", 100, "40")
    run.truth("what a limit of 40 brings", forty / four, 10)


def w6(run):
    """Two handlers wait 5 ms each for an answer: more of them bring more."""
    seen = run.seen("handlers", 200, "2")
    run.truth("requests a second", seen.rate(), 2 / 0.0051)
    run.truth("handlers wait for the peer of the time", seen.own_share("handler", "peer"), 5 / 5.1)
    run.edges(seen)
    run.truth("what eight handlers bring", run.rate("handlers", 200, "8") / seen.rate(), 4)


def w7(run):
    """A herd: each ticket wakes four, and is for one. That it is for another one the kernel does not know, and nothing
    of this program is recorded from within: wake_in_vain_test.py has programs of which it is."""
    seen = run.seen("herd", 250)
    run.truth("false wakes a round", seen.own["facts"]["false_wakes"] / seen.own["done"], 3)
    run.edges(seen, but=("a_waiter", "b_waiter"))


def convoy(run, rounds, hold_us):
    """What each wants the processor for, the other has it, or another program."""
    seen = run.seen("convoy", rounds, hold_us)
    run.edges(seen)
    others = seen.own["wall_ns"] - sum(seen.threads[who]["cpu_ns"] for who in "ab")
    for who, other in ("ab", "ba"):
        rest = seen.wanted_ns(who) - seen.wanted_ns(who, other)
        run.check(f"{who} wants the processor that {other} has, but for {rest / 1e6:.0f} ms",
                  rest < others * (1 + CLOSE) + seen.outside_ns(who))
    return seen


def w8_short(run):
    """A lock that is held for less than a turn on the one processor: hardly anyone waits for it."""
    convoy(run, 1200, "500")


def w8_long(run):
    """For more than a turn: who comes meanwhile waits for the other."""
    seen = convoy(run, 40, "8000")
    run.knot(seen, "a", "b")


def w9(run):
    """A neighbour that always wants the processor: it is charged with what it had of it."""
    cpu = min(os.sched_getaffinity(0))
    busy = f"import os\nopen('/proc/self/comm', 'w').write('neighbour')\nos.sched_setaffinity(0, [{cpu}])\nwhile 1: 0"
    with subprocess.Popen([sys.executable, "-c", busy]) as neighbour:
        try:
            seen = run.seen("neighbour", 600, "", str(neighbour.pid))
        finally:
            neighbour.kill()
    run.edges(seen)
    had = seen.own["facts"]["neighbour_ns"]
    run.near("worker wants the processor that neighbour has", seen.wanted_ns("worker", "neighbour"), had,
             missing_ns=missing_ns(seen, "worker"))


def w10(run):
    """A client of another program asks at fixed times: the server has little to do."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with subprocess.Popen([run.arguments.scenes, run.folder / "client.json", "client", "100", "", port]) as client:
        try:
            seen = run.seen("server", 1, "", port)
        finally:
            client.kill()
    run.truth("server waits for the client of the time", seen.own_share("server", "client"), 0.7)
    run.edges(seen)
    run.follow(seen.found["headline"],
               not seen.found["saturated"] and seen.found["headline"].startswith("Not saturated"))


def w11(run):
    """A heartbeat beside two that wait for each other."""
    seen = run.seen("stage", 100, "heartbeat")
    run.truth("B waits for C of the time", seen.own_share("B", "C"), 0.5)
    run.truth("heartbeat waits for its nap of the time", seen.own_share("heartbeat", "timer"), 1)
    run.edges(seen)
    run.knot(seen, "B", "C")
    run.follow(f"set aside: {seen.background()}", seen.background().get("heartbeat") == "sleeps")


def w12_timer(run):
    seen = run.seen("naps", 150)
    run.truth("worker naps of the time", seen.own_share("worker", "timer"), 0.8)
    run.edges(seen)
    run.knot(seen, "timer")


def w12_disk(run):
    seen = run.seen("disk", 150, "", run.disk())
    run.disk_alone(seen)
    run.truth("worker writes of the time", seen.own_wall_share("worker", "disk"), 0.8, 0.1)
    run.edges(seen)
    run.idle_disk(seen, "worker", 1)
    run.knot(seen, "worker", "disk")


def w12_loopback(run):
    """The peer's thread, and not the network."""
    seen = run.seen("echo", 700)
    run.truth("first waits for echo of the time", seen.own_share("first", "echo"), 0.5)
    run.edges(seen)
    run.knot(seen, "first", "echo")


def w14(run):
    """A request passes four threads, each by another way: while one has it, four others are behind it."""
    seen = run.seen("chain", 200)
    facts = seen.own["facts"]
    stages = [f"t{i}" for i in range(1, 5)]
    run.truth("the stages, of the latency", sum(facts[f"{t}_ns"] for t in stages) / facts["latency_ns"], 1)
    run.edges(seen)
    run.knot(seen, "client", *stages)
    for t in stages:
        run.near(f"blamed on {t}", seen.blamed_ns(t), 4 * facts[f"{t}_ns"], missing_ns=4 * missing_ns(seen, "client"))
    chain_by_request(run, run.recorded("chain", 200))


def shares_by_request(run, seen):
    """By the program's own clocks: what a request waits for each, and with which it varies."""
    facts, count = seen.own["facts"], seen.own["done"]
    x, y = (seen.by_request("edges", "server", whom) for whom in "XY")
    for name, part in ("X", x), ("Y", y):
        run.near(f"server -> {name}, a request", part["mean_ns"]["value"], seen.own_ns("server", name) / count,
                 missing_ns=missing_ns(seen, "server") / count)
    share = facts["x_share_ppm"] / 1e6
    for name, part, own in (("X", x, share), ("Y", y, 1 - share)):
        found = part["variance_share"]["value"]
        run.check(f"share of the variance of {name}: found {found:.3f}, and not {own:.3f}", abs(found - own) < 0.03)


def chain_by_request(run, seen):
    """One chain: each stage has its part of the latency, and all parts are the latency."""
    facts, count = seen.own["facts"], seen.own["done"]
    run.near("a request", seen.found["requests"]["mean_ns"]["value"], facts["latency_ns"] / count)
    for t in ("t1", "t2", "t3", "t4"):
        run.near(f"{t}, a request", seen.leaf_ns(t), facts[f"{t}_ns"] / count)


def w15(run):
    """Nine of ten requests wait 1 ms for X, one 10 ms for Y."""
    for seen in run.seen("shares", 400), run.recorded("shares", 400):
        facts, count = seen.own["facts"], seen.own["done"]
        run.truth("server waits for X, ms a request", facts["x_ns"] / count / 1e6, 0.9, 0.15)
        run.truth("server waits for Y, ms a request", facts["y_ns"] / count / 1e6, 1.0)
        run.truth("the latency's variance, ms2", facts["variance_ns2"] / 1e12, 7.29, 0.15)
        run.truth("share of the variance that X has, beside 1", 1 + facts["x_share_ppm"] / 1e6, 1 - 0.81 / 7.29, 0.02)
        run.edges(seen)
    shares_by_request(run, seen)


SCENES = [w1_disk, w1_nap, w2, w3, w4_new, w4_kept, w5, w6, w7, w8_short, w8_long, w9, w10, w11, w12_timer, w12_disk,
          w12_loopback, w14, w15]
TRIES = 3


def run_scene(scene, arguments):
    """Until the machine lets it."""
    for left in reversed(range(TRIES)):
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            run = Run(arguments, folder)
            scene(run)
        if run.faults or not run.missed:
            break
    return run


def is_good(run, arguments):
    return not run.faults and (arguments.busy if run.missed else not run.follows)


def report(scene, runs, arguments):
    whole = [run for run in runs if not run.lost]
    worst = max(whole or runs, key=lambda run: run.worst)
    good = sum(is_good(run, arguments) for run in runs)
    print(f"{scene.__name__:<13} {good:>2}/{len(runs)}  {len(whole):>2}/{len(runs)}  {worst.worst:6.1%}  "
          f"{worst.worst_edge}", flush=True)
    for fault in dict.fromkeys(fault for run in runs for fault in run.faults + run.follows):
        print(f"              {fault}")
    for missed in dict.fromkeys(missed for run in runs for missed in run.missed):
        print(f"              the machine was too busy: {missed}")
    return good == len(runs)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("vprofiler")
    parser.add_argument("scenes")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--busy", action="store_true", help="what a program is kept from is no fault")
    parser.add_argument("--folder", help="on a disk: where the files are that are written over")
    return parser.parse_args()


def main():
    arguments = parse()
    only = set(filter(None, arguments.only.split(",")))
    good = True
    print("scene         good  whole   worst edge of those that are whole")
    with never_idle.all_processors():
        for scene in SCENES:
            if only and not only & {scene.__name__, scene.__name__.split("_")[0]}:
                continue
            runs = [run_scene(scene, arguments) for _ in range(arguments.times)]
            good &= report(scene, runs, arguments)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
