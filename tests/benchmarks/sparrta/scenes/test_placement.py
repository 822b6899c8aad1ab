"""Where actors and cameras go, on ground that is a plane or a hill, without any picture."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.sample import ROLES, VIEWPOINTS, Role, triple_of
from tolman.benchmarks.sparrta.scenes.placement import Candidate, Footing, PlacementRules, candidates, footing
from tolman.core.seeds import rng
from tolman.render.environments.environment import BuiltEnvironment, Weather
from tolman.render.environments.terrain import Noise
from tolman.render.shapes.mesh import Asset, Material
from tolman.render.shapes.solids import box

GREY = Material((0.5, 0.5, 0.5))
LAND = Noise(1, "hills")
HILLS = BuiltEnvironment((), lambda x, y: 3 * LAND(x, y, 20.0), Weather((30, 60), (0, 1), (0, 1)), 500.0)
BOXES: dict[Role, tuple[str, tuple[float, float, float]]] = {
    "source": ("rock", (1.5, 1.2, 1.0)),
    "target": ("truck", (2.5, 6.0, 3.0)),
    "human": ("human", (0.6, 0.5, 1.8)),
}
FOOTINGS: dict[Role, Footing] = {
    role: footing(kind, Asset((box(size, (0, 0, 0), GREY),))) for role, (kind, size) in BOXES.items()
}
TRIPLE = triple_of("desert", 1)


def drawn(seed: int, rules: PlacementRules, setting: BuiltEnvironment = HILLS) -> list[Candidate]:
    found = (
        candidate
        for attempt in range(400)
        for candidate in candidates(TRIPLE, seed, setting, FOOTINGS, rules, rng(seed, attempt))
    )
    return [candidate for candidate, _ in zip(found, range(6), strict=False)]


@given(st.integers(0, 2**20))
def test_candidates_keep_the_rules(seed: int):
    rules = PlacementRules()
    for candidate in drawn(seed, rules)[:2]:
        sample = candidate.sample
        for a, b in combinations(sample.actors, 2):
            assert math.dist(a.ground, b.ground) <= rules.farthest
        boxes = [
            FOOTINGS[role].corners @ candidate.poses[role][:, :3].T + candidate.poses[role][:, 3] for role in ROLES
        ]
        for a, b in combinations(boxes, 2):
            gaps = np.maximum(a.min(axis=0) - b.max(axis=0), b.min(axis=0) - a.max(axis=0))
            assert gaps.max() >= rules.gap - 1e-9
        columns, rows, ahead = candidate.camera(224).pixels(np.concatenate(boxes)).T
        assert ((columns > 0) & (columns < 224) & (rows > 0) & (rows < 224) & (ahead > 0)).all()
        assert all(sample.relation(view) is not None for view in VIEWPOINTS)
        camera = sample.camera
        assert camera.z > HILLS.height(np.array([camera.x]), np.array([camera.y]))[0]
        assert max(abs(camera.x - camera.looks_at[0]), abs(camera.y - camera.looks_at[1])) <= rules.reach


def test_relations_take_turns_where_that_is_asked():
    rules = PlacementRules(balanced=True)
    wanted = [tuple(rules.wanted(index).values()) for index in range(32)]
    assert sorted(wanted[:16]) == sorted(wanted[16:])
    assert len(set(wanted)) == 16
    for index in (3, 9):
        for candidate in drawn(index, rules):
            assert {view: candidate.sample.relation(view) for view in VIEWPOINTS} == rules.wanted(index)


def test_nothing_stands_in_a_trunk_or_where_it_may_not():
    trunks = np.array([[x, y, 0.5] for x in range(-20, 21, 4) for y in range(-20, 21, 4)], np.float32)
    narrow = BuiltEnvironment((), HILLS.height, HILLS.weather, 500.0, trunks, actor_allowed=lambda x, _: np.abs(x) < 6)
    for candidate in drawn(5, PlacementRules(), narrow):
        for role in ROLES:
            corners = FOOTINGS[role].corners @ candidate.poses[role][:, :3].T + candidate.poses[role][:, 3]
            low, high = corners[:, :2].min(axis=0), corners[:, :2].max(axis=0)
            assert (np.abs(corners[:, 0]) < 6).all()
            near = np.clip(trunks[:, :2], low, high) - trunks[:, :2]
            assert (np.hypot(*near.T) > 0.5).all()


@pytest.mark.parametrize("heading", [0.0, 70.0, 200.0])
def test_a_truck_leans_with_a_slope_and_a_human_does_not(heading: float):
    def slope(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
        return 0.2 * x - 0.1 * y + 1

    cases: tuple[tuple[Role, float], ...] = (("target", 0.976), ("human", 1.0))
    for role, lean in cases:
        pose = FOOTINGS[role].pose(3.0, 4.0, heading, slope)
        assert pose[2, 2] == pytest.approx(lean, abs=1e-3)
        np.testing.assert_allclose(pose[:, :3] @ pose[:, :3].T, np.eye(3), atol=1e-9)
        ahead = pose[:, :3] @ np.array([0.0, 1.0, 0.0])
        assert math.degrees(math.atan2(ahead[0], ahead[1])) % 360 == pytest.approx(heading, abs=2)
        feet = FOOTINGS[role].base @ pose[:, :3].T + pose[:, 3]
        assert (feet[:, 2] <= slope(feet[:, 0], feet[:, 1]) + 1e-6).all()  # nothing floats
