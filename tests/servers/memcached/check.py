#!/usr/bin/env python3
"""vprofiler on memcached 1.6 of Debian's source package, under load.

usage: check.py VPROFILER [WORK_FOLDER]

1. Pristine source, one interval a request, declared in the config: `iterate --k 3 --auto`. The root's
   variance is held against an independent clock in the server (clock.c), in the same run.
2. The same with a planted fault: one request in 50 holds a lock for 1 ms that every request takes. The
   lock must be factor 1, and most of its share that of its holder, process_get_command.
Prints the figures; exits 1 where one is out of its bounds.
"""
import hashlib
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "planted"))
from check_planted import woken_share  # noqa: E402
from laws import broken  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "report"))
import check_report  # noqa: E402

BUILD = """#!/bin/sh
set -e
[ -f Makefile ] || ./configure --disable-docs --disable-coverage CFLAGS="-O2 -g" >configure.out
make -j2 memcached
LD_PRELOAD={clock}:$LD_PRELOAD CLOCK_FILE={latencies} \\
    ./memcached -u root -l 127.0.0.1 -p {port} -U 0 -t {threads} -m 64 -c 1024 &
server=$!
LD_PRELOAD= {load} memcached {port} {connections} {seconds} 200
kill $server
wait $server || true
"""

FAULT_IN = "static inline void process_get_command("
FAULT = """
    static pthread_mutex_t planted_lock = PTHREAD_MUTEX_INITIALIZER;
    static unsigned planted_count;
    pthread_mutex_lock(&planted_lock);
    if (++planted_count % 50 == 0)
        usleep(1000);
    pthread_mutex_unlock(&planted_lock);
"""


def fetch(folder):
    """Debian's source package, unpacked and patched; the tree's folder."""
    source = folder / "memcached"
    if source.exists():
        return source
    lists = folder / "apt"
    for name in ("parts", "lists/partial"):
        (lists / name).mkdir(parents=True, exist_ok=True)
    sources = pathlib.Path("/etc/apt/sources.list.d/debian.sources").read_text()
    (lists / "parts" / "src.sources").write_text(sources.replace("Types: deb", "Types: deb-src"))
    options = ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={lists}/parts",
               "-o", f"Dir::State::lists={lists}/lists", "-o", "APT::Sandbox::User=root"]
    subprocess.run(["apt-get", *options, "-q", "update"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["apt-get", *options, "-q", "source", "memcached"], check=True, cwd=folder,
                   stdout=subprocess.DEVNULL)
    unpacked = [p for p in folder.glob("memcached-1.6*") if p.is_dir()]
    unpacked[0].rename(source)
    return source


def line_of(path, function, statement):
    """The line of the first `statement` in `function`."""
    lines = path.read_text().splitlines()
    start = next(i for i, text in enumerate(lines)
                 if re.match(rf"^\S.*\b{function}\(.*{{$", text))
    return next(i + 1 for i in range(start, len(lines)) if lines[i].strip() == statement)


def declare(tree):
    """A request: from the return of the read that brought it to the return of the sendmsg that answers."""
    path = tree / "memcached.c"
    begin = line_of(path, "try_read_network", "pthread_mutex_lock(&c->thread->stats.mutex);")
    end = line_of(path, "transmit", "pthread_mutex_lock(&c->thread->stats.mutex);")
    interval = {"begin": {"function": "try_read_network", "at": {"line": begin}, "id": "c"},
                "end": {"function": "transmit", "at": {"line": end}, "id": "c"}}
    return {"intervals": [interval]}


def plant(tree):
    """Every get takes one lock; one get in 50 holds it for 1 ms."""
    path = tree / "proto_text.c"
    text = path.read_text()
    assert FAULT_IN in text, "memcached's source has changed"
    brace = text.index("{", text.index(FAULT_IN)) + 1
    path.write_text(text[:brace] + FAULT + text[brace:])


def hashes(tree):
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in tree.rglob("*") if p.is_file()}


def compile_tools(folder):
    subprocess.run(["cc", "-O2", "-fPIC", "-shared", str(HERE / "clock.c"), "-o",
                    str(folder / "clock.so"), "-ldl"], check=True)
    subprocess.run(["cc", "-O2", str(HERE.parent / "load.c"), "-o", str(folder / "load"), "-lpthread"],
                   check=True)


def iterate(vprofiler, folder, tree, name, threads, connections):
    config, build = folder / f"{name}.json", folder / f"{name}.sh"
    latencies = folder / f"{name}.latencies"
    config.write_text(json.dumps(declare(tree)))
    build.write_text(BUILD.format(clock=folder / "clock.so", load=folder / "load", port=21311,
                                  latencies=latencies, threads=threads, connections=connections,
                                  seconds=10))
    build.chmod(0o755)
    out = folder / f"{name}-out"
    before = hashes(tree)
    subprocess.run([vprofiler, "iterate", "--k", "3", "--build", str(build), "--auto", "--config",
                    str(config), "--source", str(tree), "--out", str(out)], check=True)
    assert hashes(tree) == before, "the source tree changed"
    report = check_report.read((out / "latest" / "report.json").read_text())
    samples = [tuple(map(int, line.split())) for line in latencies.read_text().splitlines()]
    return report, [latency for latency, _ in samples], [sendmsg for _, sendmsg in samples]


def describe(report, clock, sendmsg):
    intervals = report["intervals"]
    print(f"  intervals {intervals['count']} (clock {len(clock)}), mean {intervals['mean_ns']:.0f} ns "
          f"(clock {statistics.fmean(clock):.0f})")
    variance, independent = intervals["variance_ns2"], statistics.pvariance(clock)
    print(f"  variance {variance:.4g} ns2, independent clock {independent:.4g}: "
          f"ratio {variance / independent:.3f}")
    print(f"  coverage {report['coverage']:.4f}, rounds {report['rounds']}, "
          f"timed {report['functions_timed']} of {report['functions_known']}")
    print(f"  sendmsg by the clock: contribution {statistics.pvariance(sendmsg) / independent:.3f}")
    for factor in report["factors"][:5]:
        print(f"  {factor['rank']}. {' x '.join(factor['functions'])}: "
              f"{factor['contribution']:.3f} {[round(x, 3) for x in factor['ci95']]}")
    return variance / independent


def main():
    vprofiler = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    folder.mkdir(exist_ok=True)
    compile_tools(folder)
    tree = fetch(folder)
    faulty = folder / "memcached-faulty"
    shutil.rmtree(faulty, ignore_errors=True)
    shutil.copytree(tree, faulty, symlinks=True)
    plant(faulty)
    failures = []

    print("pristine:")
    report, clock, sendmsg = iterate(vprofiler, folder, tree, "pristine", 2, 8)
    ratio = describe(report, clock, sendmsg)
    failures += [] if 0.9 <= ratio <= 1.1 else ["the root's variance is not the clock's"]
    failures += [] if report["coverage"] >= 0.95 else ["coverage is low"]
    failures += list(broken(report) or [])

    print("planted fault:")
    report, clock, sendmsg = iterate(vprofiler, folder, faulty, "faulty", 4, 8)
    describe(report, clock, sendmsg)
    first = report["factors"][0]["functions"]
    failures += [] if first == ["pthread_mutex_lock"] else [f"factor 1 is {first}"]
    held, waited = woken_share(report["tree"], first, "process_get_command")
    print(f"  of {waited:.3f} waited for the lock, {held:.3f} is process_get_command's")
    failures += [] if held > 0.8 * waited > 0 else ["the lock's holder is not process_get_command"]
    failures += list(broken(report) or [])
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
