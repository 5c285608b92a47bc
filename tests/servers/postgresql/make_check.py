#!/usr/bin/env python3
"""PostgreSQL's own tests on a server, and its programs, that carry all probes.

usage: make_check.py BUILD PLAIN RESULT FOLDER

As for overhead.py. `make check` runs as the user nobody in PLAIN, and in RESULT's tree without the runtime,
with it and all switches off, and with all of them on. FOLDER gets logs and traces. Prints a row for each; exits 1
where a test that passes in PLAIN fails, or the traces are not as the switches say.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "realcode"), str(HERE.parent)]  # before the check.py of this folder
from carrier import Carrier  # noqa: E402
from check import Traces  # noqa: E402
from projects import PROJECTS  # noqa: E402

SUITE, USER = PROJECTS["postgresql"].suite, PROJECTS["postgresql"].user
CAP_BYTES = 16 << 20  # a process


def suite(tree, log, environment):
    """(name -> passed, seconds)"""
    user = {"user": USER, "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}
    if user:
        subprocess.run(["chown", "-R", USER, str(tree)], check=True)
    start = time.monotonic()
    with open(log, "w") as output:
        subprocess.run(SUITE, shell=True, cwd=tree, stdout=output, stderr=subprocess.STDOUT,
                       stdin=subprocess.DEVNULL, env={**os.environ, "HOME": str(tree), "LC_ALL": "C.UTF-8",
                                                      **environment}, **user)
    return PROJECTS["postgresql"].results(None, log.read_text(errors="replace")), time.monotonic() - start


def traced(build, carrier, folder, name, on):
    with Traces(folder / "traces", USER) as traces:
        carrier.switch(traces.folder, on)
        got = suite(carrier.tree, folder / f"{name}.txt", {
            "LD_PRELOAD": str(build / "lib/libvprof.so.1"), "VPROF_TRACE_DIR": str(traces.folder), "VPROF_TRACE_SHARE": "1",
            "VPROF_TRACE_CAP_BYTES": str(CAP_BYTES), "VPROF_TRACE_KEEP": "newest"})
    return got, traces


def main():
    build, plain, result, folder = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    carrier = Carrier(result)
    print(f"{carrier.functions} functions, {carrier.probes - 1} probes\n\n"
          "| | tests passed | seconds | traces | MiB |\n|---|---|---|---|---|", flush=True)
    wrong = []

    def row(name, got, traces=None):
        results, seconds = got
        files, size = (traces.files, traces.size_bytes >> 20) if traces else (0, 0)
        print(f"| {name} | {sum(results.values())} of {len(results)} | {seconds:.0f} | {files} | {size} |",
              flush=True)
        return results

    before = row("plain", suite(plain, folder / "plain.txt", {}))
    runs = {"probes, no runtime": (suite(carrier.tree, folder / "none.txt", {}), None)}
    row("probes, no runtime", *runs["probes, no runtime"])
    for name, on in (("all off", ()), ("all on", True)):
        runs[name] = traced(build, carrier, folder, name.replace(" ", "-"), on)
        row(name, *runs[name])
    for name, ((results, _), _) in runs.items():
        wrong += [f"{name}: {test} fails" for test, ok in before.items() if ok and not results.get(test)]
    if not before or runs["all on"][1].size_bytes < 4 * runs["all off"][1].size_bytes:
        wrong.append("there were no results, or no more records with all switches on")
    print("\n".join(wrong) or "all as it should be")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
