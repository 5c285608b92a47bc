#!/usr/bin/env python3
"""Cases of Coz's paper: `vprofiler causal` says what mending them brings; then they are mended, and measured. Coz beside it.

usage: coz.py VPROFILER dedup|long-dedup|kmeans|sqlite SOURCE FOLDER [build|predict|samples|left|measure|coz|table ...] [--turns N] [--budget S]

    dedup    SOURCE: pkgs/kernels/dedup/src of PARSEC 2.1. Its hash adds up the bytes of a SHA-1 sum, and few of the
             buckets are ever used: hashtable_search. Mended: words of it, with exclusive or. Its queues hold
             1,024 items in place of a million, or the first stages are over in a part of a run: windows of it differ.
    long-dedup  with PARSEC's queues.
    kmeans   SOURCE: benchmarks/kmeans of github.com/plasma-umass/coz (Phoenix). calc_means goes through all points for
             each mean. Mended: once.
    sqlite   SOURCE: a folder with SQLite's sqlite3.c and sqlite3.h, and benchmarks/sqlite/main.c of coz. Three small
             functions are called by a table of pointers. Mended: called directly.

    build    as it is and mended, rewritten; and for Coz (package coz-profiler), with DWARF that it can read
    predict  vprofiler causal, each call of the functions    samples  with the program as it is, as Coz has it: by samples
    measure    both without a runtime, in turns: how long a whole run takes
    left     how long a call of the functions is when they are mended
    coz      Coz, for as long as --budget: slowdown, experiments, what it says of the lines of the same functions
    table    what was predicted, and measured; what each profiler takes of the program, and how sure it is

FOLDER keeps what each step has found. Input of dedup: FOLDER/input; where there is none, documents and Python's library
in pieces of 64 KB, in random order.
"""
import argparse
import json
import math
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(HERE))
import mended  # noqa: E402

WORDS = """unsigned int
hash_from_key_fn( void *k ){
  unsigned int hash = 0, word;
  for (int i = 0; i < SHA1_LEN; i += 4) {
    memcpy(&word, ((CacheKey*)k)->sha1name + i, 4);
    hash ^= word;
  }
  return hash;
}
"""
ONCE = """   int *sizes = calloc(num_means, sizeof(int)), *sums = calloc((size_t)num_means * dim, sizeof(int));
   for (j = 0; j < num_points; j++)
      if (clusters[j] >= start_idx && clusters[j] < end_idx) {
         add_to_sum(sums + (size_t)clusters[j] * dim, points[j]);
         sizes[clusters[j]]++;
      }
   for (i = start_idx; i < end_idx; i++)
      for (j = 0; j < dim; j++)
         if ((grp_size = sizes[i]) != 0)
            means[i][j] = sums[(size_t)i * dim + j] / grp_size;
   free(sizes);
   free(sums);
   free(sum);
   return (void *)0;
}
"""
FULL = "while (que->head == (que->tail-1+que->size)%que->size)"
ROOM = "while ((que->tail-1-que->head+que->size)%que->size < (*fetch_count > 0 ? *fetch_count : 1))"
PIECE = 65536
COUNTED = "-DPROGRESS=({extern void units_count(void); units_count();})"
DECLARED = """static void pthreadMutexLeave(sqlite3_mutex *);
static int sqlite3MemSize(void *);
static sqlite3_pcache_page *pcache1Fetch(sqlite3_pcache *, unsigned int, int);
"""


def between(text, begin, end, new):
    """What lies from `begin` to before `end`, replaced."""
    assert text.count(begin) == 1, begin
    at = text.index(begin)
    return text[:at] + new + text[text.index(end, at):]


def once(text, old, new):
    assert text.count(old) == 1, f"{old}: {text.count(old)}"
    return text.replace(old, new)


class Dedup:
    functions = ["hashtable_search"]
    lines = ["--line", "hashtable.c:216-220"]
    queues = ("chunk", "anchor", "compress")  # that are short
    steps = ["build", "predict", "samples", "left", "measure", "coz", "table"]
    flags = ["-DPARALLEL", "-std=gnu99", "-fcommon", "-fno-strict-aliasing", "-D_XOPEN_SOURCE=600", "-D_DEFAULT_SOURCE", "-w"]
    libraries = ["-lcrypto", "-lz"]
    arguments = ["-c", "-p", "-f", "-t", "1", "-i", "input", "-o", "/dev/shm/vprofiler-dedup.out"]

    def prepare(self, folder):
        if not (folder / "input").exists():
            tops = ("/usr/share/doc", "/usr/share/perl", "/usr/lib/python3", "/usr/lib/python3.11")
            subprocess.run(["tar", "cf", "tree.tar", *tops], stderr=subprocess.DEVNULL, cwd=folder, check=False)
            data = (folder / "tree.tar").read_bytes()
            pieces = [data[at:at + PIECE] for at in range(0, len(data), PIECE)]
            random.Random(1).shuffle(pieces)  # what is hard to compress comes together in a tree: the rate would have phases
            (folder / "input").write_bytes(b"".join(pieces))
            (folder / "tree.tar").unlink()

    def annotate(self, tree):
        def change(text):
            for queue in self.queues:
                text = once(text, f"queue_init(&{queue}_que[i], QUEUE_SIZE,", f"queue_init(&{queue}_que[i], 1024,")
            return once(text, "    sub_Compress(item);\n", "    sub_Compress(item); PROGRESS;\n")
        self.edit(tree / "encoder.c", change)
        self.edit(tree / "queue.c", lambda s: s.replace(FULL, ROOM, 1))  # it looked for room for one, of twenty

    def mend(self, tree):
        self.edit(tree / "util.c", lambda s: between(s, "unsigned int\nhash_from_key_fn(", "\n//for 64-bit", WORDS))

    @staticmethod
    def edit(path, change):
        path.write_text(change(path.read_text()))


class LongDedup(Dedup):
    queues = ()


class Kmeans(Dedup):
    functions = ["calc_means"]
    lines = ["--line", "kmeans-pthread.c:153-156"]  # of what calc_means does not call
    flags, libraries, arguments = ["-w"], [], ["-p", "50000", "-c", "200"]

    def prepare(self, folder):
        pass

    def annotate(self, tree):
        def change(text):
            text = text.replace('#include "coz.h"', "")
            text = once(text, 'COZ_PROGRESS_NAMED("clusters found");', "")
            at = text.rindex("pthread_join(pid[i], NULL);")
            behind = text.index("}", at) + 1
            return text[:behind] + " PROGRESS;" + text[behind:]
        self.edit(tree / "kmeans-pthread.c", change)

    def mend(self, tree):
        def change(text):
            at = text.index("void *calc_means(void *arg)")
            loop = text.index("   for (i = start_idx; i < end_idx; i++)", at)
            return text[:loop] + ONCE + text[text.index("int main(", loop) - 1:]
        self.edit(tree / "kmeans-pthread.c", change)


class Sqlite(Dedup):
    functions = ["pthreadMutexLeave", "sqlite3MemSize", "pcache1Fetch"]
    lines = []
    steps = ["build", "samples", "measure", "coz", "table"]  # a probe takes longer than a call
    flags = ["-w", "-DSQLITE_THREADSAFE=2", "-I."]
    libraries, arguments = ["-ldl", "-lm"], []

    def prepare(self, folder):
        pass

    def annotate(self, tree):
        def change(text):
            # A hundred are a unit: one takes a microsecond, and a record of each would be 100 MB a second
            text = once(text, "COZ_PROGRESS;", "if (i % 100 == 99) PROGRESS;").replace('#include "coz.h"', "")
            text = text.replace("#define THREAD_COUNT 64", "#define THREAD_COUNT 2")
            return text.replace("#define INSERTIONS_PER_THREAD 10000", "#define INSERTIONS_PER_THREAD 1000000")
        self.edit(tree / "main.c", change)

    def mend(self, tree):
        def change(text):
            text = text.replace("sqlite3GlobalConfig.mutex.xMutexLeave(", "pthreadMutexLeave(")
            text = text.replace("sqlite3GlobalConfig.m.xSize(", "sqlite3MemSize(")
            text = text.replace("sqlite3GlobalConfig.pcache2.xFetch(", "pcache1Fetch(")
            mark = "/************** Begin file mutex.c"
            return once(text, mark, DECLARED + mark)
        self.edit(tree / "sqlite3.c", change)


CASES = {"dedup": Dedup, "long-dedup": LongDedup, "kmeans": Kmeans, "sqlite": Sqlite}


def coz_change(points):
    """Of throughput, where the line is 50 % faster. Coz gives no interval: this is that of a straight line through the
    logarithms of its points' rates. None: of fewer than five points, or none without a speed-up."""
    known = [(speedup, math.log(delta / duration)) for speedup, delta, duration in points if delta > 0 and duration > 0]
    speedups = [speedup for speedup, _ in known]
    if len(known) < 5 or 0 not in speedups or len(set(speedups)) < 3:
        return None
    middle, mean = statistics.fmean(speedups), statistics.fmean(rate for _, rate in known)
    squares = sum((speedup - middle) ** 2 for speedup in speedups)
    slope = sum((speedup - middle) * (rate - mean) for speedup, rate in known) / squares
    rest = sum((rate - mean - slope * (speedup - middle)) ** 2 for speedup, rate in known)
    half = mended.student(len(known) - 2) * math.sqrt(rest / (len(known) - 2) / squares)
    return mended.Change(*(math.exp(value / 2) - 1 for value in (slope, slope - half, slope + half)))


class Case:
    def __init__(self, vprofiler, name, source, folder):
        self.vprofiler, self.case, self.source, self.folder = vprofiler, CASES[name](), source, folder

    def command(self, file, progress):
        return ["gcc", "-O2", "-g", "-gdwarf-4", "-gstrict-dwarf", f"-I{ROOT / 'include'}", *progress, *self.case.flags, "-c", file]

    def link(self, tree, files, progress, program):
        objects = []
        for file in files:
            subprocess.run(self.command(file, progress), cwd=tree, check=True)
            objects.append(file[:-2] + ".o")
        subprocess.run(["gcc", *objects, "-o", program, "-pthread", "-ldl", *self.case.libraries], cwd=tree, check=True)

    def build(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.case.prepare(self.folder)
        progress = ["-include", "vprof_api.h", '-DPROGRESS=VPROF_PROGRESS("unit")']
        for name in ("original", "mended"):
            tree, copy = self.folder / f"{name}-source", self.folder / f"{name}-copy"
            for old in (tree, copy):
                shutil.rmtree(old, ignore_errors=True)
            shutil.copytree(self.source, tree)
            self.case.annotate(tree)
            if name == "mended":
                self.case.mend(tree)
            files = sorted(path.name for path in tree.glob("*.c"))
            (tree / "compile_commands.json").write_text(json.dumps(
                [{"directory": str(tree), "file": file, "arguments": self.command(file, progress)} for file in files]))
            subprocess.run([self.vprofiler, "rewrite", "--quiet", "--sync", "--source", tree, "--tree", copy, "--time",
                            ",".join(self.case.functions), "--table", self.folder / f"{name}.json",
                            "--out", self.folder / "facts"], check=True, cwd=tree)
            self.link(copy, files, progress, self.folder / name)
            if name == "original":
                self.link(tree, files, progress, self.folder / "annotated")
                self.link(tree, files, ["-include", "coz.h", "-DPROGRESS=COZ_PROGRESS"], self.folder / "for-coz")
                shutil.copy(HERE / "units.c", tree)
                self.link(tree, [*files, "units.c"], [COUNTED], self.folder / "counted")

    def experiment(self, name, options, budget_s):
        program = mended.Program(self.vprofiler, self.folder, None, [], {})
        return json.loads(mended.run(program, [self.vprofiler, "causal", "--json", "--quiet", "--share", *options, "--budget", f"{budget_s}s",
                                               "--out", self.folder / "causal", "--", f"./{name}", *self.case.arguments]))

    def functions(self, table=None):
        names = [word for name in self.case.functions for word in ("--function", name)]
        return [*names, "--functions", self.folder / f"{table}.json"] if table else names

    def left(self):
        told = self.experiment("mended", self.functions("mended"), 10)
        (self.folder / "left.json").write_text(json.dumps({target["name"]: target["call_ns"] for target in told["targets"]}))

    def predict(self, budget_s):
        self.tell("predicted", self.experiment("original", self.functions("original"), budget_s))

    def samples(self, budget_s):
        self.tell("samples", self.experiment("annotated", [*self.functions(), *self.case.lines], budget_s))

    def tell(self, name, told):
        (self.folder / f"{name}.json").write_text(json.dumps(told))
        for target in told["targets"]:
            print(target["sentence"])

    def seconds(self, program, before=()):
        start = time.monotonic()
        subprocess.run([*before, f"./{program}", *self.case.arguments], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - start

    def unit_ns(self):
        """How long a unit of work takes, from the first to the last one of a run."""
        done = subprocess.run(["./counted", *self.case.arguments], cwd=self.folder, check=True, text=True, capture_output=True)
        return float(done.stderr.split()[-2])

    def measure(self, turns):
        path = self.folder / "measured.json"
        kept = json.loads(path.read_text()) if path.exists() else []
        (self.folder / "units.json").write_text(json.dumps({"unit_ns": statistics.median(self.unit_ns() for _ in range(3))}))
        for turn in range(turns):
            order = ("original", "mended") if turn % 2 else ("mended", "original")
            kept.append({name: self.seconds(name) for name in order})
            path.write_text(json.dumps(kept))

    def coz(self, budget_s):
        """Runs until the time is over; each whole run is a number of its slowdown."""
        profile = self.folder / "profile.coz"
        profile.unlink(missing_ok=True)
        bare, taken = self.seconds("for-coz"), []
        while sum(taken) + bare < budget_s:
            taken.append(self.seconds("for-coz", ["coz", "run", "--output", profile, "---"]))
        lines = profile.read_text().splitlines() if profile.exists() else []
        points = {}
        for line, after in zip(lines, lines[1:]):
            if line.startswith("experiment"):
                words = dict(word.split("=") for word in line.split("\t")[1:])
                counts = dict(word.split("=") for word in after.split("\t")[1:])
                points.setdefault(words["selected"], []).append(
                    (float(words["speedup"]), int(counts.get("delta", 0)), float(words["duration"])))
        (self.folder / "coz.json").write_text(json.dumps({"bare_s": bare, "taken_s": taken, "points": points}))
        print(f"bare {bare:.2f} s, under Coz {[f'{t:.2f}' for t in taken]}; {sum(map(len, points.values()))} experiments of {len(points)} lines")

    def told_of(self, name):
        """Of each target of that step: (the result, the target, what is told by level)."""
        path = self.folder / f"{name}.json"
        told = json.loads(path.read_text()) if path.exists() else {"targets": []}
        for target in told["targets"]:
            levels = {cell[1]: said for cell, said in mended.predicted(told, (0.25, 0.5, 0.75, 1))
                      if cell[0] == target["name"] and cell[3] == "throughput"}
            yield told, target, levels

    def costs(self):
        """What each takes of the program, delays and all; experiments a minute; and what is told at 50 %."""
        bare_ns = json.loads((self.folder / "units.json").read_text())["unit_ns"]
        print(f"\na unit takes {bare_ns:.0f} ns\n\n| profiler | target | takes, of bare | experiments a minute, of it | 50 % faster: throughput |")
        print("|---|---|---|---|---|")
        for step, name in (("predicted", "calls"), ("samples", "samples")):
            for told, target, levels in self.told_of(step):
                part = target["parts"][0]
                count = sum(level["experiments"] for level in part["levels"])
                print(f"| vprofiler, {name} | {target['name']} | {part['as_it_is']['period_ns'] * told['slowdown'] / bare_ns:.2f} x "
                      f"| {60 * told['experiments'] / told['seconds']:.0f}, {60 * count / told['seconds']:.0f} "
                      f"| {mended.percent(levels[0.5]) if 0.5 in levels else 'not told'} |")
        if (self.folder / "coz.json").exists():
            coz = json.loads((self.folder / "coz.json").read_text())
            seconds = sum(coz["taken_s"])
            bare_s = statistics.median(turn["original"] for turn in json.loads((self.folder / "measured.json").read_text()))
            count = sum(map(len, coz["points"].values()))
            for line, points in sorted(coz["points"].items(), key=lambda item: -len(item[1]))[:6]:
                said = coz_change(points)
                print(f"| Coz | {pathlib.Path(line).name} | {statistics.fmean(coz['taken_s']) / bare_s:.2f} x "
                      f"| {60 * count / seconds:.0f}, {60 * len(points) / seconds:.0f} | {mended.percent(said) if said else 'too few points'} |")

    def rows(self):
        kept = json.loads((self.folder / "measured.json").read_text())
        found = mended.change([1 / turn["original"] for turn in kept], [1 / turn["mended"] for turn in kept])
        print(f"measured: {mended.percent(found)}")
        path = self.folder / "left.json"
        left = json.loads(path.read_text()) if path.exists() else {}
        gone = {}
        for step in ("predicted", "samples"):
            for _, target, levels in self.told_of(step):
                name = target["name"]
                if step == "predicted" and name in left:
                    gone[name] = max(0, 1 - left[name] / target["call_ns"])
                    print(f"{name}: {target['call_ns']:.0f} ns a call, mended {left[name]:.0f}: {gone[name]:.0%} are gone")
                if len(levels) == 4 and name in gone:
                    yield (f"{name}, {step}", gone[name], "all", "throughput"), mended.between(levels, gone[name]), found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vprofiler", type=pathlib.Path)
    parser.add_argument("case", choices=CASES)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("steps", nargs="*", default=[])
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--budget", type=int, default=60)
    arguments = parser.parse_args()
    case = Case(arguments.vprofiler.resolve(), arguments.case, arguments.source.resolve(), arguments.folder.resolve())
    for step in arguments.steps or case.case.steps:
        if step in ("predict", "samples", "coz"):
            getattr(case, step)(arguments.budget)
        elif step == "measure":
            case.measure(arguments.turns)
        elif step in ("build", "left"):
            getattr(case, step)()
        else:
            mended.table(list(case.rows()))
            case.costs()


if __name__ == "__main__":
    main()
