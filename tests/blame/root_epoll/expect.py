root(["render_report"], truth["planted_share"])
