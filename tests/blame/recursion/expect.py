near("walk", own("walk_even")[0]["contribution"], truth["walk"])
near("share of load_leaf", factor("load_leaf")["share"], truth["load_leaf_share"])
near("load_leaf, whose sites exclude each other", factor("load_leaf")["contribution"], truth["load_leaf"])
near("the share of both functions' own time", factor("walk_even [body]")["share"] + factor("walk_odd [body]")["share"],
     truth["levels_share"])
