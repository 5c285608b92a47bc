"""What the checks of servers have in common: vprofiler's commands, and a ground truth that shares nothing with it.

    tree = server.source("redis", folder)                          Debian's source package
    report = server.iterate(vprofiler, setting, tree, out)         --live; setting: what HERE/ holds
    rows = server.uprobes(program, begin, end, functions, run)     while run() runs, by bpftrace
    server.table(report, rows, functions)                          both accounts, side by side
"""
import collections
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "realcode"))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "report"))
import check_report  # noqa: E402
import debian_source  # noqa: E402

READY_SECONDS = 30  # bpftrace has set its probes by then

# The folder of a server's build.sh, run.sh and vprofiler.json; variables for both scripts.
Setting = collections.namedtuple("Setting", "folder environment")


def source(package, folder):
    """Its tree, unpacked and patched."""
    folder.mkdir(parents=True, exist_ok=True)
    return debian_source.fetch(package, folder)[0].resolve()


def run(command, setting, **more):
    return subprocess.run([str(word) for word in command], check=True,
                          env={**os.environ, **setting.environment}, **more)


def result(out):
    return check_report.read((out / "latest" / "report.json").read_text())


def iterate(vprofiler, setting, tree, out):
    """One build with all probes, one run, until the factors are known."""
    run([vprofiler, "iterate", "--live", "--auto", "--quiet", "--source", tree, "--out", out,
         "--build", setting.folder / "build.sh", "--run", setting.folder / "run.sh",
         "--config", setting.folder / "vprofiler.json"], setting)
    return result(out)


def compile_commands(out, tree):
    """What `iterate` wrote down of its first build, as a compile_commands.json of the tree."""
    loop = (out / "latest").resolve()
    commands = []
    for entry in (loop / "compiles.log").read_text().split("\0\n"):
        words = entry.strip("\0").replace(str(loop / "tree"), str(tree)).split("\0")
        files = [word for word in words[1:] if word.endswith((".c", ".cc"))]
        if "-c" in words and len(files) == 1 and words[0].startswith(str(tree)):
            commands.append({"directory": words[0], "arguments": words[1:], "file": files[0]})
    path = out / "compile_commands.json"
    path.write_text(json.dumps(commands))
    return path


def instrument(vprofiler, setting, tree, compiles, functions, copy):
    """A copy of the tree, built, in which these functions and the calls in them are timed; its functions.json."""
    if copy.with_suffix(".json").exists():
        return copy.with_suffix(".json")
    names = ",".join(functions)
    run([vprofiler, "rewrite", "--quiet", "--source", tree, "--tree", copy, "--sync", "--time", names,
         "--open", names, "--compile-commands", compiles, "--table", copy.with_suffix(".json"),
         "--out", copy.with_suffix(".out"), "--config", setting.folder / "vprofiler.json"], setting)
    with open(copy.with_suffix(".log"), "w") as log:
        run([setting.folder / "build.sh"], setting, cwd=copy, stdout=log, stderr=log)
    return copy.with_suffix(".json")


def record(vprofiler, setting, copy, table, out):
    run([vprofiler, "record", "--quiet", "--functions", table, "--out", out, "--",
         setting.folder / "run.sh"], setting, cwd=copy, stdout=subprocess.DEVNULL)
    return result(out)


def compare(vprofiler, settings, copy, table, out, rounds):
    """A and B, which differ in their settings, in turns; what vprofiler prints, and its JSON."""
    commands = [" ".join(["cd", str(copy), "&&", "env"] + [f"'{name}={value}'" for name, value
                         in setting.environment.items()] + [str(setting.folder / "run.sh")])
                for setting in settings]
    done = subprocess.run([vprofiler, "compare", "--ab", "--rounds", str(rounds), "--run-a", commands[0],
                           "--run-b", commands[1], "--functions-a", table, "--functions-b", table,
                           "--out", out], stdout=subprocess.PIPE, text=True)
    newest = max(out.glob("0*/compare.json"))
    return done.stdout, json.loads(newest.read_text())


def not_better(comparison, metrics):
    """Those of the latency that are not surely shorter in B."""
    latency = comparison["latency"]
    return [f"{metric} is not better: {latency[metric]['change']:+.3f}" for metric in metrics
            if not (latency[metric]["ci95_together"][1] or 0) < 0]


# Ground truth --------------------------------------------------------------------------------------

def probe(kind, program, function):
    """FUNCTION of the program, or LIBRARY:FUNCTION."""
    return f"{kind}:{function if ':' in function else f'{program}:{function}'}"


def script(program, begin, end, functions):
    """A line for each interval of a thread, from the entry of `begin` to the return of `end`: its ns, and those of
    each function within, the outermost calls of it. functions: {name: what to probe}."""
    count = range(len(functions))
    lines = ['BEGIN { printf("ready\\n"); }',
             f'{probe("uprobe", program, begin)} {{ @begin[tid] = nsecs; '
             + " ".join(f"@sum{i}[tid] = (uint64)0;" for i in count) + " }"]
    for i, function in enumerate(functions.values()):
        lines += [f'{probe("uprobe", program, function)} /@begin[tid]/ '
                  f'{{ if (@depth{i}[tid] == 0) {{ @at{i}[tid] = nsecs; }} @depth{i}[tid] += 1; }}',
                  f'{probe("uretprobe", program, function)} /@depth{i}[tid] > 0/ '
                  f'{{ @depth{i}[tid] = @depth{i}[tid] - 1; '
                  f'if (@depth{i}[tid] == 0) {{ @sum{i}[tid] += nsecs - @at{i}[tid]; }} }}']
    printed = "".join(f", @sum{i}[tid]" for i in count)
    lines.append(f'{probe("uretprobe", program, end)} /@begin[tid]/ {{ printf("%d{" %d" * len(functions)}\\n", '
                 f'nsecs - @begin[tid]{printed}); @begin[tid] = 0; }}')
    lines.append("END { clear(@begin); " + " ".join(
        f"clear(@sum{i}); clear(@at{i}); clear(@depth{i});" for i in count) + " }")
    return "\n".join(lines)


def uprobes(program, begin, end, functions, action):
    """(rows of the intervals while action() ran, what it returned). The first column is the latency."""
    with tempfile.TemporaryFile("w+") as output, subprocess.Popen(
            ["bpftrace", "-B", "line", "-e", script(program, begin, end, functions)], stdout=output,
            stderr=subprocess.PIPE, text=True,
            env={**os.environ, "BPFTRACE_PERF_RB_PAGES": "2048"}) as process:
        written = pathlib.Path(f"/proc/self/fd/{output.fileno()}")
        latest = time.monotonic() + READY_SECONDS
        while process.poll() is None and time.monotonic() < latest and "ready" not in written.read_text():
            time.sleep(0.1)
        returned = action()
        process.send_signal(signal.SIGINT)
        errors = process.communicate()[1]
        if "Lost" in errors:
            print("  bpftrace: " + errors.strip().splitlines()[-1])
        output.seek(0)
        rows = [tuple(map(int, line.split())) for line in output if line[0].isdigit()]
    return [row for row in rows if len(row) == len(functions) + 1], returned


def truth(rows, column):
    """Of the function in this column; column 0 is the interval itself."""
    latency, part = [row[0] for row in rows], [row[column] for row in rows]
    mean, part_mean = statistics.fmean(latency), statistics.fmean(part)
    variance = statistics.pvariance(latency, mean)
    covariance = sum((x - part_mean) * (y - mean) for x, y in zip(part, latency)) / len(rows)
    return {"share": covariance / variance, "mean_us": part_mean / 1000, "variance": variance}


def known(report, function):
    """The share of a function by the result: of its nodes that are below no other of its own; woken-by nodes, which
    are not of the interval's thread, left out."""
    def share(node):
        if node["kind"] in ("woken-by", "for-another"):
            return 0
        if node["name"].split("::")[-1] == function:
            return node["share"]
        return sum(share(child) for child in node["children"])
    return share(report["tree"])


def table(report, rows, functions):
    """Prints both accounts of each function; the greatest difference of the shares."""
    print(f"  {'':34} {'truth':>9} {'vprofiler':>9}")
    whole = truth(rows, 0)
    print(f"  {'intervals':34} {len(rows):9} {report['intervals']['count']:9}")
    print(f"  {'mean, us':34} {whole['mean_us']:9.1f} {report['intervals']['mean_ns'] / 1000:9.1f}")
    print(f"  {'standard deviation, us':34} {whole['variance'] ** .5 / 1000:9.1f} "
          f"{report['intervals']['variance_ns2'] ** .5 / 1000:9.1f}")
    worst = 0
    for i, name in enumerate(functions):
        right, got = truth(rows, i + 1), known(report, name)
        print(f"  {'share of ' + name + ', %':34} {100 * right['share']:9.1f} {100 * got:9.1f}")
        worst = max(worst, abs(right["share"] - got))
    return worst
