near("the wait's contribution", first["contribution"], truth["wait"])
expect(blamed("bake") > 0.5, "what was waited for is not named")
expect(not unnamed(), f"a waker has no name: {unnamed()}")
expect(not [n for n in names if "vprof" in n and not n.endswith("(process)")], "a name is our own")
