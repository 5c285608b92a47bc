# recompiling only: root_mutex, root_pool and root_epoll try the live way, too
root(["write_journal"], truth["planted_share"], 0.04)
