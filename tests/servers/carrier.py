"""A program that `iterate --live --keep` built, run again with a few functions timed.

    carrier = Carrier(vprofiler, "vprofiler-out/001", "build/lib/libvprof.so")
    report = carrier.measure(["XLogFlush"], ["./run.sh"], environment, seconds=20, settled=lambda: ...)

The trace lies in memory: on the disk of the program's own log it would be what makes the log slow. The switches and
the window are those of trace/trace_format.h.
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time

PAGE = 4096
WINDOW_AT = 440  # of window_from_ns in a file's header


class Carrier:
    def __init__(self, vprofiler, out, runtime):
        self.vprofiler, self.tree, self.runtime = vprofiler, pathlib.Path(out) / "tree", runtime
        self.table = sorted(pathlib.Path(out).glob("rounds/*/functions.json"))[-1]
        self.functions = json.loads(self.table.read_text())

    def switches(self, names):
        """The file that has the probes of these functions on, wherever they are called."""
        known = [function["name"] for function in self.functions["functions"]]
        on = bytearray([1])
        for probe in self.functions["probes"][1:]:
            on.append(probe["kind"] != "sync" and probe["function"] is not None and known[probe["function"]] in names)
        header = b"vprofsw\n" + struct.pack("<II", 1, PAGE)
        return header.ljust(PAGE, b"\0") + bytes(on).ljust(-(-len(on) // PAGE) * PAGE, b"\0")

    def measure(self, names, command, environment, seconds, settled):
        """Runs the command, which ends by itself; reports the `seconds` after `settled` has returned."""
        folder = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
        try:
            folder.chmod(0o777)
            (folder / "switches.shm").write_bytes(self.switches(names))
            (folder / "switches.shm").chmod(0o666)
            variables = {**os.environ, **environment, "VPROF_TRACE_DIR": str(folder), "LD_PRELOAD": str(self.runtime)}
            with subprocess.Popen([str(word) for word in command], cwd=self.tree, env=variables,
                                  stdout=subprocess.DEVNULL) as load:
                settled(load)
                begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                load.wait()
            for file in folder.glob("*.vtr"):
                with file.open("r+b") as trace:
                    trace.seek(WINDOW_AT)
                    trace.write(struct.pack("<QQ", begin, begin + int(seconds * 1e9)))
            found = subprocess.run([self.vprofiler, "analyze", "--functions", self.table, "--out", folder / "out", "--json",
                                    "--quiet", folder], check=True, text=True, stdout=subprocess.PIPE)
            return json.loads(found.stdout)
        finally:
            shutil.rmtree(folder)
