# busy
# recompiling only: root_mutex, root_pool and root_epoll try the live way, too
root(["open_file", "build_header"])
pair = factor("build_header", "open_file") if any(f["functions"] == ["build_header", "open_file"] for f in report["factors"]) \
    else factor("open_file", "build_header")
for name in "open_file", "build_header":
    line = next(one for one in report["root_ledger"] if one["name"] == name)
    near(name, line["share"], truth[f"{name}_share"], 0.03)
expect("open_file" in report["headline"] and "being slow together: look for what both depend on" in report["headline"],
       f"the headline says {report['headline']}")
near("the pair", pair["contribution"], 1 - truth["open_file"] - truth["build_header"], 0.05)
