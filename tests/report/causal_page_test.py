#!/usr/bin/env python3
"""The page of experiments in headless Chromium: cells, points and kinks are those of the JSON, and of what was planted;
it sorts by any number at any level, says why what is not told is not, and hostile names stay names.

usage: causal_page_test.py CAUSAL_PRINT

Exits 77 without Chromium.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import family_page
import webdriver
from family_page import failures, quiet_and_alone

HERE = pathlib.Path(__file__).resolve().parent
PRINT = sys.argv[1]
SCHEMA = json.loads((HERE.parents[1] / "docs" / "causal.schema.json").read_text())
SHOWN = {"throughput": "period_ns", "mean": "mean_ns", "stddev": "variance_ns2", "p50": "p50_ns", "p99": "p99_ns"}
CASES = ("exact", "server", "outside", "few", "rate", "odd")
# What is left of each latency, as causal_print.c plants it.
PLANTED = {"flush": lambda gone: 1 - 0.5 * gone if gone < 0.4 else 0.8, "parse": lambda gone: 1 - 0.6 * gone,
           "queue.lock": lambda gone: 1 - 0.4 * gone if gone < 0.5 else 0.8 + 0.9 * (gone - 0.5), "disk": lambda gone: 1}


class Page(family_page.Page):
    def __init__(self, browser, case, folder):
        folder = folder / case
        folder.mkdir()
        subprocess.run([PRINT, case, folder], check=True)
        super().__init__(browser, case, folder / "causal.html", folder / "causal.json", SCHEMA)
        self.causal = self.told
        self.coz = (folder / "profile.coz").read_bytes()


def number(percent):
    """One digit behind the point below 10; a half is rounded away from 0."""
    away = lambda value: math.copysign(math.floor(abs(value) + 0.5), value)
    tenth = away(percent * 10) / 10
    return f"{tenth:+.1f}" if abs(tenth) < 9.95 else f"{away(percent):+.0f}"


def told(change):
    """As the page has it; what it does not draw is not compared."""
    ends = [number(100 * end).lstrip("+").replace("-0.0", "0.0") for end in change["ci95"]]
    return f"{number(100 * change['change']).replace('-0.0', '+0.0')} % ({ends[0]} .. {ends[1]})"


def is_vague(change):
    return change["too_noisy"] or not change["told"] and (change["ci95"][1] is None or change["ci95"][1] > 9)


def plain(text):
    return text.replace("\u00a0", " ")


def fits_any_screen(page):
    def whole_labels(where):
        cut = page.js("""return Array.from(document.querySelectorAll("svg.effect > text")).filter(function (text) {
            const inner = text.getBoundingClientRect(), outer = text.parentElement.getBoundingClientRect();
            return outer.width && inner.width && (inner.left < outer.left - 1 || inner.right > outer.right + 1); })
            .map((text) => text.textContent)""")
        page.expect(not cut, f"labels are cut off at {where}: {cut[:4]}")
    page.js("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    family_page.fits_any_screen(page, whole_labels)


CONTRAST = """
    const colour = (text) => { const c = text.match(/[\\d.]+/g).map(Number);
      return text.startsWith("color(") ? c.slice(-3).map((v) => 255 * v) : c.slice(0, 3); };
    const light = (c) => { const [r, g, b] = c.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => p - q); return (y + 0.05) / (x + 0.05); };
    const card = colour(getComputedStyle(document.getElementById("targets")).backgroundColor);
    const texts = Array.from(document.querySelectorAll("svg.effect text"), (e) => [getComputedStyle(e).fill, e]);
    const cells = Array.from(document.querySelectorAll("td span, figcaption *, figure p"), (e) => [getComputedStyle(e).color, e]);
    return [...texts, ...cells].map(([c, e]) => [ratio(colour(c), card), e.textContent]).filter(([of]) => of < 4.5);"""


def readable(page):
    for dark in (False, True):
        page.browser.emulate(1280, 900, dark=dark)
        faint = page.js(CONTRAST)
        page.expect(not faint, f"hard to read, {'dark' if dark else 'light'}: {faint[:4]}")
    page.browser.emulate(1280, 900)


# ---- numbers ----

def planted(page):
    """All requests are alike, so each change is what was planted, to the cost that a delay is said to have."""
    for target in page.causal["targets"]:
        for level in target["parts"][0]["levels"][1:]:
            left = PLANTED[target["name"]](level["dose"])
            for name in SHOWN:
                truth = (1 / left if name == "throughput" else left) - 1
                found = level[name]
                page.expect(found and abs(found["change"] - truth) < 1e-3 and
                            found["ci95"][0] - 1e-3 <= truth <= found["ci95"][1] + 1e-3,
                            f"{target['name']} {level['share']}: {name} {found}, planted {truth:+.3f}")
    kinks = {target["name"]: target["parts"][0]["curves"]["mean_ns"]["kinks"] for target in page.causal["targets"]}
    page.expect(len(kinks["flush"]) == 1 and all(abs(end - 0.4) < 0.01 for end in kinks["flush"][0]), f"the kink: {kinks}")
    hurts = {target["name"]: target["parts"][0]["curves"]["mean_ns"]["hurts"] for target in page.causal["targets"]}
    page.expect(hurts == {"flush": False, "parse": False, "queue.lock": True, "disk": False}, f"what hurts: {hurts}")
    page.expect("src/log.c:211" in page.js("return document.querySelector('#all').textContent"), "where flush stands")


def table(page):
    """{target: {head: (shown text, class, sorted by)}}, in the order of the rows."""
    return page.js("""
        const heads = Array.from(document.querySelectorAll("#target-table th"), (e) => e.textContent);
        return Array.from(document.querySelectorAll("#target-table tbody tr"), (row) => [Number(row.dataset.target),
          Object.fromEntries(Array.from(row.cells, (cell, n) => [heads[n],
            cell.classList.contains("change") ? [cell.querySelector(":scope > span:not([hidden])").textContent,
              cell.querySelector(":scope > span:not([hidden]) > span").className, Number(cell.dataset.v)] : cell.textContent]))]);""")


def cells(page, level):
    names = {"stddev": "sd"}
    for number_of, row in table(page):
        of = page.causal["targets"][number_of]["parts"][0]["levels"][level]
        for name in SHOWN:
            change = of.get(name)
            if names.get(name, name) not in row:
                page.expect(not page.causal["intervals"], f"no column {name}")
                continue
            text, kind, _ = row[names.get(name, name)]
            if change is None or is_vague(change):
                page.expect(kind == "unknown", f"{name} {level}: {text} of {change}")
            else:
                page.expect(plain(text) == told(change), f"{name} {level}: {text} is not {told(change)}")
                page.expect(kind == ("told" if change["told"] else "untold"), f"{name} {level}: {kind}")


def sorts(page):
    """By each number, at each level: what is told to bring most comes first, and the curves follow."""
    for level in range(1, 5):
        page.browser.click(f"#levels button:nth-of-type({level})")
        cells(page, level)
        for column, name in ((4, "throughput"), (5, "mean"), (6, "stddev"), (8, "p99")):
            page.browser.click(f"#target-table th:nth-child({column}) button")
            if page.js("return document.querySelector('th[aria-sort]').getAttribute('aria-sort')") != "descending":
                page.browser.click(f"#target-table th:nth-child({column}) button")
            changes = [page.causal["targets"][n]["parts"][0]["levels"][level][name] for n, _ in table(page)]
            sign = 1 if name == "throughput" else -1
            gains = [sign * change["change"] if change["told"] else 0 for change in changes]
            page.expect(gains == sorted(gains, reverse=True), f"{name} at {level}: {gains}")
            curves = page.js("return Array.from(document.querySelectorAll('section.target'), (e) => Number(e.dataset.target))")
            page.expect(curves == [n for n, _ in table(page)], "the curves do not follow")
    page.browser.click("#levels button:nth-of-type(2)")
    gains = [row["p99"][2] for _, row in table(page)]
    page.expect(gains == sorted(gains, reverse=True), "another level is not sorted again")


# ---- curves ----

def drawn(page, target):
    """What the first curves of a target show, changes read off the labels of their own axis."""
    return page.js("""
        return Array.from(document.querySelectorAll("#target-" + arguments[0] + " > .curves figure.curve"), function (figure) {
          const of = (e, name) => parseFloat(e.getAttribute(name)), svg = figure.querySelector("svg.effect");
          const told = {shown: figure.dataset.shown, caption: figure.querySelector("figcaption").textContent,
            hurts: figure.classList.contains("hurts"), reason: (figure.querySelector("p") || {textContent: ""}).textContent};
          if (!svg) return told;
          const ends = Array.from(svg.querySelectorAll("text.end")), first = ends[0], last = ends[ends.length - 1];
          const value = (e) => parseFloat(e.textContent), inner = svg.querySelector(".inner");
          const change = (y) => (value(first) + (value(last) - value(first)) * (y + of(inner, "y") + 6 + 4 - of(first, "y")) /
            (of(last, "y") - of(first, "y"))) / 100;
          const x = (at) => at / 176;
          return {...told, points: Array.from(inner.querySelectorAll("g[data-level]"), (g) => ({level: Number(g.dataset.level),
              kind: g.getAttribute("class"), title: g.querySelector("title").textContent, x: x(of(g.querySelector("circle"), "cx")),
              change: change(of(g.querySelector("circle"), "cy")),
              ci95: [change(of(g.querySelector("line"), "y2")), change(of(g.querySelector("line"), "y1"))]})),
            kinks: Array.from(inner.querySelectorAll(".kink rect"), (e) => [x(of(e, "x") + 0.7), x(of(e, "x") + of(e, "width") - 0.7)]),
            labels: Array.from(svg.querySelectorAll("text.kink"), (e) => e.textContent)};
        });""", target)


def curves(page):
    for n, target in enumerate(page.causal["targets"]):
        figures = drawn(page, n)
        page.expect([figure["shown"] for figure in figures] == list(SHOWN if page.causal["intervals"] else ["throughput"]),
                    f"figures {figures}")
        for figure in figures:
            part, name = target["parts"][0], figure["shown"]
            wanted = {level: one[name] for level, one in enumerate(part["levels"]) if level and one[name] and not is_vague(one[name])}
            where = f"{target['name']}, {name}"
            if not wanted:
                page.expect("points" not in figure and figure["reason"], f"{where}: nothing is known, and {figure}")
                continue
            page.expect({point["level"] for point in figure["points"]} == set(wanted), f"{where}: points {figure['points']}")
            for point in figure["points"]:
                change, level = wanted[point["level"]], part["levels"][point["level"]]
                better = (change["change"] > 0) == (name == "throughput")
                page.expect(abs(point["change"] - change["change"]) < 0.01 and abs(point["x"] - level["dose"]) < 0.005,
                            f"{where}: {point} is not {change}")
                page.expect(point["kind"] == ("untold" if not change["told"] else "better" if better else "worse"), f"{where}: {point}")
                page.expect(told(change) in plain(point["title"]), f"{where}: {point['title']}")
                page.expect(all(drawn_end <= end + 0.02 if side else drawn_end >= end - 0.02
                                for side, (drawn_end, end) in enumerate(zip(point["ci95"], change["ci95"]))), f"{where}: {point}")
            curve = part["curves"][SHOWN[name]]
            marked = curve["kinks"] if any(change["told"] for change in wanted.values()) else []
            page.expect(len(figure["kinks"]) == len(marked) and all(abs(a - b) < 0.01 for drawn_one, one in zip(figure["kinks"], marked)
                                                                    for a, b in zip(drawn_one, one)), f"{where}: kinks {figure['kinks']}, {marked}")
            page.expect(figure["hurts"] == curve["hurts"] == ("faster hurts" in figure["caption"]), f"{where}: {figure['caption']}")
            if marked:
                page.expect(plain(figure["labels"][0]).startswith(f"{100 * marked[0][0]:.0f}"), f"{where}: {figure['labels']}")


def words(page):
    said = page.js("return Array.from(document.querySelectorAll('section.target'), (e) => (e.querySelector('.shape') || {}).textContent || '')")
    page.expect([plain(text) for text in said] == [target["shape"] for target in page.causal["targets"]], f"shapes: {said}")
    page.expect(plain(page.js("return document.querySelector('h1').textContent")) == page.causal["headline"], "the headline")


def reasons(page, name, *texts):
    """What is not told of that number says why, and is grey."""
    for n, _ in enumerate(page.causal["targets"]):
        figure = next(one for one in drawn(page, n) if one["shown"] == name)
        page.expect("points" not in figure and all(text in plain(figure["reason"]) for text in texts), f"{name}: {figure}")
    title = page.js("""return Array.from(document.querySelectorAll("#target-table td.change span.unknown"), (e) => e.title)""")
    page.expect(any(texts[-1] in plain(one) for one in title) and
                all(texts[-1] in plain(one) or "never delayed differs" in one for one in title), f"titles {title}")


def odd(page):
    page.expect(page.js("return document.querySelectorAll('main img, main script, h1 b, h2 b, td b, main i:not(#key i)').length") == 0,
                "a name is markup")
    page.expect("<img src=x onerror=alert(1)>" in page.js("return document.querySelector('#all').textContent"), "a name is not told")
    for line in page.coz.split(b"\n"):
        fields = line.split(b"\t")
        page.expect(all(b"=" in field for field in fields[1:]), f"a field of profile.coz without a name: {line!r}")


def main():
    with tempfile.TemporaryDirectory() as name, webdriver.Browser() as browser:
        pages = {}
        for case in CASES:
            page = pages[case] = Page(browser, case, pathlib.Path(name))
            cells(page, 2)
            curves(page)
            words(page)
            if case in ("exact", "server"):
                sorts(page)
            if case == "exact":
                planted(page)
            if case == "outside":
                reasons(page, "throughput", "Not told", "client (pid 4711) was not delayed")
            if case == "few":
                reasons(page, "mean", "Not known", "only 6 of 10 blocks")
            if case == "odd":
                odd(page)
            readable(page)
            fits_any_screen(page)
            quiet_and_alone(page)
    for failure in failures:
        print("not so:", failure)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
