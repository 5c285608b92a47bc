"""A clock that the linker puts around a few of PostgreSQL's functions (link_clock.c), for transactions that the traps
of uprobes would change: by their own time, or by the locks that are held longer.

    with LinkClock(tree, WAITS) as clock:               the server in tree/installed has the clock
        ... run it with clock.environment ...
        names, rows = clock.rows(begin_ns, seconds)     as uprobes.Uprobes.rows()

A function that is static, or is called in its own file only, can't be wrapped: the one that it calls, or that calls
it, stands for it; so does the caller of what vprofiler redirects. What is called from its own file and from others is
wrapped for the others: of the calls of WaitEventSetWait those that are not WaitLatch's.
"""
import pathlib
import shutil
import struct
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# name: what is wrapped for it; the last is CommitTransactionCommand.
STEPS = {"parse_analyze_fixedparams": "parse_analyze_fixedparams", "planner": "planner",
         "PortalStart": "PortalStart", "PortalRun": "PortalRun", "CommitTransaction": "CommitTransactionCommand"}
WAITS = {"sem_wait": "PGSemaphoreLock", "pg_fdatasync": "pg_fdatasync", "WaitLatch": "WaitLatch",
         "WaitEventSetWait": "WaitEventSetWait", "CommitTransaction": "CommitTransactionCommand"}
BOUNDS = ["StartTransactionCommand", "ProcArrayEndTransaction"]
ROW = struct.Struct(f"<{3 + 2 * len(STEPS)}Q")


class LinkClock:
    def __init__(self, tree, parts):
        self.parts = parts
        self.server, self.linked = tree / "installed/bin/postgres", tree / "src/backend/postgres"
        self.kept = self.server.with_suffix(".kept")
        self.folder = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
        self.folder.chmod(0o777)
        self.environment = {"LINK_CLOCK": f"{self.folder}/"}

    def __enter__(self):
        clock = self.folder / "link_clock.o"
        names = [f"-DPART_{i}={name}" for i, name in enumerate(self.parts.values())]
        subprocess.run(["cc", "-O2", "-c", *names, HERE / "link_clock.c", "-o", clock], check=True)
        wrap = "".join(f" -Wl,--wrap={name}" for name in [*self.parts.values(), *BOUNDS])
        self.linked.unlink(missing_ok=True)
        subprocess.run(["make", "-s", "-C", self.linked.parent, f"LDFLAGS_EX={clock}{wrap}", "postgres"], check=True)
        self.server.rename(self.kept)
        shutil.copy(self.linked, self.server)
        clock.unlink()
        return self

    def __exit__(self, *_):
        self.kept.rename(self.server)
        self.linked.unlink()
        shutil.rmtree(self.folder)

    def rows(self, begin_ns, seconds):
        """Those of the transactions that lie in these seconds."""
        rows = [row for file in self.folder.iterdir() for row in ROW.iter_unpack(file.read_bytes())]
        end_ns = begin_ns + seconds * 1e9
        return list(self.parts), [(row[1], *row[3:]) for row in rows if begin_ns <= row[0] and row[0] + row[1] <= end_ns]
