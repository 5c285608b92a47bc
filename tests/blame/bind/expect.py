expect(own("Service::merge_runs"), f"it ends at {first['functions'][0]}")
near("merge_runs", own("Service::merge_runs")[0]["contribution"], truth["merge_runs"])
