root(["resolve_name"], truth["planted_share"])
