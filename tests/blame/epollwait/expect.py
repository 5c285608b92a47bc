"""The answer is waited for in the call, and the compressor's thread made it late."""
call = truth["call"]
near(call, own(call)[0]["contribution"], truth["await_answer"])
unknown = warned("unknown-wakers")
if "-DTCP" in variant and not watched:  # the kernel alone knows who writes to a TCP connection
    expect(unknown and call in unknown[0], f"nobody is blamed, and there is no warning that names {call}")
else:
    expect(blamed("compress_block", "compressor") > 0.5, "the compressor is not blamed")
    expect(not unknown, "the waker is known")
