near("store", own("store")[0]["contribution"], truth["store"])
expect("train" in names, f"it ends at {first['functions'][0]}")
