expect(own("render_pages"), f"it ends at {first['functions'][0]}")
near("render_pages", own("render_pages")[0]["contribution"], truth["render_pages"])
