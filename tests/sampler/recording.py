"""recording.py - runs a command under sampler_print and gives what was recorded.

    run = recording.of([scenes, "pingpong", "100"])        run.report, run.header, run.records, run.tids
    run = recording.of(command, options=["-m", "65536"], wrap=["setpriv", ...])

`records` are those of all processors in order of time, each with its processor as "cpu".
"""
import atexit
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runtime"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import vtr  # noqa: E402


def open_to_all():
    """Copies of the programs in a folder that all users may read, as the one of the build need not be."""
    folder = tempfile.mkdtemp(prefix="vprofiler-sampler-")
    atexit.register(shutil.rmtree, folder)
    os.chmod(folder, 0o755)
    return [shutil.copy(path, folder) for path in sys.argv[1:]]


PRINT, SCENES, *OTHERS = open_to_all()
ALL, OWN, TOTALS = 1, 2, 3
UNKNOWN = 2**32 - 1


@dataclasses.dataclass
class Recording:
    report: dict
    header: dict
    records: list
    tids: dict  # of a scene's threads, by name
    logs: list
    hits: list  # of points, in order of time, each with its point's role, wish and name
    hits_lost: int
    stacks: vtr.Trace  # what stacks.vtr holds, where there is one
    lines: list  # that the command printed

    def of_kind(self, kind, **fields):
        return [r for r in self.records
                if r["kind"] == kind and all(r[name] == value for name, value in fields.items())]

    def wakings(self, tid):
        return self.of_kind("waking", tid=tid, born=0)

    def switches(self, tid):
        """(ticks, came, state) of each, in order."""
        return [(r["ticks"], r["to"] == tid, r["state"]) for r in self.of_kind("switch")
                if tid in (r["from"], r["to"])]


def hits_of(path):
    """Times are those of CLOCK_MONOTONIC."""
    if not os.path.exists(path):
        return [], 0
    trace = vtr.read(path)
    points, base = vtr.read_points(trace), trace.header["clock_base"]
    hits = [{**r, **points[r["point"]], "ns": r["ticks"] + base} for r in trace.records("hit")]
    return sorted(hits, key=lambda h: h["ns"]), sum(r["hits"] for r in trace.records("points_lost"))


def of(command, options=(), wrap=()):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        done = subprocess.run([*wrap, PRINT, *options, folder, *command], text=True, capture_output=True,
                              timeout=120)
        lines = done.stdout.splitlines()
        assert done.returncode == 0 and lines, (done.returncode, done.stdout, done.stderr)
        trace = vtr.read(os.path.join(folder, "kernel.vtr"))
        hits, hits_lost = hits_of(os.path.join(folder, "points.vtr"))
        path = os.path.join(folder, "stacks.vtr")
        stacks = vtr.read(path) if os.path.exists(path) else None
    tids = {line.split()[1]: int(line.split()[2]) for line in lines if line.startswith("tid ")}
    records = [{**r, "cpu": log.thread - 1} for log in trace.logs for r in log.records]
    records.sort(key=lambda r: r["ticks"])
    return Recording(json.loads(lines[-1]), trace.header, records, tids, trace.logs, hits, hits_lost, stacks, lines[:-1])


def skip(what, how):
    import left_out
    left_out.say(what, how=how)
    sys.exit(left_out.SKIPPED)


def needs_all(run):
    if run.report["watched"] != ALL:
        skip("recording the kernel's scheduler", run.report["cure"])
    return run
