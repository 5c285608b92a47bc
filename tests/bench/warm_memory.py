#!/usr/bin/env python3
"""Runs a command while the kernel has free memory at hand that was in use before.

usage: warm_memory.py MIB COMMAND...

A virtual machine may give free memory back to its host, and have it again only by a fault of 10 us and more for each
page: whoever writes a new file or touches new memory pays for it, and no two runs pay the same. This takes MIB of
memory, gives every other MiB of it back and keeps the rest as long as the command runs, so that what is given back
stays in pieces too small to be returned to the host, which the kernel hands out first. Exits as the command does.
Linux returns pieces of 2 MiB and more (page_reporting_order), every two seconds; a server that touches memory then
stands still for 20 ms.
"""
import mmap
import subprocess
import sys

PIECE = 1 << 20


def warm(size_bytes):
    memory = mmap.mmap(-1, size_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_NOHUGEPAGE)  # of a huge page nothing is given back before all of it is
    for at in range(0, size_bytes, PIECE):
        memory[at:at + PIECE] = bytes(PIECE)
    for at in range(0, size_bytes, 2 * PIECE):
        memory.madvise(mmap.MADV_DONTNEED, at, PIECE)
    return memory


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    memory = warm((int(sys.argv[1]) << 20) // (2 * PIECE) * 2 * PIECE)
    status = subprocess.run(sys.argv[2:]).returncode
    memory.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
