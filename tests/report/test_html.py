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
        self.case, self.open, self.scripts, self.tags, self.texts = case, [], [], {}, []

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
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


def page_of(case):
    text = subprocess.run([PRINT, case, "html"], check=True, capture_output=True).stdout.decode("utf-8")
    page = Page(case)
    page.feed(text)
    page.close()
    if page.open:
        failures.append(f"{case}: left open: {page.open}")
    if re.search(r"https?:|@import|url\(", text):
        failures.append(f"{case}: points to the network")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text) or re.search(r">-?(nan|inf)\b|:-?(nan|inf)", text):
        failures.append(f"{case}: control characters, or no numbers")
    if len(text) > 200_000:
        failures.append(f"{case}: {len(text)} characters")
    return page


for case in ("toy", "odd", "empty", "rootless", "one", "constant", "quiet", "deep", "server"):
    page = page_of(case)
    kinds = [kind for kind, _ in page.scripts]
    drawn = case not in ("empty", "rootless")
    if kinds != (["application/json", None] if drawn else [None]):
        failures.append(f"{case}: scripts {kinds}")
    if drawn:
        if re.search("[<>&]", page.scripts[0][1]):
            failures.append(f"{case}: the data holds markup")
        data = json.loads(page.scripts[0][1])
        if page.tags.get("button", 0) != len(data["boxes"]) or not data["boxes"]:
            failures.append(f"{case}: {page.tags.get('button')} boxes drawn, {len(data['boxes'])} told")
        for n, box in enumerate(data["boxes"][1:], 1):
            above = data["boxes"][box["parent"]]
            inside = above["left"] - 1e-6 <= box["left"] and box["left"] + box["width"] <= above["left"] + above["width"] + 1e-6
            if not (box["parent"] < n and inside):
                failures.append(f"{case}: box {n} is not inside its parent")
        if case == "odd" and "<script>alert('x')</script>" not in [box["name"] for box in data["boxes"]]:
            failures.append("odd: the name is not in the data")
    words = "".join(page.texts)
    if case == "toy" and not all(word in words for word in ("latency variance of toy is pthread_mutex_lock",
                                                           "few-intervals", "vprofiler iterate --k 3", "gcc 12.2.0")):
        failures.append("toy: words are missing")
    if case == "odd" and "<script>alert('x')</script>" not in words:
        failures.append("odd: the name is not in the text")
    if case == "empty" and "nothing to take apart" not in words:
        failures.append("empty: does not say so")

print("\n".join(failures[:20]) or "ok")
sys.exit(bool(failures))
