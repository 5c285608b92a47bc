root(["Store::compact_store"], truth["planted_share"])
