# busy
"""stock_take holds the mutex, and a poller gets it by trylock before who waits; what the poller does without it is not to
blame."""
near("the wait", own("reserve")[0]["contribution"], truth["wait"])
near("stock_take", blamed("stock_take"), truth["stock_take_held_share"])
expect(blamed("brood") < 0.03, f"brood holds nothing and is blamed for {blamed('brood'):.3f}")
