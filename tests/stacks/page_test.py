#!/usr/bin/env python3
"""The pages of stacks, and of two sides compared, in headless Chromium: what it shows is what the JSON says, it asks nothing of the network, fits any
screen, and hostile names stay names.

usage: page_test.py VPROFILER

Exits 77 without Chromium.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "report"), str(HERE.parent)]
import left_out  # noqa: E402
import made  # noqa: E402
import made_load  # noqa: E402
import webdriver  # noqa: E402

VPROFILER = sys.argv[1]
ODD = "</script><img src=x onerror=alert(1)>"


def page_of(folder, trace):
    made.directory(trace, folder)
    subprocess.run([VPROFILER, "stacks", "--quiet", folder], check=True, capture_output=True)
    return folder / "stacks.html", json.loads((folder / "stacks.json").read_text())


def shown(browser):
    """Boxes that are to be seen: name and width, a part of the picture's."""
    return browser.js("""
        const whole = document.getElementById("icicle").clientWidth;
        return Array.from(document.querySelectorAll("#icicle .box:not([hidden])"), (box) =>
          [box.querySelector("bdi").textContent, box.getBoundingClientRect().width / whole, box.className]);""")


def width(browser, name):
    found = [part for text, part, _ in shown(browser) if text == name]
    assert len(found) == 1, (name, shown(browser))
    return found[0]


def click(browser, name):
    browser.js("""Array.from(document.querySelectorAll("#icicle .box")).find((box) =>
        box.querySelector("bdi").textContent === arguments[0]).click()""", name)


def check_widths(browser):
    """Two threads for 200 ms each; of one it ran 129 ms, a quarter of it below left."""
    assert abs(width(browser, "one") - 0.5) < 0.01, shown(browser)
    assert abs(width(browser, "right") - (96.75 + 40) / 400) < 0.01, shown(browser)
    kernel = next(classes for name, _, classes in shown(browser) if name == "right")
    assert "kernel" in kernel.split(), kernel
    browser.js("document.querySelectorAll('#weights button')[1].click()")
    assert abs(width(browser, "one") - 129 / 329) < 0.01, shown(browser)
    browser.js("document.querySelectorAll('#weights button')[2].click()")
    assert abs(width(browser, "left") - 30 / 70) < 0.02, shown(browser)
    browser.js("document.querySelectorAll('#weights button')[0].click()")
    click(browser, "one")
    assert abs(width(browser, "one") - 1) < 0.01, shown(browser)


def check_filter(browser, found):
    rows = "Array.from(document.querySelectorAll('#function-table tbody tr')).filter((row) => !row.hidden).length"
    assert browser.js("return " + rows) == len(found["functions"])
    browser.js("""const field = document.getElementById("filter"); field.value = "futex"; field.dispatchEvent(new Event("input"));""")
    assert browser.js("return " + rows) == 1
    browser.js("""document.querySelector("input[data-layer=kernel]").click();""")
    assert browser.js("return " + rows) == 0


def fits_any_screen(browser):
    for pixels, media in ((1280, ""), (768, ""), (360, ""), (740, "print")):
        browser.emulate(pixels, 800, media=media)
        assert browser.js("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), pixels
    browser.emulate(1280, 900)


def test_page(browser, folder):
    trace = made.trace(made.SAMPLES, [made.wait(10, 3, 8), made.wait(60, 4, 1)], [made.LEFT, made.RIGHT, made.FIRST, made.LAST])
    path, found = page_of(folder, trace)
    browser.requests()
    browser.open(path)
    assert browser.requests() == [path.resolve().as_uri()]
    assert found["headline"] in browser.js("return document.querySelector('h1').textContent").replace("\u00a0", " ")
    check_widths(browser)
    check_filter(browser, found)
    fits_any_screen(browser)


def test_odd(browser, folder):
    trace = made.trace(made.SAMPLES, [], [made.LEFT, made.RIGHT])
    stacks = trace["files"][1]
    stacks["kernel"] = [line.replace("left", ODD) for line in stacks["kernel"]]
    path, found = page_of(folder, trace)
    browser.open(path)
    assert any(frame["function"] == ODD for frame in found["frames"]), found["frames"]
    assert any(ODD in name for name, *_ in shown(browser)), shown(browser)
    assert not browser.js("return document.querySelectorAll('img').length")


def compared(folder, *more, delay=5, odd=False):
    """The page and the JSON of a server whose requests wait 5 ms more in one context."""
    loads = [made_load.Load(1), made_load.Load(2)]
    for load, late in zip(loads, (0, delay)):
        for _ in range(200):
            steps = [made_load.run("main serve parse", load.random.uniform(0.5, 1.5))]
            wait = made_load.wait(f"main serve {ODD.replace(' ', '_') if odd else 'usleep'}", late)
            load.request(steps + ([wait] if late else []))
            load.run("main next_request", 0.1)
    sides = [load.write(folder / name) for load, name in zip(loads, "ab")]
    for words in (["html", "--output", folder / "compare.html"], ["json", "--output", folder / "compare.json"]):
        done = subprocess.run([VPROFILER, "compare", "--of", "stacks", *sides, "--quiet", *more, "--format", *words], check=False,
                              capture_output=True)
        assert done.returncode == 1, done.stderr
    return folder / "compare.html", json.loads((folder / "compare.json").read_text())


def test_compared(browser, folder):
    """Red is what takes more, in words as well; what did not change has no colour; the table and the icicle say the same."""
    path, found = compared(folder)
    browser.requests()
    browser.open(path)
    assert browser.requests() == [path.resolve().as_uri()]
    assert found["headline"] in browser.js("return document.querySelector('h1').textContent").replace("\u00a0", " ")
    classes = {text: names.split() for text, _, names in shown(browser)}
    assert "more" in classes["usleep"] and "same" in classes["parse"] and "more" in classes["main \u203a serve"], classes
    words = browser.js("return Array.from(document.querySelectorAll('#icicle .box.more'), (box) => box.getAttribute('aria-label'))")
    assert words and all("surely takes more, +5.00 ms" in text for text in words), words
    assert abs(width(browser, "usleep") - 5 / 6) < 0.03, shown(browser)
    cells = browser.js("return Array.from(document.querySelector('#context-table tbody tr').cells, (cell) => cell.textContent)")
    assert cells[0].startswith("usleep") and cells[1] == "+5.00 ms" and cells[6] == "surely" and cells[9] == "new", cells
    browser.js("""const field = document.getElementById("filter"); field.value = "parse"; field.dispatchEvent(new Event("input"));""")
    assert browser.js("return document.getElementById('filtered').textContent").startswith("1 of "), "the filter"
    click(browser, "usleep")
    assert abs(width(browser, "usleep") - 1) < 0.01, shown(browser)
    fits_any_screen(browser)
    path, found = compared(folder, "--layer", "kernel", odd=True)
    browser.open(path)
    name = ODD.replace(" ", "_")
    assert any(node["function"] == name for node in found["nodes"]) and name in found["headline"], found["headline"]
    assert not browser.js("return document.querySelectorAll('img').length")


def main():
    if not webdriver.there():
        left_out.skip("the page of stacks in Chromium", apt=webdriver.PACKAGES)
    with tempfile.TemporaryDirectory() as name, webdriver.Browser() as browser:
        browser.emulate(1280, 900)
        browser.log("browser")
        for number, test in enumerate((test_page, test_odd, test_compared)):
            folder = pathlib.Path(name) / str(number)
            folder.mkdir()
            test(browser, folder)
        assert not browser.log("browser")
    print("the page shows what the JSON says")


main()
