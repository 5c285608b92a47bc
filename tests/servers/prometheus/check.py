#!/usr/bin/env python3
"""vprofiler on prometheus-cpp 1.0.1 of Debian's source package, pristine: orders against scrapes.

usage: check.py VPROFILER [WORK_FOLDER]

service.cc is a shop that counts its orders by customer; two scrapers read its metrics once a second each. `iterate
--live` looks for why an order varies: it waits for the mutex of a family (Family::Add). What is named as holding it meanwhile
must be Family::Collect in a scraper's thread before anything else, and no thread may stand there without a function. Then
`compare --ab` sets the service against one that keeps its counters in place of looking them up (SHOP_KEEP): the mean must be
less. Prints the figures; exits 1 where one is out of its bounds. Needs libcivetweb-dev.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import server  # noqa: E402

TIMED = ["Orders::handleGet", "Orders::look_up", "prometheus::Registry::Collect"]


def setting(load, seconds, keep=""):
    return server.Setting(HERE, {"LOAD": str(load), "SHOP_SECONDS": str(seconds), "SHOP_KEEP": keep})


def bring_generated_headers(tree, built):
    """What CMake makes of templates, without the rest of a build: `instrument` configures its own copy."""
    shutil.copytree(tree, built)
    server.run([HERE / "build.sh"], setting("", 0), cwd=built, stdout=subprocess.DEVNULL)
    for part in ("core", "pull"):
        shutil.copytree(built / "build" / part / "include", tree / "build" / part / "include", dirs_exist_ok=True)


def waits(node, within=False):
    """The parts of the report that are waits for a mutex below Family::Add."""
    within = within or node["name"].startswith("prometheus::Family::Add")
    if within and (node["name"] == "pthread_mutex_lock" or "mutex::lock" in node["name"]):
        yield node
        return
    for child in node["children"]:
        yield from waits(child, within)


def blamed(node, name):
    """The share of what functions of that name (a pattern) did meanwhile."""
    if node["blamed"] and re.match(name, node["name"]):
        return node["share"]
    return sum(blamed(child, name) for child in node["children"])


def main():
    vprofiler = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    folder.mkdir(exist_ok=True)
    load, tree = folder / "load", server.source("prometheus-cpp", folder / "source")
    subprocess.run(["c++", "-O2", "-std=c++17", HERE / "load.cc", "-o", load, "-lpthread"], check=True)
    shutil.copy(HERE / "service.cc", tree)
    report = server.iterate(vprofiler, setting(load, 60), tree, folder / "live")
    for factor in report["factors"][:3]:
        print(f"  {factor['rank']}. {' x '.join(factor['functions'])}: {factor['share']:.3f}")
    waited = sum(node["share"] for node in waits(report["tree"]))
    held = {name: sum(blamed(node, name) for node in waits(report["tree"]))
            for name in ("prometheus::Family::Collect$", "Orders::look_up", "wake-up latency", r"thread \d+$")}
    print(f"  waits in Family::Add {waited:.3f};", ", ".join(f"{name} {share:.3f}" for name, share in held.items()))
    bring_generated_headers(tree, folder / "built")
    program = folder / "service-timed"
    table = server.instrument(vprofiler, setting(load, 0), tree, server.compile_commands(folder / "live", tree), TIMED, program)
    text, comparison = server.compare(vprofiler, [setting(load, 10), setting(load, 10, "keep")], program, table,
                                      folder / "compare", 8)
    print(text)
    failures = [] if waited > 0.5 else [f"waits in Family::Add have {waited:.3f} of the variance"]
    failures += [] if max(held, key=held.get).startswith("prometheus::Family::Collect") else ["another holds it longer"]
    failures += [] if held[r"thread \d+$"] < 0.02 else ["threads without a function hold it"]
    failures += server.not_better(comparison, ["mean"])
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
