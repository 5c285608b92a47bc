queue = factor("queue (undeclared)")
near("the queue's contribution", queue["contribution"], truth["queue"], 0.03)
near("the job's", factor("do_job")["contribution"], truth["job"], 0.03)
others = [n for n, path in tree if len(path) == 2 and n["name"] not in ("queue (undeclared)", "worker", "do_job") and abs(n["share"]) > 0.02]
expect(not others, f"{[n['name'] for n in others]} are no part of it")
root(["do_job"], truth["queue_share"] + truth["job_share"])
expect(warned("undeclared-queue"), "nothing says that the queue is not declared")
