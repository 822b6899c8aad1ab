"""Same seed, same bytes: in any process; and every setting matters."""

import os
import subprocess
import sys
from dataclasses import fields, replace

import pytest
from hypothesis import given

from tests.strategies import roomy_settings, seeds
from tolman.core.errors import TolmanError
from tolman.world import WorldSettings, generate

OTHER_VALUES: dict[str, object] = {
    "rooms": 4,
    "room_size": (7, 6),
    "things_per_room": 3,
    "fronted_in_first_room": 0,
    "fronted_per_room": 4,
    "version": 2,
}
"""For each setting a value that is not the default."""


@given(seeds, roomy_settings())
def test_the_same_seed_makes_the_same_world(seed: int, settings: WorldSettings):
    assert generate(seed, settings).digest == generate(seed, replace(settings)).digest


@pytest.mark.parametrize("rooms", [1, 2, 3, 4, 5, 8])
def test_every_seed_makes_another_world(rooms: int):
    digests = {generate(seed, WorldSettings(rooms=rooms)).digest for seed in range(100)}
    assert len(digests) == 100


@pytest.mark.parametrize("name", [field.name for field in fields(WorldSettings)])
def test_every_setting_changes_the_world(name: str):
    settings = replace(WorldSettings(), **{name: OTHER_VALUES[name]})
    assert settings != WorldSettings()
    assert any(generate(seed).digest != generate(seed, settings).digest for seed in range(5))


@pytest.mark.parametrize("rooms", [2, 3, 4])
def test_a_seed_that_makes_no_world_is_refused(rooms: int):
    with pytest.raises(TolmanError, match="-1"):
        generate(-1, WorldSettings(rooms=rooms))


IN_A_FRESH_PROCESS = """
from tolman.explore.agents.registry import run_explorer
from tolman.world import WorldSettings, generate, perturb

for rooms in (1, 2, 3, 4, 7, 12):
    print(generate(11, WorldSettings(rooms=rooms, room_size=(7, 6))).digest)
scene = generate(2)
print(perturb(scene, 2).scene.digest)
for name in ("scout", "strategist"):
    print(name, *(turn.asked for turn in run_explorer(name, scene).turns))
"""


def output_with_hash_seed(seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", IN_A_FRESH_PROCESS]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_worlds_and_episodes_do_not_depend_on_the_hash_seed():
    first, second = output_with_hash_seed("1"), output_with_hash_seed("2024")
    assert first == second
    assert first.count("Actions: [") > 10
    assert generate(2).digest not in first, "the change was applied"
    assert generate(11, WorldSettings(rooms=7, room_size=(7, 6))).digest in first
