#!/usr/bin/env python3
"""test_recorder.py LIBVPROF_RECORD: what a build's compilers are recorded as."""
import os, shutil, subprocess, sys, tempfile

from checks import check, end

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import left_out  # noqa: E402

library = os.path.abspath(sys.argv[1])


def fields(path):
    with open(path, "rb") as file:
        data = file.read()
    check(data.endswith(b"\0\n"), "the log ends within a record")
    return [[f.decode() for f in r.split(b"\0")] for r in data[:-2].split(b"\0\n")]


with tempfile.TemporaryDirectory() as work:
    work = os.path.realpath(work)
    log = os.path.join(work, "log")
    for name in "abcdefgh":
        with open(os.path.join(work, name + ".c"), "w") as file:
            file.write(f"int {name}(void) {{ return 0; }}\n")
    with open(os.path.join(work, "Makefile"), "w") as file:
        file.write("all: a.o b.o c.o d.o e.o f.o g.o h.o\n%.o: %.c\n\t$(CC) '-DT=\"x y\"' -c $<\n")
    on = dict(os.environ, LD_PRELOAD=library, VPROF_COMPILE_LOG=log)
    for compiler in ("gcc", "clang"):
        if left_out.lacks(compiler, f"what {compiler} does"):
            continue
        if os.path.exists(log):
            os.unlink(log)
        for name in "abcdefgh":
            if os.path.exists(os.path.join(work, name + ".o")):
                os.unlink(os.path.join(work, name + ".o"))
        done = subprocess.run(["make", "-j4", "CC=" + compiler], cwd=work, env=on,
                              capture_output=True, text=True)
        check(done.returncode == 0, f"{compiler}: make failed: {done.stderr}")
        got = sorted(fields(log)) if os.path.exists(log) else []
        wanted = sorted([[work, compiler, '-DT="x y"', "-c", name + ".c"] for name in "abcdefgh"])
        check(got == wanted, f"{compiler}: recorded {got}")
    os.unlink(log)
    for name in ("x86_64-linux-gnu-gcc-12", "arm-none-eabi-g++", "clang-14", "c++", "cc1",
                 "collect2", "gcc-ar", "clang-format", "acc"):
        link = os.path.join(work, name)
        shutil.copy("/bin/true", link)
        subprocess.run([link, "x.c"], cwd=work, env=on)
    names = [os.path.basename(record[1]) for record in fields(log)]
    check(names == ["x86_64-linux-gnu-gcc-12", "arm-none-eabi-g++", "clang-14", "c++"],
          f"drivers: {names}")
    os.unlink(log)
    off = dict(os.environ, LD_PRELOAD=library)
    subprocess.run(["gcc", "-c", "a.c"], cwd=work, env=off, check=True)
    check(not os.path.exists(log), "it records without VPROF_COMPILE_LOG")

end()
