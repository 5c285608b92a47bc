# recompiling only: root_mutex, root_pool and root_epoll try the live way, too
root(["Store::compact_store"], truth["planted_share"])
objects = {part["object"] for part in report["root_ledger"][0]["parts"]}
expect("store.gate_" in objects, f"the lock is called {objects}")
