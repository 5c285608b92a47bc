expect(own("Machine::settle"), f"it ends at {first['functions'][0]}")
near("settle", own("Machine::settle")[0]["contribution"], truth["settle"])
