near("join_rows", own("join_rows")[0]["contribution"], truth["join_rows"])
body = sum(node["share"] for node in own("join_rows [body]"))
said = [message for message in warned("probe-cost") if "join_rows takes itself" in message]
expect(body < 0.10 or said, f"join_rows [body] has {body:.3f}, and nothing is said of probes: {warned('probe-cost')}")
