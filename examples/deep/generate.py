#!/usr/bin/env python3
"""Writes steps.h and steps_0.c to steps_9.c: a tree of 400 functions below handle_request().

    python3 generate.py          run in this folder; the result is committed, and always the same

Each function calls its children and does a few instructions of work. A spine of eight calls leads
from handle_request, which is the first of the 400, to flush_journal, which is in server.c and the
only one that sleeps.
"""
import random

FUNCTIONS = 400  # handle_request and flush_journal among them
FILES = 10
SPINE = 8
FAN_OUT = 4
NOTICE = "/* Written by generate.py. */\n"


def tree():
    """Children of each function: 0 is handle_request, SPINE is flush_journal, a leaf here."""
    chance = random.Random(8)
    depth = {i: i for i in range(SPINE + 1)}
    children = {i: [i + 1] if i < SPINE else [] for i in range(FUNCTIONS)}
    for function in range(SPINE + 1, FUNCTIONS):
        open_ = [f for f in depth if f != SPINE and depth[f] <= SPINE and len(children[f]) < FAN_OUT]
        parent = chance.choice(open_)
        children[parent].append(function)
        depth[function] = depth[parent] + 1
    for calls in children.values():
        chance.shuffle(calls)
    return children


def names():
    chance = random.Random(400)
    numbers = list(range(1, FUNCTIONS - 1))
    chance.shuffle(numbers)
    result = {0: "handle_request", SPINE: "flush_journal"}
    for function in range(FUNCTIONS):
        if function not in result:
            result[function] = f"step_{numbers.pop():03}"
    return result


def body(function, children, name):
    lines = [f"unsigned {name[function]}(unsigned x)", "{",
             f"    x = x * 2654435761u + {function};"]
    lines += [f"    x ^= {name[child]}(x);" for child in children[function]]
    return "\n".join(lines + ["    return x;", "}"])


def main():
    children, name = tree(), names()
    in_order = sorted(range(FUNCTIONS), key=lambda f: name[f])
    with open("steps.h", "w") as file:
        file.write(NOTICE + "#ifndef STEPS_H\n#define STEPS_H\n\n")
        file.writelines(f"unsigned {name[f]}(unsigned x);\n" for f in in_order)
        file.write("\n#endif\n")
    generated = [f for f in in_order if f != SPINE]
    for number in range(FILES):
        with open(f"steps_{number}.c", "w") as file:
            file.write(NOTICE + '#include "steps.h"\n')
            for function in generated[number::FILES]:
                file.write("\n" + body(function, children, name) + "\n")


if __name__ == "__main__":
    main()
