#!/usr/bin/env python3
"""vprofiler on prometheus-cpp 1.0.1 of Debian's source package, pristine: orders against scrapes.

usage: check.py VPROFILER [WORK_FOLDER]

service.cc is a shop that counts its orders by customer; two scrapers read its metrics once a second each. `iterate
--live` looks for why an order varies: it waits for the mutex of a family (Family::Add), and most of that wait has to
stand at the function that holds it meanwhile in a scraper's thread (Family::Collect). Then `compare --ab` sets the service
against one that keeps its counters in place of looking them up (SHOP_KEEP): the variance must be less. Prints the figures;
exits 1 where one is out of its bounds. Needs libcivetweb-dev.
"""
import pathlib
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
    """The share of what `name` did meanwhile."""
    if node["blamed"] and name in node["name"]:
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
    held = sum(blamed(node, "prometheus::Family::Collect") for node in waits(report["tree"]))
    print(f"  waits in Family::Add {waited:.3f}, of them Collect in a scraper's thread {held:.3f}")
    bring_generated_headers(tree, folder / "built")
    program = folder / "service-timed"
    table = server.instrument(vprofiler, setting(load, 0), tree, server.compile_commands(folder / "live", tree), TIMED, program)
    text, comparison = server.compare(vprofiler, [setting(load, 8), setting(load, 8, "keep")], program, table,
                                      folder / "compare", 8)
    print(text)
    failures = [] if waited > 0.5 else [f"waits in Family::Add have {waited:.3f} of the variance"]
    failures += [] if held > 0.7 * waited else [f"Collect has {held:.3f} of {waited:.3f}"]
    failures += server.not_better(comparison, ["variance"])
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
