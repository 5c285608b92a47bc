#!/usr/bin/env python3
"""Checks a report.json: the schema, laws 2 and 3, the tail's ledger, the law of total variance and the histogram
exactly, from the file alone.

    check_report.py report.json
"""
import json
import math
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
    found = [fault for one in schema.get("allOf", []) for fault in faults(value, one, where)]
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


def tail_parts(report):
    """The ledger by parts, from the tree: sums, shares, and steps that close."""
    n, slow, tail = report["intervals"]["count"], report["intervals"]["tail_count"], report["tail"]
    parts = {}
    if any("cut" in node for node in nodes(report["tree"])):
        return []  # whose parts these are stands deeper than the tree is written

    def walk(node, owner, top):
        """Returns whether the node is a part, or has some, of its own."""
        own = node["kind"] in ("body", "wait", "io") and not top
        mine = owner if owner and (node["blamed"] or own) else {"sum": 0, "tail": 0, "leaves": 0}
        if not node["children"]:
            mine["leaves"] += 1
            for key in ("sum", "tail"):
                mine[key] += int(node["moments"][key])
        below = [walk(child, mine, owner is None) for child in node["children"]]
        if mine is not owner and mine["leaves"]:
            body = " [body]" if any(below) and owner else ""
            key = node["kind"].replace("function", "call"), node["name"] + body, node.get("object")
            for which, value in (("sum", mine["sum"]), ("tail", mine["tail"]), ("places", 1)):
                parts.setdefault(key, {"sum": 0, "tail": 0, "places": 0})[which] += value
        return mine is not owner

    walk(report["tree"], None, False)
    found, running, taken = [], Fraction(int(report["tree"]["moments"]["sum"]), n), tail["mean_ns"]
    whole = Fraction(int(report["tree"]["moments"]["tail"]), slow) - running
    if abs(tail["mean_ns"] - running) > 1:
        found.append(f"the ledger begins with {tail['mean_ns']}")
    for part in tail["parts"]:
        want = parts.pop((part["kind"].replace("function", "call"), part["name"], part.get("object")), None)
        if want != {"sum": int(part["sum"]), "tail": int(part["tail"]), "places": part["places"]}:
            found.append(f"the part {part['name']!r} is not {want}")
            continue
        more = Fraction(want["tail"], slow) - Fraction(want["sum"], n)
        running += more
        if part["from_ns"] != taken or abs(part["to_ns"] - running) > Fraction(501, 1000):
            found.append(f"the part {part['name']!r} goes from {taken} to {float(running)}")
        if abs(part["share"] - (more / whole if whole else 0)) > 1e-9 * max(1, abs(part["share"])):
            found.append(f"the part {part['name']!r} has another share")
        taken = part["to_ns"]
    if parts or tail["slow_ns"] != taken:
        found.append(f"the ledger does not close: {parts} are missing")
    return found


def histogram(report):
    """Bins side by side that hold all; equal steps, or factors, as far as whole numbers allow."""
    intervals, found = report["intervals"], []
    bins = intervals["histogram"]["bins"]
    if sum(one["count"] for one in bins) != intervals["count"]:
        found.append("the histogram does not count every interval")
    if any(one["from_ns"] >= one["to_ns"] for one in bins):
        found.append("a bin of the histogram is empty of numbers")
    if any(one["to_ns"] != two["from_ns"] for one, two in zip(bins, bins[1:])):
        found.append("bins of the histogram are not side by side")
    if not (bins[0]["from_ns"] <= intervals["min_ns"] < bins[0]["to_ns"]) or \
            not (bins[-1]["from_ns"] <= intervals["max_ns"] < bins[-1]["to_ns"]):
        found.append("the histogram does not end with the least and the greatest")
    if intervals["histogram"]["scale"] == "linear":
        if len({one["to_ns"] - one["from_ns"] for one in bins}) != 1:
            found.append("the bins of the histogram are not equally wide")
    elif len({round(math.log(one["to_ns"] / one["from_ns"]), 2) for one in bins if one["from_ns"] >= 1000}) > 2:
        found.append("the bins of the histogram are not of one factor")
    return found


def timeline_faults(timeline):
    """Spans lie within the one around them, arrows go forward between lanes, all within the interval."""
    latency, lanes, found = timeline["latency_ns"], timeline["lanes"], []
    for lane in lanes:
        around, last = [], 0
        for span in lane["spans"]:
            if span["depth"] > len(around) or not last <= span["start_ns"] < span["end_ns"]:
                found.append(f"{span['name']!r} stands nowhere")
                break
            del around[span["depth"]:]
            outer = around[-1] if around else {"start_ns": 0, "end_ns": latency}
            if span["start_ns"] < outer["start_ns"] or span["end_ns"] > outer["end_ns"]:
                found.append(f"{span['name']!r} sticks out")
            if span["end_ns"] - span["start_ns"] < timeline["least_ns"]:
                found.append(f"{span['name']!r} is too short")
            around.append(span)
            last = span["start_ns"]
        edges = [edge for stretch in lane["worked"] for edge in (stretch["start_ns"], stretch["end_ns"])]
        if edges != sorted(edges) or edges and edges[-1] > latency:
            found.append(f"thread {lane['tid']} worked out of order")
    for arrow in timeline["arrows"]:
        if not (0 <= arrow["from_ns"] <= arrow["to_ns"] <= latency and arrow["from"] < len(lanes)
                and arrow["to"] < len(lanes)):
            found.append(f"an arrow leads nowhere: {arrow}")
        ends = [span["end_ns"] for span in lanes[arrow["to"]]["spans"] if span["blocked"]] if arrow["to"] < len(lanes) \
            else []
        if arrow["kind"] == "wake-up" and arrow["to_ns"] not in ends:
            found.append(f"an arrow ends no block: {arrow}")
    if lanes and not lanes[0]["worked"]:
        found.append("the first lane did not work for the interval")
    return [f"{timeline['what']}: {fault}" for fault in found]


def timelines(report):
    intervals, found = report["intervals"], []
    shown = {timeline["what"]: timeline for timeline in report["timelines"]}
    for timeline in report["timelines"]:
        found += timeline_faults(timeline)
    longest = max((timeline["latency_ns"] for timeline in shown.values()), default=intervals["max_ns"])
    if longest != intervals["max_ns"]:
        found.append(f"the slowest interval shown took {longest}")
    if len({timeline["interval"] for timeline in report["timelines"]}) != len(report["timelines"]):
        found.append("an interval is shown twice")
    return found


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
    if n:
        found += tail_parts(report) + histogram(report) + timelines(report)
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
