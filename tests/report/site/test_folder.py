"""Where a report may be written, and what becomes of what was there."""

from pathlib import Path

import pytest

from tolman.errors import SettingsError
from tolman.report.site import open_folder


def test_an_earlier_report_is_replaced_and_other_files_stay(tmp_path: Path):
    out = tmp_path / "deep" / "report"
    open_folder(out)
    (out / "index.html").write_text("old")
    (out / "episodes" / "old.html").write_text("old")
    (out / "notes.txt").write_text("mine")
    open_folder(out)
    assert not (out / "index.html").exists()
    assert list((out / "episodes").iterdir()) == []
    assert (out / "notes.txt").read_text() == "mine"
    assert (out / "assets" / "style.css").is_file()


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(SettingsError, match="--out"):
        open_folder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_not_a_folder(tmp_path: Path):
    file = tmp_path / "report"
    file.write_text("a file")
    with pytest.raises(SettingsError, match="is a file"):
        open_folder(file)


def test_an_empty_folder_will_do(tmp_path: Path):
    open_folder(tmp_path)
    assert (tmp_path / "tolman-report.json").is_file()
