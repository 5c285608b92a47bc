near("the wait", first["contribution"], truth["wait"])
near("the baker", blamed("bake", "baker"), truth["wait_share"])
expect(blamed("play", "child") < 0.03, f"the child is blamed for {blamed('play', 'child'):.3f}")
