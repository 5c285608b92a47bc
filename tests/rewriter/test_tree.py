#!/usr/bin/env python3
"""test_tree.py TOOL: what the rewriter does to a tree: which files it writes, and how."""
import os, subprocess, sys, tempfile

from checks import check, end, get, put

tool = sys.argv[1]


def rewrite(tree, *args):
    done = subprocess.run([tool, "--skips", *args, tree], capture_output=True, text=True)
    check(done.returncode == 0, f"{args}: {done.stderr}")
    written = done.stdout.split("files written ")
    return int(written[1].split(";")[0]) if len(written) == 2 else -1, done.stdout


with tempfile.TemporaryDirectory() as work:
    work = os.path.realpath(work)
    tree = os.path.join(work, "tree")
    files = {"a.c": "int b(void);\nint a(void) { return b(); }\n",
             "b.c": '#include "sub/h.h"\nint b(void) { return help(); }\n',
             "sub/h.h": "static inline int help(void) { return 1; }\n"}
    for name, text in files.items():
        put(os.path.join(tree, name), text)
    outside = os.path.join(work, "outside.h")
    put(outside, "static inline int far(void) { return 2; }\n")
    os.symlink(outside, os.path.join(tree, "far.h"))
    put(os.path.join(tree, "c.c"), '#include "far.h"\nint c(void) { return far(); }\n')
    os.chmod(os.path.join(tree, "a.c"), 0o751)
    times = {n: os.stat(os.path.join(tree, n)).st_mtime_ns for n in files}

    check(rewrite(tree)[0] == 0, "with nothing chosen a file was written")
    check(rewrite(tree, "--time", "a")[0] == 1, "timing a() writes more than its file")
    check(os.stat(os.path.join(tree, "a.c")).st_mode & 0o777 == 0o751, "the mode is not kept")
    check(os.stat(os.path.join(tree, "b.c")).st_mtime_ns == times["b.c"], "b.c was touched")
    text = get(os.path.join(tree, "a.c"))
    check(rewrite(tree, "--time", "a")[0] == 0, "the same choice writes again")
    check(rewrite(tree, "--time", "a,help")[0] == 2, "a header's function: it and its user")
    check(get(os.path.join(tree, "a.c")) == text, "a wider choice changes another file's text")
    check("VPROF_FUNCTION(" not in get(os.path.join(tree, "b.c")).split("#line 1\n")[1],
          "the includer has more than the preamble")
    check(rewrite(tree, "--time", "all")[0] >= 1, "all")
    check("VPROF" not in get(outside), "a file outside of the tree was written")
    check(rewrite(tree)[0] == 4, "not every edited file came back")
    for name, wanted in files.items():
        check(get(os.path.join(tree, name)) == wanted, f"{name} is not as it was")

    rewrite(tree, "--time", "a")
    put(os.path.join(tree, "a.c"), "\n\nint a(void) { return 7; }\n")
    rewrite(tree, "--time", "a")
    check("\n\nint a(void) {VPROF_FUNCTION(1) return 7; }" in get(os.path.join(tree, "a.c")),
          "a fresh file is rewritten from its old copy")

    many = os.path.join(work, "many")
    put(os.path.join(many, "m.c"), "".join(f"int f{i}(void) {{ return {i}; }}\n" for i in range(4200)))
    rewrite(many, "--time", "f4199")
    check("#define VPROF_SWITCHES_1 8192\n" in get(os.path.join(many, "m.c")),
          "there is not a switch for every probe")
    check("#define VPROF_SWITCHES_1 4096\n" in get(os.path.join(tree, "a.c")),
          "the switches are not the fewest")

    # A call in a macro may be seven bytes long; every one takes a number.
    short = os.path.join(work, "short")
    put(os.path.join(short, "s.c"), "#include <pthread.h>\n"
        + "".join(f"#define P{i}(p) pipe(p)\n" for i in range(5000))
        + "#define TAKE(m) pthread_mutex_lock(m)\nvoid take(pthread_mutex_t *m) { TAKE(m); }\n")
    rewrite(short, "--sync")
    text = get(os.path.join(short, "s.c"))
    check("#define TAKE(m) VPROF_SYNC1(5003, mutex_lock, pthread_mutex_lock, m)" in text,
          "the calls in macros are numbered in another way")
    check("#define VPROF_SWITCHES_1 8192\n" in text, "there is no switch for what a macro hides")

    leftovers = [n for n in os.listdir(tree) if "new" in n]
    check(not leftovers, f"left behind: {leftovers}")
    db = os.path.join(work, "db.json")
    put(db, '[{"directory": "/", "file": "/nowhere.c", "arguments": ["cc", "/nowhere.c"]}]')
    done = subprocess.run([tool, "--db", db, tree], capture_output=True, text=True)
    check(done.returncode == 1 and "None of the 1 compile commands" in done.stderr,
          "a db of another tree is not refused")


# A header's static function that synchronizes: only who comes to call it is changed.
LOCKED = """#include <unistd.h>
#include <pthread.h>
#define TAKE(m) pthread_mutex_lock(m)
static inline int put(int fd) { return (int)write(fd, "x", 1); }
static inline int twice(int fd) { return put(fd) + put(fd); }
static inline void shut(int *fd) { close(*fd); }
int (*taken(void))(int);
"""
USES = {"calls": "int calls(int f) { return put(f); }\n",
        "deep": "int deep(int f) { return twice(f); }\n",
        "address": "int (*taken(void))(int) { return put; }\n",
        "table": "int (*const table[])(int) = {twice};\n",
        "cleanup": "int cleanup(int f) { int fd __attribute__((cleanup(shut))) = f; return fd; }\n",
        "macro": "int macro(pthread_mutex_t *m) { return TAKE(m); }\n",
        "static": "static int unused(int f) { return put(f); }\nint other(void) { return 1; }\n"}


def headers(work, count, suffix, uses):
    """A tree of `count` files that use nothing, and of `uses`; gives the changed files."""
    folder = os.path.join(work, f"headers{count}{suffix}{len(uses)}")
    texts = {f"part{i}": f"int part{i}(int x) {{ return x + {i}; }}\n" for i in range(count)}
    put(os.path.join(folder, "put.h"), LOCKED)
    for name, text in {**texts, **uses}.items():
        put(os.path.join(folder, name + suffix), '#include "put.h"\n' + text)
    rewrite(folder, "--sync")
    return {name for name in os.listdir(folder)
            if "VPROF" in get(os.path.join(folder, name))}


with tempfile.TemporaryDirectory() as work:
    work = os.path.realpath(work)
    check(headers(work, 12, ".c", {}) == set(), "a header that nobody calls changes files")
    found = headers(work, 12, ".c", USES)
    check(found == {name + ".c" for name in USES}, f"not those that come to call it: {found}")
    found = headers(work, 4, ".c", {"calls": USES["calls"]})
    check({"put.h", "calls.c"} <= found, f"a header of few files is not edited: {found}")
    found = headers(work, 12, ".cc", {"calls": USES["calls"]})
    check(len(found) >= 13, f"C++ has calls that are not seen: {found}")

end()
