"""The fenced blocks of a Markdown file."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(name, language):
    text = (ROOT / name).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
