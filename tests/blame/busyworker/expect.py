# the tasks' time in the queue is what the worker did for other tasks
queued = [node for node, path in tree if node["kind"] == "queue" and not node["blamed"]]
expect(queued, "nothing lies in a queue")
near("the queue", sum(node["contribution"] for node in queued), truth["queued"])
expect(blamed("another interval (backup)") > 0.7 * truth["queued_share"], "the backups are not blamed")
expect(blamed("copy_pages") > 0.7 * truth["queued_share"], f"copy_pages is blamed for {blamed('copy_pages')}")
