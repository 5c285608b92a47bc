"""What a request waits for in back_off is a timer, and no one's fault but back_off's."""
timers = [node for node, path in tree if node.get("kernel") == "timer" and {"back_off", "pause_for"} & set(path)]
expect(timers and all(node["name"] == "timer" for node in timers), "no timer in back_off")
near("the timer", whole(timers), truth["back_off_share"], 0.03)
lasts("the timer", timers, truth["back_off_mean_us"], 0.05)
expect(not warned("unknown-wakers"), "a timer is no waker that is not known")
root(["back_off", "pause_for", "pthread_cond_timedwait"], truth["back_off_share"])
