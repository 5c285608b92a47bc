#!/usr/bin/env python3
"""Wrong use: what is said, word for word, and the exit code.

usage: wrong_use_test.py VPROFILER [--update] [CASE...]

A case is a file in wrong_use/, in this order:
    file NAME             a file of the tree, beside server.c and build.sh; its lines follow, after "| "
    $ COMMAND             run by sh in the tree; $OUT is a folder for results, which is not there yet
    exit N
    ...                   stderr; the tree is called TREE, $OUT is called OUT
--update writes what is said now.
"""
import os
import pathlib
import re
import subprocess
import sys

from target import Target

CASES = pathlib.Path(__file__).resolve().parent / "wrong_use"


def split(text):
    """The files of a case, its command, its exit code and its stderr."""
    files, lines = {}, text.split("\n")
    while not lines[0].startswith("$ "):
        line = lines.pop(0)
        if line.startswith("file "):
            name = line[5:]
            files[name] = ""
        else:
            assert line.startswith("|"), line
            files[name] += line[2:] + "\n"
    command = lines.pop(0)[2:]
    code = int(lines.pop(0)[5:]) if lines[0].startswith("exit ") else -1
    return files, command, code, "\n".join(lines)


def run(vprofiler, files, command):
    with Target(vprofiler, files) as target:
        before = target.hashes()
        out = str(target.home / "out")
        environment = dict(os.environ, OUT=out, LC_ALL="C",
                           PATH=f"{os.path.dirname(vprofiler)}:{os.environ['PATH']}")
        done = subprocess.run(["sh", "-c", command], cwd=target.tree, env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        said = done.stderr.replace(str(target.tree), "TREE").replace(out, "OUT")
        said = re.sub(r"built in \d+\.\d s", "built in N s", said)
        faults = ["something on stdout"] if done.stdout else []
        if target.hashes() != before:
            faults.append("the source tree changed")
        return done.returncode, said, faults


def check(vprofiler, path, update):
    text = path.read_bytes().decode()
    files, command, code, expected = split(text)
    got, said, faults = run(vprofiler, files, command)
    if update:
        head = text[:text.index("$ ")]
        path.write_text(f"{head}$ {command}\nexit {got}\n{said}")
    elif got != code:
        faults.append(f"exit code {got}, not {code}")
    elif said != expected:
        faults.append("other words than expected")
    if faults:
        print(f"{path.name}: {'; '.join(faults)}\n{said}")
    return not faults


def main():
    vprofiler, *rest = sys.argv[1:]
    update = "--update" in rest
    names = [name for name in rest if name != "--update"]
    paths = sorted(p for p in CASES.iterdir() if not names or p.name in names)
    passed = sum(check(os.path.abspath(vprofiler), path, update) for path in paths)
    print(f"{passed} passed, {len(paths) - passed} failed")
    return passed != len(paths) or not paths


if __name__ == "__main__":
    sys.exit(main())
