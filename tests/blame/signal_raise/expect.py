expect(own("flush_journal"), f"it ends at {first['functions'][0]}")
near("flush_journal", own("flush_journal")[0]["contribution"], truth["flush_journal"])
