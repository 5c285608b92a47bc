#!/usr/bin/env python3
"""random_test.py REQUEST_PRINT [CASES] - requests that follow from random hits, against a second implementation
and, of calls, against what the calls were.

The second one looks ahead from each begin through the hits behind it, where the first goes through them once.
"""
import random
import sys

from cases import Case, ask, fields
from known_test import merged

UNTIL = 100000


# ---- calls of a function: what they are is known ----

class Thread:
    """Its stack of frames: (stack pointer, begin) of a watched call, or the pointer of another function's."""

    def __init__(self, number):
        self.number, self.frames, self.dead_at, self.truth = number, [], 0, []
        self.pointer = 10000

    def step(self, time, hits):
        """What the thread does at a moment; several hits may follow."""
        watched = [f for f in self.frames if f[1]]
        act = random.choice(("call", "call", "call", "other", "return", "return", "return", "jump", "tail"))
        if act == "call" and len(self.frames) < 6:
            # A call that a jump left, deeper than the next one is, can't be told from one that goes on.
            if not watched and self.pointer < self.dead_at:
                return
            hits.append((time, self.number, "enter", 0, self.pointer))
            self.frames.append((self.pointer, [time]))
            self.pointer -= random.randrange(16, 64, 16)
        elif act == "tail" and self.frames and self.frames[-1][1]:
            hits.append((time, self.number, "enter", 0, self.frames[-1][0]))
            self.frames[-1][1].append(time)
        elif act == "other" and len(self.frames) < 6:
            self.frames.append((self.pointer, None))
            self.pointer -= random.randrange(16, 64, 16)
        elif act == "return" and self.frames:
            self.pointer, begins = self.frames.pop()
            for i, _ in enumerate(begins or []):
                hits.append((time + i, self.number, "leave", 0, self.pointer))
            if begins and not any(f[1] for f in self.frames):
                self.truth.append((begins[0], time + len(begins) - 1))
        elif act == "jump" and self.frames:
            keep = random.randrange(len(self.frames))
            left = self.frames[keep:]
            # Those that called themselves last and are left are as many as the jumps would be: not tried.
            if any(f[1] and len(f[1]) > 1 for f in left):
                return
            self.pointer = left[0][0]
            self.frames = self.frames[:keep]
            if any(f[1] for f in left) and not any(f[1] for f in self.frames):
                self.dead_at = max(f[0] for f in left if f[1])


def random_calls():
    threads = [Thread(n) for n in range(1, random.randrange(2, 4))]
    hits, time = [], 10
    for _ in range(random.randrange(5, 60)):
        thread = random.choice(threads)
        thread.step(time, hits)
        time += random.randrange(8, 40)
    truth = sorted((*t, thread.number) for thread in threads for t in thread.truth)
    return Case("pairs", hits, UNTIL), truth


def random_nonsense():
    """Hits as no program makes them."""
    hits = [(10 * i, random.randrange(1, 3), random.choice(("enter", "leave")), 0, random.choice((700, 800, 900)))
            for i in range(1, random.randrange(2, 20))]
    return Case("pairs", hits, UNTIL)


def calls_again(case):
    """By looking ahead."""
    requests = []
    for thread in {fields(h)[1] for h in case.hits}:
        hits = [(t, role, stack) for t, th, role, _, stack, _ in map(fields, case.hits) if th == thread]
        at = 0
        while at < len(hits):
            time, role, stack = hits[at]
            if role == "leave":
                at += 1
                continue
            same, ahead = [time], at + 1
            while ahead < len(hits):
                t, r, s = hits[ahead]
                if r == "enter" and s == stack:
                    same.append(t)
                elif s > stack or (r == "leave" and s == stack):
                    break
                ahead += 1
            end = hits[ahead][0] if ahead < len(hits) else UNTIL
            returned = 0
            while (returned < len(same) and ahead + returned < len(hits) and
                   hits[ahead + returned][1:] == ("leave", stack)):
                returned += 1
            left = same[:len(same) - returned]
            for begin, after in zip(left, [*same[1:], end]):
                last = begin == same[-1]
                fate = "cut" if last and ahead == len(hits) else "left"
                requests.append((begin, after, thread, thread, fate))
            if returned:
                requests.append((same[len(left)], hits[ahead + returned - 1][0], thread, thread, "complete"))
                at = ahead + returned
            elif ahead < len(hits) and hits[ahead][1] == "leave":
                at = ahead + 1
            else:
                at = ahead
    return sorted(requests)


# ---- spans ----

def random_spans():
    by_value = random.random() < 0.7
    hits = [(10 * i, random.randrange(1, 4), random.choice(("begin", "end")), random.randrange(3), 0)
            for i in range(1, random.randrange(2, 25))]
    hits = [(*h, h[1] % 2) for h in hits]  # a thread is of one process
    return Case("spans", hits, UNTIL, by_value)


def spans_again(case):
    requests, works, unbegun = [], [], 0
    hits = [fields(h) for h in case.hits]

    def key(hit):
        return (hit[5], hit[3]) if case.by_value else hit[1]

    ends = {}
    for i, hit in enumerate(hits):
        same = [h for h in hits[i + 1:] if key(h) == key(hit)]
        before = [h for h in hits[:i] if key(h) == key(hit)]
        if hit[2] == "end":
            unbegun += not before or before[-1][2] == "end"
            continue
        if not same:
            requests.append((hit[0], UNTIL, hit[1], hit[1], "cut"))
        else:
            fate = "complete" if same[0][2] == "end" else "replaced"
            requests.append((hit[0], same[0][0], hit[1], same[0][1], fate))
        ends[hit[0]] = requests[-1][1]
    for i, hit in enumerate(hits):
        if hit[2] == "begin":
            own = [h[0] for h in hits[i + 1:] if h[1] == hit[1]]
            to = min(own[0] if own else UNTIL, ends[hit[0]])
            works.append((hit[0], to, hit[1], hit[0]))
    return sorted(requests), works, unbegun


# ---- descriptors ----

SOCKET_ROLES = ("read", "read", "read", "wrote", "wrote", "writes", "poll", "close", "accept", "connect")


def random_sockets():
    hits = []
    for i in range(1, random.randrange(2, 30)):
        hits.append((10 * i, random.randrange(1, 3), random.choice(SOCKET_ROLES), random.randrange(2), 1, 0))
    return Case("descriptors", hits, UNTIL, True)


def sides(hits):
    """Of each hit, whether its descriptor is a client's then."""
    side, found = {}, []
    for _, _, role, fd, _, _ in hits:
        if role in ("accept", "connect", "close"):
            side[fd] = {"accept": "server", "connect": "client"}.get(role)
        elif role != "poll" and not side.get(fd):
            side[fd] = "server" if role == "read" else "client"
        found.append(side.get(fd) == "server")
    return found


def sockets_again(case):
    hits = [fields(h) for h in case.hits]
    server = sides(hits)
    requests = []
    for i, (time, thread, role, fd, _, _) in enumerate(hits):
        begins = role == "read" and server[i]
        begin = time
        if role in ("writes", "wrote") and server[i] and not open_at(hits, server, i, thread, fd):
            # The thread accepted it, and has not read from it, nor has it written to it since.
            accepted = accepted_at(hits, server, i, thread, fd)
            if accepted is not None:
                begins, begin = True, accepted
        if begins:
            requests.append((begin, *follow(hits, server, i, thread, fd)))
    return sorted((b, e, th, th, fate) for b, e, th, fate in requests)


def accepted_at(hits, server, i, thread, fd):
    """When the thread accepted it, if it has begun no request on it since."""
    for j in range(i - 1, -1, -1):
        _, other, role, its_fd, _, _ = hits[j]
        if its_fd != fd or role == "poll":
            continue
        if role in ("accept", "connect", "close"):
            return hits[j][0] if role == "accept" and other == thread else None
        if other != thread:
            continue
        if server[j] and (role == "read" or role in ("writes", "wrote")):
            return None
    return None


def open_at(hits, server, i, thread, fd):
    """Whether a request of the thread on it is open when hit i comes: by trying those that began before."""
    for j in range(i - 1, -1, -1):
        time, other, role, its_fd, _, _ = hits[j]
        if its_fd != fd or other != thread or not server[j] or role not in ("read", "writes", "wrote"):
            continue
        if role != "read" and (open_at(hits, server, j, thread, fd) or accepted_at(hits, server, j, thread, fd) is None):
            continue
        return follow(hits, server, j, thread, fd, i)[2] == "open"
    return False


def follow(hits, server, i, thread, fd, until=None):
    """(end, thread, fate) of the request that hit i began; "open" where it is when hit `until` comes."""
    answered = hits[i][0] if hits[i][2] == "wrote" else None
    for j in range(i + 1, len(hits)):
        if j == until:
            return 0, thread, "open"
        time, other, role, its_fd, _, _ = hits[j]
        if role == "poll" and other == thread and answered:
            return answered, thread, "complete"
        if role == "poll" or its_fd != fd:
            continue
        if role in ("close", "accept", "connect"):
            return (answered, thread, "complete") if answered else (time, thread, "closed")
        if other != thread or not server[j]:
            continue
        if role == "read":
            return (answered, thread, "complete") if answered else (time, thread, "replaced")
        if role == "wrote":
            answered = time
    return (0, thread, "open") if until is not None else (UNTIL, thread, "cut")


# ---- all ----

def short(requests):
    return sorted((b, e, bt, et, fate) for b, e, bt, et, _, fate in requests)


def differ(name, case, seen, expected):
    if seen == expected:
        return 0
    print(f"{name}: {case}\n  says {seen}\n  not  {expected}")
    return 1


def main():
    tool, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    random.seed(20240229)
    calls = [random_calls() for _ in range(count)]
    nonsense = [random_nonsense() for _ in range(count)]
    spans = [random_spans() for _ in range(count)]
    sockets = [random_sockets() for _ in range(count)]
    answers = iter(ask(tool, [c for c, _ in calls] + nonsense + spans + sockets))
    faults = complete = 0
    for case, truth in calls:
        answer = next(answers)
        seen = [(b, e, t) for b, e, t, _, _, fate in answer.requests if fate == "complete"]
        complete += len(seen)
        faults += differ("calls", case, seen, truth)
        faults += differ("calls, again", case, short(answer.requests), calls_again(case))
    for case in nonsense:
        faults += differ("nonsense", case, short(next(answers).requests), calls_again(case))
    for case in spans:
        answer = next(answers)
        requests, works, unbegun = spans_again(case)
        faults += differ("spans", case, (short(answer.requests), merged(answer.works), answer.unbegun),
                         (requests, merged(works), unbegun))
    for case in sockets:
        faults += differ("sockets", case, short(next(answers).requests), sockets_again(case))
        if faults > 5:
            break
    print(f"{4 * count} cases, {complete} calls that are complete, {faults} faults")
    sys.exit(faults != 0 or complete < count)


if __name__ == "__main__":
    main()
