#!/usr/bin/env python3
"""Where what a server loses goes: functions of memcached and redis timed, taken evenly.

usage: server_parts.py --work FOLDER [--functions 100|500] [--turns N] [--seconds S] BUILD PROJECT...

FOLDER holds what `servers.py --prepare` built there. One variant after the other adds a part: the probes' text with no
runtime, the runtime with all switches off (the hooks of synchronization), calls recorded with a constant in the clock's
place, and the clock. Turns are those of servers.py. Prints each part's processor time in us a request, user and system,
as the median of the differences within a turn and its 95 % interval. x86-64 only.
"""
import argparse
import pathlib
import statistics

import servers
from servers import PLAIN, Variant

# rdtsc; shl $32, %rdx; or %rdx, %rax: and the same bytes as mov $1, %eax; nopl.
READ, NO_READ = bytes.fromhex("0f3148c1e2204809d0"), "b8010000000f1f4000"


def parts(count, without_clock):
    """Each with what the one before it has, and one thing more."""
    timed = servers.timed("even", count)
    return [PLAIN, Variant("probes' text", timed.file), Variant("hooks", timed.file, runtime=True, off=True),
            Variant("records", timed.file, runtime=True, library=without_clock), timed._replace(name="clock reads")]


def make_without_clock(library, work):
    """A runtime with a constant where a call's entry and exit read the clock: each call takes no time then."""
    image = library.read_bytes()
    places = [image.index(READ, servers.code_offset(library, name)) for name in ("site_hit_enter", "site_hit_leave")]
    return servers.patched(library, work / "libvprof-constant.so", {at: NO_READ for at in places})


def report(subject, variants, runs):
    plain, last = ([statistics.median(column) for column in zip(*runs[variant])] for variant in (PLAIN, variants[-1]))
    print(f"{subject.name}: {plain[0]:.0f} requests a second, {plain[3]:.2f} us of its processor a request; "
          f"{last[4]:.1f} records", flush=True)
    for before, variant in zip(variants, variants[1:]):
        steps = [b.processor_us - a.processor_us for a, b in zip(runs[before], runs[variant])]
        print("  {:12} {:+.2f} us ({:+.2f} to {:+.2f})".format(variant.name, statistics.median(steps),
                                                               *servers.interval(steps)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--functions", type=int, choices=servers.AIMS, default=500)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("projects", nargs="+", choices=servers.SERVERS)
    options = parser.parse_args()
    work = options.work.resolve()
    load = servers.build_load(work)
    without_clock = make_without_clock(options.build.resolve() / "lib/libvprof.so", work)
    for name in options.projects:
        subject = servers.Subject(name, options.build.resolve(), work)
        variants = parts(options.functions, without_clock)
        report(subject, variants, servers.measure(subject, variants, load, options.turns, options.seconds))


if __name__ == "__main__":
    main()
