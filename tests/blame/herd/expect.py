"""The ticker wakes all every ms and changes nothing; the epoch is what they wait for."""
near("the wait", first["contribution"], truth["await_epoch"])
near("the epoch", blamed("fold_pages", "advance_epoch", "epochs"), truth["await_epoch_share"])
expect(blamed("idle_tick", "ticker") < 0.03, f"the ticker is blamed for {blamed('idle_tick', 'ticker'):.3f}")
