#!/usr/bin/env python3
"""`vprofiler stacks` of programs whose author's functions are not those of a file: it says so, and how to see them.

usage: languages_test.py VPROFILER
"""
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import left_out  # noqa: E402
from watched import Place, run_all  # noqa: E402

PLACE = Place(sys.argv[1])


def write(name, text):
    path = PLACE.home / name
    path.write_text(text)
    return path


def test_python():
    script = write("app.py", "import time\ndef hot(n):\n    return sum(i * i % 7 for i in range(n))\n"
                             "end = time.monotonic() + 2\nwhile time.monotonic() < end:\n    hot(10000)\n")
    seen = PLACE.run([shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable, script])
    assert seen.said["interpreter"].startswith(("python", "libpython")) and "interpreter" in seen.said["interpreter"], seen.said
    assert seen.whole() > 0.95, (seen.tree.found["cut"], seen.tree.found["samples"])
    assert any("EvalFrame" in name for name in seen.names()), seen.names()


def part_of(seen, text):
    """Of what ran: below functions whose names have the text; one may have been inlined into another one."""
    nodes = seen.tree.nodes
    ran = sum(nodes[n]["own"]["ran_ns"] for n in range(1, len(nodes)) if any(text in name for name in seen.tree.path(n)))
    return ran / nodes[0]["total"]["ran_ns"]


NODE = """
function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += (i * i) % 7; return s; }
function outer() { let s = 0; for (let i = 0; i < 50; i++) s += hot(20000 + i); return s; }
let s = 0;
for (const end = Date.now() + 2500; Date.now() < end;) s += outer();
console.log(s);
"""


def test_node():
    if left_out.lacks("node", "stacks of node", "nodejs"):
        return
    script = write("app.js", NODE)
    seen = PLACE.run(["node", script])
    assert "--perf-basic-prof" in seen.said["generated-code"] and "[generated code]" in seen.names(), seen.said
    seen = PLACE.run(["node", "--perf-basic-prof", script])
    hot = [name for name in seen.names() if "app.js" in name]
    named = part_of(seen, "app.js")
    print(f"  {hot}: {100 * named:.0f} % of what ran; {seen.tree.found['cut']} cut of {seen.tree.found['samples']}")
    assert hot and named > 0.5 and "generated-code" not in seen.said, (seen.said, seen.names())
    assert seen.whole() > 0.9, (seen.tree.found["cut"], seen.tree.found["samples"])


JAVA = """
public class App {
    static long hot(int n) { long s = 0; for (int i = 0; i < n; i++) s += (long) i * i % 7; return s; }
    public static void main(String[] words) {
        long s = 0;
        for (long end = System.currentTimeMillis() + 2500; System.currentTimeMillis() < end;) s += hot(20000);
        System.out.println(s);
    }
}
"""


def test_java():
    if left_out.lacks("javac", "stacks of java", "default-jdk-headless"):
        return
    source = write("App.java", JAVA)
    if subprocess.run(["javac", "-d", PLACE.home, source], capture_output=True, check=False).returncode:
        return left_out.say("stacks of java", apt=["default-jdk-headless"])
    seen = PLACE.run(["java", "-cp", PLACE.home, "App"])
    assert "DumpPerfMapAtExit" in seen.said["generated-code"], seen.said
    options = ["-XX:+PreserveFramePointer", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit"]
    tried = subprocess.run(["java", *options, "-version"], capture_output=True, check=False)
    if tried.returncode:
        return left_out.say("names of java's functions", how="java from version 17 on")
    seen = PLACE.run(["java", *options, "-cp", PLACE.home, "App"])
    hot = [name for name in seen.names() if "App" in name]
    named = part_of(seen, "App")
    print(f"  {hot}: {100 * named:.0f} % of what ran; {seen.tree.found['cut']} cut of {seen.tree.found['samples']}")
    assert hot and named > 0.3, (seen.said, seen.names())


def test_luajit():
    if left_out.lacks("luajit", "stacks of luajit"):
        return
    script = write("app.lua", "local function hot(n) local s = 0 for i = 1, n do s = s + i * i % 7 end return s end\n"
                              "local e = os.clock() + 2 while os.clock() < e do hot(100000) end\n")
    seen = PLACE.run(["luajit", script])
    assert "generated-code" in seen.said or "interpreter" in seen.said, seen.said


def names_written():
    return set(pathlib.Path("/tmp").glob("perf-*.map"))


if __name__ == "__main__":
    before = names_written()
    run_all({k: v for k, v in globals().items() if len(sys.argv) < 3 or k in sys.argv[2:]})
    for path in names_written() - before:
        path.unlink(missing_ok=True)
    print("what other languages' functions are is said")
