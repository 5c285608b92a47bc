#!/usr/bin/env python3
"""Checks a report.json: the schema, laws 2 and 3, the tail's ledger and the law of total variance exactly, from
the file alone.

    check_report.py report.json
"""
import json
import pathlib
import re
import sys
from fractions import Fraction

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs" / "report.schema.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
         "integer": int, "number": (int, float)}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def faults(value, schema, where="$"):
    """What of `value` the schema forbids: the part of JSON Schema that ours uses."""
    if "$ref" in schema:
        return faults(value, SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]], where)
    if "anyOf" in schema:
        each = [faults(value, one, where) for one in schema["anyOf"]]
        return [] if [] in each else each[0]
    found = []
    if "const" in schema and value != schema["const"]:
        found.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is none of {schema['enum']}")
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(is_type(value, name) for name in types):
            return found + [f"{where}: {value!r} is not of type {types}"]
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{where}: {value!r} is not {schema['pattern']}")
    if isinstance(value, (int, float)) and value < schema.get("minimum", value):
        found.append(f"{where}: {value} is too small")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where}: {len(value)} items")
        for i, item in enumerate(value):
            found += faults(item, schema.get("items", {}), f"{where}[{i}]")
    if isinstance(value, dict):
        found += [f"{where}: no {key}" for key in schema.get("required", []) if key not in value]
        for key, one in schema.get("properties", {}).items():
            if key in value:
                found += faults(value[key], one, f"{where}.{key}")
    return found


def nodes(node):
    waiting = [node] if node else []
    while waiting:
        at = waiting.pop()
        yield at
        waiting += at["children"]


def spread(n, node):
    """n*n*Var(node)"""
    moments = node["moments"]
    return n * int(moments["square"]) - int(moments["sum"]) ** 2


def law_2(n, node):
    children = node["children"]
    whole = sum(spread(n, child) for child in children)
    pairs = set()
    for pair in node["covariances"]:
        a, b = children[pair["a"]], children[pair["b"]]
        pairs.add(frozenset((pair["a"], pair["b"])))
        whole += 2 * (n * int(pair["product"]) - int(a["moments"]["sum"]) * int(b["moments"]["sum"]))
    found = []
    if len(pairs) != len(children) * (len(children) - 1) // 2:
        found.append(f"law 2: {node['name']!r} lacks pairs of its {len(children)} children")
    if whole != spread(n, node):
        found.append(f"law 2: Var({node['name']!r}) is {spread(n, node)} but its children's {whole} (times n^2)")
    if sum(int(child["moments"]["sum"]) for child in children) != int(node["moments"]["sum"]):
        found.append(f"the children of {node['name']!r} do not add up to it")
    return found


def law_3(n, root):
    latency = int(root["moments"]["sum"])
    shares = sum(n * int(leaf["moments"]["latency"]) - int(leaf["moments"]["sum"]) * latency
                 for leaf in nodes(root) if not leaf["children"])
    if shares != spread(n, root):
        return [f"law 3: the leaves' shares add up to {shares}, not {spread(n, root)} (times n^2)"]
    return []


def tail_ledger(report):
    """tail_share, from the integers; the leaves' excess in the tail is the latency's."""
    n, tail = report["intervals"]["count"], report["intervals"]["tail_count"]

    def excess(node):
        return n * int(node["moments"]["tail"]) - tail * int(node["moments"]["sum"])

    root, found = report["tree"], []
    whole = excess(root)
    for node in nodes(root):
        share = excess(node) / whole if whole else 0
        if abs(node["tail_share"] - share) > 1e-9 * max(1, abs(share)):
            found.append(f"tail_share of {node['name']!r} is {node['tail_share']}, by its moments {share}")
    leaves = sum(excess(leaf) for leaf in nodes(root) if not leaf["children"])
    return found + ([] if leaves == whole else [f"the leaves' tail adds up to {leaves}, not {whole}"])


def total_variance(report):
    """Between types plus within types is the variance, in fractions without rounding."""
    intervals, root = report["intervals"], report["tree"]["moments"]
    if not intervals["types"]:
        return []
    n, mean = intervals["count"], Fraction(int(root["sum"]), intervals["count"])
    types = [(kind["count"], int(kind["sum"]), int(kind["square"])) for kind in intervals["types"]]
    between = sum(Fraction(count, n) * (Fraction(total, count) - mean) ** 2 for count, total, _ in types)
    within = sum(Fraction(square, n) - Fraction(total ** 2, count * n) for count, total, square in types)
    variance, found = Fraction(spread(n, report["tree"]), n * n), []
    if between + within != variance:
        found.append(f"between and within types make {float(between + within)}, not {float(variance)}")
    for key, exact in (("between_types_ns2", between), ("within_types_ns2", within)):
        if abs(intervals[key] - exact) > abs(variance) * Fraction(1, 10 ** 9):
            found.append(f"{key} is {intervals[key]}, by the sums {float(exact)}")
    return found


def values(report):
    """slope_ns and explained, from the integers."""
    n, root, found = report["intervals"]["count"], report["tree"]["moments"], []
    for value in report["intervals"]["values"]:
        sums = {key: int(value["moments"][key]) for key in ("sum", "square", "latency")}
        own = n * sums["square"] - sums["sum"] ** 2
        both = n * sums["latency"] - sums["sum"] * int(root["sum"])
        whole = own * spread(n, report["tree"])
        for key, exact in (("slope_ns", Fraction(both, own) if own else 0),
                           ("explained", Fraction(both ** 2, whole) if whole else 0)):
            if abs(value[key] - exact) > abs(exact) / 10 ** 9:
                found.append(f"{key} of {value['name']!r} is {value[key]}, by its sums {float(exact)}")
    return found


def selection(report):
    return [f"factor {factor['rank']}: selected is wrong" for factor in report["factors"]
            if factor["selected"] != (factor["rank"] <= report["top"] and factor["contribution"] > report["threshold"])]


def check(report):
    found = faults(report, SCHEMA)
    if found or not report["tree"]:
        return found
    n = report["intervals"]["count"]
    for node in nodes(report["tree"]):
        if node["children"]:
            found += law_2(n, node)
    return found + law_3(n, report["tree"]) + tail_ledger(report) + total_variance(report) + values(report) \
        + selection(report)


def read(text):
    """The report, for tests of other things: it is valid, or there is an AssertionError."""
    report = json.loads(text)
    found = check(report)
    assert not found, "report.json: " + "; ".join(found[:3])
    return report


if __name__ == "__main__":
    found = check(json.loads(pathlib.Path(sys.argv[1]).read_text()))
    print("\n".join(found[:20]) or "ok")
    sys.exit(bool(found))
