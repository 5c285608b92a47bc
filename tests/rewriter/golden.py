#!/usr/bin/env python3
"""golden.py TOOL API_DIR CASE [--update] [--text]: one golden folder of the rewriter.

A case holds input* (what is rewritten), expected* (the same without the preamble), args (of
rewrite_tool; "@" is the folder), and may hold: cflags; report (what the tool prints of functions
and skips); redirects (the names whose symbols are redirected on top of each file); error (the message of a refusal); counts (what the hooks counted while it ran);
parse_only (it is not compiled).

Checked: the text; that rewriting again changes nothing; that with nothing chosen the input comes
back; that gcc and clang compile it without a warning; and, where it has a main, that it prints the
same as the input, with its hooks off and on. With --text nothing is compiled.
"""
import os, re, shlex, shutil, subprocess, sys, tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import left_out  # noqa: E402

LINE = "#line 1\n"
here = os.path.dirname(os.path.abspath(__file__))


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write(text)


def redirected(name, text):
    names = re.findall(r"^#pragma redefine_extname (\w+)", text, re.MULTILINE)
    return f"{name}: {' '.join(names) if LINE in text else 'untouched'}\n"


class Case:
    def __init__(self, tool, api, path, update, only_text):
        self.tool, self.api, self.path, self.update = tool, api, os.path.abspath(path), update
        self.compiled = not only_text and not self.has("parse_only")
        self.failures = []
        self.inputs = sorted(n for n in os.listdir(path) if n.startswith("input"))
        self.args = self.words("args")
        self.cflags = self.words("cflags")

    def words(self, name):
        path = os.path.join(self.path, name)
        return shlex.split(read(path).replace("@", self.path)) if os.path.exists(path) else []

    def has(self, name):
        return os.path.exists(os.path.join(self.path, name))

    def fail(self, what):
        self.failures.append(what)

    def same(self, name, got):
        path = os.path.join(self.path, name)
        if self.update:
            write(path, got)
        elif not os.path.exists(path) or read(path) != got:
            self.fail(f"{name} differs")
            fresh = tempfile.mkstemp()[1]
            write(fresh, got)
            subprocess.run(["diff", "-u", path, fresh])
            os.unlink(fresh)

    def rewrite(self, tree, args):
        flags = [f"--flag={flag}" for flag in self.cflags + ["-I" + self.api]]
        command = [self.tool, "--functions", "--skips", *flags, *args, tree]
        return subprocess.run(command, capture_output=True, text=True)

    def texts(self, tree):
        return {name: read(os.path.join(tree, name)) for name in self.inputs}

    def check_text(self, tree):
        done = self.rewrite(tree, self.args)
        if self.has("error"):
            if done.returncode != 2:
                self.fail(f"exit status {done.returncode}, not 2")
            self.same("error", done.stderr)
            return False
        if done.returncode != 0:
            self.fail(f"rewrite_tool: {done.stderr}")
            return False
        if self.has("report") or self.update:
            self.same("report", "\n".join(done.stdout.splitlines()[:-1]) + "\n")
        if self.has("redirects"):
            self.same("redirects", "".join(map(redirected, *zip(*self.texts(tree).items()))))
        for name, text in self.texts(tree).items():
            mark = "\ufeff" if text.startswith("\ufeff") else ""
            text = mark + text.split(LINE, 1)[-1] if LINE in text else text
            self.same(name.replace("input", "expected", 1), text)
        return True

    def check_laws(self, tree):
        first = self.texts(tree)
        self.rewrite(tree, self.args)
        if self.texts(tree) != first:
            self.fail("rewriting twice gives another text")
        self.rewrite(tree, [])
        if self.texts(tree) != {n: read(os.path.join(self.path, n)) for n in self.inputs}:
            self.fail("with nothing chosen the input does not come back")
        self.rewrite(tree, self.args)
        if self.texts(tree) != first:
            self.fail("rewriting after nothing was chosen gives another text")

    def compile(self, compiler, tree, program, flags=(), more=()):
        plus = any(name.endswith(".cc") for name in self.inputs)
        driver = {"gcc": "g++", "clang": "clang++"}[compiler] if plus else compiler
        sources = [os.path.join(tree, n) for n in self.inputs if n.endswith((".c", ".cc"))]
        objects = []
        for source in sources:
            objects.append(source + ".o")
            command = [driver, "-O1", "-Wall", "-Wextra", "-Werror", "-I" + self.api,
                       *self.cflags, *flags, "-c", source, "-o", objects[-1]]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                self.fail(f"{compiler} {os.path.basename(source)} in {os.path.basename(tree)}:\n"
                          + done.stderr[:3000])
                return False
        if not any("main(" in read(source) for source in sources):
            return False
        command = [driver, *self.cflags, *objects, *more, "-pthread", "-o", program]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            self.fail(f"{compiler} link: {done.stderr[:2000]}")
        return done.returncode == 0

    def run(self, program, counts=None):
        environment = dict(os.environ, **({"VPROF_TEST_COUNTS": counts} if counts else {}))
        done = subprocess.run([program], capture_output=True, text=True, timeout=60,
                              env=environment)
        return done.returncode, done.stdout, done.stderr

    def check_program(self, compiler, plain, tree, work):
        hooks = os.path.join(work, "hooks.o")
        subprocess.run([compiler, "-O1", "-I" + self.api, "-c",
                        os.path.join(here, "hooks_on.c"), "-o", hooks], check=True)
        program = os.path.join(work, "program")
        if not self.compile(compiler, plain, program):
            self.compile(compiler, tree, program)
            return
        wanted = self.run(program)
        if self.compile(compiler, tree, program) and self.run(program) != wanted:
            self.fail(f"{compiler}: it behaves differently with its hooks off")
        counts = os.path.join(work, "counts")
        if self.compile(compiler, tree, program, ["-DVPROF_NO_SITES"], [hooks]):
            if self.run(program, counts) != wanted:
                self.fail(f"{compiler}: it behaves differently with its hooks on")
            self.same("counts", read(counts))

    def check(self):
        with tempfile.TemporaryDirectory() as work:
            work = os.path.realpath(work)
            tree, plain = os.path.join(work, "tree"), os.path.join(work, "plain")
            for folder in (tree, plain):
                os.mkdir(folder)
                for name in self.inputs:
                    shutil.copy(os.path.join(self.path, name), folder)
            if self.check_text(tree):
                self.check_laws(tree)
                if self.compiled:
                    for compiler in ("gcc", "clang"):
                        if not left_out.lacks(compiler, f"what {compiler} does"):
                            self.check_program(compiler, plain, tree, work)
        for failure in self.failures:
            print(f"{os.path.basename(self.path)}: {failure}")
        return 1 if self.failures else 0


if __name__ == "__main__":
    sys.exit(Case(*sys.argv[1:4], "--update" in sys.argv, "--text" in sys.argv).check())
