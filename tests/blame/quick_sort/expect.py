for name in "swap_part", "check_order":
    said = factor("sorter::" + name)
    near(name, said["contribution"], truth[name])
    near("share of " + name, said["share"], truth[name + "_share"])
    expect(len(said["sites"]) > 1, f"{name} has one site")
