#!/usr/bin/env python3
"""vprofiler on redis 7.0 of Debian's source package, pristine, under two loads.

usage: check.py VPROFILER [WORK_FOLDER [LOAD]]

    always   eight clients that write, each write on disk before it is answered (appendfsync always)
    keys     get and set, and now and then a KEYS that looks through 100,000 keys

Of each: `iterate --live` finds the first factor; then a build that times the functions around it runs while
bpftrace times the same by uprobes: their shares may differ by 0.05; then `compare --ab` sets it against a run
with the factor removed (appendfsync everysec, SCAN): the variance must be less.
Prints the figures; exits 1 where one is out of its bounds.
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import server  # noqa: E402
import uprobes  # noqa: E402

TOLERANCE = 0.05
LIBC = "/lib/x86_64-linux-gnu/libc.so.6"
ALWAYS = "--appendonly yes --appendfsync always"
EVERYSEC = "--appendonly yes --appendfsync everysec"
EVERY_TURN = ["readQueryFromClient", "handleClientsWithPendingWritesUsingThreads"]
# name: (before, after, first factor, what the truth times, what is better after it)
LOADS = {
    "always": ({"REDIS_SETTINGS": ALWAYS, "REDIS_MIX": "set"}, {"REDIS_SETTINGS": EVERYSEC, "REDIS_MIX": "set"},
               "fdatasync", ["flushAppendOnlyFile", "fdatasync", *EVERY_TURN], ["mean", "variance", "p99"]),
    "keys": ({"REDIS_MIX": "keys"}, {"REDIS_MIX": "scan"},
             "keysCommand", ["keysCommand", "getCommand", *EVERY_TURN], ["variance"]),
}


def setting(variables, load, seconds):
    return server.Setting(HERE, {"LOAD": str(load), "REDIS_SECONDS": str(seconds), **variables})


def check(vprofiler, tree, folder, name):
    before, after, first, functions, metrics = LOADS[name]
    load, program = folder / "load", folder / "redis-timed"
    print(f"{name}:")
    report = server.iterate(vprofiler, setting(before, load, 60), tree, folder / f"{name}-live")
    factors = report["factors"]
    for factor in factors[:3]:
        print(f"  {factor['rank']}. {' x '.join(factor['functions'])}: {factor['share']:.3f}")
    timed = {name for load in LOADS.values() for name in load[3]} - {"fdatasync"} | {"beforeSleep", "call"}
    table = server.instrument(vprofiler, setting(before, load, 0), tree,
                              server.compile_commands(folder / f"{name}-live", tree), sorted(timed), program)
    clock = uprobes.Uprobes(program / "src/redis-server", "afterSleep", ["beforeSleep"],
                            [f"{LIBC}:{name}" if name == "fdatasync" else name for name in functions])
    names, rows, report = clock.during(lambda: server.record(vprofiler, setting(before, load, 10), program, table,
                                                             folder / f"{name}-truth"))
    worst = server.table(report, uprobes.decompose(names, rows))
    text, comparison = server.compare(vprofiler, [setting(before, load, 5), setting(after, load, 5)], program,
                                      table, folder / f"{name}-compare", 8)
    print(text)
    failures = [] if first in " ".join(factors[0]["functions"]) else [f"factor 1 is {factors[0]['functions']}"]
    failures += [] if worst <= TOLERANCE else [f"a share is {worst:.3f} from the truth"]
    failures += server.not_better(comparison, metrics)
    return [f"{name}: {failure}" for failure in failures]


def main():
    vprofiler = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    folder.mkdir(exist_ok=True)
    subprocess.run(["cc", "-O2", HERE.parent / "load.c", "-o", folder / "load", "-lpthread"], check=True)
    tree = server.source("redis", folder / "source")
    names = sys.argv[3:] or LOADS
    failures = [failure for name in names for failure in check(vprofiler, tree, folder, name)]
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
