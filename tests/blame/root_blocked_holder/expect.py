root(["write_journal"], truth["planted_share"], 0.04)
