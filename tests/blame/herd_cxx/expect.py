near("the wait", first["contribution"], truth["wait"])
near("the page", blamed("render_page", "publish", "publisher"), truth["wait_share"])
expect(blamed("look_around", "monitor") < 0.03, f"the monitor is blamed for {blamed('look_around', 'monitor'):.3f}")
