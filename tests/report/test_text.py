#!/usr/bin/env python3
"""report_text: golden pictures, no escape codes without colour, no line too wide.

    test_text.py report_print [--update]
"""
import pathlib
import re
import subprocess
import sys
import unicodedata

PRINT, UPDATE = sys.argv[1], "--update" in sys.argv
GOLDEN = pathlib.Path(__file__).parent / "golden"
CASES = ("toy", "odd", "empty", "rootless", "one", "constant", "quiet", "unsteady", "deep", "server")
failures = []


def text_of(*args):
    return subprocess.run([PRINT, args[0], "text", *args[1:]], check=True, capture_output=True).stdout.decode("utf-8")


def columns(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def compare(name, text):
    path = GOLDEN / name
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text:
        failures.append(f"{name} differs; test_text.py report_print --update shows the change in git diff")


def tree_faults(text):
    """Who stands below whom: a line is at most one level deeper than the one before."""
    lines = text.partition("WHERE THE ")[2].partition("\n\n")[0].splitlines()[1:]
    before, found = 0, [f"{len(lines)} lines of tree"] if len(lines) > 48 else []
    for line in lines:
        branch = re.match(r"  ((?:[\u2502|\u250a:] |  )*)(?:[\u251c\u2514][\u2574\u2508]|[|:`][-.])", line)
        if not branch:
            continue
        depth = len(branch[1]) // 2 + 1
        if depth > before + 1:
            found.append(f"stands below nothing: {line!r}")
        before = depth
    return found


for case in CASES:
    compare(f"{case}.txt", text_of(case, "100", "utf8"))
compare("toy-ascii.txt", text_of("toy", "100", "ascii"))
compare("toy-80.txt", text_of("toy", "80", "utf8"))
compare("server-72-ascii.txt", text_of("server", "72", "ascii"))
compare("odd-60-ascii.txt", text_of("odd", "60", "ascii"))

for case in CASES:
    for width in ("60", "72", "80", "92", "100", "132", "160"):
        for style in ("utf8", "ascii"):
            text = text_of(case, width, style)
            where = f"{case} {width} {style}"
            wide = [line for line in text.splitlines() if columns(line) > int(width)]
            if wide:
                failures.append(f"{where}: too wide: {wide[0]!r}")
            failures += [f"{where}: {fault}" for fault in tree_faults(text)]
            if style == "ascii" and not text.isascii():
                failures.append(f"{where}: not ASCII")
            if any(unicodedata.category(c) in ("Cc", "Cf") and c != "\n" for c in text):
                failures.append(f"{where}: control characters")
            if re.search(r"\b(nan|inf)\b", text):
                failures.append(f"{where}: not a number")
            if re.search(r" $", text, re.M):
                failures.append(f"{where}: blanks at the end of a line")
    painted = text_of(case, "100", "utf8", "color")
    plain = re.sub(r"\x1b\[\d*m", "", painted)
    if "\x1b[" not in painted:
        failures.append(f"{case}: no colour when asked for")
    if re.sub(r" +$", "", plain, flags=re.M) != text_of(case, "100", "utf8"):
        failures.append(f"{case}: colour changes more than colour")

print("\n".join(failures[:20]) or "ok")
sys.exit(bool(failures))
