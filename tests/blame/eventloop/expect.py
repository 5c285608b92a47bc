# nearly all is waiting for the loop, and what the loop did meanwhile is told below it
waiting = sum(node["contribution"] for node in own("waiting"))
expect(waiting > 0.85, f"waiting contributes {waiting}")
near("build_report", own("build_report")[0]["contribution"], truth["own_report"])
expect(blamed("build_report") > 0.5, f"build_report is blamed for {blamed('build_report')}")
expect(blamed("another interval (report)") > blamed("another interval (get)"), "the reports hold the loop")
