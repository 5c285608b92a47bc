root(["compress_block"], truth["planted_share"])
queue = factor("queue (undeclared)")
expect(queue["share"] > 0.2, "the queue is no part of it")
