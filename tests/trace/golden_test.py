#!/usr/bin/env python3
"""Golden folders: golden_test.py trace_dump_tool folder

Every folder below `folder` that holds an events.json is a case: its files are written to run/, and
what trace_dump_tool prints for them must be expected.txt, byte for byte. A functions.json beside it
is used. Adding a case needs no code.
"""
import difflib
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_vtr


def dump(tool, case, directory):
    with open(os.path.join(case, "events.json")) as source:
        make_vtr.make_directory(json.load(source), os.path.join(directory, "run"))
    functions = os.path.join(case, "functions.json")
    arguments = [tool, "run"] + ([functions] if os.path.exists(functions) else [])
    result = subprocess.run(arguments, cwd=directory, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    if result.returncode not in (0, 1):
        return f"{result.stdout}exit status {result.returncode}\n"
    return result.stdout


def passes(tool, case):
    with open(os.path.join(case, "expected.txt")) as source:
        expected = source.read()
    with tempfile.TemporaryDirectory() as directory:
        got = dump(tool, case, directory)
    if got == expected:
        return True
    print(f"FAIL {case}")
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), got.splitlines(True),
                                               "expected.txt", "printed"))
    return False


def main():
    tool, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    cases = sorted(os.path.join(folder, name) for name in os.listdir(folder)
                   if os.path.exists(os.path.join(folder, name, "events.json")))
    failed = [case for case in cases if not passes(tool, case)]
    print(f"{len(cases)} cases, {len(failed)} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
