#!/usr/bin/env python3
"""report_json: every sample is a valid vprofiler.variance/1 in which laws 2 and 3 hold exactly."""
import copy
import json
import math
import subprocess
import sys

import check_report

PRINT = sys.argv[1]
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def report_of(case):
    text = subprocess.run([PRINT, case, "json"], check=True, capture_output=True).stdout
    return json.loads(text.decode("utf-8"))


for case in ("toy", "odd", "empty", "rootless", "one", "constant", "quiet", "deep", "server", "large"):
    for fault in check_report.check(report_of(case)):
        failures.append(f"{case}: {fault}")

toy = report_of("toy")
found = {node["name"]: node for node in check_report.nodes(toy["tree"])}
expect(len(found) == 14, "14 nodes")
expect(found["compact"]["kind"] == "woken-by" and found["compact"]["blamed"], "compact is blamed")
expect(not found["pthread_mutex_lock"]["blamed"], "the blocked call is not")
expect(found["push -> pop"]["kind"] == "queue", "a queue")
expect(any(pair["contribution"] < 0 for pair in found["serve"]["covariances"]), "a negative covariance")
expect(math.isclose(sum(node["share"] for node in found.values() if not node["children"]), 1), "shares")
expect(toy["factors"][0]["sites"][0]["path"] == ["serve", "pthread_mutex_lock"], "a path")
pair = next(factor for factor in toy["factors"] if factor["kind"] == "covariance")
expect(len(pair["functions"]) == 2 and pair["sites"][0]["path"] == ["serve"], "a pair's path")
expect([factor["rank"] for factor in toy["factors"] if factor["selected"]] == [1, 2, 3], "three are selected")
expect(all(abs(factor["contribution"]) >= 0.001 or factor["rank"] <= 3 for factor in toy["factors"]), "cut")
expect(toy["lost_records"] == 12 and toy["intervals"]["incomplete"] == 3, "counts")
expect([part["name"] for part in toy["tail"]["parts"]][0] == "pthread_mutex_lock", "what the slow are slower by")
expect(toy["origin"]["compiler"] == "gcc 12.2.0" and len(toy["warnings"]) == 2, "origin and warnings")
expect([kind["name"] for kind in toy["intervals"]["types"]] == ["browse", "checkout"], "types")
expect(toy["intervals"]["values"][0]["name"] == "rows" and "values_explained" not in report_of("quiet")["intervals"],
       "values")
expect(toy["intervals"]["variance_ns2"] == found["interval"]["variance_ns2"], "unrounded")

odd = [node["name"] for node in check_report.nodes(report_of("odd")["tree"])]
expect("<script>alert('x')</script>" in odd and "größe::日本" in odd, "names as they are")
expect("bad\ufffd\ufffd\ufffd(" in odd and any(len(name) == 4096 for name in odd), "bad bytes, a long name")
expect(report_of("rootless")["tree"] is None and report_of("empty")["factors"] == [], "nothing")
expect(report_of("one")["intervals"]["variance_ns2"] == 0, "one interval")

for path in ("moments", "share", "pairs", "tail", "types", "values", "parts", "step", "bins"):  # the checker itself can fail
    broken = copy.deepcopy(toy)
    node = broken["tree"]["children"][0]
    if path == "moments":
        node["children"][0]["moments"]["square"] = str(int(node["children"][0]["moments"]["square"]) + 1)
    elif path == "tail":
        node["children"][0]["moments"]["tail"] = str(int(node["children"][0]["moments"]["tail"]) + 1)
    elif path == "parts":
        broken["tail"]["parts"][0]["tail"] = str(int(broken["tail"]["parts"][0]["tail"]) + 1)
    elif path == "step":
        broken["tail"]["parts"][0]["to_ns"] += 2
    elif path == "bins":
        broken["intervals"]["histogram"]["bins"][0]["count"] += 1
    elif path == "types":
        broken["intervals"]["types"][0]["count"] += 1
    elif path == "values":
        broken["intervals"]["values"][0]["explained"] *= 1.001
    elif path == "share":
        broken["tree"]["share"] = "much"
    else:
        node["covariances"].pop()
    expect(check_report.check(broken), f"a report with wrong {path} passes")

print("\n".join(failures) or "ok")
sys.exit(bool(failures))
