near("the lock's contribution", first["contribution"], truth["lockwait"])
expect(blamed("sweep_sessions", "expire_entries") > 0.5, "the holder is not named")
expect(not unnamed(), f"a waker has no name: {unnamed()}")
expect(not [n for n in names if "vprof" in n and not n.endswith("(process)")], "a name is our own")
