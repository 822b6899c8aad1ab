"""The texture pack: its table is complete, files are checked, damage is told, and nothing in a package is run."""

import base64
import hashlib
import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tolman.core.errors import SettingsError
from tolman.render.assets.choose import builtin_source, default_source, surface_pack
from tolman.render.assets.source import AssetError, PackMissingError
from tolman.render.assets.textures.convert import SurfaceRow, converted_surface, unpacked
from tolman.render.assets.textures.fetch import package_content
from tolman.render.assets.textures.source import (
    TextureFiles,
    TextureSource,
    index_bytes,
    read_texture_table,
    texture_folder,
    texture_source,
)

KEY = ("somewhere", "a/wood.png", "0" * 64)


def _png(side: int = 64) -> bytes:
    picture = np.random.default_rng(1).integers(40, 90, (side, side, 3)).astype(np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG")
    return buffer.getvalue()


def test_the_table_names_package_licence_author_and_digest_of_every_file():
    table = read_texture_table()
    assert 20 <= len(table.surfaces) <= 30
    assert {row.use for row in table.surfaces} == {"floor", "wall"}
    assert len({row.name for row in table.rows}) == len(table.rows)
    for row in table.rows:
        assert row.licence in ("public domain", "Expat (MIT)", "CC0 1.0")
        assert row.author
        for package, path, sha256 in row.files:
            assert package in table.packages
            assert path
            assert len(bytes.fromhex(sha256)) == 32


def test_the_documentation_lists_every_finish_with_its_licence():
    page = (Path(__file__).parents[3] / "docs" / "assets.md").read_text(encoding="utf-8")
    for row in read_texture_table().rows:
        line = next(line for line in page.splitlines() if line.startswith(f"| {row.name} | "))
        assert row.licence in line
        for _, path, _ in row.files:
            assert f"`{Path(path).name}`" in line


def test_a_finish_gets_relief_and_the_brightness_of_its_row():
    row = SurfaceRow("wood", "floor", 2.0, "CC0 1.0", "somebody", colour=KEY, gloss=KEY, light=0.3)
    maps = converted_surface(row, lambda _: _png())
    assert set(maps) == {"colour", "relief", "gloss"}
    with Image.open(io.BytesIO(maps["colour"])) as picture:
        code = np.asarray(picture) / 255
    assert abs(float((code**2.2).mean()) - 0.3) < 0.03
    with pytest.raises(AssetError):
        converted_surface(SurfaceRow("none", "wall", 1.0, "CC0 1.0", "nobody"), lambda _: b"")


def test_a_module_is_read_as_text_and_never_run():
    data = _png()
    module = b"export default 'data:image/png;base64," + base64.b64encode(data) + b"'; process.exit(1)"
    assert unpacked(module) == data
    assert unpacked(data) == data


def test_a_package_with_other_files_or_another_name_is_refused(tmp_path: Path):
    with pytest.raises(SettingsError, match="no package of textures"):
        package_content(tmp_path / "other.tgz")
    file = tmp_path / "pmndrs-assets-1.7.0.tgz"
    with tarfile.open(file, "w:gz") as archive:
        info = tarfile.TarInfo("package/normals/0004.webp.js")
        info.size = 5
        archive.addfile(info, io.BytesIO(b"wrong"))
    with pytest.raises(SettingsError, match="is not the file of"):
        package_content(file)
    file.write_bytes(b"no archive")
    with pytest.raises(SettingsError, match="damaged"):
        package_content(file)


def _made(folder: Path) -> TextureSource:
    """A pack of one finish whose maps are made here."""
    row = read_texture_table().surfaces[0]
    maps = converted_surface(SurfaceRow(row.name, "floor", 2.0, "CC0 1.0", "x", colour=KEY), lambda _: _png())
    names = {name: hashlib.sha256(data).hexdigest() for name, data in maps.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in maps.items():
        (folder / names[name]).write_bytes(data)
    (folder / "index.json").write_bytes(index_bytes([TextureFiles(row.name, names)]))
    return texture_source(folder)


def test_a_stored_pack_adds_finishes_digest_and_credits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path))
    with pytest.raises(PackMissingError):
        texture_source()
    bare = default_source()
    assert surface_pack(bare) is None
    assert bare.digest == builtin_source().digest
    _made(texture_folder())
    fetched = default_source()
    pack = surface_pack(fetched)
    assert pack is not None
    assert len(pack.surfaces("floor")) == 1
    assert not pack.surfaces("wall")
    assert not pack.skies()
    assert fetched.digest != bare.digest
    assert fetched.kinds() == bare.kinds()
    assert any("floor finish" in credit.kind for credit in fetched.credits())


def test_damage_is_told(tmp_path: Path):
    pack = _made(tmp_path)
    next(file for file in tmp_path.iterdir() if file.name != "index.json").write_bytes(b"")
    with pytest.raises(AssetError, match="damaged"):
        pack.surfaces("floor")
    (tmp_path / "index.json").write_text(json.dumps({"format": 1}))
    with pytest.raises(AssetError, match="damaged"):
        texture_source(tmp_path)
