#!/usr/bin/env python3
"""report_html: well formed, self-contained, and no name can break out of its place."""
import html.parser
import json
import re
import subprocess
import sys

PRINT = sys.argv[1]
VOID = {"meta", "br", "hr", "img", "link", "input"}
failures = []


class Page(html.parser.HTMLParser):
    def __init__(self, case):
        super().__init__(convert_charrefs=True)
        self.case, self.open, self.scripts, self.drawn, self.pictures, self.texts = case, [], [], 0, 0, []

    def handle_starttag(self, tag, attrs):
        self.drawn += dict(attrs).get("role") == "treeitem"
        self.pictures += tag == "svg"
        for name, value in attrs:
            if name in ("src", "href") or name.startswith("on") or "url(" in (value or ""):
                failures.append(f"{self.case}: <{tag} {name}={value!r}>")
        if tag == "script":
            self.scripts.append([dict(attrs).get("type"), ""])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            failures.append(f"{self.case}: </{tag}> closes nothing at {self.getpos()}")

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1][1] += data
        else:
            self.texts.append(data)


def pictures(case, text):
    """The pictures say what the JSON says."""
    report = json.loads(subprocess.run([PRINT, case, "json"], check=True, capture_output=True).stdout)
    counts = [one["count"] for one in report["intervals"]["histogram"]["bins"]]
    drawn = [int(count.replace(",", "")) for count in re.findall(r": ([\d,]+) intervals?, [^<]*</title></rect>", text)]
    if drawn != [count for count in counts if count] and len(counts) > 1:
        failures.append(f"{case}: bars of {drawn}, not {counts}")
    rows = [int(ns) for ns in re.findall(r'<td class="n" title="(-?\d+) ns">', text)]
    ledger = report.get("tail", {"mean_ns": 0, "slow_ns": 0})
    if ledger["slow_ns"] > ledger["mean_ns"]:
        if [rows[0], rows[-1]] != [ledger["mean_ns"], ledger["slow_ns"]] or sum(rows[:-1]) != rows[-1]:
            failures.append(f"{case}: the waterfall does not close: {rows}")
        for step, part in zip(rows[1:-2], ledger["parts"]):
            if step != part["to_ns"] - part["from_ns"]:
                failures.append(f"{case}: {part['name']!r} is drawn as {step}")
    for parent, table in re.findall(r'<caption>below .*?make up its (\S+) %</caption>(.*?)</table>', text, re.S):
        cells = [float(cell) for cell in re.findall(r'">([-+]?[\d.]+) %(?:&nbsp;\?)?</td>', table)]
        if abs(sum(cells) - float(parent)) > 0.05 * (len(cells) + 1):
            failures.append(f"{case}: the cells {cells} do not make up {parent} %")
    spans = sum(len(lane["spans"]) for timeline in report["timelines"] for lane in timeline["lanes"])
    arrows = sum(len(timeline["arrows"]) for timeline in report["timelines"])
    told = (len(re.findall(r"<svg x=[^>]*><title>", text)), text.count('class="head"'))
    enlarged = len(re.findall("times larger", text))
    if not enlarged and told != (spans, arrows):
        failures.append(f"{case}: {told} calls and arrows are drawn of {spans} and {arrows}")


def page_of(case):
    text = subprocess.run([PRINT, case, "html"], check=True, capture_output=True).stdout.decode("utf-8")
    pictures(case, text)
    page = Page(case)
    page.feed(text)
    page.close()
    if page.open:
        failures.append(f"{case}: left open: {page.open}")
    if re.search(r"https?:|@import|url\(", text):
        failures.append(f"{case}: points to the network")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text) or re.search(r">-?(nan|inf)\b|:-?(nan|inf)", text):
        failures.append(f"{case}: control characters, or no numbers")
    if len(text) > (1_500_000 if case == "large" else 200_000):
        failures.append(f"{case}: {len(text)} characters")
    return page


for case in ("toy", "odd", "empty", "rootless", "one", "constant", "quiet", "deep", "server", "large"):
    page = page_of(case)
    kinds = [kind for kind, _ in page.scripts]
    drawn = case not in ("empty", "rootless")
    if kinds != (["application/json", None] if drawn else [None]):
        failures.append(f"{case}: scripts {kinds}")
    if drawn:
        if re.search("[<>&]", page.scripts[0][1]):
            failures.append(f"{case}: the data holds markup")
        data = json.loads(page.scripts[0][1])
        boxes = data["boxes"]
        wide = sum(width / 1e9 >= data["least"] for _, _, _, width, *_ in boxes)
        if page.drawn != wide or not boxes:
            failures.append(f"{case}: {page.drawn} boxes drawn of {wide} that are wide enough")
        for n, (_, parent, left, width, *_) in enumerate(boxes[1:], 1):
            inside = boxes[parent][2] - 2 <= left and left + width <= boxes[parent][2] + boxes[parent][3] + 2
            if not (parent < n and inside):
                failures.append(f"{case}: box {n} is not inside its parent")
        if case == "odd" and "<script>alert('x')</script>" not in [data["texts"][box[0]] for box in boxes]:
            failures.append("odd: the name is not in the data")
    words = "".join(page.texts)
    if case == "toy" and (page.pictures < 3 or "What varies with what" not in words):
        failures.append("toy: pictures are missing")
    if case == "toy" and not all(word in words for word in ("latency variance of toy goes back to compact",
                                                           "few-intervals", "vprofiler iterate --k 3", "gcc 12.2.0")):
        failures.append("toy: words are missing")
    if case == "odd" and "<script>alert('x')</script>" not in words:
        failures.append("odd: the name is not in the text")
    if case == "empty" and "nothing to take apart" not in words:
        failures.append("empty: does not say so")

print("\n".join(failures[:20]) or "ok")
sys.exit(bool(failures))
