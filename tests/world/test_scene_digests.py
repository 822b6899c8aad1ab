"""Digests of a few worlds, as they were when the recipe was settled.

A change here is a breaking change: every seed would make another world, and results from before could not be set
beside results from after. Do not update these numbers to make the test pass; give the new recipe a new name.
"""

import pytest

from tolman.world import WorldSettings, generate, perturb

GOLDEN = [
    (0, WorldSettings(), "7f1c658468a315a6adee5566133aee7347bbc2ba77878b7e44959b93998c88c7"),
    (7, WorldSettings(), "09d0e44aa1604a37b247ebaf821bc66c35d5b3fc9e12acc4d98d914fc15b6137"),
    (0, WorldSettings(rooms=1), "8a22e0961f6185e06fa0667142ea8179599e2523d0cad7300adac1b6d54c8fad"),
    (0, WorldSettings(rooms=2), "7d614b1837c17f69152131324f873292076f8b9488919e12d0eaf6c1937836ec"),
    (0, WorldSettings(rooms=4), "d2f3641051c599e646d75538860cf9104dbaf65f3827d4b72be24d88d2cd7bf7"),
    (0, WorldSettings(rooms=12), "0f8b343e0a27b84f411fc9ffd81cd6f281b0144f6e79ff2bcb0bc22d072ca7ce"),
    (
        3,
        WorldSettings(rooms=5, room_size=(8, 7), things_per_room=6),
        "a73a5a5d18e7f05a7e51711bbf03ff1483f93c756394fa5a0d59dbc42e00efc5",
    ),
]


@pytest.mark.parametrize(("seed", "settings", "digest"), GOLDEN)
def test_a_seed_makes_the_world_it_always_made(seed: int, settings: WorldSettings, digest: str):
    assert generate(seed, settings).digest == digest


def test_a_seed_makes_the_change_it_always_made():
    changed = perturb(generate(0), 0)
    assert changed.scene.digest == "19a012bbab28758fd93f35ddb51ff45342f1c50370270557c29efbbafa1d2e38"
