#!/usr/bin/env python3
"""Every doubt that a program can give reason for, told of a real run; none of them of a sound one.

usage: doubts_test.py VPROFILER [CASE]           tests/driver/outcome_test.c has where each begins
"""
import json
import sys

from target import BUILD, SERVER, Target

EXECUTE = "nap(next_random() % 2 ? 3000 : 200);"
HANDLE = SERVER[SERVER.index("static void handle"):SERVER.index("int main")]
assert EXECUTE in SERVER and "SI_BEGIN(id);" in HANDLE


def server(execute=EXECUTE, handle=HANDLE, before="", times=150):
    text = SERVER.replace(EXECUTE, execute).replace(HANDLE, before + handle)
    return {"server.c": "#include <pthread.h>\n#include <unistd.h>\n"
                        + text.replace("id < 150", f"id < {times}")}


INNER = HANDLE.replace("parse();", "parse();\n    SI_BEGIN(id + 1000);\n    nap(100);\n    SI_END(id + 1000);")
TWO = {"build.sh": BUILD.replace("./server\n", "cp server client\n./server\n./client\n")}
TIMEOUT = """
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += next_random() % 2 ? 3000000 : 200000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&never, &mutex, &until);
    pthread_mutex_unlock(&mutex);"""
UNSEEN = """
    static sem_t done;
    pthread_t thread;
    pthread_create(&thread, NULL, post_unseen, &done);
    sem_wait(&done);
    pthread_join(thread, NULL);"""
POST = """
#include <dlfcn.h>
#include <semaphore.h>
static void *post_unseen(void *done)
{
    int (*post)(sem_t *) = (int (*)(sem_t *))dlsym(NULL, "sem_post");
    usleep(next_random() % 2 ? 3000 : 200);
    post(done);
    return NULL;
}

"""
FINISH = """
static void *finish(void *id)
{
    SI_END((long)id);
    return NULL;
}

"""
UNMARKED = """static void handle(long id)
{
    pthread_t thread;
    SI_BEGIN(id);
    parse();
    SI_ENTER(SI_NONE);
    execute();
    pthread_create(&thread, NULL, finish, (void *)id);
    pthread_join(thread, NULL);
}

"""
TINY = """
    for (unsigned i = next_random() % 60000; i > 0; i--)
        tiny(i);"""
IS_TINY = """
static __attribute__((noinline)) void tiny(unsigned i)
{
    static volatile unsigned sum;
    sum += i;
}
"""

MACROS = """#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#define NOW() __extension__({ struct timespec t_; clock_gettime(CLOCK_MONOTONIC, &t_); t_.tv_nsec; })
#define SLEEP(us) do { struct timespec t_ = {0, (us) * 1000L}; nanosleep(&t_, NULL); } while (0)
"""
CLOCKS = """
    long began = NOW();
    SLEEP(next_random() % 2 ? 3000 : 200);
    assert(began >= 0);
    if (errno == 12345)
        exit(1);
    errno = 0;"""
DRAW = """#include <stdlib.h>
#define DRAW(n) (void)random()
"""

# name, files, warnings that must be there, and that must not
SOUND = ["few-intervals", "incomplete-intervals", "nested-intervals", "several-programs", "unknown-wakers",
         "low-coverage", "probe-cost", "lost-records", "overwritten-records", "damaged-trace", "lost-probes",
         "no-calls", "unchanged-code", "preemption-not-separated", "lost-kernel-records", "skipped", "stopped-early",
         "hot-functions", "unseen-team"]
CASES = [
    ("sound", server(), [], SOUND),
    ("clocks and the C library's macros", {"server.c": MACROS + server(CLOCKS)["server.c"]}, [], SOUND),
    ("a call from a macro", {"server.c": DRAW + server("DRAW(1);\n    " + EXECUTE)["server.c"]}, ["skipped"], ["no-calls"]),
    ("one factor", server(handle=HANDLE.replace("parse();", "")), [], ["unstable-ranking", "few-intervals"]),
    ("few", server(times=30), ["few-intervals"], ["incomplete-intervals"]),
    ("incomplete", server(handle=HANDLE.replace("SI_END(id);", "if (id % 8)\n        SI_END(id);")),
     ["incomplete-intervals"], ["nested-intervals"]),
    ("nested", server(handle=INNER), ["nested-intervals"], ["incomplete-intervals", "several-programs"]),
    ("nested, entered again", server(handle=INNER.replace("SI_END(id + 1000);",
                                                          "SI_END(id + 1000);\n    SI_ENTER(id);")),
     [], ["nested-intervals"]),
    ("two programs", {**server(), **TWO}, ["several-programs"], ["nested-intervals"]),
    ("timeouts", server(TIMEOUT), [], ["unknown-wakers", "low-coverage"]),
    ("posted unseen", {"server.c": server(UNSEEN)["server.c"].replace(
        "static void execute", POST + "static void execute")}, ["unknown-wakers"], ["low-coverage"]),
    ("handed over without a mark", server(handle=UNMARKED, before=FINISH), ["undeclared-queue"],
     ["unknown-wakers", "low-coverage"]),
    ("tiny calls", {"server.c": server(TINY)["server.c"].replace(
        "static void execute", IS_TINY + "\nstatic void execute").replace("    nap(100);\n}", "}")},
     ["probe-cost"], []),
    ("other rounds", server("nap(getenv(\"VPROF_ROUND\") && *getenv(\"VPROF_ROUND\") > '1' ? 3000 "
                            ": next_random() % 400);"), ["latency-shift"], []),
    ("two alike", {"server.c": server()["server.c"].replace(
        "    nap(100);\n}", "    usleep(next_random() % 2 ? 3000 : 200);\n}")}, ["unstable-ranking"], []),
    ("one outlier", server("nap(next_random() % 100);\n    static int calls;\n    if (++calls == 77)\n"
                           "        nap(400000);"), ["unsteady-variance"], []),
]


def check(vprofiler, case):
    name, files, wanted, unwanted = case
    with Target(vprofiler, files) as target:
        # Whoever may record the scheduler sees what wakes a thread unseen, and has other factors.
        got = target.iterate("--auto", "--json", "--kernel", "off")
        if got.returncode != 0:
            print(f"{name}: exit code {got.returncode}\n{got.stderr}")
            return False
        codes = [warning["code"] for warning in json.loads(got.stdout)["warnings"]]
    faults = [f"no {code}" for code in wanted if code not in codes]
    faults += [f"a needless {code}" for code in unwanted if code in codes]
    print(f"{name}: {'; '.join(faults) or 'ok'} ({' '.join(codes)})")
    return not faults


def main():
    cases = [c for c in CASES if len(sys.argv) < 3 or c[0] == sys.argv[2]]
    passed = sum(check(sys.argv[1], case) for case in cases)
    print(f"{passed} passed, {len(cases) - passed} failed")
    return passed != len(cases)


if __name__ == "__main__":
    sys.exit(main())
