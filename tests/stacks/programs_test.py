#!/usr/bin/env python3
"""`vprofiler stacks` of programs that end, become others, have children, threads, libraries that come and go, files that are
replaced, and no names: what it says of each is right, or it says what it does not know.

usage: programs_test.py VPROFILER
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import left_out  # noqa: E402
from watched import Place, run_all  # noqa: E402

PLACE = Place(sys.argv[1])
WORK = ["first_work", "second_work"]


def check_turns(seen, root="main"):
    seen.expect_share("first_work", WORK, seen.own["first"] / (seen.own["first"] + seen.own["second"]))
    assert seen.whole() > 0.98, (seen.tree.found["cut"], seen.tree.found["samples"])
    assert root is None or seen.tree.find(root, "turns", "first_work"), seen.names()


def test_plugins():
    """Two libraries take turns at one address; each has its own time."""
    one = PLACE.build("one.so", "-shared", "-fPIC", "-DNAME=one_work", source="plugin.c")
    two = PLACE.build("two.so", "-shared", "-fPIC", "-DNAME=two_work", source="plugin.c")
    seen = PLACE.run([PLACE.build("plain"), "plugins", "2.5", one, two])
    assert "apart" not in (PLACE.home / "printed").read_text(), "the libraries did not lie at one address"
    seen.expect_share("one_work", ["one_work", "two_work"], seen.own["first"] / (seen.own["first"] + seen.own["second"]), 0.03)
    assert seen.whole() > 0.98, seen.tree.found["cut"]
    for name, file in ("one_work", "one.so"), ("two_work", "two.so"):
        objects = {f["object"] for f in seen.tree.found["frames"] if f["function"] == name}
        assert objects == {file}, (name, objects)


def test_exec():
    """Both programs lie at one fixed address, and the second one's functions at those of the first one's."""
    first = PLACE.build("before", "-no-pie")
    second = PLACE.build("after", "-no-pie")
    seen = PLACE.run([first, "become", "0.7", second])
    seen.expect_share("first_work", WORK, 0.5, 0.04)
    for name, file in ("first_work", "before"), ("second_work", "after"):
        objects = {f["object"] for f in seen.tree.found["frames"] if f["function"] == name}
        assert objects == {file}, (name, objects)
    assert seen.whole() > 0.98, seen.tree.found["cut"]


def test_forks():
    """Children that live 2 ms: what no sample fell into is told as that."""
    seen = PLACE.run([PLACE.build("plain"), "forks", "400"])
    ran, _, samples = seen.tree.under("child_work")
    unseen = seen.tree.under("[not seen]")[0]
    print(f"  child_work ran {ran / 1e6:.0f} ms of {seen.own['first']:.0f}; {samples} samples; not seen {unseen / 1e6:.0f} ms")
    assert ran / 1e6 > 0.4 * seen.own["first"], (ran, seen.own)
    assert 0.85 * seen.own["first"] < (ran + unseen) / 1e6 < 2 * seen.own["first"], (ran, unseen, seen.own)
    assert seen.whole() > 0.97, (seen.tree.found["cut"], seen.tree.found["samples"])


def test_commands():
    """Children that become other programs, each at addresses of its own: their files are opened once for all of them."""
    seen = PLACE.run(["sh", "-c", "for i in $(seq 300); do /bin/true; done"])
    assert seen.whole() > 0.95, (seen.tree.found["cut"], seen.tree.found["samples"])
    words = [PLACE.vprofiler, "stacks", "--json", seen.folder / "latest"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    print(f"  {seen.tree.found['thread_count']} threads; to tell it again took {used.ru_maxrss // 1024} MiB")
    assert process.returncode == 0 and used.ru_maxrss < 500 * 1024, used.ru_maxrss


def test_ends():
    """A process that ends while it is watched."""
    seen = PLACE.attach([PLACE.build("plain"), "plain", "5"], seconds=60)
    assert "has ended: what it did until then is analysed" in seen.err, seen.err
    check_turns(seen)


def test_many_threads():
    seen = PLACE.run([PLACE.build("plain"), "many", "1000"])
    groups = [g for g in seen.tree.found["groups"] if g["of_run"] and g["threads"] >= 999]
    assert len(groups) == 1, seen.tree.found["groups"]
    ran, _, samples = seen.tree.under("thread_work")
    print(f"  thread_work ran {ran / 1e6:.0f} ms of {seen.own['first']:.0f}; {samples} samples")
    assert ran / 1e6 > 0.4 * seen.own["first"], (ran, seen.own)


def other_program():
    """Other functions lie at the same addresses."""
    return PLACE.build("other", "-Dfirst_work=wrong_one", "-Dsecond_work=wrong_two", "-Dturns=wrong_turns")


def check_replaced(seen, name):
    """Read again when yet another file has that name: the copy beside the trace tells."""
    wrong = [n for n in seen.names() if n.startswith("wrong")]
    assert not wrong, wrong
    check_turns(seen)
    shutil.copy(other_program(), PLACE.home / "next")
    os.rename(PLACE.home / "next", PLACE.home / name)
    seen.own, PLACE_own = {}, seen.own
    again = PLACE.again(seen)
    again.own = PLACE_own
    check_turns(again)
    assert not [n for n in again.names() if n.startswith("wrong")], again.names()


def test_replaced():
    """While it runs, as an upgrade of a package does: another file takes the name."""
    program = PLACE.copy(PLACE.build("plain"), "server")
    other = other_program()

    def upgrade(_):
        shutil.copy(other, PLACE.home / "new")
        os.rename(PLACE.home / "new", program)
    check_replaced(PLACE.attach([program, "plain", "4"], meanwhile=upgrade), "server")


def test_removed():
    program = PLACE.copy(PLACE.build("plain"), "removed")
    check_turns(PLACE.attach([program, "plain", "4"], meanwhile=lambda _: os.unlink(program)))


def test_rebuilt_later():
    """After the run nobody has the file any more: its functions have no names, and no other one's."""
    program = PLACE.copy(PLACE.build("plain", "-Wl,--build-id=none"), "rebuilt")
    seen = PLACE.run([program, "plain", "1"])
    check_turns(seen)
    shutil.copy(other_program(), PLACE.home / "next")
    os.rename(PLACE.home / "next", program)
    again = PLACE.again(seen)
    assert "[rebuilt: replaced since]" in again.names(), again.names()
    assert not [n for n in again.names() if n.startswith("wrong")], again.names()


def test_library_replaced():
    source = PLACE.home / "calls.c"
    source.write_text("double one_work(double);\n#include <stdio.h>\n"
                      "int main(void) { double ms = 0; while (ms < 3000) ms += one_work(20); printf(\"first 1\\n\"); return ms < 0; }\n")
    library = PLACE.build("libone.so", "-shared", "-fPIC", "-DNAME=one_work", source="plugin.c")
    program = PLACE.build("calls", f"-L{PLACE.home}", "-lone", f"-Wl,-rpath,{PLACE.home}", source=source)
    other = PLACE.build("libnew.so", "-shared", "-fPIC", "-DNAME=wrong_one", source="plugin.c")
    seen = PLACE.attach([program], meanwhile=lambda _: os.rename(other, library))
    assert seen.tree.under("one_work")[0] > 0 and "wrong_one" not in seen.names(), seen.names()
    assert seen.whole() > 0.98, seen.tree.found["cut"]


def test_static():
    for name, options in ("static", ["-static"]), ("static-pie", ["-static-pie"]):
        print(" ", name)
        check_turns(PLACE.run([PLACE.build(name, *options), "plain", "1"]))


def test_kinds():
    """C++ names, dynamic symbols alone, and no symbols."""
    check_turns(PLACE.run([PLACE.build("no-pie", "-no-pie"), "plain", "1"]))
    dynamic = PLACE.build("dynamic", "-Dstatic=", "-rdynamic")
    subprocess.run(["strip", dynamic], check=True)
    check_turns(PLACE.run([dynamic, "plain", "1"]))
    plain = PLACE.build("cxx", "-x", "c++", "-fpermissive")
    seen = PLACE.run([plain, "plain", "1"])
    check_turns(seen)
    assert not [n for n in seen.names() if n.startswith("_Z")], seen.names()
    bare = PLACE.build("bare")
    subprocess.run(["strip", bare], check=True)
    seen = PLACE.run([bare, "plain", "1"])
    assert seen.whole() > 0.98 and [n for n in seen.names() if n.startswith("[bare+0x")], seen.names()


def test_debugdata():
    """.gnu_debugdata, as Fedora's programs have it: symbols of functions, compressed, in the stripped file."""
    if left_out.lacks("xz", "programs with .gnu_debugdata", "xz-utils"):
        return
    program, symbols = PLACE.build("mini"), PLACE.home / "mini.symbols"
    subprocess.run(["objcopy", "-S", "--remove-section", ".gdb_index", "--keep-symbol=first_work", "--keep-symbol=second_work",
                    "--keep-symbol=turns", "--keep-symbol=main", program, symbols], check=True)
    subprocess.run(["strip", program], check=True)
    subprocess.run(["xz", "-f", symbols], check=True)
    subprocess.run(["objcopy", "--add-section", f".gnu_debugdata={symbols}.xz", program], check=True)
    check_turns(PLACE.run([program, "plain", "1"]))


def test_debug_files():
    """Symbols in a file of their own, which is installed by build id."""
    program = PLACE.build("split")
    notes = subprocess.run(["readelf", "-n", program], text=True, capture_output=True, check=True).stdout
    if "Build ID: " not in notes:
        return left_out.say("separate debug files", how="a linker that writes build ids")
    build_id = notes.split("Build ID: ")[1].split()[0]
    folder = pathlib.Path("/usr/lib/debug/.build-id") / build_id[:2]
    if os.geteuid() != 0:
        return left_out.say("separate debug files", how="run the tests as root")
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{build_id[2:]}.debug"
    subprocess.run(["objcopy", "--only-keep-debug", program, file], check=True)
    subprocess.run(["strip", program], check=True)
    try:
        check_turns(PLACE.run([program, "plain", "1"]))
    finally:
        file.unlink()
        if made:
            folder.rmdir()


def test_stacks():
    """A handler on a stack of its own; coroutines, whose stacks have a beginning of their own; the kernel's page."""
    seen = PLACE.run([PLACE.build("plain"), "stack", "1.5"])
    handled = seen.tree.under("on_signal", "first_work")[0] / seen.tree.nodes[0]["total"]["ran_ns"]
    truth = seen.own["first"] / (seen.own["first"] + seen.own["second"])
    print(f"  on_signal has {handled:.3f}, and it is {truth:.3f}; {seen.tree.found['cut']} cut of {seen.tree.found['samples']}")
    assert abs(handled - truth) < 0.15 and seen.whole() > 0.9, (handled, truth, seen.tree.found["cut"])
    assert any("stack" in seen.tree.path(n) for n in seen.tree.find("on_signal", "first_work")), seen.names()
    seen = PLACE.run([PLACE.build("plain"), "coroutines", "1.5"])
    seen.expect_share("first_work", WORK, seen.own["first"] / (seen.own["first"] + seen.own["second"]))
    assert seen.tree.find("coroutine", "first_work") or seen.tree.find("[cut]"), seen.names()
    assert not seen.tree.find("main", "coroutine"), seen.names()
    seen = PLACE.run([PLACE.build("plain"), "vdso", "1"])
    assert seen.whole() > 0.98 and seen.tree.under("vdso")[0] / 1e6 > 0.9 * seen.own["first"], (seen.own, seen.names())


def test_no_tables():
    """Without .eh_frame: by frame pointers, and without those, cut, which is said."""
    none = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
    check_turns(PLACE.run([PLACE.build("pointers", *none, "-fno-omit-frame-pointer"), "plain", "1"]), root=None)
    seen = PLACE.run([PLACE.build("nothing", *none), "plain", "1"])
    print("  without both", seen.tree.found["cut"], "cut of", seen.tree.found["samples"])
    assert seen.tree.found["cut"] > 0.5 * seen.tree.found["samples"] and "stacks-cut" in seen.said, seen.said
    assert seen.tree.find("[cut]"), seen.names()


def test_namespaces():
    """A program in namespaces of its own: its file has no name here."""
    program = PLACE.build("plain")
    words = ["unshare", "-m", "-p", "--fork", "sh", "-c"]
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode:
        return left_out.say("programs in namespaces", how="where `unshare -m -p --fork` is allowed")
    script = f"mount -t tmpfs none /mnt && cp {program} /mnt/hidden && exec /mnt/hidden plain 4"

    def inside(pid):
        for _ in range(100):
            for child in (pathlib.Path("/proc") / str(pid) / "task" / str(pid) / "children").read_text().split():
                if os.readlink(f"/proc/{child}/exe").endswith("hidden"):
                    return int(child)
            time.sleep(0.05)
        raise AssertionError("the program did not begin")
    check_turns(PLACE.attach([*words, script], pid_of=inside))


if __name__ == "__main__":
    run_all({k: v for k, v in globals().items() if len(sys.argv) < 3 or k in sys.argv[2:]})
    print("programs of all kinds are told as what they are")
