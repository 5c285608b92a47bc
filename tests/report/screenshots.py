#!/usr/bin/env python3
"""Takes docs/screenshots/: what the page looks like, for people.

    screenshots.py report_print vprofiler waits_print causal_print

The first screen of the demo (demo.png, demo-dark.png, phone.png), of examples/lock_wait and of tests/blame/one_pause;
chosen.png: slow intervals of the demo against the rest; large.png: 5,000 nodes, one of them zoomed in and a word
searched for; empty.png: a run without an interval; waits.png: the page of waits of a server that is made up;
causal.png: experiments with another one;
compare_stacks.png: the contexts of two versions of another one.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import webdriver

PRINT, VPROFILER, WAITS_PRINT, CAUSAL_PRINT = (pathlib.Path(name).resolve() for name in sys.argv[1:5])
ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "docs" / "screenshots"
MOST_KB = 150


def take(browser, page, name, width=1180, most=920, dark=False):
    """The page from its top, as high as it is, but no higher than `most`."""
    browser.emulate(width, 400, dark=dark)
    browser.open(page)
    height = browser.js("return document.documentElement.scrollHeight")
    browser.emulate(width, min(height, most), dark=dark)
    if name == "large":
        browser.js("document.getElementById('icicle-part').scrollIntoView()")
        browser.type("#icicle-search", "btree::decode")
        browser.click('.box[data-n="1"]')
        browser.hover('.box[data-n="6"]')
    if name == "waits":
        browser.click("#edge-table tr:nth-child(3) td")
        browser.js("window.scrollTo(0, 0)")
    if name == "chosen":
        browser.drag("#histogram", 0.7, 0.87)
        browser.js("document.getElementById('histogram').closest('section').scrollIntoView()")
    browser.screenshot(OUT / f"{name}.png")
    size = (OUT / name).with_suffix(".png").stat().st_size // 1024
    print(f"{name}.png: {size} kB{', which is too much' if size >= MOST_KB else ''}")


def printed(case, folder):
    page = folder / f"{case}.html"
    page.write_bytes(subprocess.run([PRINT, case, "html"], check=True, capture_output=True).stdout)
    return page


def lock_wait(folder):
    """Its Makefile looks for the header two folders above."""
    for part in ("examples", "include"):
        shutil.copytree(ROOT / part, folder / part)
    tree = folder / "examples/lock_wait"
    subprocess.run([VPROFILER, "iterate", "--k", "3", "--build", "build.sh", "--auto"], cwd=tree, check=True,
                   stdin=subprocess.DEVNULL, capture_output=True)
    return tree / "vprofiler-out/latest/report.html"


def one_pause(folder):
    subprocess.run([sys.executable, ROOT / "tests/blame/blame.py", VPROFILER, "one_pause", "--keep", folder / "pause"],
                   check=True, capture_output=True)
    return folder / "pause/tree/vprofiler-out/latest/report.html"


def compared_stacks(folder):
    """The new version waits in a filter, compresses faster, and parses twice."""
    sys.path.append(str(ROOT / "tests/stacks"))
    import made_load

    for name, seed, late in (("old", 1, False), ("new", 2, True)):
        load = made_load.Load(seed, "httpd")
        for _ in range(500):
            vary = load.random.uniform
            steps = [made_load.run("main worker serve parse_head", vary(0.4, 0.6) * (2 if late else 1)),
                     made_load.run("main worker serve send_body deflate_filter deflate longest_match", vary(2.5, 4) * (0.6 if late else 1)),
                     made_load.run("main worker serve send_body deflate_filter crc32", vary(0.5, 1)),
                     made_load.wait("main worker serve send_body writev tcp_sendmsg", vary(1, 2)),
                     made_load.wait("main worker serve write_log fsync", vary(0.5, 1.5))]
            if late:
                steps.insert(2, made_load.wait("main worker serve send_body deflate_filter usleep hrtimer_nanosleep", vary(4.5, 5.5)))
            load.request(steps)
            load.run("main worker next_request", 0.1)
        load.write(folder / name)
    page = folder / "compare.html"
    subprocess.run([VPROFILER, "compare", "--of", "stacks", "old", "new", "--format", "html", "--output", page], cwd=folder,
                   check=False, capture_output=True)
    return page


OUT.mkdir(exist_ok=True)
with tempfile.TemporaryDirectory() as home, webdriver.Browser() as browser:
    folder = pathlib.Path(home)
    subprocess.run([VPROFILER, "demo", str(folder / "demo")], check=True, capture_output=True)
    demo = folder / "demo/vprofiler-out/latest/report.html"
    take(browser, demo, "demo")
    take(browser, demo, "demo-dark", dark=True)
    take(browser, demo, "phone", width=390, most=844)
    take(browser, demo, "chosen")
    take(browser, lock_wait(folder), "lock_wait")
    take(browser, one_pause(folder), "one_pause")
    take(browser, printed("large", folder), "large", most=800)
    take(browser, printed("empty", folder), "empty")
    subprocess.run([WAITS_PRINT, "server", folder], check=True)
    take(browser, folder / "waits.html", "waits", most=800)
    subprocess.run([CAUSAL_PRINT, "server", folder], check=True)
    take(browser, folder / "causal.html", "causal", most=800)
    take(browser, compared_stacks(folder), "compare_stacks", most=860)
