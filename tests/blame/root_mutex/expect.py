root(["collect_stats"], truth["planted_share"])
line = report["root_ledger"][0]
expect(line["own"]["share"] > 0.05 and line["waits"]["share"] > 0.2, "one of its sides is missing")
expect(any(part["object"] == "table_lock" for part in line["parts"]), "the lock has no name")
