"""What is fetched from a public repository: the newest commit, and of it what is needed."""
import shutil
import subprocess


def run(*command):
    subprocess.run(["git", *map(str, command)], check=True, stdout=subprocess.DEVNULL)


def fetch(url, folder, parts=()):
    """`folder` holds the newest commit of `url`, of its folders only `parts` where any are named; returns
    the commit. What an earlier run fetched is kept."""
    if not (folder / ".fetched").exists():
        shutil.rmtree(folder, ignore_errors=True)
        run("clone", "-q", "--depth", "1", "--no-checkout", url, folder)
        if parts:
            run("-C", folder, "sparse-checkout", "set", *parts)
        run("-C", folder, "checkout", "-q")
        (folder / ".fetched").touch()
    commit = subprocess.run(["git", "-C", str(folder), "rev-parse", "--short=10", "HEAD"], check=True,
                            capture_output=True, text=True)
    return commit.stdout.strip()
