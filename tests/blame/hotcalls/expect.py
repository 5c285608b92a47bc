near("score_rows", own("score_rows")[0]["contribution"], truth["score_rows"])
body = sum(node["share"] for node in own("score_rows [body]"))
said = [message for message in warned("probe-cost") if "score_rows takes itself" in message]
expect(body < 0.10 or said, f"score_rows [body] has {body:.3f}, truly some 3 %, and nothing is said of probes: {warned('probe-cost')}")
