near("the lock's contribution", first["contribution"], truth["lockwait"])
expect(blamed("sweep_sessions", "expire_entries") > 0.5, "the holder is not named")
expect(not [n for n, _ in tree if n["share"] > 0.05 and n["name"].startswith("thread ")], "a waker has no name")
expect(not [n for n in names if "vprof" in n and not n.endswith("(process)")], "a name is our own")
