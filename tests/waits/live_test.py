#!/usr/bin/env python3
"""Programs whose waits are known by what they do: two threads in turns, an echo over loopback, naps.

usage: live_test.py VPROFILER SCENES
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "report"), str(HERE.parent)]
import check_report  # noqa: E402
import never_idle  # noqa: E402

VPROFILER, SCENES = sys.argv[1:3]
check_report.SCHEMA = json.loads((HERE.parents[1] / "docs" / "waits.schema.json").read_text())


def waits_of(*words):
    return found_by("--", SCENES, *words)


def found_by(*words):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([VPROFILER, "waits", "--json", "--out", folder, "--kernel", "on", *words],
                              text=True, capture_output=True, check=False)
        page = pathlib.Path(folder, "latest", "waits.html")
        assert done.returncode or page.exists(), done.stderr
    if "who woke whom" not in done.stderr:
        print("left out: what the kernel tells of a run (a machine where `vprofiler doctor` says that all of it can be "
              "recorded)")
        sys.exit(77)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    faults = check_report.faults(found, check_report.SCHEMA)
    assert not faults, faults
    return found


def share(found, who, whom):
    """Of the time, by the names of the groups."""
    groups = found["groups"]
    return sum(edge["raw_share"]["value"] for edge in found["edges"]
               if groups[edge["from"]]["name"] == who and whom in (groups[edge["to"]]["name"], groups[edge["to"]]["kind"]))


def waited_by(found, who):
    return sum(edge["raw_share"]["value"] for edge in found["edges"] if found["groups"][edge["from"]]["name"] == who)


def wanted_by(found, who, had=None):
    """The part of the time in which it wanted a processor, which a thread of that name had meanwhile."""
    groups = found["groups"]
    return sum(charge["share"]["value"] for charge in found["processor"] if groups[charge["from"]]["name"] == who
               and (not had or charge["had"] is not None and groups[charge["had"]]["name"] == had))


def ran(found, who):
    """Of a thread that is there from the beginning to the end."""
    return 1 - waited_by(found, who) - wanted_by(found, who)


def first_knot(found):
    return {found["groups"][g]["name"] for g in found["knots"][0]["groups"]}


def test_in_turns():
    """On one processor, one runs while the other waits for it or, when it has been let go on, which is early in the
    turn, for the processor. What else runs on the machine takes the processor from whichever has it."""
    found = waits_of("pingpong", "100000")
    assert first_knot(found) == {"first", "pong"}, found["headline"]
    assert all(found["edges"][e]["support"] > 0.9 for e in found["knots"][0]["edges"]), found["edges"][:2]
    assert "knot" in found["headline"] and "first" in found["headline"], found["headline"]
    for who, peer in (("first", "pong"), ("pong", "first")):
        waited, wanted = share(found, who, peer), wanted_by(found, who, peer)
        taken = wanted_by(found, peer) - wanted_by(found, peer, who)
        assert waited > 0.05, (who, waited)
        assert -0.04 < waited + wanted - ran(found, peer) < taken + 0.04, (who, waited, wanted, ran(found, peer), taken)
        assert waited > 0.95 * waited_by(found, who), (who, waited, found["edges"][:5])


def test_loopback():
    """Who sends over loopback is waited for, not the network."""
    found = waits_of("tcp", "20000")
    assert first_knot(found) == {"first", "echo"}, found["headline"]
    assert share(found, "first", "network") + share(found, "echo", "network") < 0.02, found["edges"][:5]


def test_hogs():
    """Who shares a processor with two that compute waits for it, and they are named."""
    found = waits_of("hogs", "100")
    had = {found["groups"][c["had"]]["name"]: c["share"]["value"] for c in found["processor"]
           if c["had"] is not None and found["groups"][c["from"]]["name"] == "first"}
    assert min(had.get("hog_a", 0), had.get("hog_b", 0)) > 0.05, had


def test_naps():
    found = waits_of("sleeps", "300")
    assert share(found, "first", "timer") > 0.5, found["edges"][:3]
    assert first_knot(found) == {"timer"}, found["headline"]
    # Without its naps there is what it ran: who does not go need not want a processor again.
    best = found["replay"]["edges"][0]
    assert found["groups"][found["edges"][best["edge"]]["to"]]["kind"] == "timer", best
    ran = found["groups"][best["from"]]["ran_share"]["value"]
    most = 1 / (1 - share(found, "first", "timer"))
    assert most < best["gone"]["speedup"] < 1.1 / ran, (best, most, ran)
    assert "Without the waits of" in found["headline"], found["headline"]


def test_titles():
    """Processes of one name are told apart by what they say that they are."""
    found = waits_of("titles", "300", "room for a title, and some more")
    of_run = sorted(group["name"] for group in found["groups"] if group["of_run"])
    assert of_run == ["first", "toy: reader", "toy: writer"], of_run
    for who, whom in (("toy: reader", "toy: writer"), ("toy: writer", "toy: reader")):
        assert share(found, who, whom) > 0.2, (who, whom, found["edges"][:5])


def test_running():
    """A process that runs already, whose thread and name are older than the recording."""
    with subprocess.Popen([SCENES, "pingpong", "2000000"]) as process:
        try:
            found = found_by("--pid", str(process.pid), "--for", "1s")
        finally:
            process.kill()
    assert first_knot(found) == {"first", "pong"}, found["headline"]
    of_run = sorted(group["name"] for group in found["groups"] if group["of_run"])
    assert of_run == ["first", "pong"], of_run  # another program's threads may have the same names
    assert 0.8e9 < found["wall_ns"] < 1.5e9, found["wall_ns"]


def test_ends():
    """It is looked at until it ends."""
    with subprocess.Popen([SCENES, "sleeps", "300"]) as process:
        found = found_by("--pid", str(process.pid), "--for", "60s")
    assert share(found, "first", "timer") > 0.5, found["edges"][:3]


def test_fails():
    """A program that fails has waited all the same; the exit status tells."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([VPROFILER, "waits", "--out", folder, "--", "sh", "-c", "for i in 1 2 3 4 5 6; do sleep 0.1; done; exit 7"], text=True,
                              capture_output=True, check=False)
    assert done.returncode == 1 and "exit status 7" in done.stderr, (done.returncode, done.stderr)
    assert "sh waits for sleep" in done.stdout, done.stdout


def test_wrong_use():
    for words, said in ((("--pid", "4194999"), "There is no process"), (("--pid", "1", "--", "true"), "Only one of")):
        done = subprocess.run([VPROFILER, "waits", *words], text=True, capture_output=True, check=False)
        assert done.returncode == 2 and said in done.stderr, (done.returncode, done.stderr)


if __name__ == "__main__":
    with never_idle.all_processors():
        test_in_turns()
        test_loopback()
        test_hogs()
        test_naps()
        test_titles()
        test_running()
        test_ends()
        test_fails()
    test_wrong_use()
