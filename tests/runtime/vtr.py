#!/usr/bin/env python3
"""vtr.py FILE... - print each record of .vtr trace files as one JSON object on a line.

An independent reader of vprofiler-trace(5): written from the manual page, sharing no code with the
other readers, standard library only. As a module:

    trace = vtr.read(path)
    trace.header["pid"], trace.maps, trace.logs            logs: list of Log, by thread number
    for record in trace.logs[0].records: record["kind"]    "function", "mark", "block", ...

A damaged file raises Damaged, whose text has the byte offset.
"""
import dataclasses
import json
import struct
import sys

PAGE = 4096
HEADER = struct.Struct("<8sIIQIIIIQQQQQQQII64s256sQQ")
HEADER_NAMES = ("magic version header_size features pid parent_pid clock end clock_base "
                "start_ticks start_ns latest_ticks latest_ns start_realtime_ns lost_records "
                "hook_tables threads host program overwritten_records overwritten_ticks").split()
CHUNK = struct.Struct("<IIQIII36x")
CHUNK_MAGIC = 0x6B6E6863
CHUNK_LOG, CHUNK_MAPS = 16, 32
CLOCKS = {1: "tsc", 2: "cntvct", 3: "monotonic"}
MARKS = {1: "begin", 2: "end", 3: "enter", 4: "type", 5: "value", 6: "progress",
         7: "false_wakeup", 10: "acquire"}
OPERATIONS = {1: "mutex", 2: "cond", 3: "rwlock_read", 4: "rwlock_write", 5: "semaphore",
              6: "barrier", 7: "join", 8: "user", 9: "spin"}
# kind: name, layout of what follows the head, names of its fields
RECORDS = {
    0x04: ("function", "Q", "duration_probe"),
    0x09: ("function", "QQI4x", "duration target probe"),
    0x0D: ("function", "QQI4x", "duration target probe"),
    0x21: ("mark", "QI12x", "id what"),
    0x27: ("mark", "QqI36s", "id value what name"),
    0x41: ("block", "QQII", "end object site operation"),
    0x45: ("release", "QIII4x", "object site operation mode"),
    0x61: ("task", "QQII", "queue task site what"),
    0x65: ("thread", "QQII", "token pthread what site"),
}
LAYOUTS = {kind: struct.Struct("<" + layout) for kind, (_, layout, _) in RECORDS.items()}


class Damaged(Exception):
    pass


@dataclasses.dataclass
class Log:
    thread: int
    tid: int
    chunks: list = dataclasses.field(default_factory=list)  # (sequence, records)

    @property
    def records(self):
        return [r for _, records in sorted(self.chunks, key=lambda c: c[0]) for r in records]


@dataclasses.dataclass
class Trace:
    header: dict
    maps: list  # texts of /proc/self/maps, oldest first
    logs: list

    def records(self, kind=None):
        return [r for log in self.logs for r in log.records if kind in (None, r["kind"])]


def text(raw):
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")


def decode_header(data):
    if len(data) < HEADER.size or data[:8] != b"vproftr\n":
        raise Damaged("byte 0: not a vprofiler trace")
    header = dict(zip(HEADER_NAMES, HEADER.unpack_from(data)))
    if header["version"] != 1 or header["features"] != 0:
        raise Damaged("byte 8: written by a later version")
    header.update(magic="vproftr", clock=CLOCKS[header["clock"]], host=text(header["host"]),
                  program=text(header["program"]), end=["running", "exited"][header["end"]])
    return header


def decode_record(data, at, kind, ticks):
    name, _, fields = RECORDS[kind]
    record = {"kind": name, "ticks": ticks}
    record.update(zip(fields.split(), LAYOUTS[kind].unpack_from(data, at + 8)))
    if "duration_probe" in record:
        both = record.pop("duration_probe")
        record.update(duration=both >> 24, probe=both & 0xFFFFFF, target=0)
    if name == "mark":
        record["what"] = MARKS.get(record["what"], record["what"])
    elif name == "thread":
        record["what"] = ["?", "create", "started", "exit"][record["what"]]
    elif name == "task":
        record["what"] = ["?", "enqueue", "dequeue"][record["what"]]
    if "operation" in record:
        record["operation"] = OPERATIONS[record["operation"]]
    if "name" in record:
        record["name"] = text(record["name"])
    return record


def decode_records(data, at, end):
    while at + 16 <= end:
        (head,) = struct.unpack_from("<Q", data, at)
        if head == 0:
            return
        kind = head & 0xFF
        size = ((kind & 3) + 1) * 16
        if at + size > end:
            raise Damaged(f"byte {at}: a record leaves its chunk")
        if kind in RECORDS:
            yield decode_record(data, at, kind, head >> 8)
        at += size


def decode_chunk(data, at, trace, logs):
    """Returns where the next chunk may begin."""
    magic, kind, size, tid, thread, sequence = CHUNK.unpack_from(data, at)
    if magic == 0:  # reserved, but its writer was killed before it could begin
        return at + PAGE
    if magic != CHUNK_MAGIC or size == 0 or size % PAGE or at + size > len(data):
        raise Damaged(f"byte {at}: not a chunk")
    if kind == CHUNK_LOG:
        log = logs.setdefault(thread, Log(thread, tid))
        records = list(decode_records(data, at + CHUNK.size, at + size))
        log.chunks.append((sequence, records))
    elif kind == CHUNK_MAPS:
        trace.maps.append(text(data[at + CHUNK.size:at + size]))
    return at + size


def read(path):
    with open(path, "rb") as f:
        data = f.read()
    trace, logs = Trace(decode_header(data), [], []), {}
    at = trace.header["header_size"]
    while at + CHUNK.size <= len(data):
        at = decode_chunk(data, at, trace, logs)
    trace.logs = [logs[n] for n in sorted(logs)]
    return trace


def main():
    for path in sys.argv[1:]:
        trace = read(path)
        print(json.dumps(trace.header))
        for log in trace.logs:
            for record in log.records:
                print(json.dumps({"thread": log.thread, **record}))


if __name__ == "__main__":
    main()
