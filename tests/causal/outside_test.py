#!/usr/bin/env python3
"""A client of a server that is experimented with: outside of it no throughput is told; within, though nobody rewrote it, the
throughput is the right one.

usage: outside_test.py VPROFILER
"""
import json
import pathlib
import socket
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import known_test  # noqa: E402

POINTS = 0.08  # of a processor that three programs share


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def experiment(vprofiler, folder, command):
    told = known_test.run([vprofiler, "causal", "--json", "--quiet", "--function", "serve", "--budget", "8s", "--",
                           *command], folder)
    return json.loads(told)


def main():
    with known_test.place() as (vprofiler, folder):
        known_test.build(vprofiler, "c9_outside", ["serve"], folder)
        known_test.run(["gcc", "-O2", f"-I{known_test.HERE.parents[1] / 'include'}", known_test.HERE / "c9_outside.c",
                        "-o", "client", "-pthread"], folder)
        port = free_port()
        with subprocess.Popen([folder / "client", "--client", port, "--seconds", "60"]) as client:
            told = experiment(vprofiler, folder, ["./program", "--server", port])
            client.kill()
        assert "by sockets" in told["targets"][0]["second_opinion"], told["targets"][0]["second_opinion"]
        assert told["outside"] and told["outside"].startswith("127.0.0.1:"), told["outside"]
        levels = told["targets"][0]["parts"][0]["levels"][1:]
        assert all(level["throughput"] is None and level["mean"]["told"] for level in levels), levels
        port = free_port()
        (folder / "both.sh").write_text(f"./client --client {port} &\nexec ./program --server {port}\n")
        told = experiment(vprofiler, folder, ["sh", "both.sh"])
        assert told["outside"] is None, told["outside"]
        assert "by sockets" in told["targets"][0]["second_opinion"], told["targets"][0]["second_opinion"]
        for level in told["targets"][0]["parts"][0]["levels"][1:]:
            truth = 1 / (1 - 0.5 * level["share"]) - 1
            found, ci95 = level["throughput"]["change"], level["throughput"]["ci95"]
            print(f"{level['share']:.0%}: {found:+.1%} ({ci95[0]:+.1%} .. {ci95[1]:+.1%}), truth {truth:+.1%}")
            assert ci95[0] <= truth <= ci95[1] or abs(found - truth) < POINTS * (1 + truth)


if __name__ == "__main__":
    main()
