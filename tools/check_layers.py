#!/usr/bin/env python3
"""check_layers.py [ROOT] - does every #include obey tools/layers.txt, without a circle of units?

A unit is a .c with its .h: two units that include each other can only be read together. A folder's
roof is the header of its own name, what others see of the whole: nothing below it needs it. Nor is
a unit longer than one reads at a time. Prints one line for each offence and exits 1; silent and 0
where all is well.
"""
import pathlib
import re
import sys

HEADER_MOST, UNIT_MOST = 180, 700  # lines
# Texts that are for the user's files, and the format of all that is recorded, stand in one piece.
LONG = {"include/vprof_api.h", "rewriter/probe.h", "rewriter/site.h", "trace/trace_format.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def read_rules(path):
    rules = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            folder, allowed = line.split(":")
            rules[folder.strip()] = allowed.split()
    return rules


def resolve(root, name):
    for candidate in (root / name, root / "include" / name):
        if candidate.exists():
            return candidate.relative_to(root).as_posix()
    return None


def unit_of(source):
    return source.rsplit(".", 1)[0]


def folder_of(rules, source):
    return max((f for f in rules if source.startswith(f + "/")), key=len)


def allowed(rules, folder, target):
    return any(target == rule or target.startswith(rule + "/") for rule in [folder] + rules[folder])


def is_roof_from_below(source, target):
    folder, _, name = target.rpartition("/")
    return source.startswith(folder + "/") and unit_of(source) != unit_of(target) and \
        name == folder.rpartition("/")[2] + ".h"


def too_long(root, source):
    lines = (root / source).read_text().count("\n")
    most = HEADER_MOST if source.endswith(".h") else UNIT_MOST
    if lines > most and source not in LONG:
        yield f"{source} has {lines} lines: more than {most}"


def find_cycle(graph):
    state = {}
    for start in sorted(graph):
        stack = [(start, iter(graph[start]))]
        if state.get(start):
            continue
        state[start] = "open"
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = "done"
                stack.pop()
            elif state.get(following) == "open":
                return [n for n, _ in stack] + [following]
            elif not state.get(following):
                state[following] = "open"
                stack.append((following, iter(graph.get(following, ()))))
    return None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    rules = read_rules(root / "tools" / "layers.txt")
    offences, graph = [], {}
    for folder in rules:
        for path in sorted((root / folder).rglob("*.[ch]")) if (root / folder).is_dir() else []:
            source = path.relative_to(root).as_posix()
            if folder_of(rules, source) != folder:
                continue
            offences += too_long(root, source)
            for name in INCLUDE.findall(path.read_text()):
                target = resolve(root, name)
                if target is None:
                    continue  # generated, or not ours
                if unit_of(target) != unit_of(source):
                    graph.setdefault(unit_of(source), []).append(unit_of(target))
                if not allowed(rules, folder, target):
                    offences.append(f"{source} includes {target}: not allowed for {folder}/")
                if is_roof_from_below(source, target):
                    offences.append(f"{source} includes {target}: the roof of its own folder")
    cycle = find_cycle(graph)
    if cycle:
        offences.append("circle of units: " + " -> ".join(cycle))
    print("\n".join(offences), end="\n" if offences else "")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
