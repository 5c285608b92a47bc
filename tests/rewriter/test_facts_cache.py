#!/usr/bin/env python3
"""test_facts_cache.py TOOL: kept facts that are damaged, or used by many at once, make no difference."""
import os, pathlib, random, re, subprocess, sys, tempfile

tool = sys.argv[1]
failures = []
FILES = 5


def command(cache):
    return [tool, "--functions", "--skips", "--jobs", "2", "--cache", cache, tree]


def read(output):
    """What was found, and how many compilations were parsed."""
    found = re.search(r"parsed (\d+), cached (\d+)", output)
    return re.sub(r"parse [\d.]+ s, rewrite [\d.]+ s|parsed \d+, cached \d+", "", output), \
        int(found[1]) if found else -1


def run():
    done = subprocess.run(command(cache), capture_output=True, text=True)
    if done.returncode != 0:
        failures.append(f"exit status {done.returncode}: {done.stderr}")
    return read(done.stdout)


def damage(path, others):
    """Says what it did."""
    text = bytearray(path.read_bytes())
    what = dice.choice(["flip", "cut", "grow", "empty", "noise", "other", "gone", "folder"])
    at = dice.randrange(len(text))
    if what == "flip":
        text[at] ^= 1 << dice.randrange(8)
    elif what == "cut":
        del text[at:]
    elif what == "grow":
        text += b"\0" * 7
    elif what == "empty":
        text.clear()
    elif what == "noise":
        text[at:] = dice.randbytes(len(text) - at + 1)
    elif what == "other":
        text[:] = dice.choice(others).read_bytes()
    path.unlink()
    if what == "folder":
        path.mkdir()
    elif what != "gone":
        path.write_bytes(text)
    return what


with tempfile.TemporaryDirectory() as work:
    tree, cache = os.path.join(os.path.realpath(work), "tree"), os.path.join(work, "cache")
    os.mkdir(tree)
    pathlib.Path(tree, "all.h").write_text("int puts(const char *);\n#define CALL(f, x) f(x)\n")
    for i in range(FILES):
        pathlib.Path(tree, f"f{i}.c").write_text(
            f'#include "all.h"\nint f{(i + 1) % FILES}(int);\nstatic int g(int x) {{ return x * {i}; }}\n'
            f'int f{i}(int x) {{ puts("{i}"); return x ? CALL(g, f{(i + 1) % FILES}(x - 1)) : 0; }}\n')
    dice = random.Random(5)
    wanted, parsed = run()
    if parsed != FILES:
        failures.append(f"with no cache {parsed} are parsed")
    for round in range(40):
        records = sorted(pathlib.Path(cache).glob("*.facts"))
        if len(records) != FILES:
            failures.append(f"{len(records)} records")
            break
        chosen = dice.sample(records, dice.randrange(1, 4))
        spared = [record for record in records if record not in chosen]
        done = [damage(record, spared) for record in chosen]
        found, parsed = run()
        if found != wanted or parsed != len(chosen):
            failures.append(f"{done}: {parsed} parsed, {'the same' if found == wanted else found}")
        for record in pathlib.Path(cache).glob("*.facts"):
            if record.is_dir():
                record.rmdir()
        if run() != (wanted, done.count("folder")):
            failures.append(f"{done} is not made good")

    # Some at once, while records are damaged below them.
    for round in range(6):
        running = [subprocess.Popen(command(cache), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    text=True) for _ in range(4)]
        for record in sorted(pathlib.Path(cache).glob("*.facts")):
            try:
                record.write_bytes(record.read_bytes()[:dice.randrange(1, 400)])
            except FileNotFoundError:
                pass
        for process in running:
            output, errors = process.communicate()
            if process.returncode != 0 or read(output)[0] != wanted:
                failures.append(f"at once: exit status {process.returncode}: {errors}{output}")
    if [name for name in os.listdir(cache) if not name.endswith(".facts")]:
        failures.append(f"left behind: {os.listdir(cache)}")
print("\n".join(failures))
sys.exit(bool(failures))
