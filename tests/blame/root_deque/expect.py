root(["vacuum_pages"], truth["planted_share"])
