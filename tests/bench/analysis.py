#!/usr/bin/env python3
"""How fast a run's analysis is, how it grows, and how much memory it takes.

usage: analysis.py BUILD [--records N,N,N] [--blocks N,N,N] [--threads N] [--functions N] [--samples N] [--folder F]

BUILD is the folder that vprofiler was built in. Synthetic traces (analysis_trace.h) are written to the folder for
temporary files, or to F: 16 bytes for each record. From the files to the variance tree and its factors by one thread
and by two, in turns with the bound: a scan of the same mapped bytes, from the page cache, that sums one field. A turn
scans as often as takes as long as an analysis, up to some seconds: the least of short times is that of quieter moments
than long ones find. Seconds are processor time of one thread, the least of the samples. What two threads gain is wall
time; what two analyses by one thread each gain that are made at once is the machine's own bound of that, which says
whether its two processors are two cores. The exponents are the slopes of log time over log size. A second trace of the
largest size has ten times as many records for each interval: its peak of memory shows what records alone cost. Exit
status 1 where a bound does not hold.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile

RECORDS_OF_INTERVAL = 100
LONGEST_SCAN = 4  # seconds


class Trace:
    def __init__(self, tool, folder, shape, records, intervals, threads, functions):
        self.tool, self.shape, self.folder, self.functions = tool, shape, folder, functions
        self.size = records if shape == "plain" else intervals
        for old in folder.glob("*.vtr"):
            old.unlink()
        self.records = int(self.run("write", shape, records, intervals, threads, functions)[0])
        self.scan_seconds = self.seconds = math.inf
        self.wall = {1: math.inf, 2: math.inf}  # by threads
        self.both = math.inf  # wall time of two at once, by one thread each
        self.peak = 0

    def start(self, command, *arguments, jobs=1):
        return subprocess.Popen([str(self.tool), command, str(self.folder), *map(str, arguments)], text=True,
                                stdout=subprocess.PIPE, env={**os.environ, "VPROFILER_JOBS": str(jobs)})

    def run(self, *command, jobs=1):
        return self.end(self.start(*command, jobs=jobs))

    def end(self, process):
        output = process.communicate()[0]
        if process.returncode:
            raise SystemExit(f"{' '.join(process.args)} failed")
        return output.split()

    def run_both(self):
        """The wall time of the slower one."""
        both = [self.start("analyze", self.functions) for _ in range(2)]
        return max(float(self.end(process)[3]) for process in both)

    def measure(self, samples):
        """The first round warms the page cache."""
        digests, seconds = set(), 0
        for number in range(samples + 1):
            scan = self.run("scan", seconds)
            whole = {jobs: self.run("analyze", self.functions, jobs=jobs) for jobs in self.wall}
            seconds = min(float(whole[1][0]), LONGEST_SCAN)
            for jobs, (_, peak, digest, wall) in whole.items():
                self.peak = max(self.peak, int(peak))
                digests.add(digest)
                if number:
                    self.wall[jobs] = min(self.wall[jobs], float(wall))
            if number:
                self.scan_seconds = min(self.scan_seconds, float(scan[0]))
                self.seconds = min(self.seconds, float(whole[1][0]))
                self.both = min(self.both, self.run_both())
        if len(digests) != 1:
            raise SystemExit("the result is not always the same")
        return self

    def line(self):
        return (f"{self.shape:6} {self.size:12,.0f} {self.records:13,} {self.seconds:9.3f}"
                f" {self.records / self.seconds / 1e6:10.1f} {self.scan_seconds:9.4f}"
                f" {self.scan_seconds / self.seconds:8.4f} {self.gain():6.2f} {self.most_gain():6.2f}"
                f" {self.peak / 2**20:9.0f}")

    def gain(self):
        return self.wall[1] / self.wall[2]

    def most_gain(self):
        return 2 * self.wall[1] / self.both


def exponent(traces):
    """The slope of the line through (log size, log seconds), by least squares."""
    points = [(math.log(trace.size), math.log(trace.seconds)) for trace in traces]
    if len(points) < 2:
        return 0.0
    mean_x, mean_y = (sum(column) / len(points) for column in zip(*points))
    return (sum((x - mean_x) * (y - mean_y) for x, y in points) /
            sum((x - mean_x) ** 2 for x, _ in points))


def numbers(text):
    return [int(float(word)) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--records", type=numbers, default=numbers("1e5,1e6,1e7,1e8"))
    parser.add_argument("--blocks", type=numbers, default=numbers("1e3,1e4,1e5,1e6"))
    parser.add_argument("--threads", type=int, default=64)
    parser.add_argument("--functions", type=int, default=500)
    parser.add_argument("--samples", type=int, default=30)
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    tool = options.build.resolve() / "tests/bench/analysis_tool"
    print(f"{'shape':6} {'size':>12} {'calls':>13} {'seconds':>9} {'Mcalls/s':>10} {'bound s':>9} {'ratio':>8}"
          f" {'gain':>6} {'most':>6} {'peak MiB':>9}")

    with tempfile.TemporaryDirectory(prefix="analysis-", dir=options.folder) as name:
        def measured(shape, records, intervals, threads, samples):
            trace = Trace(tool, pathlib.Path(name), shape, records, intervals, threads, options.functions)
            print(trace.measure(samples).line(), flush=True)
            return trace

        def samples_of(size, samples):
            return max(1, min(samples * 3, int(samples * 3e7 / size)))

        def blocks(shape, threads):
            return [measured(shape, 0, n, threads, samples_of(10 * n, options.samples // 10)) for n in options.blocks]

        plain = [measured("plain", n, max(n // RECORDS_OF_INTERVAL, 1), options.threads,
                          samples_of(n, options.samples))
                 for n in options.records]
        most = options.records[-1]
        fewer = measured("plain", most, max(most // RECORDS_OF_INTERVAL // 10, 1), options.threads, 1)
        tenth = measured("plain", most // 10, max(most // RECORDS_OF_INTERVAL // 10, 1), options.threads, 1)
        mutex, one = blocks("mutex", 8), blocks("one", 2)

    largest = plain[-1]
    growth = (fewer.peak - tenth.peak) / (fewer.records - tenth.records)
    found = [("bound / analysis, per core", largest.scan_seconds / largest.seconds, ">= 0.1", lambda x: x >= 0.1),
             ("one thread / two, wall time", largest.gain(), ">= 1.7", lambda x: x >= 1.7),
             ("two analyses at once gain", largest.most_gain(), "", None),
             ("peak of memory (MiB)", largest.peak / 2**20, "< 1024", lambda x: x < 1024),
             ("bytes of memory a record", growth, "<= 0.5", lambda x: x <= 0.5)]
    for what, traces in (("records", plain), ("acquires of one mutex", mutex), ("locks in one interval", one)):
        found.append((f"exponent, {what}", exponent(traces), "<= 1.05", lambda x: x <= 1.05))
    bad = 0
    for what, value, bound, holds in found:
        verdict = "" if not holds else "holds" if holds(value) else "DOES NOT HOLD"
        print(f"{what:32} {value:9.3f}   {bound:8} {verdict}".rstrip())
        bad += verdict == "DOES NOT HOLD"
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
