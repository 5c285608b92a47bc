#!/usr/bin/env python3
"""Takes docs/screenshots/: what the page looks like, for people.

    screenshots.py report_print vprofiler

demo.png, demo-dark.png: the report of the demo; large.png: 5,000 nodes, one of them zoomed in and a word searched for;
empty.png: a run without an interval; phone.png: the demo on a small screen.
"""
import pathlib
import subprocess
import sys
import tempfile

import webdriver

PRINT, VPROFILER = sys.argv[1:3]
OUT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "screenshots"


def take(browser, page, name, width=1180, most=1400, dark=False):
    """The page from its top, as high as it is, but no higher than `most`."""
    browser.emulate(width, 400, dark=dark)
    browser.open(page)
    height = browser.js("return document.documentElement.scrollHeight")
    browser.emulate(width, min(height, most), dark=dark)
    if name == "large":
        browser.type("#icicle-search", "btree::decode")
        browser.click('.box[data-n="1"]')
        browser.hover('.box[data-n="6"]')
    browser.screenshot(OUT / f"{name}.png")
    print(f"{name}.png: {(OUT / name).with_suffix('.png').stat().st_size // 1024} kB")


def printed(case, folder):
    page = folder / f"{case}.html"
    page.write_bytes(subprocess.run([PRINT, case, "html"], check=True, capture_output=True).stdout)
    return page


OUT.mkdir(exist_ok=True)
with tempfile.TemporaryDirectory() as home, webdriver.Browser() as browser:
    folder = pathlib.Path(home)
    subprocess.run([VPROFILER, "demo", str(folder / "demo")], check=True, capture_output=True)
    demo = folder / "demo/vprofiler-out/latest/report.html"
    take(browser, demo, "demo")
    take(browser, demo, "demo-dark", dark=True)
    take(browser, printed("large", folder), "large", most=900)
    take(browser, printed("empty", folder), "empty")
    take(browser, demo, "phone", width=390, most=844)
