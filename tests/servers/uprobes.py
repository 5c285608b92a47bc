"""An independent clock for any program: bpftrace's uprobes on a few functions.

    trace = Uprobes("bin/postgres", "StartTransaction", ["CommitTransaction"], ["XLogFlush", "libc.so.6:fdatasync"])
    sums = decompose(*trace.rows(seconds=20))      the program is running, and serves its load meanwhile
    names, rows, returned = trace.during(action)   or action() starts it, and waits for its end

A function that the compiler inlined in some places is seen in the others only: compare the calls.
An interval goes from the entry of the first function to the return of one of the second, in one thread.
A function's time in it is that of its outermost calls. Each call costs 1 to 4 us, so probe what is called
a few times an interval. `functions` may be {name: what to probe}. `outside` {"poll": "sleep"}: calls of the one
within the other don't count. bpftrace needs root.
"""
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time

READY_SECONDS = 30


class Lost(Exception):
    pass


class Uprobes:
    def __init__(self, binary, begin, ends, functions, outside=None):
        self.binary, self.begin, self.ends = str(binary), begin, ends
        named = functions if isinstance(functions, dict) else {f.split(":")[-1]: f for f in functions}
        self.names, self.functions = list(named), list(named.values())
        self.outside = outside or {}

    def point(self, kind, function):
        return f"{kind}:{function}" if ":" in function else f"{kind}:{self.binary}:{function}"

    def condition(self, name):
        around = self.outside.get(name)
        if around not in self.names:
            return "@begin[tid]"
        return f"@begin[tid] && @depth{self.names.index(around)}[tid] == 0"

    def script(self, ready):
        """It makes the file `ready` when it watches, and goes on until it is interrupted."""
        numbers = range(len(self.functions))
        zero = " ".join(f"@sum{i}[tid] = (uint64)0; @depth{i}[tid] = (uint64)0; "
                        f"@calls{i}[tid] = (uint64)0;" for i in numbers)
        # What began in the interval and goes on after it counts up to its end.
        told = "".join(f", @sum{i}[tid] + (@depth{i}[tid] > 0 ? nsecs - @entry{i}[tid] : 0), @calls{i}[tid]"
                       for i in numbers)
        lines = [f'{self.point("uprobe", self.begin)} {{ @begin[tid] = nsecs; {zero} }}']
        for i, function in enumerate(self.functions):
            lines += [
                f'{self.point("uprobe", function)} /{self.condition(self.names[i])}/ {{ if (@depth{i}[tid] == 0) '
                f'{{ @entry{i}[tid] = nsecs; }} @depth{i}[tid] = @depth{i}[tid] + 1; '
                f'@calls{i}[tid] = @calls{i}[tid] + 1; }}',
                f'{self.point("uretprobe", function)} /@begin[tid] && @depth{i}[tid] > 0/ '
                f'{{ @depth{i}[tid] = @depth{i}[tid] - 1; if (@depth{i}[tid] == 0) '
                f'{{ @sum{i}[tid] = @sum{i}[tid] + (nsecs - @entry{i}[tid]); }} }}']
        for end in self.ends:
            lines.append(f'{self.point("uretprobe", end)} /@begin[tid]/ '
                         f'{{ printf("%lu{" %lu %lu" * len(self.functions)}\\n", nsecs - @begin[tid]{told}); '
                         f'@begin[tid] = (uint64)0; }}')
        lines.append(f'interval:ms:300 /!@ready/ {{ system("touch {ready}"); @ready = 1; }}')
        names = ["begin", "ready"] + [f"{kind}{i}" for i in numbers for kind in ("sum", "calls", "depth", "entry")]
        lines.append("END { " + " ".join(f"clear(@{name});" for name in names) + " }")
        return "\n".join(lines) + "\n"

    def rows(self, seconds):
        """Names, and a row for each interval: its latency in ns, then of each function its ns and its calls."""
        return self.during(lambda: time.sleep(seconds))[:2]

    def during(self, action):
        """The same of the time that action() takes, and what it returns."""
        with tempfile.TemporaryDirectory() as folder:
            ready, printed = pathlib.Path(folder) / "ready", pathlib.Path(folder) / "printed"
            with subprocess.Popen(["bpftrace", "--unsafe", "-o", printed, "-e", self.script(ready)], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env={**os.environ, "BPFTRACE_PERF_RB_PAGES": "2048"}) as process:
                latest = time.monotonic() + READY_SECONDS
                while process.poll() is None and time.monotonic() < latest and not ready.exists():
                    time.sleep(0.05)
                returned = action() if ready.exists() else None
                process.send_signal(signal.SIGINT)
                said = process.communicate()[0]
            if process.returncode or not ready.exists():
                raise RuntimeError(said)
            text = printed.read_text()
        if "Lost" in said + text:
            raise Lost("bpftrace lost events: too many calls a second")
        return self.names, parse(text, 2 * len(self.names) + 1), returned


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
