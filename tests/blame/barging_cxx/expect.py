# busy
near("the wait", own("update")[0]["contribution"], truth["wait"])
near("compact_table", blamed("compact_table"), truth["compact_held_share"])
expect(blamed("format_page") < 0.03, f"format_page holds nothing and is blamed for {blamed('format_page'):.3f}")
