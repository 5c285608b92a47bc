#!/usr/bin/env python3
"""DuckDB reads what is exported, Parquet and CSV, and computes the same by the shipped SQL.

usage: duckdb_test.py VPROFILER TABLE_PRINT

Two examples: covary (two functions that cancel each other) and prefork (woken-by subtrees across
processes), and a table of texts and numbers that are hard to write. Exits 77 where node cannot load
@duckdb/node-api (NODE_PATH names the folder of node's packages).
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from sql_check import SQL, compare, profile, run

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# What duckdb.sql does with Parquet, for CSV: there the columns' types and "" have to be said.
CSV_OPTIONS = "(FORMAT csv, HEADER, QUOTE '\"', ESCAPE '\"', ALLOW_QUOTED_NULLS false)"


def there():
    if not shutil.which("node"):
        return False
    return subprocess.run(["node", "-e", "require('@duckdb/node-api')"], cwd=HERE,
                          capture_output=True).returncode == 0


class Database:
    """A file in `folder`, in which paths in statements are relative to `folder`."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name

    def rows(self, *statements):
        got = subprocess.run(["node", HERE / "duckdb.js", self.name], cwd=self.folder, text=True,
                             input=json.dumps(statements), capture_output=True, timeout=300)
        if got.returncode:
            raise RuntimeError(got.stderr)
        return json.loads(got.stdout)


def load_parquet(tree):
    database = Database(tree / "vprofiler-parquet", "result.db")
    database.rows((SQL / "duckdb.sql").read_text(), (SQL / "variance.sql").read_text(), "SELECT 1")
    return database


def load_csv(tree):
    """With the columns of the Parquet files, and the rows of the CSV files."""
    database = Database(tree, "csv.db")
    statements = [(SQL / "duckdb.sql").read_text().split("CREATE TABLE")[0]]
    for table in ("intervals", "nodes", "cells"):
        statements += [f"CREATE TABLE {table} AS FROM 'vprofiler-parquet/{table}.parquet' LIMIT 0",
                       f"COPY {table} FROM 'vprofiler-csv/{table}.csv' {CSV_OPTIONS}"]
    database.rows(*statements, (SQL / "variance.sql").read_text(), "SELECT 1")
    return database


def check_result(vprofiler, example, home):
    tree, report = profile(vprofiler, example, home)
    for form in ("csv", "parquet"):
        run(vprofiler, "export", "--format", form, "--quiet", cwd=tree)
    ok = compare(load_parquet(tree).rows, report).told(f"{example} from Parquet", report)
    return compare(load_csv(tree).rows, report).told(f"{example} from CSV", report) and ok


def check_odd(table_print, home, count=150000):
    """Both formats hold the same rows, as DuckDB sees them; more of them than a row group holds."""
    for form in ("csv", "parquet"):
        with open(home / f"odd.{form}", "wb") as file:
            subprocess.run([table_print, form, str(count)], stdout=file, check=True)
    row, = Database(home, ":memory:").rows(
        "CREATE TABLE a AS FROM 'odd.parquet'", "CREATE TABLE b AS FROM a LIMIT 0",
        f"COPY b FROM 'odd.csv' {CSV_OPTIONS}",
        "SELECT (SELECT count(*) FROM a) AS a, (SELECT count(*) FROM b) AS b, "
        "(SELECT count(*) FROM (FROM a EXCEPT ALL FROM b)) AS differ, "
        "(SELECT count(*) FROM a WHERE maybe IS NULL) AS missing, "
        "(SELECT count(*) FROM a WHERE name = 'two' || chr(13) || chr(10) || 'lines' || chr(10)) AS lines, "
        "(SELECT count(*) FROM a WHERE number = -9223372036854775808) AS least")
    got = {key: int(value) for key, value in row.items()}
    want = {"a": count, "b": count, "differ": 0, "missing": count // 3,
            "lines": sum(i % 14 == 4 and i % 50 != 7 for i in range(count)), "least": count // 1000}
    print(f"odd texts and numbers: {got}" + ("" if got == want else f", FAILED: wanted {want}"))
    return got == want


def main():
    if not there():
        left_out.skip("DuckDB in node", npm=["@duckdb/node-api@1.5.6-r.1"])
    vprofiler, table_print = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="vprofiler-duckdb-") as name:
        home = pathlib.Path(name)
        ok = [check_result(vprofiler, example, home) for example in ("covary", "prefork")]
        ok.append(check_odd(table_print, home))
    return 0 if all(ok) else 1


if __name__ == "__main__":
    sys.exit(main())
