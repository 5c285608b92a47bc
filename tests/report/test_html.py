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


def waterfall(case, report, rows):
    """Its steps are the lines of the root ledger and close to the ns; True: there must be one."""
    root, tail, n = report["tree"], report["intervals"]["tail_count"], report["intervals"]["count"]
    if not root or not report.get("root_ledger"):
        return False
    mean, slow = (round(int(root["moments"][key]) / count) if count else 0 for key, count in (("sum", n), ("tail", tail)))
    if slow <= mean:
        return False
    if [rows[0], rows[-1]] != [mean, slow] or sum(rows[:-1]) != rows[-1]:
        failures.append(f"{case}: the waterfall does not close: {rows}, from {mean} to {slow}")
    lines = sorted(report["root_ledger"], key=lambda line: -abs(line["tail_share"]))
    for step, line in zip(rows[1:-2], lines):
        if abs(step - line["tail_share"] * (slow - mean)) > 1.5:
            failures.append(f"{case}: {line['name']!r} is drawn as {step}, and is {line['tail_share']} of {slow - mean}")
    return True


def strip(case, report, text):
    """The root strip: its parts are the ledger's lines, and all of them make up 100 %."""
    if not report["intervals"]["variance_ns2"] or not report.get("root_ledger"):
        return
    found = re.search(r'id="strip".*?</div>(.*?)</section>', text, re.S)
    bar, key = found[0][:found.start(1) - found.start()], found[1]
    widths = [float(width) for width in re.findall(r'style="width:([\d.]+)%"', bar)]
    shares = [float(share) for share in re.findall(r'<span class="n">(-?[\d.]+) %', key)]
    if abs(sum(widths) - 100) > 0.001:
        failures.append(f"{case}: the root strip is {sum(widths)} % wide")
    if abs(sum(shares) - 100) > 0.55 * len(shares):
        failures.append(f"{case}: the parts of the root strip are {sum(shares)} %")
    for share, line in zip(shares[:7], report["root_ledger"]):
        if line["share"] >= 0.01 and abs(share - 100 * line["share"]) > 0.51:
            failures.append(f"{case}: {line['name']!r} has {share} % in the root strip")


def own_scales(case, report, text):
    """Each timeline ends at the right edge of its own scale; a slow one comes first, the others are folded."""
    drawn = re.findall(r'<svg class="drawing timeline".*?<line class="mark" x1="([\d.]+)%"', text, re.S)
    if len(drawn) != len(report["timelines"]) or len(set(drawn)) > 1:
        failures.append(f"{case}: timelines end at {drawn}")
    said = re.findall(r"(<summary>)?<h3>(\w+)", text)
    names = [timeline["what"] for timeline in report["timelines"]]
    wanted = names[1:2] + names[:1] + names[2:] if len(names) > 1 else names
    if [name for _, name in said] != wanted or [not fold for fold, _ in said] != [i == 0 for i in range(len(said))]:
        failures.append(f"{case}: timelines are {said}, not {wanted}")


def pictures(case, text):
    """The pictures say what the JSON says."""
    report = json.loads(subprocess.run([PRINT, case, "json"], check=True, capture_output=True).stdout)
    counts = [one["count"] for one in report["intervals"]["histogram"]["bins"]]
    drawn = [int(count.replace(",", "")) for count in re.findall(r": ([\d,]+) intervals?, [^<]*</title></rect>", text)]
    if drawn != [count for count in counts if count] and len(counts) > 1:
        failures.append(f"{case}: bars of {drawn}, not {counts}")
    rows = [int(ns) for ns in re.findall(r'<td class="n" title="(-?\d+) ns">', text)]
    slower = waterfall(case, report, rows)
    if slower and 'id="waterfall"' not in text:
        failures.append(f"{case}: no waterfall")
    strip(case, report, text)
    for parent, table in re.findall(r'<caption>below .*?make up its (\S+) %</caption>(.*?)</table>', text, re.S):
        cells = [float(cell) for cell in re.findall(r'">([-+]?[\d.]+) %(?:&nbsp;\?)?</td>', table)]
        if abs(sum(cells) - float(parent)) > 0.05 * (len(cells) + 1):
            failures.append(f"{case}: the cells {cells} do not make up {parent} %")
    spans = sum(len(lane["spans"]) for timeline in report["timelines"] for lane in timeline["lanes"])
    arrows = sum(len(timeline["arrows"]) for timeline in report["timelines"])
    told = (len(re.findall(r"<svg x=[^>]*><title>", text)), text.count('class="head"'))
    if told != (spans, arrows):
        failures.append(f"{case}: {told} calls and arrows are drawn of {spans} and {arrows}")
    own_scales(case, report, text)


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
    if len(text) > (1_500_000 if case == "large" else 400_000):
        failures.append(f"{case}: {len(text)} characters")
    return page


def chains(case, data):
    """A box has no single child of its own width that tells the same story: that one is in it, as "a › b"."""
    boxes, blamed = data["boxes"], 6
    for n, box in enumerate(boxes[1:], 1):
        above = boxes[box[2]]
        repeated = box[4] >= 0.99 * above[4] and box[blamed] == above[blamed] and box[4] > 0
        if repeated and data["texts"][above[8]] != "call":
            failures.append(f"{case}: box {n}, {data['texts'][box[1]][:60]!r}, repeats the one above it")
    if case == "deep" and (len(boxes) != 1 or "level_1 › level_2" not in data["texts"][boxes[0][0]]):
        failures.append(f"deep: {len(boxes)} boxes, the first is {data['texts'][boxes[0][0]][:80]!r}")


for case in ("toy", "odd", "empty", "rootless", "one", "constant", "quiet", "unsteady", "deep", "server", "large"):
    page = page_of(case)
    kinds = [kind for kind, _ in page.scripts]
    drawn = case not in ("empty", "rootless")
    choice = drawn and case not in ("one", "constant")
    if kinds != ["application/json"] * (drawn + choice) + [None]:
        failures.append(f"{case}: scripts {kinds}")
    if drawn:
        if re.search("[<>&]", page.scripts[0][1]):
            failures.append(f"{case}: the data holds markup")
        data = json.loads(page.scripts[0][1])
        boxes = data["boxes"]
        wide = sum(width / 1e9 >= data["least"] for _, _, _, _, width, *_ in boxes)
        if page.drawn != wide or not boxes:
            failures.append(f"{case}: {page.drawn} boxes drawn of {wide} that are wide enough")
        for n, (_, _, parent, left, width, *_) in enumerate(boxes[1:], 1):
            inside = boxes[parent][3] - 2 <= left and left + width <= boxes[parent][3] + boxes[parent][4] + 2
            if not (parent < n and inside):
                failures.append(f"{case}: box {n} is not inside its parent")
        chains(case, data)
        if case == "odd" and "<script>alert('x')</script>" not in " › ".join(data["texts"][box[0]] for box in boxes):
            failures.append("odd: the name is not in the data")
    words = "".join(page.texts)
    if case == "toy" and (page.pictures < 3 or "What varies with what" not in words):
        failures.append("toy: pictures are missing")
    if case == "toy" and not all(word in words for word in ("latency variance of toy goes back to compact",
                                                           "few-intervals", "vprofiler iterate --k 3", "gcc 12.2.0")):
        failures.append("toy: words are missing")
    ranges = re.findall(r"\d \u2026 -?\d", words)
    if case in ("quiet", "unsteady") and bool(ranges) != (case == "quiet"):
        failures.append(f"{case}: the intervals shown are {ranges}")
    if case == "odd" and "<script>alert('x')</script>" not in words:
        failures.append("odd: the name is not in the text")
    if case == "empty" and "nothing to take apart" not in words:
        failures.append("empty: does not say so")

print("\n".join(failures[:20]) or "ok")
sys.exit(bool(failures))
