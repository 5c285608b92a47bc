#!/usr/bin/env python3
"""test_commands.py TOOL: compile commands in every shape, over a tree whose files are named
in every way; each file is instrumented once, compiles, and the program does the same."""
import json, os, shlex, subprocess, sys, tempfile

from checks import check, end, get, put

tool = sys.argv[1]
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import left_out  # noqa: E402


FILES = {
    "src/util.c": '#include "config.h"\n#include "shared.h"\nint NAME(src_util)(int n);\n'
                  "int NAME(src_util)(int n) { return help(n) + outside(n); }\n",
    "lib/util.c": '#include <config.h>\n#include "../src/shared.h"\nint lib_util(int n);\n'
                  "int lib_util(int n) { return help(n) * FACTOR; }\n",
    "src/main.c": '#include <stdio.h>\n#include "config.h"\n#include "shared.h"\n'
                  "int lib_util(int n);\nint src_util(int n);\nint src_util_wide(int n);\n"
                  "int main(void)\n{\n"
                  '    return printf("%d %d %d %s\\n", src_util(-1), src_util_wide(-2), '
                  "lib_util(-3), QUOTED) < 0;\n}\n",
    "src/shared.h": "#include <stdlib.h>\n#include <outside.h>\n"
                    "static inline int help(int n) { return abs(n) + 1; }\n",
    "build/gen/config.h": "#define FACTOR 10\n#ifdef WIDE\n#define NAME(n) n##_wide\n#else\n"
                          "#define NAME(n) n\n#endif\n",
    "build/flags.rsp": '-I../src -Igen "-DQUOTED=\\"a b\\""\n',
}
OUTSIDE = "static inline int outside(int n) { return n * 100; }\n"
# Flags of gcc alone, which must not stop the parser.
GCC_ONLY = ["-fconserve-stack", "-fno-tree-loop-distribute-patterns", "-Wlogical-op",
            "-mindirect-branch=keep", "-fno-var-tracking-assignments", "-std=gnu2x"]
NESTED = """#include <stdio.h>
#include <stdlib.h>
static int plain(int n) { return abs(n); }
static int around(int n)
{
    int inner(int m) { return abs(m) + n; }
    return inner(-n) + plain(-1);
}
int main(void) { return printf("%d\\n", around(-2)) < 0; }
"""


def commands(tree, system):
    """One entry of each shape; the outputs' names tell the two of src/util.c apart."""
    build = os.path.join(tree, "build")
    isystem = f"-isystem {system}"
    return [
        {"directory": tree, "file": "src/util.c", "output": "u1.o",
         "command": f"gcc -O1 -Isrc -I build/gen {isystem} -c src/util.c -o u1.o"},
        {"directory": tree, "file": "./src/../src/util.c", "output": "u2.o",
         "command": f"gcc -O1 -DWIDE -Isrc -Ibuild/gen {isystem} -c src/util.c -o u2.o"},
        {"directory": build, "file": os.path.join(tree, "lib/util.c"), "output": "../u3.o",
         "arguments": ["gcc", "-O1", *GCC_ONLY, "-I", "gen", "-isystem", system, "-c",
                       os.path.join(tree, "lib/util.c"), "-o", "../u3.o"]},
        {"directory": build, "file": "../link/main.c", "output": "../u4.o",
         "command": f"gcc -O1 @flags.rsp {isystem} -c ../link/main.c -o ../u4.o"},
    ]


def build_and_run(db, tree):
    objects = []
    for entry in db:
        words = entry.get("arguments") or shlex.split(entry["command"])
        subprocess.run(words, cwd=entry["directory"], check=True)
        objects.append(os.path.join(entry["directory"], entry["output"]))
    program = os.path.join(tree, "program")
    subprocess.run(["gcc", *objects, "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True).stdout


def test_shapes(work):
    tree, system = os.path.join(work, "tree"), os.path.join(work, "system")
    for name, text in FILES.items():
        put(os.path.join(tree, name), text)
    put(os.path.join(system, "outside.h"), OUTSIDE)
    os.symlink("src", os.path.join(tree, "link"))
    db = commands(tree, system)
    before = build_and_run(db, tree)
    put(os.path.join(work, "db.json"), json.dumps(db))
    done = subprocess.run([tool, "--db", os.path.join(work, "db.json"), "--time", "all", "--open",
                           "all", "--skips", tree], capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    check("skipped 0;" in done.stdout, done.stdout)
    for name, functions in {"src/util.c": 1, "lib/util.c": 1, "src/main.c": 1,
                            "src/shared.h": 1}.items():
        text = get(os.path.join(tree, name)).split("#line 1\n", 1)
        check(len(text) == 2 and text[1].count("{VPROF_FUNCTION(") == functions + text[1].count(
            "__extension__({VPROF_FUNCTION("), f"{name}: not instrumented once")
    check(get(os.path.join(system, "outside.h")) == OUTSIDE, "a system header was written")
    check(os.path.islink(os.path.join(tree, "link")), "the link became something else")
    check(get(os.path.join(tree, "build/gen/config.h")) == FILES["build/gen/config.h"],
          "a header without functions was written")
    check(build_and_run(db, tree) == before and before.count(" ") == 4, f"it prints not {before}")
    numbers = [word.split(")")[0] for name in FILES
               for word in get(os.path.join(tree, name)).split("#line 1\n")[-1]
               .split("{VPROF_FUNCTION(")[1:]]
    check(len(numbers) == len(set(numbers)), f"a number was given twice: {numbers}")


def test_nested_functions(work):
    """GNU C's functions in functions, which clang doesn't know: said, and still compiled by gcc."""
    tree = os.path.join(work, "nested")
    put(os.path.join(tree, "x.c"), NESTED)
    done = subprocess.run([tool, "--time", "all", "--open", "all", "--skips", tree],
                          capture_output=True, text=True)
    check("x.c:6 : function definition is not allowed here" in done.stdout, done.stdout)
    check("static int plain(int n) {VPROF_FUNCTION(" in get(os.path.join(tree, "x.c")),
          "its neighbours are not instrumented")
    program = os.path.join(work, "nested-program")
    subprocess.run(["gcc", "-O1", os.path.join(tree, "x.c"), "-o", program], check=True)
    check(subprocess.run([program], capture_output=True, text=True).stdout == "1\n", "nested: 1")


if left_out.lacks("gcc", "compile commands"):
    sys.exit(left_out.SKIPPED)
with tempfile.TemporaryDirectory() as folder:
    test_shapes(os.path.realpath(folder))
    test_nested_functions(os.path.realpath(folder))
end()
