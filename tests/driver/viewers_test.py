#!/usr/bin/env python3
"""Exports opened by what they are for, with names that are hard to show.

usage: viewers_test.py VPROFILER

speedscope's own page, in headless Chromium: its own format, the Chrome trace and the folded stacks; every
profile in them, whose function names must be those of the file, and the console without a complaint.
Graphviz draws the DOT. Parquet and CSV hold the names as they are. What is not installed is left out;
exits 77 where that is speedscope (NODE_PATH names the folder of node's packages) or Chromium.
"""
import base64
import collections
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from sql_check import ROOT, profile, run

sys.path.append(str(ROOT / "tests/report"))
sys.path.append(str(ROOT / "tests"))
import left_out  # noqa: E402
import parquet  # noqa: E402
import webdriver  # noqa: E402

WAIT_SECONDS = 60

# What functions.json calls some functions of examples/prefork instead.
HOSTILE = {"handle": "<script>alert('1')</script>&amp;<b> \"a\", '\\'\n(int; long)\t%s {}",
           "checkpoint": "long" * 1024,
           "serve": "déjà 漢字 🔥 \u202eevil \x1b[31m"}
failures = []


def expect(name, truth, detail=""):
    if not truth:
        failures.append(name)
    print(name, "ok" if truth else f"FAILED {detail}")


def one_line(text):
    """As a page shows it: white space is one blank."""
    return " ".join(text.split())


def printable(name):
    """What commands neither a terminal nor the order of what is read."""
    return name.replace("\x1b", "\ufffd").replace("\u202e", "\ufffd")


def brief(names):
    return sorted(name if len(name) < 100 else f"{name[:50]}... ({len(name)})" for name in names)


class Bench:
    def __init__(self, vprofiler, home):
        self.vprofiler = vprofiler
        self.tree, _ = profile(vprofiler, "prefork", home)
        functions = sorted((self.tree / "vprofiler-out/latest/rounds").iterdir())[-1] / "functions.json"
        table = json.loads(functions.read_text())
        for function in table["functions"]:
            function["name"] = HOSTILE.get(function["name"], function["name"])
        self.functions = home / "hostile.json"
        self.functions.write_text(json.dumps(table))

    def export(self, form, output, *options):
        run(self.vprofiler, "export", "--quiet", "--format", form, "--functions", self.functions,
            "--output", output, *options, cwd=self.tree)
        return self.tree / output


def check_tables(bench):
    with open(bench.export("csv", "csv") / "nodes.csv", newline="", encoding="utf-8") as file:
        names = [row["name"] for row in csv.DictReader(file, strict=True)]
    rows = parquet.read(bench.export("parquet", "parquet") / "nodes.parquet")
    expect("tables: the same names", [printable(row["name"]) for row in rows] == names)
    expect("tables: as they are", set(HOSTILE.values()) <= {row["name"] for row in rows}, names)


def check_graphviz(bench):
    if left_out.lacks("dot", "drawing by Graphviz", "graphviz"):
        return
    path = bench.export("dot", "tree.dot", "--least", "1e-9")
    drawn = subprocess.run(["dot", "-Tsvg", path], capture_output=True)
    expect("graphviz: no complaint", drawn.returncode == 0 and not drawn.stderr, drawn.stderr)
    texts = [one_line(text.text or "") for text in xml.etree.ElementTree.fromstring(drawn.stdout).iter(
        "{http://www.w3.org/2000/svg}text")]
    for name in HOSTILE.values():
        want = one_line(re.sub(r"[\x00-\x1f]", " ", name).replace("\u202e", "\ufffd"))
        expect(f"graphviz: {want[:20]}", any(text.startswith(want) for text in texts), brief(texts))


def names_of_speedscope(path):
    """(those that must be shown, those that may be) for each profile: no time is no width."""
    scope = json.loads(path.read_text())
    names = [one_line(frame["name"]) for frame in scope["shared"]["frames"]]
    for shown in scope["profiles"]:
        if shown["type"] == "sampled":
            used = {names[frame] for sample in shown["samples"] for frame in sample}
            yield used, used
            continue
        stack, long = [], set()
        for event in shown["events"]:
            if event["type"] == "O":
                stack.append(event["at"])
            elif event["at"] > stack.pop():
                long.add(names[event["frame"]])
        yield long, {names[event["frame"]] for event in shown["events"]}


def names_of_chrome(path):
    """The same for each thread of each process, in their order."""
    tracks = collections.defaultdict(list)
    for event in json.loads(path.read_text())["traceEvents"]:
        if event["ph"] in "BE":
            tracks[event["pid"], event["tid"]].append(event)
    for _, events in sorted(tracks.items()):
        stack, long = [], set()
        for event in events:
            if event["ph"] == "B":
                stack.append(event)
            elif event["ts"] > (opened := stack.pop())["ts"]:
                long.add(one_line(opened["name"]))
        yield long, {one_line(event["name"]) for event in events if event["ph"] == "B"}


def names_of_folded(path):
    used = {one_line(frame) for line in path.read_text().splitlines()
            for frame in line.rpartition(" ")[0].split(";")}
    yield used, used


def names_shown(text):
    """Of the table of the sandwich view: total, own time and name, each on a line."""
    lines = [one_line(line) for line in text.split("Symbol Name\n")[-1].split("\n")]
    return {name for total, own, name in zip(lines[::3], lines[1::3], lines[2::3])}


def press(page, key):
    """For a page that listens at its window and need not have the focus."""
    page.js("for (const type of ['keydown', 'keypress'])"
            " window.dispatchEvent(new KeyboardEvent(type, {key: arguments[0]}))", key)


def text_once(page, ready):
    """The text, once it is as `ready` wants it; as it is at last, if it never is."""
    end = time.monotonic() + WAIT_SECONDS
    while not ready(text := page.js("return document.body.innerText")) and time.monotonic() < end:
        time.sleep(0.1)
    return text


def is_shown(page, text, number, count):
    """Whether it is the profile of that number, in the sandwich view; the page hears no key at first."""
    if "Symbol Name" not in text:
        press(page, "3")
        return False
    return count == 1 or f"({number}/{count})" in text


def check_speedscope(page, speedscope, path, wanted):
    """`wanted`: what names_of_... gives, in the order of the profiles."""
    script = path.with_suffix(".js")
    data = base64.b64encode(path.read_bytes()).decode()
    script.write_text(f"speedscope.loadFileFromBase64({json.dumps(path.name)}, '{data}')")
    page.open_url("about:blank")
    page.open_url(f"file://{speedscope}/dist/release/index.html#localProfilePath={script}")
    for number, (must, may) in enumerate(wanted, 1):
        shown = names_shown(text_once(page, lambda text: is_shown(page, text, number, len(wanted)) and
                                      must <= names_shown(text) <= may))
        expect(f"speedscope {path.name} {number}/{len(wanted)}", must <= shown <= may,
               f"lacks {brief(must - shown)}, has {brief(shown - may)}")
        press(page, "n")
    complaints = [entry["message"] for entry in page.log("browser") if entry["level"] in ("WARNING", "SEVERE")]
    expect(f"speedscope {path.name}: no complaint", not complaints, complaints)


def check_viewers(bench, speedscope):
    scope = bench.export("speedscope", "profile.speedscope.json")
    chrome = bench.export("chrome", "trace.json")
    folded = bench.export("folded", "stacks.folded")
    # High enough for whole lists.
    with webdriver.Browser(1600, 4000, webdriver.SOFTWARE_GPU) as page:
        check_speedscope(page, speedscope, scope, list(names_of_speedscope(scope)))
        check_speedscope(page, speedscope, chrome, list(names_of_chrome(chrome)))
        check_speedscope(page, speedscope, folded, list(names_of_folded(folded)))


def find_speedscope():
    """The folder of the npm package."""
    if not shutil.which("node"):
        return None
    found = subprocess.run(["node", "-p", "require.resolve('speedscope/package.json')"], text=True,
                           capture_output=True)
    return pathlib.Path(found.stdout.strip()).parent if found.returncode == 0 else None


def main():
    speedscope = find_speedscope()
    with tempfile.TemporaryDirectory(prefix="vprofiler-viewers-") as name:
        bench = Bench(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(name))
        check_tables(bench)
        check_graphviz(bench)
        if speedscope and webdriver.there():
            check_viewers(bench, speedscope)
    if failures:
        return 1
    if not speedscope:
        left_out.say("speedscope", npm=["speedscope@1.25.0"])
    if not webdriver.there():
        left_out.say("speedscope in Chromium", apt=webdriver.PACKAGES)
    return 0 if speedscope and webdriver.there() else left_out.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
