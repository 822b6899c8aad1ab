"""Rendered pictures of the documentation were made by the current code."""

import hashlib
import json

import pytest

docs_pictures = pytest.importorskip("benchmarks.docs_pictures")


def test_no_picture_is_stale():
    if not docs_pictures.MADE.exists():
        pytest.skip("run python -m benchmarks.docs_pictures once")
    made = json.loads(docs_pictures.MADE.read_text())
    groups = docs_pictures.groups()
    assert set(made) == {file for files, _ in groups.values() for file in files}
    stale = sorted(
        {entry["group"] for entry in made.values() if entry["inputs"] != docs_pictures.inputs(entry["group"])}
    )
    assert not stale, f"run python -m benchmarks.docs_pictures {' '.join(stale)}"


def test_pictures_are_those_that_were_made():
    if not docs_pictures.MADE.exists():
        pytest.skip("run python -m benchmarks.docs_pictures once")
    for name, entry in json.loads(docs_pictures.MADE.read_text()).items():
        data = (docs_pictures.FOLDER / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == entry["sha256"], f"{name} was changed by hand"
