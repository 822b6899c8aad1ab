"""The furniture pack from package to picture source: checked, converted once, kept whole, and credited."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from tests.command_line import Here
from tests.render.assets.tiny_pack import TinyModel, deb, sh3f
from tolman.core.errors import SettingsError, UnknownNameError
from tolman.render.assets.choose import BuiltinSource, FallbackSource, builtin_source, default_source, find_source
from tolman.render.assets.pack.catalogue import Catalogue, credit_of
from tolman.render.assets.pack.convert import convert_entry
from tolman.render.assets.pack.fetch import read_catalogues
from tolman.render.assets.pack.source import (
    PACK_INDEX,
    PackSource,
    PackTable,
    convert_pack,
    pack_folder,
    pack_source,
    read_pack_index,
    read_pack_table,
)
from tolman.render.assets.pack.stored import DamagedAssetError, asset_from_bytes, asset_to_bytes
from tolman.render.assets.source import AssetError, DamagedAssetWarning, PackMissingError, credit_lines
from tolman.world.vocabulary import KIND_BY_NAME

LICENCE = b"""Thank you for downloading "oak" by A. Joiner
Released under
Creative Commons Zero 1.0
Downloaded from http://www.blendswap.com/blends/view/7
"""


def known(**files: bytes) -> dict[str, str]:
    return {f"{name}.sh3f": hashlib.sha256(content).hexdigest() for name, content in files.items()}


def table(**models: tuple[str, ...]) -> PackTable:
    return PackTable(models, {}, {"table": 1.5})


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    return pack_folder()


@pytest.fixture
def own() -> PackTable:
    """Two chairs of real names, so that the real table finds them, and a table."""
    return table(chair=("scopia/chair", "scopia/chair3"), table=("scopia/round-table",))


def convert_tiny(folder: Path, own: PackTable) -> None:
    content = sh3f(
        TinyModel("scopia/chair"),
        TinyModel("scopia/chair3", size=(20, 20, 20)),
        TinyModel("scopia/round-table", size=(120, 60, 60)),
    )
    convert_pack([Catalogue(content, "Tiny.sh3f")], own, folder, list)


def test_a_package_is_read_without_writing_a_file(tmp_path: Path):
    tiny = sh3f(TinyModel("a/box"))
    file = tmp_path / "tiny.deb"
    file.write_bytes(
        deb({"./usr/share/Tiny.sh3f": tiny, "../../../Evil.sh3f": b"x", "/tmp/Worse.sh3f": b"y"})  # noqa: S108
    )
    assert read_catalogues(file, known(Tiny=tiny, Linked=b"")) == {"Tiny.sh3f": tiny}
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.deb"]
    plain = tmp_path / "Tiny.sh3f"
    plain.write_bytes(tiny)
    assert read_catalogues(plain, known(Tiny=tiny)) == {"Tiny.sh3f": tiny}


def test_a_file_that_is_not_the_known_one_is_refused(tmp_path: Path):
    tiny = sh3f(TinyModel("a/box"))
    file = tmp_path / "tiny.deb"
    file.write_bytes(deb({"./Tiny.sh3f": tiny + b" "}))
    with pytest.raises(SettingsError, match="SHA-256"):
        read_catalogues(file, known(Tiny=tiny))
    with pytest.raises(SettingsError, match="holds none"):
        read_catalogues(file, known(Other=tiny))
    whole = deb({"./Tiny.sh3f": tiny})
    for cut in (9, 70, len(whole) // 2, len(whole) - 40):
        file.write_bytes(whole[:cut])
        with pytest.raises(SettingsError, match=r"damaged|holds none"):
            read_catalogues(file, known(Tiny=tiny))
    with pytest.raises(SettingsError, match="can't be read"):
        read_catalogues(tmp_path / "none.deb", known(Tiny=tiny))


def test_damaged_catalogues_end_in_one_sentence():
    content = sh3f(TinyModel("a/box"))
    with pytest.raises(SettingsError, match="not a furniture catalogue"):
        Catalogue(content[: len(content) // 2], "Tiny.sh3f")
    with pytest.raises(SettingsError, match="not a furniture catalogue"):
        Catalogue(b"not a zip", "Tiny.sh3f")
    bad = bytearray(content)
    bad[content.index(b"mtllib")] ^= 255
    with pytest.raises(SettingsError, match="can't be unpacked"):
        Catalogue(bytes(bad), "Tiny.sh3f").read("a/box/thing.obj")


def test_a_stored_model_comes_back_as_it_was():
    catalogue = Catalogue(sh3f(TinyModel("scopia/chair")), "Tiny.sh3f")
    model = convert_entry(catalogue, catalogue.entries["scopia/chair"])
    packed, digest = asset_to_bytes(model)
    assert asset_to_bytes(model) == (packed, digest)
    back = asset_from_bytes(packed, digest)
    for one, two in zip(model.meshes, back.meshes, strict=True):
        assert np.abs(one.points - two.points).max() < 1e-5
        assert (one.triangles == two.triangles).all()
        assert one.normals is not None
        assert two.normals is not None
        assert np.abs(one.normals - two.normals).max() < 0.01
        assert one.material.colour == two.material.colour
        assert (one.material.roughness, one.material.transparency) == (
            two.material.roughness,
            two.material.transparency,
        )
    for bad in (packed[:-9], packed[:50] + b"\0" + packed[51:], b""):
        with pytest.raises(DamagedAssetError):
            asset_from_bytes(bad, digest)


def test_the_same_seed_gives_the_same_model_in_its_box(cache: Path, own: PackTable):
    convert_tiny(cache, own)
    source = PackSource(cache, read_pack_index(cache), own)
    assert source.kinds() == {"chair", "table"}
    assert {id(source.asset("chair", seed)) for seed in range(20)} == {
        id(source.asset("chair", s)) for s in (0, 1, 2, 3, 4, 5)
    }
    for kind in source.kinds():
        low, high = source.asset(kind, 3).bounds
        size = KIND_BY_NAME[kind]
        assert (high - low <= np.array([size.width, size.depth, size.height]) + 1e-4).all()
        assert low[2] == pytest.approx(0, abs=1e-4)
    low, high = source.asset("table", 0).bounds
    assert high - low == pytest.approx([0.95, 0.475 * 1.5, 0.475 * 1.5], abs=1e-3)  # stretched, by the table
    with pytest.raises(UnknownNameError, match="no sofa"):
        source.asset("sofa", 0)


def test_converting_again_gives_the_same_files_and_clears_up(cache: Path, own: PackTable):
    convert_tiny(cache, own)
    first = {file.name: file.read_bytes() for file in cache.iterdir()}
    (cache / "0123.model.77.part").write_bytes(b"left by a killed run")
    (cache / "4567.model").write_bytes(b"of an older table")
    convert_tiny(cache, own)
    assert {file.name: file.read_bytes() for file in cache.iterdir()} == first


def test_a_single_catalogue_adds_to_what_is_there(cache: Path, own: PackTable):
    for name in ("scopia/chair", "scopia/round-table"):
        convert_pack([Catalogue(sh3f(TinyModel(name)), "Tiny.sh3f")], own, cache, list)
    assert set(read_pack_index(cache)) == {"scopia/chair", "scopia/round-table"}


def test_damaged_models_are_told_and_others_stand_in(cache: Path, own: PackTable):
    convert_tiny(cache, own)
    whole = pack_source()
    files = {name: cache / kept.file for name, kept in whole.stored.items()}
    files["scopia/chair"].write_bytes(files["scopia/chair"].read_bytes()[:-1])
    files["scopia/round-table"].unlink()
    with pytest.warns(DamagedAssetWarning, match=r"scopia/chair and 1 more is damaged.*tolman assets fetch"):
        source = default_source()
    assert source.digest != default_digest_of(whole)
    assert source.kinds() == frozenset(KIND_BY_NAME)
    with pytest.warns(DamagedAssetWarning):
        assert pack_source().kinds() == {"chair"}


def default_digest_of(source: PackSource) -> str:
    return FallbackSource((source, BuiltinSource())).digest


def test_without_a_pack_the_built_in_models_are_used(cache: Path):
    assert default_source() == builtin_source()
    with pytest.raises(PackMissingError, match="tolman assets fetch"):
        find_source("pack")
    cache.mkdir(parents=True)
    for content in (b"{", b"[]", b'{"format": 1, "models": {"a": {}}}', b'{"format": 0, "models": {}}'):
        (cache / PACK_INDEX).write_bytes(content)
        with pytest.warns(DamagedAssetWarning, match="tolman assets fetch"):
            assert default_source() == builtin_source()
    assert len(builtin_source().digest) == 64


def test_credits_come_from_the_models_own_files():
    oak = TinyModel("b/oak", files={"box.mtl": b"", "BLENDSWAP_LICENSE.txt": LICENCE}, more="creator#N=Blend Swap")
    catalogue = Catalogue(sh3f(TinyModel("a/box"), oak), "Tiny.sh3f")
    plain, own = (credit_of(catalogue, catalogue.entries[name]) for name in ("a/box", "b/oak"))
    assert (plain.author, plain.licence) == ("Maker 1", "CC BY 3.0")
    assert "licenses/by/3.0" in plain.link
    assert (own.author, own.licence) == ("A. Joiner", "CC0 1.0")
    assert own.link.endswith("/view/7")
    assert credit_lines([own, own]) == [
        "Thing 2 [b/oak] () by A. Joiner, CC0 1.0, http://www.blendswap.com/blends/view/7"
    ]
    held = Catalogue(sh3f(TinyModel("a/box"), licence="Attribution 3.0 © 2003-2008 Ann & Ben"), "Tiny.sh3f")
    assert credit_of(held, held.entries["a/box"]).author == "Ann & Ben"


def test_the_table_names_kinds_of_the_vocabulary():
    real = read_pack_table()
    assert real.assets.keys() <= KIND_BY_NAME.keys()
    assert all(1 <= len(names) <= 5 for names in real.assets.values())
    assert real.turned.keys() <= set(real.names)
    assert real.stretch.keys() <= real.assets.keys()
    indoors = [name for names in real.assets.values() for name in names]
    assert len(indoors) == len(set(indoors))  # none stands for two kinds


def test_the_command_line_tells_what_is_wrong(cache: Path, tmp_path: Path, here: Here):
    wrong = tmp_path / "Scopia.sh3f"
    wrong.write_bytes(sh3f(TinyModel("a/box")))
    run = here("assets", "fetch", "--from", wrong)
    assert run.returncode == 2
    assert "SHA-256" in run.stderr
    assert run.stderr.count("\n") == 1
    assert not cache.exists()
    listed = here("assets", "list")
    assert listed.returncode == 0
    assert all(kind in listed.stdout for kind in KIND_BY_NAME)
    assert "built-in" in listed.stdout


def test_every_model_of_the_real_pack_stands_in_its_box():
    """Where a person has fetched the pack: all models load, face the right way up, and fit."""
    try:
        source = pack_source()
    except AssetError:
        pytest.skip("the furniture pack was not fetched here")
    assert set(source.stored) >= set(read_pack_table().names)
    for kind in sorted(source.kinds()):
        size = KIND_BY_NAME[kind]
        for seed in range(8):
            model = source.asset(kind, seed)
            low, high = model.bounds
            assert (high - low <= np.array([size.width, size.depth, size.height]) + 1e-4).all(), kind
            assert low[2] == pytest.approx(0, abs=1e-4)
            assert (low + high)[:2] == pytest.approx([0, 0], abs=1e-4)
            assert sum(len(mesh.triangles) for mesh in model.meshes) <= 60_000
    assert all(credit.author and credit.licence.startswith("CC") for credit in source.credits())
