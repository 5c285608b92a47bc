near("run_rules", own("run_rules")[0]["contribution"], truth["run_rules"])
expect("scan_deep" in names, f"it ends at {first['functions'][0]}")
