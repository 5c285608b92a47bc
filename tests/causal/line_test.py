#!/usr/bin/env python3
"""Lines of source as targets, and calls of a function as units of work in a program without a probe: by `vprofiler causal`, of
programs whose answers are known in closed form.

usage: line_test.py VPROFILER [--seconds N] [--few]

They are compiled with frame pointers, and without calls that end a function as jumps: of who calls so no trace is left.
"""
import argparse
import json
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import known_test  # noqa: E402

FLAGS = ["-O2", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"]
THIRD = known_test.rate(lambda s: 1 - 0.3 * s)
HALF = known_test.rate(lambda s: 1 - 0.5 * s)
# compiler, debug information, program, the text of the line, the truth
LINES = [
    ("gcc", "-gdwarf-4", "c4_chain", "    work_ms(3 * left_f);", THIRD),
    ("clang", "-gdwarf-5", "c4_chain", "        f();", THIRD),
    ("gcc", "-gdwarf-5", "c12_sleep", "    work_ms(5 * left_f);", HALF),
    ("clang", "-gdwarf-4", "c12_sleep", "        f();", HALF),
]


def line_of(program, text):
    return f"{program}.c:{(known_test.HERE / f'{program}.c').read_text().splitlines().index(text) + 1}"


def build(folder, compiler, program, *flags):
    known_test.run([compiler, *FLAGS, *flags, f"-I{known_test.HERE.parents[1] / 'include'}",
                    known_test.HERE / f"{program}.c", "-o", "program", "-pthread", "-lm"], folder)


def experiment(vprofiler, folder, seconds, *words):
    told = json.loads(known_test.run([vprofiler, "causal", "--json", "--quiet", "--budget", f"{seconds}s", *words], folder))
    assert not told["virtual_time"]["backwards"], told["virtual_time"]
    return told


def off(told, truth, what):
    """What is told beyond the interval, and by more than known_test.POINTS."""
    part, far = told["targets"][0]["parts"][0], []
    for level in part["levels"][1:]:
        found, wanted = level["throughput"], truth(level["share"], None)["throughput"]
        assert found, told["warnings"]
        line = (f"{what}, {level['share']:.0%}: {found['change']:+.1%} ({found['ci95'][0]:+.1%} .. "
                f"{found['ci95'][1]:+.1%}), truth {wanted:+.1%}")
        print(line)
        if known_test.is_off("throughput", found, wanted):
            far.append(line)
    return far


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vprofiler", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--few", action="store_true", help="one way to compile each program, and one to start it")
    arguments = parser.parse_args()
    vprofiler, far = arguments.vprofiler.resolve(), []
    if not shutil.which("gcc"):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for compiler, debug, program, text, truth in LINES[1:3] if arguments.few else LINES:
            if shutil.which(compiler):
                build(folder, compiler, program, debug)
                line = line_of(program, text)
                told = experiment(vprofiler, folder, arguments.seconds, "--line", line, "--", "./program")
                far += off(told, truth, f"{compiler} {debug}, {line}")
        build(folder, "gcc", "c4_chain", "-DVPROF_DISABLE")
        (folder / "start.sh").write_text("./program; true\n")
        for command in [["sh", "start.sh"], ["./program"]][:1 if arguments.few else 2]:
            told = experiment(vprofiler, folder, arguments.seconds, "--function", "f", "--progress", "rest", "--", *command)
            assert not told["intervals"]
            far += off(told, THIRD, f"calls of rest, {' '.join(command)}")
    print("\n".join(["", *far]), end="")
    sys.exit(len(far) > 0)


if __name__ == "__main__":
    main()
