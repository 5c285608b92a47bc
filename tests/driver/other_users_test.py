#!/usr/bin/env python3
"""What other users of the machine can do with vprofiler's files: nothing.

What takes another user's files needs root, and is left out without it.

usage: other_users_test.py VPROFILER
"""
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import stat
import subprocess
import sys

from checks import new_folder, run_checks
from target import Target, report_path

VPROFILER = sys.argv[1]
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
OTHER = 65534
SECRET = "hunter2"


@contextlib.contextmanager
def umask(mask):
    before = os.umask(mask)
    yield
    os.umask(before)


def modes(folder):
    """Of everything below, but for the copy of the tree, whose modes are the tree's."""
    for path in [folder, *folder.rglob("*")]:
        if "tree" not in path.relative_to(folder).parts and not path.is_symlink():
            yield path, stat.S_IMODE(path.stat().st_mode), path.is_dir()


def run(*words, where):
    return subprocess.run([VPROFILER, *map(str, words)], cwd=where, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)


def rewrite(tree, out, *options):
    """As one who was given a tree by another."""
    source = tree / "server.c"
    if not source.exists():
        source.write_text("static int work(int i) { return i + 1; }\nint main(void) { return work(0); }\n")
    (tree / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(tree), "file": "server.c", "arguments": ["cc", "-c", "server.c"]}]))
    return run("rewrite", "--source", tree, "--out", out, *options, where=tree)


def check_private():
    """Neither traces nor reports, while they are made or later; --keep leaves all there is."""
    with umask(0o022), Target(VPROFILER) as target:
        got = target.iterate("--auto", "--keep", "--max-rounds", "2")
        assert got.returncode == 0, got.stderr
        wrong = [(str(path), oct(mode)) for path, mode, folder in modes(target.home / "out")
                 if mode & 0o77 and "objects" not in path.parts]
        assert not wrong, wrong
        exported = target.home / "exported.csv"
        got = run("export", "--format", "csv", "--output", exported, target.home / "out/latest", where=target.home)
        wrong = [(str(path), oct(mode)) for path, mode, _ in modes(exported) if mode & 0o77] if exported.exists() else []
        assert not wrong, (got.stderr, wrong)


def check_shared():
    with umask(0o022), Target(VPROFILER) as target:
        got = target.iterate("--auto", "--keep", "--share", "--max-rounds", "1")
        assert got.returncode == 0, got.stderr
        wrong = [(str(path), oct(mode)) for path, mode, folder in modes(target.home / "out")
                 if mode & 0o55 != (0o55 if folder else 0o44) and path.suffix in (".json", ".vtr", ".shm", ".html")]
        assert not wrong, wrong


def check_modes():
    """As `cp` gives them: nothing of the copy is set-uid, whoever made it of whose file."""
    with umask(0o027), new_folder() as home:
        tree = home / "tree"
        (tree / "inner").mkdir(parents=True)
        wanted = {"a": (0o6755, 0o750), "b": (0o1777, 0o750), "c": (0o4400, 0o400), "inner/d": (0o2664, 0o640)}
        for name, (mode, _) in wanted.items():
            (tree / name).write_text(name)
            (tree / name).chmod(mode)
            if os.geteuid() == 0:
                os.chown(tree / name, OTHER, OTHER)
                (tree / name).chmod(mode)
        (tree / "inner").chmod(0o3777)
        got = rewrite(tree, home / "out")
        assert got.returncode == 0, got.stderr
        copy = home / "out/rewritten"
        found = {name: stat.S_IMODE((copy / name).stat().st_mode) for name in wanted}
        assert found == {name: mode for name, (_, mode) in wanted.items()}, {n: oct(m) for n, m in found.items()}
        assert stat.S_IMODE((copy / "inner").stat().st_mode) == 0o750


def plant_links(folder, victim, name, pids):
    for pid in pids:
        (folder / f"{name}.new-{pid}").symlink_to(victim)
        os.lchown(folder / f"{name}.new-{pid}", OTHER, OTHER)


def check_planted_links():
    """At the names of the cache, of the table and of an export; before, and where the folder is another's."""
    if os.geteuid() != 0:
        return
    with new_folder() as home:
        tree, out, victim = home / "tree", home / "tree/vprofiler-out", home / "victim"
        tree.mkdir()
        victim.write_text("precious")
        assert rewrite(tree, out).returncode == 0
        (facts,) = (out / "cache/facts").iterdir()
        shutil.rmtree(out / "rewritten")
        facts.unlink()
        pids = range(os.getpid(), os.getpid() + 300)
        plant_links(out / "cache/facts", victim, facts.name, pids)
        plant_links(tree, victim, "functions.json", pids)
        got = rewrite(tree, out, "--table", tree / "functions.json")
        assert got.returncode == 0 and victim.read_text() == "precious", got.stderr
        for path in [out, *out.rglob("*")]:
            os.lchown(path, OTHER, OTHER)
        shutil.rmtree(out / "rewritten")
        got = rewrite(tree, out)
        assert got.returncode == 2 and "belongs to another user" in got.stderr, got.stderr
        out.rename(home / "elsewhere")
        os.chown(home / "elsewhere", 0, 0)
        out.symlink_to(home / "elsewhere")
        os.lchown(out, OTHER, OTHER)
        got = rewrite(tree, out)
        assert got.returncode == 2 and "belongs to another user" in got.stderr, got.stderr
        assert victim.read_text() == "precious"


def check_folder_of_all():
    """In one like /tmp each user's own results are safe; another's loop is not gone on with, nor another's cache used."""
    with new_folder() as home, Target(VPROFILER) as target:
        everyone = home / "everyone"
        everyone.mkdir()
        everyone.chmod(0o777)
        got = rewrite(target.tree, everyone)
        assert got.returncode == 2 and "everyone may write" in got.stderr, got.stderr
        everyone.chmod(0o1777)
        got = rewrite(target.tree, everyone)
        assert got.returncode == 0, got.stderr
        if os.geteuid() != 0:
            return
        (everyone / "001").mkdir()
        (everyone / "001/loop.json").write_text("{}")
        for path in everyone / "001", everyone / "cache", everyone / "cache/facts":
            os.chown(path, OTHER, OTHER)
        got = run("iterate", "--resume", "--out", everyone, where=target.tree)
        assert got.returncode == 2 and "no loop" in got.stderr, got.stderr
        before = {path: path.read_bytes() for path in (everyone / "cache/facts").iterdir()}
        shutil.rmtree(everyone / "rewritten")
        got = rewrite(target.tree, everyone)
        assert got.returncode == 0 and "1 compilations parsed, 0 known" in got.stdout, got.stdout
        assert before == {path: path.read_bytes() for path in (everyone / "cache/facts").iterdir()}


HIDDEN = [["--password=hunter2"], ["--db-password", "hunter2"], ["API_TOKEN=hunter2"], ["--token", "hunter2"],
          ["https://me:hunter2@host/path?q=1"], ["-u", "me:hunter2"], ["--client-secret=two hunter2 words"],
          ["sh", "-c", "run --password 'a hunter2' --secret=hunter2; PGPASSWORD=hunter2 psql"],
          ["-H", "Authorization: Bearer hunter2"], ["--dsn=postgres://me:hunter2@db/x"], ["X-Api-Key: hunter2"]]
SHOWN = [["--passes=3"], ["--port", "8080"], ["server.c"], ["--author=me"], ["-u", "me"], ["http://host/a:b@c"]]


def words_of_report(target, *options):
    words = [word for words in HIDDEN + SHOWN for word in words]
    got = subprocess.run([VPROFILER, "record", "--quiet", "--out", str(target.home / "out"), *options, "--",
                          "./server", *words], cwd=target.tree, text=True, capture_output=True, timeout=60)
    assert got.returncode == 0, got.stderr
    return json.loads(report_path(target).read_text())["origin"]["command"]


def check_redacted():
    with Target(VPROFILER) as target:
        subprocess.run(["cc", f"-I{INCLUDE}", "server.c", "-o", "server"], cwd=target.tree, check=True)
        words = [word for part in HIDDEN + SHOWN for word in part]
        plain = words_of_report(target)
        assert shlex.split(plain)[-len(words):] == words, f"a shell reads other words: {plain}"
        command = words_of_report(target, "--redact")
        for name in "report.json", "report.html", "report.txt":
            text = (target.home / "out/latest" / name).read_text()
            assert SECRET not in text, (name, command)
        for words in SHOWN:
            assert " ".join(words) in command, (words, command)
        assert len(shlex.split(command)) == len(shlex.split(plain)) + 1, f"more than --redact: {command}"
        assert "--password=***" in command and "https://me:***@host/path?q=1" in command, command
        got = target.iterate("--auto", "--redact", "--max-rounds", "1", "--run", "build.sh")
        assert got.returncode == 0, got.stderr


CHECKS = [check_private, check_shared, check_modes, check_planted_links, check_folder_of_all, check_redacted]
if __name__ == "__main__":
    if os.geteuid() != 0:
        print("left out without root: planted links of another user, folders of another user")
    sys.exit(run_checks(CHECKS))
