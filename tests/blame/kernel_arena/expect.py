"""Who holds the arena's lock is the reporter, which counts what the program has in use."""
near("make_answer", own("make_answer")[0]["share"], truth["make_answer_share"], 0.03)
near("the reporter", blamed("count_memory", "reporter"), truth["planted_share"])
expect("count_memory" in names, "count_memory is not named")
expect(not warned("unknown-wakers"), "the holder is known")
root(["count_memory", "mallinfo2"], truth["planted_share"])
