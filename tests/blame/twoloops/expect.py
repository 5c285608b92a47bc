# what varies is waiting for the loop, which was compacting for others
waiting = sum(node["contribution"] for node in own("waiting"))
expect(waiting > 0.3, f"waiting contributes {waiting}")
expect(blamed("compact") > 0.5 * sum(node["share"] for node in own("waiting")), f"compact is blamed for {blamed('compact')}")
expect(not any("main" == node["name"] and node["share"] > 0.2 for node, _ in tree), "the client is no cause")
