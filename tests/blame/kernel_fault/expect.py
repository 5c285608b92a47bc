"""What a request waited for in look_up is a page fault, for as long as it had no processor there, by the program's own clocks."""
faults = kernel("fault", "look_up")
expect(faults, "no page fault in look_up")
expect(all(node["name"].startswith("page fault") for node in faults), f"they are called {[node['name'] for node in faults]}")
expect(whole(kernel("disk")) < 0.02, "it is the disk's for want of a page, and told as the fault's")
# Between the waking and the moment from which the kernel counts it runnable lies the way to another processor.
late = kernel("processor", "look_up") + own("wake-up latency")
near("off the processor", whole(faults + late), truth["away_share"])
lasts("being off the processor", faults + late, truth["away_mean_us"], 0.1)  # each way off a processor and back costs some time of it
expect(whole(faults) > truth["blocked_share"] - 0.2, f"the page faults are {whole(faults)}, and not {truth['blocked_share']}")
near("look_up", own("look_up")[0]["share"], truth["look_up_share"], 0.03)
expect(not warned("unknown-wakers"), "the waker is known")
expect(report["root_ledger"][0]["name"] == "look_up", "it goes back to another")
