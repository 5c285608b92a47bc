"""What a request waited for in look_up is a page fault, for as long as it had no processor there, by the program's own clocks."""
faults = kernel("fault", "look_up")
expect(faults, "no page fault in look_up")
expect(all(node["name"].startswith("page fault") for node in faults), f"they are called {[node['name'] for node in faults]}")
expect(whole(kernel("disk")) < 0.02, "it is the disk's for want of a page, and told as the fault's")
# A thread that takes its processor from another when it is woken counts as running from the waking on: the kernel's clock
# of a run queue stands still until the switch. So that time may be in what the program says, or not.
late = kernel("processor", "look_up") + own("wake-up latency")
print(f"off the processor: {whole(faults):.3f} to {whole(faults + late):.3f}, by the program's own clock {truth['away_share']:.3f}")
expect(whole(faults) - 0.04 < truth["away_share"] < whole(faults + late) + 0.04, "off the processor, it is another part")
least_us, most_us = whole(faults, "mean_ns") / 1000, whole(faults + late, "mean_ns") / 1000
print(f"of a request it takes {least_us:.1f} to {most_us:.1f} us, by the program's own clock {truth['away_mean_us']:.1f}")
expect(least_us < truth["away_mean_us"] * 1.03 and most_us > truth["away_mean_us"] * 0.9, "of a request it takes another time")
expect(whole(faults) > truth["blocked_share"] - 0.2, f"the page faults are {whole(faults)}, and not {truth['blocked_share']}")
near("look_up", own("look_up")[0]["share"], truth["look_up_share"], 0.03)
expect(not warned("unknown-wakers"), "the waker is known")
expect(report["root_ledger"][0]["name"] == "look_up", "it goes back to another")
