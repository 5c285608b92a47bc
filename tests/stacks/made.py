"""made.py - a trace of two threads with sampled stacks, as a recorder writes it.

    made.directory(made.trace(samples, waits, stacks), folder)
    made.stack(1, "main", "left")      the outermost first; names are the kernel's
    made.sample(5, 1)                  at 5 ms, of stack 1
    made.wait(10, 3, 8)                the wait that begins at 10 ms has stack 3, and stands for 8
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "trace"))
import make_vtr  # noqa: E402

MS = 1000000
NAMES = ["main", "left", "right", "shared", "walk", "futex_wait", "leaf"]
AT = {name: 0xffffffff81000000 + 0x100 * (i + 1) for i, name in enumerate(NAMES)}


def stack(number, *names, cut=0):
    """The innermost first, as the kernel's."""
    return [number, 100, len(names), [hex(AT[name]) for name in names[::-1]], cut]


def trace(samples, waits, stacks, more=()):
    """Thread 1 waits for 2 for 10, 20 and 40 ms, and wants a processor for 1 ms then. It is there for 200 ms."""
    one, two = [["switch", 0, 0, 1]], [["switch", 0, 0, 2]]
    for begin, end, late in ((10, 20, 1), (30, 50, 0), (60, 100, 0)):
        one += [["switch", begin * MS, 1, 0, "sleeps"], ["switch", (end + late) * MS, 0, 1]]
        two += [["waking", end * MS, 1, 2]]
    one.append(["switch", 200 * MS, 1, 0, "sleeps"])
    two.append(["switch", 200 * MS, 2, 0, "sleeps"])
    whose = [["who", 0, 1, 1, "one", "seen", 0, 1], ["who", 0, 1, 2, "two", "seen", 0, 1]]
    kernel = [f"{AT[name]:x} {name}" for name in NAMES]
    maps = ["00401000-00402000 r-xp 00000000 08:01 7 /nowhere/server",
            "7f0000001000-7f0000002000 r-xp 00000000 08:01 8 /nowhere/libhelp.so.1"]
    return {"files": [
        {"name": "kernel.vtr", "features": 1, "watched": 1, "pid": 900, "threads": [
            {"tid": 0, "number": 1, "records": whose + one}, {"tid": 0, "number": 2, "records": two}]},
        {"name": "stacks.vtr", "features": 1, "pid": 900, "stacks": stacks, "maps_of": {"1": maps, "100": maps},
         "kernel": kernel, "threads": [{"tid": 0, "number": 1, "records": sorted(samples + waits, key=lambda r: r[1])},
                                       {"tid": 0, "number": 2, "records": list(more)}]}]}


def directory(of, folder):
    make_vtr.make_directory(of, pathlib.Path(folder))


def sample(at, number):
    return ["sample", at * MS, 1, 1, number, 10 * MS]


def wait(at, number, one_in):
    return ["wait_stack", at * MS, 1, 1, 0, number, one_in]


LEFT, RIGHT = stack(1, "main", "left", "shared"), stack(2, "main", "right", "shared")
FIRST, LAST = stack(3, "main", "left", "futex_wait"), stack(4, "main", "right", "futex_wait")
SAMPLES = [sample(5, 1), sample(25, 2), sample(110, 2), sample(150, 2)]
