expect(own("write_statistics"), f"it ends at {first['functions'][0]}")
near("write_statistics", sum(n["share"] for n in own("write_statistics")), truth["write_statistics_share"], 0.06)
