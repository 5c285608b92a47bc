"""Of two that read at a time, who lets go last is blamed: print_report not for all of the time that it held the lock."""
near("the wait", own("store")[0]["contribution"], truth["wait"])
report_held = truth["report_held_share"]
expect(0.7 * report_held < blamed("print_report") < report_held + 0.03,
       f"print_report is blamed for {blamed('print_report'):.3f}, and held the lock for {report_held:.3f}")
expect(blamed("draw") < 0.03, f"draw holds nothing and is blamed for {blamed('draw'):.3f}")
