#!/usr/bin/env python3
"""report_compare_page: the page of a comparison in headless Chromium: two histograms on one scale, dumbbells where the
numbers say, icicles that zoom by mouse and keyboard, dark mode, small screens, printers; it asks nothing of the network.

    compare_page_test.py compare_print [FOLDER]     pictures go to FOLDER, to be looked at

Exits 77 without Chromium.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import webdriver

PRINT = sys.argv[1]
PICTURES = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
CASES = ("worse", "better", "fine", "unknown", "mixed", "huge", "zero", "odd", "bare")
failures = []


def printed(case, form):
    return subprocess.run([PRINT, case, form], check=True, capture_output=True).stdout


class Page:
    def __init__(self, browser, case, folder):
        self.browser, self.case, self.path = browser, case, folder / "compare.html"
        self.path.write_bytes(printed(case, "html"))
        self.report = json.loads(printed(case, "json"))
        browser.emulate(1280, 900)
        browser.open(self.path)

    def expect(self, condition, what):
        if not condition:
            failures.append(f"{self.case}: {what}")

    def near(self, got, wanted, what, by=0.6):
        self.expect(abs(got - wanted) <= by, f"{what} is {got}, not {wanted}")


# ---- the page as such


def quiet_and_alone(page):
    page.expect(page.browser.requests() == [page.path.resolve().as_uri()], "asks the network")
    page.expect(not page.browser.log("browser"), "the console says something")


def fits_any_screen(page):
    for width, media, dark in ((1280, "", False), (768, "", True), (360, "", False), (740, "print", False)):
        page.browser.emulate(width, 800, dark=dark, media=media)
        wide = page.browser.js("""
            const most = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= most) return [];
            return Array.from(document.querySelectorAll("main *")).filter((e) =>
              e.getBoundingClientRect().right > most + 1 && !e.closest(".wide")).map((e) => e.tagName + "." + e.className).slice(0, 3);""")
        page.expect(not wide, f"too wide at {width} {media}: {wide}")
        if PICTURES:
            height = page.browser.js("return document.documentElement.scrollHeight")
            page.browser.emulate(width, min(height, 4000), dark=dark, media=media)
            page.browser.screenshot(PICTURES / f"{page.case}-{width}{media}{'-dark' if dark else ''}.png")
    page.browser.emulate(1280, 900)


def luminance(color):
    parts = [float(x) for x in color[color.index("(") + 1:-1].replace("srgb", "").replace("/", " ").replace(",", " ").split()][:3]
    scale = 1 if color.startswith("color") else 255
    linear = [c / scale / 12.92 if c / scale <= 0.04045 else ((c / scale + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def can_be_read(page):
    """Text stands out from what is behind it: 4.5 to 1, as WCAG wants of small text."""
    for dark in (False, True):
        page.browser.emulate(1280, 900, dark=dark)
        pairs = page.browser.js("""
            function behind(e) {
              for (; e; e = e.parentElement) {
                const color = getComputedStyle(e).backgroundColor;
                if (!/rgba\\(.*, 0\\)|transparent/.test(color)) return color;
              }
              return "rgb(255, 255, 255)";
            }
            return Array.from(document.querySelectorAll("main *")).filter((e) => e.checkVisibility() && !e.closest("svg") &&
              Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.textContent.trim()))
              .map((e) => [e.tagName + "." + e.className + ": " + e.textContent.slice(0, 30), getComputedStyle(e).color, behind(e)]);""")
        for what, ink, paper in pairs:
            a, b = sorted((luminance(ink), luminance(paper)))
            page.expect((b + 0.05) / (a + 0.05) >= 4.4, f"{'dark' if dark else 'light'}: {what}: {ink} on {paper}")
    page.browser.emulate(1280, 900)


# ---- pictures and numbers


def one_scale(page):
    """A bin of A stands above that of B, and is as wide; heights are parts of each side's own intervals."""
    histograms = page.report["histograms"]
    if len(histograms["edges_ns"]) < 3:
        page.expect(page.browser.js("return document.querySelectorAll('.panels').length") == 0, "histograms of nothing")
        return
    sides = {}
    for side in "ab":
        rows = page.browser.js("""return Array.from(document.querySelectorAll(".panels .bin." + arguments[0])).map((e) => {
            const at = e.getBBox(); return [e.getBoundingClientRect().left, at.width, at.height]; });""", side)
        counts = [c for c in histograms[side] if c]
        page.expect(len(rows) == len(counts), f"{len(rows)} bars of {side}")
        sides[side] = dict(zip([i for i, c in enumerate(histograms[side]) if c], rows))
        total = page.report[side]["intervals"]
        most = max(max(c / page.report[s]["intervals"] for c in histograms[s]) for s in "ab")
        for i, (_, _, height) in sides[side].items():
            page.near(height, max(78 * math.sqrt(histograms[side][i] / total / most), 2), f"height of bar {i} of {side}")
    for i in sides["a"].keys() & sides["b"].keys():
        page.near(sides["a"][i][0], sides["b"][i][0], f"left of bar {i}")
        page.near(sides["a"][i][1], sides["b"][i][1], f"width of bar {i}")


def dumbbells(page):
    """Ring, disc and interval are where the numbers are, all rows of a metric on one scale."""
    tables = page.browser.js("""return Array.from(document.querySelectorAll("table.bells")).map((t) => [t.caption.textContent,
        Array.from(t.tBodies[0].rows).filter((r) => !r.classList.contains("ticks")).map((r) => {
          const box = r.querySelector(".bell").getBoundingClientRect();
          const at = (s) => { const e = r.querySelector(s); if (!e) return null; const b = e.getBoundingClientRect();
            return s === ".ci95" ? [(b.left - box.left) / box.width, (b.right - box.left) / box.width]
              : (b.left + b.width / 2 - box.left) / box.width; };
          return [r.cells[0].textContent, at(".dot.a"), at(".dot.b"), at(".ci95"), r.cells[3].textContent]; })]);""")
    for metric, rows in tables:
        key = "ns2" if metric == "variance" else "ns"
        changes = [row[metric] for row in [page.report["latency"], *page.report["factors"]] if row[metric]]
        page.expect(len(rows) == len(changes), f"{metric}: {len(rows)} dumbbells of {len(changes)}")
        values = [change[side + key] for change in changes for side in ("a_", "b_")]
        low, high = 1.25 * min(0, *values), 1.25 * max(0, *values)
        whole = changes[0]["a_" + key]
        for (_, a, b, interval, verdict), change in zip(rows, changes):
            place = lambda value: min(max((value - low) / (high - low), 0), 1)
            page.near(a, place(change["a_" + key]), f"{metric}: A's ring", 0.004)
            page.near(b, place(change["b_" + key]), f"{metric}: B's disc", 0.004)
            page.expect(verdict == change["finding"].replace("-", " "), f"{metric}: {verdict}")
            page.expect((interval is None) == (change["no_interval"] is not None), f"{metric}: an interval, or none")
            for got, end in zip(interval or [], change["ci95_together"]):
                page.near(got, place(change["a_" + key] + end * whole), f"{metric}: an end of the interval", 0.006)


def boxes(page, tree):
    return page.browser.js("""
        const holder = document.querySelectorAll(".icicle")[arguments[0]], all = Array.from(holder.querySelectorAll(".box"));
        const origin = holder.getBoundingClientRect();
        return all.map((e) => { const at = e.getBoundingClientRect();
          return e.hidden ? null : [at.left - origin.left, at.top - origin.top, at.width, e.className]; });""", tree)


def icicles(page):
    """A box is as wide as A's and B's time of it together; what is told from 0 has a colour, and the others none."""
    nodes = page.report["tree"]
    for tree, metric in enumerate(("mean", "covariance")):
        if not nodes:
            continue
        found, key = boxes(page, tree), "ns" if metric == "mean" else "ns2"
        page.expect(len(found) == len(nodes), f"{len(found)} boxes of {len(nodes)}")
        root = nodes[0][metric]
        for node, (left, _, width, kinds) in zip(nodes, found):
            change = node[metric]
            if change is None:
                page.expect("blind" in kinds and node["not_compared_for"], f"{node['name']}: {kinds}")
                continue
            together = change.get("ci95_together") or [0, 0]
            told = change["finding"] and None not in together and (together[0] > 0 or together[1] < 0)
            wanted = "even" if not told else "more" if change["change"] > 0 else "less"
            page.expect(wanted in kinds, f"{metric} of {node['name']}: {kinds}, not {wanted}")
            share = (change["a_" + key] + change["b_" + key]) / (root["a_" + key] + root["b_" + key])
            page.near(width, share * found[0][2], f"{metric}: width of {node['name']}", 3)
        for (left, top, width, _), node in zip(found, nodes):
            if node["parent"] is not None:
                up = found[node["parent"]]
                page.expect(left >= up[0] - 1 and left + width <= up[0] + up[2] + 1 and top > up[1], "below its parent")


def zooms(page):
    browser = page.browser
    before = boxes(page, 0)
    browser.click(".icicle .box:nth-child(4)")
    after = boxes(page, 0)
    page.near(after[3][2], before[0][2], "the zoomed box fills the width", 2)
    page.expect(after[4] is None, "others go")
    page.expect("above" in after[0][3], "what is above stays")
    page.expect(boxes(page, 1) == boxes(page, 1) and None not in boxes(page, 1), "the other icicle stays as it is")
    browser.press("Escape")
    page.expect(boxes(page, 0) == before, "Escape does not show all")
    browser.js("document.querySelector('.icicle .box').focus()")
    browser.press("Down", "Down")
    name = browser.js("return document.activeElement.querySelector('bdi').textContent")
    page.expect(name == page.report["tree"][2]["name"], f"down and down is {name}")
    tip = browser.js("return document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText")
    page.expect("95 % interval" in tip and "src/server.c:40" in tip, f"the tooltip: {tip!r}")
    browser.press("Enter")
    page.near(boxes(page, 0)[2][2], before[0][2], "Enter zooms", 2)
    browser.press("Enter")
    page.expect("above" not in boxes(page, 0)[1][3], "once more is one step out")
    browser.press("Escape")


def speaks_to_readers(page):
    nodes = page.browser.devtools("Accessibility.getFullAXTree")["nodes"]
    for node in nodes:
        focusable = any(p["name"] == "focusable" and p["value"]["value"] for p in node.get("properties", []))
        role, name = node.get("role", {}).get("value"), node.get("name", {}).get("value", "")
        page.expect(node.get("ignored") or not focusable or name.strip() or role == "RootWebArea", f"a {role} without a name")
    stops = page.browser.js("return document.querySelectorAll('.icicle .box[tabindex=\"0\"]').length")
    page.expect(stops == (0 if page.case == "bare" else 2), f"{stops} stops in two icicles")


def goes_on_paper(page):
    pages = page.browser.pdf()
    page.expect(pages.startswith(b"%PDF") and pages.count(b"/Type /Page\n") + pages.count(b"/Type /Page ") <= 6, "paper")


def names_stay_names(page):
    page.expect(page.browser.js("return document.querySelectorAll('script').length") == 1, "a script that is a name")


with webdriver.Browser() as browser:
    for case in CASES:
        with tempfile.TemporaryDirectory() as name:
            page = Page(browser, case, pathlib.Path(name))
            quiet_and_alone(page)
            fits_any_screen(page)
            one_scale(page)
            dumbbells(page)
            icicles(page)
            speaks_to_readers(page)
            names_stay_names(page)
            if case in ("worse", "odd"):
                can_be_read(page)
                goes_on_paper(page)
            if case == "worse":
                zooms(page)
            quiet = page.browser.log("browser")
            page.expect(not quiet, f"the console says {quiet[:2]}")
print("\n".join(failures[:40]) or "ok")
sys.exit(bool(failures))
