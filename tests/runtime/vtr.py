#!/usr/bin/env python3
"""vtr.py FILE... - print each record of .vtr trace files as one JSON object on a line.

An independent reader of vprofiler-trace(5): written from the manual page, sharing no code with the
other readers, standard library only. As a module:

    trace = vtr.read(path)
    trace.header["pid"], trace.maps, trace.logs            logs: list of Log, by thread number
    for record in trace.logs[0].records: record["kind"]    "function", "mark", "block", ...

A damaged file raises Damaged, whose text has the byte offset. With lenient=True, what can be read of
it is, by the rules of DAMAGE in the manual page, and trace.damage lists (offset, what) in the order in
which they are met; only a file of which nothing can be read raises.
"""
import dataclasses
import json
import struct
import sys

PAGE = 4096
HEADER = struct.Struct("<8sIIQIIIIQQQQQQQII64s256sQQQQQIIIIQQQQQQQQQQII")
HEADER_NAMES = ("magic version header_size features pid parent_pid clock end clock_base "
                "start_ticks start_ns latest_ticks latest_ns start_realtime_ns lost_records "
                "hook_tables threads host program overwritten_records overwritten_ticks "
                "window_from_ns window_until_ns switched_ns switched_generation probe_calls "
                "probe_ticks write_out_ticks run_start_ticks run_start_ns run_latest_ticks run_latest_ns "
                "sealed_bytes checksum given_back giving_offset giving_records filled_bytes run_files "
                "watched").split()
CHUNK = struct.Struct("<IIQIII4xQ16s8x")
CHUNK_MAGIC = 0x6B6E6863
CHUNK_SPARE, CHUNK_LOG, CHUNK_WINDOW, CHUNK_MAPS, CHUNK_KERNEL, CHUNK_FILES, CHUNK_GENERATED, CHUNK_STACKS, CHUNK_POINTS, CHUNK_UNWOUND, CHUNK_TARGETS = \
    8, 16, 17, 32, 33, 34, 35, 48, 49, 50, 51
FEATURE_RECORDER = 1
STACK = struct.Struct("<IIHHI")
UNWINDING = struct.Struct("<QQQQ")
UNWOUND = struct.Struct("<I4xQQ8Q")
CLOCKS = {1: "tsc", 2: "cntvct", 3: "monotonic"}
MARKS = {1: "begin", 2: "end", 3: "enter", 4: "type", 5: "value", 6: "progress",
         7: "false_wakeup", 10: "acquire"}
# kind: a field of numbers that have names
NAMED = {"mark": {"what": MARKS}, "thread": {"what": {1: "create", 2: "started", 3: "exit"}},
         "task": {"what": {1: "enqueue", 2: "dequeue"}},
         "switch": {"state": {0: "runnable", 1: "sleeps", 2: "uninterruptible", 3: "stopped", 4: "ended"}},
         "waking": {"context": {0: "thread", 1: "soft", 2: "hard"},
                    "interrupt": {0: "unknown", 1: "timer", 2: "network", 3: "disk", 4: "other"}},
         "request": {"what": {0: "issued", 1: "done"}, "way": {0: "read", 1: "write", 2: "other"}},
         "who": {"what": {0: "seen", 1: "created", 2: "ended", 3: "device"}}}
OPERATIONS = {1: "mutex", 2: "cond", 3: "rwlock_read", 4: "rwlock_write", 5: "semaphore",
              6: "barrier", 7: "join", 8: "user", 9: "spin", 10: "channel", 11: "channel_room",
              12: "semaphore_zero", 13: "futex", 15: "team"}
NO_WAIT = 4  # ending of a block
AGAIN = 3  # mode of a release
# kind: name, layout of what follows the head, names of its fields
RECORDS = {
    0x04: ("function", "Q", "duration_probe"),
    0x09: ("function", "QQII", "duration target probe how"),
    0x0D: ("function", "QQII", "duration target probe how"),
    0x12: ("function", "QQQII8x", "duration target began probe how"),
    0x21: ("mark", "QI4xQ", "id what delay"),
    0x24: ("spent", "Q", "spent"),
    0x28: ("apart", "Q", "spent"),
    0x27: ("mark", "QqI36s", "id value what name"),
    0x41: ("block", "QQIBBH", "end object site operation ending amount"),
    0x45: ("release", "QIIHHI", "object site operation mode callers amount"),
    0x4B: ("callers", "HHI6Q", "number more spare a0 a1 a2 a3 a4 a5"),
    0x61: ("task", "QQII", "queue task site what"),
    0x65: ("thread", "QQII", "token pthread what site"),
    0x81: ("sample", "IIQI4x", "pid tid amount stack"),
    0xA1: ("switch", "IIB3xI8x", "from to state stack"),
    0xA5: ("waking", "IIBBBxI8x", "tid waker context interrupt born stack"),
    0xA9: ("request", "IIQBB2xI", "device bytes sector what way tid"),
    0xAC: ("missed", "Q", "records"),
    0xB8: ("pause", "Q", "what"),
    0xBE: ("hit", "IIIIQQ8x", "pid tid point unknown value second"),
    0xC0: ("points_lost", "Q", "hits"),
    0xC4: ("point_closed", "I4x", "point"),
    0xD3: ("experiment", "IHHIIQQQQQ", "epoch stage target share block granted target_time calls paid late"),
    0xBA: ("wait_stack", "IIIIIIQ8x", "pid tid woken stack one_in holder argument"),
    0xB0: ("fault", "II", "pid tid"),
    0xB2: ("who", "IIII16sI4x", "pid tid maker what name whose"),
    0xBB: ("title", "I4x48s", "pid title"),
    0xB6: ("totals", "IIQQ16x", "pid tid ran runnable"),
}
LAYOUTS = {kind: struct.Struct("<" + layout) for kind, (_, layout, _) in RECORDS.items()}


class Damaged(Exception):
    pass


@dataclasses.dataclass
class Log:
    thread: int
    tid: int
    chunks: list = dataclasses.field(default_factory=list)  # (sequence, records)
    record_bytes: int = 0
    start: int = 0  # address of its function
    name: str = ""

    @property
    def records(self):
        return [r for _, records in sorted(self.chunks, key=lambda c: c[0]) for r in records]


@dataclasses.dataclass
class Trace:
    header: dict
    maps: list  # texts of /proc/self/maps, oldest first
    logs: list
    stacks: list = dataclasses.field(default_factory=list)  # {number, pid, kernel, cut, addresses}
    unwinding: dict = dataclasses.field(default_factory=dict)  # {stacks, lost, own_ns, without}, of the latest UNWOUND
    unwound: list = dataclasses.field(default_factory=list)  # {path, by_rows, by_pointers, ended}, of the same
    kernel: str = ""  # lines of the kernel's addresses and their functions
    files: str = ""  # lines of files that stacks lie in
    generated: dict = dataclasses.field(default_factory=dict)  # pid -> lines of addresses and names of code made as it ran
    points: str = ""  # lines that say what points are; parsed by read_points()
    targets: str = ""  # lines that say what experiments are of
    damage: list = dataclasses.field(default_factory=list)  # (offset, what)

    def records(self, kind=None):
        return [r for log in self.logs for r in log.records if kind in (None, r["kind"])]


def text(raw):
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")


def refuse(wrong, offset, what):
    if wrong:
        raise Damaged(f"byte {offset}: {what}")


def decode_header(data):
    refuse(data[:8] != b"vproftr\n", 0, "not a vprofiler trace")
    refuse(len(data) < PAGE, 0, "the header was cut")
    header = dict(zip(HEADER_NAMES, HEADER.unpack_from(data)))
    first = header["header_size"]
    refuse(header["version"] != 1 or header["features"] & ~FEATURE_RECORDER, 8, "written by a later version")
    refuse(first < PAGE or first % PAGE or first > len(data), 12, "no header size")
    refuse(header["clock"] not in CLOCKS, 32, "no clock")
    header.update(magic="vproftr", clock=CLOCKS[header["clock"]], host=text(header["host"]),
                  program=text(header["program"]),
                  end="exited" if header["end"] == 1 else "running")
    given, giving = header.pop("given_back"), header.pop("giving_records")
    overwritten = given + (giving if header["giving_offset"] else 0)
    header["overwritten_records"] = overwritten or header["overwritten_records"]
    return header


def decode_record(data, at, kind, ticks):
    name, _, fields = RECORDS[kind]
    record = {"kind": name, "ticks": ticks}
    record.update(zip(fields.split(), LAYOUTS[kind].unpack_from(data, at + 8)))
    if "duration_probe" in record:
        both = record.pop("duration_probe")
        record.update(duration=both >> 24, probe=both & 0xFFFFFF, target=0, how=0)
    for field, names in NAMED.get(name, {}).items():
        record[field] = names.get(record[field], record[field])
    if name == "callers":
        addresses = [record.pop(f"a{i}") for i in range(6)]
        record.update(addresses=[a for a in addresses if a])
    if "operation" in record:
        record["operation"] = OPERATIONS.get(record["operation"], record["operation"])
    for field in ("name", "title"):
        if field in record:
            record[field] = text(record[field])
    return record


def chunk_begins(data, at):
    """A chunk, whatever its size says."""
    if at + CHUNK.size > len(data):
        return False
    magic, kind = struct.unpack_from("<II", data, at)
    return magic == CHUNK_MAGIC and kind != 0


def chunk_is_sane(data, at):
    if not chunk_begins(data, at):
        return False
    size = CHUNK.unpack_from(data, at)[2]
    return size != 0 and size % PAGE == 0


def page_is_unused(data, at):
    return not any(data[at:at + 4]) and not any(data[at + 64:at + 72])


class Reader:
    def __init__(self, data, lenient):
        self.data, self.lenient = data, lenient
        self.trace = Trace(decode_header(data), [], [])
        self.giving_offset = self.trace.header.pop("giving_offset")

    def damage(self, offset, what):
        refuse(not self.lenient, offset, what)
        self.trace.damage.append((offset, what))

    def next_chunk(self, at):
        while at < len(self.data) and not chunk_is_sane(self.data, at):
            at += PAGE
        return min(at, len(self.data))

    def chunks(self):
        """(offset, end) of each; what lies between is looked at."""
        at = self.trace.header["header_size"]
        while at < len(self.data):
            begin = self.next_chunk(at)
            if not all(page_is_unused(self.data, page) for page in range(at, begin, PAGE)):
                self.damage(at, "not a chunk")
            if begin == len(self.data):
                return
            _, kind, size, *_ = CHUNK.unpack_from(self.data, begin)
            at = begin + size
            if at > len(self.data):
                at = self.next_chunk(begin + PAGE)
                if kind == CHUNK_SPARE and at == len(self.data):
                    return  # its process was killed while it was added
                self.damage(begin, "a chunk leaves the file")
            yield begin, at

    def in_sequence(self, chunks):
        """The chunks of one thread that follow each other: (sequence, kind, tid, offset, end)."""
        last = None
        for chunk in sorted(chunks, key=lambda c: (c[0], c[1], c[3])):
            sequence, kind, _, at, _ = chunk
            if sequence == last:
                if kind == CHUNK_LOG:
                    self.damage(at, "a chunk is there twice")
                continue
            first = last is None
            if sequence != (0 if first else last + 1) and \
                    not (first and self.trace.header["overwritten_records"]):
                self.damage(at, "chunks are missing")
            last = sequence
            yield chunk

    def rest(self, at, end):
        """Behind the last record of a chunk."""
        if any(self.data[at + 64:min(at + 64 + 128, end)]):
            self.damage(at, "a log was cut")
            return
        for page in range((at + PAGE - 1) // PAGE * PAGE, end - CHUNK.size + 1, PAGE):
            if chunk_begins(self.data, page):
                self.damage(page, "a chunk in another")
                return

    def records(self, log, at, end):
        while at + 8 <= end:
            (head,) = struct.unpack_from("<Q", self.data, at)
            if head == 0:
                break
            kind = head & 0xFF
            size = ((kind & 3) + 1) * 16
            if at + size > end:
                self.damage(at, "a record leaves its chunk")
                return
            if kind in RECORDS:
                yield decode_record(self.data, at, kind, head >> 8)
            log.record_bytes += size
            at += size
        self.rest(at, end)

    def stacks(self, at, end):
        while at + STACK.size <= end:
            number, pid, size, kernel, cut = STACK.unpack_from(self.data, at)
            if not size:
                return
            if at + STACK.size + 8 * size > end or kernel > size:
                self.damage(at, "a stack leaves its chunk")
                return
            addresses = struct.unpack_from(f"<{size}Q", self.data, at + STACK.size)
            self.trace.stacks.append({"number": number, "pid": pid, "kernel": kernel, "cut": cut,
                                      "addresses": list(addresses)})
            at += STACK.size + 8 * size

    def unwound(self, at, end):
        if at + UNWINDING.size > end:
            return
        self.trace.unwinding = dict(zip(("stacks", "lost", "own_ns", "without"), UNWINDING.unpack_from(self.data, at)))
        self.trace.unwound = []
        at += UNWINDING.size
        while at + UNWOUND.size <= end:
            size, by_rows, by_pointers, *ended = UNWOUND.unpack_from(self.data, at)
            if not size:
                return
            path = self.data[at + UNWOUND.size:at + size]
            if size % 8 or at + size > end or b"\0" not in path:
                self.damage(at, "an object of stacks leaves its chunk")
                return
            self.trace.unwound.append({"path": text(path), "by_rows": by_rows, "by_pointers": by_pointers,
                                       "ended": ended})
            at += size

    def read(self):
        threads = {}
        for at, end in self.chunks():
            _, kind, _, tid, thread, sequence, *_ = CHUNK.unpack_from(self.data, at)
            if at == self.giving_offset:
                continue
            if kind in (CHUNK_LOG, CHUNK_WINDOW):
                threads.setdefault(thread, []).append((sequence, kind, tid, at, end))
            elif kind == CHUNK_MAPS:
                self.trace.maps.append(text(self.data[at + CHUNK.size:end]))
            elif kind == CHUNK_KERNEL:
                self.trace.kernel = text(self.data[at + CHUNK.size:end])
            elif kind == CHUNK_FILES:
                self.trace.files = text(self.data[at + CHUNK.size:end])
            elif kind == CHUNK_GENERATED:
                self.trace.generated[tid] = text(self.data[at + CHUNK.size:end])
            elif kind == CHUNK_POINTS:
                self.trace.points = text(self.data[at + CHUNK.size:end])
            elif kind == CHUNK_TARGETS:
                self.trace.targets = text(self.data[at + CHUNK.size:end])
            elif kind == CHUNK_STACKS:
                self.stacks(at + CHUNK.size, end)
            elif kind == CHUNK_UNWOUND:
                self.unwound(at + CHUNK.size, end)
        kept = {n: list(self.in_sequence(threads[n])) for n in sorted(threads)}
        for thread, chunks in kept.items():
            log = Log(thread, chunks[0][2])
            for sequence, _, _, at, end in chunks:
                log.start, name = CHUNK.unpack_from(self.data, at)[6:]
                log.name = text(name)
                log.chunks.append((sequence, list(self.records(log, at + CHUNK.size, end))))
            self.trace.logs.append(log)
        return self.trace


def mix(value):
    value = (value + 0x9E3779B97F4A7C15) % 2**64
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    value = (value ^ value >> 27) * 0x94D049BB133111EB % 2**64
    return value ^ value >> 31


def shared_object(major, minor, inode, offset):
    """The number of what lies at an offset of a file that is mapped shared."""
    file = mix(mix(major << 32 ^ minor) ^ inode) | 1
    return mix(file ^ offset) | 1 << 63


def read(path, lenient=False):
    with open(path, "rb") as f:
        return Reader(f.read(), lenient).read()


ROLES = {1: "enter", 2: "leave", 3: "begin", 4: "end", 5: "read", 6: "writes", 7: "wrote", 8: "accept",
         9: "connect", 10: "close", 11: "poll"}


def read_points(trace):
    """number -> {wish, role, joined, name}"""
    points = {}
    for line in trace.points.splitlines():
        number, wish, role, joined, name = line.split(" ", 4)
        points[int(number)] = {"wish": int(wish), "role": ROLES.get(int(role), int(role)),
                               "joined": "value" if int(joined) else "thread", "name": name}
    return points


def read_header(path):
    with open(path, "rb") as f:
        return decode_header(f.read(PAGE))


def main():
    for path in sys.argv[1:]:
        trace = read(path)
        print(json.dumps(trace.header))
        for log in trace.logs:
            for record in log.records:
                print(json.dumps({"thread": log.thread, **record}))


if __name__ == "__main__":
    main()
