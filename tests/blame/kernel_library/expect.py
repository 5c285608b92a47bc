"""Who holds the library's lock is the compactor, whose callback takes long."""
near("get", own("get")[0]["share"], truth["get_share"], 0.03)
near("the compactor", blamed("move_pages", "compactor"), truth["planted_share"])
expect(not warned("unknown-wakers"), "the holder is known")
root(["move_pages", "compactor"], truth["planted_share"])
