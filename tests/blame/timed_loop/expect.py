"""A time-out after which the same is waited for again ended nothing."""
near("the wait", first["contribution"], truth["wait"])
near("the worker", blamed("compute", "worker"), truth["wait_share"])
