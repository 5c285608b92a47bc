both = sum(n["share"] for n in own("recompute")) + blamed("recompute")
near("recompute, on whichever thread", both, truth["recompute_share"], 0.12)
