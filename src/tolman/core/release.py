"""Which Tolman runs: its version, and the commit of its checkout, if it runs from one."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

from tolman import __version__

_SOURCE = Path(__file__).parents[3]
"""The checkout, if there is one; in an installed package something else, which holds no `.git`."""
_DESCRIBE = ("describe", "--always", "--exclude", "*", "--abbrev=12", "--dirty=+changes")


def release(version: str = "", commit: str | None = None) -> str:
    """A version in words, such as `Tolman 0.1.0 at commit d8caee6`; unless given, that of the running program."""
    at = own_commit() if commit is None else commit
    return f"Tolman {version or __version__}" + (f" at commit {at}" if at else "")


@cache
def own_commit() -> str:
    """The commit from which Tolman runs, with `+changes` where its files differ; empty if it is not in a checkout."""
    git = shutil.which("git")
    if git is None or not (_SOURCE / ".git").exists():
        return ""
    command = [git, "-C", str(_SOURCE), *_DESCRIBE]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 the arguments are fixed
    return run.stdout.strip() if run.returncode == 0 else ""
