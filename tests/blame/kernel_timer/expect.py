"""What a request waits for in back_off is a timer, and no one's fault but back_off's."""
timers = [node for node, path in tree if node.get("kernel") == "timer" and {"back_off", "pause_for"} & set(path)]
expect(timers and all(node["name"] == "timer" for node in timers), "no timer in back_off")
# When the time is out it may still wait for a processor: the program's own clock does not tell the two apart. And some
# kernels do not tell of each waking: then there is the program's own record, which knows that the wait timed out.
late = [node for node, path in tree if (node.get("kernel") == "processor" or node["name"] == "wake-up latency")
        and not node["blamed"] and {"back_off", "pause_for"} & set(path)]
late += own("timed out or interrupted")
print(f"the timer: {whole(timers):.3f}, with waiting for a processor and what the kernel did not tell {whole(timers + late):.3f}, "
      f"by the program's own clock {truth['back_off_share']:.3f}")
expect(whole(timers) - 0.03 < truth["back_off_share"] < whole(timers + late) + 0.03, f"the timer is {whole(timers)}, and not {truth['back_off_share']}")
expect(whole(timers) > 0.9, f"the timer is {whole(timers)} alone")
lasts("the timer", timers, truth["back_off_mean_us"], 0.05)
expect(not warned("unknown-wakers"), "a timer is no waker that is not known")
root(["back_off", "pause_for", "pthread_cond_timedwait"], truth["back_off_share"])
