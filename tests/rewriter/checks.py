"""What the scripts beside this one check, and how they end; files that they make and read."""
import os
import sys

failures = []


def check(condition, what):
    if not condition:
        failures.append(what)


def end():
    """Exit status 1 where a check failed; all that did are told."""
    print("\n".join(failures), end="\n" if failures else "")
    sys.exit(1 if failures else 0)


def put(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def get(path):
    with open(path) as file:
        return file.read()
