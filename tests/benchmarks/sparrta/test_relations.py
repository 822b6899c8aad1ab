"""Labels: on the authors' own files, and unchanged wherever the scene lies and however it is turned."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.benchmarks.sparrta.dataset.files import params_json, read_params
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, RELATIONS, TRIPLES, Ground, bearing, relation
from tolman.core.errors import SceneFileError

RELEASED = Path(__file__).resolve().parents[4] / "shared" / "published" / "sparrta"
FILES = sorted(RELEASED.glob("params_*.json")) if RELEASED.is_dir() else []
grounds = st.tuples(st.floats(-50, 50), st.floats(-50, 50))


@pytest.mark.parametrize(
    ("target", "word"), [((0, 9), "front"), ((0, 3), "back"), ((-4, 5), "left"), ((4, 5), "right")]
)
def test_the_four_relations(target: Ground, word: str):
    assert relation((0, 0), (0, 5), target) == word


@pytest.mark.parametrize("angle", [30.0, 45.0, 60.0, 120.0, 135.0, 150.0])
def test_near_a_diagonal_nothing_is_said(angle: float):
    way = math.sin(math.radians(angle)), 5 + math.cos(math.radians(angle))
    assert relation((0, 0), (0, 5), way, ambiguity=15.0001) is None
    assert relation((0, 0), (0, 5), way, ambiguity=0.0) is not None or angle in (45.0, 135.0)


@given(grounds, grounds, grounds, st.floats(0, 360), grounds)
def test_neither_a_turn_nor_a_shift_changes_a_relation(
    viewpoint: Ground, source: Ground, target: Ground, angle: float, shift: Ground
):
    sin, cos = math.sin(math.radians(angle)), math.cos(math.radians(angle))

    def moved(at: Ground) -> Ground:
        return at[0] * cos - at[1] * sin + shift[0], at[0] * sin + at[1] * cos + shift[1]

    before, after = bearing(viewpoint, source, target), bearing(*map(moved, (viewpoint, source, target)))
    far = min(math.dist(viewpoint, source), math.dist(source, target))
    if before is not None and after is not None and far > 0.1:
        assert math.isclose((before - after + 180) % 360, 180, abs_tol=1e-6)


@given(grounds, grounds, grounds)
def test_a_mirror_exchanges_left_and_right_only(viewpoint: Ground, source: Ground, target: Ground):
    seen = relation(viewpoint, source, target)
    v, s, t = ((-x, y) for x, y in (viewpoint, source, target))
    mirrored = relation(v, s, t)
    assert mirrored == {"left": "right", "right": "left"}.get(str(seen), seen)


def test_there_are_fifteen_triples():
    assert len({triple.name for triple in TRIPLES}) == 15
    assert {triple.environment for triple in TRIPLES} == set(ENVIRONMENTS)


def released_relation(viewpoint: dict[str, float], source: dict[str, float], target: dict[str, float]) -> str | None:
    """The paper's formula on the coordinates of the file, its x turned round."""
    v, s, t = ((-at["x"], at["y"]) for at in (viewpoint, source, target))
    f, r = (s[0] - v[0], s[1] - v[1]), (t[0] - s[0], t[1] - s[1])
    angle = math.degrees(math.atan2(f[0] * r[1] - f[1] * r[0], f[0] * r[0] + f[1] * r[1]))
    if 30 <= abs(angle) <= 60 or 120 <= abs(angle) <= 150:
        return None
    word = "front" if abs(angle) < 45 else "back" if abs(angle) > 135 else "left" if angle > 0 else "right"
    assert word in RELATIONS
    return word


@pytest.mark.skipif(not FILES, reason="needs the authors' files")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_authors_files_are_labelled_as_they_label_them(path: Path, tmp_path: Path):
    sample, stored = read_params(path), json.loads(path.read_text())
    at = {actor["label"]: actor["location"] for actor in stored["actors"].values()}
    viewpoints = {"ego": stored["camera"]["location"], "allo": at["Human 1"]}
    for viewpoint, place in viewpoints.items():
        assert sample.relation(viewpoint) == released_relation(place, at["Rock"], at["Truck"])  # pyright: ignore[reportArgumentType]
    again = tmp_path / path.name
    again.write_bytes(params_json(sample))
    back = read_params(again)
    for one, other in zip(sample.actors, back.actors, strict=True):
        assert (one.x, one.y, one.z) == pytest.approx((other.x, other.y, other.z))
        assert one.heading == pytest.approx(other.heading)


def test_a_file_that_is_none_is_refused_in_one_sentence(tmp_path: Path):
    file = tmp_path / "params_0000.json"
    file.write_text('{"environment": "desert", "triple_id": "moon_1"}')
    with pytest.raises(SceneFileError, match="does not describe a sample"):
        read_params(file)
