"""Debian's source packages: unpacked and patched, without touching the machine's own apt lists."""
import os
import pathlib
import re
import subprocess


def run(command, **more):
    return subprocess.run(command, check=True, text=True, capture_output=True, **more).stdout


def need(packages):
    """Install the binary packages that are missing."""
    missing = [p for p in packages
               if subprocess.run(["dpkg", "-s", p], capture_output=True).returncode != 0]
    if missing:
        run(["apt-get", "-qy", "--no-install-recommends", "install", *missing],
            env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"))


def apt_options(folder):
    lists = folder / "apt"
    for name in ("parts", "lists/partial"):
        (lists / name).mkdir(parents=True, exist_ok=True)
    sources = pathlib.Path("/etc/apt/sources.list.d/debian.sources").read_text()
    (lists / "parts" / "src.sources").write_text(sources.replace("Types: deb\n", "Types: deb-src\n"))
    options = ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={lists}/parts",
               "-o", f"Dir::State::lists={lists}/lists", "-o", "APT::Sandbox::User=root"]
    if not list((lists / "lists").glob("*Sources*")):
        run(["apt-get", *options, "-q", "update"])
    return options


def fetch(package, folder):
    """The tree's folder, and its version. A mirror may list a version that it no longer holds."""
    tree, mark = folder / "tree", folder / "version"
    if mark.exists():
        return tree, mark.read_text()
    need(["dpkg-dev"])
    options = apt_options(folder)
    listed = re.findall(r"^Version: (\S+)", run(["apt-cache", *options, "showsrc", package]), re.M)
    error = f"no version of {package} is listed"
    for version in reversed(listed):
        try:
            run(["apt-get", *options, "-q", "--download-only", "source", f"{package}={version}"],
                cwd=folder)
        except subprocess.CalledProcessError as failed:
            error = failed.stderr
            continue
        dsc = next(folder.glob(f"*_{version.split(':')[-1]}.dsc"))
        run(["dpkg-source", "--no-check", "-x", str(dsc), str(tree)], cwd=folder)
        mark.write_text(version)
        return tree, version
    raise SystemExit(f"{package} can't be fetched: {error}")
