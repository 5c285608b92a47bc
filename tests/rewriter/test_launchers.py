#!/usr/bin/env python3
"""test_launchers.py TOOL LIBVPROF_RECORD: the compilations of builds in which no compiler runs, because a
launcher has its result already, and of builds that compile standard input, are found and instrumented."""
import json, os, subprocess, sys, tempfile

from checks import check, end, put

tool, library = sys.argv[1], os.path.abspath(sys.argv[2])
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import left_out  # noqa: E402

SOURCE = "#ifdef ON\nint add(int a);\nint add(int a) { return a + 1; }\n#endif\nint main(void) { return 0; }\n"
# It never starts what it is given: a launcher that nobody knows, with a warm cache.
CACHE = "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && cp cached.o \"$2\"; shift; done\n"
# The same as a program, with a name that is known.
CACHE_C = "int main(void) { return 0; }\n"


class Build:
    def __init__(self, work, name):
        self.tree = os.path.join(work, name.replace(" ", "-"))
        self.name, self.log = name, self.tree + ".log"
        put(os.path.join(self.tree, "a.c"), SOURCE)
        put(os.path.join(self.tree, "cached.o"), "")
        put(os.path.join(self.tree, "cached.sh"), CACHE, 0o755)
        self.environment = dict(os.environ, CCACHE_DIR=os.path.join(work, "ccache"))

    def run(self, script):
        if os.path.exists(self.log):
            os.unlink(self.log)
        on = dict(self.environment, LD_PRELOAD=library, VPROF_COMPILE_LOG=self.log)
        done = subprocess.run(["sh", "-ec", script], cwd=self.tree, env=on, capture_output=True, text=True)
        check(done.returncode == 0, f"{self.name}: {done.stderr}")

    def found(self, file="a.c", *more):
        log = more or ("--log", self.log)
        done = subprocess.run([tool, *log, "--time", "all", "--skips", self.tree],
                              capture_output=True, text=True)
        with open(os.path.join(self.tree, file)) as text:
            found = "int add(int a) {VPROF_FUNCTION(" in text.read()
        check(found, f"{self.name}: {done.stdout}{done.stderr}")


def test_ccache(work):
    build = Build(work, "ccache")
    for _ in range(2):
        build.run("ccache gcc -DON -O1 -c a.c -o a.o")
    build.found()
    wrapped = os.path.join(work, "bin", "gcc")
    os.makedirs(os.path.dirname(wrapped), exist_ok=True)
    subprocess.run(["ln", "-sf", subprocess.check_output(["which", "ccache"], text=True).strip(), wrapped],
                   check=True)
    build = Build(work, "ccache by name")
    for _ in range(2):
        build.run(f"{wrapped} -DON -O1 -c a.c -o a.o")
    build.found()


def test_launchers(work):
    for script in ("./cached.sh gcc -DON -c a.c -o a.o", "sh cached.sh /usr/bin/gcc-12 -DON -o a.o -c a.c"):
        build = Build(work, f"unknown {len(script)}")
        build.run(script)
        build.found()
    for name, words in {"sccache": "gcc -DON -c a.c", "icecc": "./mycompiler -DON -c a.c", "distcc": "-DON -c a.c",
                        "ccache": "max_size=1G gcc -DON -c a.c"}.items():
        build = Build(work, name + " that has it")
        put(os.path.join(work, "cache.c"), CACHE_C)
        subprocess.run(["gcc", os.path.join(work, "cache.c"), "-o", os.path.join(build.tree, name)], check=True)
        build.run(f"./{name} {words}")
        build.found()


def test_static(work):
    """Nothing can be preloaded into it: who starts it tells."""
    put(os.path.join(work, "cache.c"), CACHE_C)
    starts = {"shell": "./sccache gcc -DON -c a.c", "path": "PATH=$PWD:$PATH; sccache gcc -DON -c a.c",
              "make": "printf 'all:\\n\\t./sccache gcc -DON -c a.c\\n' > Makefile; make -s",
              "env": "env A=b ./sccache gcc -DON -c a.c",
              "spawned": "python3 -c \"import os; os.posix_spawnp('./sccache', "
                         "['sccache', 'gcc', '-DON', '-c', 'a.c'], os.environ)\""}
    for name, script in starts.items():
        build = Build(work, "static " + name)
        done = subprocess.run(["gcc", "-static", os.path.join(work, "cache.c"), "-o",
                               os.path.join(build.tree, "sccache")], capture_output=True, text=True)
        if done.returncode:
            left_out.say("a static launcher", how="a static C library")
            return
        build.run(script)
        build.found()


def test_not_compilers(work):
    build = Build(work, "none")
    build.run("grep -c gcc a.c || true; which gcc >/dev/null; cp a.c gcc-copy; true gcc a.c; env | grep gcc || true")
    check(not os.path.exists(build.log), "it records what compiles nothing")


def test_input(work):
    build = Build(work, "standard input")
    build.run("gcc -DON -x c -c -o a.o - < a.c")
    build.found()
    build = Build(work, "another name")
    os.rename(os.path.join(build.tree, "a.c"), os.path.join(build.tree, "a.src"))
    build.run("gcc -DON -xc -c -o a.o - < a.src; gcc -DON -x c a.src -o a; gcc -x c a.src -x none cached.sh -c || true")
    build.found("a.src")
    build.run("gcc -DON -c -o b.o -x c a.src -O1")
    build.found("a.src")


def test_database(work):
    for number, words in enumerate((["ccache", "gcc"], ["sccache", "/usr/bin/gcc"], ["env", "A=b", "gcc"], ["gcc"])):
        build = Build(work, f"database {number}")
        db = os.path.join(work, f"{number}.json")
        put(db, json.dumps([{"directory": build.tree, "file": "a.c", "arguments": [*words, "-DON", "-c", "a.c"]}]))
        build.found("a.c", "--db", db)


if left_out.lacks("gcc", "launchers"):
    sys.exit(left_out.SKIPPED)
with tempfile.TemporaryDirectory() as folder:
    work = os.path.realpath(folder)
    if not left_out.lacks("ccache", "builds by ccache"):
        test_ccache(work)
    test_launchers(work)
    test_static(work)
    test_not_compilers(work)
    test_input(work)
    test_database(work)
end()
