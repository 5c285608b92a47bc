#!/usr/bin/env python3
"""--kernel: the recorder's file is where it belongs, one line says what is known, and no run fails for it.

What may be recorded is told by `vprofiler doctor`, whoever runs this; all of it is also tried as an ordinary user
where this is root.

usage: kernel_test.py VPROFILER
"""
import atexit
import contextlib
import functools
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

from checks import check_report, new_folder, run_checks
from target import Target

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "runtime"), str(HERE.parent / "trace"), str(HERE.parent)]
import less_rights  # noqa: E402
import make_vtr  # noqa: E402
import vtr  # noqa: E402

VPROFILER = os.path.abspath(sys.argv[1])
INCLUDE = HERE.parents[1] / "include"
NOTES = {"all": "kernel-recorded", "own threads' switches": "wakers-not-recorded",
         "totals": "preemption-not-separated", "no": "preemption-not-separated"}
WATCHED = {"no": 0, "all": 1, "own threads' switches": 2, "totals": 3}
WATCHED_AT = 564  # of the file's header
NO_FUNCTIONS = {"schema": "vprofiler.functions/1", "functions": [], "probes": []}
LONG = [("id < 150", "id < 1000000")]
MOUNT = "mount -t tracefs tracefs /sys/kernel/tracing"
# The file's capabilities as setcap would write them: cap_dac_read_search 2, cap_syslog 34, cap_perfmon 38; effective.
CAPABLE = struct.pack("<5I", 0x02000001, 1 << 2, 0, 1 << 2 | 1 << 6, 0)


SCRIPT = "cc -O1 -g ${VPROF_CFLAGS--I%s} server.c -o server\n"


@functools.cache
def installed():
    """A folder that all users may read, as the one of the build need not be."""
    prefix = tempfile.mkdtemp(prefix="vprofiler-installed-")
    atexit.register(shutil.rmtree, prefix)
    os.chmod(prefix, 0o755)
    build = pathlib.Path(VPROFILER).parents[1]
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    return pathlib.Path(prefix)


@contextlib.contextmanager
def program(*changes, script=SCRIPT % INCLUDE):
    """The program of target.py, built where it is; the build script only builds."""
    with Target(VPROFILER) as target:
        text = (target.tree / "server.c").read_text()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        (target.tree / "server.c").write_text(text)
        (target.tree / "build.sh").write_text(script)
        subprocess.run(["sh", "build.sh"], cwd=target.tree, check=True)
        yield target


def run(*words, where, user=None, code=0, limits="", contained=False, mounted=False, program=VPROFILER,
        environment=None):
    """stdout and stderr, as `user`, of whom all that is below `where` then is."""
    command = [program, *map(str, words)]
    if contained:
        command = less_rights.contained(command)
    if limits:
        command = ["sh", "-c", f'{limits}; exec "$0" "$@"', *command]
    if user:
        subprocess.run(["chown", "-R", str(user), where], check=True)
        command = [*less_rights.as_user(user), *command]
    if mounted:  # for this command alone
        command = ["unshare", "--mount", "sh", "-c", f'{MOUNT} && exec "$0" "$@"', *command]
    got = subprocess.run(command, cwd=where, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                         timeout=300, env={**os.environ, "HOME": str(where), **(environment or {})})
    assert got.returncode == code, (words, user, got.returncode, got.stderr)
    return got.stdout, got.stderr


def finding(where, **how):
    """What doctor says of the kernel."""
    out, _ = run("doctor", "--json", where=where, **how)
    (found,) = [one for one in json.loads(out)["findings"] if one["name"] == "kernel"]
    return found


def may(where, **how):
    found = finding(where, **how)
    before, after = "its scheduler can be recorded: ", found["message"]
    assert after.startswith(before), found
    mode = after[len(before):].split(";")[0]
    assert mode in NOTES, found
    assert (found["state"] == "fine") == (";" not in after) == (not found["cure"]), found
    assert mode == "all" or found["cure"], found
    return mode


def recorded(where):
    """The recorders' files below a folder; each is whole and sealed."""
    found = sorted(pathlib.Path(where).rglob("kernel.vtr"))
    for path in found:
        header = vtr.read(str(path)).header
        assert header["features"] & vtr.FEATURE_RECORDER and header["clock"] in ("monotonic", 3), header
        assert header["sealed_bytes"] == path.stat().st_size, (path, header)
    return found


def watched(path):
    return int.from_bytes(path.read_bytes()[WATCHED_AT:WATCHED_AT + 4], "little")


def said(err):
    return [line for line in err.splitlines() if line.startswith("kernel: ")]


def noted(report):
    """The note about the kernel; it is no warning as well."""
    codes = set(NOTES.values())
    assert not [one for one in report["warnings"] if one["code"] in codes], report["warnings"]
    (note,) = [one for one in report["notes"] if one["code"] in codes]
    return note


def check_result(result, mode, err):
    """A result of one round that was recorded as `mode` says."""
    report = check_report.read((result / "report.json").read_text())
    (path,) = recorded(result / "rounds/01/trace")
    assert watched(path) == WATCHED[mode], (mode, watched(path))
    assert noted(report)["code"] == NOTES[mode], (mode, report["notes"])
    assert len(said(err)) == 1 and (mode == "all" or "unknown is" in err), err
    assert "doctor" in noted(report)["message"] or mode == "all", report["notes"]
    page = (result / "report.html").read_text()
    assert noted(report)["message"][:40] in page.replace("&#39;", "'"), "the page does not say it"
    return report


def record(target, *words, **how):
    words = [*words, "--", "./server"] if "--" not in words else words
    return run("record", "--out", "out", *words, where=target.tree, **how)


def check_record():
    with program() as target:
        mode = may(target.tree)
        _, err = record(target)
        check_result(target.tree / "out/001", mode, err)
        _, err = record(target, "--kernel", "off")
        assert not recorded(target.tree / "out/002") and not said(err), err
        report = check_report.read((target.tree / "out/002/report.json").read_text())
        assert noted(report)["code"] == "preemption-not-separated", report["notes"]
        code = 0 if WATCHED[mode] in (1, 2) else 1
        _, err = record(target, "--kernel", "on", code=code)
        if code:
            assert "--kernel on: " in err and not (target.tree / "out/003").exists(), err
        else:
            check_result(target.tree / "out/003", mode, err)


def check_less(target, mode, **how):
    """Nothing fails for what may not be recorded, but what asks for it; how to get the right is said."""
    _, err = record(target, **how)
    report = check_result(target.tree / "out/001", mode, err)
    if mode == "totals":
        assert " % for one (schedstat)" in noted(report)["message"], noted(report)
    refused = WATCHED[mode] not in (1, 2)
    _, err = record(target, "--kernel", "on", code=int(refused), **how)
    assert not refused or (finding(target.tree, **how)["cure"] in err and "--kernel on: " in err), err


def check_ordinary_user():
    if os.geteuid() != 0:
        return
    how = {"user": less_rights.OTHER, "program": str(installed() / "bin/vprofiler")}
    with program(script=SCRIPT % (installed() / "include")) as target:
        target.home.chmod(0o755)
        mode = may(target.tree, **how)
        assert mode != "all" or pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text() == "-1\n", mode
        check_less(target, mode, **how)
        run("iterate", "--build", "build.sh", "--auto", "--max-rounds", "1", "--out", "loop", "--", "./server",
            where=target.tree, **how)
        assert len(recorded(target.tree / "loop/001/rounds")) == 1


def check_container():
    with program() as target:
        mode = may(target.tree, contained=True)
        assert mode == "totals" and "PERFMON" in finding(target.tree, contained=True)["cure"], mode
        check_less(target, mode, contained=True)


def check_cure():
    """What doctor tells an ordinary user to do gives all that root may."""
    if os.geteuid() != 0 or may(HERE) != "all":
        return
    with program() as target:
        target.home.chmod(0o755)
        shutil.copytree(installed(), target.home / "own", symlinks=True)
        how = {"user": less_rights.OTHER, "program": str(target.home / "own/bin/vprofiler")}
        cure = finding(target.tree, **how)["cure"] or ""
        if "setcap cap_perfmon,cap_syslog,cap_dac_read_search+ep" not in cure:
            return
        os.setxattr(target.home / "own/bin/vprofiler", "security.capability", CAPABLE)
        how["mounted"] = MOUNT in (finding(target.tree, **how)["cure"] or "")  # the next thing that it says
        if how["mounted"] and subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
            return  # below a chroot nothing can be mounted for one program alone
        assert may(target.tree, **how) == "all", finding(target.tree, **how)
        _, err = record(target, "--kernel", "on", **how)
        check_result(target.tree / "out/001", "all", err)


def check_no_rights():
    """A recorder that gets no files, or no room in its file, lets the program run all the same."""
    with program() as target:
        out, err = record(target, "--json", limits="ulimit -n 24")
        assert json.loads(out)["intervals"]["count"] == 150 and len(said(err)) in (1, 2), err


def check_small_cap():
    with program() as target:
        _, err = record(target, environment={"VPROF_TRACE_CAP_BYTES": "65536"})
        (path,) = recorded(target.tree / "out/001")
        assert path.stat().st_size <= 2 * 65536, path.stat()
        assert len(said(err)) == 1, err


def check_rounds():
    """Each round has its file, but the one that is thrown away; the result has one as long as it has traces."""
    with program() as target:
        mode = may(target.tree)
        options = "--build", "build.sh", "--auto", "--max-rounds", "2", "--threshold", "0.3", "--out", "out"
        _, err = run("iterate", *options, "--keep", "--", "./server", where=target.tree)
        rounds = [path.parents[1].name for path in recorded(target.tree / "out/001")]
        assert rounds == ["01", "02"] and len(said(err)) == 1, (rounds, err)
        report = check_report.read((target.tree / "out/001/report.json").read_text())
        assert noted(report)["code"] == NOTES[mode], report["notes"]
        run("iterate", *options, "--kernel", "off", "--", "./server", where=target.tree)
        assert not recorded(target.tree / "out/002")


def check_build_runs():
    """The build script runs the program, and is recorded with it."""
    with Target(VPROFILER) as target:
        got = target.iterate("--auto", "--max-rounds", "1", "--keep")
        assert got.returncode == 0 and len(said(got.stderr)) == 1, got.stderr
        assert [path.parents[1].name for path in recorded(target.home / "out/001")] == ["01"]


def check_live():
    """The recorder goes on as long as the program does, in the folder that its rounds are read from."""
    with program(*LONG) as target:
        mode = may(target.tree)
        _, err = run("iterate", "--live", "--build", "build.sh", "--auto", "--max-rounds", "2", "--threshold", "0.3",
                     "--budget", "40s", "--out", "out", "--", "./server", where=target.tree)
        (path,) = recorded(target.tree / "out/001")
        assert path.parents[1].name == "01" and watched(path) == WATCHED[mode], path
        assert len(said(err)) == 1, err
        report = check_report.read((target.tree / "out/001/report.json").read_text())
        assert noted(report)["code"] == NOTES[mode], report["notes"]
        again = json.loads(run("report", "--format", "json", "out", where=target.tree)[0])
        assert again["tree"] == report["tree"] and again["notes"] == report["notes"], "read again, it tells otherwise"


def check_resume():
    """As the loop began, but for what is given anew."""
    for first, second, wanted in ("off", [], 0), ("off", ["--kernel", "auto"], 1), ("auto", [], 1):
        with program() as target:
            run("iterate", "--build", "build.sh", "--auto", "--max-rounds", "1", "--kernel", first, "--out", "out",
                "--threshold", "0.3", "--", "./server", where=target.tree)
            before = len(recorded(target.tree / "out/001"))
            assert before == (first == "auto"), before
            run("iterate", "--resume", "--max-rounds", "2", "--out", "out", *second, where=target.tree)
            assert len(recorded(target.tree / "out/001")) == wanted, (first, second)


def check_in_turns():
    with program() as target:
        words = "compare", "--ab", "--run-a", "./server", "--run-b", "./server", "--rounds", "2", "--out", "out"
        _, err = run(*words, where=target.tree)
        found = [str(path.parent.relative_to(target.tree / "out/001")) for path in recorded(target.tree / "out/001")]
        assert found == ["a/01", "a/02", "b/01", "b/02"] and len(said(err)) == 1, (found, err)
        run("compare", "--paired", "out/001/a", "out/001/b", where=target.tree)
        run(*words, "--kernel", "off", where=target.tree)
        assert not recorded(target.tree / "out/002")


def check_readers():
    """All that reads a result, or takes it away, copes with the file, and with traces that have none beside them."""
    with program() as target:
        where = target.tree
        mode = may(where)
        for kernel in "auto", "auto", "off":
            record(target, "--kernel", kernel)
        first = check_report.read((where / "out/001/report.json").read_text())
        again = json.loads(run("report", "--format", "json", "out/001", where=where)[0])
        assert again["tree"] == first["tree"] and noted(again)["code"] == NOTES[mode]
        run("dump", "out/001/rounds/01/trace", where=where)
        for form in "csv", "folded", "chrome":
            run("export", "--format", form, "--output", f"exported-{form}", "out/001", where=where)
        for sources, wanted in (("out/001", "out/002"), NOTES[mode]), (("out/001", "out/003"), NOTES["no"]):
            merged = check_report.read(run("merge", "--json", "--out", "merged", *sources, where=where)[0])
            assert merged["intervals"]["count"] == 300, merged["intervals"]
            assert noted(merged)["code"] == wanted, (sources, noted(merged))
        one, two = (json.loads(run("merge", "--json", "--out", "merged", *both, where=where)[0])
                    for both in (("out/002", "out/001"), ("out/001", "out/002")))
        assert one["tree"] == two["tree"]
        run("analyze", "--json", "out/001", where=where)
        moved = where / "moved"
        shutil.copytree(where / "out/001/rounds/01", moved)
        (moved / "trace/kernel.vtr").unlink()
        alone = json.loads(run("analyze", "--json", "--out", "alone", moved, where=where)[0])
        assert alone["intervals"] == first["intervals"], alone["intervals"]


def check_nothing():
    """A recorder's file is no trace of the program."""
    with program() as target:
        _, err = record(target, "--", "true", code=3)
        assert "left no trace" in err, err
        _, err = run("iterate", "--build", "build.sh", "--auto", "--out", "loop", "--", "true", where=target.tree,
                     code=3)
        assert "left no trace" in err, err


def children_of(pid):
    return [int(child) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()]


def events_held_by(pids):
    return [descriptor for pid in pids for descriptor in pathlib.Path(f"/proc/{pid}/fd").iterdir()
            if "perf_event" in os.readlink(descriptor)]


def with_pauses(*pauses, count=5000, every=1000):
    """A run of intervals of 500 ns, one each us, whose recorder paused in [from, until)."""
    marks = [mark for i in range(count) for mark in (["begin", i * every, i + 1], ["end", i * every + every // 2, i + 1])]
    moments = [["pause", ticks, what] for pause in pauses for ticks, what in zip(pause, ("begins", "ends"))]
    kernel = {"name": "kernel.vtr", "features": 1, "watched": 1, "pid": 900, "threads": [
        {"tid": 0, "number": 1, "records": [["switch", 0, 0, 7, "runnable"], *moments,
                                            ["switch", count * every, 7, 0, "sleeps"]]}]}
    return {"files": [kernel, {"pid": 7, "threads": [{"tid": 7, "records": marks}]}]}


def check_paused():
    """What began in a pause is left out where enough is left, and the note says how many."""
    for pauses, left, said_so in (([(1000000, 2000000)], 4000, "1,000 intervals that did not begin in one"),
                                  ([(500000, 4500000)], 5000, "not known why threads waited"), ([], 5000, "")):
        with new_folder() as folder:
            make_vtr.make_directory(with_pauses(*pauses), folder)
            (folder / "functions.json").write_text(json.dumps(NO_FUNCTIONS))
            found = json.loads(run("report", "--format", "json", str(folder), where=folder)[0])
        (note,) = [note["message"] for note in found["notes"] if note["code"] == "kernel-recorded"]
        assert found["intervals"]["count"] == left and said_so in note, (found["intervals"]["count"], left, note)
        assert found["intervals"]["incomplete"] == 0, found["intervals"]
        assert ("in windows" in note) == bool(pauses), note


def check_stopped():
    """The recorder's thread takes no signal away from who waits for the program."""
    with program(*LONG) as target:
        process = subprocess.Popen([VPROFILER, "record", "--out", "out", "--", "./server"], cwd=target.tree, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not list((target.tree / "out").glob("001/rounds/01/trace/*.vtr")):
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        time.sleep(2)
        assert not events_held_by(children_of(process.pid)), "who is forked keeps events that the recorder has closed"
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0 and time.monotonic() - began < 20, err
        assert len(recorded(target.tree / "out/001")) == 1, err


def check_killed():
    """Of a vprofiler that was killed the program's trace stays readable."""
    with program(*LONG) as target:
        process = subprocess.Popen([VPROFILER, "record", "--out", "out", "--", "./server"], cwd=target.tree,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(3)
        process.kill()
        process.wait()
        time.sleep(3)
        found = json.loads(run("analyze", "--json", "out/001", where=target.tree)[0])
        assert found["intervals"]["count"] > 10, found["intervals"]


if __name__ == "__main__":
    sys.exit(run_checks([check_record, check_ordinary_user, check_container, check_cure, check_no_rights, check_small_cap, check_rounds,
                         check_build_runs, check_live, check_resume, check_in_turns, check_readers, check_nothing,
                         check_paused, check_stopped, check_killed]))
