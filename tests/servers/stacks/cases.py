"""cases.py - programs with a known fault, what makes it felt, and which functions were mended.

    case = CASES["dnsmasq"]
    words, environment = case.command(builds / "dnsmasq" / "buggy", 5000, folder)

A load has a size, with which the fault grows; of size 0 the program only starts and ends.
"""
import collections
import os
import pathlib
import shlex
import subprocess

HERE = pathlib.Path(__file__).resolve().parent

# file: which one of a build holds the mended functions. often: what the two versions are compared by; None: the
# command of the largest size.
Case = collections.namedtuple("Case", "file mended sizes command often")


def write(folder, name, lines):
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


def dnsmasq(build, size, folder):
    """Each server is compared with all before it."""
    lines = [f"server=/d{i}.example/10.0.0.1" for i in range(size)]
    return [build / "dnsmasq", "--test", "-C", write(folder, f"dnsmasq-{size}.conf", lines)], {}


def haproxy(build, size, folder):
    """Each list of patterns looks for the least number that no other has, and they are sorted by insertion then."""
    lines = ["defaults", "    mode http", "    timeout client 1s", "    timeout server 1s", "    timeout connect 1s",
             "frontend f", "    bind 127.0.0.1:18080"]
    lines += [f"    http-request deny if {{ path_beg /{i} }}" for i in range(size)]
    return [build / "haproxy", "-c", "-f", write(folder, f"haproxy-{size}.cfg", lines)], {}


def expat(build, size, folder):
    """A token that is not complete is read from its beginning again with each piece."""
    feeder = folder / "pieces"
    if not feeder.exists():
        subprocess.run(["cc", "-O2", "-o", feeder, HERE / "pieces.c", "-lexpat"], check=True)
    document = write(folder, f"expat-{size}.xml", ["<a><!--" + "x" * size + "--></a>"])
    return [feeder, document], {"LD_LIBRARY_PATH": str(build)}


def jq_of(build):
    """Debian's own where there is none."""
    own = build / "jq"
    return (own, {"LD_LIBRARY_PATH": str(build)}) if own.exists() else (pathlib.Path("/usr/bin/jq"), {})


def jq(build, size, folder):
    """Definitions are bound to all that stand behind them."""
    program, environment = jq_of(build)
    lines = [f"def f{i}: {i};" for i in range(size)] + ["null"]
    return [program, "-n", "-f", write(folder, f"jq-{size}.jq", lines)], environment


def jq_often(build, folder):
    """Each start binds jq's own definitions."""
    program, environment = jq_of(build)
    line = f"for i in $(seq 50); do {shlex.quote(str(program))} -n null; done"
    return ["bash", write(folder, "jq-often.sh", [line])], environment


CASES = {
    "dnsmasq": Case("dnsmasq", ["add_update_server"], [5000, 10000, 20000], dnsmasq, None),
    "haproxy": Case("haproxy", ["pattern_finalize_config"], [5000, 10000, 20000], haproxy, None),
    "expat": Case("libexpat.so.1", ["XML_Parse", "XML_ParseBuffer"], [1 << 18, 1 << 19, 1 << 20], expat, None),
    "jq": Case("libjq.so.1", ["block_bind", "block_bind_subblock", "bind_bytecoded_builtins", "builtins_bind"],
               [500, 1000, 2000], jq, jq_often),
}


def command(name, build, size, folder):
    """Its words and its environment; size None: what versions are compared by."""
    case = CASES[name]
    if size is None and case.often:
        words, environment = case.often(build, folder)
    else:
        words, environment = case.command(build, case.sizes[-1] if size is None else size, folder)
    return [str(word) for word in words], {**os.environ, **environment}
