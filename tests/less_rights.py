"""less_rights.py - commands with fewer rights than those of the test that runs them.

    [*less_rights.as_user(), "vprofiler", ...]        as an ordinary user, who is nobody; where this is root
    less_rights.contained(["vprofiler", ...])         as in a container: perf_event_open is refused
    place = less_rights.Place(vprofiler, scenes)      copies of programs, place.programs, and place.folder, of the user's
    place.run([place.programs[0], "waits", ...])      as that user
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

OTHER = 65534  # the user
CONTAINED = """
import ctypes, os, platform, struct, sys
number = {"x86_64": 298, "aarch64": 241}[platform.machine()]
code = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
filters = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in code))
program = ctypes.create_string_buffer(struct.pack("H6xQ", len(code), ctypes.addressof(filters)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0, ctypes.get_errno()
os.execv(sys.argv[1], sys.argv[1:])
"""


def as_user(user=OTHER):
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all"]


def contained(command):
    """The command's program is a path."""
    return [sys.executable, "-c", CONTAINED, *command]


class Place:
    """The test's own folders are not the user's to read."""

    def __init__(self, *programs):
        self.top = tempfile.TemporaryDirectory()
        top = pathlib.Path(self.top.name)
        self.programs = [shutil.copy(program, top) for program in programs]
        self.folder = top / "own"
        self.folder.mkdir()
        for path in (top, *top.iterdir()):
            os.chmod(path, 0o755)
        self.user = []
        if os.geteuid() == 0:
            os.chown(self.folder, OTHER, OTHER)
            self.user = as_user()

    def run(self, command, **how):
        return subprocess.run([*self.user, *map(str, command)], cwd=self.folder, text=True, capture_output=True,
                              check=False, stdin=subprocess.DEVNULL, timeout=250, **how)
