"""What CI reads, read as it does: GitHub's workflow commands and Markdown summary, JUnit's XML.

    commands(text)            [(command, {property: value}, message)]; what GitHub's runner would not take is an error
    table(markdown)           the rows of the tables: lists of cells as they are shown
    junit(text)               the one suite: its element; its numbers are checked, and the schema where xmllint is there
"""
import html
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree

SCHEMA = pathlib.Path(__file__).with_name("junit.xsd")
KEYS = {"title", "file", "line", "endLine", "col", "endColumn"}


def unescape(text, more):
    """As the runner does (ActionCommand.cs): %25 last, so that nothing is done twice."""
    escapes = {"%0D": "\r", "%0A": "\n", **more}
    for escaped, plain in escapes.items():
        text = text.replace(escaped, plain)
    return text.replace("%25", "%")


def command(line):
    match = re.fullmatch(r"::(\w+)(?: ([^:]*(?::(?!:)[^:]*)*?))?::(.*)", line)
    assert match, f"no command: {line!r}"
    name, properties, message = match.groups()
    pairs = {}
    for pair in (properties or "").split(","):
        key, _, value = pair.partition("=")
        assert key in KEYS, f"{key!r} is no property, in {line!r}"
        pairs[key] = unescape(value, {"%3A": ":", "%2C": ","})
    assert name in ("error", "warning", "notice"), line
    return name, pairs, unescape(message, {})


def commands(text):
    assert text.endswith("\n") and "\r" not in text
    for line in text.splitlines():
        assert not re.search("[\x00-\x1f\x7f]", line), repr(line)
    return [command(line) for line in text.splitlines()]


def shown(cell):
    """What is seen of a cell: GitHub's Markdown takes marks first, then entities."""
    cell = re.sub(r"</?(?:code|sub)>|\*\*", "", cell)
    assert not re.search(r"[<>`*_\[\]|\\~@$#]|://", re.sub(r"&#\d+;", "", cell)), f"marks in {cell!r}"
    return html.unescape(cell)


def table(markdown):
    rows = []
    for line in markdown.splitlines():
        if line.startswith("|") and not re.fullmatch(r"[|:\- ]+", line):
            rows.append([shown(cell.strip()) for cell in line.strip("|").split("|")])
    return rows


def junit(text):
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", text)
    if shutil.which("xmllint"):
        done = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", SCHEMA, "-"], input=text, text=True,
                              capture_output=True)
        assert done.returncode == 0, done.stderr
    root = xml.etree.ElementTree.fromstring(text.encode())
    suite, = root
    tests = suite.findall("testcase")
    for key, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        found = sum(test.find(kind) is not None for test in tests)
        assert int(suite.get(key)) == found, f"{key}: {suite.get(key)}, and there are {found}"
    assert int(suite.get("tests")) == len(tests)
    assert len({(test.get("classname"), test.get("name")) for test in tests}) == len(tests)
    return suite


def results(suite):
    """{name of the test: passed, failure, error or skipped}"""
    return {test.get("name"): next((child.tag for child in test), "passed") for test in suite.findall("testcase")}
