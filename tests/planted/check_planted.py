#!/usr/bin/env python3
"""Does vprofiler find what an example has planted?

    check_planted.py VPROFILER EXAMPLE [--times 10] [--keep]

Profiles a copy of the example and compares report.json with the example's answer.json and with what
the program measured itself in the last round. One line for each run; exit status 1 if any failed.
A run that failed is made again, twice at the most, where its report itself warns of latency-shift: the
machine, and not only the example, made its latency vary.
With --keep, and after a failure, the copy stays and is named.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import laws

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))
import check_report  # noqa: E402

SECONDS_MAX = 280
UNSTEADY_MAX = 3
LATENCY_TOLERANCE = 0.05  # relative, of the whole latency's variance


class Failed(Exception):
    pass


def digests(folder):
    found = {}
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "vprofiler-out"]
        for name in files:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


def profile(vprofiler, tree, truth):
    """Runs vprofiler in a session of its own, so that a run that hangs is ended as a whole."""
    command = [vprofiler, "iterate", "--k", "3", "--build", "build.sh", "--auto", "--quiet",
               "--out", os.path.join(tree, "vprofiler-out")]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("VPROF_")}
    with subprocess.Popen(command, cwd=tree, env=dict(environment, PLANTED_TRUTH=truth),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=SECONDS_MAX)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise Failed(f"not done after {SECONDS_MAX} s") from None
    if process.returncode != 0:
        last = output.decode(errors="replace").strip().splitlines()[-3:]
        raise Failed(f"exit status {process.returncode}: {' / '.join(last)}")


def read_results(tree, truth):
    try:
        with open(os.path.join(tree, "vprofiler-out", "latest", "report.json")) as file:
            report = json.load(file)
        with open(truth) as file:
            return report, json.loads(file.read().splitlines()[-1])
    except (OSError, ValueError, IndexError) as error:
        raise Failed(f"no result: {error}") from None


def planted_contribution(answer, measured):
    part = answer["truth_part"]
    if part is None:
        return None
    return {**measured["parts"], **measured["covariance"]}[part]["contribution"]


def is_expected(factor, expected):
    if factor["kind"] != expected["kind"]:
        return False
    if expected["kind"] == "covariance":
        return sorted(factor["functions"]) == sorted(expected["functions"])
    return factor["functions"][0] in expected["functions"]


def share_of(node, name):
    """Of the outermost nodes of that name below the node, which may be called `name` or `name [..]`."""
    return sum(child["share"] if re.search(rf"\b{name}\b", child["name"]) else share_of(child, name)
               for child in node.get("children") or [])


def woken_share(node, functions, name):
    """How much of the share of the outermost nodes of these functions is that of `name` below them."""
    if node["name"] in functions:
        return share_of(node, name), node["share"]
    parts = [woken_share(child, functions, name) for child in node.get("children") or []]
    return sum(part for part, _ in parts), sum(whole for _, whole in parts)


def check_factor(report, answer, truth):
    top = report["factors"][0] if report["factors"] else None
    if top is None:
        raise Failed("no factors")
    if not is_expected(top, answer["top_factor"]):
        raise Failed(f"expected {answer['top_factor']['functions']}")
    if truth is not None and abs(top["contribution"] - truth) > answer["tolerance"]:
        raise Failed("contribution too far from the measured one")
    path = top["sites"][0]["path"]
    missing = [name for name in answer["path_contains"] if name not in path]
    if missing:
        raise Failed(f"{missing} not on the path {' > '.join(path)}")
    name = answer["woken_by"]
    if name:
        part, whole = woken_share(report["tree"], top["functions"], name)
        if part <= 0 or part < answer["woken_share"] * whole:
            raise Failed(f"{name} has {part:.3f} of the {whole:.3f} that are {top['functions'][0]}'s share")


def check_others(report, types):
    """Whom the wakers served: intervals of these types, or of none where the list is empty."""
    wanted = sorted(f"another interval ({name})" for name in types)
    found = sorted({node["name"] for node, _ in laws.nodes(report["tree"]) if node["kind"] == "for-another"})
    if found != wanted:
        raise Failed(f"wakers served {found}, not {wanted}")


def comes_from(timeline, name):
    wakers = [number for number, lane in enumerate(timeline["lanes"])
              if any(re.search(rf"\b{name}\b", span["name"]) for span in lane["spans"])]
    return any(arrow["from"] in wakers for arrow in timeline["arrows"])


def overlap_ns(span, work):
    return min(span["end_ns"], work["end_ns"]) - max(span["start_ns"], work["start_ns"])


def was_blocked(timeline, calls):
    """Whether a thread that worked for the interval was then blocked in one of these calls for a quarter of its
    latency. A sleep for a set time does not count: nobody ends it."""
    named = tuple(f"blocked: {call}" for call in calls)
    return any(span["blocked"] and span["name"].startswith(named)
               and 4 * overlap_ns(span, work) >= timeline["latency_ns"]
               for lane in timeline["lanes"] for work in lane["worked"] for span in lane["spans"])


def check_timelines(report, answer):
    """A slow interval that was blocked shows who woke it: a lane with `woken_by`, an arrow out of it to a block.
    Others of those shown may be slow for another reason; the slowest of all, because its waker had to wait for a
    processor itself."""
    slowest = max(report["timelines"], key=lambda timeline: timeline["latency_ns"])
    if slowest["latency_ns"] != report["intervals"]["max_ns"]:
        raise Failed(f"the slowest interval shown took {slowest['latency_ns']} ns")
    name = answer["woken_by"]
    if not name:
        return
    calls = answer["top_factor"]["functions"]
    slow = [timeline for timeline in report["timelines"]
            if timeline["what"] != "typical" and was_blocked(timeline, calls)]
    if slow and not any(comes_from(timeline, name) for timeline in slow):
        raise Failed(f"no arrow of a slow interval comes from {name}")


def check_whole(report, answer, measured):
    if report["coverage"] < answer["min_coverage"]:
        raise Failed(f"coverage {report['coverage']:.3f}")
    limit = answer["max_functions_timed"]
    if limit is not None and report["functions_timed"] >= limit:
        raise Failed(f"{report['functions_timed']} functions timed, {limit} or more")
    if report["lost_records"]:
        raise Failed(f"{report['lost_records']} records lost")
    if measured is None:
        return
    count, planted = report["intervals"]["count"], measured["intervals"]
    if count != planted:
        raise Failed(f"{count} intervals, the program counted {planted}")
    ratio = report["intervals"]["variance_ns2"] / measured["latency_variance_ns2"]
    if abs(ratio - 1) > LATENCY_TOLERANCE:
        raise Failed(f"the latency's variance is {ratio:.3f} of the measured one")


def check_near(what, got, known, tolerance):
    if abs(got - known) > tolerance:
        raise Failed(f"{what} is {got:.6g}, by the program's own count {known:.6g}")


def check_size(intervals, expected, measured):
    """What goes with SI_VALUE: as much as the program counts, and about as much as was planted."""
    names = [value["name"] for value in intervals["values"]]
    if names != [expected["name"]]:
        raise Failed(f"the values are {names}")
    value, tolerance = intervals["values"][0], expected["tolerance"]
    for key, scale in (("explained", 1), ("slope_ns", measured["slope_ns"])):
        check_near(f"{key} of {expected['name']}", value[key], measured[key], tolerance * scale)
        low, high = expected[key]
        if not low <= value[key] <= high:
            raise Failed(f"{key} of {expected['name']} is {value[key]:.6g}, not as planted")
    if value["count"] != intervals["count"] or abs(value["mean"] - measured["mean"]) > 1e-9:
        raise Failed(f"mean of {expected['name']} is {value['mean']}, not {measured['mean']}, or not of all")
    if not value["ci95"][0] <= value["explained"] <= value["ci95"][1]:
        raise Failed(f"explained of {expected['name']} lies outside its interval")
    check_near("explained by all values", intervals["values_explained"], value["explained"], 1e-9)


def check_types(intervals, expected, measured):
    tolerance = expected["tolerance"]
    found = {kind["name"]: kind for kind in intervals["types"]}
    if sorted(found) != sorted(expected["names"]):
        raise Failed(f"the types are {sorted(found)}")
    for name, truth in measured["types"].items():
        if found[name]["count"] != truth["count"]:
            raise Failed(f"{found[name]['count']} of type {name}, the program counted {truth['count']}")
        mean = truth["mean_ns"]
        check_near(f"mean of {name}", found[name]["mean_ns"], mean, tolerance * mean)
    whole = measured["latency_variance_ns2"]
    for key in ("between_types_ns2", "within_types_ns2"):
        check_near(key, intervals[key], measured[key], tolerance * whole)
    check_near("between and within", intervals["between_types_ns2"] + intervals["within_types_ns2"],
               intervals["variance_ns2"], 1e-9 * whole)


def check_run(vprofiler, tree, truth_path, answer, line):
    """Fills `line`, the words to print, as far as it gets."""
    before = digests(tree)
    profile(vprofiler, tree, truth_path)
    if answer["truth_part"] is None:
        with open(truth_path, "w") as file:
            file.write("null\n")
    report, measured = read_results(tree, truth_path)
    truth = planted_contribution(answer, measured) if measured else None
    if report["factors"]:
        top = report["factors"][0]
        line["top"] = " + ".join(top["functions"])
        line["contribution"] = f"{top['contribution']:.3f}"
    line["truth"] = "-" if truth is None else f"{truth:.3f}"
    line["rounds"] = report["rounds"]
    line["timed"] = report.get("functions_timed", "-")
    if digests(tree) != before:
        raise Failed("the example's own files were changed")
    check_factor(report, answer, truth)
    check_timelines(report, answer)
    check_whole(report, answer, measured)
    if "others" in answer:
        check_others(report, answer["others"])
    if "size" in answer:
        check_size(report["intervals"], answer["size"], measured["size"])
    if "types" in answer:
        check_types(report["intervals"], answer["types"], measured)
    # The made-up reports of check_planted_test.py hold only what is compared here.
    broken = laws.broken(report) or ("PLANTED_FAULT" not in os.environ and check_report.check(report))
    if broken:
        raise Failed("; ".join(broken[:3]))


def was_unsteady(tree, truth):
    try:
        report, _ = read_results(tree, truth)
    except Failed:
        return False
    return any(warning["code"] == "latency-shift" for warning in report.get("warnings", []))


def run_once(vprofiler, example, number, keep):
    name = os.path.basename(example)
    with open(os.path.join(example, "answer.json")) as file:
        answer = json.load(file)
    temporary = tempfile.mkdtemp(prefix=f"planted-{name}-")
    tree = os.path.join(temporary, name)
    shutil.copytree(example, tree, ignore=shutil.ignore_patterns("build", "vprofiler-out"))
    line = dict.fromkeys(("top", "contribution", "truth", "rounds", "timed"), "-")
    verdict, start = "PASS", time.monotonic()
    try:
        check_run(vprofiler, tree, os.path.join(temporary, "truth.json"), answer, line)
    except Failed as failed:
        verdict = f"FAIL: {failed}"
    except (KeyError, TypeError, IndexError) as error:
        verdict = f"FAIL: report.json is not as agreed: {error!r}"
    unsteady = verdict != "PASS" and was_unsteady(tree, os.path.join(temporary, "truth.json"))
    if unsteady:
        verdict += ", and latency-shift"
    seconds = time.monotonic() - start
    if verdict != "PASS" or keep:
        verdict += f" (kept: {tree})"
    else:
        shutil.rmtree(temporary)
    print(f"{name} run {number}: top {line['top']}, contribution {line['contribution']}, "
          f"truth {line['truth']}, rounds {line['rounds']}, functions_timed {line['timed']}, "
          f"{seconds:.1f} s {verdict}", flush=True)
    return verdict.startswith("PASS"), unsteady


def run_steadily(*run):
    for _ in range(UNSTEADY_MAX):
        passed, unsteady = run_once(*run)
        if not unsteady:
            break
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vprofiler")
    parser.add_argument("example")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    vprofiler = os.path.abspath(options.vprofiler)
    example = os.path.abspath(options.example)
    passed = [run_steadily(vprofiler, example, number + 1, options.keep)
              for number in range(options.times)]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
