"""What a request waited for in look_up is a page fault, for as long as it neither ran nor could have, by the program's clock
and the kernel's account."""
faults = kernel("fault", "look_up")
expect(faults, "no page fault in look_up")
expect(all(node["name"].startswith("page fault") for node in faults), f"they are called {[node['name'] for node in faults]}")
expect(whole(kernel("disk")) < 0.02, "it is the disk's for want of a page, and told as the fault's")
near("page faults", whole(faults), truth["blocked_share"])
lasts("the page faults", faults, truth["blocked_mean_us"], 0.05)
near("look_up", own("look_up")[0]["share"], truth["look_up_share"], 0.03)
expect(not warned("unknown-wakers"), "the waker is known")
root(["look_up"])
