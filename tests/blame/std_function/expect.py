expect(own("Store::rehash_bucket") or own("Store::grow_table"), f"it ends at {first['functions'][0]}")
near("rehash_bucket", own("Store::rehash_bucket")[0]["contribution"], truth["rehash_bucket"])
