"""The file that switches the probes of a run; see trace/trace_format.h."""
import json
import mmap
import struct

PAGE = 4096


def write(folder, count, on=()):
    """`on`: numbers of probes, or True for all of them. A file that is there already is changed in place:
    who runs with it sees that at once."""
    size = PAGE + (count + PAGE - 1) // PAGE * PAGE
    path = folder / "switches.shm"
    path.touch()
    path.chmod(0o666)
    with open(path, "r+b") as file:
        file.truncate(size)
        with mmap.mmap(file.fileno(), size) as memory:
            memory[:16] = struct.pack("<8sII", b"vprofsw\n", 1, PAGE)
            memory[PAGE:] = bytes([1 if on is True else 0]) * (size - PAGE)
            for probe in on if on is not True else ():
                memory[PAGE + probe] = 1
            memory[PAGE] = 1  # no probe's: the runtime was here
            generation, = struct.unpack("<I", memory[16:20])
            memory[16:20] = struct.pack("<I", generation + 1)  # the last: now processes look


class Carrier:
    """What `iterate --live --keep` left: the tree with all its probes, and what its last round timed."""

    def __init__(self, result):
        table = json.loads((result / "rounds/01/functions.json").read_text())
        loop = json.loads((result / "loop.json").read_text())
        self.tree = result / "tree"
        self.probes = len(table["probes"])
        self.functions = sum(1 for function in table["functions"] if function.get("body"))
        timed, opened = set(loop["timed"]), set(loop["opened"])
        self.timed = len(timed)
        self.round = [number for number, probe in enumerate(table["probes"]) if number > 0 and (
            probe["function"] in timed if probe["kind"] == "function" else probe["within"] in opened)]
