expect(own("write_snapshot"), f"it ends at {first['functions'][0]}")
near("write_snapshot", own("write_snapshot")[0]["contribution"], truth["write_snapshot"])
