#!/usr/bin/env python3
"""Another engine computes the same: the CSV tables of a run in PostgreSQL, and the shipped SQL.

usage: postgresql_test.py VPROFILER

Two examples: covary (two functions that cancel each other) and prefork (woken-by subtrees across
processes). Sums, squares and products must be the same whole numbers; means, variances,
covariances, contributions and shares the same to the last digit that report.json prints. Exits 77
where PostgreSQL is not installed. The cluster is private: a temporary folder, a socket in it.
"""
import csv
import decimal
import glob
import io
import json
import math
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "report"))
import check_report  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SQL = ROOT / "docs" / "sql"
decimal.getcontext().prec = 80


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


def run(*command, cwd=None):
    return subprocess.run([str(word) for word in command], cwd=cwd, check=True, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300).stdout


def profile(vprofiler, example, home):
    tree = home / example
    shutil.copytree(ROOT / "examples" / example, tree)
    for file in (ROOT / "examples" / "planted").iterdir():
        (tree / file.name).unlink(missing_ok=True)
        shutil.copy(file, tree / file.name)
    run(vprofiler, "iterate", "--build", "build.sh", "--auto", "--quiet", cwd=tree)
    run(vprofiler, "export", "--format", "csv", "--quiet", cwd=tree)
    text = (tree / "vprofiler-out/latest/report.json").read_text()
    check_report.read(text)
    report = json.loads(text, parse_float=decimal.Decimal)
    return tree / "vprofiler-csv", report


def breadth_first(root):
    """The nodes of the tree by their number in nodes.csv, with (a, b) numbers for each pair."""
    nodes, pairs = [root], {}
    for number, node in enumerate(nodes):
        first = len(nodes)
        nodes.extend(node["children"])
        for pair in node["covariances"]:
            pairs[first + pair["a"], first + pair["b"]] = pair
    return nodes, pairs


class Check:
    def __init__(self):
        self.whole = self.real = 0
        self.most_ulp = 0
        self.wrong = []

    def same(self, what, mine, theirs):
        self.whole += 1
        if int(mine) != int(decimal.Decimal(theirs)):
            self.wrong.append(f"{what}: report.json {mine}, SQL {theirs}")

    def near(self, what, mine, theirs):
        """report.json prints a double: the SQL's 40 digits, rounded to one, must be that double."""
        self.real += 1
        mine, theirs = float(mine), float(decimal.Decimal(theirs or 0))
        ulp = abs(mine - theirs) / math.ulp(max(abs(mine), abs(theirs)))
        self.most_ulp = max(self.most_ulp, ulp)
        if ulp > 0:
            self.wrong.append(f"{what}: report.json {mine!r}, SQL {theirs!r} ({ulp:.0f} ulp)")


def compare(engine, database, report):
    check = Check()
    nodes, pairs = breadth_first(report["tree"])
    rows = engine.rows(database, "SELECT * FROM node_moments ORDER BY node")
    check.same("nodes", len(nodes), len(rows))
    for node, row in zip(nodes, rows):
        name = f"{row['node']} {node['name']}"
        if (node["name"], node["kind"]) != (row["name"], row["kind"]):
            check.wrong.append(f"node {name} is {row['kind']} {row['name']} in nodes.csv")
        for key in ("sum", "square", "latency"):
            check.same(f"{name} {key}", node["moments"][key], row[key])
        for key in ("mean_ns", "variance_ns2", "contribution", "share"):
            check.near(f"{name} {key}", node[key], row[key])
    rows = engine.rows(database, "SELECT * FROM sibling_moments ORDER BY a, b")
    check.same("pairs", len(pairs), len(rows))
    for row in rows:
        pair = pairs[int(row["a"]), int(row["b"])]
        name = f"pair {row['a']} {row['b']}"
        check.same(f"{name} product", pair["product"], row["product"])
        for key in ("covariance_ns2", "contribution"):
            check.near(f"{name} {key}", pair[key], row[key])
    compare_parents(engine, database, check, nodes, pairs)
    return check


def compare_parents(engine, database, check, nodes, pairs):
    """Sum x*parent is what the tree says it is: the node's square and its pairs with siblings."""
    expected = {number: int(node["moments"]["square"]) for number, node in enumerate(nodes)}
    for (a, b), pair in pairs.items():
        expected[a] += int(pair["product"])
        expected[b] += int(pair["product"])
    for row in engine.rows(database, "SELECT * FROM parent_moments"):
        check.same(f"{row['node']} with parent", expected[int(row["node"])], row["product"])


def test(engine, vprofiler, example, home):
    folder, report = profile(vprofiler, example, home)
    engine.psql("/", "-d", "postgres", "-c", f"CREATE DATABASE {example}")
    engine.psql(folder, "-d", example, "-f", str(SQL / "load.sql"), "-f", str(SQL / "variance.sql"))
    check = compare(engine, example, report)
    for wrong in check.wrong[:20]:
        print(f"FAILED {example}: {wrong}")
    print(f"{example}: {report['intervals']['count']} intervals, {check.whole} whole numbers and "
          f"{check.real} fractions compared, {len(check.wrong)} differ, at most "
          f"{check.most_ulp:.0f} ulp")
    return not check.wrong


def main():
    engine = Engine()
    if not engine.there():
        print("PostgreSQL is not installed (apt install postgresql)")
        return 77
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
