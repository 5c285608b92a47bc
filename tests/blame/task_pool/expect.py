expect(own("rebuild_index"), f"it ends at {first['functions'][0]}")
near("rebuild_index", own("rebuild_index")[0]["contribution"], truth["rebuild_index"])
