near("the lock's contribution", first["contribution"], truth["lockwait"])
chains = [path[path.index("pthread_mutex_lock") + 1:] for node, path in tree if node["name"] == "nap" and node["blamed"]]
expect(("background", "compact", "nap") in chains, f"the chain is not shown: {chains}")
expect(blamed("compact") > 0.5, "the holder is not named")
