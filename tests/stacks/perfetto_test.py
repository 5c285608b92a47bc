#!/usr/bin/env python3
"""What is written for Perfetto, decoded by the numbers of its public schema (protos/perfetto/trace), and by its own
trace processor where that is installed.

usage: perfetto_test.py VPROFILER
"""
import collections
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import left_out  # noqa: E402
import made  # noqa: E402
from made import MS  # noqa: E402

VPROFILER = sys.argv[1]
BEGIN, END, INSTANT = 1, 2, 3


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if not byte & 128:
            return value, at


def message(data):
    """{number of a field: [values]}: numbers, or bytes of what is inside."""
    fields, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif kind == 2:
            length, at = varint(data, at)
            assert at + length <= len(data)
            value, at = data[at:at + length], at + length
        else:
            raise AssertionError(f"wire type {kind}")
        fields[key >> 3].append(value)
    return fields


def one(fields, number, default=None):
    return fields[number][0] if number in fields else default


class Read:
    """A trace: its tracks {uuid: (kind, name, parent)} and events (track, time, type, name, annotations, from, to)."""

    def __init__(self, data):
        self.tracks, self.events, names = {}, [], {}
        trace = message(data)
        assert list(trace) == [1]
        for number, packet in enumerate(map(message, trace[1])):
            assert one(packet, 10) == 1 and one(packet, 13) == (2 if number else 1), packet
            for interned in map(message, packet.get(12, [])):
                names |= {one(n, 1): one(n, 2).decode() for n in map(message, interned[2])}
            if 60 in packet:
                self.take_track(message(one(packet, 60)))
            else:
                self.take_event(one(packet, 8), message(one(packet, 11)), names)

    def take_track(self, track):
        if 3 in track:
            process = message(one(track, 3))
            what = ("process", one(process, 6).decode(), one(process, 1))
        elif 4 in track:
            thread = message(one(track, 4))
            what = ("thread", one(thread, 5).decode(), one(thread, 2))
        else:
            what = ("child", one(track, 2).decode(), None)
        assert one(track, 1) not in self.tracks
        self.tracks[one(track, 1)] = (*what, one(track, 5))

    def take_event(self, time, event, names):
        notes = {one(a, 10).decode(): one(a, 6).decode() for a in map(message, event.get(4, []))}
        name = names[one(event, 10)] if 10 in event else None
        self.events.append((one(event, 11), time, one(event, 9), name, notes, one(event, 47), one(event, 48)))

    def slices(self, track):
        """[(begin, end, name, depth)] of a track: each END is of what was begun last."""
        found, opened, last = [], [], 0
        for of, time, kind, name, *_ in self.events:
            if of != track:
                continue
            assert kind == INSTANT or time >= last, "out of order"
            if kind == BEGIN:
                opened.append((time, name))
            elif kind == END:
                begin, what = opened.pop()
                found.append((begin, time, what, len(opened)))
            last = time if kind != INSTANT else last
        assert not opened
        return sorted(found, key=lambda s: (s[0], s[3]))

    def track(self, thread, child=None):
        (of,) = [u for u, (kind, name, *_) in self.tracks.items() if kind == "thread" and name == thread]
        if child is None:
            return of
        (inner,) = [u for u, (_, name, _, parent) in self.tracks.items() if parent == of and name == child]
        return inner


def written(folder, name="trace.pftrace"):
    done = subprocess.run([VPROFILER, "export", "--of", "stacks", "--format", "perfetto", "--output", f"{folder}/{name}", folder],
                          text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return pathlib.Path(folder, name)


def test_made(folder):
    trace = made.trace(made.SAMPLES, [made.wait(10, 3, 1), made.wait(30, 3, 1), made.wait(60, 4, 1)],
                       [made.LEFT, made.RIGHT, made.FIRST, made.LAST])
    made.directory(trace, folder)
    path = written(folder)
    read = Read(path.read_bytes())
    assert [t[0] for t in read.tracks.values()].count("thread") == 2, read.tracks
    off = read.slices(read.track("one", "off"))
    assert [(b // MS, e // MS, n) for b, e, n, _ in off] == [
        (10, 20, "two of one"), (20, 21, "[wants a processor]"), (30, 50, "two of one"), (50, 50, "[wants a processor]"),
        (60, 100, "two of one"), (100, 100, "[wants a processor]")], off
    calls = [(b // MS, e // MS, n, d) for b, e, n, d in read.slices(read.track("one"))]
    assert calls[0][2:] == ("main", 0) and (10, 21, "futex_wait", 2) in calls and (60, 100, "futex_wait", 2) in calls, calls
    samples = [(t // MS, n) for of, t, k, n, *_ in read.events if of == read.track("one", "samples") and k == INSTANT]
    assert samples == [(5, "shared"), (25, "shared"), (110, "shared"), (150, "shared")], samples
    # An arrow from each waking to who was woken.
    begins = {e[5]: e for e in read.events if e[5] is not None}
    ends = {e[6]: e for e in read.events if e[6] is not None}
    assert len(begins) == 3 and begins.keys() == ends.keys(), (begins, ends)
    for flow, (track, time, kind, name, *_) in begins.items():
        assert (track, kind, name) == (read.track("two", "off"), INSTANT, "wakes one")
        assert ends[flow][0] == read.track("one", "off") and ends[flow][1] == time and ends[flow][4] == {"woken by": "two (2)"}
    return path


def ask_perfetto(path):
    """Its own reader, which knows the whole schema."""
    try:
        from perfetto.trace_processor import TraceProcessor
    except ImportError:
        left_out.say("Perfetto's own reader", how="pip install perfetto")
        return
    with TraceProcessor(trace=str(path)) as processor:
        (row,) = processor.query("select count(*) as n from slice where name = 'futex_wait'")
        assert row.n == 3
        (row,) = processor.query("select count(*) as n from flow")
        assert row.n == 3
        (row,) = processor.query("select sum(value) as n from stats where severity = 'error'")
        assert not row.n


def test_names(folder):
    """What is no UTF-8 becomes it."""
    strange = made.trace(made.SAMPLES, [], [made.LEFT, made.RIGHT])
    made.directory(strange, folder)
    assert Read(written(folder).read_bytes()).events


with tempfile.TemporaryDirectory() as at:
    ask_perfetto(test_made(at))
with tempfile.TemporaryDirectory() as at:
    test_names(at)
