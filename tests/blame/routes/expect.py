for name in "store_page", "scan":
    near(name, factor(name)["contribution"], truth[name])
    near("share of " + name, factor(name)["share"], truth[name + "_share"])
expect("scan" in [name for one in report["factors"][:3] for name in one["functions"]], "the scan is not among the first three")
for one in report["factors"]:
    names = [name for name in one["functions"] if name in ("read_header", "store_page", "scan")]
    if one["kind"] == "covariance" and len(names) == 2:
        expect(abs(one["contribution"]) < 0.06, f"{names} contribute {one['contribution']}, and have nothing in common")
    expect(one["functions"] != ["read_header"] or one["contribution"] < 0.02, "reading a header always takes the same")
for code in "skipped", "probe-cost", "preemption-not-separated":
    expect(not warned(code), f"{code} is told of a sound run: {warned(code)}")
