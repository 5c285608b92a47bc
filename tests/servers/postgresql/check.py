#!/usr/bin/env python3
"""vprofiler on PostgreSQL 15 of Debian's source package, under pgbench, against an independent clock.

usage: check.py VPROFILER [--work FOLDER] [--data FOLDER] [--settings NAME,...] [--max-rounds N] [--times N]
                [--seconds N]

In each setting `iterate --live --auto` looks for why transactions vary. What it found is then measured under the
same load, N times in turns: by vprofiler, in the build of the drill-down with these functions alone switched on, and
by bpftrace's uprobes (../uprobes.py), in the server as it is; TPC-B and select-only by both at once, with a clock that the
linker puts in (link_clock.py). The first function must be the same, in these two in each turn, and the contribution of each
within 5 points. Below the call that waits must be what others did in their own processes, a good part of it the holder's. `slow` has a planted slow disk of known spread. Prints tables; exits 1 where one is out of its bounds.

The work's FOLDER keeps the source, the server as it is, and the results; what is there is not made again. Traces
lie there too: have the data, which PostgreSQL syncs, on another disk, or the work in memory. Needs root, bpftrace,
the network and 24 GB of memory.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parents[1] / "planted"), str(HERE.parents[1] / "bench")]
import server  # noqa: E402
import uprobes  # noqa: E402
from carrier import Carrier  # noqa: E402
from link_clock import STEPS, WAITS, LinkClock  # noqa: E402
from check_planted import share_of  # noqa: E402
from laws import broken  # noqa: E402
from warm_memory import warm  # noqa: E402

BEGIN, ENDS = "StartTransaction", ["CommitTransaction", "AbortTransaction"]
POINTS = 0.05
WOKEN = ("woken-by", "for-another")
LIBC = pathlib.Path("/lib/x86_64-linux-gnu/libc.so.6")
CALLS_MAX = 20  # an interval: uprobes cost 1 to 4 us each
SPREAD_NS = 5e6
WARM_BYTES = 8000 << 20

# Sleeping for an LWLock, writing the log, sleeping for a row, and waiting for the client: WaitLatch waits by
# WaitEventSetWait and epoll_wait, too.
WAITING = ["sem_wait", "XLogWrite", "WaitLatch", "WaitEventSetWait"]
OUTSIDE = {"WaitEventSetWait": "WaitLatch", "epoll_wait": "WaitLatch"}

# `suspects` are disjoint, and chosen without vprofiler: where PostgreSQL waits, and for a load without
# waits the steps of a query. `waits`: below the call that blocks, most must be what others did, and of that a quarter
# in this function of the holder's.
SETTINGS = {
    "tpcb": {"environment": {"PG_SCALE": "10"},
             "suspects": [name for name in WAITS if name != "CommitTransaction"],
             "waits": {"sem_wait": "XLogFlush"}, "together": WAITS},
    "rows": {"environment": {"PG_SCALE": "1"},
             "suspects": WAITING,
             "waits": {"WaitLatch": "XLogFlush"}},
    "select": {"environment": {"PG_SCALE": "10", "PG_LOAD": "-S"},
               "suspects": list(STEPS),
               "waits": {}, "together": STEPS},
    "slow": {"environment": {"PG_SCALE": "10", "PG_CLIENTS": "1", "SYNC_US": "1000",
                             "SYNC_SPREAD_US": f"{SPREAD_NS / 1e3:.0f}"},
             "suspects": WAITING,
             "waits": {}},
}


def run(command, **more):
    return subprocess.run([str(word) for word in command], check=True, **more)


def symbols(binary, *options):
    """The functions of a program or a library."""
    listed = run(["nm", *options, binary], capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in listed.splitlines() if line.split()[-2] in "tTWi"}


class Data:
    """The folder that all servers have their data in, one after the other."""

    def __init__(self, folder):
        self.folder, self.loaded = folder, folder / "loaded"

    def environment(self, setting, seconds):
        self.loaded.unlink(missing_ok=True)
        return {**setting["environment"], "PG_FOLDER": str(self.folder), "PG_SECONDS": str(seconds)}

    def settle(self, load):
        """Until the load runs; its first transactions read the tables."""
        while load.poll() is None and not self.loaded.exists():
            time.sleep(0.1)
        time.sleep(2)


class Server:
    """A server, and its load."""

    def __init__(self, tree, source=None):
        self.tree = tree
        self.binary = tree / "installed/bin/postgres"
        if not self.binary.exists():
            shutil.rmtree(tree, ignore_errors=True)
            shutil.copytree(source, tree, symlinks=True)
            run([HERE / "build.sh"], cwd=tree, stdout=subprocess.DEVNULL)
        names = symbols(self.binary)
        # What the compiler cut in two or specialized is called past its own address.
        cut = {name.split(".")[0] for name in names if "." in name and not name.endswith(".cold")}
        self.own, self.library = names - cut, symbols(LIBC, "-D")

    def point(self, name):
        """What bpftrace calls the function; None: it has no place of its own."""
        return name if name in self.own else f"{LIBC}:{name}" if name in self.library else None

    def uprobes(self, functions):
        return uprobes.Uprobes(self.binary, BEGIN, ENDS, {name: self.point(name) for name in functions}, OUTSIDE)

    def measure(self, functions, setting, data, seconds):
        """Uprobes on the functions, while the load runs."""
        probes = self.uprobes(functions)
        with subprocess.Popen([HERE / "run.sh"], cwd=self.tree, text=True, stdout=subprocess.PIPE,
                              env={**os.environ, **data.environment(setting, seconds + 6)}) as load:
            data.settle(load)
            result = uprobes.decompose(*probes.rows(seconds))
            load.communicate()
        if load.returncode:
            raise SystemExit(f"run.sh ended with {load.returncode}")
        return result


def reports(out):
    """Of all rounds: a drill-down that was interrupted counts as far as it came."""
    return sorted(out.glob("001/rounds/*/report.json"))


def recorded_build(work, tree):
    """What is compiled, from the first drill-down's build of the tree as it is, for those that come after it."""
    for log in sorted(work.glob("*/latest/compiles.log")):
        if reports(log.parents[1]):
            return ["--compile-commands", server.compile_commands(log.parents[1], tree)]
    return []


def iterate(options, name, setting, data, source, plain):
    out = options.work / name
    if not reports(out):
        shutil.rmtree(out, ignore_errors=True)
        recorded = recorded_build(options.work, plain.tree)
        out.mkdir()
        if (options.work / "cache").exists():
            shutil.copytree(options.work / "cache", out / "cache")
        tree = plain.tree if recorded else source
        server.iterate(options.vprofiler, server.Setting(HERE, data.environment(setting, 240)), tree, out,
                       "--keep", "--max-rounds", options.max_rounds, *recorded)
        shutil.rmtree(options.work / "cache", ignore_errors=True)
        shutil.move(out / "cache", options.work / "cache")
    return json.loads(reports(out)[-1].read_text())


def bare(name):
    """Without the file that tells functions of one name apart."""
    return name.split(" (")[0]


def nodes(node, name):
    """The nodes of that name, the transaction's own only: what a waker did is told apart."""
    if node["kind"] in WOKEN:
        return []
    below = [found for child in node.get("children") or [] for found in nodes(child, name)]
    return [node] * (node["kind"] != "body" and bare(node["name"]) == name) + below


def calls(report, name):
    return sum(node["calls_per_interval"] for node in nodes(report["tree"], name))


def factors(report):
    """Functions alone, by rank."""
    return {bare(factor["functions"][0]): factor for factor in report["factors"]
            if factor["kind"] == "variance" and not factor["functions"][0].endswith("]")}


def are_one(report, one, other):
    """One does little but call the other."""
    found, tree = factors(report), report["tree"]
    return (abs(contribution(report, one) - contribution(report, other)) < 0.01 and
            any(nodes(below, inner) for outer, inner in ((one, other), (other, one)) if outer in found
                for node in nodes(tree, outer) for below in node.get("children") or []))


def to_measure(report, setting, plain):
    """The suspects, and what vprofiler ranks first, as far as uprobes can count it without harm: each call they count
    slows the server, so not what is nearly the same as another."""
    known = dict.fromkeys([*setting["suspects"], *setting.get("together", [])])
    chosen = [name for name in known if plain.point(name)]
    ranked = [name for name, factor in factors(report).items()
              if factor["contribution"] >= POINTS and plain.point(name)
              and calls(report, name) <= CALLS_MAX]
    for name in ranked[:6]:
        if name not in chosen and not any(are_one(report, name, other) for other in chosen):
            chosen.append(name)
    return chosen


def firsts(ours, others, together):
    """Of {function: its contribution in each turn}, of both accounts: the first of all, and where both are of the same
    transactions, of each turn."""
    for turn in range(len(next(iter(ours.values())))) if together else [None]:
        yield [max(account, key=lambda name: statistics.median(account[name]) if turn is None else account[name][turn])
               for account in (ours, others)]


def contribution(report, name):
    return factors(report)[name]["contribution"] if name in factors(report) else 0


def told(values):
    return f"{statistics.median(values):.3f} ({' '.join(f'{value:.3f}' for value in values)})"


def difference(ours, others, together):
    """Of the same transactions turn by turn, else of the medians."""
    if together:
        return statistics.median(mine - other for mine, other in zip(ours, others))
    return statistics.median(ours) - statistics.median(others)


def compare(report, again, truths, suspects, together):
    """Prints the table; what is out of bounds."""
    found, failures, mine, theirs = factors(report), [], {}, {}
    print(f"  {'function':24} rank  drill-down [95 %]     vprofiler again             uprobes                     "
          "calls")
    for name in truths[0]["parts"]:
        ours = [contribution(one, name) for one in again]
        parts = [truth["parts"][name] for truth in truths]
        others = [part["contribution"] for part in parts]
        if name in suspects:
            mine[name], theirs[name] = ours, others
        factor = found.get(name)
        first = (f"{factor['rank']:4}  {factor['contribution']:.3f} [{factor['ci95'][0]:.3f}, {factor['ci95'][1]:.3f}]"
                 if factor else "   -  not opened        ")
        off = abs(difference(ours, others, together)) > POINTS
        print(f"  {name:24} {first}  {told(ours)}  {told(others)}  {calls(again[0], name):.2f} "
              f"{parts[0]['calls']:.2f}{'  <--' if off else ''}")
        if off:
            failures.append(f"{name}: {told(ours)} is not {told(others)}")
    for first, other in firsts(mine, theirs, together):
        print(f"  first: vprofiler {first}, uprobes {other}")
        if first != other:
            failures.append(f"the first function is {first}, by uprobes {other}")
    return failures


def part(node, kinds):
    """Of the node's share, what nodes of these kinds below it have; what a waker did is one node."""
    return sum(child["share"] if child["kind"] in kinds else 0 if child["kind"] in WOKEN else part(child, kinds)
               for child in node.get("children") or [])


def check_holder(report, wait, holder):
    """From the beginning of the wait to its release it is the holder's; then the scheduler's."""
    waits = nodes(report["tree"], wait)
    share, late, woken = (sum(node["share"] for node in waits), sum(part(node, ("wait",)) for node in waits),
                          sum(part(node, WOKEN) for node in waits))
    held = sum(share_of(node, holder) for node in waits)
    print(f"  {wait}: share {share:.3f}, of this {late:.3f} was wake-up latency, {woken:.3f} is what others did, "
          f"{held:.3f} {holder}")
    fine = woken > 0.8 * (share - late) > 0 and woken > share / 2 and held > woken / 4
    return [] if fine else [f"below {wait} there is too little of {holder}"]


def describe_latency(who, intervals):
    print(f"  {who:10} {intervals['count']:7} transactions, mean {intervals['mean_ns'] / 1e6:.3f} ms, standard "
          f"deviation {intervals['variance_ns2'] ** 0.5 / 1e6:.3f} ms")


def describe(report, again, truths):
    print(f"  rounds {report['rounds']}, timed {report['functions_timed']} of {report['functions_known']}, coverage "
          f"{report['coverage']:.4f}")
    describe_latency("drill-down", report["intervals"])
    for kind in report["intervals"].get("types", []):
        print(f"    {kind['name'] or '(no type)':12} {kind['count']:7} mean {kind['mean_ns'] / 1e6:.3f} ms")
    for one, truth in zip(again, truths):
        describe_latency("again", one["intervals"])
        describe_latency("uprobes", truth)
    for warning in report["warnings"]:
        print(f"  {warning['code']}: {warning['message']}")


def check_planted_disk(report):
    """One client: each transaction waits for one fdatasync, whose variance is that of what was planted; of a sample
    of n, within 3 standard deviations of 1 + sqrt(8 / n)."""
    intervals, found = report["intervals"], factors(report)
    planted, chance = SPREAD_NS ** 2 / intervals["variance_ns2"], 3 * (8 / intervals["count"]) ** 0.5
    mine = found["issue_xlog_fsync"]["contribution"] if "issue_xlog_fsync" in found else 0
    print(f"  planted: {planted:.3f} of the variance, issue_xlog_fsync {mine:.3f}")
    return [] if abs(planted - mine) <= POINTS + chance else ["the slow disk's part is not what was planted"]


def measure_again(options, name, functions, setting, data):
    """vprofiler's own figures of the functions, with no others timed: next to those of uprobes, time after time."""
    carrier = Carrier(options.work / name / "001")
    return carrier.measure(options.vprofiler, functions, [HERE / "run.sh"], data.environment(setting, options.seconds + 6),
                           options.seconds, data.settle)


def measure_together(options, name, functions, setting, data):
    """vprofiler's figures and those of a clock linked into the same server, of the same transactions."""
    carrier = Carrier(options.work / name / "001")
    begins = []

    def settle(load):
        data.settle(load)
        begins.append(time.clock_gettime_ns(time.CLOCK_MONOTONIC))

    with LinkClock(carrier.tree, setting["together"]) as clock:
        report = carrier.measure(options.vprofiler, functions, [HERE / "run.sh"],
                                 {**data.environment(setting, options.seconds + 4), **clock.environment},
                                 options.seconds, settle)
        return report, uprobes.decompose(*clock.rows(begins[0], options.seconds))


def measure_turn(options, name, functions, setting, data, plain):
    """Both accounts. On memory that was in use before, each turn anew: new pages of a trace are pauses in a virtual
    machine, as long as those that make a select vary, and lie within a clock around a call and outside of vprofiler's,
    whose records are written when its timer has stopped."""
    with warm(WARM_BYTES):
        if setting.get("together"):
            return measure_together(options, name, functions, setting, data)
        return (measure_again(options, name, functions, setting, data),
                plain.measure(functions, setting, data, options.seconds))


def check(options, name, source, plain):
    setting = SETTINGS[name]
    if name == "slow":
        setting["environment"]["PG_PRELOAD"] = str(compile_disk(options.work))
    print(f"{name}:", flush=True)
    data = Data(options.data)
    report = iterate(options, name, setting, data, source, plain)
    functions = to_measure(report, setting, plain)
    again, truths = [], []
    for _ in range(options.times):
        mine, truth = measure_turn(options, name, functions, setting, data, plain)
        again.append(mine)
        truths.append(truth)
    describe(report, again, truths)
    failures = list(broken(report) or []) + compare(report, again, truths,
                                                    [f for f in setting["suspects"] if f in functions],
                                                    setting.get("together"))
    for wait, holder in setting["waits"].items():
        failures += check_holder(report, wait, holder)
    if name == "slow":
        failures += check_planted_disk(report)
    return [f"{name}: {failure}" for failure in failures]


def compile_disk(folder):
    library = folder / "slow_sync.so"
    run(["cc", "-O2", "-fPIC", "-shared", HERE / "slow_sync.c", "-o", library, "-lm"])
    return library


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("vprofiler", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=None)
    parser.add_argument("--data", type=pathlib.Path, default=None)
    parser.add_argument("--settings", default=",".join(SETTINGS))
    parser.add_argument("--max-rounds", default="5")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    options.vprofiler = options.vprofiler.resolve()
    options.work = (options.work or pathlib.Path(tempfile.mkdtemp())).resolve()
    options.work.mkdir(exist_ok=True)
    options.data = (options.data or options.work / "data").resolve()
    return options


def main():
    options = parse_options()
    source = server.source("postgresql-15", options.work)
    plain = Server(options.work / "plain", source)
    failures = []
    for name in options.settings.split(","):
        failures += check(options, name, source, plain)
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
