#!/usr/bin/env python3
"""The page of waits in headless Chromium: the picture is that of the numbers and can be read, what is clicked is told,
500 groups do not lag, hostile names stay names; without Graphviz the tables remain.

usage: waits_page_test.py WAITS_PRINT

Exits 77 without Chromium or Graphviz. Prints how long the large page takes.
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import family_page
import webdriver
from family_page import expect, failures, fits_any_screen, quiet_and_alone

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import left_out  # noqa: E402

PRINT = sys.argv[1]
SCHEMA = json.loads((HERE.parents[1] / "docs" / "waits.schema.json").read_text())
MOST_BYTES = 1_500_000
# The page's thread takes 0.37 s for 25,000 of them, and 0.02 s for a click, where nothing else runs: it is printed.
MOST_ELEMENTS = 40_000


def made(case, folder, **environment):
    folder.mkdir(exist_ok=True)
    subprocess.run([PRINT, case, folder], check=True, env={**os.environ, **environment})
    return folder / "waits.html"


class Page(family_page.Page):
    def __init__(self, browser, case, folder):
        path = made(case, folder / case)
        super().__init__(browser, case, path, folder / case / "waits.json", SCHEMA)
        self.waits = self.told

    def click(self, selector):
        self.js("""document.querySelector(arguments[0]).dispatchEvent(new MouseEvent("click", {bubbles: true}))""", selector)

    def edge(self, who, whom):
        groups = self.waits["groups"]
        return next(n for n, edge in enumerate(self.waits["edges"])
                    if groups[edge["from"]]["name"] == who and groups[edge["to"]]["name"] == whom)


def percent(part):
    """As the page has it: one decimal below 10 %."""
    return f"{100 * part:.1f} %" if part < 0.0995 else f"{100 * part:.0f} %"


def drawn(page):
    """What the first picture shows, in its own coordinates."""
    return page.js("""
        const box = (e) => { const b = e.getBBox(); return [b.x, b.y, b.width, b.height]; };
        const end = (e, at) => { const p = e.getPointAtLength(at ? e.getTotalLength() : 0); return [p.x, p.y]; };
        const of = (kind) => Array.from(document.querySelectorAll("#first > ." + kind));
        return {
          groups: of("group").map((g) => ({group: Number(g.dataset.group), rect: box(g.querySelector("rect")),
            texts: Array.from(g.querySelectorAll("text"), box), knot: g.classList.contains("knot")})),
          edges: of("edge").map((g) => ({edge: g.dataset.edge === undefined ? null : Number(g.dataset.edge),
            group: g.dataset.group === undefined ? null : Number(g.dataset.group), text: g.querySelector("text").textContent,
            label: box(g.querySelector("text")), width: Number(g.querySelector(".line").getAttribute("stroke-width")),
            from: end(g.querySelector(".line"), 0), to: end(g.querySelector(".line"), 1),
            tip: g.querySelector("polygon").getAttribute("points").split(" ").slice(0, 2).map(Number)}))};""")


def overlap(a, b, by=1):
    return (a[0] + by < b[0] + b[2] and b[0] + by < a[0] + a[2] and a[1] + by < b[1] + b[3] and b[1] + by < a[1] + a[3])


def inside(a, b):
    return a[0] >= b[0] and a[1] >= b[1] and a[0] + a[2] <= b[0] + b[2] and a[1] + a[3] <= b[1] + b[3]


def distance(point, rect):
    """From the border of a box, from inside or outside."""
    x, y = point
    out_x, out_y = max(rect[0] - x, 0, x - rect[0] - rect[2]), max(rect[1] - y, 0, y - rect[1] - rect[3])
    if out_x or out_y:
        return max(out_x, out_y)
    return min(x - rect[0], rect[0] + rect[2] - x, y - rect[1], rect[1] + rect[3] - y)


def check_picture(page):
    """Names lie in their boxes and overlap nothing; edges go from box to box and are as wide as they weigh."""
    picture, edges = drawn(page), page.waits["edges"]
    rects = {group["group"]: group["rect"] for group in picture["groups"]}
    for group in picture["groups"]:
        for text in group["texts"]:
            page.expect(inside(text, group["rect"]), f"a name is not within its box: {text} {group['rect']}")
        page.expect(group["knot"] == (group["group"] in page.waits["knots"][0]["groups"]), "a wrong knot is marked")
    boxes = [group["rect"] for group in picture["groups"]] + [edge["label"] for edge in picture["edges"]]
    for n, box in enumerate(boxes):
        page.expect(not any(overlap(box, other) for other in boxes[:n]), f"overlap: {box}")
    for edge in picture["edges"]:
        if edge["edge"] is None:
            continue
        of = edges[edge["edge"]]
        share = of["raw_share"]["value"]
        page.expect(edge["text"].replace("\u00a0", " ") == percent(share), f"{edge['text']} is not {share}")
        page.expect(abs(edge["width"] - (1.2 + 12 * min(share, 1))) < 0.06, f"width {edge['width']} of {share}")
        page.expect(distance(edge["from"], rects[of["from"]]) < 3, f"begins nowhere: {edge}")
        page.expect(distance(edge["tip"], rects[of["to"]]) < 3, f"ends nowhere: {edge}")
    wanted = {n for n, edge in enumerate(edges) if edge["counts"]}
    shown = {edge["edge"] for edge in picture["edges"]} - {None}
    page.expect(shown <= wanted and (len(wanted) > 30 or shown == wanted), f"shows {shown}, not {wanted}")


def panel(page):
    return page.js("""
        const panel = document.getElementById("chosen"), names = Array.from(panel.querySelectorAll("dt"), (e) => e.textContent);
        const values = Array.from(panel.querySelectorAll("dd"), (e) => e.textContent);
        return {title: panel.querySelector("h3").textContent, facts: Object.fromEntries(names.map((name, i) => [name, values[i]])),
          stacks: Array.from(panel.querySelectorAll(".stack"), (e) => [e.classList.contains("waker"),
            e.firstChild.textContent, Array.from(e.querySelectorAll("li"), (li) => li.textContent)]),
          locks: Array.from(panel.querySelectorAll(".lock"), (e) => e.textContent),
          links: Array.from(panel.querySelectorAll("button.link"), (e) => e.textContent)};""")


def server(page):
    """The numbers follow from what was made up: 300 rounds, in which the writer waits 5 ms for the disk."""
    n = page.edge("log-writer", "vda")
    told = panel(page)
    page.expect(told["title"] == "log-writer of server \u2192 disk vda", f"chosen at first: {told['title']}")
    page.expect(told["facts"]["times"] == "300" and told["facts"]["longest"] == "5.00 ms" and
                told["facts"]["waited"] == "1.50 s", f"its numbers: {told['facts']}")
    frames = ["blkdev_issue_flush", "fsync", "os_file_flush", "fil_flush", "log_write_up_to", "log_writer_main", "start_thread",
              "clone3"]
    page.expect(told["stacks"] == [[False, "93.3 % \u00b1 3.9, 1.40 s, seen 1 time", frames[:5] + frames]],
                f"its stacks, the first ones and all: {told['stacks']}")
    page.click(f'#first .edge[data-edge="{page.edge("worker", "log-writer")}"] .hit')
    told = panel(page)
    page.expect(told["title"] == "worker of server x 4 \u2192 log-writer of server" and told["facts"]["times"] == "1,200",
                f"after a click: {told}")
    page.expect([stack[0] for stack in told["stacks"]] == [False, True], f"both stacks: {told['stacks']}")
    page.expect(told["locks"] == ["on log_sys.mutex 80 %, of that 75 % while log-writer of server held it"], f"its lock: {told}")
    group = page.waits["edges"][n]["from"]
    page.click(f'#first .group[data-group="{group}"] rect')
    told = panel(page)
    page.expect(told["title"] == "log-writer of server" and told["facts"]["members"] == "1", f"of a group: {told}")
    page.click(f'#first .group[data-group="{page.waits["edges"][page.edge("worker", "log-writer")]["from"]}"] rect')
    page.expect(panel(page)["stacks"] == [[False, "100.0 %, 300 ms, seen 1 time", ["parse_statement", "serve"]]],
                f"what it runs: {panel(page)}")
    page.click(f'#first .group[data-group="{group}"] rect')
    page.expect(told["links"] == ["disk vda", "worker of server x 4", "worker of server x 4"], f"its edges: {told['links']}")
    near = page.js("""return [".edge.near", ".group.near", ".group.chosen", ".edge.chosen"].map(
        (kind) => document.querySelectorAll("#first " + kind).length)""")
    page.expect(near == [3, 2, 1, 0], f"what is marked around it: {near}")
    page.click("#chosen button.link")
    page.expect(panel(page)["title"] == "log-writer of server \u2192 disk vda", "a link in the panel")
    page.browser.click("#knots a")
    page.expect(panel(page)["title"] == "disk vda", "a link of a knot")
    page.js("""document.querySelector('#first .edge[data-edge="0"]').focus()""")
    page.browser.press("Enter")
    page.expect(panel(page)["title"] == "checkpointer of server \u2192 a timer", "Enter on an edge")
    page.browser.click("#edge-table tbody tr:nth-child(3) td")
    page.expect(panel(page)["title"].startswith("worker of server x 4"), "a click on a row")
    page.expect(page.js("return document.querySelectorAll('#picture .chosen, tr.chosen').length") == 2, "marked in both places")


def server_pair(page):
    """Of the writer and the disk: the blue stretches make up what is told of them, in each window."""
    page.click(f'#first .edge[data-edge="{page.edge("worker", "log-writer")}"] .hit')
    for button in (1, 2, 3):
        page.click(f"#pair button:nth-of-type({button})")
        told, lanes, arrows, left, whole = page.js("""
            const of = (e, name) => parseFloat(e.getAttribute(name)), lane = (y) => Array.from(
              document.querySelectorAll('#pair svg svg[y="' + y + '"]')).filter((e) => e.classList.length)
              .map((e) => [of(e, "x"), of(e, "width"), e.classList.contains("other")]);
            const all = document.querySelector("#pair .lane");
            return [document.querySelector("#pair output").textContent, [lane(26), lane(76)],
              document.querySelectorAll("#pair .wake").length, of(all, "x"), of(all, "width")];""")
        for stretches in lanes:  # each begins where the last one ends; a very short one is drawn a little longer
            ends = [left] + [x + width for x, width, _ in stretches]
            begins = [x for x, _, _ in stretches] + [left + whole]
            page.expect(all(-0.06 <= begin - end < 0.001 for begin, end in zip(begins, ends)), "a lane with holes")
        waited = sum(width for _, width, other in lanes[0] if other)
        page.expect(abs(100 * waited / whole - float(told.split(", ")[1].split(" %")[0])) < 1, f"{waited} of {whole}, told {told}")
        page.expect(arrows > 2, f"{arrows} arrows")
    page.browser.click('#edge-table tr[data-edge="0"] td')
    out = page.js("""return Array.from(document.querySelectorAll("#pair svg svg rect + title + text"), (text) =>
        [text.textContent, text.getBoundingClientRect().right, text.parentElement.querySelector("rect").getBoundingClientRect().right])""")
    page.expect(out and all(text <= box for _, text, box in out), f"names reach out of their stretches: {out}")


def server_filter(page):
    page.browser.open(page.path)
    page.browser.type("#filter", "TIMER")
    shown = page.js("return Array.from(document.querySelectorAll('#edge-table tbody tr')).filter((e) => !e.hidden).map((e) => e.textContent)")
    page.expect(len(shown) == 1 and "a timer" in shown[0], f"filtered: {shown}")
    page.expect(page.js("return document.querySelectorAll('#first .group.match').length") == 1, "the group is marked in the picture")


CONTRAST = """
    const colour = (text) => { const c = text.match(/[\\d.]+/g).map(Number);
      return text.startsWith("color(") ? c.slice(-3).map((v) => 255 * v) : c.slice(0, 3); };
    const light = (c) => { const [r, g, b] = c.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => p - q); return (y + 0.05) / (x + 0.05); };
    const card = colour(getComputedStyle(document.getElementById("graph")).backgroundColor);
    return Array.from(document.querySelectorAll("#first text, #pair text"), function (text) {
      const box = text.parentElement.querySelector(":scope > rect");
      const below = box && text.parentElement.localName !== "g" || box && text.parentElement.classList.contains("group")
        ? colour(getComputedStyle(box).fill) : card;
      return [ratio(colour(getComputedStyle(text).fill), below), text.textContent]; }).filter(([of]) => of < 4.5);"""


def readable(page):
    for dark in (False, True):
        page.browser.emulate(1280, 900, dark=dark)
        for edge in range(3):
            page.click(f'#edge-table tr[data-edge="{edge}"] td')
            faint = page.js(CONTRAST)
            page.expect(not faint, f"hard to read, {'dark' if dark else 'light'}: {faint[:4]}")
    page.browser.emulate(1280, 900)


def zooms(page):
    before = page.js("return document.getElementById('first').viewBox.baseVal.width")
    page.browser.click("#larger")
    after = page.js("return document.getElementById('first').viewBox.baseVal.width")
    page.expect(abs(after - before / 1.4) < 1, f"larger: {before} to {after}")
    page.browser.drag("#first", 0.4, 0.6)
    page.expect(page.js("return document.getElementById('first').viewBox.baseVal.x") < 0.3 * before, "dragged")
    page.browser.click("#whole")
    page.expect(page.js("return document.getElementById('first').viewBox.baseVal.width") == before, "the whole graph again")
    page.browser.emulate(360, 800)
    part, whole = page.js("""const view = document.getElementById("first"), width = () => view.viewBox.baseVal.width, part = width();
        window.dispatchEvent(new Event("beforeprint")); return [part, width()];""")
    page.expect(part < whole == before, f"on a phone as much as can be read, on paper the whole graph: {part}, {whole} of {before}")
    page.browser.emulate(1280, 900)


def turns(page):
    """The steps that led to the knot, each edge by its name; and what the headline calls a knot is marked."""
    steps = page.waits["knots"][0]["steps"]
    page.expect(len(page.waits["knots"][0]["edges"]) == 2 and steps, f"the case is no knot that was refined: {page.waits['knots']}")
    groups, edges = page.waits["groups"], page.waits["edges"]
    name = lambda n: groups[n]["name"] if groups[n]["main"] else f"{groups[n]['name']} of a"
    for n, step in enumerate(steps):
        said = page.js("return Array.from(document.querySelectorAll('#knots ol.steps')[0].children[arguments[0]].querySelectorAll('a'), "
                       "(a) => a.textContent)", n)
        page.expect(said == [f"{name(edges[e]['from'])} \u2192 {name(edges[e]['to'])}" for e in step["removed"]], f"step {n}: {said}")
    page.expect(page.js("return document.querySelectorAll('#first .edge.knot').length") == 2, "the knot's edges are marked")
    page.expect(page.js("return document.querySelectorAll('#edge-table tr.selected').length") == 2, "and in the table")


def odd(page):
    page.expect(page.js("return document.querySelectorAll('main img, h1 b, main i:not(.swatch), td b, text b').length") == 0, "a name is markup")
    page.expect("<img src=x>" in page.js("return document.querySelector('h1').textContent"), "a name is not told")


def none(page):
    page.expect("No edge counts." in page.js("return document.querySelector('#graph').textContent"), "says that there is nothing")
    page.expect(page.js("return document.getElementById('chosen').hidden"), "a panel without anything chosen")


TWO_FRAMES = "const done = arguments[arguments.length - 1]; requestAnimationFrame(() => requestAnimationFrame(() => done(0)));"


def thread_s(browser):
    """What the page's thread has taken since the page was opened."""
    metrics = browser.devtools("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def click_s(page, selector):
    before = thread_s(page.browser)
    page.click(selector)
    page.browser.js_later(TWO_FRAMES)
    return thread_s(page.browser) - before


def large(page):
    size = page.path.stat().st_size
    page.expect(size < MOST_BYTES, f"{size} bytes")
    page.expect(len(page.waits["groups"]) >= 500, f"{len(page.waits['groups'])} groups")
    page.browser.devtools("Performance.enable", timeDomain="threadTicks")
    loads = []
    for _ in range(3):
        page.browser.open(page.path)
        page.browser.js_later(TWO_FRAMES)
        loads.append(thread_s(page.browser))
    clicks = [click_s(page, f"#first .edge:nth-of-type({n}) .hit") for n in (3, 9, 5, 12)]
    everything = click_s(page, "#everything")
    shown = page.js("""return Array.from(document.querySelectorAll("#all > .group")).filter((e) => e.checkVisibility()).length""")
    page.expect(shown > 400, f"{shown} groups in the whole graph")
    groups = page.js("return Array.from(document.querySelectorAll('#all > .group'), (e) => e.dataset.group)")
    clicks += [click_s(page, f"#all .group[data-group='{n}'] rect") for n in groups[:400:80]]
    print(f"500 groups, {size // 1000} kB: drawn in {statistics.median(loads):.2f} s of one thread; a click "
          f"{1000 * statistics.median(clicks):.0f} ms, at most {1000 * max(clicks):.0f}; the whole graph {1000 * everything:.0f} ms")
    elements = page.js("return document.getElementsByTagName('*').length")
    page.expect(elements < MOST_ELEMENTS, f"{elements} elements")


def text_of(path):
    return path.read_text(encoding="utf-8")


def without_dot(folder):
    """No program, one that fails, and one that answers nonsense: the tables are there, and a line says why."""
    empty = folder / "empty"
    empty.mkdir()
    page = text_of(made("server", folder / "no-dot", PATH=str(empty)))
    expect("package graphviz has it" in page and "<svg id=\"first\"" not in page and 'id="edge-table"' in page, "without dot")
    for name, script in (("fails", "exit 3"), ("nonsense", "echo '{}'"), ("killed", "kill -9 $$")):
        path = folder / name
        path.mkdir()
        (path / "dot").write_text(f"#!/bin/sh\n{script}\n")
        (path / "dot").chmod(0o755)
        page = text_of(made("server", folder / f"dot-{name}", PATH=f"{path}:{os.environ['PATH']}"))
        expect("could not lay the graph out" in page and 'id="edge-table"' in page, f"a dot that {name}")


CHECKS = {"server": [check_picture, server, server_pair, server_filter, readable, zooms], "large": [check_picture, large], "turns": [check_picture, turns],
          "odd": [odd],
          "none": [none]}


def main():
    if not webdriver.there():
        left_out.skip("the page of waits in Chromium", apt=webdriver.PACKAGES)
    if not shutil.which("dot"):
        left_out.skip("the picture of waits", apt=["graphviz"])
    with tempfile.TemporaryDirectory() as name, webdriver.Browser() as browser:
        folder = pathlib.Path(name)
        without_dot(folder)
        for case, checks in CHECKS.items():
            page = Page(browser, case, folder)
            quiet_and_alone(page)
            fits_any_screen(page)
            for check in checks:
                page.browser.open(page.path)
                check(page)
            page.expect(not page.browser.log("browser"), "complains after all that")
    print(*failures, sep="\n")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
