decode = own("decode_block")
expect(len(decode) == 1, "decode_block was timed and is in one place")
near("decode_block", decode[0]["contribution"], truth["decode_block"])
expect(not [n for n in own("yield_fiber") if n["mean_ns"] > 50000], "no time is given to yield_fiber")
