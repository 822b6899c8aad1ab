"""`tolman make sparrta`: real pictures, small ones, of one variant of the desert."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.benchmarks.sparrta.painted_scenes import painted
from tests.benchmarks.sparrta.placement_violations import violations
from tests.command_line import ended, kill, started, still_at_work
from tests.render.tiny_pictures import digests
from tolman.benchmarks.sparrta.dataset.files import read_params, read_set
from tolman.benchmarks.sparrta.dataset.make import PicturePlan, make_pictures, read_truth
from tolman.benchmarks.sparrta.sample import ROLES, VIEWPOINTS, triple_of
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.core.errors import SceneFileError, SettingsError

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")
TRIPLE = triple_of("desert", 3)
RULES = PlacementRules(balanced=True)


def plan(*indices: int, size: int = 48) -> PicturePlan:
    return PicturePlan((TRIPLE,), indices, size, RULES, "draft", "built-in", variants=1)


def quietly(done: int, total: int) -> None:
    """Tell nobody how far it has come."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("set")
    told: list[tuple[int, int]] = []
    make_pictures(plan(0, 1, 5), out, lambda done, total: told.append((done, total)))
    assert told[0] == (0, 3)
    assert told[-1] == (3, 3)
    return out


def test_a_set_keeps_its_rules_by_its_files(made: Path):
    pictures = list(read_set(made))
    assert [picture.sample.index for picture in pictures] == [0, 1, 5]
    for picture in pictures:
        assert picture.truth is not None
        assert picture.ids is not None
        truth = read_truth(picture.truth)
        with Image.open(picture.ids) as ids:
            assert violations(truth, np.asarray(ids), RULES) == []
        wanted = RULES.wanted(picture.sample.index)
        assert {view: picture.sample.relation(view) for view in VIEWPOINTS} == wanted
        assert {view: truth["labels"][view]["relation"] for view in VIEWPOINTS} == wanted
        assert picture.rgb.shape == (48, 48, 3)
        assert picture.rgb.std() > 5
        for role in ROLES:
            mask = picture.mask(role)
            assert mask is not None
            assert mask.sum() == truth["actors"][role]["pixels"]


def test_a_broken_rule_is_found(made: Path):
    picture = next(read_set(made))
    assert picture.truth is not None
    assert picture.ids is not None
    truth = json.loads(picture.truth.read_text())
    with Image.open(picture.ids) as opened:
        ids = np.array(opened)
    hidden = np.where(ids == 3, 0, ids)
    assert violations(truth, hidden, RULES) == ["visibility"]
    at_the_edge = ids.copy()
    at_the_edge[0, 0] = 1
    assert violations(truth, at_the_edge, RULES) == ["frame"]
    source, target = truth["actors"]["source"], truth["actors"]["target"]
    onto = {**truth, "actors": {**truth["actors"], "target": {**target, "box": source["box"]}}}
    assert violations(onto, ids, RULES) == ["overlap"]
    away = {**target, "at": [target["at"][0] + 50, *target["at"][1:]]}
    assert "distance" in violations({**truth, "actors": {**truth["actors"], "target": away}}, ids, RULES)
    assert "ambiguity" in violations(truth, ids, PlacementRules(ambiguity=44.9))


def test_a_picture_is_the_same_whatever_else_is_made(made: Path, tmp_path: Path):
    make_pictures(plan(5), tmp_path, quietly)
    alone, all_of_them = digests(tmp_path), digests(made)
    names = [name for name in alone if "00005" in name]
    assert len(names) == 5
    assert {name: alone[name] for name in names} == {name: all_of_them[name] for name in names}
    for file in tmp_path.rglob("*00005*"):
        file.unlink()
    make_pictures(plan(1, 5), tmp_path, quietly)
    again = digests(tmp_path)
    assert {name: again[name] for name in names} == {name: all_of_them[name] for name in names}


def test_the_table_lists_every_picture(made: Path):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(made / "index.parquet").to_pylist()
    assert [row["index"] for row in rows] == [0, 1, 5]
    for row in rows:
        sample = read_params(made / row["params"])
        assert (row["ego"], row["allo"]) == (sample.relation("ego"), sample.relation("allo"))
        assert (row["source_x"], row["camera_z"]) == pytest.approx((sample.source.x, sample.camera.z))
        assert (made / row["image"]).is_file()


def test_other_settings_do_not_mix(made: Path):
    with pytest.raises(SettingsError, match="other settings"):
        make_pictures(plan(0, size=56), made, quietly)


def test_pictures_of_others_are_never_written_over(tmp_path: Path):
    theirs = painted(tmp_path, 1, "desert", 2) / "desert_2" / "mid-objects" / "params_0000.json"
    before = theirs.read_bytes()
    with pytest.raises(SettingsError, match="not made by this command"):
        make_pictures(plan(0), tmp_path, quietly)
    assert theirs.read_bytes() == before
    assert not (tmp_path / "made-with.json").exists()


def test_what_is_no_set_is_told(tmp_path: Path):
    with pytest.raises(SceneFileError, match="tolman make sparrta"):
        list(read_set(tmp_path))
    with pytest.raises(SettingsError, match="0-4999"):
        plan()


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on(tmp_path: Path):
    command = ("make", "sparrta", "--environment", "desert", "--triple", "2", "--images", "0-3", "--size", "48")
    command = (*command, "--preset", "draft", "--assets", "built-in", "--out")
    for after, out in ((3, tmp_path / "a"), (8, tmp_path / "b"), (99, tmp_path / "whole")):
        process = started(*command, out)
        still_at_work(process, lambda out=out, after=after: sum(f.is_file() for f in out.rglob("*0000*")) >= after)
        kill(process)
    for out in (tmp_path / "a", tmp_path / "b"):
        process = started(*command, out)
        _, err = ended(process)
        assert process.returncode == 0, err
        assert digests(out) == digests(tmp_path / "whole")
