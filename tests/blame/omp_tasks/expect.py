near("build", own("build")[0]["contribution"], truth["build"])
expect("walk_tree" in names, "what tasks call is not opened")
expect(any("build" in message for message in warned("unseen-team")), "nothing is said of the wait")
