"""What is fetched from a public repository: the newest commit, and of it what is needed."""
import shutil
import subprocess


def git(*arguments):
    return subprocess.run(["git", *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def fetch(url, folder, parts=()):
    """`folder` holds the newest commit of `url`, of its folders only `parts` where any are named; returns
    the commit. What an earlier run fetched is kept."""
    mark = folder / ".fetched"
    if not mark.exists():
        shutil.rmtree(folder, ignore_errors=True)
        git("clone", "-q", "--depth", "1", "--no-checkout", url, folder)
        if parts:
            git("-C", folder, "sparse-checkout", "set", *parts)
        git("-C", folder, "checkout", "-q")
        mark.write_text(git("-C", folder, "rev-parse", "--short=10", "HEAD"))
    return mark.read_text()
