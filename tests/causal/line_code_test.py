#!/usr/bin/env python3
"""The code of each line, against what symbolizers say of every instruction: DWARF 4 and 5, inlined calls, two compilers.

usage: line_code_test.py TOOL
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = """\
#include <stdio.h>
#include <stdlib.h>
static inline __attribute__((always_inline)) int twice(int x)
{
    return x * 2 + (x > 1000 ? abs(x) : 3);
}
__attribute__((noinline)) int other(int x)
{
    int sum = 0;
    for (int i = 0; i < x; i++)
        sum += twice(i ^ sum);
    return sum;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[argc - 1]);
    if (n > 7)
        n = twice(n);
    printf("%d %d\\n", n, other(n) + twice(n - 1));
    return 0;
}
"""


def run(*words):
    return subprocess.run([str(word) for word in words], text=True, capture_output=True, check=True)


def instructions(program):
    """Addresses of what the source was compiled to."""
    for line in run("objdump", "-d", "--no-show-raw-insn", "-j", ".text", program).stdout.splitlines():
        head, colon, _ = line.partition(":\t")
        if colon:
            yield int(head, 16)


def lines_of(program, addresses):
    """By address the lines that it is of: its own, and those of the calls that were inlined there. addr2line does not
    tell of all that clang inlines."""
    asked = [hex(address) for address in addresses]
    if shutil.which("llvm-symbolizer"):
        said = run("llvm-symbolizer", "--inlines", "--addresses", "--obj", program, *asked).stdout
    else:
        said = run("addr2line", "-a", "-i", "-e", program, *asked).stdout
    result, address = {}, None
    for line in said.splitlines():
        if line.startswith("0x"):
            address = int(line, 16)
            result[address] = set()
        elif "lines.c:" in line:
            number = line.split("lines.c:")[1].split(":")[0].split()[0]
            if number.isdigit():
                result[address].add(int(number))
    return result


def check(tool, program):
    addresses = list(instructions(program))
    truth = lines_of(program, addresses)
    some = 0
    for number in range(1, SOURCE.count("\n") + 1):
        ranges = [[int(word, 16) for word in line.split()]
                  for line in run(tool, program, "lines.c", number, number).stdout.splitlines()]
        for address in addresses:
            told = any(begin <= address < end for begin, end in ranges)
            assert told == (number in truth[address]), (program.name, number, hex(address), truth[address])
            some += told
    assert some > 40, some
    return some


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    compilers = [name for name in ("gcc", "clang") if shutil.which(name)]
    if not shutil.which("llvm-symbolizer"):
        compilers = compilers[:1]
    if not compilers or not shutil.which("addr2line"):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "lines.c").write_text(SOURCE)
        for compiler in compilers:
            for how in (["-O0"], ["-O2"], ["-O2", "-gdwarf-4"], ["-O2", "-gdwarf-5", "-no-pie"]):
                program = folder / "-".join([compiler, *how])
                run(compiler, "-g", *how, folder / "lines.c", "-o", program)
                print(program.name, check(tool, program))
        told = run(tool, program, "lines.c", 2, 2)
        assert not told.stdout and told.stderr.split()[0] == "1" and told.stderr.split()[3] in "45", told.stderr
        sizes = [line.split() for line in run("nm", "-S", program).stdout.splitlines()]
        begin, size = next((int(s[0], 16), int(s[1], 16)) for s in sizes if s[-1] == "other")
        assert run(tool, program, "other").stdout.split() == [f"{begin:x}", f"{begin + size:x}"]
        run("strip", program)
        told = run(tool, program, "lines.c", 5, 5)
        assert not told.stdout and told.stderr.split()[0] == "0", "a stripped program has no lines"


if __name__ == "__main__":
    main()
