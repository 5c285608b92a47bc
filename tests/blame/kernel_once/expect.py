"""Who the request waits for is the preloader, which reads the rules."""
near("need_rules", own("need_rules")[0]["share"], truth["need_rules_share"], 0.03)
near("the preloader", blamed("read_rules"), truth["planted_share"])
expect("read_rules" in names, "read_rules is not named")
expect(not warned("unknown-wakers"), "who reads them is known")
root(["read_rules"], truth["planted_share"])
