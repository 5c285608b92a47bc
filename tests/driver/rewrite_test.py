#!/usr/bin/env python3
"""`vprofiler rewrite`, and the facts that it keeps from one run to the next.

usage: rewrite_test.py VPROFILER
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

FILES = {
    "one.c": '#include "a.h"\n#include "b.h"\n#include <stdio.h>\n'
             "static int twice(int x) { return 2 * A(x); }\n"
             'int one(int x) { puts("one"); return twice(x) + two(x); }\n',
    "two.c": '#include "b.h"\nint two(int x) { return B + x; }\n'
             '__attribute__((no_sanitize("undefined"))) int made(int x) { return x; }\n',
    "sub/three.c": '#if __has_include("maybe.h")\n#include "maybe.h"\n#endif\n'
                   '#include "a.h"\n#ifdef MAYBE\nint maybe(void) { return 1; }\n#endif\n'
                   "int three(int (*f)(int)) { return f(A(3)); }\n",
    "main.c": '#include <pthread.h>\nint one(int);\nstatic pthread_mutex_t m;\n'
              "int main(void) { pthread_mutex_lock(&m); int r = one(1); pthread_mutex_unlock(&m);"
              " return r > 99; }\n",
    "inc/a.h": "#define A(x) ((x) + 1)\n",
    "inc/b.h": '#include "empty.h"\nint two(int);\nenum { B = 7 };\n'
               "#define DEFINE(name) int name(int x) { return x; }\n",
    "inc/empty.h": "/* nothing that the parser shows */\n",
}
SOURCES = ["one.c", "two.c", "sub/three.c", "main.c"]
PARSED = re.compile(r"(\d+) compilations parsed, (\d+) known")


class Place:
    def __init__(self, vprofiler):
        self.vprofiler = vprofiler
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="vprofiler-test-")).resolve()
        self.source = self.home / "source"
        self.number = 0
        for name, text in FILES.items():
            self.write(name, text)
        self.write_commands(SOURCES)

    def write(self, name, text):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write_commands(self, names, flags=()):
        commands = [{"directory": str(self.source), "file": name,
                     "arguments": ["cc", "-I", "first", f"-I{self.source}/inc", *flags,
                                   f'-DROOT="{self.source}"', "-c", name]} for name in names]
        self.write("compile_commands.json", json.dumps(commands))

    def run(self, *options):
        return subprocess.run([self.vprofiler, "rewrite", *options], cwd=self.home, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)

    def rewrite(self, *options, out="out"):
        """(parsed, cached, hash of the copy, stdout)"""
        self.number += 1
        tree = self.home / f"tree{self.number}"
        done = self.run("--source", "source", "--out", out, "--tree", str(tree), "--open", "all",
                        "--sync", "--table", "table.json", *options)
        assert done.returncode == 0, done.stderr
        parsed, cached = map(int, PARSED.search(done.stdout).groups())
        digest = hashlib.sha256((self.home / "table.json").read_bytes())
        for path in sorted(tree.rglob("*")):
            if path.is_file() and path.name != "compile_commands.json":
                digest.update(str(path.relative_to(tree)).encode() + path.read_bytes())
        shutil.rmtree(tree)
        return parsed, cached, digest.hexdigest(), done.stdout

    def same_as_cold(self, parsed, why):
        got = self.rewrite()
        cold = self.rewrite(out=f"cold{self.number}")
        assert got[:2] == (parsed, len(SOURCES) - parsed), f"{why}: {got[3]}"
        assert cold[0] == len(SOURCES) and cold[2] == got[2], f"{why}: differs from a cold run"

    def records(self):
        return sorted((self.home / "out/cache/facts").iterdir())

    def close(self):
        shutil.rmtree(self.home, ignore_errors=True)


def check_reuse(place):
    place.same_as_cold(4, "first")
    place.same_as_cold(0, "second")
    place.write("inc/a.h", "#define A(x) ((x) + 2)\n")
    place.same_as_cold(2, "a.h changed: one.c, three.c")
    place.write("inc/empty.h", "/* changed */\n#undef B\n")
    place.same_as_cold(2, "a header without anything to show changed: one.c, two.c")
    place.write("main.c", FILES["main.c"].replace("99", "98"))
    place.same_as_cold(1, "a source file changed")
    place.write("first/a.h", "#define A(x) ((x) * 2)\nint three(int (*)(int));\n")
    place.same_as_cold(2, "a header that is found first")
    place.write("sub/maybe.h", "#define MAYBE 1\n")
    place.same_as_cold(1, "a header that was looked for")
    place.write("other/c.h", "int c;\n")
    place.same_as_cold(0, "a header that nobody asks for")
    (place.source / "first/a.h").unlink()
    place.same_as_cold(2, "a header is gone")
    place.write_commands(SOURCES, ["-DX=1"])
    place.same_as_cold(4, "other flags")
    place.write_commands(SOURCES, ["-Wall"])
    place.rewrite()
    place.write_commands(SOURCES, ["-Wextra", "-o", "x.o"])
    place.same_as_cold(0, "flags that the parser does not see")


def check_links(place):
    real = place.source / "inc/a.h"
    real.rename(place.source / "inc/a1.h")
    place.write("inc/a2.h", "#define A(x) ((x) + 77)\nstatic inline int extra(void) { return 1; }\n")
    real.symlink_to("a1.h")
    place.rewrite()
    place.same_as_cold(0, "links")
    real.unlink()
    real.symlink_to("a2.h")
    place.same_as_cold(2, "a link names another file")
    place.write("../outside.h", "#define A(x) ((x) + 5)\n")
    real.unlink()
    real.symlink_to(str(place.home / "outside.h"))
    place.same_as_cold(2, "a header outside the tree")
    (place.home / "outside.h").write_text("#define A(x) ((x) + 56)\nstatic int w(void){return 1;}\n")
    parsed = place.rewrite()[0]
    assert parsed == 2, f"a header outside changed: {parsed} parsed"


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return value


def check_damage(place):
    wanted = place.rewrite()[2]
    good = {path: path.read_bytes() for path in place.records()}
    assert len(good) == 4 and place.rewrite()[0] == 0

    def try_records(change, why, parsed=4):
        for path, data in good.items():
            path.write_bytes(change(data))
        got = place.rewrite()
        assert got[0] == parsed and got[2] == wanted, f"{why}: {got[3]}"
        assert {path: path.read_bytes() for path in place.records()} == good, why

    longest = max(map(len, good.values()))
    for at in list(range(0, 48, 3)) + list(range(48, longest, max(1, longest // 80))):
        def flip(data, at=at):
            at = min(at, len(data) - 1)
            return data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1:]
        try_records(flip, f"byte {at}")
    for part in (0, 1, 7, 8, 39, 40, 41, longest // 2, longest - 1):
        try_records(lambda data, part=part: data[:min(part, len(data) - 1)], f"{part} bytes")
    try_records(lambda data: data + b"x", "one byte more")
    try_records(lambda data: b"vpfacts0" + data[8:], "an older version")
    first = next(iter(good.values()))
    last = list(good.values())[-1]
    try_records(lambda data: last if data == first else first, "the record of another compilation")
    return good


def check_forged(place, good):
    """With a right checksum anything may come out, but it ends."""
    path, data = max(good.items(), key=lambda item: len(item[1]))
    key_bytes = struct.unpack_from("<Q", data, 32)[0]
    for number, at in enumerate(range(40 + key_bytes, len(data), max(1, len(data) // 60))):
        for value in (255, data[at] ^ 1):
            body = data[16:at] + bytes([value]) + data[at + 1:]
            path.write_bytes(data[:8] + struct.pack("<Q", fnv(body)) + body)
            place.number += 1
            done = place.run("--source", "source", "--out", "out", "--time", "all", "--open", "all",
                             "--sync", "--tree", str(place.home / f"tree{place.number}"))
            assert done.returncode in (0, 1), f"byte {at}, {number}: {done.returncode}\n{done.stderr}"
            shutil.rmtree(place.home / f"tree{place.number}", ignore_errors=True)
    path.write_bytes(data)


def check_errors_of_files(place):
    place.write("broken.c", "int broken(void) { return 1; }\nint half(\n")
    place.write_commands(SOURCES + ["broken.c"])
    got = place.rewrite("--explain")
    assert "broken.c:2: " in got[3] and "1 files with errors" in got[3], got[3]
    assert "two.c:3: made: it has a no_sanitize attribute" in got[3], got[3]
    assert re.search(r"1 it has a no_sanitize attribute", got[3]), got[3]
    again = place.rewrite("--explain")
    assert again[:2] == (1, 4), "a file with errors is parsed again: " + again[3]
    assert again[2] == got[2]


def check_configured(place):
    """A configured build folder is not copied: its commands and what was made in it count all the same."""
    place.write("build/CMakeCache.txt", "")
    place.write("build/gen/made.h", "#define MADE 3\n")
    place.write("build/made/also.h", "#define ALSO 4\n")
    place.write("inc/inline.h", "static inline int in_header(int x) { return x; }\n")
    place.write("four.c", '#include <inline.h>\n#include "made.h"\n#include "also.h"\n#include "b.h"\n'
                          "int four(int x) { return MADE + ALSO + in_header(x); }\n")
    build, flags = str(place.source / "build"), ["-Igen", "-I", "made", "-I../inc"]
    commands = [{"directory": build, "file": "../four.c", "command": f"cc {' '.join(flags)} -c ../four.c -o four.o"},
                {"directory": build, "file": str(place.source / "one.c"),
                 "arguments": ["ccache", "cc", f"-I{place.source}/inc", f"-I{build}/gen", "-c", f"{place.source}/one.c"]},
                {"directory": str(place.source / "gone"), "file": "../two.c", "command": "cc -I../inc -c ../two.c"}]
    place.write("build/compile_commands.json", json.dumps(commands))
    tree = place.home / "configured"
    done = place.run("--source", "source", "--tree", str(tree), "--compile-commands", "source/build/compile_commands.json")
    assert done.returncode == 0 and "files with errors" not in done.stdout, done.stdout + done.stderr
    assert not (tree / "build").exists(), "a configured folder was copied"
    for name in ("four.c", "one.c", "two.c", "inc/inline.h"):
        text = (tree / name).read_text().split("#line 1\n")[-1]
        assert "{VPROF_FUNCTION(" in text, f"{name}: {done.stdout}"
        assert "VPROF_" not in (place.source / name).read_text(), name


def check_use(place):
    before = {p: p.read_bytes() for p in place.source.rglob("*") if p.is_file()}
    tree = str(place.home / "mine")
    cases = [
        (["--source", "none"], "no source folder none"),
        (["--source", "source", "--compile-commands", "none.json"], "none.json"),
        (["--source", "source", "--tree", str(place.source / "x")], "can't lie in the source"),
        (["--source", "source", "--tree", str(place.home)], "is there already"),
        (["--source", "source", "--time", "onne", "--tree", tree + "1"], "called onne"),
        (["--source", "source", "--config", "none.json", "--tree", tree + "2"], "no config"),
        (["--jobs", "0"], "--jobs wants"),
        (["--nothing"], "Try: vprofiler rewrite --help"),
        (["word"], "'word'"),
    ]
    for options, message in cases:
        done = place.run(*options)
        assert done.returncode == 2 and message in done.stderr, f"{options}: {done}"
    done = place.run("--source", "source", "--time", "one,twice", "--tree", tree)
    assert done.returncode == 0, done.stderr
    for name, text in {"one.c": True, "main.c": False}.items():
        rewritten = pathlib.Path(tree, name).read_text()
        assert ("VPROF_FUNCTION(" in rewritten.split("#line 1\n")[-1]) == text, name
    assert "       2 instrumented" in done.stdout, done.stdout
    subprocess.run(["cc", "-I", f"{tree}/inc", "-c", f"{tree}/one.c", "-o", f"{tree}/one.o"],
                   check=True)
    assert {p: p.read_bytes() for p in place.source.rglob("*") if p.is_file()} == before
    left = os.listdir(place.home / "vprofiler-out/cache")
    assert left == ["facts"], left
    assert place.run("--help").stdout.count("vprofiler rewrite --") == 3


def main(vprofiler):
    failed = 0
    for checks in ([check_reuse], [check_links], [check_damage, check_forged],
                   [check_errors_of_files], [check_configured], [check_use]):
        place = Place(os.path.abspath(vprofiler))
        try:
            given = ()
            for check in checks:
                name = check.__name__
                given = check(place, *given)
                given = (given,) if given else ()
        except AssertionError as error:
            failed = 1
            print(f"{name}: {error}")
        place.close()
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
