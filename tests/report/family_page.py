"""What the pages of all families are held to, in headless Chromium.

    class Page(family_page.Page): ...          its JSON is .told, and is checked by its schema
    family_page.quiet_and_alone(page)          it asks nobody, and the console says nothing
    family_page.fits_any_screen(page)          nor is it wider than a telephone
"""
import json

import check_report

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


class Page:
    def __init__(self, browser, case, path, told, schema):
        self.browser, self.case, self.path = browser, case, path
        self.told = json.loads(told.read_text(encoding="utf-8"))
        check_report.SCHEMA = schema
        for fault in check_report.faults(self.told, schema):
            self.expect(False, fault)
        browser.emulate(1280, 900)
        browser.requests()  # those of the pages before
        browser.log("browser")
        browser.open(self.path)

    def expect(self, condition, what):
        expect(condition, f"{self.case}: {what}")

    def js(self, body, *arguments):
        return self.browser.js(body, *arguments)


def quiet_and_alone(page):
    page.expect(page.browser.requests() == [page.path.resolve().as_uri()], "asks the network")
    wrong = [entry["message"] for entry in page.browser.log("browser")]
    page.expect(not wrong, f"the console says {wrong[:3]}")


def fits_any_screen(page, each=lambda where: None):
    """`each` looks at more, on each of the screens."""
    for width, media in ((1280, ""), (768, ""), (360, ""), (740, "print")):
        page.browser.emulate(width, 800, media=media)
        wide = page.js("""
            const most = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= most) return [];
            return Array.from(document.querySelectorAll("main *")).filter((e) => e.getBoundingClientRect().right > most + 1
              && !e.closest(".wide")).map((e) => e.tagName + "." + e.className).slice(0, 5);""")
        page.expect(not wide, f"wider than a screen of {width} {media}: {wide}")
        each(f"{width} {media}")
    page.browser.emulate(1280, 900)
