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

# file: which one of a build holds the mended functions. Versions are compared by the largest size.
Case = collections.namedtuple("Case", "file mended sizes command")


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


def jq(build, size, folder):
    """Each start binds jq's own definitions to all that stand behind them: so many starts take so much more."""
    line = f"for ((i = 0; i < {size}; i++)); do {shlex.quote(str(build / 'jq'))} -n null; done"
    return ["bash", write(folder, f"jq-{size}.sh", [line])], {"LD_LIBRARY_PATH": str(build)}


CASES = {
    "dnsmasq": Case("dnsmasq", ["add_update_server"], [5000, 10000, 20000], dnsmasq),
    "haproxy": Case("haproxy", ["pattern_finalize_config"], [5000, 10000, 20000], haproxy),
    "expat": Case("libexpat.so.1", ["XML_Parse", "XML_ParseBuffer"], [1 << 18, 1 << 19, 1 << 20], expat),
    "jq": Case("libjq.so.1", ["block_bind", "block_bind_subblock", "bind_bytecoded_builtins", "builtins_bind"],
               [25, 50, 100], jq),
}


def command(name, build, size, folder):
    """Its words and its environment."""
    words, environment = CASES[name].command(build, size, folder)
    return [str(word) for word in words], {**os.environ, **environment}
