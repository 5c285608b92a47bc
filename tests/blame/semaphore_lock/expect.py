# busy
"""Who posts what it took itself held it since then."""
near("the wait", own("reserve")[0]["contribution"], truth["wait"])
near("stock_take", blamed("stock_take"), truth["stock_take_held_share"])
expect(blamed("brood") < 0.03, f"brood holds nothing and is blamed for {blamed('brood'):.3f}")
