#!/usr/bin/env python3
"""vprofiler init: finds the build by trial and the intervals by the flow of data, overwrites nothing.

usage: init_test.py VPROFILER
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys

from checks import check_report, new_folder, run_checks

VPROFILER = os.path.abspath(sys.argv[1])
SERVERS = pathlib.Path(__file__).resolve().parent / "init_servers"

# What a person would choose: begin, enters and end, each with a line's text where it is not a function's
# entry or exit.
CHOSEN = {
    "thread_per_connection.c": ("answer_line", [], "answer_line"),
    "inline_turn.c": ("connection|unsigned sum = checksum", [], "connection|}"),
    "pool.c": ("jobs_put", ["serve"], "serve"),
    "epoll_table.c": ("readable", [], "readable"),
    "prefork.c": ("respond", [], "respond"),
    "uv_style.c": ("got", [], "got"),
    "uv_work.c": ("got|uv_queue_work", ["compute", "computed"], "computed"),
    "event_style.c": ("on_input", [], "on_input"),
    "event_http.c": ("page", [], "page"),
    "datagram.c": ("respond", [], "respond"),
    "pool.cc": ("Queue::put", ["Engine::run"], "Engine::run"),
    "thread_each.cc": ("Session::respond", [], "Session::respond"),
    "global_client.c": ("whole", [], "whole"),
    "left_turn.c": ("connection|unsigned sum = 0", [], "connection|}"),
    "typed_lines.c": ("answer", [], "answer"),
    "typed_lines.cc": ("main|std::string reply =", [], "main|}"),
    "typed_inline.c": ("main|unsigned sum = 0", [], "main|}"),
    "typed_queue.c": ("put", ["execute"], "execute"),
    "queue_answered.c": ("serve|struct call *call = ring", [], "serve|}"),
}
CHOSEN |= {
    "greeting.c": ("greet", [], "greet"),
    "pushes.c": ("answer_line", [], "answer_line"),
    "transports.c": ("attend", [], "attend"),
    "left_once.c": ("connection|for (ssize_t i = 0", [], "connection|close(client);"),
}
# What is found may be no request: it is shown, and not written.
DOUBTED = {
    "states.c": "another branch",
    "two_events.c": "another branch",
    "reads_and_returns.c": "another branch",
    "select_inline.c": "how many requests come over one is not known",
    "busy.c": "another branch",
    "dispatcher.c": "another branch",
    "event_library.c": "some of that receives nothing",
    "event_library.cc": "some of that receives nothing",
    "passes_on.c": "the answer may come from them",
    "two_loops.c": "another one is as likely",
    "two_turns.c": "another one is as likely",
    "two_services.c": "from another socket as well",
}
# Requests that nobody is seen to wait for: shown first, and not written unless they are taken.
TAKEN = {
    "queue_alone.c": ("handle_request", [], "handle_request"),
    "queue_worker.c": ("put", ["compute"], "compute"),
    "queue_filled_in.c": ("process", [], "process"),
    "queue_pointers.cc": ("cook", [], "cook"),
    "queue_functions.cc": ("loop|task();", [], "loop|}"),
}
# The names of the C++ programs that no header has a claim to.
OWN_NAMES = {
    "pool.cc": "Request Queue Engine put take run evaluate work read_from queue requests_ filled_ lock_ client "
               "text reply engine request".split(),
    "thread_each.cc": "Service Upper Session call next respond client_ service_ upper session line".split(),
    "typed_lines.cc": "evaluate line reply".split(),
    "event_library.cc": "Handler Peer Door ready watch descriptor_ again_ what_ text_ length_ poller run_again "
                        "run_active own list door".split(),
    "queue_pointers.cc": "Order Desk put take order orders_ lock_ filled_ cook kitchen desk cookThread number".split(),
    "queue_functions.cc": "tasks filled sum post task loop burn worker".split(),
}
# Names that promise much are given to whatever comes.
TEMPTING = ["handle_request", "process_query", "serve_connection", "dispatch_job", "execute_command", "queue_pop",
            "recv_message", "main_loop", "request", "accept_client"]
LOAD = """
import socket, subprocess, sys, time
server = subprocess.Popen(["./server"])
for i in range(200):
    try:
        peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        break
    except OSError:
        time.sleep(0.02)
end = time.time() + float(sys.argv[2])
while time.time() < end:
    peer.sendall(b"one two three\\n")
    peer.recv(100)
    time.sleep(float(sys.argv[3]))
server.kill()
"""


# Beside the server another program is built, which has a main as well, and comes first.
CLIENT = """
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7001)};
    char line[64];
    if (connect(server, (struct sockaddr *)&address, sizeof address))
        return 1;
    while (write(server, "hello\\n", 6) == 6 && read(server, line, sizeof line) > 0)
        ;
    return 0;
}
"""


def init(folder, *words, code=0):
    done = subprocess.run([VPROFILER, "init", *words], cwd=folder, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    assert done.returncode == code, done
    return done.stdout if code == 0 else done.stdout + done.stderr


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120, env=dict(os.environ, VPROF_CFLAGS=""))
    assert done.returncode == 0, done
    return done.stdout


def words_of_headers(text):
    """Every identifier that the program's headers use is not its own to rename."""
    includes = "\n".join(line for line in text.split("\n") if line.startswith("#include"))
    found = set()
    for option in ("-E", "-dM"):
        done = subprocess.run(["cc", "-E", option, f"-I{SERVERS}/include", "-xc", "-"], input=includes,
                              capture_output=True, text=True, check=True)
        found |= set(re.findall(r"[A-Za-z_]\w*", done.stdout))
    return found


KEYWORDS = set("""auto break case char const continue default do double else enum extern float for goto if inline
int long register return short signed sizeof static struct switch typedef union unsigned void volatile while main
include define NULL""".split())


def rename(name, text, dice):
    """The program with other names of its own, and what each became."""
    own = OWN_NAMES.get(name)
    if not own:
        plain = re.sub(r'"(\\.|[^"\\])*"|/\*.*?\*/|^#.*?$', "", text, flags=re.S | re.M)
        own = sorted(set(re.findall(r"[A-Za-z_]\w*", plain)) - words_of_headers(text) - KEYWORDS)
    names = {}
    tempting = dice.sample(TEMPTING, 5)
    for word in dice.sample(own, len(own)):
        fresh = tempting.pop() if tempting and dice.random() < 0.4 else None
        names[word] = fresh or "".join(dice.choice("bcdfgklmnprstvz") + dice.choice("aeiou") for _ in range(4)) + \
            str(len(names))
    pieces = re.split(r'("(?:\\.|[^"\\])*"|^#.*?$)', text, flags=re.M)
    for i in range(0, len(pieces), 2):
        pieces[i] = re.sub(r"[A-Za-z_]\w*", lambda word: names.get(word[0], word[0]), pieces[i])
    return "".join(pieces), names


def place_of(place, lines):
    at = place["at"]
    own = place["function"].split(":", 1)[1] if re.match(r"[\w.]+:[^:]", place["function"]) else place["function"]
    return own if isinstance(at, str) else own + "|" + lines[at["line"] - 1].strip()


def renamed(text, names):
    return re.sub(r"[A-Za-z_]\w*", lambda word: names.get(word[0], word[0]), text)


def check_one(folder, name, dice):
    text, names = (SERVERS / name).read_text(), {}
    if dice:
        text, names = rename(name, text, dice)
    folder.mkdir()
    (folder / name).write_text(text)
    compiler = "$(CXX) -O0" if name.endswith(".cc") else "$(CC) $(CFLAGS)"
    (folder / "Makefile").write_text(f"all:\n\t{compiler} -I{SERVERS}/include -c {name} -o one.o\n")
    sure = name in CHOSEN
    said = init(folder, *([] if sure or not dice or name in DOUBTED else ["--take", "1"]))
    if name in DOUBTED:
        assert "no vprofiler.json: not sure" in said and DOUBTED[name] in said, (name, names, said)
        assert "1. " in said and not (folder / "vprofiler.json").exists(), (name, names, said)
        return
    if not sure and not dice:
        assert "nobody is seen to wait for its end" in said and not (folder / "vprofiler.json").exists(), said
        return
    assert (folder / "vprofiler.json").exists(), (name, names, said)
    interval = json.loads((folder / "vprofiler.json").read_text())["intervals"][0]
    begin, enters, end = (CHOSEN | TAKEN)[name]
    lines = text.split("\n")
    wanted = [renamed(place, names) for place in [begin, *enters, end]]
    first_end = interval["end"][0] if isinstance(interval["end"], list) else interval["end"]
    found = [place_of(place, lines) for place in [interval["begin"], *interval.get("enter", []), first_end]]
    assert len(found) == len(wanted), (name, names, said)
    for want, got in zip(wanted, found):
        assert got == want or ("|" in want and got.startswith(want)), (name, want, got, names, said)


def check_servers(folder):
    for name in CHOSEN | TAKEN | DOUBTED:
        check_one(folder / name, name, None)


def check_renamed(folder):
    """Whatever the names: the guess stays."""
    seed = random.randrange(1 << 30)
    print(f"    names by {seed}")
    for i, name in enumerate(CHOSEN | TAKEN | DOUBTED):
        check_one(folder / name, name, random.Random(seed + i))


def make_server(folder, name="thread_per_connection.c"):
    """The words that put it under load, but for how long and how often."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    text = re.sub(r"htons\(\d+\)", f"htons({port})", (SERVERS / name).read_text())
    (folder / "server.c").write_text(re.sub(
        r"    if \(bind\((\w+),", r"    setsockopt(\1, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));\n\g<0>", text))
    (folder / "load.py").write_text(LOAD)
    (folder / "Makefile").write_text("server: server.c\n\t$(CC) $(CFLAGS) -o server server.c -lpthread\n")
    return [sys.executable, "load.py", str(port)]


def check_way(folder):
    """From a program that is not annotated to its first report, in two commands."""
    load = make_server(folder)
    said = init(folder, "--try", "--", *load, "3", "0.005")
    assert "one call of answer_line (server.c:20)" in said, said
    assert "wrote      build.sh" in said and "wrote      vprofiler.json" in said, said
    assert re.search(r"tried +2 s: \d+ intervals, p50 .*; 100 % of \d+ answers sent in one", said), said
    assert "warning" not in said, said
    done = subprocess.run([VPROFILER, "iterate", "--build", "build.sh", "--auto", "--quiet", "--max-rounds", "1"],
                          cwd=folder, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    report = check_report.read((folder / "vprofiler-out/latest/report.json").read_text())
    assert report["intervals"]["count"] > 100, report["intervals"]


def check_turn(folder):
    """A turn of a loop ends before the brace that closes it."""
    load = make_server(folder, "inline_turn.c")
    said = init(folder, "--try", "--", *load, "3", "0.005")
    assert "each time round" in said and "100 % of" in said and "warning" not in said, said


LEAVING_LOAD = """
import socket, subprocess, sys, time
server = subprocess.Popen(["./server"])
end = time.time() + float(sys.argv[2])
sent = 0
while time.time() < end:
    try:
        with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as peer:
            for first in (b"a", b"b", b"#", b"c", (b"!", b"?", b"d")[sent % 3]):
                peer.sendall(first + b" one two")
                if first in b"abcd":
                    peer.recv(100)
                time.sleep(0.005)
            sent += 1
    except OSError:
        time.sleep(0.02)
server.kill()
"""


def check_left_turn(folder):
    """What breaks, continues and returns within a turn ends it."""
    load = make_server(folder, "left_turn.c")
    (folder / "load.py").write_text(LEAVING_LOAD)
    said = init(folder, "--try", "--", *load, "3")
    assert "100 % of" in said and "warning" not in said, said
    longest = re.search(r"longest ([\d.]+) (\w+)", said)
    assert longest[2] in ("ns", "us") or float(longest[1]) < 4, said


def check_refuted(folder):
    """Where most answers are sent outside of the guess, it is not written, unless it is taken."""
    load = make_server(folder, "pushes.c")
    said = init(folder, "--try", "--", *load, "3", "0.005")
    assert "one call of answer_line" in said and "others are answered elsewhere" in said, said
    covered = re.search(r"; ([\d.]+) % of [\d,]+ answers sent in one", said)
    assert 0 < float(covered[1]) < 50, said
    assert "no vprofiler.json: most answers are not sent in it" in said, said
    assert (folder / "build.sh").exists() and not (folder / "vprofiler.json").exists(), said
    (folder / "build.sh").unlink()
    said = init(folder, "--try", "--take", "1", "--", *load, "3", "0.005")
    assert "wrote      vprofiler.json" in said, said


def check_programs(folder):
    """Of two programs of a tree neither is the one that is meant."""
    for second in ("thread_per_connection.c", "datagram.c"):
        place = folder / second[:-2]
        place.mkdir()
        for name in ("epoll_table.c", second):
            (place / name).write_text((SERVERS / name).read_text())
        (place / "Makefile").write_text(f"all: epoll_table {second[:-2]}\nLDLIBS = -lpthread\n")
        said = init(place)
        assert "1. one call of readable" in said and "not sure, because another one is as likely" in said, said
        assert not (place / "vprofiler.json").exists(), said


def check_warnings(folder):
    load = make_server(folder)
    declared = {"intervals": [{"begin": {"function": "serve_client", "at": "entry", "id": "argument"},
                               "end": {"function": "answer_line", "at": "exit", "id": "client"}}]}
    (folder / "vprofiler.json").write_text(json.dumps(declared))
    said = init(folder, "--try", "--", *load, "1.5", "0.3")
    assert "warning" in said and "kept       vprofiler.json" in said, said
    declared["intervals"][0]["end"] = {"function": "count_words", "at": "exit", "id": "text"}
    (folder / "vprofiler.json").write_text(json.dumps(declared))
    said = init(folder, "--try", "--", "true")
    assert "0 intervals" in said and "no interval was completed" in said, said


def check_what_is_compiled(folder):
    """What an #ifdef leaves out marks nothing; files of other platforms are no candidates."""
    make_server(folder)
    text = (folder / "server.c").read_text()
    (folder / "server.c").write_text(text.replace("    char reply[64];", """#ifdef HAVE_PROFILER
    SI_BEGIN(client);
#endif
    char reply[64];"""))
    other = folder / "mpm" / "netware"
    other.mkdir(parents=True)
    (other / "other.c").write_text(text.replace("answer_line", "netware_line").replace("serve_client", "netware"))
    (folder / "client.c").write_text(CLIENT)
    with open(folder / "Makefile", "a") as file:
        file.write("all: server client\nclient: client.c\n.DEFAULT_GOAL := all\n")
    said = init(folder)
    assert "2 compilations" in said, said
    assert "1. one call of answer_line" in said and "netware" not in said, said
    assert "marked in the source" not in said, said


def check_doubt(folder):
    """Two that are as likely: neither is written, and either can be taken."""
    make_server(folder)
    text = (folder / "server.c").read_text()
    twice = re.sub(r"(static void answer_line.*?\n})", lambda m: m[1] + "\n\n" +
                   m[1].replace("answer_line", "other_line"), text, flags=re.S)
    twice = re.sub(r"(static void \*serve_client.*?\n})", lambda m: m[1] + "\n\n" +
                   m[1].replace("answer_line", "other_line").replace("serve_client", "serve_other"), twice,
                   flags=re.S)
    twice = twice.replace("pthread_detach(thread);", "pthread_create(&thread, NULL, serve_other, "
                          "(void *)(intptr_t)client);")
    (folder / "server.c").write_text(twice)
    said = init(folder)
    assert "no vprofiler.json: not sure" in said and not (folder / "vprofiler.json").exists(), said
    assert "1. one call of" in said and "2. one call of" in said, said
    second = re.search(r"2\. one call of (\w+)", said)[1]
    init(folder, "--take", "2")
    assert second in (folder / "vprofiler.json").read_text()
    (folder / "vprofiler.json").unlink()
    with open(folder / "build.sh", "a") as script:
        script.write("exit 1\n")
    said = init(folder)
    assert "ended with an error after" in said and not (folder / "vprofiler.json").exists(), said
    init(folder, "--take", "9", code=2)


def check_no_server(folder):
    (folder / "sum.c").write_text("#include <stdio.h>\nint main(void)\n{\n    int n, sum = 0;\n"
                                  "    while (scanf(\"%d\", &n) == 1)\n        sum += n;\n"
                                  "    printf(\"%d\\n\", sum);\n}\n")
    (folder / "Makefile").write_text("sum: sum.o\n")
    said = init(folder)
    assert "none is marked" in said and "no vprofiler.json" in said, said
    assert not (folder / "vprofiler.json").exists()


def check_overwrites_nothing(folder):
    make_server(folder)
    (folder / "build.sh").write_text("mine")
    (folder / "vprofiler.json").symlink_to("nowhere")
    said = init(folder)
    assert "kept       build.sh" in said and "kept       vprofiler.json" in said, said
    assert (folder / "build.sh").read_text() == "mine"
    assert not (folder / "nowhere").exists()
    assert sorted(p.name for p in folder.iterdir()) == ["Makefile", "build.sh", "load.py", "server.c",
                                                        "vprofiler.json"]


CONFIGURE = """#!/bin/sh
for option; do
    case $option in
    --with-cc-opt=*) flags=${option#*=} ;;
    *) echo "$0: error: invalid option \\"$option\\"" >&2; exit 1 ;;
    esac
done
printf 'server: server.c\\n\\tcc %s -o server server.c -lpthread\\n' "$flags" > Makefile
"""


def check_builds(folder):
    """A configure that refuses CFLAGS=, and a CMakeLists.txt beside it that is for another system."""
    make_server(folder)
    os.unlink(folder / "Makefile")
    (folder / "configure").write_text(CONFIGURE)
    (folder / "configure").chmod(0o755)
    (folder / "CMakeLists.txt").write_text("message(FATAL_ERROR \"only for Windows\")\n")
    said = init(folder, "--", "echo", "it's  one", "$HOME")
    assert "takes compiler flags by an option (configure) works" in said, said
    assert not (folder / "Makefile").exists() and not (folder / "server").exists()
    script = (folder / "build.sh").read_text()
    assert "tried: it works" in script and os.access(folder / "build.sh", os.X_OK), script
    assert run(folder, "sh", "build.sh").endswith("it's  one $HOME\n")
    for name in ("build.sh", "vprofiler.json", "Makefile", "server"):
        os.unlink(folder / name)
    (folder / "configure").write_text("#!/bin/sh\necho no library >&2\nexit 1\n")
    said = init(folder)
    assert "tried in vain" in said and "no library" in said or "only for Windows" in said, said
    assert "was not built" in said and "answer_line" in said, said


def check_build_kinds(folder):
    for file in ("CMakeLists.txt", "meson.build", "configure.ac", "GNUmakefile", "none"):
        place = folder / file
        place.mkdir()
        (place / file).write_text("")
        said = init(place, "--no-build", "--", "echo", "it's  one", "$HOME")
        assert "no vprofiler.json" in said, said
        run(place, "sh", "-n", "build.sh")
        last = (place / "build.sh").read_text().strip().split("\n")[-1]
        assert run(place, "sh", "-c", last) == "it's  one $HOME\n", last
    unsaid = folder / "unsaid"
    unsaid.mkdir()
    init(unsaid)
    assert subprocess.run(["sh", "build.sh"], cwd=unsaid, capture_output=True).returncode == 1


def check_annotated(folder):
    make_server(folder)
    text = (folder / "server.c").read_text()
    (folder / "server.c").write_text("#include \"vprof_api.h\"\n" + text.replace(
        "    if (write(", "    SI_BEGIN(client);\n    SI_END(client);\n    if (write("))
    said = init(folder)
    assert "marked in the source (SI_BEGIN), in answer_line" in said, said
    assert not (folder / "vprofiler.json").exists(), said


def check_ready(folder):
    """Each of them is a declaration, and names what --help lists."""
    listed = re.search(r"--for PROGRAM.*?one of ([\w, ]+)", init(folder, "--help"), re.S)
    names = "nginx httpd redis memcached postgresql libuv libevent".split()
    assert listed is None or all(name in listed[0] for name in names), listed
    for name in names:
        place = folder / name
        place.mkdir()
        said = init(place, "--no-build", "--for", name)
        assert f"ready for {name}" in said, said
        assert json.loads((place / "vprofiler.json").read_text())["intervals"], said
        run(place, "sh", "-n", "build.sh")


def check_any_text(folder):
    """Whatever the files hold, it ends."""
    dice = random.Random(7)
    pieces = ['"', "'", "/*", "*/", "//", "\\", "\n", "{", "}", "(", ")", "=", "#", "while", "recv(",
              "struct ", "f", " ", "\0", "\xff", ";", "const"]
    for i in range(40):
        text = "".join(dice.choice(pieces) for _ in range(300))
        (folder / f"{i}.c").write_text(text, encoding="latin-1")
    (folder / "loop").symlink_to(".")
    (folder / "long.c").write_text("x" * 100000 + "(){while(1)recv(" + "y" * 1000 + "(")
    init(folder)


def main():
    checks = [check_way, check_renamed, check_servers, check_warnings, check_turn, check_left_turn, check_what_is_compiled,
              check_doubt, check_refuted, check_programs, check_no_server, check_overwrites_nothing, check_builds, check_build_kinds,
              check_annotated, check_ready, check_any_text]
    with concurrent.futures.ThreadPoolExecutor(3) as pool: # a trial waits more than it works
        return max(pool.map(lambda check: run_checks([check], new_folder), checks))


if __name__ == "__main__":
    sys.exit(main())
