#!/usr/bin/env python3
"""vprofiler on leveldb 1.23 of Debian's source package, pristine: puts against the compaction.

usage: check.py VPROFILER [WORK_FOLDER]

Two threads put random keys as fast as they can. `iterate --live` looks for why a Put varies: MakeRoomForWrite must have more
than half of it, in the thread that is in it and in the one that waits behind. Then a build that times the functions around it runs: the variance of all puts may differ by 10 % from that of the load's own
clock; and again, while bpftrace times three of its functions by uprobes: the shares may differ by 0.05; then `compare --ab`
sets it against a write_buffer_size of 64 MiB. Prints the figures; exits 1 where one is out of its bounds.
"""
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parents[1] / "planted")]
import server  # noqa: E402
import uprobes  # noqa: E402
from check_planted import share_of  # noqa: E402

TOLERANCE = 0.05
WRITE = "_ZN7leveldb6DBImpl5WriteERKNS_12WriteOptionsEPNS_10WriteBatchE"
FUNCTIONS = {"MakeRoomForWrite": "_ZN7leveldb6DBImpl16MakeRoomForWriteEb",
             "AddRecord": "_ZN7leveldb3log6Writer9AddRecordERKNS_5SliceE",
             "InsertInto": "_ZN7leveldb18WriteBatchInternal10InsertIntoEPKNS_10WriteBatchEPNS_8MemTableE"}
TIMED = ["leveldb::DBImpl::Write", "leveldb::DBImpl::MakeRoomForWrite", "leveldb::log::Writer::AddRecord",
         "leveldb::WriteBatchInternal::InsertInto", "leveldb::DBImpl::BackgroundCall",
         "leveldb::DBImpl::CompactMemTable", "leveldb::DBImpl::DoCompactionWork"]


def setting(seconds, buffer_bytes=4 << 20):
    return server.Setting(HERE, {"LOAD_SOURCE": str(HERE / "load.cc"), "LEVELDB_SECONDS": str(seconds),
                                 "LEVELDB_BUFFER": str(buffer_bytes)})


def own_clock(out):
    """The variance of all puts as the load measured it."""
    log = (out / "latest/rounds/01/run.log").read_text()
    return float(re.search(r"variance (\S+) ns2", log)[1])


def main():
    vprofiler = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    folder.mkdir(exist_ok=True)
    tree = server.source("leveldb", folder / "source")
    report = server.iterate(vprofiler, setting(60), tree, folder / "live")
    for factor in report["factors"][:3]:
        print(f"  {factor['rank']}. {' x '.join(factor['functions'])}: {factor['share']:.3f}")
    room = share_of(report["tree"], "MakeRoomForWrite")
    print(f"  rounds {report['rounds']}, {report['functions_timed']} of {report['functions_known']} functions timed, "
          f"MakeRoomForWrite anywhere: {room:.3f}")
    program = folder / "leveldb-timed"
    table = server.instrument(vprofiler, setting(0), tree, server.compile_commands(folder / "live", tree), TIMED,
                              program)
    report = server.record(vprofiler, setting(10), program, table, folder / "clock")
    clock = report["intervals"]["variance_ns2"] / own_clock(folder / "clock")
    print(f"  variance, against the load's own clock: {clock:.3f}")
    names, rows, report = uprobes.Uprobes(program / "build/load", WRITE, [WRITE], FUNCTIONS).during(
        lambda: server.record(vprofiler, setting(10), program, table, folder / "truth"))
    worst = server.table(report, uprobes.decompose(names, rows))
    text, comparison = server.compare(vprofiler, [setting(5), setting(5, 64 << 20)], program, table,
                                      folder / "compare", 8)
    print(text)
    failures = [] if room > 0.5 else [f"MakeRoomForWrite has {room:.3f} of the variance"]
    failures += [] if worst <= TOLERANCE else [f"a share is {worst:.3f} from the truth"]
    failures += [] if 0.9 <= clock <= 1.1 else ["the variance is not the clock's"]
    failures += server.not_better(comparison, ["variance"])
    print("\n".join(failures) or "all as it should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
