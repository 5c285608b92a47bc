# recompiling only: root_mutex, root_pool and root_epoll try the live way, too
root(["vacuum_pages"], truth["planted_share"])
