#!/usr/bin/env python3
"""What a page refers to is there: links with their anchors, files of docs/ that code and tests name, the files in the
boxes of docs/architecture.md. Every page of docs/ can be reached from docs/README.md, and its lines fit in 120 columns.

usage: links_test.py [TREE]
"""
import pathlib
import re
import sys

from blocks import ROOT

WIDTH = 120
PAGES = ["*.md", "*/README.md", "tests/*/README.md", "docs/**/*.md"]
CODE = {".c", ".h", ".cc", ".py", ".sh", ".txt", ".cmake", ".md", ".js", ".css", ".yml", ""}
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r"(?<![\w/.-])docs/[\w./-]*\w")
BOX = re.compile(r"^┌─ (?P<folders>[\w/, ]+): .*\n(?P<lines>(?:│.*\n)+)", re.M)


def inside(root, path):
    parts = path.relative_to(root).parts
    return not parts[0].startswith(("build", ".git", "vprofiler-"))


def prose(text):
    """The text without its fenced blocks, line for line."""
    return FENCE.sub(lambda block: "\n" * block.group().count("\n"), text)


def anchors(text):
    """As GitHub makes them of headings."""
    titles = re.findall(r"^#+ (.*)$", prose(text), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def link_faults(page):
    """Gives what is wrong with the links of a page, and the pages of which it has one."""
    faults, reached = [], []
    for link in LINK.findall(prose(page.read_text())):
        if "://" in link or link.startswith("mailto:"):
            continue
        target, _, anchor = link.partition("#")
        path = (page.parent / target).resolve() if target else page
        if not path.exists():
            faults.append(f"a link to {link}, which is not there")
        elif anchor and anchor not in anchors(path.read_text()):
            faults.append(f"a link to {link}: there is no such heading")
        reached.append(path)
    return faults, reached


def width_faults(page):
    """Rows of tables can't be wrapped, and what a program printed is as wide as it is."""
    for number, line in enumerate(prose(page.read_text()).splitlines(), 1):
        if len(line) > WIDTH and not line.startswith("|"):
            yield f"line {number} has {len(line)} columns"


def box_faults(root, page):
    """Each file in a box is in one of the folders in its title, or is named with its own."""
    boxes = list(BOX.finditer(page.read_text()))
    if not boxes:
        yield "there is no box"
    for box in boxes:
        folders = [root / folder.strip() for folder in box["folders"].split(",")]
        for name in re.findall(r"[\w/*]+\.[ch]\b", box["lines"]):
            if not any(list(folder.glob(name)) for folder in [root, *folders]):
                yield f"there is no {name} in {box['folders']}"


def named_faults(root):
    """Files of docs/ that are named in comments, messages, tests and pages outside of it."""
    for path in sorted(root.rglob("*")):
        if not path.is_file() or not inside(root, path) or path.suffix not in CODE or path.name == "CHANGELOG.md":
            continue
        for name in sorted(set(NAMED.findall(path.read_text(errors="replace")))):
            if not (root / name).exists() and not (path.parent / name).exists():
                yield f"{path.relative_to(root)}: {name} is not there"


def main():
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    pages = sorted({path for pattern in PAGES for path in root.glob(pattern) if inside(root, path)})
    docs = [page for page in pages if root / "docs" in page.parents]
    faults, reached = [], {}
    for page in pages:
        found, reached[page] = link_faults(page)
        if page in docs or page.parent == root and page.name != "CHANGELOG.md":
            found += width_faults(page)
        faults += [f"{page.relative_to(root)}: {fault}" for fault in found]
    faults += [f"docs/architecture.md: {fault}" for fault in box_faults(root, root / "docs/architecture.md")]
    faults += named_faults(root)
    known, new = set(), [root / "docs/README.md"]
    while new:
        page = new.pop()
        known.add(page)
        new += [path for path in reached.get(page, []) if path in docs and path not in known]
    faults += [f"{page.relative_to(root)}: no page leads to it" for page in docs if page not in known]
    print(*faults, sep="\n")
    print(f"{len(pages)} pages, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
