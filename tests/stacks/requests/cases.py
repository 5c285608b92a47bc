"""cases.py - asks request_print which requests follow from hits.

    answers = ask(tool, [Case("pairs", hits, until=100), ...])
    answers[0].requests     [(begin, end, begin_thread, end_thread, id, fate), ...] by begin
    answers[0].works        [(from, to, thread, begin of the request), ...]

A hit is (time, thread, role, value, second), or with a process behind it.
"""
import dataclasses
import subprocess

ROLES = ["", "enter", "leave", "begin", "end", "read", "writes", "wrote", "accept", "connect", "close", "poll"]
FATES = ["complete", "cut", "left", "replaced", "closed", "doubtful"]


@dataclasses.dataclass
class Case:
    kind: str
    hits: list
    until: int = 1000
    by_value: bool = False
    losses: tuple = ()
    name: str = ""


@dataclasses.dataclass
class Answer:
    requests: list
    works: list
    unbegun: int


def fields(hit):
    time, thread, role, value, second, process = (*hit, 0, 0, 0)[:6] if len(hit) < 6 else hit
    return time, thread, role, value, second, process


def text_of(case):
    lines = [f"{case.kind} {int(case.by_value)} {case.until}"]
    for hit in case.hits:
        time, thread, role, value, second, process = fields(hit)
        lines.append(f"hit {time} {thread} {process} {ROLES.index(role)} {value} {second}")
    lines += [f"loss {a} {b}" for a, b in case.losses]
    return "\n".join([*lines, "done\n"])


def ask(tool, cases):
    text = subprocess.run([tool], input="".join(map(text_of, cases)), text=True, capture_output=True, check=True).stdout
    answers, requests, works = [], [], []
    for line in text.splitlines():
        word, *numbers = line.split()
        numbers = [int(n) for n in numbers]
        if word == "request":
            requests.append((*numbers[:5], FATES[numbers[5]]))
        elif word == "work":
            works.append((*numbers[:3], requests[numbers[3]][0]))
        elif word == "unbegun":
            unbegun = numbers[0]
        else:
            answers.append(Answer(sorted(requests), sorted(works), unbegun))
            requests, works = [], []
    assert len(answers) == len(cases), (len(answers), len(cases))
    return answers
