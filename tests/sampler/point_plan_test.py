#!/usr/bin/env python3
"""point_plan_test.py PRINT SCENES FIXED THROWS - which places are watched for what a user says.

Where functions lie and return is told by binutils (nm, objdump), independently of what is tested.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

PRINT, SCENES, FIXED, THROWS = sys.argv[1:5]
ENTER, LEAVE, BEGIN, END = 1, 2, 3, 4


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            import left_out
            left_out.say("places of functions", apt=["binutils"])
            sys.exit(left_out.SKIPPED)


def run(*command):
    return subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace")


class Plan:
    def __init__(self, program, *options):
        self.points, self.places, self.note, self.error = [], [], "", ""
        for line in run(PRINT, program, *options).splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "point":
                _, wish, role, joined, name = rest.split(" ", 4)
                self.points.append((int(wish), int(role), int(joined), name))
            elif kind == "place":
                point, offset, counter, kernel, operand = rest.split()
                self.places.append((int(point), int(offset, 0), int(counter, 0), kernel == "1", operand))
            elif kind == "note":
                self.note = rest
            else:
                self.error = rest

    def offsets(self, point):
        return sorted(place[1] for place in self.places if place[0] == point)


def load_segments(program):
    """(address, offset, size) of what is loaded."""
    for line in run("readelf", "-lW", program).splitlines():
        found = re.match(r"\s+LOAD\s+0x(\w+)\s+0x(\w+)\s+0x\w+\s+0x(\w+)", line)
        if found:
            offset, address, size = (int(n, 16) for n in found.groups())
            yield address, offset, size


def offset_of(program, address):
    for begin, offset, size in load_segments(program):
        if begin <= address < begin + size:
            return address - begin + offset
    raise AssertionError(hex(address))


def symbols(program):
    """name -> address, size"""
    found = {}
    for line in run("nm", "-S", program).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tTwW":
            found[words[3]] = int(words[0], 16), int(words[1], 16)
    return found


def returns(program, name):
    """Offsets of the return instructions."""
    address, size = symbols(program)[name]
    text = run("objdump", "-d", f"--start-address={address}", f"--stop-address={address + size}", program)
    return sorted(offset_of(program, int(line.split(":")[0], 16)) for line in text.splitlines()
                  if re.match(r"\s+[0-9a-f]+:.*\t(repz )?ret", line))


def entry(program, name):
    return offset_of(program, symbols(program)[name][0])


def test_interval():
    for program, name, told in ((SCENES, "handle_request", "handle_request"), (SCENES, "recurse", "recurse"),
                                (THROWS, "_ZN4shop4Pool3runEi", "shop::Pool::run")):
        plan = Plan(program, "-I", name)
        assert plan.points == [(1, ENTER, 0, told), (1, LEAVE, 0, told)], vars(plan)
        assert plan.offsets(0) == [entry(program, name)]
        assert plan.offsets(1) == returns(program, name) != [], (plan.offsets(1), returns(program, name))
        assert not plan.note and not any(place[3] for place in plan.places)


def test_goes_on_elsewhere():
    """serve_last ends in reply: the returns of both are ends."""
    plan = Plan(SCENES, "-I", "serve_last")
    expected = sorted(returns(SCENES, "serve_last") + returns(SCENES, "reply"))
    assert plan.offsets(1) == expected or plan.note, (plan.offsets(1), expected)
    # But of a request that ends where it returns, those of another function may be of another request.
    plan = Plan(SCENES, "-B", "serve_last", "-E", "serve_last%return")
    assert not set(plan.offsets(1)) & set(returns(SCENES, "reply")), vars(plan)


def test_kernels_probe():
    """Where code goes is not told by it, but by a table of functions."""
    for program in (SCENES, FIXED):
        plan = Plan(program, "-I", "dispatch")
        assert [place[3] for place in plan.places] == [False, True], vars(plan)
        assert plan.offsets(0) == plan.offsets(1) and "kernel's return probe" in plan.note, vars(plan)


def test_no_kernels_probe_where_exceptions_are():
    plan = Plan(THROWS, "-I", "shop::relay")
    assert not any(place[3] for place in plan.places) and "by a jump" in plan.note, vars(plan)
    address, size = symbols(THROWS)["_ZN4shop5relayEi"]
    assert plan.offsets(1) and all(entry(THROWS, "_ZN4shop5relayEi") < at < offset_of(THROWS, address + size - 1)
                                   for at in plan.offsets(1)), plan.places


def test_addresses():
    for program in (SCENES, FIXED):
        begin = symbols(program)["handle_request"][0]
        assert Plan(program, "-I", hex(begin)).places == Plan(program, "-I", "handle_request").places
        # A probe in the midst of an instruction would break the program.
        assert "no function that begins" in Plan(program, "-I", hex(begin + 1)).error
        with tempfile.TemporaryDirectory() as folder:
            stripped = os.path.join(folder, "stripped")
            subprocess.run(["strip", "-o", stripped, program], check=True)
            for name in ("handle_request", "choose", "query"):
                at = hex(symbols(program)[name][0])
                assert sorted(Plan(stripped, "-I", at).places) == sorted(Plan(program, "-I", name).places), name
            assert "no function that begins" in Plan(stripped, "-I", hex(begin + 4)).error


def test_without_symbols():
    """The kernel's return probe takes what is on top of the stack for the return address: where no symbol says that a
    function begins, it would end the program. In the PLT none does."""
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "stripped")
        subprocess.run(["strip", "-o", stripped, SCENES], check=True)
        plan = Plan(stripped, "-I", hex(symbols(SCENES)["dispatch"][0]))
        assert not any(place[3] for place in plan.places) and "by a jump" in plan.note, vars(plan)
        # Go moves stacks, with the return addresses on them.
        table, moving = os.path.join(folder, "table"), os.path.join(folder, "moving")
        with open(table, "w") as file:
            file.write("of functions")
        subprocess.run(["objcopy", "--add-section", f".gopclntab={table}", SCENES, moving], check=True)
        assert not any(place[3] for place in Plan(moving, "-I", "dispatch").places)
        sections = run("readelf", "-SW", stripped)
        plt = [re.search(r" (\.plt\S*) +PROGBITS +([0-9a-f]+) ", line) for line in sections.splitlines()]
        assert any(plt), sections
        for found in filter(None, plt):
            plan = Plan(stripped, "-I", hex(int(found[2], 16)))
            assert "no function that begins" in plan.error, (found[1], vars(plan))


def test_begins_again():
    """It jumps to its own beginning: what comes there is not always a call."""
    if "begin_again" in symbols(SCENES):
        assert Plan(SCENES, "-I", "begin_again").points == [(1, ENTER, 1, "begin_again"), (1, LEAVE, 0, "begin_again")]


def test_switch():
    """Its jumps lead back into the function."""
    for program in (SCENES, FIXED):
        plan = Plan(program, "-I", "choose")
        assert not plan.note and set(returns(program, "choose")) <= set(plan.offsets(1)), vars(plan)


def test_cxx():
    both = ("shop::Pool::run(int)", "shop::Pool::run(char const*)")
    for name, symbol in zip(both, ("_ZN4shop4Pool3runEi", "_ZN4shop4Pool3runEPKc")):
        for wanted in (name, symbol, hex(symbols(THROWS)[symbol][0])):
            plan = Plan(THROWS, "-I", wanted)
            assert plan.offsets(0) == [entry(THROWS, symbol)], (wanted, vars(plan))
    plan = Plan(THROWS, "-I", "shop::Pool::run")
    assert plan.error.startswith("2 ") and all(name in plan.error for name in both), plan.error
    assert Plan(THROWS, "-I", "shop::Pool::may_throw").offsets(0) == [entry(THROWS, "_ZN4shop4Pool9may_throwEi")]


def test_errors():
    error = Plan(SCENES, "-I", "handle_reqest").error
    assert "has no function handle_reqest. Did you mean handle_request?" in error, error
    assert "shop::Pool::run" in Plan(THROWS, "-I", "shop::Pool::rum").error
    assert "inlined" in Plan(SCENES, "-I", "quite_another_name_than_all").error
    assert "no function that begins" in Plan(SCENES, "-I", "0x7").error
    assert "No such file" in Plan("/nowhere/at/all", "-I", "main").error
    with tempfile.NamedTemporaryFile("w") as script:
        script.write("#!/bin/sh\nexec true\n")
        script.flush()
        assert "FUNCTION@FILE" in Plan(script.name, "-I", "main").error
    assert Plan("/nowhere", "-I", f"handle_request@{SCENES}").offsets(0) == [entry(SCENES, "handle_request")]


def test_arguments():
    plan = Plan(SCENES, "-N", "2,1", "-B", "begin_item", "-E", "finish_item")
    assert plan.points == [(1, BEGIN, 1, "begin_item"), (1, END, 1, "finish_item")], vars(plan)
    assert [place[4] for place in plan.places] == ["2:8:0:4", "2:8:0:5"], plan.places  # si, di
    plan = Plan(SCENES, "-N", "return,1", "-B", "begin_item%return", "-E", "finish_item")
    assert plan.offsets(0) == returns(SCENES, "begin_item") and plan.places[0][4].startswith("2:8:0:0"), vars(plan)
    plan = Plan(SCENES, "-B", "begin_item", "-E", "finish_item", "-I", "query", "-D")
    assert [p[0] for p in plan.points[:4]] == [1, 1, 2, 2] and {p[0] for p in plan.points[4:]} == {3}, plan.points


def test_probes():
    if "query__start" not in run("readelf", "-nW", SCENES):
        return
    start = Plan(SCENES, "-U", "scenes:query__start,query__done")
    assert start.points == [(1, BEGIN, 0, "scenes:query__start"), (1, END, 0, "scenes:query__done")], vars(start)
    locations = [int(n, 16) for n in re.findall(r"Location: 0x(\w+)", run("readelf", "-nW", SCENES))]
    assert sorted(place[1] for place in start.places) == sorted(offset_of(SCENES, at) for at in locations)
    assert all(place[2] for place in start.places), start.places
    found = Plan(SCENES, "-U", "scenes:query__start")  # its end is known by its name
    assert found.places == start.places
    by_value = Plan(SCENES, "-N", "1,2", "-U", "scenes:query__start,query__done")
    kinds = [place[4].split(":")[0] for place in by_value.places]
    assert kinds == ["2", "3"], by_value.places  # in a register; in memory
    assert "Did you mean scenes:query__start" in Plan(SCENES, "-U", "scenes:query_start").error
    assert "none at all" in Plan(THROWS, "-U", "a:b,c").error
    assert "which probe ends" in Plan(SCENES, "-U", "scenes:query__done").error
    assert "cannot be told" in Plan(SCENES, "-N", "3", "-U", "scenes:query__start,query__done").error


def test_small_debug_information():
    """A stripped program keeps its functions in .gnu_debugdata (gdb's manual, MiniDebugInfo)."""
    with tempfile.TemporaryDirectory() as folder:
        stripped, keep, mini = (os.path.join(folder, name) for name in ("stripped", "keep", "mini"))
        subprocess.run(["strip", "-o", stripped, SCENES], check=True)
        error = Plan(stripped, "-I", "handle_request").error
        assert "has no function handle_request" in error, error
        if not shutil.which("xz"):
            return
        with open(keep, "w") as names:
            names.write("handle_request\nreply\n")
        run("objcopy", "-S", "--remove-section", ".comment", f"--keep-symbols={keep}", SCENES, mini)
        run("xz", mini)
        run("objcopy", "--add-section", f".gnu_debugdata={mini}.xz", stripped)
        plan = Plan(stripped, "-I", "handle_request")
        assert plan.offsets(0) == [entry(SCENES, "handle_request")], vars(plan)
        assert plan.offsets(1) == returns(SCENES, "handle_request"), vars(plan)


def section(program, name):
    """(offset, size) in the file"""
    for line in run("readelf", "-SW", program).splitlines():
        found = re.match(r"\s*\[ *\d+\]\s+(\S+)\s+\S+\s+\w+\s+(\w+)\s+(\w+)", line)
        if found and found.group(1) == name:
            return int(found.group(2), 16), int(found.group(3), 16)
    return 0, 64


def test_damaged():
    """Whatever a file holds, the answer is a plan or an error."""
    random.seed(20240229)
    whole = open(SCENES, "rb").read()
    places = [(0, 64), section(SCENES, ".note.stapsdt"), section(SCENES, ".symtab"), section(SCENES, ".text"),
              (int.from_bytes(whole[40:48], "little"), 64 * 40), (64, 56 * 13), (0, len(whole))]
    plans = errors = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "damaged")
        for i in range(140):
            copy = bytearray(whole)
            offset, size = places[i % len(places)]
            for _ in range(random.choice((1, 3, 20))):
                copy[(offset + random.randrange(max(size, 1))) % len(copy)] = random.choice((0, 1, 0xff, random.randrange(256)))
            if i % 11 == 0:
                del copy[random.randrange(len(copy)):]
            open(path, "wb").write(copy)
            plan = Plan(path, "-I", "choose", "-N", "1,2", "-U", "scenes:query__start,query__done")
            plans, errors = plans + (not plan.error), errors + bool(plan.error)
            Plan(path, "-I", "serve_last", "-I", "no_such_name")
    assert plans > 15 and errors > 15, (plans, errors)


if __name__ == "__main__":
    need("nm", "objdump", "readelf", "strip", "objcopy")
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
