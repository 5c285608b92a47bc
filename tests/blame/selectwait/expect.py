# the answer is waited for in select, and the compressor's thread made it late
near("select", own("select")[0]["contribution"], truth["await_answer"])
expect(blamed("compress_block", "compressor") > 0.5, "the compressor is not blamed")
expect(not warned("unknown-wakers"), "the waker is known")
