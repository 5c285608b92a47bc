#!/usr/bin/env python3
"""Write synthetic .vtr files: make_vtr.py events.json directory

events.json: {"files": [{"name", "pid", "parent", "program", "clock", "base", "calibration", "end",
"lost", "window", "watched", "threads_opened", "maps", "reverse", "chunks", "truncate", "damage",
"threads"}]}.
Only "threads" is needed: [{"tid", "records": [[kind, ticks, ...], ...]}]; see RECORDS below for each
kind's arguments. ["chunk"] among the records begins the next chunk of the thread, and ["chunk", 7]
gives it the sequence 7, ["chunk", 7, 17] and the kind 17; ["fill", ticks, probe] is calls of one tick each, to the end of the chunk.
"chunks" lists kinds of chunks that no reader knows, 8192 bytes each. "damage" lists
[offset, "hex bytes"], written over the file at the end; "truncate" cuts it to so many bytes.

Packed from trace/trace_format.h by hand, on purpose: the reader's structs are not used here.
"""
import json
import os
import struct
import sys

PAGE = 4096
CLOCKS = {"tsc": 1, "cntvct": 2, "monotonic": 3}
OPERATIONS = {"mutex": 1, "cond": 2, "rwlock_read": 3, "rwlock_write": 4, "semaphore": 5,
              "barrier": 6, "join": 7, "user": 8, "spin": 9, "channel": 10, "channel_room": 11,
              "semaphore_zero": 12, "futex": 13, "team": 15}
ENDINGS = ("took", "gave_up", "left_some", "closed", "no_wait")
MODES = ("one", "broadcast", "close", "again")
STATES = ("runnable", "sleeps", "uninterruptible", "stopped", "ended")
CONTEXTS = ("thread", "soft", "hard")
INTERRUPTS = ("unknown", "timer", "network", "disk", "other")
REQUESTS = ("issued", "done")
PAUSES = ("begins", "ends")
STAGES = ("begins", "counts", "drains", "ends", "broken")
WAYS = ("read", "write", "other")
WHO = ("seen", "created", "ended", "device")
NONE = (1 << 64) - 1
LOG = 16
WATCHED = 564  # where the header has it


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def member(names, value):
    """A number stands for itself, also where it has no name."""
    return value if isinstance(value, int) else names.index(value)


def tid(value):
    return 0xFFFFFFFF if value == "unknown" else value


def head(ticks, kind):
    return ticks << 8 | kind


def function(start, end, probe):
    return struct.pack("<QQ", head(start, 0x04), end - start << 24 | probe)


def function_long(start, end, probe):
    return struct.pack("<QQQII", head(start, 0x09), end - start, 0, probe, 0)


def call(start, end, probe, target):
    return struct.pack("<QQQII", head(start, 0x0D), end - start, number(target), probe, 0)


def part(start, end, probe, began, target=0, how=2):
    return struct.pack("<QQQQIIQ", head(start, 0x12), end - start, number(target), began, probe, how, 0)


def mark(what):
    def pack(ticks, id=0, delay=0):
        return struct.pack("<QQIIQ", head(ticks, 0x21), NONE if id == "none" else number(id), what,
                           0, delay)
    return pack


def name(what):
    def pack(ticks, id, text, value=0):
        return struct.pack("<QQqI36s", head(ticks, 0x27), number(id), value, what, text.encode())
    return pack


def block(start, end, object, operation, site=0, ending="took", amount=0):
    return struct.pack("<QQQIBBH", head(start, 0x41), end, number(object), site,
                       OPERATIONS[operation], ENDINGS.index(ending), amount)


def release(ticks, object, operation, mode="one", site=0, amount=0, callers=0):
    return struct.pack("<QQIIHHI", head(ticks, 0x45), number(object), site, OPERATIONS[operation],
                       MODES.index(mode), callers, amount)


def callers(ticks, its_number, addresses, more=0):
    addresses = [number(a) for a in addresses] + [0] * (6 - len(addresses))
    return struct.pack("<QHHI6Q", head(ticks, 0x4B), its_number, more, 0, *addresses)


def task(what):
    def pack(ticks, task, site=0, queue=0):
        return struct.pack("<QQQII", head(ticks, 0x61), queue, number(task), site, what)
    return pack


def thread(what):
    def pack(ticks, token, pthread=0, site=0):
        return struct.pack("<QQQII", head(ticks, 0x65), token, number(pthread), what, site)
    return pack


def sample(ticks, pid, tid, stack=0, amount=0):
    return struct.pack("<QIIQI4x", head(ticks, 0x81), pid, tid, amount, stack)


def wait_stack(ticks, pid, its_tid, woken=0, stack=0, one_in=1, argument=0, holder=0):
    return struct.pack("<QIIIIIIQ8x", head(ticks, 0xBA), pid, its_tid, woken, stack, one_in, holder, number(argument))


def switch(ticks, source, target, state="runnable", stack=0):
    return struct.pack("<QIIB3xI8x", head(ticks, 0xA1), tid(source), tid(target), member(STATES, state), stack)


def waking(ticks, its_tid, waker, context="thread", interrupt="unknown", born=0, stack=0):
    return struct.pack("<QIIBBBxI8x", head(ticks, 0xA5), tid(its_tid), tid(waker), member(CONTEXTS, context),
                       member(INTERRUPTS, interrupt), born, stack)


def request(ticks, device, what="done", way="read", bytes=4096, sector=0, its_tid=0):
    return struct.pack("<QIIQBB2xI", head(ticks, 0xA9), device, bytes, sector, member(REQUESTS, what),
                       member(WAYS, way), tid(its_tid))


def experiment(ticks, epoch, stage, target, share=0, block=0, granted=0, target_ns=0, calls=0, paid=0, over=0):
    return struct.pack("<QIHHIIQQQQQ", head(ticks, 0xD3), epoch, member(STAGES, stage), target, round(share * 65536), block,
                       granted, target_ns, calls, paid, over)


def spent(ticks, ns):
    return struct.pack("<QQ", head(ticks, 0x24), ns)


def apart(ticks, ns):
    return struct.pack("<QQ", head(ticks, 0x28), ns)


def missed(ticks, records):
    return struct.pack("<QQ", head(ticks, 0xAC), records)


def pause(ticks, what="begins"):
    return struct.pack("<QQ", head(ticks, 0xB8), member(PAUSES, what))


def fault(ticks, pid, its_tid):
    return struct.pack("<QII", head(ticks, 0xB0), pid, tid(its_tid))


def who(ticks, pid, its_tid, text="", what="seen", maker=0, whose=0):
    return struct.pack("<QIIII16sI4x", head(ticks, 0xB2), pid, tid(its_tid), maker, member(WHO, what),
                       text.encode(), whose)


def title(ticks, pid, text):
    return struct.pack("<QI4x48s", head(ticks, 0xBB), pid, text.encode())


def totals(ticks, pid, its_tid, ran, runnable):
    return struct.pack("<QIIQQ16x", head(ticks, 0xB6), pid, tid(its_tid), ran, runnable)


def hit(ticks, pid, its_tid, point, value=0, second=0, unknown=0):
    return struct.pack("<QIIIIQQ8x", head(ticks, 0xBE), pid, its_tid, point, unknown, number(value), number(second))


def points_lost(ticks, hits):
    return struct.pack("<QQ", head(ticks, 0xC0), hits)


def point_closed(ticks, point):
    return struct.pack("<QI4x", head(ticks, 0xC4), point)


def raw(ticks, kind):
    return struct.pack("<Q", head(ticks, number(kind))).ljust(((number(kind) & 3) + 1) * 16, b"\xee")


RECORDS = {"function": function, "function_long": function_long, "call": call, "part": part,
           "begin": mark(1), "end": mark(2), "enter": mark(3), "progress": mark(6), "false_wakeup": mark(7),
           "type": name(4), "value": name(5), "block": block, "release": release, "callers": callers,
           "enqueue": task(1), "dequeue": task(2),
           "sample": sample, "wait_stack": wait_stack, "hit": hit, "points_lost": points_lost, "point_closed": point_closed, "switch": switch, "waking": waking, "request": request, "missed": missed, "experiment": experiment, "spent": spent, "apart": apart, "visit": name(6),
           "fault": fault, "pause": pause, "who": who, "title": title, "totals": totals, "create": thread(1), "started": thread(2), "exit": thread(3), "raw": raw}


def stack(its_number, pid, kernel, addresses, cut=0):
    addresses = [number(a) for a in addresses]
    return struct.pack(f"<IIHHI{len(addresses)}Q", its_number, pid, len(addresses), kernel, cut, *addresses)


def unwound(unwinding, objects):
    """[stacks, lost, own_ns] or [.., without] and a list of [path, by_rows, by_pointers, ended by reason ...]."""
    data = struct.pack("<QQQQ", *[*unwinding, 0][:4])
    for path, by_rows, by_pointers, *ended in objects:
        text = path.encode() + b"\0"
        text = text.ljust((len(text) + 7) // 8 * 8, b"\0")
        data += struct.pack("<I4xQQ8Q", 88 + len(text), by_rows, by_pointers, *(ended + [0] * 8)[:8]) + text
    return data


def chunk(kind, payload, tid=0, thread=0, sequence=0):
    size = (64 + len(payload) + PAGE - 1) // PAGE * PAGE
    header = struct.pack("<IIQIII36x", 0x6B6E6863, kind, size, tid, thread, sequence)
    return (header + payload).ljust(size, b"\0")


def log_chunks(number, log):
    chunks, payload, sequence, kind = [], b"", 0, LOG
    for record in log["records"]:
        if record[0] == "fill":
            for i in range((-64 - len(payload)) % PAGE // 16):
                payload += function(record[1] + i, record[1] + i + 1, record[2])
        elif record[0] != "chunk":
            payload += RECORDS[record[0]](*record[1:])
        else:
            chunks.append(chunk(kind, payload, log["tid"], number, sequence))
            payload, sequence = b"", record[1] if len(record) > 1 else sequence + 1
            kind = record[2] if len(record) > 2 else LOG
    return chunks + [chunk(kind, payload, log["tid"], number, sequence)]


def file_header(file):
    calibration = file.get("calibration", [[1000, 1000], [2000, 2000]])
    threads = file.get("threads", [])
    data = struct.pack("<8sIIQIIIIQQQQQQQII64s256s", b"vproftr\n", file.get("version", 1), PAGE,
                       file.get("features", 0), file.get("pid", 100), file.get("parent", 1),
                       CLOCKS[file.get("clock", "monotonic")], file.get("end", 1),
                       file.get("base", 1000), *calibration[0], *calibration[1], 0,
                       file.get("lost", 0), 1, file.get("threads_opened", len(threads)), b"host",
                       file.get("program", "/bin/server").encode())
    data += struct.pack("<QQQQ", *file.get("overwritten", (0, 0)), *file.get("window", (0, 0)))
    data = data.ljust(WATCHED, b"\0") + struct.pack("<I", file.get("watched", 0))
    return data.ljust(PAGE, b"\0")


def make(file):
    chunks = [chunk(kind, bytes(range(256)) * 20) for kind in file.get("chunks", [])]
    if "maps" in file:
        chunks.append(chunk(32, "\n".join(file["maps"]).encode() + b"\n\0"))
    if "maps_of" in file:  # of a recorder's file: by process
        chunks += [chunk(32, "\n".join(lines).encode() + b"\n\0", int(pid)) for pid, lines in file["maps_of"].items()]
    if "kernel" in file:
        chunks.append(chunk(33, "\n".join(file["kernel"]).encode() + b"\n\0"))
    if "files" in file:
        chunks.append(chunk(34, "\n".join(file["files"]).encode() + b"\n\0"))
    if "generated_of" in file:  # by process
        chunks += [chunk(35, "\n".join(lines).encode() + b"\n\0", int(pid)) for pid, lines in file["generated_of"].items()]
    if "points" in file:
        chunks.append(chunk(49, "\n".join(file["points"]).encode() + b"\n\0"))
    if "targets" in file:
        chunks.append(chunk(51, "\n".join(file["targets"]).encode() + b"\n\0"))
    if "stacks" in file:
        chunks.append(chunk(48, b"".join(stack(*each) for each in file["stacks"])))
    if "unwound" in file:
        chunks.append(chunk(50, unwound(*file["unwound"])))
    for i, log in enumerate(file.get("threads", [])):
        chunks += log_chunks(log.get("number", i + 1), log)
    if file.get("reverse"):
        chunks.reverse()
    data = bytearray(file_header(file) + b"".join(chunks) + bytes(file.get("zero_pages", 0) * PAGE))
    for offset, hex_bytes in file.get("damage", []):
        fresh = bytes.fromhex(hex_bytes)
        data[offset:offset + len(fresh)] = fresh
    return bytes(data[:file.get("truncate", len(data))])


def make_directory(events, directory):
    os.makedirs(directory, exist_ok=True)
    for file in events["files"]:
        path = os.path.join(directory, file.get("name", "100.vtr"))
        with open(path, "wb") as out:
            out.write(make(file))


if __name__ == "__main__":
    with open(sys.argv[1]) as source:
        make_directory(json.load(source), sys.argv[2])
