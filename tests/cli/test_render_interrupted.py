"""`tolman render` may be killed at any moment: nothing is broken, and the next run finishes what is left."""

import importlib.util
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.command_line import ended, kill, started, still_at_work
from tests.render.tiny_pictures import ARGUMENTS, digests
from tolman.cli.render import render

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")

LARGER = (
    *("render", "--scenes", "0-1", "--rooms", "2", "--things", "2", "--size", "48", "--preset", "draft"),
    *("--assets", "built-in", "--layout", "published"),
)


def finished(arguments: tuple[str, ...], out: Path) -> float:
    """Run to the end, in this process where that is quick; returns the seconds that took."""
    begin = time.monotonic()
    if arguments is ARGUMENTS:
        render(out=out, rooms=1, things=1, views="ego", size=16, preset="draft", assets="built-in")
    else:
        process = started(*arguments, "--out", out)
        _, err = ended(process, 300)
        assert process.returncode == 0, err
    return time.monotonic() - begin


def killed(arguments: tuple[str, ...], out: Path, after: int) -> bool:
    """Start, and kill it with all its workers as soon as so many files are there. Whether it was still at work."""
    process = started(*arguments, "--out", out)
    caught = still_at_work(process, lambda: sum(file.is_file() for file in out.rglob("*")) >= after)
    kill(process)
    return caught


def check_whole(out: Path, unbroken: dict[str, str]) -> None:
    """Every file that has its name is as it must be in the end, and every picture opens."""
    for name, digest in digests(out).items():
        if not Path(name).name.startswith(".unfinished"):
            assert digest == unbroken[name], name
    for file in out.rglob("*.png"):
        with Image.open(file) as picture:
            picture.load()


@pytest.mark.parametrize(
    ("arguments", "kills"),
    [
        pytest.param(ARGUMENTS, 1, id="tiny"),
        pytest.param((*LARGER, "--workers", "1"), 6, id="larger", marks=pytest.mark.slow),
        pytest.param((*LARGER, "--workers", "2"), 6, id="two workers", marks=pytest.mark.slow),
    ],
)
def test_what_was_killed_is_finished_as_if_it_had_not_been(arguments: tuple[str, ...], kills: int, tmp_path: Path):
    seconds = finished(arguments, tmp_path / "unbroken")
    unbroken = digests(tmp_path / "unbroken")
    moments = sorted(np.random.default_rng().integers(1, len(unbroken) - 1, kills).tolist())
    caught = 0
    for moment in moments:
        caught += killed(arguments, tmp_path / "broken", moment)
        check_whole(tmp_path / "broken", unbroken)
    finished(arguments, tmp_path / "broken")
    print(f"{caught} kills at {moments} of {len(unbroken)} files, unbroken in {seconds:.1f} s")  # noqa: T201
    assert caught
    assert digests(tmp_path / "broken") == unbroken
