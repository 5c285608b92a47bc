# busy
near("join_rows", own("join_rows")[0]["contribution"], truth["join_rows"])
body = sum(node["share"] for node in own("join_rows [body]"))
# A neighbour on the same processor slows the probes down as it does all else: they were measured without.
probes = sum(node["share"] for node in own("[probes]"))
expect(body < max(0.10, probes / 3), f"join_rows [body] has {body:.3f}, truly some 3 %: the probes' time is no work of its own")
expect(probes > 0.05, "what the probes took is no part of its own")
expect("[probes]" not in [name for one in report["factors"] for name in one["functions"]], "probes are no factor of the program")
said = [message for message in warned("probe-cost") if "join_rows takes itself" in message]
expect(said, f"nothing is said of probes: {warned('probe-cost')}")
