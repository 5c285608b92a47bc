#!/usr/bin/env python3
"""readers_test.py TOOL [LIBRARY PROGRAMS_DIR] - the two readers of traces say the same of every trace.

TOOL is trace_records_tool, over trace/trace_reader; the other is tests/runtime/vtr.py, written from
vprofiler-trace(5). They read the golden folders' files, what the runtime's test programs record,
and damaged copies of both: the same records, logs and maps, and the same offsets of damage, or both
refuse. Seeded: the copies are the same ones each time.
"""
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "runtime")]
import make_vtr
import vtr

COPIES = 12  # damaged ones of each small file
SMALL = 200000
MOST_DAMAGE = 21  # after which trace_reader says no more
vtr.text = lambda raw: raw.split(b"\0", 1)[0].decode("latin-1")


def python_reads(path):
    """What vtr.py has to say, as the objects that the tool prints."""
    try:
        return python_says(vtr.read(path, lenient=True))
    except vtr.Damaged:
        return [{"refused": True}]


def python_says(trace):
    said = [trace.header]
    said += [{"kind": "maps", "text": text} for text in trace.maps[-1:]]
    said += [{"kind": "kernel", "text": trace.kernel}] if trace.kernel else []
    said += [{"kind": "points", "text": trace.points}] if trace.points else []
    said += [{"kind": "targets", "text": trace.targets}] if trace.targets else []
    said += [{"kind": "stack", **stack} for stack in trace.stacks]
    said += [{"kind": "unwinding", **trace.unwinding}] if trace.unwinding else []
    said += [{"kind": "unwound", **each} for each in trace.unwound]
    for log in trace.logs:
        said += [{"thread": log.thread, **record} for record in log.records]
        said.append({"log": log.thread, "tid": log.tid, "record_bytes": log.record_bytes})
    return said + [{"damage": offset} for offset, _ in trace.damage[:MOST_DAMAGE]]


def tool_reads(tool, paths):
    """For each path, the objects that it prints."""
    said = []
    for line in subprocess.run([tool, *paths], check=True, text=True,
                               stdout=subprocess.PIPE).stdout.splitlines():
        line = json.loads(line)
        if "file" in line:
            said.append([])
        else:
            said[-1].append(line)
    return said


def difference(one, other):
    for i in range(max(len(one), len(other))):
        a, b = (said[i] if i < len(said) else "nothing" for said in (one, other))
        if a != b:
            return f"line {i}: vtr.py says {a}, trace_reader {b}"
    return None


def golden_files():
    for path in sorted([*HERE.glob("*/events.json"), *HERE.glob("fail/*/events.json"),
                        HERE / "mutation.json", HERE / "points_mutation.json"]):
        for file in json.loads(path.read_text())["files"]:
            yield f"{path.parent.name}/{file.get('name', '100.vtr')}", make_vtr.make(file)


RECORDED = (("calls", "500"), ("workers",), ("waits",), ("forks",), ("short_threads", "60"),
            ("happened", "FILE", "kill", "2", "400"), ("user_locks",), ("points",))
NEWEST = {"VPROF_TRACE_KEEP": "newest", "VPROF_TRACE_CAP_BYTES": str(1 << 20)}


def record(library, program, arguments, folder, more):
    """Its traces; one that has counts runs for ever and is killed."""
    counts = folder / "counts"
    counts.write_bytes(bytes(4096))
    environment = {k: v for k, v in os.environ.items() if not k.startswith("VPROF_")}
    environment.update(LD_PRELOAD=library, VPROF_TRACE_DIR=str(folder), **more)
    process = subprocess.Popen([program, *(counts if a == "FILE" else a for a in arguments)],
                               env=environment, stdout=subprocess.DEVNULL)
    if "FILE" in arguments:
        time.sleep(0.05)
        process.kill()
    process.wait()
    paths = sorted(folder.glob("*.vtr"))
    assert paths, f"{program} left no trace"
    return paths


def recorded_files(library, programs, top):
    runs = [(*run, {}) for run in RECORDED] + [("calls", "300000", NEWEST)]
    for i, (name, *arguments, more) in enumerate(runs):
        folder = top / f"recorded-{i}"
        folder.mkdir()
        for path in record(library, programs / name, arguments, folder, more):
            yield f"{name}/{path.name}", path.read_bytes()


def damaged(data):
    """A copy that was cut, or in which bytes, words or pages are others."""
    copy = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        pages = max(1, len(copy) // 4096)
        page = random.choice((0, 1, 1, 1)) * random.randrange(pages) * 4096
        way = random.randrange(6)
        if way == 0:
            del copy[random.randrange(len(copy) + 1) // random.choice((1, 8)):]
        elif way == 1:
            copy[page:page + 4096] = bytes(len(copy[page:page + 4096]))
        elif way == 2:
            other = random.randrange(max(1, len(copy) // 4096)) * 4096
            copy[page:page + 4096] = copy[other:other + 4096]
        else:
            at = page + random.randrange(random.choice((32, 512)))
            fresh = random.choice((b"\0" * 8, b"\xff" * 4, b"\1", random.randbytes(4)))
            copy[at:at + len(fresh)] = fresh
    return bytes(copy)


class Comparison:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.names, self.faults = tool, folder, [], []
        self.seen = collections.Counter()

    def add(self, name, data):
        (self.folder / f"{len(self.names)}.vtr").write_bytes(data)
        self.names.append(name)

    def run(self):
        paths = [str(self.folder / f"{i}.vtr") for i in range(len(self.names))]
        for i, (path, said) in enumerate(zip(paths, tool_reads(self.tool, paths))):
            fault = difference(python_reads(path), said)
            if fault:
                self.faults.append(f"{self.names[i]}: {fault}")
                shutil.copy(path, tempfile.gettempdir() + "/readers_test-differs.vtr")
            last = said[-1] if said else {}
            self.seen["refused" if "refused" in last else
                      "damaged" if "damage" in last else "whole"] += 1
            self.seen["records"] += sum("thread" in line for line in said)


def main():
    tool, *rest = sys.argv[1:]
    random.seed(20240229)
    with tempfile.TemporaryDirectory() as top:
        top = pathlib.Path(top)
        comparison = Comparison(tool, top)
        originals = list(golden_files())
        if rest:
            library, programs = rest
            originals += recorded_files(os.path.abspath(library), pathlib.Path(programs), top)
        for name, data in originals:
            comparison.add(name, data)
            for i in range(COPIES if 0 < len(data) < SMALL else 0):
                comparison.add(f"{name} damaged {i}", damaged(data))
        comparison.run()
    seen = comparison.seen
    print(f"{len(comparison.names)} traces of {len(originals)} originals: {seen['whole']} whole, "
          f"{seen['damaged']} damaged, {seen['refused']} refused; {seen['records']} records; "
          f"{len(comparison.faults)} differences")
    print("\n".join(comparison.faults[:10]))
    sys.exit(bool(comparison.faults) or not all(seen.values()) or len(seen) != 4)


if __name__ == "__main__":
    main()
