"""What is wrong with an input is told in one line, and others stand in where they can."""

import importlib.util
import json
import os
import struct
import subprocess
from pathlib import Path

import pytest

from tests.command_line import TOLMAN
from tests.render.assets.test_folder import LINE, write_glb
from tolman.cli.render import render as cli
from tolman.render.assets.folder import folder_source
from tolman.render.assets.source import AssetError, DamagedAssetWarning

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")


def without_picture(data: bytes) -> bytes:
    """A GLB file whose picture should lie beside it, and does not."""
    length = struct.unpack("<I", data[12:16])[0]
    head = json.loads(data[20 : 20 + length])
    head["images"] = [{"uri": "wood.png"}]
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I", len(text)) + b"JSON" + text + data[20 + length :]
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


def render(tmp_path: Path, models: str, **environment: str) -> subprocess.CompletedProcess[str]:
    options = ("--rooms", "1", "--things", "1", "--views", "ego", "--size", "16", "--preset", "draft")
    return subprocess.run(
        [TOLMAN, "render", *options, "--assets", models, "--out", tmp_path / "out"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TOLMAN_CACHE": str(tmp_path / "cache"), **environment},
    )


def test_a_model_without_a_front_is_refused(tmp_path: Path):
    (tmp_path / "models.toml").write_text(LINE.replace('front = "+z"\n', ""))
    write_glb(tmp_path / "oak.glb")
    with pytest.raises(AssetError, match=r'oak.glb has no front: add front = "\+z"') as caught:
        cli(assets=str(tmp_path), out=tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_missing_picture_of_a_surface_is_told_and_a_plain_colour_stands_in(tmp_path: Path):
    (tmp_path / "models.toml").write_text(LINE)
    write_glb(tmp_path / "oak.glb", textured=True)
    (tmp_path / "oak.glb").write_bytes(without_picture((tmp_path / "oak.glb").read_bytes()))
    with pytest.warns(DamagedAssetWarning, match=r"oak\.glb lacks a texture; a plain colour is used instead"):
        model = folder_source(tmp_path).asset("chair", 0)
    assert all(isinstance(mesh.material.colour, tuple) for mesh in model.meshes)


@pytest.mark.slow
def test_a_damaged_pack_is_told_in_one_line_and_built_in_models_stand_in(tmp_path: Path):
    index = tmp_path / "cache" / "assets" / "furniture-pack" / "index.json"
    index.parent.mkdir(parents=True)
    index.write_text("{")
    done = render(tmp_path, "auto")
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if line.strip()]
    assert told == [
        "tolman: the furniture pack's index is damaged; run `tolman assets fetch` again; "
        "built-in assets are used instead"
    ]
    assert len(list((tmp_path / "out").glob("*/rgb/*.png"))) == 8


def test_a_gpu_that_is_not_there_is_told_in_one_line(tmp_path: Path):
    done = render(tmp_path, "built-in", TOLMAN_RENDER_ENGINE="cuda_ad_rgb", CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "cuda_ad_rgb does not run here; unset TOLMAN_RENDER_ENGINE" in done.stderr
    assert not list((tmp_path / "out").rglob("*"))


@pytest.mark.slow
def test_without_an_llvm_library_another_engine_is_used_or_one_line_says_what_to_do(tmp_path: Path):
    done = render(tmp_path, "built-in", DRJIT_LIBLLVM_PATH=str(tmp_path / "missing.so"), CUDA_VISIBLE_DEVICES="")
    if done.returncode == 0:
        assert json.loads((tmp_path / "out" / "made-with.json").read_text())["engine"].startswith("scalar")
    else:
        assert done.returncode == 2
        assert "needs a GPU or an LLVM library" in done.stderr.strip().splitlines()[-1]
