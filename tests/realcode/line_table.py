"""On which lines the debugging information says that things are declared, before and after.

An injection that adds a line anywhere in a file moves every function, parameter and variable below it.
Where code begins is no measure: what the compiler inlines and moves changes with what is injected.
"""
import collections
import json
import re
import subprocess

FIELD = re.compile(r"<[0-9a-f]+> +DW_AT_(name|decl_line) +: (?:(?:\([^)]*\):? )*)(.*?)\s*$")
ENTRY = re.compile(r" <([0-9a-f]+)><[0-9a-f]+>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)")
SEEN = ("subprogram", "variable", "formal_parameter", "label")


def functions(path):
    """{(file, line, name)} of the functions with a body in a functions.json."""
    table = json.loads(path.read_text())
    return {(f["file"], f["line"], f["name"]) for f in table["functions"] if f.get("body")}


def read(tree, programs):
    """{(program, compilation, function, name): {line}} of what is declared."""
    lines = collections.defaultdict(set)
    for program in programs:
        dump = subprocess.Popen(["readelf", "--wide", "--debug-dump=info", str(tree / program)],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                errors="replace")
        unit, function, tag, name = "", "", "", ""
        for line in dump.stdout:
            entry = ENTRY.match(line) if "Abbrev Number" in line else None
            if entry:
                tag, name = entry[2], ""
                continue
            field = FIELD.search(line) if "DW_AT_name" in line or "DW_AT_decl_line" in line else None
            if not field:
                continue
            if field[1] == "decl_line":
                if tag in SEEN and name and "vprof" not in name + function:
                    lines[program, unit, function, name].add(int(field[2], 0))
                continue
            name = field[2]
            unit = name if tag == "compile_unit" else unit
            function = name if tag == "subprogram" else function
        dump.wait()
    return lines


def moved(before, after):
    """The names for which neither side's lines hold the other's, and how many were compared."""
    common = [key for key in before if key in after]
    return [f"{key[3]} in {key[1]}: {sorted(before[key])[:3]} -> {sorted(after[key])[:3]}"
            for key in common
            if not before[key] <= after[key] and not after[key] <= before[key]], len(common)
