# who writes to a TCP connection is not known, though it is the same program
near("epoll_wait", own("epoll_wait")[0]["contribution"], truth["await_answer"])
unknown = warned("unknown-wakers")
expect(unknown and "epoll_wait" in unknown[0], "nobody is blamed, and there is no warning that names epoll_wait")
