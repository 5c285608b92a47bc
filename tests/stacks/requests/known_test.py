#!/usr/bin/env python3
"""known_test.py REQUEST_PRINT - lists of hits, and the requests that follow from them, worked out by hand."""
import sys

from cases import Case, ask

# name, case, requests (begin, end, begin thread, end thread, fate), works (from, to, thread, request's begin), unbegun
KNOWN = [
    ("one call", Case("pairs", [(10, 1, "enter", 0, 900), (14, 1, "leave", 0, 900)]),
     [(10, 14, 1, 1, "complete")], [(10, 14, 1, 10)], 0),
    ("two threads at once",
     Case("pairs", [(10, 1, "enter", 0, 900), (11, 2, "enter", 0, 900), (14, 1, "leave", 0, 900), (19, 2, "leave", 0, 900)]),
     [(10, 14, 1, 1, "complete"), (11, 19, 2, 2, "complete")], [(10, 14, 1, 10), (11, 19, 2, 11)], 0),
    ("the outermost of nested calls",
     Case("pairs", [(10, 1, "enter", 0, 900), (11, 1, "enter", 0, 800), (12, 1, "enter", 0, 700), (13, 1, "leave", 0, 700),
                    (14, 1, "leave", 0, 800), (15, 1, "enter", 0, 800), (16, 1, "leave", 0, 800), (20, 1, "leave", 0, 900)]),
     [(10, 20, 1, 1, "complete")], [(10, 20, 1, 10)], 0),
    ("it had begun before", Case("pairs", [(5, 1, "leave", 0, 900), (6, 1, "enter", 0, 900), (9, 1, "leave", 0, 900)]),
     [(6, 9, 1, 1, "complete")], [(6, 9, 1, 6)], 1),
    ("it had not ended", Case("pairs", [(990, 1, "enter", 0, 900)]), [(990, 1000, 1, 1, "cut")], [(990, 1000, 1, 990)], 0),
    ("left by a jump, and called from further out",
     Case("pairs", [(10, 1, "enter", 0, 800), (20, 1, "enter", 0, 900), (25, 1, "leave", 0, 900)]),
     [(10, 20, 1, 1, "left"), (20, 25, 1, 1, "complete")], [(10, 20, 1, 10), (20, 25, 1, 20)], 0),
    ("left by a jump, and called again from the same place",
     Case("pairs", [(10, 1, "enter", 0, 900), (20, 1, "enter", 0, 900), (25, 1, "leave", 0, 900), (30, 1, "enter", 0, 900),
                    (35, 1, "leave", 0, 900)]),
     [(10, 20, 1, 1, "left"), (20, 25, 1, 1, "complete"), (30, 35, 1, 1, "complete")],
     [(10, 20, 1, 10), (20, 25, 1, 20), (30, 35, 1, 30)], 0),
    ("it calls itself last: both return at once",
     Case("pairs", [(10, 1, "enter", 0, 900), (20, 1, "enter", 0, 900), (25, 1, "leave", 0, 900), (26, 1, "leave", 0, 900)]),
     [(10, 26, 1, 1, "complete")], [(10, 26, 1, 10)], 0),
    ("it jumps to its own beginning, and returns once",
     Case("pairs", [(10, 1, "enter", 0, 900), (20, 1, "enter", 0, 900), (25, 1, "leave", 0, 900), (30, 1, "enter", 0, 900),
                    (35, 1, "leave", 0, 900), (40, 1, "enter", 0, 900), (41, 1, "enter", 0, 910), (42, 1, "leave", 0, 910)],
          by_value=True),
     [(10, 25, 1, 1, "complete"), (30, 35, 1, 1, "complete"), (40, 41, 1, 1, "left"), (41, 42, 1, 1, "complete")],
     [(10, 25, 1, 10), (30, 35, 1, 30), (40, 41, 1, 40), (41, 42, 1, 41)], 0),
    ("left by a jump, and further out another return",
     Case("pairs", [(10, 1, "enter", 0, 800), (20, 1, "leave", 0, 900), (30, 1, "enter", 0, 800), (31, 1, "leave", 0, 800)]),
     [(10, 20, 1, 1, "left"), (30, 31, 1, 1, "complete")], [(10, 20, 1, 10), (30, 31, 1, 30)], 0),
    ("hits were lost in it, and not in the next one",
     Case("pairs", [(10, 1, "enter", 0, 900), (20, 1, "leave", 0, 900), (30, 1, "enter", 0, 900), (40, 1, "leave", 0, 900)],
          losses=[(5, 10), (15, 18)]),
     [(10, 20, 1, 1, "doubtful"), (30, 40, 1, 1, "complete")], [(10, 20, 1, 10), (30, 40, 1, 30)], 0),
    ("a long loss covers all, a short one in it nothing less",
     Case("pairs", [(10, 1, "enter", 0, 900), (20, 1, "leave", 0, 900), (30, 1, "enter", 0, 900), (40, 1, "leave", 0, 900)],
          losses=[(22, 23), (5, 100)]),
     [(10, 20, 1, 1, "doubtful"), (30, 40, 1, 1, "doubtful")], [(10, 20, 1, 10), (30, 40, 1, 30)], 0),

    ("from one thread to another",
     Case("spans", [(10, 1, "begin", 7), (12, 1, "begin", 8), (20, 2, "end", 7), (25, 3, "end", 8)], by_value=True),
     [(10, 20, 1, 2, "complete"), (12, 25, 1, 3, "complete")], [(10, 12, 1, 10), (12, 25, 1, 12)], 0),
    ("one value in two processes",
     Case("spans", [(10, 1, "begin", 7, 0, 0), (11, 5, "begin", 7, 0, 1), (20, 2, "end", 7, 0, 1), (30, 3, "end", 7, 0, 0)],
          by_value=True),
     [(10, 30, 1, 3, "complete"), (11, 20, 5, 2, "complete")], [(10, 30, 1, 10), (11, 20, 5, 11)], 0),
    ("begun again, ended without a begin, cut",
     Case("spans", [(5, 2, "end", 9), (10, 1, "begin", 7), (15, 1, "begin", 7), (20, 2, "end", 7), (21, 2, "end", 7),
                    (30, 1, "begin", 6)], until=50, by_value=True),
     [(10, 15, 1, 1, "replaced"), (15, 20, 1, 2, "complete"), (30, 50, 1, 1, "cut")],
     [(10, 15, 1, 10), (15, 20, 1, 15), (30, 50, 1, 30)], 2),
    ("by thread", Case("spans", [(10, 1, "begin"), (11, 2, "begin"), (14, 1, "end"), (19, 2, "end")]),
     [(10, 14, 1, 1, "complete"), (11, 19, 2, 2, "complete")], [(10, 14, 1, 10), (11, 19, 2, 11)], 0),

    ("an answer in two parts, the next request, closed",
     Case("descriptors", [(5, 1, "accept", 7, 7), (10, 1, "read", 7, 40), (15, 1, "writes", 7), (16, 1, "wrote", 7, 9),
                          (18, 1, "writes", 7), (19, 1, "wrote", 7, 9), (30, 1, "read", 7, 40), (40, 1, "writes", 7),
                          (41, 1, "wrote", 7, 9), (60, 1, "close", 7)]),
     [(10, 19, 1, 1, "complete"), (30, 41, 1, 1, "complete")],
     [(10, 15, 1, 10), (15, 16, 1, 10), (16, 18, 1, 10), (18, 19, 1, 10), (30, 40, 1, 30), (40, 41, 1, 30)], 0),
    ("an event loop: what is written after epoll_wait is another answer",
     Case("descriptors", [(10, 1, "read", 7, 40), (12, 1, "read", 8, 40), (14, 1, "writes", 7), (15, 1, "wrote", 7, 9),
                          (16, 1, "writes", 8), (17, 1, "wrote", 8, 9), (20, 1, "poll", 3), (30, 1, "writes", 7),
                          (31, 1, "wrote", 7, 9), (40, 1, "close", 7)]),
     [(10, 15, 1, 1, "complete"), (12, 17, 1, 1, "complete")],
     [(10, 12, 1, 10), (12, 14, 1, 12), (14, 15, 1, 10), (16, 17, 1, 12)], 0),
    ("a request without an answer goes on while its thread waits for many, and is worked for",
     Case("descriptors", [(10, 1, "read", 7, 40), (20, 1, "poll", 3), (30, 1, "writes", 7), (31, 1, "wrote", 7, 9),
                          (35, 1, "poll", 3)]),
     [(10, 31, 1, 1, "complete")], [(10, 30, 1, 10), (30, 31, 1, 10)], 0),
    ("of two without an answer neither is worked for while the thread waits",
     Case("descriptors", [(10, 1, "read", 7, 40), (12, 1, "read", 8, 40), (20, 1, "poll", 3), (30, 1, "writes", 7),
                          (31, 1, "wrote", 7, 9), (33, 1, "writes", 8), (34, 1, "wrote", 8, 9), (35, 1, "poll", 3)]),
     [(10, 31, 1, 1, "complete"), (12, 34, 1, 1, "complete")],
     [(10, 12, 1, 10), (12, 20, 1, 12), (30, 31, 1, 10), (33, 34, 1, 12)], 0),
    ("several reads: the last one made it whole",
     Case("descriptors", [(10, 1, "read", 7, 4), (12, 1, "read", 7, 36), (15, 1, "writes", 7), (16, 1, "wrote", 7, 9),
                          (20, 1, "close", 7)]),
     [(10, 12, 1, 1, "replaced"), (12, 16, 1, 1, "complete")],
     [(10, 12, 1, 10), (12, 15, 1, 12), (15, 16, 1, 12)], 0),
    ("a database is asked in between: its connection is no client's",
     Case("descriptors", [(10, 1, "read", 7, 40), (11, 1, "writes", 9), (12, 1, "wrote", 9, 5), (13, 1, "read", 9, 5),
                          (14, 1, "writes", 9), (15, 1, "wrote", 9, 5), (16, 1, "read", 9, 5), (17, 1, "writes", 7),
                          (18, 1, "wrote", 7, 9), (20, 1, "close", 7)]),
     [(10, 18, 1, 1, "complete")], [(10, 17, 1, 10), (17, 18, 1, 10)], 0),
    ("one that was connected, and closed; then the number is a client's",
     Case("descriptors", [(5, 1, "connect", 9), (6, 1, "read", 9, 5), (7, 1, "writes", 9), (8, 1, "wrote", 9, 5),
                          (9, 1, "close", 9), (10, 1, "accept", 9, 9), (11, 1, "read", 9, 5), (12, 1, "writes", 9),
                          (13, 1, "wrote", 9, 5), (14, 1, "poll", 3)]),
     [(11, 13, 1, 1, "complete")], [(11, 12, 1, 11), (12, 13, 1, 11)], 0),
    ("greeted before anything was read",
     Case("descriptors", [(10, 1, "accept", 9, 9), (12, 1, "writes", 9), (13, 1, "wrote", 9, 5), (14, 1, "poll", 3)]),
     [(10, 13, 1, 1, "complete")], [(12, 13, 1, 10)], 0),
    ("closed without an answer, and cut by the end",
     Case("descriptors", [(10, 1, "read", 7, 4), (12, 2, "read", 8, 4), (15, 1, "close", 7), (16, 2, "writes", 8),
                          (17, 2, "wrote", 8, 4)], until=30),
     [(10, 15, 1, 1, "closed"), (12, 30, 2, 2, "cut")],
     [(10, 15, 1, 10), (12, 16, 2, 12), (16, 17, 2, 12), (17, 30, 2, 12)], 0),
]


def merged(works):
    """One behind the other for the same request is one."""
    whole = []
    for begin, end, thread, request in sorted(works, key=lambda w: (w[2], w[0])):
        if whole and whole[-1][1:] == (begin, thread, request):
            whole[-1] = (whole[-1][0], end, thread, request)
        else:
            whole.append((begin, end, thread, request))
    return sorted(whole)


def main():
    faults = 0
    answers = ask(sys.argv[1], [case for _, case, *_ in KNOWN])
    for (name, _, requests, works, unbegun), answer in zip(KNOWN, answers):
        seen = [(b, e, bt, et, fate) for b, e, bt, et, _, fate in answer.requests]
        if (seen, merged(answer.works), answer.unbegun) != (sorted(requests), merged(works), unbegun):
            faults += 1
            print(f"{name}:\n  {seen} {merged(answer.works)} {answer.unbegun}\n  expected {requests} {merged(works)} {unbegun}")
    print(f"{len(KNOWN)} lists of hits, {faults} faults")
    sys.exit(faults != 0)


if __name__ == "__main__":
    main()
