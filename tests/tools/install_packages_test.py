#!/usr/bin/env python3
"""tools/install_packages.sh as root, as one who may use sudo, and as one who may not; apt-get and its like are stand-ins
that write down how they are called."""
import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTALL = ROOT / "tools" / "install_packages.sh"
USUAL = ["dirname", "env", "grep", "sed", "sh", "cat"]
HERE = "pkg-here"  # the one package that is installed


def stand_ins(folder, user, sudo):
    """`sudo`: None where there is none, else the shell text of what it does."""
    def program(name, text):
        path = folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    for name in USUAL:
        (folder / name).symlink_to(shutil.which(name))
    program("id", f"echo {user}")
    program("dpkg-query", f'case "$*" in *" {HERE}") echo install ok installed ;; *) exit 1 ;; esac')
    program("apt-get", f'echo "$*" >>{folder}/called')
    if sudo is not None:
        program("sudo", sudo)


def install(*packages, user=1000, sudo=None, without=()):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stand_ins(folder, user, sudo)
        for program in without:
            (folder / program).unlink()
        got = subprocess.run([shutil.which("sh"), INSTALL, *packages], text=True, capture_output=True,
                             stdin=subprocess.DEVNULL, env=dict(os.environ, PATH=name))
        called = folder / "called"
        return got.returncode, got.stderr, called.read_text().splitlines() if called.exists() else []


ALLOWED = '[ "$1" != -n ] || exit 0\nexec "$@"'
REFUSED = 'echo "$USER is not in the sudoers file" >&2\nexit 1'


def expect_installed(got, what):
    status, told, called = got
    assert status == 0 and called[0] == "update -q" and called[1].endswith(f"--no-install-recommends {what}"), got


def expect_line(got, what):
    status, told, called = got
    line = f"    apt-get update && apt-get install -y --no-install-recommends {what}"
    assert status == 1 and not called and line in told.splitlines() and "sudo" not in told, got


def main():
    assert install(HERE) == (0, "", []), install(HERE)
    expect_installed(install(HERE, "one", "two", user=0), "one two")
    expect_installed(install("one", user=1000, sudo=ALLOWED), "one")
    expect_line(install(HERE, "one", "two", user=1000), "one two")
    expect_line(install("one", user=1000, sudo=REFUSED), "one")
    listed = [line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("PACKAGES = ")]
    expect_line(install(), listed[0].removeprefix("PACKAGES = "))
    status, told, called = install("one", user=0, without=["apt-get"])
    assert status == 1 and "missing: one." in told, told
    print("7 passed, 0 failed")


main()
