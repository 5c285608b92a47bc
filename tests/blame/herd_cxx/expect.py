near("the wait", first["contribution"], truth["wait"])
near("the page", blamed("render_page", "publish", "publisher"), truth["wait_share"], 0.12)
expect(blamed("look_around", "monitor") < 0.12, f"the monitor is blamed for {blamed('look_around', 'monitor'):.3f}")
