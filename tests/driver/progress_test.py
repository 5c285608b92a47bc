#!/usr/bin/env python3
"""What iterate says while it works: a live line on a terminal, one line a phase elsewhere.

usage: progress_test.py VPROFILER
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading

from checks import run_checks
from target import Target

COLUMNS = 60


def run_at_terminal(target, *options, answer=None, **environment):
    """stderr (and stdin, where there is an answer) are a terminal; gives what it saw, and stdout."""
    control, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    process = subprocess.Popen(target.command("--build", "build.sh", *options), cwd=target.tree,
                               stdin=terminal if answer else subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=terminal,
                               env=dict(os.environ, **{"TERM": "xterm", **environment}))
    os.close(terminal)
    results = []
    reader = threading.Thread(target=lambda: results.append(process.stdout.read().decode()))
    reader.start()
    seen = b""
    try:
        while part := os.read(control, 4096):
            seen += part
            if answer and b"? [Y/n/?] " in seen:
                os.write(control, answer)
                answer = None
    except OSError:
        pass
    reader.join()
    os.close(control)
    return process.wait(), seen.decode(), results[0]


def on_screen(seen):
    """The lines that are left when all is drawn: \\r goes back, ESC [K clears to the end."""
    lines, line, column = [], "", 0
    for token in re.findall(r"\r|\n|\x1b\[K|[^\r\n\x1b]+", seen):
        if token == "\n":
            lines.append(line)
            line, column = "", 0
        elif token == "\r":
            column = 0
        elif token == "\x1b[K":
            line = line[:column]
        else:
            line = line[:column] + token + line[column + len(token):]
            column += len(token)
    return lines + [line]


def check_live(target):
    code, seen, result = run_at_terminal(target, "--auto")
    assert code == 0 and "WHERE THE VARIANCE IS" in result and "\r" not in result, (code, seen)
    drawn = re.findall(r"\r([^\r\n\x1b]+)\x1b\[K", seen)
    assert any(line.startswith("[0] build and run  0:0") for line in drawn), drawn
    assert any(re.match(r"\[2\] .*in all \d:\d\d  so far: ", line) for line in drawn), drawn
    assert all(len(line) < COLUMNS for line in drawn), max(drawn, key=len)
    left = on_screen(seen)
    assert not any("in all" in line for line in left), "the live line is left: " + repr(left)
    assert any(line.startswith("[1] 150 intervals of ") for line in left), left
    assert any("the first picture: " in line for line in left), left
    assert left[-2].startswith("wrote ") and left[-1] == "", left


def check_question(target):
    code, seen, _ = run_at_terminal(target, answer=b"q\n")
    assert code == 0, seen
    question = [line for line in on_screen(seen) if "? [Y/n/?] " in line]
    assert question and question[0].startswith("  Open it? "), on_screen(seen)


def check_failure(target):
    (target.tree / "build.sh").write_text("#!/bin/sh\nexit 9\n")
    code, seen, _ = run_at_terminal(target, "--auto")
    left = on_screen(seen)
    assert code == 1 and left[0].startswith("vprofiler: The build script ended"), left


def check_lines(target):
    """One line a phase, and nothing that moves the cursor."""
    code, seen, _ = run_at_terminal(target, "--auto", "--max-rounds", "1", TERM="dumb")
    assert code == 0 and "\x1b" not in seen, seen
    done = target.iterate("--auto", "--max-rounds", "1")
    assert done.returncode == 0 and "\r" not in done.stderr and "\x1b" not in done.stderr
    phases = [line for line in done.stderr.split("\n") if line.startswith("[")]
    words = ["copy", "build and run", "parse", "time", "build and run", "analyse", "150 intervals"]
    assert len(phases) == len(words), phases
    assert all(word in line for word, line in zip(words, phases)), phases


def headlines(text):
    return re.findall(r"[0-9.]+ % of the latency variance of \S+ [^.]+", " ".join(text.split()))


def check_one_scale(target):
    """A round says what the report of that round says: the same figure, and of what it is a part."""
    done = target.iterate("--auto")
    said = headlines(done.stderr)
    rounds = sorted((target.home / "out" / "latest" / "rounds").glob("*/report.txt"))
    told = [headlines(path.read_text())[0] for path in rounds]
    assert len(said) >= 2 and said == told, (said, told)
    assert headlines(done.stdout)[0] == said[-1], (done.stdout, said)


def check_quiet(target):
    code, seen, result = run_at_terminal(target, "--auto", "--quiet", "--max-rounds", "1")
    assert code == 0 and seen == "" and result, repr(seen)


def main():
    return run_checks([check_live, check_question, check_failure, check_lines, check_one_scale, check_quiet],
                      lambda: Target(os.path.abspath(sys.argv[1])))


if __name__ == "__main__":
    sys.exit(main())
