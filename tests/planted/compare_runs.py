#!/usr/bin/env python3
"""How often `compare --ab` is right about real runs. Not part of the tests: it takes long.

    compare_runs.py VPROFILER same|slow|half COUNT [LOG [PREFIX]]

Each comparison runs a small program 20 times for each side, in turns (the default), with all else
as it stands. 1,000 requests a run: most nap for 60 us, three of a hundred for 0.9 to 1.1 ms, so p99
is in their midst. same: both sides are one program. slow: B's long naps are 11 % longer, which makes
p99 10 % longer. half: B does half of the work, which is a loop of known length. Prints what was found;
a line of each comparison goes to LOG. PREFIX is put before the program: "chrt -f 10" keeps what else
the machine does away from it.
"""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = r"""
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include "vprof_api.h"

static unsigned long long state;

static double chance(void)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void nap(double us)
{
    struct timespec time = {0, (long)(us * 1000)};
    nanosleep(&time, NULL);
}

static void fetch(double slower)
{
    nap((900 + 200 * chance()) * slower);
}

static void reply(void)
{
    nap(60);
}

static volatile unsigned long work;

/* Most requests turn the loop some 100,000 times, three of a hundred a million times. */
static void compute(double part)
{
    double turns = (chance() < 0.03 ? 1e6 : 75000 + 50000 * chance()) * part;
    for (long i = 0; i < (long)turns; i++)
        work += (unsigned long)i;
}

static void handle(long id, double slower, double part)
{
    SI_BEGIN(id);
    if (part > 0)
        compute(part);
    else if (chance() < 0.03)
        fetch(slower);
    else
        reply();
    SI_END(id);
}

int main(int argc, char **argv)
{
    double slower = argc > 1 ? atof(argv[1]) : 1, part = argc > 2 ? atof(argv[2]) : 0;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    state = (unsigned long long)now.tv_nsec * 2654435761u + (unsigned)getpid();
    prctl(PR_SET_TIMERSLACK, 1);
    for (long id = 0; id < 1000; id++)
        handle(id, slower, part);
    return 0;
}
"""


def build(vprofiler, home):
    """The instrumented program, and its functions.json."""
    source = home / "source"
    source.mkdir()
    (source / "server.c").write_text(SERVER)
    command = ["cc", "-O1", "-g", f"-I{ROOT / 'include'}", "-c", "server.c"]
    commands = [{"directory": str(source), "file": "server.c", "arguments": command}]
    (source / "compile_commands.json").write_text(json.dumps(commands))
    subprocess.run([vprofiler, "rewrite", "--quiet", "--tree", home / "tree", "--table",
                    home / "functions.json"], cwd=source, check=True, stdout=subprocess.DEVNULL)
    tree = home / "tree"
    subprocess.run(command, cwd=tree, check=True)
    subprocess.run(["cc", "-o", home / "server", "server.o", "-ldl"], cwd=tree, check=True)
    return home / "server", home / "functions.json"


# What A and B are started with.
WORDS = {"same": ("1", "1"), "slow": ("1", "1.11"), "half": ("1 1", "1 0.5")}


def compare(vprofiler, home, kind, prefix):
    server = f"{prefix} {shlex.quote(str(home / 'server'))}"
    functions = str(home / "functions.json")
    out = home / "out"
    a, b = WORDS[kind]
    done = subprocess.run([vprofiler, "compare", "--ab", "--run-a", f"{server} {a}", "--run-b",
                           f"{server} {b}", "--functions-a", functions, "--functions-b",
                           functions, "--out", out, "--json", "--quiet"],
                          text=True, capture_output=True, cwd=home)
    subprocess.run(["rm", "-rf", out], check=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def told(change):
    low, high = change["ci95_together"] if change and change["finding"] else (None, None)
    return low is not None and (low > 0 or high < 0)


def claims(report):
    """(row, metric, finding) of all that is judged."""
    rows = [("latency", report["latency"])]
    rows += [(" x ".join(f["functions"]), f) for f in report["factors"]]
    found = [(name, metric, row[metric]["finding"]) for name, row in rows
             for metric in ("mean", "variance", "p99") if row[metric]]
    found += [(node["name"], metric, "coloured") for part in ("tree", "root_ledger") for node in report[part]
              for metric in ("mean", "covariance") if node.get("parent", 0) is not None and told(node[metric])]
    return found


def main():
    vprofiler, kind, count = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2], int(sys.argv[3])
    log = open(sys.argv[4], "a") if len(sys.argv) > 4 else None
    prefix = sys.argv[5] if len(sys.argv) > 5 else ""
    findings = dict.fromkeys(("better", "not-different", "inconclusive", "worse"), 0)
    any_row = p99 = 0
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        build(vprofiler, home)
        for _ in range(count):
            report = compare(vprofiler, home, kind, prefix)
            found = [claim for claim in claims(report) if claim[2] in ("better", "worse", "coloured")]
            findings[report["finding"]] += 1
            any_row += bool(found)
            p99 += report["latency"]["p99"]["finding"] in ("better", "worse")
            if log:
                line = {m: {key: report["latency"][m][key] for key in ("change", "ci95", "finding")}
                        for m in ("mean", "variance", "p99")}
                print(json.dumps({"finding": report["finding"], "found": found, **line}), file=log, flush=True)
    print(f"{kind}: of {count} comparisons {findings}; {any_row} name anything better or worse, {p99} p99")


if __name__ == "__main__":
    main()
