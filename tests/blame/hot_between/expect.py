# busy
"""Work of its own between the calls may hide some of what the probes take, or all: the leaf says what they take at the most."""
near("scan", own("scan")[0]["contribution"], truth["scan"])
body = sum(node["share"] for node in own("scan [body]"))
probes = sum(node["share"] for node in own("[probes]"))
print(f"the caller's own work: {body:.3f}, and of the probes' {probes:.3f} a part; by the program's own clock {truth['own_work_share']:.3f}")
# The program's clock has all its requests, a live round some of them.
most = 0.1 if live else 0.05
expect(body - most < truth["own_work_share"] < body + probes + most, "the caller's own work is not within these bounds")
expect(probes > 0.02, "what the probes took is no part of its own")
