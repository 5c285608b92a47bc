near("score_rows", own("score_rows")[0]["contribution"], truth["score_rows"])
body = sum(node["share"] for node in own("score_rows [body]"))
expect(body < 0.10, f"score_rows [body] has {body:.3f}, truly some 3 %: the probes' time is no work of its own")
expect(own("[probes]"), "what the probes took is no part of its own")
expect("[probes]" not in [name for one in report["factors"] for name in one["functions"]], "probes are no factor of the program")
said = [message for message in warned("probe-cost") if "score_rows takes itself" in message]
expect(said, f"nothing is said of probes: {warned('probe-cost')}")
