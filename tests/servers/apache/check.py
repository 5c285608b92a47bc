#!/usr/bin/env python3
"""`vprofiler stacks` on Apache httpd as Debian ships it, with a module that sleeps for 5 ms in one request of four.

usage: check.py VPROFILER WORK_FOLDER [SECONDS]

The module is built apart, and stripped. Three runs: its filter sleeps, requests are calls of ap_process_async_request; its
log writer sleeps, which is no part of that call, and requests are those of a descriptor; and the filter again, by descriptor.
What sleeps must be the first that is told, with 5 ms more for those requests in which it does, and most of the variance.
Needs root, Debian's apache2-bin, apache2-dev and apache2-utils, and gcc.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1]))
import never_idle  # noqa: E402

PORT = 18093
MODULES = pathlib.Path("/usr/lib/apache2/modules")
SLEEPS_MS, ONE_IN = 5, 4

CONFIG = """ServerRoot {folder}
PidFile {folder}/httpd.pid
Listen 127.0.0.1:{port}
ServerName localhost
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule slow_module {folder}/mod_slow.so
User www-data
Group www-data
ErrorLog {folder}/error.log
LogFormat "%D" time
CustomLog {folder}/times.log time
DocumentRoot {folder}/pages
<Directory {folder}/pages>
Require all granted
</Directory>
StartServers 1
ServerLimit 1
ThreadsPerChild 25
MaxRequestWorkers 25
KeepAlive On
MaxKeepAliveRequests 0
{slow} on
"""


def build(folder):
    apr = subprocess.run(["apr-1-config", "--includes", "--cppflags"], check=True, capture_output=True, text=True).stdout.split()
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-s", "-fomit-frame-pointer", "-I/usr/include/apache2", *apr,
                    "-o", folder / "mod_slow.so", HERE / "mod_slow.c"], check=True)


def start(folder, slow):
    pages = folder / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    (pages / "index.html").write_text("<p>" + "some words " * 500 + "</p>\n")
    (folder / "times.log").unlink(missing_ok=True)
    config = folder / "httpd.conf"
    config.write_text(CONFIG.format(folder=folder, port=PORT, modules=MODULES, slow=slow))
    os.chmod(folder, 0o755)
    server = subprocess.Popen(["/usr/sbin/apache2", "-f", config, "-DFOREGROUND"])
    time.sleep(1)
    assert server.poll() is None, (folder / "error.log").read_text()
    return server


def load(seconds):
    """A few clients that keep their connections."""
    return subprocess.Popen(["ab", "-q", "-k", "-c", "4", "-t", str(seconds), "-n", "100000000",
                             f"http://127.0.0.1:{PORT}/index.html"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def by_node(node, name, found):
    if node["name"] == name:
        found.append(node)
    else:
        for child in node["children"]:
            by_node(child, name, found)
    return found


def told(vprofiler, folder, server, seconds, options):
    with never_idle.all_processors():
        clients = load(seconds + 2)
        time.sleep(0.5)
        done = subprocess.run([vprofiler, "stacks", "--quiet", "--out", folder / "out", "--pid", str(server.pid), "--for",
                               f"{seconds}s", *options], text=True, capture_output=True, check=False)
        clients.terminate()
        clients.wait()
    assert done.returncode == 0, done.stderr
    print(done.stderr, end="")
    return json.loads((folder / "out" / "latest" / "report.json").read_text())


def check(report, sleeper):
    """usleep is below what calls it, and takes a little longer than it was asked to."""
    intervals, factors = report["intervals"], report["factors"]
    nodes = by_node(report["tree"], sleeper, []) or by_node(report["tree"], "usleep", [])
    share = sum(node["share"] for node in nodes)
    mean_ms = sum(node["mean_ns"] for node in nodes) / 1e6
    path = " > ".join(factors[0]["sites"][0]["path"] + factors[0]["functions"])
    print(f"  {intervals['count']} requests, p50 {intervals['p50_ns'] / 1e6:.2f} ms, p99 {intervals['p99_ns'] / 1e6:.2f}; "
          f"the first factor is {path}, {factors[0]['share']:.1%} of the variance")
    print(f"  {report['headline']}")
    print(f"  in what sleeps: {mean_ms:.2f} ms a request in the mean, {share:.1%} of the variance")
    assert SLEEPS_MS / ONE_IN * 0.9 <= mean_ms <= SLEEPS_MS / ONE_IN * 1.3, mean_ms
    assert share > 0.8 and factors[0]["share"] > 0.8, (share, factors[0])
    assert "usleep" in path or "nanosleep" in path or "mod_slow" in path, path


def main():
    vprofiler, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    folder.mkdir(parents=True, exist_ok=True)
    build(folder)
    for slow, options in [("SlowFilter", ["--interval", "ap_process_async_request"]), ("SlowLog", ["--descriptor"]),
                          ("SlowFilter", ["--descriptor"])]:
        print(slow, *options, flush=True)
        server = start(folder, slow)
        try:
            report = told(vprofiler, folder, server, seconds, options)
        finally:
            server.terminate()
            server.wait()
        check(report, "compress_slowly" if slow == "SlowFilter" else "write_log_slowly")


if __name__ == "__main__":
    main()
