render = own("render")
expect(len(render) == 1, f"render was timed and is in one place: {sorted(names)}")
near("render", render[0]["contribution"], truth["render"])
