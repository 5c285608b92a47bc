#!/usr/bin/env python3
"""planted.c, planted.h and the generated files are what they should be.

    copies_test.py EXAMPLES
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def different_copies(examples):
    for name in ("planted.c", "planted.h"):
        first, *others = sorted(glob.glob(os.path.join(examples, "*", name)))
        yield from (other for other in others if contents(other) != contents(first))


def stale_files(folder):
    with tempfile.TemporaryDirectory() as temporary:
        shutil.copy(os.path.join(folder, "generate.py"), temporary)
        subprocess.run([sys.executable, "generate.py"], cwd=temporary, check=True)
        for path in glob.glob(os.path.join(temporary, "*.[ch]")):
            committed = os.path.join(folder, os.path.basename(path))
            if contents(committed) != contents(path):
                yield committed


def main():
    examples = sys.argv[1]
    wrong = [f"differs from the other copies: {path}" for path in different_copies(examples)]
    wrong += [f"not what generate.py writes: {path}"
              for path in stale_files(os.path.join(examples, "deep"))]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
