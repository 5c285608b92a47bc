#!/usr/bin/env python3
"""`vprofiler stacks` against `vprofiler iterate`: the same requests of leveldb, redis and PostgreSQL, told by both.

usage: stacks_against_iterate.py VPROFILER WORK_FOLDER [SERVER...]

`iterate` looks for why requests vary, and leaves the program of its last round, whose functions are timed. That program
then runs once more, recorded by both: it times its functions exactly, and `stacks` watches it from outside, by where
requests begin and end, and by stacks. Of each function that has more than 3 % of the variance or of the time by either,
and that is timed, the two shares may differ by 3 points; and the first three by what is their own must be the same. A call
into a library that stacks never show goes on by a jump: it is not compared. Prints a table of each server; exits 1 where
one is out of its bounds. Needs root and the network. What the folder holds of an earlier run is used again.
"""
import collections
import os
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import kernel_check  # noqa: E402
import server  # noqa: E402
from server import check_report  # noqa: E402

LEAST, POINTS, FIRST = 0.03, 0.03, 3
# Not told alike: a lock that pthread_cond_wait takes again is a call of its own by `iterate`, and what was declared to
# it as a wait is one only where the wait itself was seen.
APART = ("pthread_cond_wait", "pthread_mutex_lock", "WaitLatch")
AROUND = 0.99  # of the time
ROUNDS, ROUND_SECONDS, SECONDS = 3, 8, 15

ALL_OF_IT = ["VPROF_TRACE_KEEP=oldest", "VPROF_TRACE_CAP_BYTES=2000000000"]

# The package and its setting for a load of so many seconds; the program, and where its requests begin and end.
Case = collections.namedtuple("Case", "package setting program requests")
Part = collections.namedtuple("Part", "share mean")  # of the variance, and of the time


def leveldb(_, seconds):
    setting = kernel_check.checks_of("leveldb").setting(seconds)
    longer = setting._replace(environment={**setting.environment, "LEVELDB_VALUE": "10000"})  # than the two traps take
    return Case("leveldb", longer, "build/load",
                ["--interval", "leveldb::DBImpl::Write@{program}"])


def redis(folder, seconds):
    check, load = kernel_check.checks_of("redis"), folder / "load"
    server.run(["cc", "-O2", HERE / "load.c", "-o", load, "-lpthread"], server.Setting(folder, {}))
    few = {**check.LOADS["always"][0], "REDIS_KEYS": "1000"}  # each of them is synced
    return Case("redis", check.setting(few, load, seconds), "src/redis-server",
                ["--begin", "afterSleep@{program}", "--end", "beforeSleep%return@{program}"])


def postgresql(folder, seconds):
    check = kernel_check.checks_of("postgresql")
    environment = {**check.SETTINGS["tpcb"]["environment"], "PG_FOLDER": str(folder / "data"), "PG_SECONDS": str(seconds)}
    return Case("postgresql-15", server.Setting(HERE / "postgresql", environment), "installed/bin/postgres",
                # The last that CommitTransaction calls but the memory's release; it ends itself by a jump to a mark.
                ["--begin", "StartTransaction@{program}", "--end", "AtEOXact_ApplyLauncher%return@{program}"])


CASES = {"leveldb": leveldb, "redis": redis, "postgresql": postgresql}


def last_program(vprofiler, case, folder):
    """Its tree, built, and its functions.json."""
    out = folder / "iterate"
    if not (out / "latest/report.json").exists():
        shutil.rmtree(out, ignore_errors=True)
        setting = case.setting
        server.run([vprofiler, "iterate", "--auto", "--keep", "--quiet", "--share", "--max-rounds", ROUNDS, "--out", out,
                    "--source", server.source(case.package, folder / "source"), "--build", setting.folder / "build.sh",
                    "--run", setting.folder / "run.sh", "--config", setting.folder / "vprofiler.json"], setting)
    result = (out / "latest").resolve()
    return result / "tree", max(result.glob("rounds/*/functions.json"))


def record(vprofiler, case, tree, table, folder):
    """(what the program's own probes say, what `stacks` says) of one run."""
    exact, inferred = folder / "exact", folder / "stacks"
    shutil.rmtree(exact, ignore_errors=True)
    shutil.rmtree(inferred, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as trace:
        os.chmod(trace, 0o777)
        requests = [word.format(program=tree / case.program) for word in case.requests]
        with open(folder / "stacks.txt", "w") as text:
            server.run([vprofiler, "stacks", "--kernel", "on", "--rate", "2000", "--share", "--out", inferred, *requests,
                        "--", "env", f"VPROF_TRACE_DIR={trace}", "VPROF_TRACE_SHARE=1", *ALL_OF_IT, case.setting.folder / "run.sh"],
                       case.setting, cwd=tree, stdout=text)
        # The kernel's side is one for both.
        shutil.copy(inferred / "latest/rounds/01/trace/kernel.vtr", trace)
        server.run([vprofiler, "analyze", "--quiet", "--functions", table, "--out", exact, trace], case.setting)
    return server.result(exact), server.result(inferred)


def short(name):
    """DBImpl::Write of "leveldb::DBImpl::Write (db/db_impl.cc:1200)": as the other one may call it."""
    name, before = re.sub(r" \(\S+:\d+\)$", "", name), None
    while name != before:
        name, before = re.sub(r"<[^<>]*>", "", name), name
    name = "::".join(name.split("::")[-2:]).removeprefix("wait_")  # the runtime's, which `iterate` puts around a wait
    return name if name.startswith("(") or "not sampled" in name else name.split(" ")[-1]


def is_function(node):
    return node["kind"] in ("function", "call")


def is_others(node):
    """What others did for a request is not its thread's."""
    return node["kind"] in ("woken-by", "for-another")


def parts(report):
    """{function: Part}, of its calls that are within no other call of it."""
    found, mean = {}, report["intervals"]["mean_ns"]

    def look(node, within):
        if is_others(node):
            return
        name = short(node["name"])
        if is_function(node) and name not in within:
            before = found.get(name, Part(0, 0))
            found[name] = Part(before.share + node["share"], before.mean + node["mean_ns"] / mean)
            within = within | {name}
        for child in node["children"]:
            look(child, within)

    look(report["tree"], frozenset())
    return found


def owns(report, known):
    """{function: share}, without what the calls below it have of functions that both know."""
    own = collections.Counter()

    def look(node, above):
        if is_others(node):
            return
        name = short(node["name"])
        if is_function(node) and name in known:
            own[name] += node["share"]
            own[above] -= node["share"]
            above = name
        for child in node["children"]:
            look(child, above)

    look(report["tree"], None)
    del own[None]
    return own


def first(report, known):
    """Those with the largest shares of their own, as far as these count."""
    return [name for name, share in owns(report, known).most_common(FIRST) if share >= LEAST]


def library_calls(report):
    """Those that `iterate` times around the call."""
    return {short(node["name"]) for node in check_report.nodes(report["tree"]) if node["kind"] == "call"}


def are_alike(name, one, theirs, calls):
    """Whether both tell of the function. Calls around a request that is a call itself are not told of by stacks."""
    if name in APART or (one.mean >= AROUND and theirs.get(name, Part(0, 0)).mean < LEAST):
        return False
    return name in theirs or name not in calls


def describe(report):
    intervals = report["intervals"]
    return (f"{intervals['count']} requests, mean {intervals['mean_ns'] / 1000:.1f} us, standard deviation "
            f"{intervals['variance_ns2'] ** .5 / 1000:.1f} us")


def compare(exact, inferred):
    """Prints both; what is out of its bounds."""
    print(f"  iterate: {describe(exact)}\n  stacks:  {describe(inferred)}")
    print("  | function | share, iterate | stacks | time, iterate | stacks |\n  |---|---|---|---|---|")
    ours, theirs, failures = parts(exact), parts(inferred), []
    ours = {name: one for name, one in ours.items() if are_alike(name, one, theirs, library_calls(exact))}
    for name, one in sorted(ours.items(), key=lambda item: -item[1].share):
        other = theirs.get(name, Part(0, 0))
        if max(*one, *other) < LEAST:
            continue
        apart = abs(one.share - other.share)
        print(f"  | {name} | {one.share:.1%} | {other.share:.1%} | {one.mean:.1%} | {other.mean:.1%} |"
              f"{'' if apart <= POINTS else ' !'}")
        failures += [] if apart <= POINTS else [f"{name} is {apart:.3f} apart"]
    firsts = [first(report, ours) for report in (exact, inferred)]
    print(f"  first: {', '.join(firsts[0])}; by stacks: {', '.join(firsts[1])}")
    counts = [report["intervals"]["count"] for report in (exact, inferred)]
    failures += [] if abs(counts[0] - counts[1]) <= counts[0] / 100 else ["these are not the same requests"]
    return failures + ([] if firsts[0] == firsts[1] else ["the first functions differ"])


def check(vprofiler, name, folder):
    folder.mkdir(exist_ok=True)
    print(f"{name}:", flush=True)
    tree, table = last_program(vprofiler, CASES[name](folder, ROUND_SECONDS), folder)
    exact, inferred = record(vprofiler, CASES[name](folder, SECONDS), tree, table, folder)
    return [f"{name}: {failure}" for failure in compare(exact, inferred)]


def main():
    vprofiler, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(exist_ok=True)
    failures = [failure for name in sys.argv[3:] or CASES for failure in check(vprofiler, name, folder / name)]
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
