#!/usr/bin/env python3
"""How many stacks of programs as distributions ship them reach the start of their threads; prints a table.

usage: reach.py VPROFILER [SECONDS]

sort, xz, redis and PostgreSQL are Debian's own: without frame pointers, stripped. Fails where fewer than 98 % do.
"""
import contextlib
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import left_out  # noqa: E402
import watched  # noqa: E402

SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 5
PLACE = watched.Place(sys.argv[1])
LEAST, FEWEST = 0.98, 200
ROWS = []


def add(program, seen):
    found = seen.tree.found
    stacks = found["samples"] + found["offs_with_stack"]
    ROWS.append((program, stacks, 1 - found["cut"] / stacks, found["unresolved"] / stacks))
    print(f"{program}: {stacks} stacks, {100 * ROWS[-1][2]:.2f} % reach the start, {found['cut']} are cut", flush=True)


def lines_file(megabytes):
    """Lines to sort and to compress, which do not repeat."""
    path = PLACE.home / "lines"
    state = 1
    with path.open("w") as file:
        for _ in range(megabytes * 40000):
            state = state * 6364136223846793005 % 2**64 + 1
            file.write(f"{state % 10**18:024d}\n")
    return path


def programs():
    lines = lines_file(max(1, int(10 * SECONDS)))
    for name, words in ("sort", ["sort", "--parallel=2", "-S", "8M", "-o", "/dev/null", lines]), \
            ("xz", ["xz", "-T2", "-k", "-3", "-c", lines]):
        if not left_out.lacks(words[0], f"stacks of {name}", {"xz": "xz-utils", "sort": "coreutils"}[name]):
            add(f"Debian's {name}", PLACE.run(words, env=dict(os.environ, LC_ALL="C.UTF-8")))


def cxx():
    program = PLACE.build("objects", "-std=c++17", source="objects.cc", compiler="g++")
    add("a C++ program without frame pointers", PLACE.run([program, str(SECONDS)]))


@contextlib.contextmanager
def running(command, **how):
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=60)


def watch(name, pid):
    with watched.never_idle.all_processors():
        done = subprocess.run(PLACE.command("--pid", pid, "--for", f"{SECONDS}s"), text=True, capture_output=True,
                              check=False, cwd=PLACE.home, timeout=300)
    add(name, PLACE.checked(done, ""))


def redis():
    if left_out.lacks("redis-server", "stacks of redis", "redis-server") or \
            left_out.lacks("redis-benchmark", "stacks of redis", "redis-tools"):
        return
    socket = PLACE.home / "redis.sock"
    with running(["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", PLACE.home]) as server:
        while not socket.exists():
            time.sleep(0.05)
        load = ["redis-benchmark", "-s", socket, "-n", "100000000", "-c", "20", "-t", "set,get,lpush,zadd", "-r", "10000"]
        with running(load):
            time.sleep(0.5)
            watch("Debian's redis", server.pid)


def postgresql_folder():
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/pgbench"))
    return found[-1].parent if found else None


def postgresql():
    binaries = postgresql_folder()
    may = os.geteuid() != 0 or any(one.pw_name == "postgres" for one in pwd.getpwall())
    if not may or not binaries or not (binaries / "initdb").exists():
        return left_out.say("stacks of PostgreSQL", apt=["postgresql"])
    home = PLACE.home / "postgresql"
    home.mkdir()
    user = []
    if os.geteuid() == 0:
        shutil.chown(home, "postgres", "postgres")
        user = ["runuser", "-u", "postgres", "--"]

    def run(*words):
        subprocess.run([*user, *map(str, words)], check=True, capture_output=True, cwd=home)
    run(binaries / "initdb", "-D", home / "data", "-U", "bench", "-A", "trust", "--no-sync")
    run(binaries / "pg_ctl", "-D", home / "data", "-w", "-l", home / "log", "-o", f"-k {home} -h '' -c fsync=off", "start")
    try:
        reach = ["-h", home, "-U", "bench"]
        run(binaries / "pgbench", *reach, "-i", "-q", "-s", "3", "postgres")
        server = int((home / "data" / "postmaster.pid").read_text().split()[0])
        with running([*user, binaries / "pgbench", *reach, "-c", "4", "-T", "600", "postgres"], cwd=home):
            time.sleep(1)
            watch("Debian's PostgreSQL", server)
    finally:
        run(binaries / "pg_ctl", "-D", home / "data", "-m", "immediate", "stop")


def table():
    print("\n| program | stacks | reach their thread's start | innermost function without a name |\n|---|---|---|---|")
    for program, stacks, whole, unresolved in ROWS:
        print(f"| {program} | {stacks:,} | {100 * whole:.1f} % | {100 * unresolved:.1f} % |")


if __name__ == "__main__":
    cxx()
    programs()
    redis()
    postgresql()
    table()
    assert all(stacks >= FEWEST and whole >= LEAST for _, stacks, whole, _ in ROWS), "fewer than 98 % reach the start"
