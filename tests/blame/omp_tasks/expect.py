near("build", own("build")[0]["contribution"], truth["build"])
expect("walk_tree" in names, "what tasks call is not opened")
# OpenMP's own wait for its tasks is seen by the kernel alone.
expect(blamed("walk_tree") > 0.3 if watched else any("build" in message for message in warned("unseen-team")),
       "nothing is said of the wait")
