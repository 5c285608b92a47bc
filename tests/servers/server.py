"""What the checks of servers have in common: vprofiler's commands, and its figures beside those of uprobes.

    tree = server.source("redis", folder)                          Debian's source package
    report = server.iterate(vprofiler, setting, tree, out)         --live; setting: what HERE/ holds
    server.table(report, uprobes.decompose(names, rows))           both accounts, side by side
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "realcode"))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "report"))
import check_report  # noqa: E402
import debian_source  # noqa: E402

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


def iterate(vprofiler, setting, tree, out, *options):
    """One build with all probes, one run, until the factors are known."""
    run([vprofiler, "iterate", "--live", "--auto", "--quiet", "--share", "--source", tree, "--out", out,
         "--build", setting.folder / "build.sh", "--run", setting.folder / "run.sh",
         "--config", setting.folder / "vprofiler.json", *options], setting)
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


def table(report, truth):
    """Prints both accounts of each function; the greatest difference of the shares."""
    print(f"  {'':34} {'uprobes':>9} {'vprofiler':>9}")
    intervals = report["intervals"]
    print(f"  {'intervals':34} {truth['count']:9} {intervals['count']:9}")
    print(f"  {'mean, us':34} {truth['mean_ns'] / 1000:9.1f} {intervals['mean_ns'] / 1000:9.1f}")
    print(f"  {'standard deviation, us':34} {truth['variance_ns2'] ** .5 / 1000:9.1f} "
          f"{intervals['variance_ns2'] ** .5 / 1000:9.1f}")
    worst = 0
    for name, part in truth["parts"].items():
        got = known(report, name)
        print(f"  {'share of ' + name + ', %':34} {100 * part['share']:9.1f} {100 * got:9.1f}")
        worst = max(worst, abs(part["share"] - got))
    return worst
