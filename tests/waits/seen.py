"""One run of a scene: what its threads measured themselves, and what vprofiler found of it.

    seen = Seen(own, found)
    seen.own_ns("A", "B"), seen.raw_ns("A", "B")     A's waits for B, by A's own clocks and as found
"""
KINDS = {"timer": "timer", "disk": "device", "network": "network"}
LEAST = 0.02  # of a thread's time: what is less is not held against the other side


class Seen:
    def __init__(self, own, found):
        self.own, self.found = own, found
        self.groups = found["groups"]
        self.threads = {thread["name"]: thread for thread in own["threads"]}

    def is_called(self, number, name):
        group = self.groups[number]
        return group["kind"] == KINDS[name] if name in KINDS else group["kind"] == "thread" and group["name"] == name

    def name(self, number):
        group = self.groups[number]
        return next((name for name, kind in KINDS.items() if group["kind"] == kind), group["name"])

    def is_own(self, number):
        """Group of this name may be there twice: one by which the process was known before."""
        return self.groups[number]["of_run"] and self.groups[number]["name"] in self.threads

    # ---- by the program's own clocks ----

    def own_ns(self, who, whom):
        return sum(wait["blocked_ns"] for wait in self.threads[who]["waits"] if wait["whom"] == whom)

    def own_share(self, who, whom):
        return self.own_ns(who, whom) / self.threads[who]["lived_ns"]

    def own_wall_share(self, who, whom):
        """With what it computed and wanted a processor meanwhile."""
        return sum(wait["wall_ns"] for wait in self.threads[who]["waits"]
                   if wait["whom"] == whom) / self.threads[who]["lived_ns"]

    def lived_ns(self, who):
        return self.threads[who]["lived_ns"]

    def rate(self):
        return self.own["done"] / self.own["facts"].get("took_ns", self.own["wall_ns"]) * 1e9

    def longest_ns(self, who):
        return max((wait["longest_ns"] for wait in self.threads[who]["waits"]), default=0)

    # ---- as found ----

    def lost(self):
        """Records. Of each, the waits that were not at their end are lost, too."""
        told = [w["message"] for w in self.found["warnings"] if w["code"] == "lost-kernel-records"]
        return int(told[0].split()[0]) if told else 0

    def outside_ns(self, who):
        """What its threads lived before they began to measure, and when they had done that: what they wait for, or want a
        processor, then they do not know."""
        lived = sum(group["ran_ns"] + group["runnable_ns"] + group["blocked_ns"] for n, group in enumerate(self.groups)
                    if self.is_own(n) and group["name"] == who)
        return max(lived - self.lived_ns(who), 0)

    def counted(self, who):
        return sum(edge["count"] for edge in self.edges(who))

    def edges(self, who):
        return [edge for edge in self.found["edges"] if self.is_called(edge["from"], who)
                and (who in KINDS or self.is_own(edge["from"]))]

    def raw_ns(self, who, whom):
        if who == whom:
            return sum(g["within_ns"] for n, g in enumerate(self.groups) if self.is_own(n) and g["name"] == who)
        return sum(edge["raw_ns"] for edge in self.edges(who) if self.is_called(edge["to"], whom))

    def all_raw_ns(self, who):
        return sum(edge["raw_ns"] for edge in self.edges(who)) + self.raw_ns(who, who)

    def wanted_ns(self, who, had=None):
        return sum(charge["time_ns"] for charge in self.found["processor"] if self.is_called(charge["from"], who)
                   and (had is None or charge["had"] is not None and self.is_called(charge["had"], had)))

    def blamed_ns(self, who):
        return sum(g["blamed_ns"] for n, g in enumerate(self.groups) if self.is_own(n) and g["name"] == who)

    def knots(self):
        return [{self.name(g) for g in knot["groups"]} for knot in self.found["knots"]]

    def ran_ns(self, who):
        return sum(g["ran_ns"] for n, g in enumerate(self.groups) if self.is_own(n) and g["name"] == who)

    def by_request(self, what, who, whom):
        """The part of that wait, of the edges or the leaves."""
        return next(part for part in self.found["requests"][what] if None not in (part["from"], part["to"])
                    and self.is_called(part["from"], who) and self.is_called(part["to"], whom))

    def leaf_ns(self, who):
        """Of a request, that was `who`'s: it ran, wanted a processor, or had been let go on."""
        return sum(part["mean_ns"]["value"] for part in self.found["requests"]["leaves"]
                   if part["from"] is not None and self.is_called(part["from"], who))

    def gain(self, who, whom):
        """What replay says of the throughput without that wait; None: it says nothing of it."""
        edges = [self.found["edges"][of["edge"]] for of in self.found["replay"]["edges"]]
        return next((of["gone"]["speedup"] for of, edge in zip(self.found["replay"]["edges"], edges)
                     if edge in self.edges(who) and self.is_called(edge["to"], whom)), None)

    def background(self):
        """The names of those that were set aside, with the reason."""
        return {self.name(group): of["reason"] for of in self.found["background"] for group in of["groups"]}

    # ---- one against the other ----

    def pairs(self):
        """(who, whom) of all waits that are worth to be compared."""
        for who, thread in self.threads.items():
            for wait in thread["waits"]:
                if max(wait["blocked_ns"], self.raw_ns(who, wait["whom"])) > LEAST * thread["lived_ns"]:
                    yield who, wait["whom"]

    def unheard_of(self, who):
        """What was found of waits of a thread that it knows nothing of, as a part of its time."""
        known = {wait["whom"] for wait in self.threads[who]["waits"]}
        return sum(edge["raw_ns"] for edge in self.edges(who)
                   if not any(self.is_called(edge["to"], whom) for whom in known)) / self.lived_ns(who)
