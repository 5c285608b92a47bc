#!/usr/bin/env python3
"""report_page: the page in headless Chromium does what it promises, with mouse, keyboard, small screens, dark mode,
printers and hostile names; it asks nothing of the network and its text can be read.

    page_test.py report_print [vprofiler]      the samples; with vprofiler the report of its demo instead

Prints how long a zoom takes, and does not judge it: tests/bench is for that. Exits 77 without Chromium.
"""
import fractions
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

import check_report
import webdriver

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

PRINT = sys.argv[1]
CASES = ("toy", "large", "odd", "empty", "rootless", "one", "constant", "quiet", "deep", "server")
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


class Page:
    """One report: its page in the browser, its numbers from report.json, its boxes from the page's data."""

    def __init__(self, browser, name, folder):
        self.browser, self.name, self.path = browser, name, folder / "report.html"
        self.report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        for fault in check_report.check(self.report):
            self.expect(False, fault)
        browser.emulate(1280, 900)
        browser.open(self.path)
        data = browser.js("const e = document.getElementById('icicle-data'); return e && JSON.parse(e.textContent)")
        self.boxes = [self.box(data, *fields) for fields in data["boxes"]] if data else []
        self.labels = data["labels"] if data else []
        self.least = data["least"] if data else 0

    @staticmethod
    def box(data, name, label, parent, left, width, _heat, blamed, weight, *facts):
        texts = data["texts"]
        return {"name": texts[name], "label": texts[label], "parent": parent, "left": left, "width": width, "blamed": blamed,
                "weight": texts[weight], "facts": [texts[fact] for fact in facts]}

    def expect(self, condition, what):
        expect(condition, f"{self.name}: {what}")

    def shown(self):
        """{number of the box: [left, top, width, height]} in pixels, of those that are to be seen."""
        rows = self.browser.js("""
            const origin = document.getElementById("icicle").getBoundingClientRect();
            return Array.from(document.querySelectorAll("#icicle .box")).filter((e) => e.offsetWidth || !e.hidden).map((e) => {
              const at = e.getBoundingClientRect();
              return [Number(e.dataset.n), at.left - origin.left, at.top - origin.top, at.width, at.height]; });""")
        return {row[0]: row[1:] for row in rows}

    def width(self):
        return self.browser.js("return document.getElementById('icicle').clientWidth")

    def ancestors(self, n):
        while self.boxes[n]["parent"] is not None:
            n = self.boxes[n]["parent"]
            yield n

    def a_deep_one(self):
        """A box wide enough for a mouse, and as deep as such are; if there are such, with boxes to be made below it."""
        wide = [n for n, box in enumerate(self.boxes) if box["width"] > 1e7 and n > 0]
        above_new = {m for n, box in enumerate(self.boxes) if 1e5 < box["width"] < self.least * 1e9
                     for m in self.ancestors(n)}
        return max(wide, key=lambda n: (n in above_new, len(list(self.ancestors(n)))), default=None)


def same(first, second, by=0.6):
    return first.keys() == second.keys() and all(abs(a - b) <= by for n in first for a, b in zip(first[n], second[n]))


# ---- the page as such


def quiet_and_alone(page):
    asked = page.browser.requests()
    page.expect(asked == [page.path.resolve().as_uri()], f"asked for {asked}")
    wrong = [entry["message"] for entry in page.browser.log("browser")]
    page.expect(not wrong, f"the console says {wrong[:3]}")


def fits_any_screen(page):
    for width, media in ((1280, ""), (768, ""), (360, ""), (740, "print")):
        page.browser.emulate(width, 800, media=media)
        thin = page.browser.js("""
            return Array.from(document.querySelectorAll("td.name:not([colspan])"))
              .filter((e) => e.checkVisibility())
              .map((e) => [e.textContent.slice(0, 60), e.clientWidth - parseFloat(getComputedStyle(e).paddingLeft)])
              .filter(([, pixels]) => pixels < 90);""")
        page.expect(not thin, f"no room for names at {width} {media}: {thin[:3]}")
        if media:
            break
        wide = page.browser.js("""
            const most = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= most) return [];
            return Array.from(document.querySelectorAll("main *")).filter((e) => e.getBoundingClientRect().right > most + 1
              && !e.closest(".wide")).map((e) => e.tagName + "." + e.className).slice(0, 5);""")
        page.expect(not wide, f"wider than a screen of {width}: {wide}")
        cut = page.browser.js("""
            return Array.from(document.querySelectorAll("#icicle .box")).filter(function (box) {
              const outer = box.getBoundingClientRect(), name = box.querySelector("bdi").getBoundingClientRect();
              const weight = box.querySelector("b").getBoundingClientRect();
              if (box.hidden || box.classList.contains("narrow")) return false;
              const whole = weight.right <= outer.right || weight.top >= outer.bottom - 1;
              return name.right > outer.right + 0.5 || name.width < 14 || !whole;
            }).map((box) => box.textContent.slice(0, 60)).slice(0, 5);""")
        page.expect(not cut, f"labels badly cut at {width}: {cut}")
    page.browser.emulate(1280, 900)


CONTRAST = r"""
function colour(text) {
  const numbers = (text.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
  const scale = text.startsWith("color(") ? 1 : 255;
  return [numbers[0] / scale, numbers[1] / scale, numbers[2] / scale, numbers.length > 3 ? numbers[3] : 1];
}
function over(top, below) { return [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1); }
function luminance(c) {
  const [r, g, b] = c.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function ratio(a, b) {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright + 0.05) / (dark + 0.05);
}
/* What may lie behind: a pattern gives one more for each of its colours. */
function behind(element) {
  const style = getComputedStyle(element);
  let below = element.parentElement ? behind(element.parentElement) : [[1, 1, 1, 1]];
  below = below.map((c) => over(colour(style.backgroundColor), c));
  const inks = style.backgroundImage.match(/(rgba?|color)\([^()]*\)/g) || [];
  return below.concat(...inks.map((ink) => below.map((c) => over(colour(ink), c))));
}
function opacity(element) {
  return element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
}
const worst = {};
let count = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  const element = node.parentElement, style = getComputedStyle(element);
  const drawing = element.closest("svg") && style.fill !== "none" ? style.fill : style.color;
  if (!node.data.trim() || element.closest("script, style, [hidden], :disabled, details:not([open]) > :not(summary)")) continue;
  if (style.visibility !== "visible" || !element.getClientRects().length) continue;
  const ink = colour(drawing), size = parseFloat(style.fontSize);
  ink[3] *= opacity(element);
  const enough = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  for (const ground of behind(element)) {
    const found = ratio(over(ink, ground), ground), where = element.tagName + "." + element.className;
    count++;
    if (found < enough && !(worst[where] < found)) worst[where] = Math.round(found * 100) / 100;
  }
}
/* What a bar says is said beside it; it must still be seen (1.4.11). */
for (const bar of document.querySelectorAll(".bar")) {
  const style = getComputedStyle(bar), ground = behind(bar.parentElement)[0];
  const ink = colour(style.borderTopWidth === "0px" ? style.backgroundColor : style.borderTopColor);
  count++;
  if (ratio(ink, ground) < 3) worst["bar " + bar.className] = ratio(ink, ground);
}
return [count, worst];"""


def can_be_read(page):
    """WCAG 2.2, 1.4.3 (AA): 4.5 to 1, large letters 3 to 1; in light, in dark, on paper."""
    for dark in (False, True):
        page.browser.emulate(1280, 900, dark=dark)
        count, worst = page.browser.js(CONTRAST)
        page.expect(count > 10 and not worst, f"{'dark' if dark else 'light'}: contrast of {count} texts: {worst}")
    ground = "return getComputedStyle(document.body).backgroundColor + getComputedStyle(document.querySelector('h1')).color"
    dark = page.browser.js(ground)
    page.browser.emulate(1280, 900)
    light = page.browser.js(ground)
    page.expect(dark != light, "dark mode changes nothing")
    page.browser.emulate(1280, 900, dark=True, media="print")
    paper = page.browser.js("return getComputedStyle(document.documentElement).getPropertyValue('--card')")
    page.browser.emulate(1280, 900)
    page.expect(paper == page.browser.js("return getComputedStyle(document.documentElement).getPropertyValue('--card')"),
                "dark paper")


def goes_on_paper(page):
    printed = page.browser.pdf()
    count = len(re.findall(rb"/Type\s*/Page\b", printed))
    # A page holds 50 rows, or 25 of long names, and a section may leave half a page empty.
    rows = page.browser.js("return document.querySelectorAll('tr').length")
    sections = page.browser.js("return document.querySelectorAll('section').length")
    most = 2 + rows / 25 + sections / 2
    page.expect(printed.startswith(b"%PDF") and 1 <= count <= most, f"{count} pages of {rows} rows; expected up to {most}")
    if left_out.lacks("pdftotext", "the text of printed pages", "poppler-utils"):
        return
    text = subprocess.run(["pdftotext", "-", "-"], input=printed, capture_output=True, check=True).stdout.decode("utf-8")
    words = page.browser.js("return document.querySelector('h1').textContent").split()[:4]
    heads = page.browser.js("return Array.from(document.querySelectorAll('section:not(.screen) h2')).map((e) => e.textContent)")
    for wanted in words + heads:
        page.expect(wanted in re.sub(r"\s+", " ", text), f"not on paper: {wanted!r}")
    page.expect("Enter zooms" not in text and "Whole tree" not in text, "on paper nothing can be clicked")
    page.expect("The tree in numbers" not in text, "the tree in numbers is printed")
    page.expect("Draw over the bars" not in text, "on paper nothing can be chosen")
    for warning in page.report["warnings"]:
        page.expect(warning["code"] in text and warning["message"].split()[-1] in text, f"not on paper: {warning['code']}")


# ---- the icicle


def zooms_and_comes_back(page):
    browser, before, n = page.browser, page.shown(), page.a_deep_one()
    page.expect(before and all(box[2] > 0 for box in before.values()), "boxes are drawn")
    for m, (left, top, width, _) in before.items():
        box = page.boxes[m]
        page.expect(abs(width - box["width"] / 1e9 * page.width()) < 1 and abs(left - box["left"] / 1e9 * page.width()) < 1,
                    f"box {m} is not as wide as its share")
    if n is None:
        return
    browser.click(f'.box[data-n="{n}"]')
    after, whole = page.shown(), page.width()
    above = set(page.ancestors(n))
    page.expect(abs(after[n][2] - whole) < 1 and abs(after[n][0]) < 1, f"box {n} does not fill the view")
    page.expect(all(abs(after[m][2] - whole) < 1 for m in above), "what is above fills the view")
    page.expect(all(m == n or m in above or n in page.ancestors(m) for m in after), "others are still there")
    for m, (left, top, width, _) in after.items():
        parent = page.boxes[m]["parent"]
        if parent is not None:
            page.expect(left >= after[parent][0] - 1 and left + width <= after[parent][0] + after[parent][2] + 1,
                        f"zoomed: box {m} is not below its parent")
            page.expect(top > after[parent][1], f"zoomed: box {m} is above its parent")
    inside = [m for m, box in enumerate(page.boxes) if n in page.ancestors(m)
              and box["width"] / page.boxes[n]["width"] >= page.least]
    page.expect(set(inside) <= after.keys(), "what is wide enough now is not drawn")
    page.expect(page.name != "large" or after.keys() - before.keys(), "zooming draws nothing new")
    browser.js("document.querySelector(`.box[data-n='${arguments[0]}']`).focus()", min(after, key=lambda m: after[m][2]))
    stops = browser.js("return document.querySelectorAll('.box[tabindex=\"0\"]').length")
    page.expect(stops == 1, f"{stops} stops in the icicle")
    browser.press("Escape")
    page.expect(active(page) in before, "the focus went away with its box")
    browser.click(f'.box[data-n="{n}"]')
    browser.click(f'.box[data-n="{n}"]')
    up = page.boxes[n]["parent"]
    out = page.shown()
    page.expect(abs(out[up][2] - whole) < 1 and n in out and not browser.js(
        "return document.querySelector(`.box[data-n='${arguments[0]}']`).classList.contains('above')", up),
        "once more does not go one step out")
    browser.click(f'.box[data-n="{n}"]')
    browser.press("Escape")
    page.expect(same(before, page.shown()), "Escape does not show the first view")
    browser.click(f'.box[data-n="{n}"]')
    browser.click("#icicle-whole")
    page.expect(same(before, page.shown()), "the button does not show the first view")
    browser.click(f'.box[data-n="{n}"]')
    browser.emulate(700, 900)
    browser.js("return document.body.offsetWidth")
    page.expect(page.shown().keys() == after.keys(), "another width of the window changes what is seen")
    browser.emulate(1280, 900)
    browser.press("Escape")


def active(page):
    return page.browser.js("const n = document.activeElement.dataset.n; return n === undefined ? null : Number(n)")


def works_by_keyboard(page):
    browser = page.browser
    browser.open(page.path)
    order, plain = [], 0
    for _ in range(400):
        browser.press("Tab")
        at = browser.js("""
            const e = document.activeElement, s = getComputedStyle(e), all = Array.from(document.querySelectorAll("*"));
            return [e.tagName, e.id, e.className, s.outlineStyle, parseFloat(s.outlineWidth), all.indexOf(e)];""")
        if at[0] in ("BODY", "HTML"):
            break
        order.append(at)
        plain += at[3] == "none" or at[4] < 2
    page.expect(plain == 0, f"{plain} of {len(order)} stops do not show the focus")
    page.expect([at[5] for at in order] == sorted({at[5] for at in order}), "the Tab key leaves the reading order")
    page.expect(sum("box" in at[2].split() for at in order) == (1 if page.boxes else 0), "the icicle is one stop")
    if not page.boxes:
        return
    page.expect("icicle-search" in [at[1] for at in order], "the search is no stop")
    browser.js("document.querySelector('#icicle .box').focus()")
    first, n = page.shown(), 0
    for _ in range(5):
        browser.press("Down")
        below = active(page)
        if below == n:
            break
        page.expect(page.boxes[below]["parent"] == n, f"down from {n} is {below}")
        n = below
    siblings = sorted((m for m in first if page.boxes[m]["parent"] == page.boxes[n]["parent"]),
                      key=lambda m: page.boxes[m]["left"])
    for m in siblings[siblings.index(n) + 1:][:5]:
        browser.press("Right")
        page.expect(active(page) == m, f"right is {active(page)}, not {m}")
    tip = browser.js("return document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent")
    page.expect(len(page.boxes) == 1 or page.boxes[active(page)]["name"].strip() in tip, "the focus shows no tooltip")
    n = active(page)
    browser.press("Enter")
    page.expect(abs(page.shown()[n][2] - page.width()) < 1 and active(page) == n, "Enter does not zoom, or loses the focus")
    browser.press("Up")
    page.expect(active(page) == (page.boxes[n]["parent"] if n else 0), "up is the parent")
    browser.press("Escape")
    page.expect(same(first, page.shown()) and active(page) is not None, "Escape does not show all, or loses the focus")


def speaks_to_readers(page):
    """The names and roles that a screen reader gets, as Chromium computes them."""
    nodes = page.browser.devtools("Accessibility.getFullAXTree")["nodes"]
    kinds = {}
    for node in nodes:
        if node.get("ignored"):
            continue
        role, name = node["role"]["value"], node.get("name", {}).get("value", "")
        kinds.setdefault(role, []).append(name.strip())
        focusable = any(prop["name"] == "focusable" and prop["value"]["value"] for prop in node.get("properties", []))
        page.expect(name.strip() or not focusable or role == "RootWebArea", f"a {role} without a name")
    page.expect(len(kinds.get("main", [])) == 1 and kinds.get("heading"), "main part and headings")
    if page.boxes:
        page.expect(len(kinds.get("tree", [])) == 1 and len(kinds["treeitem"]) == len(page.shown()), "one tree")
        page.expect(all(name for name in kinds["treeitem"]), "a box without a name")
        page.expect(any(", woken-by, " in name or not any(box["blamed"] for box in page.boxes)
                        for name in kinds["treeitem"]) or not any(page.boxes[n]["blamed"] for n in page.shown()),
                    "woken-by is not said")
    levels = page.browser.js("""return Array.from(document.querySelectorAll("#icicle .box")).map((e) =>
        [Number(e.dataset.n), Number(e.getAttribute("aria-level"))])""")
    page.expect(all(level == 1 + len(list(page.ancestors(n))) for n, level in levels), "levels")


def finds(page):
    browser = page.browser
    first = page.shown()
    names = [box["name"] for box in page.boxes]
    words = {name[1:7].upper() for name in names[1:12] if name[1:7].strip() == name[1:7] != ""} | {"no such name"}
    words |= {"(z"} if page.name == "odd" else set()
    for word in sorted(words):
        browser.type("#icicle-search", word)
        wanted = {n for n, name in enumerate(names) if word.lower() in name.lower()}
        said = browser.js("return document.getElementById('icicle-found').textContent")
        said_count = re.match(r"(\d+) node|No node", said)
        page.expect(said_count and int(said_count[1] or 0) == len(wanted), f"search {word!r}: {len(wanted)} names, said: {said}")
        marked = browser.js("""return Array.from(document.querySelectorAll(".box.match")).map((e) => [Number(e.dataset.n),
            getComputedStyle(e).boxShadow !== "none" && Number(getComputedStyle(e).fontWeight) >= 700])""")
        page.expect({n for n, _ in marked} & first.keys() == wanted & first.keys(), f"search {word!r}: marked {marked}")
        page.expect(all(seen for _, seen in marked), f"search {word!r}: a mark that cannot be seen")
        page.expect(same(first, page.shown()), "searching moves the boxes")
        if wanted:
            top = {n for n in wanted if not wanted & set(page.ancestors(n))}
            part = re.search(r"([\d.]+) % of the width", said)
            page.expect(part and abs(float(part[1]) - sum(page.boxes[n]["width"] for n in top) / 1e7) < 0.06,
                        f"search {word!r}: {said}")
            browser.press("Enter")
            n = next(m for m in [min(wanted), *page.ancestors(min(wanted))] if page.boxes[m]["width"])
            page.expect(abs(page.shown()[n][2] - page.width()) < 1, f"search {word!r}: Enter does not zoom to {n}")
        browser.js("""const field = document.getElementById("icicle-search"); field.value = "";
            field.dispatchEvent(new Event("input"));""")
        page.expect(browser.js("return document.querySelectorAll('.box.match').length") == 0, "marks stay")
        browser.click("#icicle-whole") if browser.js("return !document.getElementById('icicle-whole').disabled") else None
        browser.press("Escape")


def face(box):
    """The node that a box ends with, whose figures it has."""
    return box["name"].split(" \u203a ")[-1]


def tells_numbers(page):
    """The tooltip of a factor's function has the figures of report.json with their 95 % intervals."""
    browser, seen = page.browser, page.shown()
    names = [face(box) for box in page.boxes if not box["blamed"]]
    functions = {f["functions"][0]: f for f in page.report["factors"] if f["kind"] == "variance" and len(f["sites"]) == 1
                 and names.count(f["functions"][0]) == 1}
    for n in [m for m in seen if seen[m][2] > 3][:12]:
        browser.hover(f'.box[data-n="{n}"]')
        told = browser.js("""
            const tip = document.getElementById("tip"), at = tip.getBoundingClientRect();
            return {hidden: tip.hidden, name: tip.querySelector("strong").textContent,
                    inside: at.left >= 0 && at.top >= 0 && at.right <= innerWidth && at.bottom <= innerHeight,
                    rows: Object.fromEntries(Array.from(tip.querySelectorAll("tr")).map((r) => [r.cells[0].textContent,
                      r.cells[1].textContent]))};""")
        box, where = page.boxes[n], f"tooltip of box {n}"
        page.expect(not told["hidden"] and told["inside"], f"{where} is not to be seen")
        page.expect(told["name"] == box["name"], f"{where} is called {told['name'][:60]!r}")
        wanted = {label: fact for label, fact in zip(page.labels, box["facts"]) if fact}
        page.expect(told["rows"] == wanted, f"{where}: {told['rows']}")
        factor = functions.get(face(box))
        if page.report["intervals"]["variance_ns2"] and factor and not box["blamed"]:
            for label, key, interval in (("share of variance", "share", "share_ci95"),
                                         ("contribution", "contribution", "ci95")):
                low, high = factor[interval]
                figures = [float(figure) for figure in re.findall(r"-?\d+\.\d", told["rows"][label])]
                exact = [100 * factor[key], 100 * low, 100 * high]
                page.expect(len(figures) == 3 and all(abs(a - b) <= 0.0501 for a, b in zip(figures, exact)),
                            f"{where}: {label} {told['rows'][label]}, by report.json {exact}")
    browser.hover("h1")
    page.expect(browser.js("return document.getElementById('tip').hidden"), "the tooltip stays")


def pixels(png):
    """Rows of grey values, of Chromium's PNGs: 8 bits, RGB or RGBA, not interlaced."""
    at, packed = 8, b""
    while at < len(png):
        size, kind = int.from_bytes(png[at:at + 4], "big"), png[at + 4:at + 8]
        if kind == b"IHDR":
            width, channels = int.from_bytes(png[at + 8:at + 12], "big"), {2: 3, 6: 4}[png[at + 17]]
        packed += png[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    data, stride, rows = zlib.decompress(packed), width * channels, []
    above = bytearray(stride)
    for start in range(0, len(data), stride + 1):
        line = bytearray(data[start + 1:start + 1 + stride])
        for i, value in enumerate(line):
            left = line[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            guess = left + above[i] - corner
            paeth = min((left, above[i], corner), key=lambda one: abs(guess - one))
            line[i] = value + (0, left, above[i], (left + above[i]) // 2, paeth)[data[start]] & 255
        rows.append([sum(line[i:i + 3]) / 3 for i in range(0, stride, channels)])
        above = line
    return rows


def hatching(page, n):
    """How often the light changes along a box, right of its label, for one who sees no colour."""
    at = page.browser.js("""
        const box = document.querySelector(`.box[data-n="${arguments[0]}"]`).getBoundingClientRect();
        const right = document.querySelector(`.box[data-n="${arguments[0]}"] b`).getBoundingClientRect().right;
        return [right + scrollX + 4, box.top + scrollY + 12, box.right - right - 8];""", n)
    page.browser.devtools("Emulation.setEmulatedVisionDeficiency", type="achromatopsia")
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        page.browser.screenshot(file.name, clip={"x": at[0], "y": at[1], "width": min(at[2], 120), "height": 1, "scale": 1})
        row = pixels(pathlib.Path(file.name).read_bytes())[0]
    page.browser.devtools("Emulation.setEmulatedVisionDeficiency", type="none")
    return sum(abs(a - b) > 4 for a, b in zip(row, row[1:])), len(row)


def wakers_look_different(page):
    """Toy only: without colour, the hatched ones are told from the others; so does a sign before the name."""
    wide = [n for n, at in page.shown().items() if at[2] > 300]
    for n in wide:
        changes, length = hatching(page, n)
        page.expect(changes >= length / 12 if page.boxes[n]["blamed"] else changes == 0,
                    f"box {n}: the light changes {changes} times in {length} pixels")
    page.expect({page.boxes[n]["blamed"] for n in wide} == {0, 1}, "both kinds are there")
    signs = page.browser.js("""return Array.from(document.querySelectorAll("#icicle .box")).map((e) =>
        [Number(e.dataset.n), getComputedStyle(e.querySelector("bdi"), "::before").content])""")
    page.expect(all(("\u21b3" in sign) == bool(page.boxes[n]["blamed"]) for n, sign in signs), f"signs: {signs}")


# ---- tables


def sorts(page):
    tables = page.browser.js("return document.querySelectorAll('table.sortable').length")
    for t in range(tables):
        heads = page.browser.js("""return Array.from(document.querySelectorAll("table.sortable")[arguments[0]].tHead.rows[0].cells)
            .map((head) => head.querySelector("button") !== null)""", t)
        for column in [c for c, can in enumerate(heads) if can]:
            for way in ("descending", "ascending"):
                values, aria = page.browser.js("""
                    const table = document.querySelectorAll("table.sortable")[arguments[0]], c = arguments[1];
                    table.tHead.rows[0].cells[c].querySelector("button").click();
                    return [Array.from(table.tBodies[0].rows).map((r) => r.cells[c].dataset.v === undefined ?
                      r.cells[c].textContent : Number(r.cells[c].dataset.v)),
                      Array.from(table.tHead.rows[0].cells).map((head) => head.getAttribute("aria-sort"))];""", t, column)
                if all(isinstance(value, (int, float)) for value in values):
                    page.expect(values == sorted(values, reverse=way == "descending"), f"table {t} by {column}: {values}")
                page.expect(aria[column] == way and aria.count(None) == len(aria) - 1, f"table {t}: aria-sort {aria}")
    return tables


# ---- names


def names_stay_names(page):
    """Odd only: nothing of a name became markup."""
    page.expect(page.browser.js("return document.querySelectorAll('script:not([type=\"application/json\"])').length") == 1,
                "a script that is a name")
    page.expect(page.browser.js("return document.querySelectorAll('main b, main i, main bdi').length > 0 && "
                                "Array.from(document.querySelectorAll('*')).every((e) => !/^(EVIL|IMG|IFRAME)$/.test(e.tagName))"),
                "an element that is a name")
    told = " \u203a ".join(box["name"] for box in page.boxes)
    for name in check_report.nodes(page.report["tree"]):
        shown = name["name"]
        if len(shown) < 1000 and name["kind"] != "body" and not re.search("[\x00-\x1f\u202a-\u202e\u2066-\u2069\ufffd]", shown):
            page.expect(shown in told, f"the page has no {shown!r}")
    page.expect(any(len(box["name"]) > 900 for box in page.boxes), "no long name")


# ---- chosen intervals


def read_rows(page):
    """The intervals of the page's own data, with what stands for how many; lines, columns and edges of bins."""
    data = page.browser.js("return JSON.parse(document.getElementById('rows-data').textContent)")
    rows = []
    for text in data["rows"]:
        kind, stratum, *cells = [int(digits or "0", 36) for digits in text.split(",")]
        count, kept = data["strata"][stratum]
        latency = sum(cells)
        below = [bin_ for bin_, edge in enumerate(data["edges"][:-1]) if edge <= latency]
        rows.append({"type": kind, "weight": fractions.Fraction(count, kept), "cells": cells, "latency": latency,
                     "bin": max(below, default=0)})
    return data, rows


def mean_by(rows, data, which, count):
    """Weighted means, of the lines (1) or the boxes (0) that the columns belong to."""
    sums, weight = [fractions.Fraction(0)] * count, sum(row["weight"] for row in rows)
    for row in rows:
        for cell, column in zip(row["cells"], data["columns"]):
            sums[column[which]] += row["weight"] * cell
    return [one / weight for one in sums]


def is_what_was_chosen(page, data, rows, these, what):
    """Strip, ledger, waterfall and icicle against sums of their own, as fractions."""
    rest = [row for row in rows if row not in these] if len(these) < 50 else [row for row in rows if id(row) not in
                                                                             {id(one) for one in these}]
    shown = page.browser.js("""
        const part = (root, query) => Array.from(document.querySelectorAll(`#${root} > .chosen ${query}`));
        const number = (cell) => cell.dataset.v === undefined ? null : Number(cell.dataset.v);
        return {strip: part("roots", ".part").map((e) => [e.querySelector("b").textContent, parseFloat(e.style.width)]),
                ledger: part("ledger", "tbody tr").map((r) => [r.querySelector("b").textContent, ...Array.from(r.cells).slice(1)
                  .map(number)]),
                waterfall: part("waterfall", "tbody tr").map((r) => [r.cells[0].textContent, number(r.cells[1])]),
                said: document.getElementById("choice-said").textContent, of: Array.from(document.querySelectorAll("#roots > .sub.chosen")).map((e) => e.textContent)}""")
    count = len(data["lines"])
    mine, theirs = mean_by(these, data, 1, count), mean_by(rest, data, 1, count)
    gap = sum(mine) - sum(theirs)
    tells = abs(gap) >= sum(theirs) / 100
    ledger = {}
    for name, share, by, _range, in_these, in_rest in shown["ledger"]:
        ledger.setdefault(name, []).append((share, by, in_these, in_rest))
    for i, (name, *_) in enumerate(data["lines"]):
        by = mine[i] - theirs[i]
        page.expect(any(abs(got[1] - by) < 1 and (not tells or abs(got[0] - by / gap) < 1e-6) for got in ledger.get(name, [])),
                    f"{what}: {name} by {float(by):.0f} ns: the ledger has {ledger.get(name)}")
    weight = round(sum(row["weight"] for row in these))
    page.expect(f"{weight:,} of {data['intervals']:,} intervals" in shown["said"], f"{what}: {weight}: {shown['said']}")
    if not tells:
        page.expect("no difference to take apart" in shown["said"] and not shown["strip"], f"{what}: {shown['said']}")
        return
    page.expect(abs(sum(width for _, width in shown["strip"]) - 100) < 0.01, f"{what}: the strip is {shown['strip']}")
    page.expect(shown["of"] and "100\u00a0% is the" in shown["of"][0], f"{what}: the strip does not say of what")
    shares = sorted((float((a - b) / gap), name) for a, b, (name, *_) in zip(mine, theirs, data["lines"]))[::-1]
    page.expect(shown["strip"][0][0] == shares[0][1], f"{what}: {shown['strip'][0]} is first, not {shares[0]}")
    if shown["waterfall"]:
        steps = [ns for _, ns in shown["waterfall"]]
        page.expect(abs(sum(steps[:-1]) - steps[-1]) < 1 and abs(steps[0] - sum(theirs)) < 1 and abs(steps[-1] - sum(mine)) < 1,
                    f"{what}: the waterfall does not close: {steps}")
    boxes = [a - b for a, b in zip(mean_by(these, data, 0, len(page.boxes)), mean_by(rest, data, 0, len(page.boxes)))]
    for n in range(len(boxes) - 1, 0, -1):
        boxes[page.boxes[n]["parent"]] += boxes[n]
    browser_weights = page.browser.js("""return Array.from(document.querySelectorAll("#icicle .box")).map((e) =>
        [Number(e.dataset.n), e.querySelector("b").textContent])""")
    for n, text in browser_weights:
        page.expect(abs(float(text.split()[0]) - 100 * float(boxes[n] / gap)) < 0.51, f"{what}: box {n} has {text}")
    seen, widths = page.shown(), wide_as([one / gap for one in boxes], page.boxes)
    for n, width in enumerate(widths):
        page.expect(n in seen or width < 0.01, f"{what}: box {n} is not there, {float(width)} of the page")
        page.expect(n not in seen or abs(seen[n][2] / page.width() - float(width)) < 0.002, f"{what}: box {n}: {seen.get(n)}")


def wide_as(weights, boxes):
    """Parts of the page: children share what their parent has; what cancels has no width."""
    widths = [fractions.Fraction(1)] + [fractions.Fraction(0)] * (len(boxes) - 1)
    sums = [fractions.Fraction(0)] * len(boxes)
    for n in range(1, len(boxes)):
        sums[boxes[n]["parent"]] += max(weights[n], 0)
    for n in range(1, len(boxes)):
        up = boxes[n]["parent"]
        whole = max(sums[up], weights[up])
        widths[n] = max(weights[n], 0) * widths[up] / whole if whole > 0 else fractions.Fraction(0)
    return widths


def chooses(page):
    """A range of the histogram, or a type: what the page then says is what its rows add up to."""
    browser = page.browser
    data, rows = read_rows(page)
    first, before = page.shown(), browser.js("return document.querySelector('#roots').textContent")
    weight = sum(row["weight"] for row in rows)
    page.expect(weight == data["intervals"], f"the rows stand for {weight} of {data['intervals']} intervals")
    bins = page.report["intervals"]["histogram"]["bins"]
    for bin_, one in enumerate(bins):
        page.expect(sum(row["weight"] for row in rows if row["bin"] == bin_) == one["count"], f"the rows of bin {bin_}")
    edges = [float(edge) / 100 for edge in browser.js("return document.getElementById('histogram').dataset.edges").split()]
    middle, last = len(bins) * 3 // 5, len(bins) - 1
    browser.drag("#histogram", (edges[middle] + edges[middle + 1]) / 2, (edges[last] + edges[last + 1]) / 2)
    these = [row for row in rows if row["bin"] >= middle]
    is_what_was_chosen(page, data, rows, these, "drawn over the slow half")
    for number, name in enumerate(data["types"]):
        browser.js("""document.getElementById("choice-all").click();
            const field = document.getElementById("choice-type"); field.value = arguments[0];
            field.dispatchEvent(new Event("change"))""", str(number))
        is_what_was_chosen(page, data, rows, [row for row in rows if row["type"] == number], f"type {name}")
    browser.js("document.getElementById('choice-all').click()")
    page.expect(same(first, page.shown()) and before == browser.js("return document.querySelector('#roots').textContent"),
                "all intervals again are not as they were")
    page.expect(browser.js("return document.querySelectorAll('section > .chosen').length") == 0, "what was chosen stays")


def says_doubts(page):
    """Each doubt stands beside the headline by its code and opens."""
    doubts = page.browser.js("""return Array.from(document.querySelectorAll("header .doubts details")).map(function (e) {
        const closed = e.querySelector("p").checkVisibility(); e.open = true;
        const open = e.querySelector("p").checkVisibility(); e.open = false;
        return [e.querySelector("summary").textContent, closed, open]; })""")
    page.expect(doubts == [[warning["code"], False, True] for warning in page.report["warnings"]], f"doubts {doubts}")


def response(page):
    """Milliseconds of a zoom: the handler with the layout it causes, and until the next frame is on the way."""
    n = page.a_deep_one()
    steps = [m for m in [n, *page.ancestors(n)]] if n is not None else []
    times = page.browser.js_later("""
        const [steps, done] = arguments, times = [];
        (function next() {
          if (!steps.length) return done(times);
          const box = document.querySelector(`.box[data-n="${steps.shift()}"]`), start = performance.now();
          box.click();
          document.body.getBoundingClientRect();
          const laid = performance.now() - start;
          requestAnimationFrame(() => requestAnimationFrame(() => { times.push([laid, performance.now() - start]); next(); }));
        })();""", steps)
    laid, framed = [max(column, default=math.nan) for column in zip(*times)] if times else (math.nan, math.nan)
    load = page.browser.js("const t = performance.getEntriesByType('navigation')[0]; return t.domComplete - t.responseEnd")
    print(f"{page.name}: {len(page.boxes)} boxes, page of {page.path.stat().st_size // 1024} kB: shown after {load:.0f} ms; "
          f"zoom {laid:.0f} ms, {framed:.0f} ms with two frames (slowest of {len(times)})")


def check(page):
    quiet_and_alone(page)
    can_be_read(page)
    fits_any_screen(page)
    if page.boxes:
        zooms_and_comes_back(page)
        finds(page)
        tells_numbers(page)
    if page.browser.js("return document.getElementById('rows-data') !== null"):
        chooses(page)
    says_doubts(page)
    works_by_keyboard(page)
    speaks_to_readers(page)
    tables = sorts(page)
    goes_on_paper(page)
    if page.name in ("toy", "odd", "server"):
        page.expect(tables > 0, "no table can be sorted")
    if page.name == "toy":
        wakers_look_different(page)
    if page.name == "odd":
        names_stay_names(page)
    if page.name in ("empty", "rootless"):
        page.expect("nothing to take apart" in page.browser.js("return document.body.textContent"), "does not say so")
    if page.boxes:
        response(page)
    quiet = page.browser.log("browser")
    page.expect(not quiet, f"the console says {quiet[:2]}")
    more = set(page.browser.requests()) - {page.path.resolve().as_uri()}
    page.expect(not more, f"asked for {more}")


def make_sample(case, folder):
    for form in ("html", "json"):
        text = subprocess.run([PRINT, case, form], check=True, capture_output=True).stdout
        (folder / f"report.{form}").write_bytes(text)
    return folder


def make_demo(program, folder):
    subprocess.run([program, "demo", str(folder / "demo")], check=True, capture_output=True)
    return folder / "demo/vprofiler-out/latest"


with webdriver.Browser() as browser:
    for case in ["demo"] if len(sys.argv) > 2 else CASES:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            check(Page(browser, case, make_demo(sys.argv[2], folder) if case == "demo" else make_sample(case, folder)))
print("\n".join(failures[:30]) or "ok")
sys.exit(bool(failures))
