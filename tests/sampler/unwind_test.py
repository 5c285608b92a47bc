#!/usr/bin/env python3
"""unwind_test.py COMPARE SCENES.c LIBRARY.c OBJECTS.cc [--all] - stacks of programs as compilers make them, and of Debian's,
are followed to where their threads began, and as elfutils' own unwinder follows them.

Needs no rights: the programs are its own, and are stopped by ptrace. With --all each program is stopped
3,000 times, and a table of what a stack takes is printed.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import left_out  # noqa: E402

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("compare")
OPTIONS.add_argument("scenes")
OPTIONS.add_argument("library")
OPTIONS.add_argument("objects")
OPTIONS.add_argument("--all", action="store_true")
GIVEN = OPTIONS.parse_args()
STOPS = 3000 if GIVEN.all else 150
NOT, NO_CALLER, DEEP = 0, 1, 2

# Static functions of a library that is stripped have no name.
START = "(\\?|\\w*libc_start\\w*|_start| )+"
SIGNAL = "(spin )?on_signal (\\?|\\w*restore_rt|\\w*pthread_kill[\\w.]*|gsignal|raise| )+ hit middle outer "
# What the calls are, innermost first, as a pattern of names.
KNOWN = {
    "plain": "(spin )?middle outer (run )?main " + START,
    "deep 3": "spin recurse recurse recurse (run )?main " + START,
    "deep 100": "spin (recurse ){100}(run )?main " + START,
    "signal": SIGNAL + "(run )?main " + START,
    "alternate": SIGNAL + "(run )?main " + START,
    "sort": "compare (\\?|\\w*msort\\w*|\\w*qsort\\w*| )+ sort_all (run )?main " + START,
    "code": "spin \\? run_code (run )?main " + START,
    "load": "spin call_back load_all (run )?main " + START,
    "threads": "spin middle outer work (\\?|start_thread|\\w*clone3?| )+",
    "become": "(spin )?middle outer (run )?main " + START,
}


CLOCK = "((\\?|\\w*clock_gettime|_dl_.*) )*(ask )?(run )?main " + START + "|(\\?|_dl.*| )+"


def compare(*command, stops=STOPS, more=()):
    done = subprocess.run([GIVEN.compare, "-n", str(stops), *more, *command], text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, check=False, timeout=120)
    if done.returncode == 77:
        left_out.say("following stacks of stopped programs", how=done.stderr.strip())
        sys.exit(left_out.SKIPPED)
    assert done.returncode == 0, (command, done.returncode, done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def check(name, found, whole=0.98, agree=1):
    """Where both ways get on, they agree in every frame; ours gets at least as far."""
    print(f"{name:44} {found['stacks']:6} stacks {found['frames'] / max(found['stacks'], 1):5.1f} frames "
          f"{found['us']:6.2f} us, elfutils {found['dwfl_us']:7.2f} us, whole {found['cut'][NOT]}, "
          f"further {found['more']}, objects {len(found['objects'])}")
    assert found["stacks"] >= 20, (name, found)
    agreed = found["same"] + found["more"]
    assert agreed >= agree * found["stacks"], (name, found["first_difference"], found)
    assert found["cut"][NOT] >= whole * found["stacks"], (name, found["cut"])
    return found


def has_chain(name, found, pattern, share=0.5):
    fits = sum(n for chain, n in found["chains"].items() if re.fullmatch(pattern, chain))
    assert fits >= share * found["stacks"], (name, pattern, found["chains"])


BUILDS = [("gcc", ["-O0"]), ("gcc", ["-O2"]), ("gcc", ["-O2", "-fno-omit-frame-pointer"]), ("gcc", ["-O3", "-flto"]),
          ("gcc", ["-O2", "-static"]), ("gcc", ["-O2", "-static-pie"]), ("clang", ["-O0"]), ("clang", ["-O2"]),
          ("clang", ["-O2", "-fno-omit-frame-pointer"])]


def build(compiler, options, source, to, *more):
    if not shutil.which(compiler):
        left_out.say(f"programs of {compiler}", how=f"install {compiler}")
        return False
    subprocess.run([compiler, *options, "-fno-optimize-sibling-calls", "-w", "-o", to, source, *more, "-lpthread", "-ldl"],
                   check=True, capture_output=True)
    return True


def scenes(folder):
    library = str(folder / "unwind_library.so")
    build("gcc", ["-O2", "-shared", "-fPIC"], GIVEN.library, library)
    for compiler, options in BUILDS:
        program = str(folder / "scenes")
        if not build(compiler, options, GIVEN.scenes, program):
            continue
        static = any("static" in option for option in options)
        for scene, pattern in KNOWN.items():
            if static and scene in ("load", "threads", "sort"):
                continue
            name = f"{compiler} {' '.join(options)}: {scene}"
            words = [library] if scene == "load" else []
            # What begins a library (_init, in crti.o) has no table; a thread's first instructions have no caller yet.
            whole = 0.94 if scene in ("load", "threads") else 0.98
            found = check(name, compare(program, *scene.split(), *words, more=["-c"]), whole)
            has_chain(name, found, pattern, 0.3 if scene in ("load", "threads") else 0.5)
        # Where the vdso's function is about to return, elfutils' way leaves out two frames.
        name = f"{compiler} {' '.join(options)}: clock"
        has_chain(name, check(name, compare(program, "clock", more=["-c"]), agree=0.9), CLOCK, 0.98)


def deep(folder):
    """A stack that is deeper than what was copied is cut, and says so; what was found of it is right."""
    program = str(folder / "scenes")
    build("gcc", ["-O2"], GIVEN.scenes, program)
    found = compare(program, "deep", "300", more=["-c", "-b", "8192"])
    assert found["different"] == 0, found
    assert found["cut"][DEEP] > 0.9 * found["stacks"], found["cut"]
    has_chain("deep", found, "spin (recurse ){20,}cut:2", 0.8)


def replaced(folder):
    """Its file is gone, and another has its name: the one that runs is read."""
    program = folder / "replaced"
    build("gcc", ["-O2"], GIVEN.scenes, str(program))
    process = subprocess.Popen([GIVEN.compare, "-n", "400", "-c", str(program), "plain"], text=True,
                               stdout=subprocess.PIPE)
    assert wait_for_exec(process, program), "the program did not start"
    program.unlink()
    program.write_text("no program\n")
    found = json.loads(process.communicate(timeout=60)[0])
    assert found["cut"][NOT] >= 0.98 * found["stacks"], found


def wait_for_exec(process, program):
    """Until the tool's child is the program."""
    for _ in range(2000):
        try:
            with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
                for child in children.read().split():
                    if os.readlink(f"/proc/{child}/exe") == str(program):
                        return True
        except OSError:
            pass
    return False


def debian(folder):
    numbers = folder / "numbers"
    numbers.write_text("\n".join(str(i * 7919 % 1000003) for i in range(400000)))
    if shutil.which("sort"):
        check("Debian's sort", compare("sort", "--parallel=2", "-n", "-o", str(folder / "sorted"), str(numbers)),
              0.95)  # of each comparison's buffers the first stack is cut
    if shutil.which("xz"):
        check("Debian's xz", compare("xz", "-9", "-k", "-f", "-T1", str(numbers)))
    python = "/usr/bin/python3"
    if os.path.exists(python):
        check("Debian's python3", compare(
            python, "-c", "import json\nwhile True: json.loads(json.dumps(sorted(range(1000), key=str)))"))


def objects(folder):
    for compiler, options in (("g++", ["-O2"]), ("clang++", ["-O2"]), ("g++", ["-O0"])):
        program = str(folder / "objects")
        if build(compiler, options, GIVEN.objects, program):
            check(f"{compiler} {' '.join(options)}: C++", compare(program))


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        scenes(folder)
        deep(folder)
        replaced(folder)
        objects(folder)
        debian(folder)


if __name__ == "__main__":
    main()
