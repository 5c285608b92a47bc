#!/usr/bin/env python3
"""Beyond one machine: results of several hosts in a ClickHouse of two servers say what a merge says.

usage: clickhouse_test.py VPROFILER

One instrumented build of examples/prefork runs once for each of four hosts. Each host's result is exported
alone and loaded by the shipped SQL, two hosts on each server, one more time on neither; the shares that
the cluster computes are those in the report.json of `vprofiler merge` over all traces, to the last digit.
Exits 77 where ClickHouse is not installed. The servers
listen on loopback, in a temporary folder, and are stopped.
"""
import csv
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from sql_check import ROOT, SQL, Check, breadth_first, report_of, run, told

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

# The names of the hosts, and what functions are called, as far as they are hard to write.
HOSTS = ["web-1", 'web "2", <b>', "web\t3; --", "wéb-4"]
HOSTILE = {"handle": "<script>alert('1')</script>, \"a\"", "serve": "two\r\nlines \\N \\",
           "checkpoint": "déjà 漢字 🔥", "now_ns": "long" * 1024}
HOST_AT = 104  # in the header of a .vtr file
TABLES = ("intervals", "nodes", "cells")

CONFIG = """<yandex>
 <logger><level>warning</level><log>{home}/log</log><errorlog>{home}/errors</errorlog></logger>
 <listen_host>127.0.0.1</listen_host>
 <tcp_port>{tcp}</tcp_port><http_port>{http}</http_port>
 <path>{home}/data/</path><tmp_path>{home}/tmp/</tmp_path>
 <mark_cache_size>67108864</mark_cache_size>
 <users_config>users.xml</users_config>
 <default_profile>default</default_profile><default_database>default</default_database>
 <remote_servers><vprofiler>{shards}</vprofiler></remote_servers>
</yandex>
"""
SHARD = "<shard><replica><host>127.0.0.1</host><port>{}</port></replica></shard>"
USERS = """<yandex>
 <profiles><default><max_memory_usage>1000000000</max_memory_usage></default></profiles>
 <users><default><password></password><networks><ip>127.0.0.1</ip></networks>
  <profile>default</profile><quota>default</quota></default></users>
 <quotas><default/></quotas>
</yandex>
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Server:
    def __init__(self, home, tcp, http, all_tcp):
        self.port = tcp
        home.mkdir()
        (home / "users.xml").write_text(USERS)
        (home / "config.xml").write_text(CONFIG.format(
            home=home, tcp=tcp, http=http, shards="".join(SHARD.format(port) for port in all_tcp)))
        self.process = subprocess.Popen(
            [shutil.which("clickhouse-server"), f"--config-file={home}/config.xml"], cwd=home,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, query, stdin=None, database="vprofiler"):
        return subprocess.run(["clickhouse-client", "--host", "127.0.0.1", "--port", str(self.port),
                               "--database", database, "--multiquery", *(["--query", query] if query else [])],
                              stdin=stdin or subprocess.DEVNULL, text=True, check=True,
                              capture_output=True, timeout=300).stdout

    def ask_file(self, path):
        with open(path, "rb") as file:
            self.ask(None, stdin=file)

    def rows(self, query):
        return json.loads(self.ask(f"{query} FORMAT JSON"))["data"]

    def wait(self):
        """Until it answers."""
        end = time.monotonic() + 120
        while True:
            try:
                return self.ask("SELECT 1", database="default")
            except subprocess.CalledProcessError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def load(self, tables):
        """As docs/fleet.md has it."""
        for table in TABLES:
            with open(tables / f"{table}.csv", "rb") as file:
                self.ask(f"INSERT INTO new_{table} FORMAT CSVWithNames", stdin=file)
        self.ask_file(SQL / "clickhouse_load.sql")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def build(vprofiler, home):
    """The instrumented program, and its table of functions with names that are hard to write."""
    source = home / "source"
    shutil.copytree(ROOT / "examples" / "prefork", source)
    for file in (ROOT / "examples" / "planted").iterdir():
        (source / file.name).unlink(missing_ok=True)
        shutil.copy(file, source / file.name)
    (source / "compile_commands.json").write_text(json.dumps([{
        "directory": str(source), "file": "prefork.c",
        "arguments": ["cc", "-I", str(ROOT / "include"), "-c", "prefork.c"]}]))
    run(vprofiler, "rewrite", "--quiet", "--source", source, "--tree", home / "tree", "--sync", "--open",
        "all", "--table", home / "functions.json", "--out", home / "out")
    program = home / "prefork"
    run("cc", "-O1", "-I", ROOT / "include", "-o", program, home / "tree" / "prefork.c",
        home / "tree" / "planted.c", "-lpthread")
    table = json.loads((home / "functions.json").read_text())
    for function in table["functions"]:
        function["name"] = HOSTILE.get(function["name"], function["name"])
    (home / "functions.json").write_text(json.dumps(table))
    return program


def record(vprofiler, program, home, number, name):
    """A folder of traces, as if `name` had run the program."""
    folder = home / f"host-{number}"
    folder.mkdir()
    library = pathlib.Path(vprofiler).resolve().parent.parent / "lib" / "libvprof.so"
    subprocess.run([program], cwd=folder, check=True, capture_output=True, timeout=300,
                   env=dict(os.environ, LD_PRELOAD=str(library), VPROF_TRACE_DIR=str(folder)))
    shutil.copy(home / "functions.json", folder)
    for path in folder.glob("*.vtr"):
        with open(path, "r+b") as file:
            file.seek(HOST_AT)
            file.write(name.encode().ljust(64, b"\0"))
    return folder


def nodes_of(tables):
    with open(tables / "nodes.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def compare(server, report, merged):
    """`merged`: nodes.csv of the merged result, in the order of the report's tree."""
    check = Check()
    nodes, pairs = breadth_first(report["tree"])
    ids = [row["path"].split("/")[-1] for row in merged]
    found = {row["id"]: row for row in server.rows("SELECT * FROM node_moments")}
    check.same("different ids", len(nodes), len(set(ids)))
    check.same("nodes", len(nodes), len(found))
    for node, id in zip(nodes, ids):
        row = found.get(id, {})
        if row.get("name") != told(node):
            check.wrong.append(f"node {id} is {row.get('name')!r}, not {node['name']!r}")
            continue
        for key in ("sum", "square", "latency"):
            check.same(f"{node['name'][:40]} {key}", node["moments"][key], row[key])
        for key in ("mean_ns", "variance_ns2", "contribution", "share"):
            check.near(f"{node['name'][:40]} {key}", node[key], row[key])
    by_ids = {tuple(sorted((ids[a], ids[b]))): pair for (a, b), pair in pairs.items()}
    found = server.rows("SELECT * FROM sibling_moments")
    check.same("pairs", len(by_ids), len({(row["a"], row["b"]) for row in found} & by_ids.keys()))
    for row in found:
        # A pair that never meets has a covariance all the same; the report leaves it out.
        pair = by_ids.get((row["a"], row["b"]))
        if not pair:
            check.same(f"pair {row['a']} {row['b']} meets", 0, row["product"])
            continue
        check.same("product", pair["product"], row["product"])
        for key in ("covariance_ns2", "contribution"):
            check.near(f"pair {row['a']} {row['b']} {key}", pair[key], row[key])
    return check


def test(vprofiler, servers, home):
    program = build(vprofiler, home)
    folders = [record(vprofiler, program, home, *host) for host in enumerate(HOSTS)]
    run(vprofiler, "merge", *folders, "--out", home / "fleet", "--quiet")
    run(vprofiler, "export", home / "fleet", "--format", "csv", "--quiet", "--output", home / "merged")
    report = report_of(home / "fleet" / "latest")
    for number, folder in enumerate(folders):
        run(vprofiler, "export", folder, "--format", "csv", "--quiet", "--output", folder / "csv")
        servers[number % len(servers)].load(folder / "csv")
    check = compare(servers[0], report, nodes_of(home / "merged"))
    check.same("asked of the other server", 0, servers[0].ask("SELECT * FROM node_moments ORDER BY id") !=
               servers[1].ask("SELECT * FROM node_moments ORDER BY id"))
    for number, server in enumerate(servers):
        hosts = {row["host"] for row in server.rows("SELECT DISTINCT host FROM intervals")}
        check.same(f"hosts of server {number}", 0, hosts != set(HOSTS[number::len(servers)]))
    trees = [{row["path"] for row in nodes_of(folder / "csv")} for folder in folders]
    print(f"{len(HOSTS)} hosts of {min(map(len, trees))} to {max(map(len, trees))} nodes, "
          f"{len(set.union(*trees))} together, {len(set.intersection(*trees))} on all")
    return check.told("fleet", report)


def main():
    if not (shutil.which("clickhouse-server") and shutil.which("clickhouse-client")):
        left_out.skip("ClickHouse", apt=["clickhouse-server", "clickhouse-client"])
    servers = []
    with tempfile.TemporaryDirectory(prefix="vprofiler-clickhouse-") as name:
        home = pathlib.Path(name)
        ports = free_ports(4)
        try:
            for number in range(2):
                servers.append(Server(home / f"server-{number}", ports[number], ports[2 + number], ports[:2]))
            for server in servers:
                server.wait()
                server.ask("CREATE DATABASE vprofiler", database="default")
                server.ask_file(SQL / "clickhouse.sql")
            ok = test(os.path.abspath(sys.argv[1]), servers, home)
        finally:
            for server in servers:
                server.stop()
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
