#!/usr/bin/env python3
"""vprofiler doctor: fine where all is well; each thing that is wrong is found, with a cure.

usage: doctor_test.py VPROFILER
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys

from checks import new_folder, run_checks

VPROFILER = os.path.abspath(sys.argv[1])
CLOCK_SOURCE = pathlib.Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
PROGRAM = "int main(void)\n{\n    return 0;\n}\n"


def doctor(folder, *words, code=0, before="", **environment):
    place = folder / "temporary"
    place.mkdir(exist_ok=True)
    environment = {"TMPDIR": str(place), **environment}
    done = subprocess.run(["sh", "-c", f'{before} exec "$0" doctor --json "$@"', VPROFILER, *words],
                          cwd=folder, env=dict(os.environ, **environment), text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert done.returncode == code, f"{words}: exit code {done.returncode}: {done}"
    assert not os.listdir(place), "something is left behind"
    found = json.loads(done.stdout)
    assert found["mend"] == sum(f["state"] == "mend" for f in found["findings"])
    for finding in found["findings"]:
        has_cure = {"mend": [True], "note": [True, False], "fine": [False]}
        assert (finding["cure"] is not None) in has_cure[finding["state"]], finding
    return {f["name"]: f for f in found["findings"]}


def compile_program(folder, name, *flags):
    (folder / "program.c").write_text(PROGRAM)
    subprocess.run(["cc", *flags, "program.c", "-o", name], cwd=folder, check=True)


def check_fine(folder):
    compile_program(folder, "good")
    found = doctor(folder, "./good")
    assert found["trial"]["message"].endswith("10 intervals"), found["trial"]
    assert found["program"]["state"] == "fine", found["program"]
    if CLOCK_SOURCE.exists() and CLOCK_SOURCE.read_text() in ("tsc\n", "arch_sys_counter\n"):
        assert found["clock"]["state"] == "fine", found["clock"]
    assert str(folder) in found["disk"]["message"], found["disk"]
    assert str(folder) in doctor(folder, "--out", "a/b/c")["disk"]["message"]


def check_program(folder):
    compile_program(folder, "static", "-static")
    compile_program(folder, "rights")
    (folder / "rights").chmod(0o4755)
    narrow = bytearray((folder / "good").read_bytes())
    narrow[4] = 1
    (folder / "narrow").write_bytes(narrow)
    cut = (folder / "good").read_bytes()[:80]
    (folder / "cut").write_bytes(cut)
    (folder / "run.sh").write_text("#!/bin/sh\n")
    for name, words in (("static", "statically"), ("rights", "set-uid"), ("narrow", "32 bits"),
                        ("none", "there is no program"), ("cut", "statically"), (".", "no program")):
        found = doctor(folder, name, code=1)["program"]
        assert words in found["message"], found
    assert doctor(folder, "run.sh")["program"]["state"] == "note"


def check_machine(folder):
    assert doctor(folder, code=1, CC="no-such-cc")["compiler"]["state"] == "mend"
    assert doctor(folder, code=1, CC="false")["compiler"]["state"] == "mend"
    assert doctor(folder, code=1, before="ulimit -n 40;")["limits"]["state"] == "mend"
    assert doctor(folder, code=1, before="ulimit -f 4000;")["limits"]["state"] == "mend"
    assert doctor(folder, code=1, TMPDIR="/proc")["trial"]["state"] == "mend"


def check_tree(folder):
    config, commands = folder / "vprofiler.json", folder / "compile_commands.json"
    config.write_text('{\n "interval": []\n}\n')
    assert ":2:2:" in doctor(folder, code=1)["intervals"]["message"]
    config.write_text("{}\n")
    assert doctor(folder)["intervals"]["state"] == "fine"
    commands.write_text("{}\n")
    assert doctor(folder, code=1)["compile commands"]["state"] == "mend"
    commands.write_text(json.dumps([{"directory": str(folder), "file": "program.c",
                                     "command": "cc -c program.c"}]))
    assert doctor(folder)["compile commands"]["message"].startswith("1 in ")


def main():
    with new_folder() as folder:
        return run_checks([check_fine, check_program, check_machine, check_tree],
                          lambda: contextlib.nullcontext(folder))


if __name__ == "__main__":
    sys.exit(main())
