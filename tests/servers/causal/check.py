#!/usr/bin/env python3
"""What `vprofiler causal` predicts of real servers with busy time planted in them, against the same servers with half of
it, and with none.

usage: check.py VPROFILER postgresql|memcached FOLDER [build|predict|measure|table ...] [--turns N] [--budget S]

    build      Debian's source package; functions that are busy (planted.h) are called in it, and it is rewritten once:
               how long they are busy is told by variables, so that all is measured in one binary
    predict    vprofiler causal, of each of these functions by itself; a function named with --only alone
    measure    recorded runs, as it is and mended, in turns; those of earlier calls are kept
    table      target, level, type of interval, metric: predicted, measured, and whether both agree

Each step can be done by itself; all of them, where none is named. FOLDER keeps what each has found. Needs the network,
and root for PostgreSQL. Exits 1 where less than nine of ten cells agree.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parents[1] / "realcode")]
import debian_source  # noqa: E402
import mended  # noqa: E402

LEVELS = (0.5, 1)
SECONDS = 4  # of a recorded run


class Plant:
    """A call behind the first `after` in the function that `head` begins."""

    def __init__(self, name, busy_us, path, head, after, macro="PLANTED", call="planted"):
        self.name, self.busy_us, self.path, self.head, self.after = name, busy_us, path, head, after
        self.macro, self.call = macro, call
        self.function, self.variable = f"planted_{name}", f"PLANTED_{name.upper()}_US"

    def into(self, tree):
        path = tree / self.path
        text = path.read_text()
        assert text.count(self.head) == 1, f"{path} has changed"
        at = text.index(self.head)
        behind = text.index(self.after, at) + len(self.after)
        path.write_text(f'{text[:at]}#include "{HERE}/planted.h"\n{self.macro}({self.name}, "{self.variable}")\n\n'
                        f"{text[at:behind]}\n    {self.call}_{self.name}();\n{text[behind:]}")


class Postgresql:
    package, needs = "postgresql-15", ["bison", "flex", "bear"]
    configure = ["--without-icu", "--without-readline", "--without-zlib", "--enable-debug"]
    plants = [
        Plant("plan", 1000, "src/backend/optimizer/plan/planner.c", "PlannedStmt *\nstandard_planner(", "*lr;\n"),
        Plant("write", 800, "src/backend/access/transam/xlog.c",
              "static void\nXLogWrite(XLogwrtRqst WriteRqst, TimeLineID tli, bool flexible)\n{",
              "LogwrtResult = XLogCtl->LogwrtResult;\n")]
    types = ["SELECT", "INSERT"]  # pgbench's simple-update ends with an INSERT
    make = "make -s -j2 && make -s install"
    environment = {"PG_FOLDER": "/dev/shm/vprofiler-causal-pg"}
    seconds = "PG_SECONDS"

    @staticmethod
    def config(_tree):
        return json.loads((HERE.parent / "postgresql/vprofiler.json").read_text())


class Memcached:
    package, needs = "memcached", ["libevent-dev", "bear"]
    configure = ["--disable-docs", "--disable-coverage"]
    plants = [
        Plant("get", 400, "proto_text.c", "static inline void process_get_command(", "mc_resp *resp = c->resp;\n"),
        Plant("store", 1500, "proto_text.c", "void complete_nread_ascii(conn *c) {", "bool is_valid = false;\n",
              "PLANTED_UNDER_LOCK", "held")]
    types = ["all"]
    make = "make -j2 memcached"
    environment = {}
    seconds = "MC_SECONDS"

    @staticmethod
    def config(tree):
        """A request: from the return of the read that brought it to the return of the sendmsg that answers."""
        lines = (tree / "memcached.c").read_text().splitlines()

        def line_of(function):
            start = next(i for i, text in enumerate(lines) if re.match(rf"^\S.*\b{function}\(.*{{$", text))
            return next(i + 1 for i in range(start, len(lines))
                        if lines[i].strip() == "pthread_mutex_lock(&c->thread->stats.mutex);")
        return {"intervals": [{"begin": {"function": "try_read_network", "at": {"line": line_of("try_read_network")}, "id": "c"},
                               "end": {"function": "transmit", "at": {"line": line_of("transmit")}, "id": "c"}}]}


SERVERS = {"postgresql": Postgresql, "memcached": Memcached}


def sh(command, cwd, log):
    with open(log, "a") as file:
        subprocess.run(command, cwd=cwd, check=True, stdout=file, stderr=file, shell=isinstance(command, str))


class Check:
    def __init__(self, vprofiler, name, folder):
        self.vprofiler, self.name, self.server, self.folder = vprofiler, name, SERVERS[name], folder
        self.copy, self.log = folder / "copy", folder / "build.log"
        self.script = HERE / f"{name}.sh"

    def build(self):
        server, tree = self.server, self.folder / "planted"
        self.folder.mkdir(parents=True, exist_ok=True)
        debian_source.need(server.needs)
        source, _ = debian_source.fetch(server.package, self.folder)
        for old in (tree, self.copy):
            shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(source, tree, symlinks=True)
        for plant in server.plants:
            plant.into(tree)
        (self.folder / "config.json").write_text(json.dumps(server.config(tree)))
        sh(["./configure", f"--prefix={self.copy}/installed", *server.configure, f"CC={os.environ.get('CC', 'gcc')}",
            "CFLAGS=-O2 -g"], tree, self.log)
        sh(f"bear --output compile_commands.json -- {server.make.split(' &&', maxsplit=1)[0]}", tree, self.log)
        sh([self.vprofiler, "rewrite", "--quiet", "--share", "--sync", "--source", tree, "--tree", self.copy, "--time",
            ",".join(plant.function for plant in server.plants), "--config", self.folder / "config.json",
            "--table", self.folder / "functions.json", "--out", self.folder / "facts"], tree, self.log)
        sh(server.make, self.copy, self.log)
        for tool, source, *flags in (("turns", HERE / "turns.c"), ("load", HERE.parent / "load.c", "-pthread")):
            sh(["gcc", "-O2", source, "-o", self.folder / tool, *flags], self.folder, self.log)
        (self.folder / "turns_per_us").write_text(subprocess.check_output([self.folder / "turns"], text=True))

    def program(self):
        busy = {plant.variable: str(plant.busy_us) for plant in self.server.plants}
        environment = {"LOAD": str(self.folder / "load"), "PLANTED_TURNS_PER_US": (self.folder / "turns_per_us").read_text().strip(),
                       **self.server.environment, **busy}
        return mended.Program(self.vprofiler, self.copy, self.folder / "functions.json", [self.script], environment)

    def predict(self, budget_s, only):
        for plant in self.server.plants:
            if only in (None, plant.name):
                told = mended.predict(self.program(), ["--function", plant.function], budget_s, self.folder / "causal")
                (self.folder / f"{plant.name}.json").write_text(json.dumps(told))
                print(told["headline"])

    def settings(self):
        yield "as it is", {}
        for plant in self.server.plants:
            for level in LEVELS:
                yield f"{plant.function} {level}", {plant.variable: f"{plant.busy_us * (1 - level):g}"}

    def measure(self, turns):
        path = self.folder / "measured.json"
        kept = json.loads(path.read_text()) if path.exists() else []
        for _ in range(turns):
            settings = list(self.settings())
            random.shuffle(settings)
            kept.append({name: mended.look(self.program(), {**more, self.server.seconds: str(SECONDS)}) for name, more in settings})
            path.write_text(json.dumps(kept))

    def rows(self):
        kept = json.loads((self.folder / "measured.json").read_text())
        for plant in self.server.plants:
            told = json.loads((self.folder / f"{plant.name}.json").read_text())
            for cell, said in mended.predicted(told, LEVELS):
                function, level, kind, metric = cell
                if kind not in (["all"] if metric == "throughput" else self.server.types):
                    continue
                values = [[turn[setting][f"{kind} {metric}"] for turn in kept] for setting in ("as it is", f"{function} {level:g}")]
                yield cell, said, mended.change(*values)


def short(rows):
    """A row for each target, level and type of interval: told, measured; in bold what does not agree."""
    cells = {}
    for (function, level, kind, metric), said, found in rows:
        mark = "" if mended.agree(said, found) else "**"
        cells.setdefault((function, level, kind), {})[metric] = f"{mark}{said.value * 100:+.0f}, {found.value * 100:+.0f} %{mark}"
    print(f"\n| target, faster by | intervals | {' | '.join(mended.METRICS)} |\n|---|---|{'---|' * len(mended.METRICS)}")
    for (function, level, kind), found in cells.items():
        print(f"| `{function}`, {level:.0%} | {kind} | {' | '.join(found.get(metric, '') for metric in mended.METRICS)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vprofiler", type=pathlib.Path)
    parser.add_argument("server", choices=SERVERS)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("steps", nargs="*", default=[])
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--budget", type=int, default=80)
    parser.add_argument("--only")
    arguments = parser.parse_args()
    check = Check(arguments.vprofiler.resolve(), arguments.server, arguments.folder.resolve())
    for step in arguments.steps or ["build", "predict", "measure", "table"]:
        if step == "build":
            check.build()
        elif step == "predict":
            check.predict(arguments.budget, arguments.only)
        elif step == "measure":
            check.measure(arguments.turns)
        elif step == "table":
            rows = list(check.rows())
            good, count = mended.table(rows)
            short(rows)
            if good < 0.9 * count:
                sys.exit(1)


if __name__ == "__main__":
    main()
