"""Laws 2, 3 and 10 of a variance tree and its root ledger, from the exact integers in its report.

    broken = laws.broken(report)        a list of sentences; empty when the laws hold

A node's moments are sums over n intervals: of x, of x*x and of x*L. With n*Sxx - Sx*Sx in the place
of the variance nothing is ever divided, and the laws hold in integers, without a tolerance.
"""
from itertools import combinations

ROUNDED = 1e-4  # of the decimal fractions that the report prints beside the integers


def moment(node, which):
    return int(node["moments"][which])


def leaves(node):
    children = node.get("children") or []
    if not children:
        return [node]
    return [leaf for child in children for leaf in leaves(child)]


def nodes(node, path=()):
    """Each node below and with `node`, with the names from the root to it."""
    path = path + (node["name"],)
    yield node, path
    for child in node.get("children") or []:
        yield from nodes(child, path)


def spread(n, product, a, b):
    """n*n times the covariance."""
    return n * product - a * b


def products(node):
    """sum(xa*xb) by pair of children; a pair that is left out never happened together."""
    found = {}
    for pair in node.get("covariances") or []:
        found[min(pair["a"], pair["b"]), max(pair["a"], pair["b"])] = int(pair["product"])
    return found


def identity(node, n):
    """Law 2 at one node, or None; the children's integers must make up the parent's."""
    children = node.get("children") or []
    if not children:
        return None
    for which in ("sum", "latency"):
        if moment(node, which) != sum(moment(child, which) for child in children):
            return f"{which} is not its children's"
    pairs = products(node)
    both = {pair: pairs.get(pair, 0) for pair in combinations(range(len(children)), 2)}
    whole = spread(n, moment(node, "square"), moment(node, "sum"), moment(node, "sum"))
    parts = sum(spread(n, moment(c, "square"), moment(c, "sum"), moment(c, "sum"))
                for c in children)
    parts += 2 * sum(spread(n, product, moment(children[a], "sum"), moment(children[b], "sum"))
                     for (a, b), product in both.items())
    if whole != parts:
        missing = sum(pair not in pairs for pair in both)
        return f"law 2: Var is {whole}/n^2, its parts are {parts}/n^2 ({missing} pairs left out)"
    return None


def fractions(node, n, root):
    """The decimal fractions say what the integers say."""
    whole = spread(n, moment(root, "square"), moment(root, "sum"), moment(root, "sum"))
    own = spread(n, moment(node, "square"), moment(node, "sum"), moment(node, "sum"))
    with_latency = spread(n, moment(node, "latency"), moment(node, "sum"), moment(root, "sum"))
    for key, exact in (("contribution", own), ("share", with_latency)):
        if abs(node[key] - exact / whole) > ROUNDED:
            return f"{key} is {node[key]}, by its moments {exact / whole}"
    return None


SUMS = ("sum", "latency", "tail")


def add_up(parts):
    return [sum(int(part[which]) for part in parts) for which in SUMS]


def root_ledger(report):
    """Law 10: the lines make up the latency, and each line is its sides, its parts and its ways."""
    root, lines = report["tree"]["moments"], report["root_ledger"]
    if add_up(lines) != add_up([root]):
        yield "law 10: the root ledger does not make up the latency"
    for line in lines:
        for what, parts in (("sides", [line["own"], line["waits"]]), ("parts", line["parts"]), ("ways", line["ways"])):
            if add_up(parts) != add_up([line]):
                yield f"law 10: the {what} of {line['name']} do not make it up"
    if sum(line["places"] for line in lines) != len(leaves(report["tree"])) and not cut(report["tree"]):
        yield "law 10: the root ledger does not have every leaf once"


def cut(node):
    return "cut" in node or any(cut(child) for child in node.get("children") or [])


def broken(report):
    root, n = report["tree"], report["intervals"]["count"]
    if moment(root, "latency") != moment(root, "square"):
        return ["the root's time is not the latency"]
    found = []
    for node, path in nodes(root):
        for what in (identity(node, n), fractions(node, n, root)):
            if what:
                found.append(f"{' > '.join(path)}: {what}")
    whole = spread(n, moment(root, "square"), moment(root, "sum"), moment(root, "sum"))
    shares = sum(spread(n, moment(leaf, "latency"), moment(leaf, "sum"), moment(root, "sum"))
                 for leaf in leaves(root))
    if shares != whole:
        found.append(f"law 3: the shares of all leaves make {shares / whole}")
    if "root_ledger" in report:
        found.extend(root_ledger(report))
    return found
