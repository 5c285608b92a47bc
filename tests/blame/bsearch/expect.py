expect(own("load_key"), f"it ends at {first['functions'][0]}")
near("load_key", own("load_key")[0]["contribution"], truth["load_key"])
