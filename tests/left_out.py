#!/usr/bin/env python3
"""What a test can't try here, and what it takes to try it.

    left_out.say("the completions of fish", apt=["fish"])       the rest of the test goes on
    left_out.skip("PostgreSQL", apt=["postgresql"])             nothing of it can be tried: exit status 77
    if left_out.lacks("fish", "the completions of fish"): ...   says it where there is no such program

Each prints a line `left out: WHAT (HOW)`. `make test` ends with those of all tests, of ctest --output-junit:

    left_out.py RESULTS.xml...              what was left out; exits 1 where a test was skipped and does not say what for
    left_out.py RESULTS.xml... --apt        the Debian packages for it (--npm: node's)
    left_out.py RESULTS.xml... --tests      a regular expression, for ctest -R, of the tests that packages may help
"""
import collections
import re
import shutil
import sys
import xml.etree.ElementTree

SKIPPED = 77
LINE = re.compile(r"^left out: (.+) \((.+)\)$", re.M)
INSTALLERS = {"apt": "apt-get install ", "npm": "npm install "}


def say(what, apt=(), npm=(), how=""):
    """`how`: for what no package brings."""
    ways = [INSTALLERS["apt"] + " ".join(apt) if apt else "", INSTALLERS["npm"] + " ".join(npm) if npm else "", how]
    for way in filter(None, ways):
        print(f"left out: {what} ({way})", flush=True)


def skip(what, apt=(), npm=(), how=""):
    say(what, apt, npm, how)
    sys.exit(SKIPPED)


def lacks(program, what, *packages):
    """`packages`: where they are not called as the program is."""
    if shutil.which(program):
        return False
    say(what, apt=packages or [program])
    return True


class Results:
    """What ctest wrote down."""

    def __init__(self, paths):
        self.by_line = collections.defaultdict(list)
        self.silent = []
        for test in [test for path in paths for test in xml.etree.ElementTree.parse(path).getroot().findall("testcase")]:
            lines = LINE.findall(test.findtext("system-out") or "")
            for line in dict.fromkeys(lines):
                self.by_line[line].append(test.get("name"))
            if not lines and test.find("skipped") is not None:
                self.silent.append(test.get("name"))

    def packages(self, installer):
        start = INSTALLERS[installer]
        return sorted({package for _, how in self.by_line if how.startswith(start)
                       for package in how[len(start):].split()})

    def names(self):
        """Of those that a package may help."""
        ways = tuple(INSTALLERS.values())
        return sorted({name for (_, how), names in self.by_line.items() if how.startswith(ways) for name in names})

    def told(self):
        if self.by_line:
            print("\nLeft out, as it can't be tried here:")
        for (what, how), names in sorted(self.by_line.items()):
            more = f" and {len(names) - 2} more" if len(names) > 2 else ""
            print(f"  {what}: {how}   [{', '.join(names[:2])}{more}]")
        for name in self.silent:
            print(f"  {name} was skipped and does not say what for")


def main():
    results = Results([word for word in sys.argv[1:] if not word.startswith("--")])
    if sys.argv[-1] == "--tests":
        print("^(" + "|".join(map(re.escape, results.names())) + ")$")
    elif sys.argv[-1].startswith("--"):
        print(*results.packages(sys.argv[-1][2:]))
    else:
        results.told()
    return 1 if results.silent else 0


if __name__ == "__main__":
    sys.exit(main())
