#!/usr/bin/env python3
"""What is made from the tables of the commands: reading options, help, manual pages, completions.

usage: command_line_test.py VPROFILER
Shells that are not installed are not asked.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checks import run_checks

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

VPROFILER = os.path.abspath(sys.argv[1])
BASH = """
source "$1"
COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
_vprofiler
printf '%s\\n' "${COMPREPLY[@]}"
"""
# zsh completes only at a prompt: this one stands in for it and prints what would be offered.
ZSH = """
autoload -Uz compinit && compinit -D -d $1.dump
source $1
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- ${(P)2} }
words=("${@:2}") CURRENT=$(($# - 1))
_vprofiler
"""


def run(*words, code=0):
    done = subprocess.run([VPROFILER, *words], text=True, capture_output=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == code, f"{words}: exit code {done.returncode}\n{done.stderr}"
    return done.stdout if code == 0 else done.stderr


def command_names():
    return re.findall(r"^  (\w+) ", run("help"), re.M)


def check_help():
    assert "iterate" in command_names() and run("--help") == run("help") == run("-h")
    assert run(code=2) == run("help"), "no command at all is wrong use"
    for name in command_names():
        text = run("help", name)
        assert text == run(name, "--help") == run(name, "-h", "--nonsense"), name
        examples = text.split("\nexamples:\n")[1].split("\nexit status")[0].strip("\n").split("\n")
        assert len(examples) == 6 and all("vprofiler" in e for e in examples[::2]), name
        for line in text.split("\n"):
            assert len(line) <= 80 or line in examples, f"{name}: {line}"


def check_reading():
    """Both ways of a value, options behind words, the words behind --."""
    with tempfile.TemporaryDirectory() as folder:
        none = os.path.join(folder, "none")
        for words in (["--source=" + none], ["--source", none], ["--jobs", "4", "--source", none],
                      ["--jobs=4", "--jobs=5", "--source", none]):
            assert none in run("rewrite", *words, code=2), words
        assert none in run("iterate", "--build", none, "--", "x", "--k", "0", code=2)
        assert "--k wants" in run("iterate", "--build", none, "--k=0", "--", "x", code=2)
        assert run("help", "--roff", "dump") == run("help", "dump", "--roff")


def check_manual():
    if left_out.lacks("groff", "the manual pages, as groff sets them", "groff-base"):
        return
    for name in ["", *command_names()]:
        page = run("help", "--roff", *([name] if name else []))
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou"], input=page, text=True,
                              capture_output=True, timeout=60)
        assert done.returncode == 0 and not done.stderr, f"{name}: {done.stderr}"
        text = re.sub(r"\s+", " ", done.stdout)
        for option in re.findall(r"^  (--\S+)", run("help", name), re.M) if name else []:
            assert option in text, f"{name}: {option} is not in the manual"
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS"):
            assert section in text, f"{name}: no {section}"


def complete_bash(script, *words):
    done = subprocess.run(["bash", "-c", BASH, "bash", script, *words], text=True,
                          capture_output=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.split()


def check_bash(script):
    assert set(command_names()) <= set(complete_bash(script, "vprofiler", ""))
    assert complete_bash(script, "vprofiler", "ite") == ["iterate"]
    assert complete_bash(script, "vprofiler", "iterate", "--thr") == ["--threshold"]
    assert complete_bash(script, "vprofiler", "completion", "z") == ["zsh"]
    assert complete_bash(script, "vprofiler", "help", "du") == ["dump"]
    assert complete_bash(script, "vprofiler", "iterate", "--k", "") == []
    (pathlib.Path(script).parent / "folder").mkdir()
    (pathlib.Path(script).parent / "file").write_text("")
    here = str(pathlib.Path(script).parent) + "/f"
    assert complete_bash(script, "vprofiler", "iterate", "--out", here) == [here + "older"]
    assert complete_bash(script, "vprofiler", "iterate", "--out", "=", here) == [here + "older"]
    assert set(complete_bash(script, "vprofiler", "iterate", "--build", here)) == \
        {here + "older", here + "ile"}


def check_zsh(script):
    def complete(*words):
        done = subprocess.run(["zsh", "-f", "-c", ZSH, "zsh", script, *words], text=True,
                              capture_output=True, timeout=60)
        assert done.returncode == 0 and not done.stderr, done.stderr
        return done.stdout
    for name in command_names():
        assert re.search(f"^{name}:", complete("vprofiler", ""), re.M), name
        offered = complete("vprofiler", name, "")
        for option in re.findall(r"^  (--\S+)", run("help", name), re.M):
            assert re.search(rf"^\*?{option}=?\[", offered, re.M), f"{name} {option}: {offered}"
    assert "(bash zsh fish)" in complete("vprofiler", "completion", "")


def check_fish(script):
    def complete(line):
        code = f"source {script}; complete -C '{line}'"
        done = subprocess.run(["fish", "--no-config", "-c", code], text=True, capture_output=True,
                              timeout=60)
        assert done.returncode == 0 and not done.stderr, done.stderr
        return [offer.split("\t")[0] for offer in done.stdout.splitlines()]
    assert set(command_names()) <= set(complete("vprofiler ")), complete("vprofiler ")
    assert "--threshold" in complete("vprofiler iterate --thr")
    assert complete("vprofiler completion z") == ["zsh"]


def check_completions():
    for shell, check in (("bash", check_bash), ("zsh", check_zsh), ("fish", check_fish)):
        if left_out.lacks(shell, f"the completions of {shell}"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "completion")
            pathlib.Path(script).write_text(run("completion", shell))
            check(script)


def main():
    return run_checks([check_help, check_reading, check_manual, check_completions])


if __name__ == "__main__":
    sys.exit(main())
