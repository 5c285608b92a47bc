"""A program that `iterate --live --keep` built, run again with other probes switched on.

    carrier = Carrier("vprofiler-out/001")
    carrier.switch(folder, carrier.round)           where a run has its trace: those of the last round on
    report = carrier.measure(vprofiler, ["XLogFlush"], ["./run.sh"], environment, seconds=20, settled=lambda load: ...)

The switches and the window are those of trace/trace_format.h.
"""
import json
import mmap
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
    def __init__(self, result, loop=None):
        """`loop`: a copy of loop.json as another round had it."""
        result = pathlib.Path(result)
        self.tree = result / "tree"
        self.table = sorted(result.glob("rounds/*/functions.json"))[-1]
        table = json.loads(self.table.read_text())
        loop = json.loads((loop or result / "loop.json").read_text())
        self.names = [function["name"] for function in table["functions"]]
        self.functions = sum(1 for function in table["functions"] if function.get("body"))
        self.listed, self.probes = table["probes"], len(table["probes"])
        timed, opened = set(loop["timed"]), set(loop["opened"])
        self.timed = len(timed)
        self.round = [number for number, probe in enumerate(self.listed) if number > 0 and (
            probe["function"] in timed if probe["kind"] == "function" else probe["within"] in opened)]

    def of(self, names):
        """The probes of these functions, wherever they are called."""
        return [number for number, probe in enumerate(self.listed) if number > 0 and probe["kind"] != "sync"
                and probe["function"] is not None and self.names[probe["function"]] in names]

    def switch(self, folder, on=(), rests=None):
        """`on`: numbers of probes, or True for all of them; where none is, the program rests, and records no marks
        and waits, but if `rests` is False. A file that is there already is changed in place: who runs with it sees
        that at once."""
        size = PAGE + (self.probes + PAGE - 1) // PAGE * PAGE
        path = folder / "control.shm"
        path.touch()
        path.chmod(0o666)
        with open(path, "r+b") as file:
            size = max(size, path.stat().st_size)  # who runs with it may have made it larger, and reads all of it
            file.truncate(size)
            with mmap.mmap(file.fileno(), size) as memory:
                memory[:16] = struct.pack("<8sII", b"vprofct\n", 1, PAGE)
                memory[PAGE:] = bytes([1 if on is True else 0]) * (size - PAGE)
                for probe in on if on is not True else ():
                    memory[PAGE + probe] = 1
                memory[PAGE] = 1  # no probe's: the runtime was here
                memory[20:24] = struct.pack("<I", not (on is True or any(on)) if rests is None else rests)
                generation, = struct.unpack("<I", memory[16:20])
                memory[16:20] = struct.pack("<I", generation + 1)  # the last: now processes look

    def measure(self, vprofiler, names, command, environment, seconds, settled):
        """Runs the command, which ends by itself; reports the `seconds` after `settled` has returned. The trace lies
        in memory: on the disk of the program's own log it would be what makes the log slow."""
        folder = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
        try:
            folder.chmod(0o777)
            self.switch(folder, self.of(names))
            runtime = vprofiler.parents[1] / "lib/libvprof.so"
            variables = {**os.environ, **environment, "VPROF_TRACE_DIR": str(folder), "VPROF_TRACE_SHARE": "1", "LD_PRELOAD": str(runtime)}
            with subprocess.Popen([str(word) for word in command], cwd=self.tree, env=variables,
                                  stdout=subprocess.DEVNULL) as load:
                settled(load)
                begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                load.wait()
            for file in folder.glob("*.vtr"):
                with file.open("r+b") as trace:
                    trace.seek(WINDOW_AT)
                    trace.write(struct.pack("<QQ", begin, begin + int(seconds * 1e9)))
            found = subprocess.run([vprofiler, "analyze", "--functions", self.table, "--out", folder / "out", "--json",
                                    "--quiet", folder], check=True, text=True, stdout=subprocess.PIPE)
            return json.loads(found.stdout)
        finally:
            shutil.rmtree(folder)
