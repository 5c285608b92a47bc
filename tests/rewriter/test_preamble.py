#!/usr/bin/env python3
"""test_preamble.py TOOL: the preamble and every macro of it, in each dialect, without a warning."""
import itertools, os, subprocess, sys, tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import left_out  # noqa: E402

USES = r"""
#include <pthread.h>
#include <semaphore.h>
extern int puts(const char *);
struct operations { int (*run)(int); void (*done)(void); };
static int taken, evaluated;
static int sync1(void *a) { return a == 0; }
static int sync2(void *a, void *b) { return a == b; }
static int sync3(void *a, void *b, const void *c) { return a != b && c != 0; }
static int sync4(int *a, const void *b, void *(*c)(void *), void *d) { return a && b && c && d; }
static void *start(void *p) { return p; }
static void nothing(void) {VPROF_FUNCTION(1)}
static int square(int n) {VPROF_FUNCTION(2) return n * n; }
static int take(int *lock, int mode) { return *lock = mode; }
static int *pop(void) { return &taken; }
static int pop_into(int **to) { *to = &taken; return 1; }
static int entry(const int *lock, int number, int *task, int **to)
{VPROF_FUNCTION(18) VPROF_ACQUIRE_ENTRY(19, lock) VPROF_RELEASE_ENTRY(20, lock) VPROF_ENQUEUE_ENTRY(21, number) VPROF_DEQUEUE_ENTRY(22, task) VPROF_DEQUEUE_AT_ENTRY(23, to)
    int *now = *to;
    return now == task ? *lock - *lock : number - number;
}
static int (*lock_it)(pthread_mutex_t *) = pthread_mutex_lock;
static int synchronize(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    sem_t sem;
    sem_init(&sem, 0, 1);
    return lock_it(&mutex) | pthread_mutex_unlock(&mutex) | (sem_wait)(&sem);
}
int use(struct operations *o, int *object);
int use(struct operations *o, int *object)
{VPROF_SI_EXIT(1, END, ++evaluated, o) VPROF_SI_ENTRY(2, BEGIN, 1, ++evaluated, "t") VPROF_FUNCTION(3)
    int n, *out = 0;
    VPROF_SI(ENTER, ++evaluated, object, "") n = square(2);
    __extension__({VPROF_FUNCTION(4) puts("x");});
    n += __extension__({VPROF_FUNCTION(5) VPROF_TARGET(5, o->run)(VPROF_RESTART(5, square(3)));});
    __extension__({VPROF_FUNCTION(6) VPROF_TARGET(6, (*o->done))();});
    if (VPROF_SYNC1(7, mutex_lock, sync1, object) || VPROF_SYNC2(8, cond_wait, sync2, o, object))
        return VPROF_SYNC3(9, cond_timedwait, sync3, o, object, 0);
    n += VPROF_SYNC4(10, thread_create, sync4, &n, 0, start, object);
    n += __extension__({VPROF_ACQUIRING(11) take(VPROF_OBJECT(11, object), 1);});
    n += take(VPROF_RELEASED(12, object), VPROF_ENQUEUED(13, n));
    n += *VPROF_DEQUEUED(14, pop());
    (void)VPROF_DEQUEUED(15, pop());
    n += __extension__({VPROF_DEQUEUING(16) pop_into(VPROF_TAKEN_AT(16, &out));});
    n += __extension__({VPROF_DEQUEUING(17) take(VPROF_TAKEN(17, out), 2);});
    n += entry(object, n, out, &out) + synchronize();
    return n;
}
int main(void)
{
    struct operations o;
    int object = 0;
    o.run = square;
    o.done = nothing;
    return use(&o, &object) == 0 || evaluated;
}
"""
# A file that uses little of the preamble is silent too, whatever warnings are asked for. g++ takes
# no pragma for -Wunused-macros.
FEW = r"""
extern int puts(const char *);
static int same(int n) {VPROF_FUNCTION(1) return n; }
int main(void) {VPROF_FUNCTION(2) __extension__({VPROF_FUNCTION(3) puts("x");}); return same(0); }
"""
STRICT = {"clang": ["-Weverything", "-Wno-declaration-after-statement", "-Wsystem-headers"],
          "gcc": ["-Wunused", "-Wunused-macros", "-Wsystem-headers"],
          "clang++": ["-Weverything", "-Wsystem-headers"],
          "g++": ["-Wunused", "-Wsystem-headers", "-Wzero-as-null-pointer-constant"]}
STRICT_DIALECTS = {"c": ["c99", "gnu11", "c2x"], "cc": ["c++98", "gnu++17", "c++20"]}
C = ["c89", "gnu89", "c99", "gnu99", "c11", "gnu11", "c17", "gnu17", "c2x", "gnu2x"]
CXX = ["c++98", "gnu++98", "c++11", "c++14", "gnu++17", "c++17", "c++20", "gnu++20", "c++2b"]
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", "-Wundef"]

preamble = subprocess.run([sys.argv[1], "--ask", "preamble", "."], capture_output=True, text=True,
                          check=True).stdout
redirects = subprocess.run([sys.argv[1], "--ask", "redirects", "."], capture_output=True, text=True,
                           check=True).stdout
sites = subprocess.run([sys.argv[1], "--ask", "sites", "."], capture_output=True, text=True,
                       check=True).stdout
SWITCHES = "#ifndef VPROF_SWITCHES_1\n#define VPROF_SWITCHES_1 4096\nVPROF_SWITCH_TABLE_1\n#endif\n"
ENDS = "#ifndef VPROF_BACK_2\n#define VPROF_BACK_2 vprof_back_2\nVPROF_BACK_1(VPROF_BACK_2)\n#endif\n"
failures = 0
if any("/*" in text or "\n\n" in text for text in (preamble, sites)):
    print("the preamble holds a comment or a blank line")
    failures += 1


def compile_few(driver, extension, work, flags):
    """What the compiler says to each dialect."""
    source = os.path.join(work, "few." + extension)
    few = FEW.replace("extern int", 'extern "C" int') if extension == "cc" else FEW
    with open(source, "w") as file:
        file.write(preamble + SWITCHES + sites + redirects + ENDS + "#line 1\n" + few)
    for dialect in STRICT_DIALECTS[extension]:
        done = subprocess.run([driver, "-std=" + dialect, *WARNINGS, *STRICT[driver], *flags, "-c", source,
                               "-o", os.path.join(work, "few.o")], capture_output=True, text=True)
        if done.returncode:
            yield f"{driver} -std={dialect}, all warnings:\n{done.stderr[:1500]}"


with tempfile.TemporaryDirectory() as work:
    compilers = ("gcc", "c", C), ("clang", "c", C), ("g++", "cc", CXX), ("clang++", "cc", CXX)
    for (driver, extension, dialects), flags in itertools.product(compilers,
                                                                  ([], ["-DVPROF_NO_SITES"])):
        if left_out.lacks(driver, f"what {driver} says", driver.replace("clang++", "clang")):
            continue
        for complaint in compile_few(driver, extension, work, flags):
            failures += 1
            print(complaint)
        source = os.path.join(work, "x." + extension)
        with open(source, "w") as file:
            uses = USES.replace("extern int puts", 'extern "C" int puts') \
                if extension == "cc" else USES
            file.write((preamble + SWITCHES + sites + redirects + ENDS) * 2 + "#line 1\n" + uses)
        for dialect in dialects:
            for level in ("-O2",) if dialect.startswith("gnu") else ("-O0",):
                done = subprocess.run([driver, "-std=" + dialect, level, *WARNINGS, *flags, source, "-o",
                                       os.path.join(work, "x")], capture_output=True, text=True)
                ran = done.returncode == 0 and \
                    subprocess.run([os.path.join(work, "x")],
                                   stdout=subprocess.DEVNULL).returncode == 0
                if not ran:
                    failures += 1
                    print(f"{driver} -std={dialect} {level}:\n{done.stderr[:1500]}")
sys.exit(1 if failures else 0)
