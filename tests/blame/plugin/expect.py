near("run_chain", own("run_chain")[0]["contribution"], truth["run_chain"])
expect("match_rules" in names, f"it ends at {first['functions'][0]}")
