#!/usr/bin/env python3
"""profile.coz in Coz's own viewer: read by its script, its speed-ups are those of causal.json; opened in its page, it
draws a plot for each target.

usage: coz_viewer_test.py CAUSAL_PRINT

The viewer is that of Debian's coz-profiler. It knows the throughput and, by Little's law, the mean of latencies; one
that becomes shorter it draws below 0.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import webdriver

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

PRINT = sys.argv[1]
VIEWER = pathlib.Path("/usr/share/coz-profiler/viewer")
READ = """
const fs = require("fs"), vm = require("vm"), warnings = [];
const context = vm.createContext({});
vm.runInContext(fs.readFileSync(process.argv[1], "utf8") + "; this.Profile = Profile;", context);
const profile = new context.Profile(fs.readFileSync(process.argv[2], "utf8"), null, null, () => 0, (...words) => warnings.push(words));
console.log(JSON.stringify({warnings, plots: profile.getSpeedupData(5)}));
"""
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def plots(path):
    read = json.loads(subprocess.run(["node", "-e", READ, VIEWER / "js" / "profile.js", path], check=True, text=True,
                                     capture_output=True).stdout)
    expect(not read["warnings"], f"{path}: the viewer warns: {read['warnings']}")
    return {plot["name"]: {point["name"]: {round(m["speedup"], 4): m["progress_speedup"] for m in point["measurements"]}
                           for point in plot["progress_points"]} for plot in read["plots"]}


def wanted(causal, part, number):
    """What the viewer must draw of it, by the dose."""
    for level in part["levels"][1:]:
        if not level[number]:
            continue
        change = level[number]["change"]
        yield round(level["dose"], 4), 1 - 1 / (1 + change) if number == "throughput" else change


def check(case, folder):
    causal, drawn = json.loads((folder / "causal.json").read_text(encoding="utf-8")), plots(folder / "profile.coz")
    expect(len(drawn) == len(causal["targets"]), f"{case}: plots of {list(drawn)}")
    for target in causal["targets"]:
        place = "src/log.c:211" if target["name"] == "flush" else target["name"] + ":0"
        for part in target["parts"]:
            points = [(part["type"] or "interval") + " latency"] if causal["intervals"] else []
            numbers = ["mean"] if points else []
            if part["type"] is None and not causal["outside"]:
                points.append("intervals completed" if causal["intervals"] else "units of work")
                numbers.append("throughput")
            for point, number in zip(points, numbers):
                for dose, change in wanted(causal, part, number):
                    found = drawn.get(place, {}).get(point, {}).get(dose)
                    expect(found is not None and abs(found - change) < 2e-4, f"{case}: {place}, {point} at {dose}: {found}, not {change}")


def records(path):
    for line in path.read_text().splitlines():
        kind, *fields = line.split("\t")
        yield kind, dict(field.split("=", 1) for field in fields)


def crowd(folder):
    """Of four requests at a time that pause as long as they take, two are in progress; Little's law gives their mean."""
    sums, counts_of, last = {}, {}, None
    for kind, fields in records(folder / "profile.coz"):
        if kind == "experiment":
            last = fields
        elif kind == "latency-point":
            expect(fields["difference"] == "2" and fields["arrivals"] == fields["departures"], f"in progress: {fields}")
            at = last["selected"], last["speedup"]
            sums[at] = sums.get(at, 0) + int(fields["difference"]) * int(last["duration"])
            counts_of[at] = counts_of.get(at, 0) + int(fields["arrivals"])
    for target in json.loads((folder / "causal.json").read_text())["targets"]:
        place = "src/log.c:211" if target["name"] == "flush" else target["name"] + ":0"
        mean, wanted_ns = sums[place, "0.0000"] / counts_of[place, "0.0000"], target["parts"][0]["as_it_is"]["mean_ns"]
        expect(abs(mean / wanted_ns - 1) < 1e-6, f"{place}: a mean of {mean} ns, not {wanted_ns}")


def counts(folder):
    """Each call is in the samples once, and in the experiments of one kind once."""
    samples, selected = {}, {}
    for kind, fields in records(folder / "profile.coz"):
        if kind == "experiment":
            last = fields
        elif kind == "throughput-point":
            selected[last["selected"]] = selected.get(last["selected"], 0) + int(last["selected-samples"])
        elif kind == "samples":
            samples[fields["location"]] = int(fields["count"])
    # causal_print.c makes 16 blocks of 6 experiments of 60 requests, of two calls each
    expect(set(samples.values()) == {16 * 6 * 60 * 2} and samples == selected, f"samples {samples}, selected {selected}")


def opened(folder):
    """As a user does it: the file is chosen, and the slider set to as many points as there are levels."""
    if not webdriver.there():
        left_out.say("Coz's viewer in Chromium", apt=webdriver.PACKAGES)
        return
    with webdriver.Browser() as browser:
        browser.open(VIEWER / "index.htm")
        browser.js("""const field = document.getElementById("minpoints_field"); field.value = 5;
            current_profile = new Profile(arguments[0], d3.select("#plot-area"), d3.select("#legend"), get_min_points, display_warning);
            update();""", (folder / "profile.coz").read_text())
        shown = browser.js("return Array.from(document.querySelectorAll('#plot-area .plot-title'), (e) => e.textContent)")
        circles = browser.js("return document.querySelectorAll('#plot-area circle').length")
        expect(len(shown) == 4 and circles == 4 * 5 * 4, f"plots {shown}, {circles} points")


def main():
    if not VIEWER.exists() or not shutil.which("node"):
        left_out.skip("profile.coz in Coz's viewer", apt=["coz-profiler", "nodejs"])
    with tempfile.TemporaryDirectory() as name:
        for case in ("exact", "server", "crowd", "outside", "rate"):
            folder = pathlib.Path(name) / case
            folder.mkdir()
            subprocess.run([PRINT, case, folder], check=True)
            check(case, folder)
        counts(pathlib.Path(name) / "server")
        crowd(pathlib.Path(name) / "crowd")
        opened(pathlib.Path(name) / "server")
    for failure in failures:
        print("not so:", failure)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
