#!/usr/bin/env python3
"""`vprofiler waits` with fewer rights: what can be had is had, and one line says what is unknown, and the cure.

usage: rights_test.py VPROFILER SCENES
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "report"), str(HERE.parent)]
import check_report  # noqa: E402
import less_rights  # noqa: E402

check_report.SCHEMA = json.loads((HERE.parents[1] / "docs" / "waits.schema.json").read_text())
NAP_NS, NAPS = 2_000_000, 150


class Place(less_rights.Place):
    def __init__(self, vprofiler, scenes):
        super().__init__(vprofiler, scenes)
        self.vprofiler, self.scenes = self.programs

    def run(self, *words, contained=False):
        command = [self.vprofiler, "waits", *map(str, words)]
        return super().run(less_rights.contained(command) if contained else command)


def found_in(done):
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    faults = check_report.faults(found, check_report.SCHEMA)
    assert not faults, faults
    return found


def only_own(done):
    """Its own switches alone were recorded, as is said with what is unknown and the cure."""
    if "when the program's threads had no processor is recorded" not in done.stderr:
        print("left out: a user who may record the switches of his own threads, and no more\n" + done.stderr)
        sys.exit(77)
    assert "unknown is who woke a thread" in done.stderr, done.stderr
    assert "setcap" in done.stderr or "--cap-add" in done.stderr, done.stderr


def check_naps(found):
    """A thread that naps: each of them is a wait, and its time is what it waited, wanted a processor and ran."""
    (group,) = [g for g in found["groups"] if g["name"] == "first" and g["kind"] == "thread"]
    assert not found["wakers_known"], found["groups"]
    assert "not known" in found["headline"], found["headline"]
    assert [w["code"] for w in found["warnings"]] == ["wakers-not-recorded"], found["warnings"]
    return group


def test_own(place):
    done = place.run("--json", "--", place.scenes, "sleeps", NAPS)
    only_own(done)
    found = found_in(done)
    group = check_naps(found)
    # Who is preempted just before a nap, for longer than that, does not wait at all.
    assert found["waits"] >= 0.9 * NAPS, found["waits"]
    assert group["blocked_ns"] >= 0.9 * NAPS * NAP_NS, group
    known = group["ran_ns"] + group["runnable_ns"] + group["blocked_ns"] + group["unfinished_ns"]
    assert 0.98 * found["recorded_ns"] <= known <= found["recorded_ns"], (group, found["recorded_ns"])


def test_text(place):
    """What is known is shown, and no wait for whom is not known."""
    done = place.run("--", place.scenes, "sleeps", 50)
    only_own(done)
    lines = done.stdout.splitlines()
    (head,) = [i for i, line in enumerate(lines) if line.split() == "who ran wanted a processor waited".split()]
    assert lines[head + 1].split()[0] == "first" and lines[head + 1].count("%") == 3, lines[head + 1]
    assert done.stdout.count("wakers-not-recorded") == 1 and "doctor" in done.stdout, done.stdout
    assert "waits for" not in done.stdout, done.stdout


def test_ends(place):
    """A process of the user's own that runs already, and ends."""
    with subprocess.Popen([*place.user, place.scenes, "sleeps", "600"], stdout=subprocess.DEVNULL) as process:
        done = place.run("--json", "--pid", process.pid, "--for", "200s")
    assert "has ended: what it did until then is analysed" in done.stderr, done.stderr
    only_own(done)
    group = check_naps(found_in(done))
    assert group["blocked_ns"] >= 10 * NAP_NS, group


def test_anothers(place):
    """Of another user's process nothing is claimed."""
    if not place.user:
        return print("left out: another user's process (run the tests as root)")
    with subprocess.Popen([place.scenes, "sleeps", "100000"], stdout=subprocess.DEVNULL) as process:
        done = place.run("--pid", process.pid, "--for", "1s")
        process.kill()
    if "is recorded; perf_event_open was refused" not in done.stderr:
        return print("left out: who may record his own threads alone")
    assert done.returncode == 2 and not done.stdout, (done.returncode, done.stdout)
    assert f"Process {process.pid} is another user's" in done.stderr and "as root" in done.stderr, done.stderr


def test_folder(place):
    """Where a result can't be written, nothing is run."""
    if not place.user:
        return
    done = place.run("--out", place.folder.parent / "out", "--", "touch", place.folder / "ran")
    assert done.returncode == 2 and "Permission denied. Name a folder" in done.stderr, (done.returncode, done.stderr)
    assert not (place.folder / "ran").exists()


def test_sums_alone(place):
    """Where perf events are refused the kernel's sums are left: no wait is claimed, or denied."""
    done = place.run("--", place.scenes, "sleeps", 100, contained=True)
    assert done.returncode == 3 and not done.stdout, (done.returncode, done.stdout)
    assert "in all is known" in done.stderr and "--cap-add PERFMON" in done.stderr, done.stderr
    assert "only that threads waited for a processor" in done.stderr and "doctor" in done.stderr, done.stderr


def main():
    place = Place(*sys.argv[1:3])
    test_sums_alone(place)
    test_own(place)
    test_text(place)
    test_ends(place)
    test_anothers(place)
    test_folder(place)


if __name__ == "__main__":
    main()
