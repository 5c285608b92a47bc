#!/usr/bin/env python3
"""A run that has nothing to tell says why, with counts, and what to do next.

usage: empty_test.py VPROFILER
"""
import json
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import known_test  # noqa: E402
import less_rights  # noqa: E402

# what is asked, the program's arguments, the exit code and the last line of what is said; N: a number
CASES = {
    "never called": (
        ["--function", "idle"], [], 3,
        "vprofiler: idle is never called: not once in N s, while N units of work were done. Functions that are: "
        "work (N times). Name one of these, or let the load reach it; a call that began before is seen when the next "
        "one begins."),
    "no work": (
        ["--function", "work"], ["--still", "1"], 3,
        "vprofiler: Nothing to measure: N process recorded, N intervals began, and fewer than N were completed in half a minute. "
        "Does the load reach the marked code? A program without intervals needs VPROF_PROGRESS(\"name\") or --progress "
        "FUNCTION where a unit of work is complete."),
    "never waited for": (
        ["--waits", "disk"], [], 3,
        "vprofiler: disk is never waited for: not once in N s, while N units of work were done. Functions that are: "
        "work (N times). Name one of these, or let the load reach it; a call that began before is seen when the next "
        "one begins."),
}


# without probes: `serve` is called each so many loops; exit code, and what is said last
CALLED = """
static volatile unsigned long sum;
__attribute__((noinline)) static void work(void) { for (int i = 0; i < LOOPS; i++) sum++; }
__attribute__((noinline)) static void serve(void) { __asm__ volatile(""); }
int main(void) { for (;;) { work(); serve(); } }
"""
TOO_OFTEN = (2, "vprofiler: serve is called too often for --progress: each call stops its thread for N us, which is N % of the "
             "time from one to the next. Name a function that a thread calls less than N times a second, or put "
             "VPROF_PROGRESS(\"name\") of vprof_api.h into this one.")
REFUSED = (1, "vprofiler: The kernel refuses to tell of calls of serve (--progress): kernel.perf_event_paranoid is above N, or "
           "a container forbids perf_event_open. Mend that, or put VPROF_PROGRESS(\"name\") of vprof_api.h into it instead.")
SAMPLES = (1, "vprofiler: Lines, and functions without a probe, are known by samples of the threads' time, which the kernel refuses: "
           "kernel.perf_event_paranoid is above N, a container forbids perf_event_open (--cap-add PERFMON), or Linux is older "
           "than N. Mend that, or give the functions probes: `vprofiler rewrite`.")


def check_calls(vprofiler, folder):
    if platform.machine() != "x86_64":
        return
    folder = folder / "calls"  # where no functions.json lies
    folder.mkdir()
    (folder / "called.c").write_text(CALLED)
    asked = ["--function", "work", "--progress", "serve"]
    for loops, contained, wanted in [(10, False, TOO_OFTEN), (1000000, True, REFUSED)]:
        known_test.run(["gcc", "-O1", "-g", f"-DLOOPS={loops}", "called.c", "-o", "called"], folder)
        code, said, _ = say(vprofiler, folder, asked, ["./called"], contained=contained)
        expect(f"calls, {loops}", (code, re.sub(r"\d[\d,.]*\d|\d", "N", said)), wanted)


def say(vprofiler, folder, asked, program, budget="3s", contained=False):
    command = [str(vprofiler), "causal", "--json", *asked, "--budget", budget, "--", *program]
    done = subprocess.run(less_rights.contained(command) if contained else command, cwd=folder, text=True,
                          capture_output=True, check=False)
    return done.returncode, done.stderr.strip().split("\n")[-1], done.stdout


def expect(name, found, wanted):
    if found != wanted:
        print(f"{name}:\n  {found}\nand not\n  {wanted}")
        sys.exit(1)


def main():
    with known_test.place() as (vprofiler, folder):
        known_test.build(vprofiler, "idle", ["work", "idle"], folder)
        for name, (asked, arguments, code, text) in CASES.items():
            found_code, said, _ = say(vprofiler, folder, asked, ["./program", *arguments])
            expect(name, (found_code, re.sub(r"\d[\d,]*", "N", said)), (code, text))
        check_calls(vprofiler, folder)
        # a program that was not rewritten, beside the table of one that was
        known_test.run(["gcc", "-O2", "-g", f"-I{known_test.HERE.parents[1] / 'include'}", folder / "source" / "idle.c", "-o",
                        folder / "plain", "-pthread"], folder)
        code, said, _ = say(vprofiler, folder, ["--line", "idle.c:10-60"], ["./plain"], contained=True)
        expect("no samples", (code, re.sub(r"\d[\d.]*\d|\d", "N", said)), SAMPLES)
        code, said, _ = say(vprofiler, folder, ["--function", "work"], ["./plain"])
        expect("probes of another program", (code, "No function of functions.json is called: is it that of the program "
                                                   "which runs" in said), (3, True))
        # one of two: the other one is told, too few blocks are said to be too few
        code, said, out = say(vprofiler, folder, ["--function", "idle", "--function", "work"], ["./program"])
        told = json.loads(out)
        expect("one of two", [(target["name"], target["left_out"]) for target in told["targets"]],
               [("work", False), ("idle", True)])
        expect("one of two: counts", told["plan"]["never_called"], 1)
        text = known_test.run([vprofiler, "causal"], folder)
        assert "idle: no experiment was made with it, as it did not run while it was watched." in text, text


if __name__ == "__main__":
    main()
