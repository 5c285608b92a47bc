#!/usr/bin/env python3
"""The other faces of `vprofiler waits`, of traces whose waits are known: its page beside the result, tables, DOT, a
timeline for viewers, and two runs compared.

usage: faces_test.py VPROFILER WAITS_PRINT
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "trace"), str(HERE.parent / "report")]
import check_report  # noqa: E402
import known_test  # noqa: E402
import left_out  # noqa: E402
import make_vtr  # noqa: E402

VPROFILER, WAITS_PRINT = sys.argv[1:3]
CASES = {case["name"]: case for case in json.loads((HERE / "known_cascades.json").read_text())["cases"]}
SCHEMA = json.loads((HERE.parents[1] / "docs" / "waits-compare.schema.json").read_text())
ROUND = 10_000_000


def turns(rounds, waited):
    """Thread 1 waits for thread 2, which runs always, for waited(n) ns of round n of 10 ms."""
    events = [["switch", 0, 0, 0, 1, "blocked"], ["switch", 0, 1, 0, 2, "blocked"]]
    for n in range(rounds):
        end = (n + 1) * ROUND
        events += [["switch", end - waited(n), 0, 1, 0, "blocked"], ["waking", end - 1000, 1, 2, 1, "task"],
                   ["switch", end - 500, 0, 0, 1, "blocked"]]
    return {"name": "turns", "threads": [1, 2], "events": sorted(events, key=lambda event: event[1])}


def run(*words, status=0):
    done = subprocess.run([VPROFILER, *map(str, words)], text=True, capture_output=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def folder_of(case, folder):
    folder.mkdir()
    make_vtr.make_directory(known_test.files_of(case), folder)
    return folder


def rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_page(home):
    """It lies in what was named, says that on stderr, and is no result."""
    folder = folder_of(CASES["k3_chain"], home / "page")
    done = run("waits", folder)
    assert f"wrote {folder}/waits.html, waits.json" in done.stderr, done.stderr
    assert "waits.html" not in done.stdout, done.stdout
    page = (folder / "waits.html").read_text()
    assert 'id="edge-table"' in page and "https://" not in page and "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert json.loads((folder / "waits.json").read_text()) == json.loads(run("waits", "--json", folder).stdout)


def test_worth(home):
    """The page has of each edge what its replay gave; and of requests nothing, where there are none."""
    folder = folder_of(turns(200, lambda n: 4_000_000), home / "worth")
    run("waits", folder)
    page, told = (folder / "waits.html").read_text(), json.loads((folder / "waits.json").read_text())
    table = page[page.index('id="edge-table"'):]
    titles = re.findall(r"<th[^>]*>([^<]*)</th>", table[:table.index("</thead>")])
    assert "without it" in titles and "of variance" not in titles, titles
    replayed = {replay["edge"]: replay["gone"]["speedup"] for replay in told["replay"]["edges"]}
    assert replayed, told["replay"]
    for row in re.findall(r'<tr data-edge="(\d+)"[^>]*>(.*?)</tr>', table[:table.index("</table>")], re.S):
        cells = re.findall(r"<td[^>]*>([^<]*)</td>", row[1])
        said, speedup = cells[titles.index("without it")], replayed.get(int(row[0]))
        assert said == (f"{speedup:.1f}x" if speedup is not None and speedup < 10 else ""), (row, speedup)


def test_no_page(home):
    """Where it can't be written, the answer stands all the same."""
    folder = folder_of(CASES["k3_chain"], home / "no-page")
    (folder / "waits.html").mkdir()
    done = run("waits", folder)
    assert "no page: " in done.stderr and "waits for" in done.stdout, (done.stdout, done.stderr)


def test_tables(home):
    for name in ("k3_chain", "k9_irqs", "rnd101"):
        case, out = CASES[name], home / f"tables-{name}"
        run("export", "--format", "csv", "--output", out, folder_of(case, home / name))
        groups = {row["group"]: row for row in rows(out / "wait_groups.csv")}
        names = {number: known_test.name_of(row) for number, row in groups.items()}
        edges = rows(out / "wait_edges.csv")
        for key, column in (("raw", "raw_ns"), ("cascaded", "cascaded_ns"), ("leaf", "leaf_ns")):
            said = {f"{names[row['from']]}->{names[row['to']]}": int(row[column]) for row in edges if int(row[column])}
            assert said == case[key], (name, key, said, case[key])
        blame = {names[number]: int(row["blamed_ns"]) for number, row in groups.items() if int(row["blamed_ns"])}
        assert blame == case["blame"], (name, blame)
        assert (out / "wait_processor.csv").exists()


def test_dot(home):
    folder = folder_of(turns(200, lambda n: 4_000_000), home / "dot")
    text = run("export", "--format", "dot", folder).stdout
    nodes = dict(re.findall(r'^  (n\d+) \[label="([^"]+)"', text, re.M))
    edges = re.findall(r'^  (n\d+) -> (n\d+) \[label="([^"]+)"', text, re.M)
    assert [(nodes[a], nodes[b], share) for a, b, share in edges] == [("t1", "t2", "40 %")], text
    assert not re.findall(" -> ", run("export", "--format", "dot", "--least", "0.5", folder).stdout)
    if not left_out.lacks("dot", "drawing by Graphviz", "graphviz"):
        drawn = subprocess.run(["dot", "-Tsvg"], input=text, text=True, capture_output=True, check=True)
        assert not drawn.stderr and "40 %" in drawn.stdout.replace("&#160;", " "), drawn.stderr


def slices_of(trace):
    """{thread: {name: ns}}, each closed as it was opened."""
    sums, open_ = collections.defaultdict(collections.Counter), {}
    for event in trace["traceEvents"]:
        if event["ph"] == "B":
            assert event["tid"] not in open_, event
            open_[event["tid"]] = event
        elif event["ph"] == "E":
            begun = open_.pop(event["tid"])
            sums[event["tid"]][begun["name"]] += round(1000 * (event["ts"] - begun["ts"]))
    assert not open_
    return sums


def test_chrome(home):
    """All of the run, and half a second of it."""
    folder = folder_of(turns(100, lambda n: 4_000_000 + 1000 * n), home / "chrome")
    whole = json.loads(run("export", "--format", "chrome", "--for", "60s", folder).stdout)
    sums = slices_of(whole)
    waited = sum(4_000_000 + 1000 * n - 1000 for n in range(100))
    assert sums[1]["waits for t2 (2)"] == waited, sums[1]
    assert sums[1]["wants a processor"] == 100 * 500 and sums[2]["runs"] > 0.99 * 100 * ROUND, sums
    assert sum(sums[1].values()) == 100 * ROUND - 500, sum(sums[1].values())
    arrows = [event for event in whole["traceEvents"] if event["ph"] == "s"]
    assert len(arrows) == 100 and {event["tid"] for event in arrows} == {2}, len(arrows)
    ends = sorted(event["ts"] for event in whole["traceEvents"] if event["ph"] == "f")
    assert ends == [(n + 1) * ROUND / 1000 - 1 for n in range(100)], ends[:3]
    labels = {event["args"]["name"] for event in whole["traceEvents"] if event["ph"] == "M"}
    assert {"t1 (1)", "t2 (2)", "processor 0", "processor 1"} <= labels, labels
    part = slices_of(json.loads(run("export", "--format", "chrome", "--for", "1s", "--at", "1s", folder, status=2).stderr and
                                run("export", "--format", "chrome", "--for", "1s", folder).stdout))
    assert part[1] == sums[1], part[1]


def test_folded(home):
    folder = folder_of(CASES["k3_chain"], home / "folded")
    assert "No stacks" in run("export", "--format", "folded", folder, status=3).stderr
    made = home / "stacks"
    made.mkdir()
    subprocess.run([WAITS_PRINT, "server", made], check=True)
    log, who = "log_writer_main;log_write_up_to;fil_flush;os_file_flush", "worker of server x 4"
    wait = "trx_commit;log_wait_for_flush(unsigned long, bool);os_event::wait_low;pthread_cond_wait"
    assert sorted((made / "waits.folded").read_text().splitlines()) == sorted([
        f"{who};waits for log-writer of server;{wait} 5000000000",
        f"{who};is woken by log-writer of server;clone3;start_thread;{log} 5000000000",
        f"log-writer of server;waits for disk vda;clone3;start_thread;{log};fsync;blkdev_issue_flush_[k] 1400000000",
        f"{who};runs;serve;parse_statement 300000000"])
    assert "no speedscope" in run("export", "--format", "speedscope", folder, status=2).stderr


def compared(a, b):
    done = run("compare", "--json", a, b)
    found = json.loads(done.stdout)
    check_report.SCHEMA = SCHEMA
    faults = check_report.faults(found, SCHEMA)
    assert not faults, faults
    return found


def test_compare(home):
    """40 % and 20 % of the time, a little more or less in each window."""
    wobble = lambda n: 100_000 * (n // 10 % 3 - 1)
    a = folder_of(turns(200, lambda n: 4_000_000 + wobble(n)), home / "a")
    b = folder_of(turns(200, lambda n: 2_000_000 + wobble(n + 10)), home / "b")
    found = compared(a, b)
    first = found["edges"][0]
    assert found["changed"] == 1 and first["surely"] and first["from"]["name"] == "t1" and first["to"]["name"] == "t2"
    assert abs(first["a"] - 0.4) < 0.002 and abs(first["b"] - 0.2) < 0.002 and abs(first["change"] + 0.2) < 0.002, first
    assert -0.21 < first["ci95"][0] < first["change"] < first["ci95"][1] < -0.19, first
    assert found["a"]["knots"] == found["b"]["knots"] == [["t2"]] or found["a"]["knots"], found["a"]
    swapped = compared(b, a)["edges"][0]
    assert swapped["change"] == -first["change"] and swapped["ci95"] == [-first["ci95"][1], -first["ci95"][0]], swapped
    same = compared(a, a)
    assert same["changed"] == 0 and same["edges"][0]["change"] == 0, same["edges"][0]
    text = run("compare", a, b).stdout
    assert "1 of 1 waits surely changed: t1 for t2 40 % of the time, now 20 %." in " ".join(text.split()), text
    assert re.search(r"^! t1 +t2 +(39\.9|40\.0) % +20\.\d % +-(19\.9|20\.\d) +-20\.\d \.\. -19\.\d$", text, re.M), text
    assert "text or json" in run("compare", "--format", "html", a, b, status=2).stderr


def main():
    with tempfile.TemporaryDirectory() as name:
        for test in (test_page, test_worth, test_no_page, test_tables, test_dot, test_chrome, test_folded, test_compare):
            test(pathlib.Path(name))


if __name__ == "__main__":
    main()
