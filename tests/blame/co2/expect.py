paths = {path[1:]: node for node, path in tree}
expect(("handle", "second", "nap") in paths, f"handle > second > nap is on the path: {sorted(names)}")
second = paths["handle", "second", "nap"]
expect(abs(second["mean_ns"] / 1e3 / truth["second_mean_us"] - 1) < 0.05, f"second takes {second['mean_ns']} ns")
near("second", own("second")[0]["contribution"], truth["second"])
expect(not [n for n in own("yield") if n["mean_ns"] > 50000], "no time is given to yield")
