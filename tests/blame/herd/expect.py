"""The ticker wakes all every ms and changes nothing; the epoch is what they wait for. Where both call within the time that a
client takes to wake up, it is not known which of them was heard."""
near("the wait", first["contribution"], truth["await_epoch"])
near("the epoch", blamed("fold_pages", "advance_epoch", "epochs"), truth["await_epoch_share"], 0.12)
ticker = blamed("idle_tick", "ticker")
expect(ticker < 0.12, f"the ticker is blamed for {ticker:.3f}")
