"""An independent clock for any program: bpftrace's uprobes on a few functions.

    trace = Uprobes("bin/postgres", "StartTransaction", ["CommitTransaction"], ["XLogFlush", "libc.so.6:fdatasync"])
    sums = decompose(*trace.rows(seconds=20))      the program is running, and serves its load meanwhile

A function that the compiler inlined in some places is seen in the others only: compare the calls.
An interval goes from the entry of the first function to the return of one of the second, in one thread.
A function's time in it is that of its outermost calls. Each call costs 1 to 4 us, so probe what is called
a few times an interval. `outside` {"poll": "sleep"}: calls of the one within the other don't count. bpftrace
needs root.
"""
import os
import statistics
import subprocess
import tempfile


class Lost(Exception):
    pass


class Uprobes:
    def __init__(self, binary, begin, ends, functions, outside=None):
        self.binary, self.begin, self.ends, self.functions = str(binary), begin, ends, functions
        self.outside = outside or {}

    def point(self, kind, function):
        return f"{kind}:{function}" if ":" in function else f"{kind}:{self.binary}:{function}"

    def condition(self, function):
        around = self.outside.get(function)
        if around not in self.functions:
            return "@begin[tid]"
        return f"@begin[tid] && @depth{self.functions.index(around)}[tid] == 0"

    def script(self, seconds):
        numbers = range(len(self.functions))
        zero = " ".join(f"@sum{i}[tid] = (uint64)0; @depth{i}[tid] = (uint64)0; "
                        f"@calls{i}[tid] = (uint64)0;" for i in numbers)
        # What began in the interval and goes on after it counts up to its end.
        told = "".join(f", @sum{i}[tid] + (@depth{i}[tid] > 0 ? nsecs - @entry{i}[tid] : 0), @calls{i}[tid]"
                       for i in numbers)
        lines = [f'{self.point("uprobe", self.begin)} {{ @begin[tid] = nsecs; {zero} }}']
        for i, function in enumerate(self.functions):
            lines += [
                f'{self.point("uprobe", function)} /{self.condition(function)}/ {{ if (@depth{i}[tid] == 0) '
                f'{{ @entry{i}[tid] = nsecs; }} @depth{i}[tid] = @depth{i}[tid] + 1; '
                f'@calls{i}[tid] = @calls{i}[tid] + 1; }}',
                f'{self.point("uretprobe", function)} /@begin[tid] && @depth{i}[tid] > 0/ '
                f'{{ @depth{i}[tid] = @depth{i}[tid] - 1; if (@depth{i}[tid] == 0) '
                f'{{ @sum{i}[tid] = @sum{i}[tid] + (nsecs - @entry{i}[tid]); }} }}']
        for end in self.ends:
            lines.append(f'{self.point("uretprobe", end)} /@begin[tid]/ '
                         f'{{ printf("%lu{" %lu %lu" * len(self.functions)}\\n", nsecs - @begin[tid]{told}); '
                         f'@begin[tid] = (uint64)0; }}')
        lines.append(f"interval:s:{seconds} {{ exit(); }}")
        names = ["begin"] + [f"{kind}{i}" for i in numbers for kind in ("sum", "calls", "depth", "entry")]
        lines.append("END { " + " ".join(f"clear(@{name});" for name in names) + " }")
        return "\n".join(lines) + "\n"

    def rows(self, seconds):
        """Names, and a row for each interval: its latency in ns, then of each function its ns and its calls."""
        with tempfile.NamedTemporaryFile("w", suffix=".bt") as file:
            file.write(self.script(seconds))
            file.flush()
            got = subprocess.run(["bpftrace", file.name], text=True, capture_output=True,
                                 env=dict(os.environ, BPFTRACE_PERF_RB_PAGES="1024"))
        if got.returncode:
            raise RuntimeError(got.stderr)
        if "Lost" in got.stderr + got.stdout:
            raise Lost("bpftrace lost events: too many calls a second")
        names = [function.split(":")[-1] for function in self.functions]
        return names, parse(got.stdout, 2 * len(names) + 1)


def parse(text, width):
    """What bpftrace printed; lines that are not a row are its own talk."""
    found = []
    for line in text.splitlines():
        words = line.split()
        if len(words) == width and all(word.isdigit() for word in words):
            found.append([int(word) for word in words])
    return found


def covariance(x, y):
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    return statistics.fmean((a - mean_x) * (b - mean_y) for a, b in zip(x, y))


def decompose(names, rows):
    """{"count", "mean_ns", "variance_ns2", "parts": {name: {"contribution", "share", "mean_ns", "calls"}}}"""
    columns = list(zip(*rows))
    latency = columns[0]
    variance = covariance(latency, latency)
    parts = {name: {"contribution": covariance(column, column) / variance,
                    "share": covariance(column, latency) / variance,
                    "mean_ns": statistics.fmean(column), "calls": statistics.fmean(calls)}
             for name, column, calls in zip(names, columns[1::2], columns[2::2])}
    return {"count": len(rows), "mean_ns": statistics.fmean(latency), "variance_ns2": variance,
            "parts": parts}
