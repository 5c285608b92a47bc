# busy
"""Nobody is preempted, nobody waits: what is told of the kernel is less than 1 %, and there is no warning of it."""
if truth["runnable_mean_us"] > 0.003 * truth["mean_us"] or abs(truth["runnable_share"]) > 0.005:
    skip("somebody was preempted: the machine is too busy")
seen = [node for node, _ in tree if "kernel" in node]
expect(whole(seen, "mean_ns") < 0.01 * report["intervals"]["mean_ns"], f"{whole(seen, 'mean_ns'):.0f} ns of a request")
expect(sum(abs(node["share"]) for node in seen) < 0.01, f"{[(node['name'], node['share']) for node in seen]}")
near("compute", own("compute")[0]["share"], truth["compute_share"], 0.03)
for code in "unknown-wakers", "low-coverage":
    expect(not warned(code), f"{code}: {warned(code)}")
