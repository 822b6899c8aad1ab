"""What was rendered ahead of time is not rendered again."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from tests.render.tiny_pictures import JOB, SCENE, rendered
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.picture_marks import ViewPicture
from tolman.benchmarks.theory_of_space.protocol.pictures import PictureRenderer, check_renderer
from tolman.core.errors import RenderError
from tolman.core.geometry import Heading
from tolman.render.stored_pictures import FOLDERS_VARIABLE, find_prerendered, prerendered_folders
from tolman.render.views import shots

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")

OPTIONS = Options(world="vision", image_size=JOB.size, preset=JOB.preset, assets=JOB.assets)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "pictures"
    rendered(folder)
    return folder


@pytest.fixture
def pictures(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made, tmp_path / "pictures")
    monkeypatch.setenv(FOLDERS_VARIABLE, str(tmp_path / "pictures"))
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "pictures"


def test_an_evaluation_takes_pictures_from_the_folder(pictures: Path, tmp_path: Path):
    check_renderer(OPTIONS)
    room = PictureRenderer(Case("0", 0, SCENE, None, ()), OPTIONS)
    for shot in shots(SCENE, JOB):
        pose = SCENE.pose_at(shot.standing_on, Heading[shot.heading.upper()])
        png = room.png(ViewPicture("explore", pose.cell, pose.heading))
        assert png == shot.files(pictures / "00000")["rgb"].read_bytes()
    assert not (tmp_path / "cache").exists()
    assert room.made_with()["engine of pictures made ahead"] == room.made_with()["engine"]
    other = PictureRenderer(Case("0", 0, SCENE, None, ()), Options(world="vision", image_size=24, preset="draft"))
    other.png(ViewPicture("explore", SCENE.start, Heading.NORTH))
    assert len(list((tmp_path / "cache").rglob("*.png"))) == 1


@pytest.mark.slow
def test_what_was_altered_or_is_gone_is_rendered_again(pictures: Path, tmp_path: Path):
    room = PictureRenderer(Case("0", 0, SCENE, None, ()), OPTIONS)
    north, east = pictures / "00000/rgb/agent_facing_north.png", pictures / "00000/rgb/agent_facing_east.png"
    was, now = north.read_bytes(), east.read_bytes()
    north.write_bytes(now)
    east.unlink()
    assert room.png(ViewPicture("explore", SCENE.start, Heading.NORTH)) == was
    assert room.png(ViewPicture("explore", SCENE.start, Heading.EAST)) == now
    assert len(list((tmp_path / "cache").rglob("*.png"))) == 2


def test_a_folder_without_pictures_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(FOLDERS_VARIABLE, str(tmp_path))
    with pytest.raises(RenderError, match=r"index\.parquet"):
        prerendered_folders()
    monkeypatch.delenv(FOLDERS_VARIABLE)
    assert find_prerendered(str) is None
