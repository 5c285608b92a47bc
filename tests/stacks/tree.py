"""What `vprofiler stacks --json` says, as a tree to ask; its laws, worked out once more.

    tree = Tree(json.loads(text))
    tree.check()                                 the laws, and the schema
    tree.total("server", "main", "serve")        ns: ran, off; the names from the group on
    tree.own_of("parse")                         of all contexts
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "report"), str(HERE.parent)]
import check_report  # noqa: E402

SCHEMA = check_report.SCHEMA = json.loads((HERE.parents[1] / "docs" / "stacks.schema.json").read_text())
KINDS = ("ran_ns", "off_ns", "queue_ns", "missing_ns")


class Tree:
    def __init__(self, found):
        self.found, self.nodes = found, found["nodes"]
        self.below = {}
        for n, node in enumerate(self.nodes):
            self.below.setdefault(node["parent"], []).append(n)

    # ---- names ----

    def name(self, n):
        node = self.nodes[n]
        if node["frame"] is None:
            return "" if node["group"] is None else self.found["groups"][node["group"]]["name"]
        return self.found["frames"][node["frame"]]["function"]

    def path(self, n):
        names = []
        while n is not None and n != 0:
            names.append(self.name(n))
            n = self.nodes[n]["parent"]
        return names[::-1]

    def find(self, *names):
        """Nodes whose path ends with these."""
        return [n for n in range(1, len(self.nodes)) if self.path(n)[-len(names):] == list(names)]

    def one(self, *names):
        found = self.find(*names)
        assert len(found) == 1, (names, [self.path(n) for n in found])
        return self.nodes[found[0]]

    def under(self, *names):
        """ns that ran, and were off, in contexts that hold these names in a row, each counted once."""
        ran = off = samples = 0
        for n, node in enumerate(self.nodes[1:], 1):
            path = self.path(n)
            if any(path[i:i + len(names)] == list(names) for i in range(len(path))):
                ran += node["own"]["ran_ns"]
                off += node["own"]["off_ns"]
        for n in self.find(*names):
            samples += self.nodes[n]["samples"]
        return ran, off, samples

    # ---- laws ----

    def check(self, whole=True):
        """`whole`: no record is missing, and so no time."""
        faults = check_report.faults(self.found, SCHEMA)
        assert not faults, faults
        for thread in self.found["threads"]:
            assert thread["wall_ns"] == sum(thread[kind] for kind in KINDS), thread
            assert thread["missing_ns"] >= 0 and (not whole or thread["missing_ns"] == 0), thread
        for kind in KINDS:
            threads = sum(thread[kind] for thread in self.found["threads"])
            assert threads == self.nodes[0]["total"][kind], kind
            assert threads == sum(node["own"][kind] for node in self.nodes), kind
            assert threads == sum(layer[kind] for layer in self.found["by_layer"].values()), kind
        assert self.found["nodes_rest_ns"] == 0
        for n in range(1, len(self.nodes)):
            self.check_node(n)
        self.check_groups()

    def check_node(self, n):
        node = self.nodes[n]
        assert node["parent"] < n
        below = self.below.get(n, [])
        cut = "[cut]" in self.path(n)[:-1]
        for kind in KINDS:
            inner = sum(self.nodes[m]["total"][kind] for m in below)
            own = node["own"][kind]
            assert cut or node["total"][kind] == own + inner, (self.path(n), kind)
            assert node["total"][kind] >= max(own, inner) >= 0, (self.path(n), kind)
        for key, total in (("own_ns", "own"), ("total_ns", "total")):
            assert sum(r[key] for r in node["reasons"]) == node[total]["off_ns"], self.path(n)

    def check_groups(self):
        for n in self.below.get(0, []):
            group = self.nodes[n]["group"]
            for kind in KINDS:
                of = sum(t[kind] for t in self.found["threads"] if t["group"] == group)
                assert of == self.nodes[n]["total"][kind], (self.name(n), kind)
