#!/usr/bin/env python3
"""Another engine computes the same: the CSV tables of a run in PostgreSQL, and the shipped SQL.

usage: postgresql_test.py VPROFILER

Two examples: covary (two functions that cancel each other) and prefork (woken-by subtrees across
processes). Exits 77 where PostgreSQL is not installed. The cluster is private: a temporary folder, a
socket in it.
"""
import csv
import glob
import io
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile

from sql_check import SQL, compare, profile, run

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402


class Engine:
    """A PostgreSQL cluster of our own; as root it belongs to the user postgres, as it must."""

    def __init__(self):
        folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        self.bin = pathlib.Path(folders[-1]) if folders else None
        if not self.bin and shutil.which("initdb"):
            self.bin = pathlib.Path(shutil.which("initdb")).parent
        self.user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        self.home = None

    def there(self):
        if not self.bin or not (self.bin / "initdb").exists():
            return False
        return os.getuid() != 0 or any(one.pw_name == "postgres" for one in pwd.getpwall())

    def as_user(self, *command):
        prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run([*prefix, *map(str, command)], check=True, cwd=self.home,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def start(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="vprofiler-pg-"))
        if os.getuid() == 0:
            shutil.chown(self.home, "postgres")
        self.as_user(self.bin / "initdb", "-D", self.home / "data", "-U", self.user, "-A", "trust",
                     "--no-sync", "-E", "UTF8", "--locale=C")
        self.as_user(self.bin / "pg_ctl", "-D", self.home / "data", "-w", "-l", self.home / "log",
                     "-o", f"-k {self.home} -c listen_addresses='' -c fsync=off", "start")

    def stop(self):
        if self.home:
            self.as_user(self.bin / "pg_ctl", "-D", self.home / "data", "-m", "immediate", "stop")
            shutil.rmtree(self.home)

    def psql(self, folder, *arguments):
        command = [str(self.bin / "psql"), "-X", "-q", "-h", str(self.home), "-U", self.user, "-v",
                   "ON_ERROR_STOP=1", *arguments]
        got = subprocess.run(command, cwd=folder, text=True, capture_output=True)
        if got.returncode:
            raise RuntimeError(got.stderr)
        return got.stdout

    def rows(self, database, query):
        text = self.psql("/", "-d", database, "--csv", "-c", query)
        return list(csv.DictReader(io.StringIO(text)))


def test(engine, vprofiler, example, home):
    tree, report = profile(vprofiler, example, home)
    run(vprofiler, "export", "--format", "csv", "--quiet", cwd=tree)
    engine.psql("/", "-d", "postgres", "-c", f"CREATE DATABASE {example}")
    engine.psql(tree / "vprofiler-csv", "-d", example, "-f", str(SQL / "postgresql.sql"), "-f",
                str(SQL / "variance.sql"))
    return compare(lambda query: engine.rows(example, query), report).told(example, report)


def main():
    engine = Engine()
    if not engine.there():
        left_out.skip("PostgreSQL", apt=["postgresql"])
    home = pathlib.Path(tempfile.mkdtemp(prefix="vprofiler-sql-"))
    try:
        engine.start()
        ok = [test(engine, sys.argv[1], example, home) for example in ("covary", "prefork")]
    finally:
        engine.stop()
        shutil.rmtree(home, ignore_errors=True)
    return 0 if all(ok) else 1


if __name__ == "__main__":
    sys.exit(main())
