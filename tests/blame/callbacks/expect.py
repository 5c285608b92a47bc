# the callback came late, and the loop was in the callbacks of pictures
waiting = sum(node["contribution"] for node in own("waiting"))
expect(waiting > 0.5, f"waiting contributes {waiting}")
rendered = sum(node["share"] for node, path in tree if "render" in node["name"] and node["blamed"])
expect(rendered > 0.6 * sum(node["share"] for node in own("waiting")), f"render is blamed for {rendered}")
expect(blamed("another interval (picture)") > blamed("another interval (text)"), "the pictures hold the loop")
