# busy
"""A request was runnable for as long as the kernel's own account says, and the hogs ran meanwhile."""
waits = kernel("processor")
near("waiting for a processor", whole(waits), truth["runnable_share"], 0.03)
if not live:  # that has some of the requests, and how long they wait changes while the program runs
    near("of the time, waiting for a processor", whole(waits, "mean_ns") / report["intervals"]["mean_ns"],
         truth["runnable_mean_us"] / truth["mean_us"], 0.03)
    near("waiting for a processor in compute", whole(kernel("processor", "compute")), truth["compute_share"], 0.03)
hogs = [child for node in waits for child in node["children"] if "hog" in child["name"]]
expect(whole(hogs) > 0.9 * whole(waits), f"the hogs are {whole(hogs):.3f} of {whole(waits):.3f}")
root(["waiting for a processor"], truth["runnable_share"])
takers = [part for part in report["root_ledger"][0]["parts"] if "hog" in (part.get("processor_taken_by") or "")]
expect(whole(takers) > 0.9 * whole(waits), "the ledger does not say that the hogs had it")
expect("hog" in report["headline"], f"no hog in: {report['headline']}")
