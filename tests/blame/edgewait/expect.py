# the answer is waited for in epoll_pwait, and the compressor's thread made it late
near("epoll_pwait", own("epoll_pwait")[0]["contribution"], truth["await_answer"])
expect(blamed("compress_block", "compressor") > 0.5, "the compressor is not blamed")
expect(not warned("unknown-wakers"), "the waker is known")
