"""Checks that are run one after the other, so that one that fails does not hide the others."""
import contextlib
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "report"))
import check_report  # noqa: E402,F401


@contextlib.contextmanager
def new_folder():
    with tempfile.TemporaryDirectory() as name:
        yield pathlib.Path(name).resolve()


def run_checks(checks, around=contextlib.nullcontext):
    """Each gets what its own `around()` gives, if that is something. The exit status."""
    failed = 0
    for check in checks:
        with around() as given:
            try:
                check(*([] if given is None else [given]))
                print(check.__name__, "ok")
            except AssertionError as error:
                print(f"{check.__name__} FAILED: {error}")
                failed = 1
    return failed
