#!/usr/bin/env python3
"""`vprofiler stacks` on Apache httpd as Debian ships it, with a module that sleeps for 5 ms in one request of four.

usage: check.py VPROFILER WORK_FOLDER [SECONDS]

The module is built apart, and stripped. Three runs: its filter sleeps, or its log writer, and requests are calls of
ap_process_async_request; and its filter, where requests are those of a descriptor. (The log is written when a client has
its answer.) The module must be the first that is told, with 5 ms more for those requests in which it sleeps, and most of the
variance that is not others' wish for the processors.
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


def of_module(node, above=()):
    """The outermost nodes below which the module's functions are: it is stripped, and they are told by their places."""
    path = (*above, node["name"])
    if "mod_slow" in node["name"]:
        return [(path, node)]
    return [found for child in node["children"] for found in of_module(child, path)]


def told(vprofiler, folder, server, seconds, options):
    with never_idle.all_processors():
        clients = load(seconds + 2)
        time.sleep(0.5)
        done = subprocess.run([vprofiler, "stacks", "--quiet", "--kernel", "on", "--out", folder / "out", "--pid", str(server.pid), "--for",
                               f"{seconds}s", *options], text=True, capture_output=True, check=False)
        clients.terminate()
        clients.wait()
    assert done.returncode == 0, done.stderr
    print(done.stderr, end="")
    return json.loads((folder / "out" / "latest" / "report.json").read_text())


def first_named(report):
    """Of the factors, but for what a busy machine does: where it is, from the request on."""
    for factor in report["factors"]:
        if factor["functions"][0] not in ("preempted", "not sampled"):
            return factor["sites"][0]["path"] + factor["functions"], factor["share"]
    return [], 0


def check(report):
    """What sleeps takes a little longer than it was asked to; of a part of it no stack is known, where others wait often, too. It is the only thing that differs: the rest of the variance is
    others' wish for the processors, also of those who are woken: nothing else should run."""
    intervals = report["intervals"]
    found = of_module(report["tree"])
    share, mean_ms = sum(node["share"] for _, node in found), sum(node["mean_ns"] for _, node in found) / 1e6
    path, first = first_named(report)
    print(f"  {intervals['count']} requests, p50 {intervals['p50_ns'] / 1e6:.2f} ms, p99 {intervals['p99_ns'] / 1e6:.2f}; "
          f"the first factor has {first:.1%} of the variance: {' > '.join(path)}")
    print(f"  {report['headline']}")
    print(f"  in the module: {mean_ms:.2f} ms a request in the mean, {share:.1%} of the variance")
    assert any("mod_slow" in name for name in path), path
    print("  " + next(note["message"] for note in report["notes"] if note["code"] == "inferred-calls"))
    assert SLEEPS_MS / ONE_IN * 0.7 <= mean_ms <= SLEEPS_MS / ONE_IN * 2, mean_ms
    assert share > 0.4 and abs(share - first) < 0.1, (share, first)


def main():
    vprofiler, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    folder.mkdir(parents=True, exist_ok=True)
    build(folder)
    interval = ["--interval", "ap_process_async_request"]
    for slow, options in [("SlowFilter", interval), ("SlowLog", interval), ("SlowFilter", ["--descriptor"])]:
        print(slow, *options, flush=True)
        server = start(folder, slow)
        try:
            report = told(vprofiler, folder, server, seconds, options)
        finally:
            server.terminate()
            server.wait()
        check(report)


if __name__ == "__main__":
    main()
