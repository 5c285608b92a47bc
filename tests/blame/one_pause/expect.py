# Shares of all requests tell of the pause alone; the tables are of the others, and the pause is told apart.
outliers = report["outliers"]
expect(outliers["count"] == 1 and outliers["cause"]["name"] == "collect_garbage", f"{outliers['count']}: {outliers['cause']}")
near("the pause's part of the variance", outliers["part"], truth["pause"], 0.02)
expect(118e6 < outliers["cause"]["ns"] < 125e6, f"the pause took {outliers['cause']['ns']} ns")
without = outliers["without"]
slowest = max(without["root_ledger"], key=lambda line: line["tail_share"])
expect(slowest["name"] == "look_up" and slowest["tail_share"] > 0.8, f"{slowest['name']} makes slow ones slow: {slowest['tail_share']}")
expect(without["intervals"]["count"] == report["intervals"]["count"] - 1, "not one is left out")
expect(warned("outliers"), "nothing says so")
