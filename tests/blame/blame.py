#!/usr/bin/env python3
"""Profiles one program with a planted cause and compares the report with what the program measured itself.

    blame.py VPROFILER CASE [--live] [--keep FOLDER]

CASE is a folder beside this file. Exit status 0: all that its expect.py says holds; 77: this machine can not say.
"""
import contextlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "report"))
import check_report  # noqa: E402

sys.path.append(str(HERE.parent))
import left_out  # noqa: E402
import never_idle  # noqa: E402

BUILD = """#!/bin/sh
set -e
FLAGS="-O2 -g -Wall $VARIANT $VPROF_CFLAGS"
if [ -f main.cc ]; then ${CXX:-c++} -std=c++20 $FLAGS main.cc -o prog -lpthread -lm $VPROF_LIBS
else ${CC:-cc} $FLAGS main.c -o prog -lpthread -lm $VPROF_LIBS; fi
[ -n "$BUILD_ONLY" ] || exec ./run.sh
"""

RUN = """#!/bin/sh
chrt -f 10 true 2>/dev/null && RT="chrt -f 10"
exec $RT ./prog
"""


class Failed(Exception):
    """What the report says is not what it must say."""


class Skipped(Exception):
    """Why this machine can not say whether it does."""


def variant_of(case):
    """The folder whose files these are, and what is defined for this one."""
    file = case / "variant"
    text = file.read_text() if file.exists() else case.name
    base, *flags = text.split("#")[0].split()
    return HERE / base, " ".join(flags)


def lay_out(case, tree):
    shutil.copytree(case, tree)
    for header in HERE.glob("*.h"):
        shutil.copy(header, tree)
    for name, text in {"build.sh": BUILD, "run.sh": RUN}.items():
        script = tree / name
        if not script.exists():
            script.write_text(text)
        script.chmod(0o755)


def profile(vprofiler, case, flags, folder, live):
    """(report.json, truth.json) of a copy of the case."""
    tree, truth = folder / "tree", folder / "truth.json"
    lay_out(case, tree)
    command = [vprofiler, "iterate", "--k", "3", "--build", "build.sh", "--auto"]
    command += ["--run", "run.sh", "--live"] if live else []
    options = case / "options"
    command += options.read_text().split() if options.exists() else []
    only = ["BUILD_ONLY=1"] if live else []
    run = subprocess.run(["env", f"TRUTH={truth}", f"VARIANT={flags}", *only, *command], cwd=tree, text=True,
                         stdin=subprocess.DEVNULL, capture_output=True, timeout=280)
    measured = json.loads(truth.read_text()) if truth.exists() else {}
    if "skip" in measured:
        raise Skipped(measured["skip"])
    if run.returncode != 0:
        raise Failed(f"exit status {run.returncode}:\n{run.stderr[-2000:]}")
    report = check_report.read((tree / "vprofiler-out/latest/report.json").read_text())
    return report, measured


def nodes(node, path=()):
    """Each node of the tree with the names from the root to it."""
    path += (node["name"],)
    yield node, path
    for child in node.get("children", []):
        yield from nodes(child, path)


def watched(report):
    """Whether the kernel's side of the run was recorded."""
    return all(note["code"] != "preemption-not-separated" for note in report["notes"])


def names_of(report, truth, variant, live):
    """What expect.py may use."""
    tree = list(nodes(report["tree"]))

    def own(name):
        """The nodes of that name in the requests themselves."""
        return [node for node, _ in tree if node["name"] == name and not node["blamed"]]

    def blamed(*names):
        """The share of what these did while a request waited for them; none is counted twice."""
        return sum(node["share"] for node, path in tree
                   if node["name"] in names and node["blamed"] and not set(names) & set(path[:-1]))

    def kernel(what, *below, blamed=False):
        """Nodes of what the kernel did, in the requests or while these waited, below all of these functions."""
        return [node for node, path in tree
                if node.get("kernel") == what and node["blamed"] == blamed and set(below) <= set(path[:-1])]

    def whole(found, field="share"):
        return sum(node[field] for node in found)

    def lasts(what, found, measured_us, most=0.03):
        """How long that takes of a request. A live look has some of the requests: there, what part it is of them."""
        mean = report["intervals"]["mean_ns"]
        said, measured = whole(found, "mean_ns") / mean, measured_us / truth["mean_us"]
        near(f"what {what} takes of a request", said, measured, 0.04 if live else most * measured)

    def factor(*functions):
        """That of a function, or of a pair."""
        for one in report["factors"]:
            if one["functions"] == list(functions):
                return one
        raise Failed(f"{functions} is no factor")

    starved = sum(max(line["share"], 0) for line in report["root_ledger"] if "kernel" in line or line["kind"] == "wake-up")

    def near(what, said, measured, most=0.04, may_lack=0):
        print(f"{what}: {said:.3f}, by the program's own clock {measured:.3f}")
        lacks = min(max(measured - said, 0), may_lack)
        expect(abs(said + lacks - measured) < most, f"{what} is {said:.3f}, and not {measured:.3f}")

    def expect(holds, otherwise):
        if not holds:
            raise Failed(otherwise)

    def root(functions, share=None, most=0.03):
        """The first line of the root ledger. The program's clock goes on while its threads have no processor, for which
        the ledger has lines of their own: what it measured may be that much more, unless that is what was planted."""
        line = report["root_ledger"][0]
        expect(line["name"] in functions, f"{line['name']} does it, and not {functions}")
        if share is not None:
            near(f"what goes back to {line['name']}", line["share"], share, most, starved if starved < 0.15 else 0)

    def unnamed():
        """Wakers of which nothing is known but that they are threads; who had a processor meanwhile may be anybody."""
        waits = {"preempted", "waiting for a processor"}
        return [path for node, path in tree
                if node["share"] > 0.05 and node["name"].startswith("thread ") and not waits & set(path)]

    def warned(code):
        return [w["message"] for w in report["warnings"] if w["code"] == code]

    def skip(why):
        raise Skipped(why)

    return {"report": report, "live": live, "watched": watched(report), "skip": skip, "kernel": kernel, "whole": whole,
            "lasts": lasts, "starved": starved, "truth": truth, "variant": variant, "tree": tree, "own": own,
            "blamed": blamed, "near": near, "factor": factor, "expect": expect, "root": root, "unnamed": unnamed,
            "warned": warned, "names": {node["name"] for node, _ in tree}, "first": report["factors"][0]}


def check_laws(report, truth, live):
    """`--live` analyses some of the program's requests, a round that recompiles all of them."""
    intervals = report["intervals"]
    leaves = sum(n["share"] for n, _ in nodes(report["tree"]) if not n.get("children"))
    faults = {f"{report['lost_records']} records lost": report["lost_records"] != 0,
              f"the shares of the leaves are {leaves}": abs(leaves - 1) > 1e-9}
    if not live:
        faults[f"{intervals['count']} intervals, and not {truth['n']}"] = intervals["count"] != truth["n"]
        variance = intervals["variance_ns2"] / 1e6
        faults[f"variance {variance} us2, and not {truth['var']}"] = abs(variance / truth["var"] - 1) > 0.1
        mean = intervals["mean_ns"] / 1e3
        faults[f"mean {mean} us, and not {truth['mean_us']}"] = abs(mean / truth["mean_us"] - 1) > 0.02
    for fault, found in faults.items():
        if found:
            raise Failed(fault)


def check(vprofiler, case, folder, live):
    base, flags = variant_of(case)
    report, truth = profile(vprofiler, base, flags, folder, live)
    if base.name.startswith("kernel_") and not watched(report):
        raise Skipped("the kernel's side of the run was not recorded")
    check_laws(report, truth, live)
    text = (base / "expect.py").read_text()
    try:
        exec(compile(text, str(base / "expect.py"), "exec"), names_of(report, truth, flags, live))  # pylint: disable=exec-used
    except Failed as failed:
        doubts = [w["code"] for w in report["warnings"] if w["code"] in ("wakings-missing", "lost-kernel-records")]
        if not base.name.startswith("kernel_") or not doubts:
            raise
        raise Skipped(f"the kernel did not tell all of the run ({doubts[0]}): {failed}") from failed


def main(vprofiler, name, *options):
    keep = pathlib.Path(options[options.index("--keep") + 1]) if "--keep" in options else None
    folder = keep.resolve() if keep else pathlib.Path(tempfile.mkdtemp(prefix="vprofiler-blame-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with never_idle.all_processors() if name.startswith("kernel_") else contextlib.nullcontext():
            check(str(pathlib.Path(vprofiler).resolve()), HERE / name, folder, "--live" in options)
    except (Failed, AssertionError) as failed:
        print(f"FAIL {name}: {failed}")
        return 1
    except Skipped as skipped:
        print(f"SKIP {name}: {skipped}")
        left_out.say("what the kernel tells of a run", how="a machine where `vprofiler doctor` says that all of it can be "
                     "recorded, and whose processors tell it while they are idle")
        return 77
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"PASS {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
