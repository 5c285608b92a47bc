#!/usr/bin/env python3
"""call_test.py CALL_PRINT [CASES] - single calls from hits: cases whose answer is known, random programs whose calls
are known, and random hits against a second implementation.

The second one looks ahead from each entry for its return, where the first keeps a stack of open calls.
"""
import random
import subprocess
import sys

FATES = ["returned", "left", "open", "begun", "doubtful"]
FROM, UNTIL = 5, 100000


def ask(tool, cases):
    """A case is (hits, again, losses), a hit (time, thread, role, stack); an answer (calls, deepest)."""
    lines = []
    for hits, again, losses in cases:
        lines.append(f"calls {int(again)} {FROM} {UNTIL}")
        lines += [f"hit {time} {thread} {role} {stack}" for time, thread, role, stack in hits]
        lines += [f"loss {a} {b}" for a, b in losses] + ["done"]
    text = subprocess.run([tool], input="\n".join(lines) + "\n", text=True, capture_output=True, check=True).stdout
    answers, calls = [], []
    for line in text.splitlines():
        word, *numbers = line.split()
        numbers = [int(n) for n in numbers]
        if word == "call":
            calls.append((*numbers[:4], FATES[numbers[4]]))
        elif word == "deepest":
            answers.append((sorted(calls), numbers[0]))
            calls = []
    assert len(answers) == len(cases)
    return answers


# ---- by looking ahead ----

def end_of(hits, at, again):
    """Index of the hit that ends the call that begins there, and how; hits are one thread's."""
    stack = hits[at][3]
    more, returned = 0, False  # later calls of that stack pointer that are open; one of them returned right before
    for i in range(at + 1, len(hits)):
        _, _, role, its = hits[i]
        if its > stack or (returned and (role, its) != ("returned", stack)):
            return i, "left"
        if its == stack and role == "called":
            more += not again
        elif its == stack:
            if not more:
                return i, "returned"
            more -= 1
            returned = True
    return len(hits), "left" if returned else "open"


def calls_again(case):
    hits, again, losses = case
    calls, deepest = [], 0
    for thread in {h[1] for h in hits}:
        own = [h for h in hits if h[1] == thread]
        known = []  # (begin, end, stack) as indexes
        if own[0][2] == "returned":
            calls.append((FROM, own[0][0], thread, 0, "begun"))
        for i, (time, _, role, stack) in enumerate(own):
            still = [k for k in known if k[1] > i]
            if role == "returned" or (again and any(k[2] == stack for k in still)):
                continue
            end, fate = end_of(own, i, again)
            known.append((i, end, stack))
            deepest = max(deepest, len(still) + 1)
            calls.append((time, own[end][0] if end < len(own) else UNTIL, thread, len(still), fate))
    doubted = [(*c[:4], "doubtful") if any(a <= c[1] and b >= c[0] for a, b in losses) else c for c in calls]
    return sorted(doubted), deepest


# ---- programs ----

class Thread:
    """Frames are (stack pointer, begin) of the watched function, or (pointer, None) of another one."""

    def __init__(self, number):
        self.number, self.frames, self.pointer, self.truth, self.dead = number, [], 10000, [], 0

    def depth(self):
        return sum(f[1] is not None for f in self.frames)

    def step(self, time, hits):
        act = random.choice(("call", "call", "other", "return", "return", "jump"))
        if act == "call" and len(self.frames) < 8 and self.pointer >= self.dead:
            # A call that a jump left is known to be over when its stack pointer, or a higher one, is in use again.
            hits.append((time, self.number, "called", self.pointer))
            self.frames.append((self.pointer, time))
            self.dead = 0
            self.pointer -= random.randrange(16, 64, 16)
        elif act == "other" and len(self.frames) < 8:
            self.frames.append((self.pointer, None))
            self.pointer -= random.randrange(16, 64, 16)
        elif act == "return" and self.frames:
            self.pointer, begin = self.frames.pop()
            if begin is not None:
                hits.append((time, self.number, "returned", self.pointer))
                self.truth.append((begin, time, self.number, self.depth(), "returned"))
                self.dead = 0 if self.pointer >= self.dead else self.dead
        elif act == "jump" and self.frames:
            keep = random.randrange(len(self.frames))
            left = [f for f in self.frames[keep:] if f[1] is not None]
            self.pointer = self.frames[keep][0]
            self.frames = self.frames[:keep]
            if left:
                self.dead = max(self.dead, max(f[0] for f in left) + 1)


def random_program():
    threads = [Thread(n) for n in range(1, random.randrange(2, 4))]
    hits, time = [], 10
    for _ in range(random.randrange(5, 80)):
        random.choice(threads).step(time, hits)
        time += random.randrange(1, 30)
    return (hits, False, ()), sorted(t for thread in threads for t in thread.truth)


def random_nonsense():
    """Hits as no program makes them."""
    hits = [(10 * i, random.randrange(1, 3), random.choice(("called", "returned")), random.choice((700, 800, 900)))
            for i in range(1, random.randrange(2, 24))]
    losses = [(a, a + random.randrange(30)) for a in range(0, 240, 80) if random.random() < 0.2]
    return hits, random.random() < 0.3, losses


# ---- known answers ----

def hits_of(text):
    """"c900 r900": called, then returned, 10 apart, of thread 1."""
    return [(10 * (i + 1), 1, {"c": "called", "r": "returned"}[w[0]], int(w[1:])) for i, w in enumerate(text.split())]


KNOWN = [
    ("c900 r900 c900 r900", [(10, 20, 1, 0, "returned"), (30, 40, 1, 0, "returned")], 1),
    ("c900 c800 r800 r900", [(10, 40, 1, 0, "returned"), (20, 30, 1, 1, "returned")], 2),  # recursion
    ("c900 c900 r900 r900", [(10, 40, 1, 0, "returned"), (20, 30, 1, 1, "returned")], 2),  # it called itself last
    ("c900 c900 r900 c900 r900", [(10, 40, 1, 0, "left"), (20, 30, 1, 1, "returned"), (40, 50, 1, 0, "returned")], 2),
    ("c800 c900 r900", [(10, 20, 1, 0, "left"), (20, 30, 1, 0, "returned")], 1),  # a jump
    ("c900 c800 c700 c850 r850 r900", [(10, 60, 1, 0, "returned"), (20, 40, 1, 1, "left"), (30, 40, 1, 2, "left"),
                                       (40, 50, 1, 1, "returned")], 3),
    ("r900 c900", [(FROM, 10, 1, 0, "begun"), (20, UNTIL, 1, 0, "open")], 1),
    ("c900 r700 r900", [(10, 30, 1, 0, "returned")], 1),  # of what it goes on in, called by another
]


def main():
    tool, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    for (text, calls, deepest), got in zip(KNOWN, ask(tool, [(hits_of(k[0]), False, ()) for k in KNOWN])):
        assert got == (sorted(calls), deepest), (text, got, calls)
    again = ask(tool, [(hits_of("c900 c900 c900 r900 c900"), True, ()), (hits_of("c900 r900"), False, [(12, 13)])])
    assert again[0] == ([(10, 40, 1, 0, "returned"), (50, UNTIL, 1, 0, "open")], 1), again[0]
    assert again[1] == ([(10, 20, 1, 0, "doubtful")], 1), again[1]
    seed = random.randrange(1 << 32)
    print("seed", seed)
    random.seed(seed)
    programs = [random_program() for _ in range(count // 2)]
    for (case, truth), (calls, _) in zip(programs, ask(tool, [p[0] for p in programs])):
        got = [c for c in calls if c[4] == "returned"]
        assert got == truth, (case, truth, calls)
    returned = sum(len(t) for _, t in programs)
    cases = [random_nonsense() for _ in range(count // 2)] + [p[0] for p in programs[:2000]]
    for case, got in zip(cases, ask(tool, cases)):
        assert got == calls_again(case), (case, got, calls_again(case))
    print(f"{len(programs)} programs with {returned} calls, and {len(cases)} cases against a second implementation")
    assert returned > count


if __name__ == "__main__":
    main()
