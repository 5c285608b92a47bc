near("lexer::run", own("lexer::run")[0]["contribution"], truth["lexer"])
body = sum(node["share"] for node in own("lexer::run [body]"))
said = [message for message in warned("probe-cost") if "lexer::run takes itself" in message]
expect(body < 0.10 or said, f"lexer::run [body] has {body:.3f}, and nothing is said of probes: {warned('probe-cost')}")
expect(not [message for message in warned("probe-cost") if "reply" in message], "the reply's calls are few")
