#!/usr/bin/env python3
"""check_layers.py [ROOT] - does every #include obey tools/layers.txt, without a cycle of files?

Prints one line for each offence and exits 1; silent and 0 where all is well.
"""
import pathlib
import re
import sys

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


def allowed(rules, folder, target):
    return any(target == rule or target.startswith(rule + "/") for rule in [folder] + rules[folder])


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
            for name in INCLUDE.findall(path.read_text()):
                target = resolve(root, name)
                if target is None:
                    continue  # generated, or not ours
                graph.setdefault(source, []).append(target)
                if not allowed(rules, folder, target):
                    offences.append(f"{source} includes {target}: not allowed for {folder}/")
    cycle = find_cycle(graph)
    if cycle:
        offences.append("include cycle: " + " -> ".join(cycle))
    print("\n".join(offences), end="\n" if offences else "")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
