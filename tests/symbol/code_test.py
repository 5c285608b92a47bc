#!/usr/bin/env python3
"""Where the code of lines and functions lies, held against addr2line, or llvm-symbolizer of what clang made, and nm:
these read debug information for themselves, and an address is of a line if one of the frames that they tell there is.
They do not know all of files beside (-gsplit-dwarf), without which the program's code is the same.

usage: code_test.py CODE_TOOL
"""
import bisect
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = {
    "hex.h": """static inline __attribute__((always_inline)) unsigned digit(unsigned c)
{
    return c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
}

static inline __attribute__((always_inline)) unsigned byte(const char *text)
{
    return digit((unsigned char)text[0]) << 4 |
           digit((unsigned char)text[1]);
}
""",
    "src/main.c": """#include <stdio.h>
#include "../hex.h"

unsigned sum(const char *text);

static __attribute__((noinline)) unsigned own(const char *text)
{
    unsigned all = 0;
    for (; text[0] && text[1]; text += 2)
        all = all * 31 + byte(text);
    return all;
}

int main(int argc, char **argv)
{
    (void)argc;
    printf("%u %u %u\\n", own(argv[0]),
           byte(argv[0]), sum(argv[0]));
    return 0;
}
""",
    "lib/sum.c": """#include "../hex.h"

unsigned sum(const char *text)
{
    unsigned all = 0;
    while (text[0] && text[1])
        all ^= byte(text++);
    return all;
}
""",
    "other/sum.c": """unsigned never(unsigned x)
{
    return x * 3;
}
""",
}
FLAGS = {"-gdwarf-4": [], "-gdwarf-5": [], "-O0 -gdwarf-5": [], "-gdwarf-5 -fno-pie": ["-no-pie"], "-gdwarf-5 -gsplit-dwarf": [], "-gdwarf-4 -ffunction-sections": ["-Wl,--gc-sections"]}


def run(*words, **more):
    return subprocess.run([str(word) for word in words], text=True, capture_output=True, check=True, **more).stdout


def build(folder, compiler, flags, more):
    objects = []
    for name in SOURCES:
        if name.endswith(".c"):
            objects.append(folder / (name.replace("/", "_") + ".o"))
            run(compiler, "-O2", *flags.split(), "-c", name, "-o", objects[-1], cwd=folder)
    run(compiler, *objects, *more, "-o", folder / "program", cwd=folder)
    return folder / "program"


READERS = {"gcc": ["addr2line"], "clang": ["llvm-symbolizer", "--output-style=GNU"]}


def told_frames(compiler, program):
    """By instruction: the (file, line), and the name, of all frames."""
    code = run("objdump", "-d", program)
    addresses = ["0x" + line.split(":")[0].strip() for line in code.split("\n") if re.match(r"^ +[0-9a-f]+:\t", line)]
    told = run(*READERS[compiler], "-f", "-a", "-i", "-e", program, input="\n".join(addresses) + "\n")
    frames, at = {}, None
    for line in told.split("\n"):
        if line.startswith("0x"):
            at = int(line, 16)
            frames[at] = set()
        elif match := re.match(r"(.*):(\d+)( \(discriminator \d+\))?$", line):
            frames[at].add((os.path.normpath(match[1]), int(match[2])))
        elif ":" not in line:
            frames[at].add((line, 0))
    return frames


def pieces(tool, *words):
    lines = run(tool, *words).split("\n")[:-1]
    return [tuple(int(word, 16) for word in line.split()) for line in lines if re.match(r"[0-9a-f]+ [0-9a-f]+$", line)], lines


def inside(address, ranges):
    at = bisect.bisect_right(ranges, (address, 1 << 64)) - 1
    return at >= 0 and ranges[at][0] <= address < ranges[at][1]


def check_lines(tool, program, folder, frames):
    compared = 0
    for name, text in SOURCES.items():
        path = os.path.normpath(folder / name)
        for number in range(1, text.count("\n") + 1):
            ranges, _ = pieces(tool, program, "line", name, number, number)
            found = {address for address in frames if inside(address, ranges)}
            truth = {address for address, told in frames.items() if (path, number) in told}
            assert found == truth, (name, number, sorted(map(hex, found ^ truth)), [frames[x] for x in found ^ truth])
            compared += len(truth)
    assert compared > 60, compared
    both, _ = pieces(tool, program, "line", "hex.h", 1, 4)
    truth = {a for a, told in frames.items() if any(f.endswith("/hex.h") and 0 < n <= 4 for f, n in told)}
    assert {a for a in frames if inside(a, both)} == truth and truth
    return compared


def check_functions(tool, program, frames):
    """Of a function that is nowhere inlined, what nm tells; of one that is everywhere, what its lines are."""
    symbols = {}
    for line in run("nm", "-S", program).split("\n"):
        words = line.split()
        if len(words) == 4:
            symbols[words[3]] = (int(words[0], 16), int(words[0], 16) + int(words[1], 16))
    for name in ("own", "sum"):
        ranges, lines = pieces(tool, program, "function", name)
        assert ranges == [symbols[name]] and lines[-1] == f"entry {symbols[name][0]:x}", (name, lines)
    ranges, lines = pieces(tool, program, "function", "byte")
    truth = {a for a, told in frames.items() if ("byte", 0) in told}
    assert {a for a in frames if inside(a, ranges)} == truth and truth, (ranges, sorted(truth))
    assert sum(line.startswith("entry") for line in lines) >= 3, lines


def check_words(tool, program, unused):
    """What is said where there is none."""
    def said(*words):
        return run(tool, program, "line", *words).strip()
    assert said("hex.h", 5, 5) == "no-code the nearest lines that have some are 3 and 8", said("hex.h", 5, 5)
    assert said("hex.h", 99, 99) in ("no-code the nearest line that has some is 9",
                                     "no-code the nearest line that has some is 10"), said("hex.h", 99, 99)
    assert said("x.h", 5, 5) == "no-file"
    assert said("ex.h", 3, 3) == "no-file"
    if not unused:  # a linker that throws away a file's code leaves its name
        assert re.match(r"ambiguous /.*/(lib|other)/sum.c, /.*/(lib|other)/sum.c$", said("sum.c", 7, 7))
    assert not said("./src/../lib/sum.c", 7, 7).startswith("n")


def check_none(tool, folder, program):
    run("objcopy", "-g", program, folder / "plain")
    assert run(tool, folder / "plain", "line", "hex.h", 3, 3).strip() == "no-units"
    assert run(tool, "/etc/passwd", "line", "hex.h", 3, 3).strip() == "no-program"
    ranges, _ = pieces(tool, folder / "plain", "function", "own")
    assert len(ranges) == 1


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    compilers = [name for name in ("gcc", "clang") if shutil.which(name) and shutil.which(READERS[name][0])]
    if not compilers:
        sys.exit(77)
    for compiler, (flags, more) in itertools.product(compilers, FLAGS.items()):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary).resolve()
            for name, text in SOURCES.items():
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).write_text(text)
            frames = told_frames(compiler, build(folder, compiler, flags.replace("-gsplit-dwarf", ""), more))
            program = build(folder, compiler, flags, more)
            compared = check_lines(tool, program, folder, frames)
            check_functions(tool, program, frames)
            check_words(tool, program, more)
            check_none(tool, folder, program)
            print(f"{compiler} {flags}: {compared} instructions of lines, all as told")


if __name__ == "__main__":
    main()
