near("the wait's contribution", first["contribution"], truth["wait"])
expect(blamed("bake") > 0.5, "what was waited for is not named")
expect(not [n for n, _ in tree if n["share"] > 0.05 and n["name"].startswith("thread ")], "a waker has no name")
expect(not [n for n in names if "vprof" in n and not n.endswith("(process)")], "a name is our own")
