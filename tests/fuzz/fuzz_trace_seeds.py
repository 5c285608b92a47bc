#!/usr/bin/env python3
"""fuzz_trace_seeds.py OUT SOURCE... - inputs of the trace reader's fuzzer, from known traces.

A SOURCE is an events.json (tests/trace/make_vtr.py), or a folder of recorded .vtr files; each makes
one input, in the form that fuzz_trace.h tells.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "trace"))
import make_vtr

PAGE = 4096


def packed(data):
    """Zeros that lead to a page's end become one word."""
    pages = [data[at:at + PAGE] for at in range(0, len(data), PAGE)]
    return b"".join(p.rstrip(b"\0") + b"|page|" if len(p) == PAGE and p.endswith(bytes(8)) else p
                    for p in pages)


def files(source):
    if source.is_dir():
        return [path.read_bytes() for path in sorted(source.glob("*.vtr"))]
    return [make_vtr.make(file) for file in json.loads(source.read_text())["files"]]


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for source in map(pathlib.Path, sys.argv[2:]):
        name = source.name if source.is_dir() else source.parent.name
        (out / name).write_bytes(b"|file|".join(packed(data) for data in files(source)))


if __name__ == "__main__":
    main()
