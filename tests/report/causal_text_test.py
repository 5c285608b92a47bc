#!/usr/bin/env python3
"""Experiments on a terminal: every number of causal.json is in its table, points and kinks of the plots stand where the
numbers say, and no line is wider than the terminal.

usage: causal_text_test.py CAUSAL_PRINT
"""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

PRINT = sys.argv[1]
NAMES = {"throughput": "throughput", "mean": "mean", "sd": "stddev", "p50": "p50", "p99": "p99"}
METRICS = {"throughput": "period_ns", "mean": "mean_ns", "sd": "variance_ns2", "p50": "p50_ns", "p99": "p99_ns"}
CELL = re.compile(r"[-+][\d.]+ % \(-?[\d.]+ \.\. -?[\d.]+\)|not known|not told|too uncertain|too noisy")
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def text(case, *words):
    return subprocess.run([PRINT, case, "text", *words], check=True, capture_output=True).stdout.decode("utf-8")


def near(shown, value):
    """Within what rounding to the shown digits does."""
    digit = 0.1 if "." in shown else 1
    return abs(float(shown) - 100 * value) <= digit / 2 + 1e-6


def is_vague(change):
    return change["too_noisy"] or not change["told"] and (change["ci95"][1] is None or change["ci95"][1] > 9)


def holds(cell, change):
    if change is None:
        return cell in ("not known", "not told")
    if is_vague(change):
        return cell == ("too noisy" if change["too_noisy"] else "too uncertain")
    shown = re.findall(r"[-+]?\d[\d.]*", cell)
    return len(shown) == 3 and all(near(one, value) for one, value in zip(shown, (change["change"], *change["ci95"])))


# ---- tables ----

def tables(lines):
    """(the heads, {level: cells}) one after the other"""
    heads = None
    for line in lines:
        words = line.split()
        if words[:2] == ["faster", "by"]:
            if heads:
                yield heads, rows
            heads, rows = words[2:], {}
        elif heads and re.search(r"\)[-+\d]", line):
            expect(False, f"cells are one: {line}")
        elif heads and re.match(r" {4}\d+ % ", line):
            rows[int(words[0])] = CELL.findall(line[12:])
    if heads:
        yield heads, rows


def check_tables(case, columns, lines, causal):
    found = tables(lines)
    for target in causal["targets"]:
        for part in target["parts"]:
            wanted = list(NAMES) if causal["intervals"] else ["throughput"]
            while wanted:
                heads, rows = next(found)
                expect(heads == wanted[:len(heads)], f"{case} {columns}: columns {heads}, of {wanted}")
                wanted = wanted[len(heads):]
                for level in part["levels"][1:]:
                    cells = rows[round(100 * level["share"])]
                    expect(len(cells) == len(heads) and all(holds(cell, level[NAMES[head]]) for cell, head in zip(cells, heads)),
                           f"{case} {columns}: {target['name']} {level['share']}: {cells}")
    expect(next(found, None) is None, f"{case}: more tables than parts")


# ---- plots ----

def plots(lines, causal):
    """(target's number, name of the plot, its rows: (label or None, signs), the signs of its axis)"""
    for end, line in enumerate(lines):
        if not is_axis(line):
            continue
        begin = max(n for n in range(end) if re.match(r" {11}[a-z]", lines[n]))
        title = max(n for n in range(begin) if re.match(r"  \S", lines[n]))
        target = next(n for n, one in enumerate(causal["targets"]) if one["name"] in lines[title])
        yield from side_by_side(target, lines[begin], lines[begin + 1:end], line)


def is_axis(line):
    return bool(re.fullmatch(r" {11}[─▲]+( {9}[─▲]+)*", line))


def side_by_side(target, names, rows, axis):
    for run in re.finditer(r"[─▲]+", axis):
        begin, end = run.span()
        name = names[begin:end].strip()
        signs = []
        for row in rows:
            row = row.ljust(end)
            label = row[begin - 7:begin].strip()
            signs.append((float(label[:-2]) / 100 if label else None, row[begin:end]))
        yield target, name, signs, run.group()


def check_plot(case, causal, plot):
    target, name, rows, axis = plot
    name, _, hurts = name.partition(": ")
    of = causal["targets"][target]
    part, key = of["parts"][0], NAMES[name]
    labels = [(n, label) for n, (label, _) in enumerate(rows) if label is not None]
    (first, high), (last, low) = labels[0], labels[-1]
    columns, where = len(axis) - 1, f"{case}: {of['name']}, {name}"
    for level in part["levels"][1:]:
        change = level[key]
        if not change or is_vague(change):
            continue
        column = math.floor(level["dose"] * columns + 0.5)
        at = [n for n, (_, signs) in enumerate(rows) if signs[column] in "●○"]
        step = (high - low) / (last - first)
        expect(len(at) == 1 and abs(high - step * (at[0] - first) - change["change"]) <= step / 2 + 1e-9 and
               rows[at[0]][1][column] == ("●" if change["told"] else "○"), f"{where}: {change} stands in rows {at}")
    marked = {n for n, sign in enumerate(axis) if sign == "▲"}
    curve = part["curves"][METRICS[name]]
    wanted = {n for begin, end in curve["kinks"]
              for n in range(math.floor(begin * columns + 0.5), math.floor(end * columns + 0.5) + 1)}
    expect(marked == wanted, f"{where}: kinks at {marked}, not {wanted}")
    expect(bool(hurts) == curve["hurts"], f"{where}: hurts")


def check_plots(case, columns, lines, causal):
    """As many as fit, of what is told."""
    drawn = list(plots(lines, causal))
    for plot in drawn:
        check_plot(case, causal, plot)
    for n, target in enumerate(causal["targets"]):
        told = [name for name in NAMES if any(level.get(NAMES[name]) and level[NAMES[name]]["told"]
                                              for level in target["parts"][0]["levels"][1:])]
        count = len([plot for plot in drawn if plot[0] == n])
        expect(count == min(len(told), 2 if columns < 104 else 3), f"{case} {columns}: {count} plots of {told}, {target['name']}")


def wide(line):
    return sum(2 if unicodedata.east_asian_width(letter) == "W" else 1 for letter in line)


def main():
    with tempfile.TemporaryDirectory() as name:
        for case in ("exact", "server", "outside", "few", "rate", "slight", "odd"):
            folder = pathlib.Path(name) / case
            folder.mkdir()
            subprocess.run([PRINT, case, folder], check=True)
            causal = json.loads((folder / "causal.json").read_text(encoding="utf-8"))
            for columns in (80, 120):
                lines = text(case, str(columns)).splitlines()
                expect(max(map(wide, lines)) <= columns, f"{case}: wider than {columns}: {max(lines, key=wide)!r}")
                expect(" ".join(" ".join(lines).split()).startswith(" ".join(causal["headline"].split()[:4])) or case == "odd", f"{case}: {lines[0]}")
                if case == "odd":
                    continue
                check_tables(case, columns, lines, causal)
                check_plots(case, columns, lines, causal)
            plain = text(case, "80", "ascii")
            expect(plain.isascii(), f"{case}: not ASCII: {[letter for letter in plain if not letter.isascii()][:5]}")
    for failure in failures:
        print("not so:", failure)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
