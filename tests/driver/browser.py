"""A headless Chromium, driven by WebDriver with the standard library.

    with browser.Browser() as page:
        page.open("file:///...")
        page.wait(lambda text: "(1/" in text)       the text that the page shows
        page.key("3")
        page.complaints()                           what its console has of warnings and errors

`browser.there()`: chromium and chromedriver (Debian: chromium-driver) are installed.
"""
import json
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request

# No GPU, no sandbox (root in a container has none to give), software WebGL; high enough for whole lists.
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--window-size=1600,4000"]
WAIT_SECONDS = 60


def there():
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


class Browser:
    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="vprofiler-chromium-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        try:
            self.base = f"http://127.0.0.1:{self.port()}/session"
            self.base += "/" + self.call("POST", "", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {
                    "args": [*ARGUMENTS, f"--user-data-dir={self.folder.name}"]}}}})["sessionId"]
        except BaseException:
            self.stop()
            raise
        return self

    def port(self):
        for line in self.driver.stdout:
            if started := re.search(r"successfully on port (\d+)", line):
                return started[1]
        raise RuntimeError("chromedriver did not start")

    def __exit__(self, *unused):
        try:
            self.call("DELETE", "")
        finally:
            self.stop()

    def stop(self):
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
        self.folder.cleanup()

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method,
                                         data=json.dumps(body).encode() if body is not None else None)
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
            return json.load(answer)["value"]

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def text(self):
        return self.run("return document.body.innerText")

    def key(self, key):
        self.run(f"for (const type of ['keydown', 'keypress'])"
                 f" window.dispatchEvent(new KeyboardEvent(type, {{key: '{key}'}}))")

    def wait(self, ready):
        """The text, once it is as `ready` wants it; as it is at last, if it never is."""
        end = time.monotonic() + WAIT_SECONDS
        while not ready(text := self.text()) and time.monotonic() < end:
            time.sleep(0.1)
        return text

    def complaints(self):
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})
                if entry["level"] in ("WARNING", "SEVERE")]
