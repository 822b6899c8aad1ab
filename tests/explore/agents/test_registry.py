"""Every registered explorer: it ends, it is repeatable, and its moves never fail."""

import os
import subprocess
import sys

import pytest

from tolman.core.errors import UnknownNameError
from tolman.explore.agents.registry import explorer_names, make_explorer, run_explorer
from tolman.explore.episode_files import episode_from_line, episode_to_line
from tolman.world import WorldSettings, generate


def test_the_five_are_there():
    assert {"oracle", "planner", "random", "scout", "strategist"} <= set(explorer_names())


def test_an_unknown_one_is_refused_with_the_list():
    with pytest.raises(UnknownNameError, match="strategist"):
        make_explorer("nobody", generate(0))


@pytest.mark.parametrize(
    ("name", "rooms"),
    [
        pytest.param(name, rooms, marks=pytest.mark.slow if (name, rooms) == ("planner", 6) else ())
        for name in explorer_names()
        for rooms in (2, 3, 6)
    ],
)
def test_it_ends_by_itself_and_never_stumbles(name: str, rooms: int):
    episode = run_explorer(name, generate(40, WorldSettings(rooms=rooms)), 40)
    assert episode.over
    assert not any(turn.forced for turn in episode.turns)
    if name != "planner":
        assert all(turn.failure is None for turn in episode.turns)


@pytest.mark.parametrize("name", explorer_names())
def test_it_replays_from_one_line_to_the_same_bytes(name: str):
    line = episode_to_line(run_explorer(name, generate(41), 41))
    assert episode_to_line(episode_from_line(line)) == line


def test_same_seed_same_bytes_whatever_the_hash_seed():
    code = (
        "from tolman.explore.agents.registry import run_explorer\n"
        "from tolman.explore.episode_files import episode_to_line\n"
        "from tolman.world import generate\n"
        f"for name in {explorer_names()!r}: print(episode_to_line(run_explorer(name, generate(42), 42)))"
    )
    lines = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for hash_seed in ("1", "2")
    ]
    assert len(lines[0]) == len(explorer_names())
    assert lines[0] == lines[1]


def test_random_explorers_differ_by_their_seed():
    scene = generate(43)
    assert run_explorer("random", scene, 1).turns != run_explorer("random", scene, 2).turns
