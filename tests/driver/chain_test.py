#!/usr/bin/env python3
"""Filters that call each other through pointers are opened together, and nothing that is none.

usage: chain_test.py VPROFILER
"""
import sys

from target import Target, pathlib, read_report

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
BUILD = f"""#!/bin/sh
set -e
cc -O1 -g ${{VPROF_CFLAGS--I{INCLUDE}}} -c *.c
cc -o server *.o
./server
"""
HEADER = "typedef int (*filter)(int);\ntypedef long (*other)(long);\nextern filter top;\n"
FILTER = """#include <time.h>
#include "filter.h"
static filter next;
static void nap(long us)
{
    struct timespec time = {0, us * 1000};
    nanosleep(&time, 0);
}
static int work_N(int x)
{
    volatile int y = x;
    for (int k = 0; k < 50; k++)
        y += k;
    return y;
}
static int run_N(int x)
{
    work_N(x);
    if (!next)
        nap(x % 2 ? 200 : 3000);
    return next ? next(x) + 1 : x;
}
void init_N(void);
void init_N(void)
{
    next = top;
    top = run_N;
}
"""
# What has the type and goes no further, and what goes further and is of another type.
BESIDE = "".join(f"static int end_{i}(int x) {{ volatile int y = x; while (y > 9) y -= 3; return y; }}\n"
                 f"static long far_{i}(long x) {{ extern other many[]; return x ? many[0](0) : x; }}\n"
                 for i in range(20))
TABLES = ("filter ends[] = {" + ", ".join(f"end_{i}" for i in range(20)) + "};\n"
          "other many[] = {" + ", ".join(f"far_{i}" for i in range(20)) + "};\n")
failures = []


def expect(name, truth, detail=""):
    if not truth:
        failures.append(name)
        print(f"FAILED {name} {detail}")


def main_text(count):
    names = [f"init_{i}" for i in reversed(range(count))]
    return ('#include "vprof_api.h"\n#include "filter.h"\nfilter top;\n' +
            "".join(f"void {name}(void);\n" for name in names) +
            "static int answer(int x) { return top(x); }\n"
            "static int handle(long id)\n{\n    SI_BEGIN(id);\n    int x = answer((int)id);\n"
            "    SI_END(id);\n    return x;\n}\nint main(void)\n{\n    int x = 0;\n" +
            "".join(f"    {name}();\n" for name in names) +
            "    for (long id = 0; id < 120; id++)\n        x += handle(id);\n"
            "    return x == -1;\n}\n")


def functions_in(node):
    return {node["name"]}.union(*map(functions_in, node["children"]))


def check(vprofiler, count, most_rounds, most_timed):
    files = {f"f{i}.c": FILTER.replace("_N", f"_{i}") for i in range(count)}
    files.update({"filter.h": HEADER, "server.c": main_text(count), "build.sh": BUILD,
                  "beside.c": '#include "filter.h"\n' + BESIDE + TABLES})
    with Target(vprofiler, files) as target:
        got = target.iterate("--auto", "--threshold", "0.3")
        expect(f"{count}: exit", got.returncode == 0, got.stderr)
        found = read_report(target)
        missing = {f"run_{i}" for i in range(count)} - functions_in(found["tree"])
        expect(f"{count}: all links", not missing, str(missing))
        expect(f"{count}: the end", found["factors"][0]["functions"] == ["nanosleep"],
               str(found["factors"][0]))
        expect(f"{count}: rounds", found["rounds"] <= most_rounds, got.stderr)
        expect(f"{count}: timed", found["functions_timed"] <= most_timed, got.stderr)


def main():
    check(sys.argv[1], 6, 5, 20)
    check(sys.argv[1], 14, 5, 44)
    check(sys.argv[1], 20, 12, 70)
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
