"""Pictures in folders as the authors publish them: no triple in a file, numbers padded at will, some files missing."""

import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.benchmarks.sparrta.painted_scenes import painted
from tolman.benchmarks.sparrta.cases import stored_cases
from tolman.benchmarks.sparrta.dataset.files import read_params, read_picture_sets, read_set
from tolman.benchmarks.sparrta.options import Options
from tolman.core.errors import SceneFileError, SettingsError


def as_published(folder: Path, count: int) -> Path:
    """A triple whose files leave it to their folder which it is, with each number padded in another way."""
    inner = painted(folder, count, "winter_town", 2) / "winter_town_2" / "mid-objects"
    for number in range(count):
        file = inner / f"params_{number:04d}.json"
        stored = json.loads(file.read_text())
        del stored["triple_id"], stored["environment"]
        stored["source"] = {"original_params": file.name, "label_mapping": {"Tree": "Snowman", "Truck": "Husky"}}
        file.unlink()
        (inner / f"params_{number:0{(1, 4, 5)[number % 3]}}.json").write_text(json.dumps(stored))
    return folder


def test_the_folder_says_which_triple_it_is(tmp_path: Path):
    (ours,) = read_picture_sets(painted(tmp_path / "ours", 30, "winter_town", 2))
    (theirs,) = read_picture_sets(as_published(tmp_path / "theirs", 30))
    assert (theirs.name, theirs.environment, theirs.left_out) == ("winter_town_2", "winter_town", 0)
    for viewpoint, labels in ours.labels.items():
        assert np.array_equal(labels, theirs.labels[viewpoint])
    assert {stored.sample.source.kind for stored in read_set(tmp_path / "theirs")} == {"snowman"}


def test_pictures_without_parameters_are_left_out_and_counted(tmp_path: Path):
    inner = as_published(tmp_path, 30) / "winter_town_2" / "mid-objects"
    (inner / "params_3.json").unlink()
    (theirs,) = read_picture_sets(tmp_path)
    assert (len(theirs.paths), theirs.left_out) == (29, 1)
    assert len(list(read_set(tmp_path))) == 29
    for file in inner.glob("*.json"):
        file.unlink()
    with pytest.raises(SceneFileError, match=r"no params_####.json"):
        read_picture_sets(tmp_path)


def test_what_does_not_fit_is_said(tmp_path: Path):
    inner = as_published(tmp_path, 3) / "winter_town_2" / "mid-objects"
    moved = inner.parent.rename(tmp_path / "winter_town_3")
    with pytest.raises(SceneFileError, match="'Snowman' is not part of the triple winter_town_3"):
        read_params(moved / "mid-objects" / "params_0.json")
    moved = moved.rename(tmp_path / "moon")
    with pytest.raises(SceneFileError, match="'moon' is not a triple"):
        read_params(moved / "mid-objects" / "params_0.json")
    for ambiguity in (-1, 45):
        with pytest.raises(SettingsError, match="--ambiguity"):
            read_picture_sets(tmp_path, ambiguity)


def test_a_narrower_zone_leaves_more_pictures_labelled(tmp_path: Path):
    data = painted(tmp_path, 60)
    said = [int((read_picture_sets(data, zone)[0].labels["allo"] >= 0).sum()) for zone in (0, 10, 15, 30)]
    assert said == sorted(said, reverse=True)
    assert said[0] > said[-1]


def test_a_damaged_mask_is_named(tmp_path: Path):
    data = painted(tmp_path, 1)
    (data / "forest" / "truth").mkdir()
    (data / "forest" / "truth" / "ids_0000.png").write_bytes(b"no picture")
    (stored,) = read_set(data)
    with pytest.raises(SceneFileError, match=r"ids_0000\.png is damaged"):
        stored.mask("source")


def test_pictures_are_found_whatever_their_kind(tmp_path: Path):
    data = painted(tmp_path, 2)
    inner = data / "forest" / "mid-objects"
    Image.open(inner / "img_0001.png").save(inner / "img_0001.jpg")
    (inner / "img_0001.png").unlink()
    assert [path.suffix for path in read_picture_sets(data)[0].paths] == [".png", ".jpg"]


def cached(folder: Path, data: Path, versions: tuple[str, ...] = ("a1b2c3",)) -> Path:
    """The data as a hub's cache keeps it: names are links in a snapshot, and content is in files named by digests."""
    root = folder / "datasets--someone--SpaRRTa"
    blobs = root / "blobs"
    blobs.mkdir(parents=True)
    for path in sorted(path for path in data.rglob("*") if path.is_file()):
        content = path.read_bytes()
        blob = blobs / hashlib.sha256(content).hexdigest()
        blob.write_bytes(content)
        for version in versions:
            link = root / "snapshots" / version / path.relative_to(data)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(os.path.relpath(blob, link.parent))
    return root


def test_data_behind_the_links_of_a_hubs_cache_is_read_as_if_it_lay_there(tmp_path: Path):
    data = as_published(tmp_path / "data", 4)
    root = cached(tmp_path, data)
    (plain,) = read_picture_sets(data)
    for given in (root, root / "snapshots" / "a1b2c3"):
        (linked,) = read_picture_sets(given)
        assert (linked.name, linked.environment) == (plain.name, plain.environment) == ("winter_town_2", "winter_town")
        assert (linked.labels["allo"] == plain.labels["allo"]).all()
        assert [path.read_bytes() for path in linked.paths] == [path.read_bytes() for path in plain.paths]
        ids = [case.id for case in stored_cases(given, Options())]
        assert ids == [case.id for case in stored_cases(data, Options())]


def test_of_several_versions_in_a_hubs_cache_the_main_one_is_read(tmp_path: Path):
    root = cached(tmp_path, painted(tmp_path / "data", 2), ("a1b2c3", "d4e5f6"))
    with pytest.raises(SceneFileError, match="holds 2 versions"):
        read_picture_sets(root)
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("d4e5f6")
    assert "d4e5f6" in str(read_picture_sets(root)[0].paths[0])
