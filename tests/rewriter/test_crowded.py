#!/usr/bin/env python3
"""test_crowded.py TOOL LIBVPROF: functions with very many probes, their own or those of what is inlined into them,
are compiled in seconds and do the same; each call is recorded once, up to the sizes and above them."""
import collections, glob, os, subprocess, sys, tempfile

from checks import check, end, get, put

tool, libvprof = sys.argv[1:3]
here = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(here), os.path.join(here, "../runtime")]
import left_out  # noqa: E402
import vtr  # noqa: E402

COMPILERS = {".c": ["gcc", "clang"], ".cc": ["g++", "clang++"]}
SECONDS = 60  # that a compiler may take: without what is tested here, clang takes minutes
MARKED, FAR = "VPROF_APART VPROF_FUNCTION(", "VPROF_ONE_OF_MANY("

# What is called, what stands at each place, and what stands in front of it.
STEP = "static int sum;\nstatic void step(int n) { sum += n; }\n"
CLEAN = """static int sum;
static void step(int *n) { sum += *n; }
#define PLACE {int i __attribute__((cleanup(step), unused)) = 1;}
"""
NOT_YET = """static int sum;
static void step(int *n);
#define PLACE {int i __attribute__((__cleanup__(step), unused)) = 1;}
"""
OBJECT = """static int sum;
struct guard { int n; guard() : n(1) {} ~guard() { sum += n; } };
#define PLACE {guard one;}
"""
TWO = """static int sum;
static void step(int n) { sum += n; }
static void other(int n) { sum -= n; }
#define PLACE step(2); other(1);
"""
AWAY = "#include <stdlib.h>\nstatic int sum;\n#define PLACE\n"


def program(head, place, count):
    later = CLEAN.split("\n")[1] + "\n" if head == NOT_YET else ""
    return ("#include <stdio.h>\n" + head + "int main(void)\n{\n" + f"{place}\n" * count +
            '    printf("%d\\n", sum);\n    return 0;\n}\n' + later)


def rewritten(source, text):
    put(source, text)
    done = subprocess.run([tool, "--time", "all", "--open", "all", "--skips", os.path.dirname(source)],
                          capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    return done.stdout


def records(output, command, work):
    """What the program prints, and how often its probes were recorded: most often first."""
    traces = tempfile.mkdtemp(dir=work)
    with open(output, "w") as file:
        status = subprocess.run(command, stdout=file, timeout=SECONDS, env={
            **os.environ, "LD_PRELOAD": libvprof, "VPROF_TRACE_DIR": traces}).returncode
    found = collections.Counter(record["probe"] for path in glob.glob(traces + "/*.vtr")
                                for record in vtr.read(path).records("function"))
    return (status, get(output).strip()), sorted(found.values(), reverse=True)


def check_run(name, source, answer, counts, work):
    """`counts`: how often the busiest probes are met."""
    for compiler in COMPILERS[os.path.splitext(source)[1]]:
        if left_out.lacks(compiler, f"what {compiler} does"):
            continue
        for level in ("-O0", "-O2"):
            binary = os.path.join(work, "program")
            try:
                built = subprocess.run([compiler, level, "-Wall", "-Wextra", "-Werror", source, "-o", binary],
                                       capture_output=True, text=True, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                check(False, f"{name}: {compiler} {level} takes over {SECONDS} s")
                continue
            check(built.returncode == 0, f"{name}: {compiler} {level}: {built.stderr[:2000]}")
            if built.returncode == 0:
                got = records(os.path.join(work, "output"), [binary], work)
                check(got[0] == (0, answer) and got[1][:len(counts)] == counts,
                      f"{name}: {compiler} {level}: {got[0]}, {got[1][:4]}")


def check_case(work, name, head, place, count, marks, skips="", answer=None, counts=()):
    source = os.path.join(work, name, "input" + (".cc" if head == OBJECT else ".c"))
    said = rewritten(source, program(head, place, count))
    text = get(source).split("#line 1\n", 1)[-1]
    got = text.count(MARKED), text.count(FAR)
    check(got == marks, f"{name}: marked and far are {got}, not {marks}")
    check((skips in said) if skips else "places" not in said, f"{name}: {said}")
    if answer is not None:
        check_run(name, source, answer, list(counts), work)


with tempfile.TemporaryDirectory() as folder:
    work = os.path.realpath(folder)
    check_case(work, "few", STEP, "step(1);", 1000, (0, 0))
    check_case(work, "many", STEP, "step(1);", 6000, (1, 0), "", "6000", [6000])
    check_case(work, "macro", STEP + "#define PLACE step(1);\n", "PLACE " * 20, 300, (1, 0), "", "6000", [6000])
    check_case(work, "clean", CLEAN, "PLACE", 6000, (1, 0), "", "6000", [6000])
    check_case(work, "later", NOT_YET, "PLACE", 1200, (1, 0))
    check_case(work, "object", OBJECT, "PLACE", 1500, (2, 0), "", "1500", [1500, 1500])
    check_case(work, "two", TWO, "PLACE", 700, (1, 0), "", "700", [700, 700])
    check_case(work, "two_few", TWO, "PLACE", 400, (0, 0))
    check_case(work, "too_many", CLEAN, "PLACE " * 20, 1000, (0, 0),
               "step: one function calls it at more than 10,000 places", "20000", [1])
    check_case(work, "calls_few", AWAY, "sum += abs(-1) + atoi(\"1\");", 249, (0, 0))
    check_case(work, "calls", AWAY, "sum += atoi(\"1\");", 900, (0, 901), "", "900", [1] * 902)
end()
