#!/usr/bin/env python3
"""Where what a server loses goes: 500 functions of memcached and redis timed, taken evenly.

usage: server_parts.py --work FOLDER [--pairs N] [--seconds S] BUILD PROJECT...

FOLDER holds what `servers.py --prepare` built there. One variant after the other adds a part: the probes' text with no
runtime, the runtime with all switches off (the hooks of synchronization), calls recorded with a constant in the clock's
place, and the clock. Turns are those of servers.py. Prints each part's processor time, user and system, in us a request
of the server's, medians of differences within a turn; and the throughput. x86-64 only.
"""
import argparse
import pathlib
import shutil
import statistics
import struct

import servers

PROBES, OFF, CONSTANT, ON = "probes' text", "hooks", "records", "clock reads"
PARTS = [PROBES, OFF, CONSTANT, ON]
TIMED = ("even", 500)
# rdtsc; shl $32, %rdx; or %rdx, %rax: and the same bytes as mov $1, %eax; nopl.
READ, NO_READ = bytes.fromhex("0f3148c1e2204809d0"), bytes.fromhex("b8010000000f1f4000")


class Subject(servers.Subject):
    """programs[part] for each part, all the same but for the one whose clock is a constant."""

    def use_prepared(self):
        timed = self.program(TIMED)
        constant = self.folder / "server-constant"
        shutil.copy(timed, constant)
        constant.write_bytes(without_clock(timed))
        self.programs = {servers.PLAIN: self.program(servers.PLAIN), PROBES: timed, OFF: timed,
                         CONSTANT: constant, ON: timed}

    def environment(self, variant, traces):
        if variant == OFF:  # as docs/vprofiler-trace.5.md says
            head = b"vprofsw\n" + struct.pack("<II", 1, 4096)
            (traces / "switches.shm").write_bytes(head.ljust(4096, b"\0") + bytes(1 << 16))
        return super().environment(servers.PLAIN if variant == PROBES else variant, traces)

    def records_calls(self, variant):
        return variant in (CONSTANT, ON)


def without_clock(program):
    """Its bytes with a constant where the probes of calls read the clock: each call takes no time then."""
    image = program.read_bytes()
    for name in ("vprof_call_enter_1", "vprof_call_leave_1"):
        start = servers.code_offset(program, name)
        at = image.index(READ, start)
        assert at < start + 64, f"{name} reads the clock elsewhere"
        image = image[:at] + NO_READ + image[at + len(READ):]
    return image


def measure(subject, load, pairs, seconds):
    """{variant: [(requests a second, user us, system us), ...]}"""
    found = {variant: [] for variant in subject.programs}
    for number in range(pairs):
        for variant in list(found)[::-1 if number % 2 else 1]:
            rate = subject.turn(variant, load, seconds)[0]
            found[variant].append((rate, subject.user_us[variant], subject.system_us[variant]))
    return found


def report(subject, found):
    medians = {variant: [statistics.median(column) for column in zip(*turns)] for variant, turns in found.items()}
    rate, user_us, system_us = medians[servers.PLAIN]
    print(f"{subject.name}: {rate:.0f} requests a second, {user_us:.2f} us user and {system_us:.2f} us system a request; "
          f"{subject.records[ON]:.1f} records", flush=True)
    for before, part in zip([servers.PLAIN, *PARTS], PARTS):
        steps = [[b - a for a, b in zip(one, two)] for one, two in zip(found[before], found[part])]
        _, user, system = (statistics.median(column) for column in zip(*steps))
        print(f"  {part:12} user {user:+.2f} us, system {system:+.2f} us; with it "
              f"{medians[part][0]:.0f} requests a second, {100 * (medians[part][0] / rate - 1):+.1f} %", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("projects", nargs="+", choices=servers.SERVERS)
    options = parser.parse_args()
    work = options.work.resolve()
    load = servers.build_load(work)
    for name in options.projects:
        subject = Subject(name, options.build.resolve(), work)
        subject.use_prepared()
        report(subject, measure(subject, load, options.pairs, options.seconds))


if __name__ == "__main__":
    main()
