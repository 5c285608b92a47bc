"""The answer is waited for in await_answer, and the compressor's compress_block made it late: the kernel knows who wrote."""
near("await_answer", (own("await_answer") or own("wait_ready"))[0]["share"], truth["await_answer_share"], 0.03)
near("the compressor", blamed("compress_block", "compressor"), truth["compress_block_share"], 0.05)
expect("compress_block" in names, "compress_block is not named")
expect(not warned("unknown-wakers"), "the waker is known")
root(["compress_block"], truth["compress_block_share"], 0.05)
