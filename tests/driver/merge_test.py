#!/usr/bin/env python3
"""Law 4: merging parts gives the whole, bit for bit; and analyze gives again what iterate found. A part is a process's
file: what a recorder saw of several at once has no parts.

usage: merge_test.py VPROFILER

One run of examples/prefork (five processes that wait for each other), one of examples/pointer
(whose names come from the program's symbols). The traces are then spread over folders in every way
that may not matter, and given to hosts that they were not recorded on.
"""
import csv
import itertools
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "report"))
import check_report  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
HOST_AT, PID_AT, CLOCK_AT, CALIBRATION_AT, REALTIME_AT, SEAL_AT = 104, 24, 32, 48, 80, 480
# What tells where numbers come from, and not what they are.
PROVENANCE = ("target", "rounds", "functions_timed", "origin")
failures = []
count = 0


def expect(name, truth, detail=""):
    global count
    count += 1
    if not truth:
        failures.append(name)
        print(f"FAILED {name} {detail}")


class Bench:
    def __init__(self, vprofiler):
        self.vprofiler = vprofiler
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="vprofiler-merge-"))
        self.number = 0

    def run(self, command, *arguments):
        """Exit code, stderr, and report.json as text."""
        self.number += 1
        out = self.home / f"out-{self.number}"
        got = subprocess.run([self.vprofiler, command, *map(str, arguments), "--out", str(out)],
                             text=True, capture_output=True, timeout=300)
        report = out / "latest" / "report.json"
        return got.returncode, got.stderr, report.read_text() if report.exists() else "", out

    def report(self, name, command, *arguments):
        code, message, text, _ = self.run(command, *arguments)
        expect(f"{name}: exit", code == 0, message)
        return check_report.read(text) if text else {}

    def iterate(self, example):
        tree = self.home / example
        shutil.copytree(EXAMPLES / example, tree)
        for file in (EXAMPLES / "planted").iterdir():
            (tree / file.name).unlink(missing_ok=True)
            shutil.copy(file, tree / file.name)
        got = subprocess.run([self.vprofiler, "iterate", "--kernel", "off", "--build", "build.sh", "--auto", "--out",
                              "result"], cwd=tree, stdin=subprocess.DEVNULL, text=True,
                             capture_output=True, timeout=300)
        expect(f"{example}: exit", got.returncode == 0, got.stderr)
        return tree / "result" / "latest"


def numbers(report):
    return {key: value for key, value in report.items() if key not in PROVENANCE}


def last_round(result):
    return sorted((result / "rounds").iterdir())[-1]


def folder_of(home, name, functions, traces):
    """`traces` are (file, name there)."""
    folder = home / name
    folder.mkdir()
    shutil.copy(functions, folder / "functions.json")
    for file, there in traces:
        shutil.copy(file, folder / there)
        if (file.parent / "objects").is_dir():  # the programs' code, which names who released a lock
            shutil.copytree(file.parent / "objects", folder / "objects", dirs_exist_ok=True)
    return folder


def change(path, at, form, value):
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(struct.pack(form, value))


def read(path, at, form):
    with open(path, "rb") as file:
        file.seek(at)
        return struct.unpack(form, file.read(struct.calcsize(form)))[0]


def unseal(path):
    """What is changed here no longer is what the seal says."""
    change(path, SEAL_AT, "48s", b"")


def shift_clock(folder, ticks):
    for path in folder.glob("*.vtr"):
        unseal(path)
        if read(path, CLOCK_AT, "<I") != 3:
            for at in (40, CALIBRATION_AT, CALIBRATION_AT + 16):
                change(path, at, "<Q", read(path, at, "<Q") + ticks)


def give_host(folder, host, ticks=0):
    """As if recorded on another machine, whose counter is `ticks` ahead."""
    for path in folder.glob("*.vtr"):
        change(path, HOST_AT, "64s", host.encode())
    shift_clock(folder, ticks)


def walk(node, path=()):
    yield path, node
    for child in node["children"]:
        yield from walk(child, path + ((child["name"], child["kind"]),))


def moments(report):
    return {path: {key: int(value) for key, value in node["moments"].items()}
            for path, node in walk(report["tree"])}


def test_again(bench, result):
    code, message, text, _ = bench.run("analyze", result)
    expect("again: exit", code == 0, message)
    expect("again: the same bytes", text == (result / "report.json").read_text())


def test_names_need_the_program(bench, result):
    """Without the programs that the result keeps, an indirect callee would have no name."""
    expect("names: kept", not (result / "tree").exists())
    expect("names: there", "[indirect]" not in (result / "report.json").read_text())
    without = bench.home / "without"
    shutil.copytree(result.resolve(), without, symlinks=True)
    shutil.rmtree(last_round(without) / "trace" / "objects")
    report = bench.report("names", "analyze", without)
    expect("names: lost", "[indirect]" in json.dumps(report["tree"]))


def test_split(bench, result):
    """Five processes, five folders, some orders of the arguments; and their files renamed."""
    trace, functions = last_round(result) / "trace", last_round(result) / "functions.json"
    files = sorted(trace.glob("*.vtr"))
    expect("split: processes", len(files) >= 4, str(files))
    whole = folder_of(bench.home, "whole", functions, [(file, file.name) for file in files])
    parts = [folder_of(bench.home, f"part-{i}", functions, [(file, "1.vtr")])
             for i, file in enumerate(files)]
    wanted = numbers(bench.report("split: whole", "analyze", whole))
    before = numbers(check_report.read((result / "report.json").read_text()))
    expect("split: as iterate", dict(wanted, warnings=0) == dict(before, warnings=0))
    blamed = [node["name"] for _, node in walk(wanted["tree"]) if node["kind"] == "woken-by"]
    expect("split: across processes", "checkpoint" in blamed, str(blamed))
    for order in (parts, parts[::-1], parts[2:] + parts[:2]):
        got = numbers(bench.report("split", "merge", *order))
        expect("split: the whole", got == wanted)
    code, _, text, out = bench.run("merge", *parts)
    again = bench.run("analyze", out)
    expect("split: a merged result is a result", code == 0 and again[2] == text, again[1])
    _, _, text, first = bench.run("merge", *parts[:3])
    got = numbers(bench.report("split: twice", "merge", first, *parts[3:]))
    expect("split: merged twice", got == wanted)


def test_hosts(bench, result):
    """The same run on three machines, with the same file names and process ids."""
    trace, functions = last_round(result) / "trace", last_round(result) / "functions.json"
    files = [(file, file.name) for file in sorted(trace.glob("*.vtr"))]
    hosts = [folder_of(bench.home, f"host-{i}", functions, files) for i in range(3)]
    for i, host in enumerate(hosts):
        give_host(host, f"host{i}", ticks=10**13 * (2 - i))
    one = numbers(bench.report("hosts: one", "analyze", hosts[0]))
    orders = [numbers(bench.report("hosts", "merge", *order))
              for order in itertools.permutations(hosts)]
    expect("hosts: any order", all(order == orders[0] for order in orders))
    merged, three = moments(orders[0]), moments(one)
    expect("hosts: three times as much",
           merged == {path: {key: 3 * value for key, value in node.items()}
                      for path, node in three.items()})
    expect("hosts: the same shares", all(
        a["share"] == b["share"]
        for (_, a), (_, b) in zip(walk(orders[0]["tree"]), walk(one["tree"]))))
    tables = bench.home / "tables"
    subprocess.run([bench.vprofiler, "export", *map(str, hosts), "--format", "csv", "--quiet",
                    "--output", str(tables)], check=True)
    rows = list(csv.DictReader(open(tables / "intervals.csv", newline="")))
    begins = [int(row["begin_ns"]) for row in rows]
    expect("hosts: one after the other", begins == sorted(begins) and
           [row["host"] for row in rows] == sorted(row["host"] for row in rows))
    code, message, _, _ = bench.run("merge", hosts[0], hosts[0])
    expect("hosts: twice", code == 2 and "the same trace" in message, message)


def test_one_name(bench, result):
    """Two machines of one name and one time of boot: found by their clocks."""
    trace, functions = last_round(result) / "trace", last_round(result) / "functions.json"
    files = sorted(trace.glob("*.vtr"))
    if read(files[0], CLOCK_AT, "<I") == 3:
        return
    halves = [folder_of(bench.home, f"half-{i}", functions,
                        [(file, file.name) for file in files[i::2]]) for i in range(2)]
    give_host(halves[1], "same", ticks=10**13)
    give_host(halves[0], "same")
    code, message, _, _ = bench.run("merge", *halves)
    expect("one name: refused", code == 2 and "--separate" in message, message)
    orders = [numbers(bench.report("one name", "merge", *order, "--separate"))
              for order in (halves, halves[::-1])]
    expect("one name: separate", orders[0] == orders[1])


def test_reboot(bench, result):
    """A later boot of the same machine, whose clocks begin anew, is another host."""
    trace, functions = last_round(result) / "trace", last_round(result) / "functions.json"
    files = [(file, file.name) for file in sorted(trace.glob("*.vtr"))]
    boots = [folder_of(bench.home, f"boot-{i}", functions, files) for i in range(2)]
    shift_clock(boots[1], 10**12)
    for path in boots[1].glob("*.vtr"):
        change(path, REALTIME_AT, "<Q", read(path, REALTIME_AT, "<Q") + 10**15)
    one = moments(numbers(bench.report("reboot: one", "analyze", boots[0])))
    two = moments(numbers(bench.report("reboot", "merge", *boots)))
    expect("reboot: twice as much", two == {
        path: {key: 2 * value for key, value in node.items()} for path, node in one.items()})


def test_wrong_use(bench, result):
    functions = last_round(result) / "functions.json"
    trace = last_round(result) / "trace"
    file = next(trace.glob("*.vtr"))
    parts = [folder_of(bench.home, f"other-{i}", functions, [(file, f"{i}.vtr")]) for i in range(2)]
    change(parts[1] / "1.vtr", PID_AT, "<I", 1)
    changed = json.loads((parts[1] / "functions.json").read_text())
    changed["probes"] = changed["probes"][:-1]
    (parts[1] / "functions.json").write_text(json.dumps(changed))
    code, message, _, out = bench.run("merge", *parts)
    expect("functions differ", code == 2 and "Instrument once" in message, message)
    expect("nothing is left", not out.exists(), str(out))
    (parts[1] / "functions.json").unlink()
    code, message, _, _ = bench.run("analyze", parts[1])
    expect("no functions", code == 2 and "--functions" in message, message)
    code, message, _, _ = bench.run("analyze", parts[1], "--functions", functions)
    expect("functions named", code in (0, 3), message)
    code, message, _, _ = bench.run("merge", parts[0])
    expect("one is not two", code == 2 and "vprofiler analyze" in message, message)
    code, message, _, _ = bench.run("analyze", bench.home / "nowhere")
    expect("no folder", code == 2 and "There is no folder" in message, message)
    empty = bench.home / "empty"
    empty.mkdir()
    code, message, _, _ = bench.run("analyze", empty)
    expect("no trace", code == 3 and "VPROF_TRACE_DIR" in message, message)
    (empty / "1.vtr").write_bytes(b"no trace at all" * 1000)
    shutil.copy(functions, empty / "functions.json")
    code, message, _, _ = bench.run("analyze", empty)
    expect("damaged", code == 1 and "empty/1.vtr" in message, message)


def main():
    bench = Bench(sys.argv[1])
    try:
        prefork, pointer = bench.iterate("prefork"), bench.iterate("pointer")
        test_again(bench, prefork)
        test_again(bench, pointer)
        test_names_need_the_program(bench, pointer)
        test_split(bench, prefork)
        test_hosts(bench, prefork)
        test_one_name(bench, prefork)
        test_reboot(bench, prefork)
        test_wrong_use(bench, prefork)
    finally:
        if failures:
            print(f"kept {bench.home}")
        else:
            shutil.rmtree(bench.home)
    print(f"{count - len(failures)} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
