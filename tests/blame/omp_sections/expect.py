both = sum(n["share"] for n in own("sort_run")) + blamed("sort_run")
near("sort_run, on whichever thread", both, truth["sort_run_share"], 0.1)
