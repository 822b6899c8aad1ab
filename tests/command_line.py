"""The command line as a user runs it, and the same in this process, which saves the time of starting."""

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from tolman.cli import main

TOLMAN = Path(sys.executable).with_name("tolman")
Here = Callable[..., "subprocess.CompletedProcess[str]"]
"""What the fixture `here` gives."""
PATIENCE = 120.0
"""Seconds after which a process that was waited for is given up."""


def tolman(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([TOLMAN, *arguments], capture_output=True, text=True, check=False)


def called_here(capture: pytest.CaptureFixture[str], *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """What the command's own entry prints and ends with."""
    capture.readouterr()
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Cyclopts application invoked without tokens")
        patch.setattr(sys, "argv", ["tolman", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
    out, err = capture.readouterr()
    return subprocess.CompletedProcess(arguments, int(str(end.value.code or 0)), out, err)


def started(*arguments: str | Path) -> "subprocess.Popen[str]":
    """The command line in a session of its own, so that it can be killed with all its workers."""
    return subprocess.Popen(
        [TOLMAN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def still_at_work(process: "subprocess.Popen[str]", when: Callable[[], bool]) -> bool:
    """Wait until something is so, or the process is over. Whether it is still at work then."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and not when():
        if time.monotonic() > deadline:
            _give_up(process)
        time.sleep(0.005)
    return process.poll() is None


def ended(process: "subprocess.Popen[str]", seconds: float = PATIENCE) -> tuple[str, str]:
    """What it printed and what it complained of, once it is over."""
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _give_up(process)


def kill(process: "subprocess.Popen[str]") -> None:
    """At once, with all its workers; one that is over is left alone."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _give_up(process: "subprocess.Popen[str]") -> NoReturn:
    os.killpg(process.pid, signal.SIGKILL)
    out, err = process.communicate()
    pytest.fail(f"it took too long, and printed\n{out[-2000:]}\n{err[-2000:]}")
