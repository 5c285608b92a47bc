#!/usr/bin/env python3
"""The generated files of examples/deep are what its generator writes.

    generated_test.py EXAMPLES
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
    wrong = [f"not what generate.py writes: {path}"
             for path in stale_files(os.path.join(examples, "deep"))]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
