#!/usr/bin/env python3
"""Records by lot, as no kernel writes them: whatever they say, the laws of the analysis hold, and its JSON is valid.

usage: nonsense_test.py VPROFILER [CASES]
"""
import pathlib
import random
import subprocess
import sys
import tempfile

import known_test

DEVICES = [8 << 20, 8 << 20 | 16, 7 << 20]
OPERATIONS = ["cond", "spin", "mutex", "channel"]


def kernel_record(rng, time, tids):
    tid, other = rng.choice(tids + [0, 88]), rng.choice(tids + [0, "unknown", 77])
    kind = rng.choices(["switch", "waking", "request", "missed", "pause", "who", "device"], [35, 25, 22, 4, 4, 7, 3])[0]
    if kind == "switch":
        return [kind, time, other, tid, rng.choice(["runnable", "sleeps", "uninterruptible", "stopped", "ended"])]
    if kind == "waking":
        return [kind, time, tid or tids[0], other, rng.choice(["thread", "soft", "hard"]),
                rng.choice(["unknown", "timer", "network", "disk", "other"]), int(rng.random() < 0.15)]
    if kind == "request":
        return [kind, time, rng.choice(DEVICES), rng.choice(["issued", "done"]), rng.choice(["read", "write", "other"]),
                rng.choice([0, 512, 4096]), rng.choice([0, 8, 16]), tid]
    if kind == "who":
        return [kind, time, rng.choice([100, 200, 2]), rng.choice(tids), rng.choice(["a", "b", "w-1", "w-2"]),
                rng.choice(["seen", "created", "ended"]), 0, rng.choice([0, 1, 1, 1, 2, 3])]
    if kind == "device":
        return ["who", time, 0, rng.choice(DEVICES), f"sd{rng.randrange(3)}", kind]
    return [kind, time, 1] if kind == "missed" else [kind, time, rng.choice(["begins", "ends"])]


def processor_log(rng, tids, scale):
    time, records = 0, [["who", 0, 100, tid, "w", "seen", 0, 1] for tid in tids]
    records += [["who", 0, 0, device, "sda", "device"] for device in DEVICES[:2]]
    for _ in range(rng.randrange(5, 300)):
        time += rng.choice([0, 0, 1, 1, 3, 20]) * scale
        records.append(kernel_record(rng, time, tids))
    return records


def thread_log(rng, scale):
    time, records = 0, []
    for _ in range(rng.randrange(1, 40)):
        time += rng.randrange(0, 40) * scale
        kind = rng.choice(["block", "block", "block", "release", "false_wakeup", "begin", "end"])
        if kind == "block":
            until = time + rng.randrange(0, 60) * scale
            records.append([kind, time, until, "0xc", rng.choice(OPERATIONS), rng.randrange(3)])
            time = until
        elif kind == "release":
            records.append([kind, time, "0xc", rng.choice(OPERATIONS), rng.choice(["one", "broadcast", "again"]), rng.randrange(3)])
        else:
            records.append([kind, time, rng.randrange(1, 4)][:2 if kind == "false_wakeup" else 3])
    return records


def files_of(rng):
    tids, scale = list(range(2, 2 + rng.randrange(1, 12))), rng.choice([1, 1000, 10 ** 6])
    logs = [{"tid": 0, "number": 1 + p, "records": processor_log(rng, tids, scale)} for p in range(rng.randrange(1, 4))]
    files = [{"name": "kernel.vtr", "features": 1, "watched": 1, "pid": 900, "threads": logs}]
    if rng.random() < 0.6:
        files.append({"threads": [{"tid": tid, "records": thread_log(rng, scale)} for tid in tids[:3]]})
    return {"files": files}


def main():
    vprofiler, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 150
    waited = 0
    for seed in range(count):
        with tempfile.TemporaryDirectory() as folder:
            known_test.make_vtr.make_directory(files_of(random.Random(seed)), pathlib.Path(folder))
            done = subprocess.run([vprofiler, "waits", "--json", folder], text=True, capture_output=True, check=False)
        assert done.returncode == 0, (seed, done.returncode, done.stderr)
        found = known_test.json.loads(done.stdout)
        faults = known_test.check_report.faults(found, known_test.check_report.SCHEMA)
        assert not faults, (seed, faults)
        waited += bool(found["edges"])
    assert waited > count / 2, waited
    print(f"{count} cases, {waited} with waits")


if __name__ == "__main__":
    main()
