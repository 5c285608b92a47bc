"""What is particular to each suite of small programs: where it is, what is built to one program, and how."""
import dataclasses
import pathlib
import re


@dataclasses.dataclass
class Program:
    name: str
    sources: list          # paths in the suite's folder
    arguments: list = dataclasses.field(default_factory=list)
    flags: list = dataclasses.field(default_factory=list)


class Suite:
    """Everything is compiled in `folder` of the repository, and each file that may be a program is one:
    those that do not build or do not end as they are, are counted and left out."""
    url = ""
    folder = ""
    parts = []             # of the repository; all of it where none is named
    flags = ["-w"]
    libraries = ["-lm", "-pthread", "-ldl"]
    patterns = ["*.c"]
    companions = {}        # program: further sources
    arguments = {}         # program: what it is started with; {tree} is where its sources are
    beside = {}            # name in the folder where each is run: program that it is
    # Files whose programs do what the language leaves open, and what that is: they may differ.
    own = {}

    def __init__(self, source):
        self.tree = source / self.folder

    def files(self):
        found = {path.relative_to(self.tree) for pattern in self.patterns
                 for path in self.tree.glob(pattern)}
        further = {pathlib.Path(file) for files in self.companions.values() for file in files}
        return sorted(map(str, found - further))

    def programs(self):
        return [Program(file, [file, *self.companions.get(file, [])],
                        [argument.format(tree=self.tree) for argument in self.arguments.get(file, [])])
                for file in self.files()]


class CTestsuite(Suite):
    url = "https://github.com/c-testsuite/c-testsuite"
    folder = "tests/single-exec"


class Mir(Suite):
    """The torture tests of gcc that do not need gcc, tests of lacc and other small compilers, and mir's own."""
    url = "https://github.com/vnmakarov/mir"
    folder = "c-tests"
    parts = ["c-tests"]
    flags = ["-w", "-trigraphs"]
    patterns = ["*/*.c"]
    companions = {f"new/{name}.c": [f"new/add-{name}.c"] for name in ("issue211", "overflow")}
    own = {"lacc/bitfield-types-init.c": "it prints what lies between a structure's members"}


class Tinycc(Suite):
    """Some files are several programs, by the macro that is defined; most of these are no programs but errors."""
    url = "https://github.com/TinyCC/tinycc"
    folder = "tests/tests2"
    parts = ["tests"]
    flags = ["-w", "-std=gnu99"]
    companions = {"104_inline.c": ["104+_inline.c"], "120_alias.c": ["120+_alias.c"]}
    arguments = {"31_args.c": ["arg1", "arg2", "arg3", "arg4", "arg5"],
                 "46_grep.c": [r"[^* ]*[:a:d: ]+\:\*-/: $", "{tree}/46_grep.c"]}
    own = {"112_backtrace.c": "they store through null pointers and beyond arrays, for the compiler to tell"}

    def programs(self):
        return [each for program in super().programs() for each in self.variants(program)]

    def variants(self, program):
        text = (self.tree / program.name).read_text(errors="replace")
        macros = dict.fromkeys(re.findall(r"^#\s*(?:el)?if defined (test_\w+)", text, re.M))
        if not macros:
            return [program]
        return [dataclasses.replace(program, name=f"{program.name}:{macro}", flags=["-D" + macro])
                for macro in macros]


class Uftrace(Suite):
    url = "https://github.com/namhyung/uftrace"
    parts = ["tests", "utils"]
    flags = ["-w", "-fno-inline", "-fno-builtin"]
    patterns = ["tests/s-*.c", "tests/s-*.cpp"]
    companions = {"tests/s-libmain.c": ["tests/s-lib.c"],
                  "tests/s-dynmain.c": ["tests/s-libdyn1.c", "tests/s-libdyn2.c"],
                  "tests/s-libexcept-main.cpp": ["tests/s-libexcept.cpp"]}
    beside = {"t-abc": "tests/s-abc.c"}  # the first one that is built; others execute it


class Chibicc(Suite):
    """What its tests' own text is; that the compiler passes them is a project's (projects.py)."""
    url = "https://github.com/rui314/chibicc"
    flags = ["-w", "-Itest", "-fcommon"]
    libraries = ["-pthread"]
    patterns = ["test/*.c"]

    def programs(self):
        return [Program(file, [file, "test/common"]) for file in self.files()]


SUITES = {"c-testsuite": CTestsuite, "mir": Mir, "tinycc": Tinycc, "uftrace": Uftrace,
          "chibicc": Chibicc}
