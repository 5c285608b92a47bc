"""A page in headless Chromium, driven by chromedriver over the W3C's WebDriver protocol.

    with webdriver.Browser() as browser:
        browser.open(path_of_a_file)
        browser.js("return document.title")
        browser.press("Tab", "Enter")

Exits 77 where it is not there(): chromium or chromedriver. Only the standard library.
"""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

KEYS = {"Escape": "\ue00c", "Tab": "\ue004", "Enter": "\ue007", "Up": "\ue013", "Down": "\ue015", "Left": "\ue012",
        "Right": "\ue014", "Shift": "\ue008", "Space": " "}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


PACKAGES = ["chromium", "chromium-driver"]
NO_GPU = ["--disable-gpu"]
SOFTWARE_GPU = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]  # for pages that need WebGL


def there():
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


class Browser:
    def __init__(self, width=1280, height=900, gpu=NO_GPU):
        driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
        if not there():
            left_out.skip("pages in Chromium", apt=PACKAGES)
        self.home = tempfile.TemporaryDirectory()
        # Chromium writes to the home folder too.
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                       env={**os.environ, "HOME": self.home.name})
        self.session = None
        port = next(re.search(r"on port (\d+)", line)[1] for line in self.driver.stdout if "started successfully" in line)
        self.base = f"http://127.0.0.1:{port}/session"
        options = {"binary": chromium,
                   "args": ["--headless=new", "--no-sandbox", *gpu, "--disable-dev-shm-usage", "--no-first-run",
                            "--disable-background-networking", "--hide-scrollbars", f"--window-size={width},{height}",
                            f"--user-data-dir={self.home.name}/profile"]}
        logs = {"browser": "ALL", "performance": "ALL"}
        made = self.post("", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": logs}}})
        self.session = made["sessionId"]
        self.base += "/" + self.session

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.home.cleanup()

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def post(self, path, body):
        return self.call("POST", path, body)

    def open(self, path):
        self.open_url(pathlib.Path(path).resolve().as_uri())

    def open_url(self, url):
        self.post("/url", {"url": url})

    def js(self, body, *arguments):
        return self.post("/execute/sync", {"script": body, "args": list(arguments)})

    def js_later(self, body, *arguments):
        """What `body` hands to its last argument."""
        return self.post("/execute/async", {"script": body, "args": list(arguments)})

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def find(self, selector):
        return self.post("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.post(f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self.post(f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        actions = [{"type": kind, "value": KEYS[key]} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def shift(self, key):
        actions = [{"type": kind, "value": KEYS[name]} for kind, name in
                   (("keyDown", "Shift"), ("keyDown", key), ("keyUp", key), ("keyUp", "Shift"))]
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def hover(self, selector):
        origin = {ELEMENT: self.find(selector)}
        move = {"type": "pointerMove", "duration": 0, "origin": origin, "x": 0, "y": 0}
        self.post("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]})

    def drag(self, selector, start, end):
        """Draws the mouse over an element, from one part of its width to another."""
        left, top, width, height = self.js("""const e = document.querySelector(arguments[0]);
            e.scrollIntoView({block: "center"}); const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]""",
                                           selector)
        move = [{"type": "pointerMove", "duration": 0, "x": round(left + width * part), "y": round(top + height / 2)}
                for part in (start, end)]
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        actions = [move[0], press[0], move[1], press[1]]
        self.post("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

    def log(self, kind):
        return self.post("/se/log", {"type": kind})

    def requests(self):
        """Every address asked for since the last call, but for what the browser itself needs."""
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        asked = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
        return [one["request"]["url"] for one in asked
                if not one["documentURL"].startswith("chrome:") and not one["request"]["url"].startswith("data:")]

    def emulate(self, width=0, height=0, dark=False, media=""):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.devtools("Emulation.setEmulatedMedia", media=media,
                      features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        # The page hears of it with its next frame.
        self.devtools("Runtime.evaluate", awaitPromise=True, expression="new Promise((done) => { setTimeout(done, 1000);"
                      "requestAnimationFrame(() => requestAnimationFrame(done)); })")

    def pdf(self):
        return base64.b64decode(self.post("/print", {"background": True}))

    def screenshot(self, path, **options):
        shot = self.devtools("Page.captureScreenshot", format="png", **options)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))
