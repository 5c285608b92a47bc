#!/usr/bin/env python3
"""Every command in README and docs does what it says: the ```sh blocks of a page are run one after the
other, in a folder of the page's own, by `bash -e` with vprofiler in the PATH.

A line before a block says otherwise, and a reader of the page does not see it:
    <!-- not run: REASON -->             it needs what a test has not got, or another test runs it
    <!-- after vprofiler demo -->        in a folder with the result of the demo

usage: commands_test.py VPROFILER [PAGE...]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from blocks import ROOT

PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "*/README.md", "tests/*/README.md",
         "docs/**/*.md"]
FENCE = re.compile(r"^(?:<!-- (?P<marker>.*?) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$",
                   re.M | re.S)
COMMAND = re.compile(r"^(?:    )?(?:\$ |vprofiler |python3 |make |sh |ctest |cmake |cd |tests/|tools/)", re.M)


PLACE = re.compile(r"`([a-z]+/[\w/]+\.[ch])`: ((?:`\w+`(?:, )?)+)")


class Page:
    def __init__(self, path):
        self.name = str(path.relative_to(ROOT))
        self.text = path.read_text()
        self.blocks = [match.groupdict() for match in FENCE.finditer(self.text)]

    def faults(self):
        """Commands that would escape: no language, or indented in place of fenced."""
        for block in self.blocks:
            if not block["language"] and COMMAND.search(block["text"]):
                yield f"a block of commands without ```sh: {block['text'].splitlines()[0]}"
        for line in FENCE.sub("", self.text).splitlines():
            if line.startswith("    ") and COMMAND.match(line):
                yield f"an indented command: {line.strip()}"
        for file, names in PLACE.findall(self.text):
            text = (ROOT / file).read_text() if (ROOT / file).exists() else ""
            for name in re.findall(r"\w+", names):
                if not re.search(rf"\b{name}\(", text):
                    yield f"there is no {name} in {file}"

    def commands(self):
        return [block for block in self.blocks if block["language"] == "sh"]


class Runner:
    def __init__(self, vprofiler, work):
        self.work = work
        self.demo = None
        self.environment = dict(os.environ, LC_ALL="C.UTF-8",
                                PATH=f"{vprofiler.parent}:{os.environ['PATH']}")

    def script(self, folder, text):
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], cwd=folder,
                              env=self.environment, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=250)
        return "" if done.returncode == 0 else f"exit status {done.returncode}\n{done.stderr[-3000:]}"

    def demo_folder(self, folder):
        """The demo's result as a folder to stand in; the demo runs once."""
        if not self.demo:
            self.demo = self.work / "demo"
            self.demo.mkdir()
            fault = self.script(self.demo, "vprofiler demo")
            assert not fault, fault
        shutil.copytree(self.demo / "vprofiler-demo", folder, symlinks=True, dirs_exist_ok=True)

    def run(self, page):
        """Gives (run, left out, faults)."""
        ran, left, faults = 0, [], []
        folder = self.work / page.name.replace("/", "-")
        folder.mkdir()
        for block in page.commands():
            marker = block["marker"] or ""
            if marker.startswith("not run: "):
                left.append(f"{page.name}: {block['text'].splitlines()[0]}   ({marker[9:]})")
                continue
            if marker == "after vprofiler demo" and not (folder / "vprofiler-out").exists():
                self.demo_folder(folder)
            elif marker and marker != "after vprofiler demo":
                faults.append(f"an unknown marker: {marker}")
            fault = self.script(folder, block["text"])
            ran += 1
            if fault:
                faults.append(f"{block['text']}{fault}")
                break
        return ran, left, faults


def main():
    vprofiler = pathlib.Path(sys.argv[1]).resolve()
    names = sys.argv[2:]
    paths = sorted({path for pattern in PAGES for path in ROOT.glob(pattern)
                    if not path.relative_to(ROOT).parts[0].startswith("build")})
    pages = [Page(path) for path in paths if not names or str(path.relative_to(ROOT)) in names]
    ran, left, failed = 0, [], 0
    with tempfile.TemporaryDirectory() as name:
        runner = Runner(vprofiler, pathlib.Path(name).resolve())
        for page in pages:
            more, without, faults = runner.run(page)
            ran, left = ran + more, left + without
            for fault in [*page.faults(), *faults]:
                failed += 1
                print(f"{page.name}: {fault}")
    print(*left, sep="\n")
    print(f"{len(pages)} pages, {ran} blocks of commands run, {len(left)} not run, {failed} failed")
    return failed != 0 or ran == 0


if __name__ == "__main__":
    sys.exit(main())
