#!/usr/bin/env python3
"""test_odd_builds.py TOOL: small programs that depend on how the compiler lays out what it is given;
rewritten, they do the same at every level, with functions at odd addresses, and in every section."""
import os, subprocess, sys, tempfile

from checks import check, end, get, put

tool = sys.argv[1]
API = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include")
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import left_out  # noqa: E402

COMPILERS = {".c": ["gcc", "clang"], ".cc": ["g++", "clang++"]}
LEVELS = [["-O0"], ["-Os"], ["-O2", "-falign-functions=1"]]
# What comes before a file makes the next function's address odd, and the other half even.
SHIFTS = ["", '__asm__(".pushsection .text\\n\\tnop\\n\\t.popsection");\n']

# Members of the standard library that have a wrapper, all called through pointers to members; what
# the library does itself in std::async.
MEMBERS = """#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
int main()
{
    std::mutex m;
    std::condition_variable c;
    bool ready = false;
    void (std::thread::*join)() = &std::thread::join;
    void (std::condition_variable::*one)() = &std::condition_variable::notify_one;
    void (std::condition_variable::*all)() = &std::condition_variable::notify_all;
    void (std::condition_variable::*wait)(std::unique_lock<std::mutex> &) =
        &std::condition_variable::wait;
    std::thread t([&] {
        std::unique_lock<std::mutex> held(m);
        while (!ready)
            (c.*wait)(held);
    });
    {
        std::lock_guard<std::mutex> held(m);
        ready = true;
    }
    (c.*one)();
    std::bind(all, &c)();
    (t.*join)();
    return std::async(std::launch::async, [] { return 0; }).get();
}
"""
# Assembly at file level that names no section, and variables around it that are written to.
SECTIONS = r"""extern int stub(void), stub_again(void);
__asm__("stub: mov $1, %eax\n\tret");
static int counter = 1;
int other = 2, empty;
static int step(void) { return ++counter + ++other + ++empty; }
__attribute__((section(".text.away"))) static int away(void) { return ++empty; }
__asm__("stub_again: mov $2, %eax\n\tret");
int main(void) { return stub() + stub_again() + step() + away() - 11; }
"""
# The same behind the annotations' header, whether or not anything is put in.
HEADER = r"""#include "vprof_api.h"
extern int stub(void);
__asm__("stub: mov $1, %eax\n\tret");
static int counter = 1;
int main(void) { SI_BEGIN(1); SI_END(1); return stub() - 1 + ++counter - 2; }
"""
IN_ORDER = [["-O0"], ["-O2"], ["-Os", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]]
GCC_ORDER = [["-O2", "-fno-toplevel-reorder"]]


def runs(compiler, flags, source, program):
    done = subprocess.run([compiler, *flags, source, "-pthread", "-o", program],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr[:2000]
    try:
        return subprocess.run([program], timeout=60).returncode
    except subprocess.TimeoutExpired:
        return "it hangs"


def check_header(work):
    source, program = os.path.join(work, "header.c"), os.path.join(work, "program")
    put(source, HEADER)
    for flags in IN_ORDER + GCC_ORDER:
        got = runs("gcc", [*flags, "-I" + API], source, program)
        check(got == 0, f"the header: gcc {' '.join(flags)}: {got}")


def check_program(work, name, text, levels, shifts=("",)):
    tree = os.path.join(work, name.replace(".", "-"))
    os.mkdir(tree)
    source, program = os.path.join(tree, name), os.path.join(work, "program")
    put(source, text)
    done = subprocess.run([tool, "--time", "all", "--open", "all", "--sync", tree],
                          capture_output=True, text=True)
    rewritten = get(source)
    check(done.returncode == 0 and rewritten != text, f"{name}: {done.stderr}{done.stdout}")
    for compiler in COMPILERS[os.path.splitext(name)[1]]:
        if left_out.lacks(compiler, f"what {compiler} does"):
            continue
        for flags in levels + (GCC_ORDER if compiler == "gcc" else []):
            for i, shift in enumerate(shifts):
                put(source, shift + rewritten)
                got = runs(compiler, flags, source, program)
                check(got == 0, f"{name}: {compiler} {' '.join(flags)} {i}: {got}")


if left_out.lacks("g++", "layouts of g++"):
    sys.exit(left_out.SKIPPED)
with tempfile.TemporaryDirectory() as folder:
    work = os.path.realpath(folder)
    check_program(work, "members.cc", MEMBERS, LEVELS, SHIFTS)
    check_program(work, "sections.c", SECTIONS, IN_ORDER)
    check_header(work)
end()
