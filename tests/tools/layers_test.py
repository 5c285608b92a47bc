#!/usr/bin/env python3
"""tools/check_layers.py finds what it is there for, in a small tree of its own."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"
SOUND = {"tools/layers.txt": "base:\ntrace: base\n",
         "base/list.h": "", "base/list.c": '#include "base/list.h"\n',
         "trace/reader.h": '#include "base/list.h"\n', "trace/reader.c": '#include "trace/reader.h"\n',
         "trace/trace.h": '#include "trace/reader.h"\n'}


def offences(**changes):
    """Of the sound tree with some files replaced: FOLDER__NAME_SUFFIX="text"."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**SOUND, **changes}.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        got = subprocess.run([sys.executable, CHECK, folder], text=True, capture_output=True)
    assert got.returncode == (1 if got.stdout else 0), got
    return got.stdout.splitlines()


def expect(what, found, *parts):
    assert len(found) == (1 if parts else 0), (what, found)
    assert all(part in found[0] for part in parts), (what, found)


expect("all is well", offences())
expect("an arrow upward", offences(**{"base/list.c": '#include "trace/log.h"\n', "trace/log.h": ""}),
       "base/list.c includes trace/log.h")
expect("a circle of two headers", offences(**{"trace/reader.h": '#include "trace/log.h"\n',
                                              "trace/log.h": '#include "trace/reader.h"\n'}),
       "circle", "trace/log", "trace/reader")
expect("a circle that no header has", offences(**{"trace/reader.c": '#include "trace/log.h"\n',
                                                  "trace/log.c": '#include "trace/reader.h"\n', "trace/log.h": ""}),
       "circle", "trace/log", "trace/reader")
expect("a roof from below", offences(**{"trace/log.c": '#include "trace/trace.h"\n'}),
       "trace/log.c includes trace/trace.h", "roof")
expect("a long header", offences(**{"trace/reader.h": "\n" * 181}), "trace/reader.h", "181")
expect("a long unit", offences(**{"trace/reader.c": "\n" * 701}), "trace/reader", "70")
