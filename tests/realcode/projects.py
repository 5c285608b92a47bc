"""What is particular to each project: how it is configured, built, cleaned and tested.

A suite yields {test: passed}. Everything runs in the project's own tree with its own build files.
"""
import re

import debian_source
import git_source


class Project:
    package = None      # Debian's source package; otherwise
    url = None          # the public repository, of which the newest commit is taken
    packages = []       # binary packages that its build and its suite need
    user = None         # who runs the suite, where it may not be root
    seconds = 3600      # most that a suite may take
    configure = []      # commands
    clean = ["make clean"]
    build = "make -j{jobs}"
    suite = ""
    programs = []       # whose line tables are compared
    flaky = None        # tests that fail now and then without us, too

    def __init__(self, tree, jobs):
        self.tree, self.jobs = tree, jobs

    @classmethod
    def fetch(cls, folder):
        """Its tree, and the version."""
        if cls.url:
            return folder / "tree", git_source.fetch(cls.url, folder / "tree")
        return debian_source.fetch(cls.package, folder)

    def results(self, output):
        """{test: passed} of what the suite printed."""
        raise NotImplementedError


class Memcached(Project):
    package = "memcached"
    packages = ["libevent-dev", "perl"]
    configure = ["./configure --disable-docs --disable-coverage CFLAGS='-O2 -g'"]
    build = "make -j{jobs}"  # what is named beside `all` may be built twice at once
    suite = "make -k test"
    programs = ["memcached", "memcached-debug"]

    def results(self, output):
        found = {name: ending == "ok" for name, ending
                 in re.findall(r"^(t/\S+) \.+ (ok|\S.*)$", output, re.M)
                 if not ending.startswith("skipped")}
        for number, name in re.findall(r"^ok (\d+)(.*)$", output, re.M):
            found[f"testapp {number}{name}"] = True
        for number, name in re.findall(r"^not ok (\d+)(.*)$", output, re.M):
            found[f"testapp {number}{name}"] = False
        return found


class Redis(Project):
    package = "redis"
    packages = ["tcl", "pkg-config", "procps"]
    clean = ["make distclean"]
    build = "make -j{jobs} MALLOC=libc OPTIMIZATION=-O2 BUILD_TLS=no V=1"
    # All units; what starts several servers and waits for them (integration/) is left out.
    suite = ("./runtest --clients 4 --tags -slow $(sed -n '/^set ::all_tests {/,/^}/p' "
             "tests/test_helper.tcl | sed -n 's,^ *\\(unit/.*\\),--single \\1,p')")
    programs = ["src/redis-server", "src/redis-cli", "src/redis-benchmark"]

    def results(self, output):
        output = re.sub(r"\x1b\[[0-9;]*m", "", output)
        found = {name: True for name in re.findall(r"^\[ok\]: (.*?)(?: \(\d+ ms\))?$", output, re.M)}
        found.update({name: False for name in re.findall(r"^\[err\]: (.*)$", output, re.M)})
        found.update({"exception: " + name: False
                      for name in re.findall(r"^\[exception\]: (.*)$", output, re.M)})
        return found


class Sqlite(Project):
    package = "sqlite3"
    packages = ["tcl", "tcl-dev"]
    user = "nobody"
    # The amalgamation is what is instrumented: `make clean` would delete it, and an edited part of it is no
    # reason to make it again.
    configure = ["./configure --enable-threadsafe", "make sqlite3.c shell.c"]
    clean = ["rm -rf *.o *.lo *.la .libs testfixture sqlite3"]
    build = "make -j{jobs} -o sqlite3.c -o shell.c sqlite3 testfixture"
    # One file in four of the SQL tests. Those that fail every allocation or I/O in turn are left out: they
    # take hours with everything recorded.
    suite = """for test in $(ls test/*.test | grep -vE '%s' | awk 'NR %% 4 == 0'); do
        echo "== $test"; timeout 600 ./testfixture $test; done""" % (
        "fault|malloc|ioerr|crash|corrupt|fuzz|big|stress|slow|soak|speed|all|full|quick|permutations|"
        "veryquick|testrunner|mutex|thread|wal[3a-z]|pager[1-3]|rtree|vtab[a-z]|memsubsys|backup|"
        "writecrash|savepoint6|incrvacuum[23]|lock_common|main|valgrind|mallocAll|journal[23]|e_|zipfile")
    programs = ["sqlite3", "testfixture"]

    def results(self, output):
        found, script = {}, ""
        for line in output.splitlines():
            ended = re.match(r"(\d+) errors out of (\d+) tests", line)
            if line.startswith("== "):
                script = line[3:]
                found[script] = False
            elif ended:
                found[script] = ended[1] == "0"
            elif re.match(r"\S+\.\.\. Ok$", line):
                found[f"{script} {line.split('...')[0]}"] = True
            elif re.match(r"! \S+ expected:", line):
                found[f"{script} {line.split()[1]}"] = False
        return found


class Leveldb(Project):
    package = "leveldb"
    packages = ["cmake", "g++", "libgtest-dev", "libgmock-dev", "libbenchmark-dev"]
    configure = ["cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo "
                 "-DLEVELDB_BUILD_BENCHMARKS=OFF"]
    clean = ["cmake --build build --target clean"]
    build = "cmake --build build -j{jobs}"
    suite = "cd build && ctest -V"
    programs = ["build/leveldbutil", "build/db_test"]
    flaky = r"HiddenValuesAreRemoved"  # a compaction in the background may come first

    def results(self, output):
        found, programs = {}, set()
        for number, ending, case in re.findall(r"^(\d+): \[ +(OK|FAILED) +\] (\S+) \(", output,
                                               re.M):
            found[f"{number} {case}"] = ending == "OK"
            programs.add(number)
        for number, name, ending in re.findall(r"Test +#(\d+): (\S+) \.*\W*(Passed|\S+)", output):
            if number not in programs:
                found[name] = ending == "Passed"
        return found


class Postgresql(Project):
    package = "postgresql-15"
    packages = ["libreadline-dev", "zlib1g-dev", "bison", "flex", "perl"]
    user = "nobody"
    configure = ["./configure --without-icu --enable-debug CFLAGS='-O2 -g'"]
    build = "make -s -j{jobs}"
    suite = "make -s check MAX_CONNECTIONS=4"
    programs = ["src/backend/postgres", "src/bin/psql/psql"]

    def results(self, output):
        return {name: ending == "ok" for name, ending in re.findall(
            r"^(?:test|    ) ?(\S+) +\.\.\. (ok|FAILED|failed)", output, re.M)}


class Chibicc(Project):
    """A compiler, and what it compiled: what is wrong in the one shows in the other."""
    url = "https://github.com/rui314/chibicc"
    build = "make -j{jobs} chibicc"
    suite = "make test"
    programs = ["chibicc"]

    def results(self, output):
        found = {}
        for name, printed in re.findall(r"^(test/\S+\.exe)$(.*?)(?=^test/|\Z)", output, re.M | re.S):
            found[name] = re.search(r"^OK$", printed, re.M) is not None
        for name, ending in re.findall(r"^testing (.*) \.\.\. (passed|failed)$", output, re.M):
            found[f"driver {name}"] = ending == "passed"
        return found


class Libuv(Project):
    url = "https://github.com/libuv/libuv"
    packages = ["cmake"]
    user = "nobody"
    configure = ["cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo"]
    clean = ["cmake --build build --target clean"]
    build = "cmake --build build -j{jobs} --target uv_run_tests_a"
    suite = "build/uv_run_tests_a"  # it reads files of the tree
    programs = ["build/uv_run_tests_a"]
    flaky = r"^tcp_close_while_connecting$"  # the network may be faster than its timer, or none

    def results(self, output):
        return {name: not failed for failed, name, skip in re.findall(
            r"^(not )?ok \d+ - (\S+)( # SKIP.*)?$", output, re.M) if not skip}


PROJECTS = {"memcached": Memcached, "redis": Redis, "sqlite3": Sqlite, "leveldb": Leveldb,
            "postgresql": Postgresql, "chibicc": Chibicc, "libuv": Libuv}
