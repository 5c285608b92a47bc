#!/usr/bin/env python3
"""vprofiler init: finds the build and likely intervals, writes a beginning, overwrites nothing.

usage: init_test.py VPROFILER
"""
import os
import random
import subprocess
import sys

from checks import check_report, new_folder, run_checks

VPROFILER = os.path.abspath(sys.argv[1])

# Requests come out of a queue; nothing is annotated.
SERVER = r"""
#include <unistd.h>
struct request { int number; };
static struct request requests[120];
static int next_;
enum kind { POP, PUSH };
struct queue { int (*pop)(void); } /* a comment's { */;

static struct request *queue_pop(void)
{
    return next_ < 120 ? &requests[next_++] : 0;
}

static void work(struct request *request)
{
    usleep(request->number & 3 ? 100 : 3000);
}

#if 0
static void other(void) {
#else
static void handle_request(struct request *request)
{
#endif
    char brace = '{', *text = "while (recv())";
    (void)brace, (void)text;
    work(request);
}

int main(void)
{
    struct request *request;
    for (int i = 0; i < 120; i++)
        requests[i].number = i;
    while ((request = queue_pop()))
        handle_request(request);
    return 0;
}
"""
CMAKE = "cmake_minimum_required(VERSION 3.10)\nproject(server C)\nadd_executable(server server.c)\n"


def init(folder, *words, code=0):
    done = subprocess.run([VPROFILER, "init", *words], cwd=folder, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert done.returncode == code, done
    return done.stdout


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120, env=dict(os.environ, VPROF_CFLAGS=""))
    assert done.returncode == 0, done
    return done.stdout


def check_way(folder):
    """From a program that is not annotated to its first report, in two commands."""
    (folder / "server.c").write_text(SERVER)
    (folder / "Makefile").write_text("server: server.o\n")
    said = init(folder, "--", "./server")
    assert "handle_request (server.c:22), called after queue_pop in the loop of main" in said, said
    assert "wrote      build.sh" in said and "wrote      vprofiler.json" in said, said
    done = subprocess.run([VPROFILER, "iterate", "--build", "build.sh", "--auto", "--quiet"],
                          cwd=folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=120)
    assert done.returncode == 0, done.stderr
    report = check_report.read((folder / "vprofiler-out/latest/report.json").read_text())
    assert report["intervals"]["count"] == 120 and report["factors"], report["intervals"]
    names = [f["functions"][0] for f in report["factors"][:3]]
    assert "usleep" in names or "work" in names, names


def check_overwrites_nothing(folder):
    (folder / "server.c").write_text(SERVER)
    (folder / "build.sh").write_text("mine")
    (folder / "vprofiler.json").symlink_to("nowhere")
    said = init(folder)
    assert "kept       build.sh" in said and "kept       vprofiler.json" in said, said
    assert (folder / "build.sh").read_text() == "mine"
    assert not (folder / "nowhere").exists()


def check_builds(folder):
    for file, words in (("CMakeLists.txt", "CMake"), ("meson.build", "Meson"), ("configure", "autotools"),
                        ("configure.ac", "autotools"), ("Makefile", "make"),
                        ("GNUmakefile", "make"), ("none", "no build that is known")):
        place = folder / words.replace(" ", "-") / file
        place.mkdir(parents=True)
        (place / file).write_text("")
        said = init(place, "--", "echo", "it's  one", "$HOME")
        assert f"build      {words}" in said, said
        run(place, "sh", "-n", "build.sh")
        last = (place / "build.sh").read_text().strip().split("\n")[-1]
        assert run(place, "sh", "-c", last) == "it's  one $HOME\n", last
        assert os.access(place / "build.sh", os.X_OK)
    for name, file, text in (("c", "CMakeLists.txt", CMAKE), ("m", "Makefile", "server: server.o\n")):
        place = folder / name
        place.mkdir()
        (place / file).write_text(text)
        (place / "server.c").write_text(SERVER)
        init(place, "--", "true")
        run(place, "sh", "build.sh")
    unsaid = folder / "unsaid"
    unsaid.mkdir()
    init(unsaid)
    assert subprocess.run(["sh", "build.sh"], cwd=unsaid, capture_output=True).returncode == 1


def check_annotated(folder):
    (folder / "server.c").write_text(SERVER.replace("work(request);", "SI_BEGIN(request);"))
    said = init(folder)
    assert "marked in the source" in said and not (folder / "vprofiler.json").exists(), said


def check_any_text(folder):
    """Whatever the files hold, it ends."""
    random.seed(7)
    pieces = ['"', "'", "/*", "*/", "//", "\\", "\n", "{", "}", "(", ")", "=", "#", "while", "recv(",
              "struct ", "f", " ", "\0", "\xff", ";", "const"]
    for i in range(200):
        text = "".join(random.choice(pieces) for _ in range(300))
        (folder / f"{i}.c").write_text(text, encoding="latin-1")
    (folder / "loop").symlink_to(".")
    (folder / "long.c").write_text("x" * 100000 + "(){while(1)recv(" + "y" * 1000 + "(")
    init(folder)


def main():
    return run_checks([check_way, check_overwrites_nothing, check_builds, check_annotated,
                       check_any_text], new_folder)


if __name__ == "__main__":
    sys.exit(main())
