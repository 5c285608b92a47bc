"""What every engine must say of a result: the numbers of report.json, by the shipped SQL.

Sums, squares and products must be the same whole numbers; means, variances, covariances,
contributions and shares the same to the last digit that report.json prints.
"""
import decimal
import json
import math
import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "report"))
import check_report  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SQL = ROOT / "docs" / "sql"
decimal.getcontext().prec = 80


def told(node):
    """A node's name in the tables: with the object that a call which blocked is told by."""
    name, body = (node["name"][:-7], " [body]") if node["name"].endswith(" [body]") else (node["name"], "")
    return f"{name} ({node['object']}){body}" if "object" in node else node["name"]


def run(*command, cwd=None):
    return subprocess.run([str(word) for word in command], cwd=cwd, check=True, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300).stdout


def profile(vprofiler, example, home):
    """A folder with the latest result of an example in it, and its report.json."""
    tree = home / example
    shutil.copytree(ROOT / "examples" / example, tree)
    for file in (ROOT / "examples" / "planted").iterdir():
        (tree / file.name).unlink(missing_ok=True)
        shutil.copy(file, tree / file.name)
    run(vprofiler, "iterate", "--build", "build.sh", "--auto", "--quiet", cwd=tree)
    return tree, report_of(tree / "vprofiler-out/latest")


def report_of(result):
    text = (result / "report.json").read_text()
    check_report.read(text)
    return json.loads(text, parse_float=decimal.Decimal)


def breadth_first(root):
    """The nodes of the tree by their number in the table, with (a, b) numbers for each pair."""
    nodes, pairs = [root], {}
    for number, node in enumerate(nodes):
        first = len(nodes)
        nodes.extend(node["children"])
        for pair in node["covariances"]:
            pairs[first + pair["a"], first + pair["b"]] = pair
    return nodes, pairs


class Check:
    def __init__(self):
        self.whole = self.real = 0
        self.most_ulp = 0
        self.wrong = []

    def same(self, what, mine, theirs):
        self.whole += 1
        if int(mine) != int(decimal.Decimal(theirs)):
            self.wrong.append(f"{what}: report.json {mine}, SQL {theirs}")

    def near(self, what, mine, theirs):
        """report.json prints a double: the SQL's digits, rounded to one, must be that double."""
        self.real += 1
        mine, theirs = float(mine), float(decimal.Decimal(theirs or 0))
        ulp = abs(mine - theirs) / math.ulp(max(abs(mine), abs(theirs)))
        self.most_ulp = max(self.most_ulp, ulp)
        if ulp > 0:
            self.wrong.append(f"{what}: report.json {mine!r}, SQL {theirs!r} ({ulp:.0f} ulp)")

    def told(self, name, report):
        """Whether all is right; prints what is not, and the figures."""
        for wrong in self.wrong[:20]:
            print(f"FAILED {name}: {wrong}")
        print(f"{name}: {report['intervals']['count']} intervals, {self.whole} whole numbers and "
              f"{self.real} fractions compared, {len(self.wrong)} differ, at most "
              f"{self.most_ulp:.0f} ulp")
        return not self.wrong


def compare(rows, report):
    """`rows` gives the rows that a query has, as dicts."""
    check = Check()
    nodes, pairs = breadth_first(report["tree"])
    found = rows("SELECT * FROM node_moments ORDER BY node")
    check.same("nodes", len(nodes), len(found))
    for node, row in zip(nodes, found):
        name = f"{row['node']} {node['name']}"
        if (told(node), node["kind"]) != (row["name"], row["kind"]):
            check.wrong.append(f"node {name} is {row['kind']} {row['name']} in the table")
        for key in ("sum", "square", "latency"):
            check.same(f"{name} {key}", node["moments"][key], row[key])
        for key in ("mean_ns", "variance_ns2", "contribution", "share"):
            check.near(f"{name} {key}", node[key], row[key])
    found = rows("SELECT * FROM sibling_moments ORDER BY a, b")
    check.same("pairs", len(pairs), len(found))
    for row in found:
        pair = pairs[int(row["a"]), int(row["b"])]
        name = f"pair {row['a']} {row['b']}"
        check.same(f"{name} product", pair["product"], row["product"])
        for key in ("covariance_ns2", "contribution"):
            check.near(f"{name} {key}", pair[key], row[key])
    compare_parents(rows, check, nodes, pairs)
    return check


def compare_parents(rows, check, nodes, pairs):
    """Sum x*parent is what the tree says it is: the node's square and its pairs with siblings."""
    expected = {number: int(node["moments"]["square"]) for number, node in enumerate(nodes)}
    for (a, b), pair in pairs.items():
        expected[a] += int(pair["product"])
        expected[b] += int(pair["product"])
    for row in rows("SELECT * FROM parent_moments"):
        check.same(f"{row['node']} with parent", expected[int(row["node"])], row["product"])
