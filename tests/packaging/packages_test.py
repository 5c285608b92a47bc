#!/usr/bin/env python3
"""The Debian packages: what is in them, what they need; and programs outside the tree that use what
is installed, below a prefix that nothing was told of.

usage: packages_test.py BUILD_DIR
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import left_out  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = """#include <unistd.h>
#include "vprof_api.h"
static void work(long id) { usleep(id % 4 ? 200 : 3000); }
int main(void)
{
    for (long id = 0; id < 120; id++) {
        SI_BEGIN(id);
        work(id);
        SI_END(id);
    }
    return 0;
}
"""
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(outside C)
find_package(vprofiler 0.1 REQUIRED)
foreach(kind api runtime static)
  add_executable(${kind} main.c)
  target_link_libraries(${kind} PRIVATE vprofiler::${kind})
endforeach()
target_link_options(static PRIVATE -static)
"""
WANTED = {
    "libvprof1": ["lib/{arch}/libvprof.so.1", "share/doc/libvprof1/copyright"],
    "libvprof-dev": ["include/vprof_api.h", "lib/{arch}/libvprof.so", "lib/{arch}/libvprof.a",
                     "lib/{arch}/pkgconfig/vprof.pc", "lib/{arch}/pkgconfig/vprof-api.pc",
                     "lib/{arch}/pkgconfig/vprof-static.pc",
                     "lib/{arch}/cmake/vprofiler/vprofiler-config.cmake",
                     "share/doc/libvprof-dev/copyright"],
    "vprofiler-record": ["bin/vprofiler", "lib/{arch}/vprofiler/libvprof_wrap.so", "share/man/man1/vprofiler-iterate.1.gz", "share/vprofiler/sql/variance.sql",
                         "share/bash-completion/completions/vprofiler", "share/zsh/vendor-completions/_vprofiler",
                         "share/fish/vendor_completions.d/vprofiler.fish", "share/doc/vprofiler-record/copyright",
                         *(["share/man/man5/vprofiler-trace.5.gz"] if shutil.which("lowdown") else [])],
    "vprofiler": ["lib/{arch}/vprofiler/libvprof_record.so", "lib/{arch}/vprofiler/libvprof_clang.so",
                  "share/vprofiler/examples/toy/build.sh", "share/doc/vprofiler/copyright",
                  "share/doc/vprofiler/README.md"],
}
NEEDED = {"libvprof1": ["libc6"], "libvprof-dev": ["libvprof1 (= "],
          "vprofiler-record": ["libvprof1 (= ", "libjansson4", "libdw1", "libc6"],
          "vprofiler": ["vprofiler-record (= ", "libvprof-dev (= ", "libclang-common-", "libclang1-", "libc6"]}


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, **options)
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def check_contents(packages, arch):
    seen = {}
    for name, package in packages.items():
        lines = run("dpkg-deb", "-c", package).splitlines()
        files = [line.split()[5] for line in lines if not line.startswith("d")]
        for file in files:
            assert file not in seen, f"{file} is in {name} and {seen[file]}"
            seen[file] = name
        for file in WANTED[name]:
            assert "./usr/" + file.format(arch=arch) in files, f"{file} is not in {name}: {files}"
        needs = run("dpkg-deb", "-f", package, "Depends")
        for need in NEEDED[name]:
            assert need in needs, f"{name} does not depend on {need}: {needs}"
    needs = run("dpkg-deb", "-f", packages["vprofiler-record"], "Depends")
    assert "clang" not in needs and "llvm" not in needs.lower(), needs
    print(f"{len(packages)} packages, {len(seen)} files")


def check_lintian(packages):
    if not left_out.lacks("lintian", "lintian's opinion of the packages"):
        run("lintian", "--fail-on", "error,warning", "--tag-display-limit", "0", *packages.values())


def check_library(prefix, arch):
    library = prefix / "lib" / arch / "libvprof.so.1"
    assert re.search(r"SONAME.*\[libvprof\.so\.1\]", run("readelf", "-d", library))
    names = run("nm", "-D", "--defined-only", library).split()
    assert not names, f"libvprof.so.1 gives names to strangers: {names}"
    for file in prefix.rglob("*"):
        if file.is_file() and not file.is_symlink() and file.suffix != ".a":  # debug information
            found = [word for word in (BUILD, BUILD / "bin") if str(word).encode() in file.read_bytes()]
            assert not found, f"{file} knows the build folder"


def check_traced(program, folder):
    """Without a preload: the runtime is part of the program."""
    trace = folder / f"trace-{program.name}"
    trace.mkdir()
    run(program, env=dict(os.environ, VPROF_TRACE_DIR=str(trace)))
    assert list(trace.glob("*.vtr")), f"{program} left no trace"


def check_pkg_config(prefix, arch, folder):
    environment = dict(os.environ, PKG_CONFIG_PATH=str(prefix / "lib" / arch / "pkgconfig"),
                       LD_LIBRARY_PATH=str(prefix / "lib" / arch))
    for module, more in (("vprof-api", []), ("vprof", []), ("vprof-static", ["-static"])):
        flags = run("pkg-config", "--cflags", "--libs", module, env=environment).split()
        run("cc", "-o", folder / module, folder / "main.c", *flags, *more)
    os.environ["LD_LIBRARY_PATH"] = environment["LD_LIBRARY_PATH"]
    run(folder / "vprof-api")
    check_traced(folder / "vprof", folder)
    check_traced(folder / "vprof-static", folder)
    del os.environ["LD_LIBRARY_PATH"]


def check_find_package(prefix, folder):
    build = folder / "build"
    run("cmake", "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    run(build / "api")
    check_traced(build / "runtime", folder)
    check_traced(build / "static", folder)


def check_command(prefix, folder):
    """It finds its parts; the same with another name for it."""
    (folder / "build.sh").write_text("cc -g $VPROF_CFLAGS -c main.c && cc -o main main.o && ./main\n")
    link = folder / "vp"
    link.symlink_to(prefix / "bin/vprofiler")
    out = run(link, "iterate", "--build", "build.sh", "--auto", "--json", cwd=folder)
    assert json.loads(out)["factors"][0]["functions"] == ["usleep"], out
    assert (prefix / "share/vprofiler/examples/toy").is_dir()


def libraries_of(command, *words):
    """All that the dynamic linker maps, as it tells itself."""
    told = subprocess.run([command, *words], text=True, capture_output=True,
                          env=dict(os.environ, LD_DEBUG="files")).stderr
    return set(re.findall(r"file=(\S+) \[0\];  generating link map", told))


def check_small(prefix, folder):
    """What parses nothing maps no LLVM."""
    command = prefix / "bin/vprofiler"
    for words in (["--help"], ["report", "--help"], ["show", "usleep", folder / "vprofiler-out"],
                  ["compare", "--json", folder / "vprofiler-out", folder / "vprofiler-out"]):
        mapped = libraries_of(command, *words)
        assert any("libjansson" in name for name in mapped), mapped
        large = [name for name in mapped if re.search("clang|LLVM", name)]
        assert not large, f"{words} maps {large}"


def check_alone(packages, work):
    """vprofiler-record on a machine that has not got the rest: recording and looking work, what
    would parse says what to install before it does anything."""
    for name in ("libvprof1", "vprofiler-record"):
        run("dpkg-deb", "-x", packages[name], work / "alone")
    command, folder = work / "alone/usr/bin/vprofiler", work / "recorded"
    folder.mkdir()
    (folder / "main.c").write_text(PROGRAM)
    run("cc", f"-I{work}/unpacked/usr/include", "-o", "main", "main.c", cwd=folder)
    out = run(command, "record", "--json", "--", "./main", cwd=folder)
    assert json.loads(out)["intervals"]["count"] == 120, out
    run(command, "report", "vprofiler-out", cwd=folder)
    doctor = subprocess.run([command, "doctor"], cwd=folder, text=True, capture_output=True)
    assert "vprofiler-record" in doctor.stdout and "MEND  par" not in doctor.stdout, doctor
    (folder / "build.sh").write_text("touch built\n")
    (folder / "compile_commands.json").write_text("[]")
    for words in (["iterate", "--build", "build.sh"], ["init"], ["rewrite"], ["demo"]):
        done = subprocess.run([command, *words], cwd=folder, text=True, capture_output=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 1 and "Install vprofiler." in done.stderr, f"{words}: {done}"
    assert not (folder / "built").exists() and not (folder / "vprofiler-demo").exists()


def check_parser_faults(prefix, arch, work):
    """A module that does not load, and one of another build: said before anything is built."""
    shutil.copytree(prefix, work / "faulty", symlinks=True)
    module, folder = work / "faulty/lib" / arch / "vprofiler/libvprof_clang.so", work / "faulty-run"
    folder.mkdir()
    (folder / "build.sh").write_text("touch built\n")
    (folder / "other.c").write_text('const struct { const char *code; void *f[2]; } parser_clang = {"other", {0, 0}};\n')
    module.write_text("no library\n")
    for fault in ("can't be loaded: ", "of another build"):
        done = subprocess.run([work / "faulty/bin/vprofiler", "iterate", "--build", "build.sh"], cwd=folder, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 1 and fault in done.stderr and not (folder / "built").exists(), done
        run("cc", "-shared", "-fPIC", "-o", module, folder / "other.c")


def use(prefix, arch):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        (folder / "main.c").write_text(PROGRAM)
        (folder / "CMakeLists.txt").write_text(CMAKE)
        check_pkg_config(prefix, arch, folder)
        check_find_package(prefix, folder)
        check_command(prefix, folder)
        check_small(prefix, folder)


def main():
    tools = {"cpack": "cmake", "dpkg-deb": "dpkg", "dpkg-shlibdeps": "dpkg-dev", "file": "file", "pkg-config": "pkg-config",
             "readelf": "binutils"}
    if any([left_out.lacks(tool, "the Debian packages", package) for tool, package in tools.items()]):
        return left_out.SKIPPED
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name).resolve()
        run("cpack", "-G", "DEB", "-B", work / "packages", cwd=BUILD)
        packages = {file.name.split("_")[0]: file for file in (work / "packages").glob("*.deb")}
        assert sorted(packages) == sorted(WANTED), packages
        arch = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
        check_contents(packages, arch)
        check_lintian(packages)
        for package in packages.values():
            run("dpkg-deb", "-x", package, work / "unpacked")
        check_library(work / "unpacked/usr", arch)
        use(work / "unpacked/usr", arch)
        check_alone(packages, work)
        check_parser_faults(work / "unpacked/usr", arch, work)
        run("cmake", "--install", BUILD, "--prefix", "/opt/somewhere",
            env=dict(os.environ, DESTDIR=str(work / "staged")))
        (work / "staged/opt/somewhere").rename(work / "moved")
        use(work / "moved", arch)
    print("2 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
