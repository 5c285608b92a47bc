#!/usr/bin/env python3
"""check_functions.py [ROOT] - how long are the functions? Prints median, p90 and the longest.

Exits 1 where one is over 70 lines and not named in tools/long_functions.txt. Needs universal-ctags.
"""
import json
import pathlib
import subprocess
import sys

LIMIT = 70
FOLDERS = ["base", "stats", "trace", "symbol", "sampler", "runtime", "rewriter", "variance", "waits", "stacks", "causal", "report", "driver"]


def functions(root):
    files = [str(p) for folder in FOLDERS for p in sorted((root / folder).rglob("*.c"))]
    command = ["ctags", "--output-format=json", "--fields=+neK", "--kinds-C=f", "-f", "-", *files]
    for line in subprocess.run(command, text=True, capture_output=True, check=True).stdout.splitlines():
        tag = json.loads(line)
        if "end" in tag:
            name = f"{pathlib.Path(tag['path']).relative_to(root)}:{tag['name']}"
            yield tag["end"] - tag["line"] + 1, name


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    listed = root / "tools" / "long_functions.txt"
    excused = set(listed.read_text().split("\n")) if listed.exists() else set()
    found = sorted(functions(root))
    lengths = [length for length, _ in found]
    print(f"{len(found)} functions: median {lengths[len(found) // 2]} lines, "
          f"p90 {lengths[len(found) * 9 // 10]}, longest {found[-1][1]} {lengths[-1]}")
    too_long = [f"{name}: {length} lines" for length, name in found
                if length > LIMIT and name not in excused]
    print("\n".join(too_long), end="\n" if too_long else "")
    return bool(too_long)


if __name__ == "__main__":
    sys.exit(main())
