"""A user's own folder of GLB files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pictures

from tests.command_line import Here
from tolman.core.errors import UnknownNameError
from tolman.render.assets.choose import find_source
from tolman.render.assets.folder import folder_source
from tolman.render.assets.source import AssetError
from tolman.render.shapes.mesh import Texture

trimesh: Any = pytest.importorskip("trimesh")

LINE = """[[model]]
kind = "chair"
file = "oak.glb"
front = "+z"
name = "Oak chair"
author = "A. Joiner"
licence = "CC BY 4.0"
"""


def write_glb(file: Path, nose: tuple[float, float, float] = (0, 0.5, 1), *, textured: bool = False) -> None:
    """A slab on the ground with a nose that points where the front is; y is up."""
    slab = trimesh.creation.box((1, 0.2, 1))
    tip = trimesh.creation.icosphere(radius=0.1)
    tip.apply_translation(nose)
    red = trimesh.visual.material.PBRMaterial(baseColorFactor=[255, 0, 0, 255], roughnessFactor=0.3, metallicFactor=0.1)
    slab.visual = trimesh.visual.TextureVisuals(material=red)
    if textured:
        picture = Pictures.new("RGB", (4, 4), (10, 20, 30))
        look = trimesh.visual.material.PBRMaterial(baseColorTexture=picture)
        tip.visual = trimesh.visual.TextureVisuals(uv=tip.vertices[:, :2], material=look)
    file.write_bytes(trimesh.Scene([slab, tip]).export(file_type="glb"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "models.toml").write_text(LINE)
    write_glb(tmp_path / "oak.glb")
    return tmp_path


@pytest.mark.parametrize(
    ("front", "nose"), [("+z", (0, 0.5, 1)), ("-z", (0, 0.5, -1)), ("+x", (1, 0.5, 0)), ("-x", (-1, 0.5, 0))]
)
def test_the_named_front_looks_towards_north(folder: Path, front: str, nose: tuple[float, float, float]):
    write_glb(folder / "oak.glb", nose)
    (folder / "models.toml").write_text(LINE.replace("+z", front))
    model = folder_source(folder).asset("chair", 1)
    low, high = model.bounds
    tip = next(mesh for mesh in model.meshes if len(mesh.triangles) > 12)
    assert tip.points[:, 1].max() == pytest.approx(high[1], abs=1e-5)
    assert abs(float(tip.points[:, 0].mean())) < 0.01
    assert tip.points[:, 2].max() == pytest.approx(high[2], abs=1e-5)
    assert (high - low <= np.array([0.48, 0.52, 0.90]) + 1e-5).all()
    assert low[2] == pytest.approx(0, abs=1e-6)


def test_materials_and_pictures_are_read(folder: Path):
    write_glb(folder / "oak.glb", textured=True)
    meshes = folder_source(folder).asset("chair", 0).meshes
    slab, tip = sorted(meshes, key=lambda mesh: len(mesh.triangles))
    assert slab.material.colour == (1, 0, 0)
    assert slab.material.roughness == pytest.approx(0.3)
    assert isinstance(tip.material.colour, Texture)
    assert tip.material.colour.image[0, 0].tolist() == [10, 20, 30]
    assert tip.coordinates is not None


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (LINE.replace('front = "+z"\n', ""), "oak.glb has no front"),
        (LINE.replace("+z", "north"), "has no front"),
        (LINE.replace("chair", "throne"), "'throne'"),
        (LINE.replace("oak.glb", "pine.glb"), "not a file"),
        (LINE.replace("oak.glb", "../oak.glb"), "not a file"),
        ("model = 3", "lists no"),
        ("[[model]\n", "can't be read"),
    ],
)
def test_a_bad_line_is_named(folder: Path, line: str, hint: str):
    (folder / "models.toml").write_text(line)
    with pytest.raises(AssetError, match=hint) as caught:
        folder_source(folder)
    assert "\n" not in str(caught.value)


def test_damaged_files_and_missing_tables_end_in_one_sentence(folder: Path, tmp_path: Path):
    source = folder_source(folder)
    (folder / "oak.glb").write_bytes(b"glTF and then nothing")
    with pytest.raises(AssetError, match="not a GLB file"):
        source.asset("chair", 0)
    with pytest.raises(UnknownNameError, match="no table"):
        source.asset("table", 0)
    with pytest.raises(AssetError, match=r"models\.toml"):
        folder_source(tmp_path / "none")


def test_the_digest_follows_the_files_and_the_table(folder: Path):
    first = folder_source(folder).digest
    assert folder_source(folder).digest == first
    write_glb(folder / "oak.glb", (0, 0.5, 0.9))
    second = folder_source(folder).digest
    (folder / "models.toml").write_text(LINE.replace("+z", "-z"))
    assert len({first, second, folder_source(folder).digest}) == 3


def test_what_a_folder_has_not_comes_from_elsewhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, here: Here
):
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    source = find_source(str(folder))
    assert "sofa" in source.kinds()
    assert any(credit.author == "A. Joiner" for credit in source.credits())
    run = here("assets", "credits", "--assets", folder)
    assert "Oak chair (chair) by A. Joiner, CC BY 4.0" in run.stdout
