#!/usr/bin/env python3
"""Wrong use and failing targets: each has its message and exit code, and the tree stays as it was.

usage: bad_input_test.py VPROFILER [CASE]
"""
import json
import sys

from target import SERVER, Target

CRASH = SERVER.replace("nap(next_random() % 2 ? 3000 : 200);", "abort();")
KILLED = SERVER.replace("nap(next_random() % 2 ? 3000 : 200);", "raise(SIGKILL);").replace(
    "#include <time.h>", "#include <signal.h>\n#include <time.h>")
LATER = SERVER.replace("nap(next_random() % 2 ? 3000 : 200);", """nap(200);
    static int calls;
    if (++calls == 100 && getenv("VPROF_ROUND") && *getenv("VPROF_ROUND") == '1')
        DIES;""")
NO_BEGIN = SERVER.replace("id < 150", "id < 0")
NO_END = SERVER.replace("SI_END(id);", "")
NO_MARKS = SERVER.replace("SI_END(id);", "").replace("SI_BEGIN(id);", "(void)id;")
BROKEN = SERVER.replace("static void parse(void)", "static void parse(void")
UNKNOWN = {"intervals": [{"begin": {"function": "handel", "at": "entry", "id": "id"},
                          "end": {"function": "handel", "at": "exit", "id": "id"}}]}
BAD_LINE = {"intervals": [{"begin": {"function": "handle", "at": {"line": 1}, "id": "id"},
                           "end": {"function": "handle", "at": "exit", "id": "id"}}]}
BAD_KEY = {"intervals": [{"start": {}}]}

# name, files, options, build script, exit code, what the message must hold
CASES = [
    ("k 0", {}, ["--k", "0"], "build.sh", 2, ["--k wants a whole number", "'0'", "--help"]),
    ("k x", {}, ["--k", "x"], "build.sh", 2, ["--k wants a whole number", "'x'"]),
    ("threshold 2", {}, ["--threshold", "2"], "build.sh", 2, ["--threshold wants a fraction"]),
    ("unknown option", {}, ["--buid", "x"], "build.sh", 2, ["--buid", "--help"]),
    ("stray word", {}, ["word"], "build.sh", 2, ["'word'", "--"]),
    ("no build", {}, [], None, 2, ["--build"]),
    ("missing build", {}, [], "none.sh", 2, ["no build script none.sh"]),
    ("no compile commands", {"build.sh": "#!/bin/sh\nexit 0\n"}, [], "build.sh", 1,
     ["No compile commands", "make clean", "--compile-commands"]),
    ("build fails", {"build.sh": "#!/bin/sh\necho oh dear\nexit 7\n"}, [], "build.sh", 1,
     ["exit status 7", "oh dear", "round 0", "repeat"]),
    ("source is broken", {"server.c": BROKEN}, [], "build.sh", 1, ["round 0", "server.c:", "as it is"]),
    ("crash", {"server.c": CRASH}, [], "build.sh", 1, ["signal 6", "round 0"]),
    ("killed", {"server.c": KILLED}, [], "build.sh", 1, ["signal 9", "Killed"]),
    ("crash in round 1", {"server.c": LATER.replace("DIES", "abort()")}, [], "build.sh", 1,
     ["signal 6", "round 1"]),
    ("killed in round 1", {"server.c": LATER.replace("DIES", "raise(SIGKILL)").replace(
        "#include <time.h>", "#include <signal.h>\n#include <time.h>")}, [], "build.sh", 1,
     ["signal 9", "Killed", "round 1"]),
    ("no SI_BEGIN reached", {"server.c": NO_BEGIN}, [], "build.sh", 3,
     ["No interval was completed", "SI_BEGIN reached: 0 times", "attached: 1"]),
    ("no SI_END", {"server.c": NO_END}, [], "build.sh", 3, ["SI_BEGIN reached: 150 times",
                                                             "SI_END reached: 0 times"]),
    ("no annotation", {"server.c": NO_MARKS}, [], "build.sh", 3, ["No function", "SI_BEGIN(id)"]),
    ("unknown function", {"vprofiler.json": json.dumps(UNKNOWN)}, [], "build.sh", 2,
     ["handel", "handle"]),
    ("no statement there", {"vprofiler.json": json.dumps(BAD_LINE)}, [], "build.sh", 2, ["line 1"]),
    ("unknown key", {"vprofiler.json": json.dumps(BAD_KEY)}, [], "build.sh", 2,
     ["vprofiler.json", "intervals[0]", "start", "docs/config.md"]),
    ("not JSON", {"vprofiler.json": "{"}, [], "build.sh", 2, ["vprofiler.json:1", "not JSON"]),
]
# What the first run of the program shows ends the loop there.
ENDS_IN_ROUND_0 = {"no SI_BEGIN reached", "no SI_END", "no annotation", "crash"}


def check(vprofiler, case):
    name, files, options, build, code, wanted = case
    with Target(vprofiler, files) as target:
        before = target.hashes()
        got = target.iterate("--auto", *options, build=build)
        faults = [f"the message lacks {text!r}" for text in wanted if text not in got.stderr]
        if name in ENDS_IN_ROUND_0 and "[1]" in got.stderr:
            faults.append("a round 1 was begun")
        if got.returncode != code:
            faults.append(f"exit code {got.returncode}, not {code}")
        if got.stdout:
            faults.append("something on stdout")
        if target.hashes() != before:
            faults.append("the source tree changed")
        if faults:
            print(f"{name}: {'; '.join(faults)}\n{got.stderr}")
        return not faults


def main():
    cases = [c for c in CASES if len(sys.argv) < 3 or c[0] == sys.argv[2]]
    passed = sum(check(sys.argv[1], case) for case in cases)
    print(f"{passed} passed, {len(cases) - passed} failed")
    return passed != len(cases)


if __name__ == "__main__":
    sys.exit(main())
