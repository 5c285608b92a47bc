#!/usr/bin/env python3
"""stacks_test.py PRINT SCENES TURNS UNWIND_SCENES.c LIBRARY.c - what a recorder's stacks say of programs of which it is known.

A program in turns of exactly the clock's period is seen in all of its turns alike; each sample stands for the time since
the one before; what is counted is what is there. And programs whose files come, go, or are elsewhere.
"""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TURNS, UNWIND_SCENES, LIBRARY = sys.argv[3:6]
from recording import needs_all, of

import never_idle  # noqa: E402

NOT, FOREIGN = 0, 5
CLOCK = ["-S", "-c", "1000000", "-W", "10000"]


def functions(program):
    """[(address, end, name)] as the linker laid them out."""
    lines = subprocess.run(["nm", "-S", "--defined-only", program], text=True, capture_output=True, check=True).stdout
    found = re.findall(r"^([0-9a-f]+) ([0-9a-f]+) [tTwW] (\S+)$", lines, re.M)
    return [(int(a, 16), int(a, 16) + int(n, 16), name) for a, n, name in found]


def loaded_at(maps, program):
    """Where the file's first byte is."""
    for text in maps:
        for line in text.splitlines():
            if line.endswith(str(program)):
                return int(line.split("-")[0], 16) - int(line.split()[2], 16)
    return None


def records_of(run, kind):
    return [r for log in run.stacks.logs for r in log.records if r["kind"] == kind]


def counts_agree(run):
    records = records_of(run, "sample") + records_of(run, "wait_stack")
    ended = sum(sum(each["ended"]) for each in run.stacks.unwound)
    assert run.stacks.unwinding["stacks"] == len(records) == run.report["stacks"], run.stacks.unwinding
    assert run.stacks.unwinding["lost"] == run.report["stacks_lost"], run.report
    assert 0.95 * len(records) <= ended <= len(records), (ended, len(records))
    cut = sum(sum(each["ended"][1:]) for each in run.stacks.unwound)
    assert cut == run.report["stacks_cut"], (cut, run.report)


# In the first and the last moment of a process nothing tells yet, or any more, what it has mapped. On a busy machine there
# are few stacks beside these.
AT_ENDS = 6


def mostly_whole(name, run, least=0.98):
    counts_agree(run)
    ended = [sum(each["ended"][i] for each in run.stacks.unwound) for i in range(8)]
    print(f"{name}: {sum(ended)} stacks, whole {ended[NOT]}, cut {ended[1:]}")
    assert sum(ended) > 50 and ended[NOT] >= least * sum(ended) - AT_ENDS, (ended, run.stacks.unwound)


def times_of(run, program):
    """How long each function was seen innermost in user space, and how many samples there are."""
    by_number = {s["number"]: s for s in run.stacks.stacks}
    base, known = loaded_at(run.stacks.maps, program), functions(program)
    base = 0 if known and known[0][0] >= 0x400000 else base
    times, count = {}, 0
    for sample in records_of(run, "sample"):
        stack = by_number.get(sample["stack"])
        names = [name for address in (stack or {"addresses": []})["addresses"] for begin, end, name in known
                 if begin <= address - base < end]
        name = next((n for n in names if n in ("early", "late")), "other")
        times[name] = times.get(name, 0) + sample["amount"]
        count += 1
    return times, count


def test_turns():
    """A fixed period of 1 ms would see the same tenth of each turn all the time."""
    run = needs_all(of([TURNS, "4000"], options=CLOCK))
    times, count = times_of(run, TURNS)
    _, early, _, late = next(line for line in run.lines if line.startswith("early")).split()
    truth = int(early) / (int(early) + int(late))  # 0.3, where nothing comes in its way
    part = times["early"] / (times["early"] + times["late"])
    sd = math.sqrt(truth * (1 - truth) / count)
    print(f"turns of 1 ms: {count} samples, early {part:.3f} +- {sd:.3f}, is {truth:.3f}; {times}")
    assert count > 0.8 * (int(early) + int(late)) / 1e6 > 80 and abs(part - truth) < 4 * sd, (part, sd, times)
    tid = run.report["pid"]
    ran, came = 0, None
    for time, is_in, _ in run.switches(tid):
        ran += 0 if is_in or came is None else time - came
        came = time if is_in else None
    assert abs(sum(times.values()) / ran - 1) < 0.05, (times, ran)
    mostly_whole("turns of 1 ms", run)


def test_too_small():
    """What finds no room is counted: in a ring that no stack fits into all of them; and of stacks in a file that has no
    room for another one, those that it has stay, and new ones are none."""
    run = needs_all(of([TURNS, "500"], options=[*CLOCK, "-R", "4096"]))
    assert run.report["stacks_lost"] > 100 and run.report["stacks"] < 50, run.report
    assert run.stacks.unwinding["lost"] == run.report["stacks_lost"], run.stacks.unwinding
    run = needs_all(of([TURNS, "1000"], options=[*CLOCK, "-b", "1500"]))
    kept = sum(16 + 8 * len(s["addresses"]) for s in run.stacks.stacks)
    records = records_of(run, "sample") + records_of(run, "wait_stack")
    without = sum(not r["stack"] for r in records)
    print(f"1,500 bytes of stacks: {len(run.stacks.stacks)} in {kept} bytes, {without} of {len(records)} without")
    assert 1500 <= kept < 1500 + 16 + 8 * 200 and run.stacks.unwinding["without"] == without > 0, run.stacks.unwinding
    assert any(r["stack"] for r in sorted(records, key=lambda r: r["ticks"])[-len(records) // 2:])


def build(folder, name, source, *options):
    program = folder / name
    subprocess.run(["gcc", "-O2", "-w", "-fno-optimize-sibling-calls", *options, "-o", program, source, "-lpthread", "-ldl"],
                   check=True)
    program.chmod(0o755)
    return str(program)


def test_files(folder):
    program = build(folder, "scenes", UNWIND_SCENES)
    library = build(folder, "library.so", LIBRARY, "-shared", "-fPIC")
    mostly_whole("a library comes and goes", run := of(["timeout", "1", program, "load", library], options=CLOCK))
    assert any("library.so" in text for text in run.stacks.maps), run.stacks.maps[-1]
    mostly_whole("exec", of(["timeout", "1", program, "become"], options=CLOCK))
    # The stack that a handler interrupted is read a moment later, when the handler may have returned.
    mostly_whole("a handler's own stack", of(["timeout", "1", program, "alternate"], options=CLOCK), least=0.95)
    mostly_whole("code made as it runs", of(["timeout", "1", program, "code"], options=CLOCK))
    gone = folder / "gone"
    script = f"cp {program} {gone}; timeout 1 {gone} plain & sleep 0.05; rm {gone}; echo nothing > {gone}; wait"
    mostly_whole("a file that is gone", of(["sh", "-c", script], options=CLOCK))


def test_namespace(folder):
    program = build(folder, "scenes", UNWIND_SCENES)
    script = f"mount -t tmpfs none /mnt && cp {program} /mnt/hidden && exec timeout 1 /mnt/hidden plain"
    tried = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    if tried.returncode == 0:
        mostly_whole("another mount namespace", of(["unshare", "-m", "sh", "-c", script], options=CLOCK))


NARROW = """
void _start(void)
{
    for (volatile unsigned i = 0; i < 400000000u; i++)
        ;
    __asm__ volatile("mov $1, %eax; xor %ebx, %ebx; int $0x80");
}
"""


def test_narrow(folder):
    """A program of 32 bits is told as what it is."""
    source, program = folder / "narrow.c", folder / "narrow"
    source.write_text(NARROW)
    built = subprocess.run(["gcc", "-m32", "-O1", "-static", "-nostdlib", "-fno-pie", "-no-pie", "-o", program, source],
                           capture_output=True, check=False)
    if built.returncode or subprocess.run([program], check=False).returncode:
        return
    run = of([str(program)], options=CLOCK)
    counts_agree(run)
    foreign = sum(each["ended"][FOREIGN] for each in run.stacks.unwound)
    assert foreign > 0.9 * len(records_of(run, "sample")) > 20, run.stacks.unwound


def main():
    with never_idle.all_processors(), tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        test_turns()
        test_too_small()
        if shutil.which("gcc"):
            test_files(folder)
            test_namespace(folder)
            test_narrow(folder)


if __name__ == "__main__":
    main()
