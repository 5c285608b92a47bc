#!/usr/bin/env python3
"""test_compilers.py TOOL: the parser sees what the compiler of each command sees that it is not told:
its version of the language, its macros and its folders of headers."""
import json, os, subprocess, sys, tempfile

from checks import check, end, get, put

tool = sys.argv[1]
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import left_out  # noqa: E402

# Since C++17 emplace_back returns a reference; a wrapped call of what is taken for void copies it.
NEWEST = """#include <thread>
#include <vector>
static void part(int) {}
static int handle(long id)
{
    std::vector<std::thread> t;
    t.emplace_back([id] { part((int)id); });
    for (auto &x : t)
        x.join();
    if constexpr (sizeof id == 8)
        return 0;
    return 1;
}
int main() { return handle(8); }
"""
# What is there by a wrapper around the compiler alone.
OWN = """#include <own.h>
#ifdef OWN_MODE
#if defined __cplusplus ? __cplusplus >= 202002L : __STDC_VERSION__ == 199901L
int hidden(int a);
int hidden(int a) { return own(a) - OWN_MODE; }
#endif
#endif
int main(void) { return hidden(1); }
"""
WRAPPER = """#!/bin/sh
exec {compiler} {standard} -DOWN_MODE=2 -isystem {folder} "$@"
"""


def rewrite(tree, name, arguments, cache=None):
    """What the tool says, of one command in the tree."""
    db = tree + ".json"
    put(db, json.dumps([{"directory": tree, "file": name, "arguments": arguments}]))
    more = ["--cache", cache] if cache else []
    done = subprocess.run([tool, "--db", db, "--time", "all", "--open", "all", "--sync", "--skips",
                           *more, tree], capture_output=True, text=True)
    check(done.returncode == 0, f"{name}: {done.stderr}")
    return done.stdout


def build(tree, arguments, name):
    done = subprocess.run([*arguments, "-pthread", "-o", "program"], cwd=tree, capture_output=True, text=True)
    check(done.returncode == 0, f"{name}: {done.stderr[:1500]}")
    ran = done.returncode == 0 and subprocess.run([os.path.join(tree, "program")]).returncode
    check(ran == 0, f"{name}: it ends with {ran}")


def test_version(work, compiler):
    tree = os.path.join(work, "newest-" + compiler)
    put(os.path.join(tree, "a.cc"), NEWEST)
    said = rewrite(tree, "a.cc", [compiler, "-O1", "-c", "a.cc"])
    check("a.cc:" not in said and "function 4" in said, said)
    build(tree, [compiler, "-O1", "a.cc"], compiler)


def test_wrapper(work, compiler, name, standard):
    tree = os.path.join(work, "own-" + compiler)
    wrapper, folder = os.path.join(work, "bin", "own-" + compiler), os.path.join(work, "headers")
    put(os.path.join(folder, "own.h"), "static inline int own(int a) { return a + 1; }\n")
    put(wrapper, WRAPPER.format(compiler=compiler, standard=standard, folder=folder), 0o755)
    put(os.path.join(tree, name), OWN)
    command = [wrapper, "-O1", name]
    cache = os.path.join(work, "cache")
    said = rewrite(tree, name, [*command, "-c"], cache)
    check("int hidden(int a) {VPROF_FUNCTION(" in get(os.path.join(tree, name)), f"{compiler}: {said}")
    build(tree, command, compiler)
    # Another answer of the same compiler is another program.
    put(wrapper, WRAPPER.format(compiler=compiler, standard=standard, folder=folder)
        .replace("-DOWN_MODE=2", "-DOTHER"), 0o755)
    said = rewrite(tree, name, [*command, "-c"], cache)
    check("parsed 1, cached 0" in said, said)
    check("hidden(int a) {VPROF" not in get(os.path.join(tree, name)), f"{compiler}: the older answer was kept")


def test_no_compiler(work):
    tree = os.path.join(work, "none")
    put(os.path.join(tree, "a.c"), "static int f(int a) { return a; }\nint main(void) { return f(0); }\n")
    rewrite(tree, "a.c", ["/nowhere/gcc", "-O1", "-c", "a.c"])
    check("VPROF_FUNCTION(" in get(os.path.join(tree, "a.c")).split("#line 1\n")[-1], "without its compiler")


if left_out.lacks("g++", "compilers' defaults"):
    sys.exit(left_out.SKIPPED)
with tempfile.TemporaryDirectory() as folder:
    work = os.path.realpath(folder)
    test_version(work, "g++")
    test_wrapper(work, "g++", "a.cc", "-std=gnu++20")
    test_wrapper(work, "gcc", "a.c", "-std=c99")
    if not left_out.lacks("clang", "what clang has by itself"):
        test_version(work, "clang++")
    test_no_compiler(work)
end()
