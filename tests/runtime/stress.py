#!/usr/bin/env python3
"""stress.py LIBRARY PROGRAMS_DIR READER [--seconds N] [--seed N] [--sanitize address|thread]

Runs stress.c in rounds of up to ten seconds, each with another seed and another way to keep the
trace. Then both readers read every trace (READER is trace_records_tool) and must say the same; calls
are nested; and what the program counted is what is there, was lost or was overwritten. Where a
process ended while its threads ran, each of them may be between a record and its count.
"""
import argparse
import collections
import contextlib
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "trace"))
import check
import readers_test
import vtr

SLOTS = 8192
SLOT = struct.Struct("<QQQQ")
KEEP = ({}, {}, {"VPROF_TRACE_CAP_BYTES": "3000000"},
        {"VPROF_TRACE_CAP_BYTES": "3000000", "VPROF_TRACE_KEEP": "newest"})
COUNTED = {2, 3, 4, 5, 6, 7, 8}  # probe 1 is the module's, which is attached at some time or other
IN_HANDLERS = 2 * 3  # two signals, one in the other, with three records each


class Stress:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.program, self.preload = options.programs / "stress", options.library
        self.seen = collections.Counter()
        if options.sanitize:
            self.build()

    def build(self):
        """ThreadSanitizer needs the runtime compiled in; AddressSanitizer comes before it."""
        root = HERE.parents[1]
        thread = self.options.sanitize == "thread"
        self.program = self.folder / "stress"
        command = ["gcc", "-fsanitize=" + self.options.sanitize, "-g", "-O1", "-std=gnu11",
                   "-fexceptions", "-D_GNU_SOURCE", f"-I{root}", f"-I{root}/include", "-Wno-tsan",
                   "-o", self.program, HERE / "stress.c", "-pthread"]
        subprocess.run(command + ([s for s in sorted(root.glob("runtime/*.c")) if s.name != "wrap.c"] if thread else []), check=True)
        asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()
        self.preload = None if thread else f"{asan} {self.preload}"

    def environment(self, traces, more):
        bench = check.Bench(self.preload, [], traces)
        return bench.environment(preload=bool(self.preload), TSAN_OPTIONS="halt_on_error=1 die_after_fork=0",
                                 ASAN_OPTIONS="detect_leaks=0", **more)

    def round(self, seed, seconds):
        traces, counts = self.folder / "traces", self.folder / "counts"
        shutil.rmtree(traces, ignore_errors=True)
        traces.mkdir()
        counts.write_bytes(bytes(SLOT.size * SLOTS))
        command = [self.program, counts, self.options.programs / "module.so",
                   str(int(seconds * 1000)), str(seed)]
        if self.options.sanitize == "thread":
            command = ["setarch", "-R", *command]
        self.run(command, self.environment(traces, KEEP[seed % len(KEEP)]), seconds + 60)
        self.check_round(sorted(traces.glob("*.vtr")), list(SLOT.iter_unpack(counts.read_bytes())))

    def run(self, command, environment, seconds):
        """With all its children: one that hangs is a fault, and shall not stay behind."""
        process = subprocess.Popen(command, env=environment, start_new_session=True)
        try:
            assert process.wait(seconds) == 0, f"stress exited with {process.returncode}"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def check_round(self, paths, slots):
        with_trace = set()  # of all but those that were killed when they had just begun
        paths = [p for p in paths if p.stat().st_size > vtr.PAGE or any(p.read_bytes()[:8])]
        said = readers_test.tool_reads(self.options.reader, [str(p) for p in paths])
        for path, c_says in zip(paths, said):
            trace = vtr.read(path, lenient=True)
            fault = readers_test.difference(readers_test.python_says(trace), c_says)
            assert not fault, f"{path.name}: {fault}"
            with_trace |= self.check_trace(trace, slots)
        # a child that was killed at once may not have come to its trace
        assert all(i in with_trace or slot[0] + slot[1] < 2 for i, slot in enumerate(slots))

    def check_trace(self, trace, slots):
        for log in trace.logs:
            calls = check.functions(log.records)  # handlers' records may stand too early
            check.assert_nested(sorted(calls, key=lambda r: r["ticks"] + r["duration"]))
        tasks, header = trace.records("task"), trace.header
        numbers = {r["queue"] for r in tasks}
        assert len(numbers) <= 1, f"records of several processes in one file: {numbers}"
        self.seen.update(files=1, damaged=bool(trace.damage), lost=header["lost_records"],
                         overwritten=header["overwritten_records"])
        if not numbers:
            return numbers
        calls, counted_tasks, clean, threads = slots[min(numbers)]
        written = len(tasks) + sum(r["probe"] in COUNTED for r in trace.records("function"))
        lost = header["lost_records"] + header["overwritten_records"]
        between = 0 if clean else threads * IN_HANDLERS
        assert not trace.damage or not clean, trace.damage
        assert written - between <= calls + counted_tasks <= written + lost + between, \
            (header["program"], calls, counted_tasks, written, lost, clean)
        self.seen.update(records=written, clean=clean)
        return numbers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("reader", type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--seed", type=int, default=os.getpid())
    parser.add_argument("--sanitize", choices=("address", "thread"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vprof-") as folder:
        stress = Stress(options, pathlib.Path(folder))
        end, seed = time.monotonic() + options.seconds, options.seed
        while time.monotonic() < end:
            print(f"seed {seed}", flush=True)
            stress.round(seed, max(0.1, min(10, end - time.monotonic(), options.seconds / 4)))
            print(dict(stress.seen), flush=True)
            seed += 1


if __name__ == "__main__":
    main()
