waited = {one["name"]: one for one in report["waited_for"]}
expect("hold_table" in waited, f"waited for are {list(waited)}")
near("what the holder did, at all waits", waited["hold_table"]["contribution"], truth["take_table"], 0.06)
near("its share", waited["hold_table"]["share"], truth["take_table_share"], 0.06)
near("the same, wait by wait", waited["hold_table"]["share"], blamed("hold_table"), 1e-9)
expect(waited["hold_table"]["places"] == 2, f"{waited['hold_table']['places']} places")
expect(waited["compact"]["share"] < waited["hold_table"]["share"], "a part is more than the whole")
