#!/usr/bin/env python3
"""`vprofiler clean` removes what finished loops need no more, and nothing else.

usage: clean_test.py VPROFILER
"""
import fcntl
import os
import re
import subprocess
import sys

from target import BUILD, Target, pathlib

failures = []


def expect(name, truth, detail=""):
    if not truth:
        failures.append(name)
        print(f"FAILED {name} {detail}")


def run(target, command, *options):
    return subprocess.run([target.vprofiler, command, *options], cwd=target.home, text=True,
                          capture_output=True, timeout=120)


def tree_of(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def traces(out, number):
    return sorted((out / number / "rounds").glob("*/trace"))


def make_loops(target):
    """001 is finished and old, 002 was kept, 003 is unfinished, 004 is a recording, 005 the latest."""
    out = target.home / "out"
    for options in ((), ("--keep",), ()):
        got = target.iterate("--auto", "--max-rounds", "2", *options)
        expect("loop", got.returncode == 0, got.stderr)
    (out / "003" / "report.json").unlink()
    (out / "003" / "tree").mkdir(exist_ok=True)
    got = run(target, "record", "--out", str(out), "--", str(out / "002" / "tree" / "server"))
    expect("record", got.returncode == 0, got.stderr)
    got = target.iterate("--auto", "--max-rounds", "2")
    expect("loop", got.returncode == 0, got.stderr)
    (out / "005" / "tree").mkdir(exist_ok=True)
    (out / "notes").mkdir()
    (out / "notes" / "trace").write_text("the user's own")
    (out / "007").mkdir()
    (out / "007" / "trace").write_text("the user's own")
    return out


def test_only_the_last_trace_is_kept(vprofiler):
    with Target(vprofiler) as target:
        target.iterate("--auto", "--max-rounds", "2")
        target.iterate("--auto", "--max-rounds", "2", "--keep")
        out = target.home / "out"
        expect("usual: traces", [t.parent.name for t in traces(out, "001")] == ["02"],
               str(traces(out, "001")))
        expect("keep: traces", [t.parent.name for t in traces(out, "002")] == ["00", "01", "02"],
               str(traces(out, "002")))


def test_failed_round_leaves_no_trace(vprofiler):
    failing = BUILD.replace("./server", './server && [ "$VPROF_ROUND" != 1 ]')
    include = pathlib.Path(__file__).resolve().parents[2] / "include"
    with Target(vprofiler, {"build.sh": failing % include}) as target:
        got = target.iterate("--auto")
        expect("failed: exit", got.returncode == 1, got.stderr)
        expect("failed: traces", not traces(target.home / "out", "001"))


def test_clean(vprofiler):
    with Target(vprofiler) as target:
        out = make_loops(target)
        source, before = target.hashes(), tree_of(out)
        dry = run(target, "clean", "--out", str(out), "--dry-run")
        expect("dry: exit", dry.returncode == 0, dry.stderr)
        expect("dry: nothing gone", tree_of(out) == before)
        expect("dry: says", "would remove" in dry.stdout, dry.stdout)
        got = run(target, "clean", "--out", str(out))
        expect("clean: exit", got.returncode == 0, got.stderr)
        expect("clean: same as said", dry.stdout.replace("would remove", "removed") == got.stdout,
               f"{dry.stdout} {got.stdout}")
        expect("clean: how much", re.search(r"removed [1-9][0-9.]* (kB|MB)", got.stdout),
               got.stdout)
        gone = set(before) - set(tree_of(out))
        allowed = re.compile(r"(001/(rounds/\d+/trace|tree|pristine)|005/(tree|pristine))(/|$)")
        expect("clean: only that", gone and all(allowed.match(path) for path in gone), str(gone))
        expect("clean: 001 has no trace", not traces(out, "001"))
        expect("clean: reports", (out / "001" / "report.html").exists())
        for word in ("002 was made with --keep", "003 is not finished", "004", "005 is the latest"):
            expect(f"clean: {word}", word in got.stdout, got.stdout)
        expect("clean: source", target.hashes() == source)
        for command in (["report"], ["show", "execute"], ["export", "--format", "folded"],
                        ["compare", str(out)]):
            read = run(target, *command, str(out))
            expect(f"latest: {command}", read.returncode == 0, read.stderr)
        read = run(target, "report", str(out / "001"))
        expect("cleaned: said", read.returncode == 3 and "vprofiler clean" in read.stderr,
               read.stderr)
        again = run(target, "clean", "--out", str(out))
        expect("again", "nothing to remove" in again.stdout, again.stdout)


def test_all(vprofiler):
    with Target(vprofiler) as target:
        out = make_loops(target)
        lock = os.open(out / "003", os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        got = run(target, "clean", "--all", "--out", str(out))
        expect("all: exit", got.returncode == 0, got.stderr)
        expect("all: in use", "003 is in use" in got.stdout and traces(out, "003"), got.stdout)
        os.close(lock)
        got = run(target, "clean", "--all", "--out", str(out))
        expect("all: traces", not traces(out, "003") and not traces(out, "005"), got.stdout)
        expect("all: kept", len(traces(out, "002")) == 3 and traces(out, "004"), got.stdout)
        expect("all: cache", not (out / "cache").exists())
        expect("all: others", (out / "notes" / "trace").exists() and (out / "007/trace").exists())


def test_a_link_is_not_followed(vprofiler):
    with Target(vprofiler) as target:
        target.iterate("--auto")
        out, mine = target.home / "out", target.home / "mine"
        mine.mkdir()
        (mine / "data").write_text("the user's own")
        (out / "001" / "tree").symlink_to(mine)
        trace = traces(out, "001")[0]
        trace.rename(out / "001" / "was")
        trace.symlink_to(mine)
        run(target, "clean", "--all", "--out", str(out))
        expect("link", (mine / "data").exists() and trace.is_symlink())


def test_resumed_after_clean(vprofiler):
    """A round whose trace is gone is measured again."""
    with Target(vprofiler) as target:
        target.iterate("--auto", "--max-rounds", "2")
        run(target, "clean", "--all", "--out", str(target.home / "out"))
        got = target.iterate("--resume", "--auto", build=None)
        expect("resumed: exit", got.returncode == 0, got.stderr)
        expect("resumed: measured again", "[2] run" in got.stderr or "[2] build" in got.stderr,
               got.stderr)


def test_nothing_there(vprofiler):
    with Target(vprofiler) as target:
        got = run(target, "clean")
        expect("none: exit", got.returncode == 2, f"{got.returncode} {got.stdout}")
        expect("none: said", "vprofiler-out" in got.stderr, got.stderr)


TESTS = (test_only_the_last_trace_is_kept, test_failed_round_leaves_no_trace, test_clean, test_all,
         test_a_link_is_not_followed, test_resumed_after_clean, test_nothing_there)


def main():
    for test in TESTS:
        test(sys.argv[1])
    print(f"{len(TESTS)} tests, {len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
