# recompiling only: root_mutex, root_pool and root_epoll try the live way, too
root(["resolve_name"], truth["planted_share"])
