#!/usr/bin/env python3
"""Declarations that are no C are told of before anything is built, and a thread may be nobody's.

usage: declared_test.py VPROFILER
"""
import json
import subprocess
import sys

from target import Target, read_report

SERVER = r"""
#include <time.h>
#include "request.h"

static unsigned seed = 1;

static void nap(long us)
{
    struct timespec time = {0, us * 1000};
    nanosleep(&time, NULL);
}

static void execute(void)
{
    seed = seed * 1103515245u + 12345u;
    nap((seed >> 16) % 2 ? 3000 : 200);
}

static void handle(struct request *request)
{
    execute();
    request->done++;
}

int main(void)
{
    struct request request = {0};
    for (int i = 0; i < 100; i++)
        handle(&request);
    return 0;
}
"""
HEADER = """struct request {
    long id, done;
    const char *name;
#ifdef FEATURE
    long rare;
#endif
};
"""
BUILD = """#!/bin/sh
set -e
echo >> ../built
cc -O1 -g -DFEATURE $VPROF_CFLAGS -c server.c -o server.o
cc -o server server.o
"""
GOOD = {"id": "request->id", "if": "1", "type": "request->name"}
failures = []


def expect(name, truth, detail=""):
    if not truth:
        failures.append(name)
        print(f"FAILED {name} {detail}")


def config(where="begin", **changed):
    """A config in which one expression was changed."""
    of = {**GOOD, **changed}
    places = {"begin": {"function": "handle", "at": "entry", "id": "request->id"},
              "end": {"function": "handle", "at": "exit", "id": "request->id"}}
    places[where].update({"id": of["id"], "if": of["if"]})
    return json.dumps({"intervals": [{**places, "type": of["type"]}]}, indent=1)


def files(text):
    return {"server.c": SERVER, "request.h": HEADER, "build.sh": BUILD, "vprofiler.json": text}


def builds(target):
    log = target.home / "out" / "001" / "built"
    return len(log.read_text().splitlines()) if log.exists() else 0


# What is declared, and what the message says: which member, and what the parser said.
WRONG = (
    ({"id": "reqest->id"}, "begin", ["intervals[0].begin.id", "`reqest->id`", "reqest"]),
    ({"id": "request->idd"}, "end", ["intervals[0].end.id", "idd"]),
    ({"id": "(request->id"}, "begin", ["intervals[0].begin.id"]),
    ({"id": "*request"}, "begin", ["intervals[0].begin.id", "struct request"]),
    ({"if": "request->maybe"}, "begin", ["intervals[0].begin.if", "maybe"]),
    ({"type": "request->nam"}, "begin", ["intervals[0].type", "nam"]),
)


def line_of(text, said):
    """Where the last key of the member stands."""
    key = '"%s"' % said.rsplit(".", 1)[-1]
    return [number for number, line in enumerate(text.splitlines(), 1) if key in line]


def test_told_before_the_build(vprofiler):
    for changed, where, said in WRONG:
        text = config(where, **changed)
        with Target(vprofiler, files(text)) as target:
            got = target.iterate("--auto", "--", "./server")
            name = f"wrong {changed}"
            expect(f"{name}: exit", got.returncode == 2, f"{got.returncode} {got.stderr}")
            for word in said + ["handle (server.c:", "Nothing was built"]:
                expect(f"{name}: {word}", word in got.stderr, got.stderr)
            lines = line_of(text, said[0])
            expect(f"{name}: place", any(f"vprofiler.json:{line}:" in got.stderr
                                         for line in lines), f"{lines} {got.stderr}")
            expect(f"{name}: built", builds(target) == 0, got.stderr)


def test_unsure_goes_on(vprofiler):
    """A member that only the flags of the build bring is not refused for being unknown before."""
    with Target(vprofiler, files(config(id="request->rare"))) as target:
        got = target.iterate("--auto", "--max-rounds", "1", "--", "./server")
        expect("unsure: exit", got.returncode == 0, got.stderr)
        expect("unsure: said", "not known yet" in got.stderr and "rare" in got.stderr, got.stderr)
        expect("unsure: intervals", read_report(target)["intervals"]["count"] == 100)


def test_told_after_the_first_build(vprofiler):
    """What needs the flags is told of before the second build, and then before the first one."""
    wrong = config(id="request->rare.id")
    with Target(vprofiler, files(wrong)) as target:
        got = target.iterate("--auto", "--", "./server")
        expect("after: exit", got.returncode == 2, got.stderr)
        expect("after: said", "begin.id" in got.stderr and "[1]" not in got.stderr, got.stderr)
        expect("after: built once", builds(target) == 1, got.stderr)
        again = target.iterate("--auto", "--", "./server")
        expect("again: exit", again.returncode == 2, again.stderr)
        expect("again: not built", "Nothing was built" in again.stderr, again.stderr)


def test_type_is_a_text(vprofiler):
    """Compilers let a number pass for an address, and the program would read text there."""
    with Target(vprofiler, files(config(type="request->id"))) as target:
        got = target.iterate("--auto", "--", "./server")
        expect("type: exit", got.returncode == 2, got.stderr)
        expect("type: said", "intervals[0].type" in got.stderr and "[1]" not in got.stderr,
               got.stderr)


HAND_OVER = r"""
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t full, done;
static long job;

static void nap(long us)
{
    struct timespec time = {0, us * 1000};
    nanosleep(&time, NULL);
}

static void submit(long id)
{
    job = id;
    sem_post(&full);
}

/* It goes on with other work, which is no part of the request that it has handed over. */
static void tidy(void)
{
    nap(2000);
}

static void answer(long id)
{
    nap(id % 2 ? 3000 : 300);
}

static void *work(void *unused)
{
    for (int i = 0; i < 100; i++) {
        sem_wait(&full);
        answer(job);
        sem_post(&done);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (long id = 0; id < 100; id++) {
        submit(id);
        tidy();
        sem_wait(&done);
    }
    pthread_join(thread, NULL);
    return 0;
}
"""


def timed_by(node):
    return {node["name"]}.union(*map(timed_by, node["children"]))


def hand_over(vprofiler, *enter):
    text = json.dumps({"intervals": [{
        "begin": {"function": "submit", "at": "entry", "id": "id"},
        "enter": [{"function": "answer", "at": "entry", "id": "id"}, *enter],
        "end": {"function": "answer", "at": "exit", "id": "id"}}]})
    build = BUILD.replace("-DFEATURE", "").replace("server.o\n", "server.o -lpthread\n")
    with Target(vprofiler, {"server.c": HAND_OVER, "vprofiler.json": text,
                            "build.sh": build}) as target:
        got = target.iterate("--auto", "--keep", "--", "./server")
        expect("none: exit", got.returncode == 0, got.stderr)
        rounds = target.home / "out" / "001" / "rounds"
        trace = subprocess.run([vprofiler, "dump", str(sorted(rounds.iterdir())[-1] / "trace")],
                               text=True, capture_output=True).stdout
        return trace


def test_nobody(vprofiler):
    """An enter of "none" is SI_ENTER(SI_NONE): the thread that handed a request over is out of it."""
    nobody = {"function": "submit", "at": "exit", "id": "none"}
    for enter in ((), (nobody,)):
        calls = [line.split() for line in hand_over(vprofiler, *enter).splitlines()
                 if line.startswith("function ")]
        thread = next((call[1] for call in calls if call[3] == "submit"), None)
        naps = [call[2] == "-" for call in calls if call[1] == thread and call[3] == "nap"]
        expect(f"none: {len(enter)}", len(naps) >= 90 and
               (all(naps) if enter else sum(naps) < 10), str(naps))


TESTS = (test_nobody, test_type_is_a_text, test_told_before_the_build, test_unsure_goes_on, test_told_after_the_first_build)


def main():
    for test in TESTS:
        test(sys.argv[1])
    print(f"{len(TESTS)} tests, {len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
