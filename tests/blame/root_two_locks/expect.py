# recompiling only: root_mutex, root_pool and root_epoll try the live way, too
root(["checkpoint"], truth["planted_share"])
locks = [one for one in report["factors"] if one["functions"] == ["pthread_mutex_lock"]]
expect(len(locks) == 2 and locks[0]["objects"] != locks[1]["objects"], f"the mutexes are {[one['objects'] for one in locks]}")
# Who has the lock and no processor makes others wait for it, too.
times = 10 if starved < 0.02 else 2
expect(locks[0]["contribution"] > times * locks[1]["contribution"], "the mutexes share what one of them does")
# They lie on the heap, and no call of the program's text names them: the functions that wait for them do.
names = {one["objects"][0].split(" #")[0] for one in locks}
expect(names <= {"in append_log", "in find_key", "in client", "in checkpoint"}, f"they are called {names}")
