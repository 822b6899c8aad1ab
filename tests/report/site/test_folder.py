"""Where a report may be written, and what becomes of what was there."""

from pathlib import Path

import pytest

from tolman.core.errors import SettingsError
from tolman.report.site.folder import whole_folder


def _write(out: Path, *, force: bool = False) -> None:
    with whole_folder(out, force=force) as folder:
        assert not (out / "index.html").exists() or (out / "index.html").read_text() != "new"
        (folder / "index.html").write_text("new")


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_earlier_report_is_replaced_and_other_files_stay(tmp_path: Path):
    out = tmp_path / "deep" / "report"
    _write(out)
    (out / "index.html").write_text("old")
    (out / "episodes" / "old.html").write_text("old")
    (out / "notes.txt").write_text("mine")
    _write(out)
    assert (out / "index.html").read_text() == "new"
    assert list((out / "episodes").iterdir()) == []
    assert (out / "notes.txt").read_text() == "mine"
    assert (out / "assets" / "style.css").is_file()
    assert _names(tmp_path / "deep") == ["report"]


def test_a_folder_with_something_else_is_left_alone_unless_forced(tmp_path: Path):
    out = tmp_path / "work"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    with pytest.raises(SettingsError, match=r"--out.*--force"):
        _write(out)
    assert _names(out) == ["thesis.tex"]
    _write(out, force=True)
    assert (out / "thesis.tex").read_text() == "years of work"
    assert (out / "index.html").read_text() == "new"


def test_what_fails_leaves_nothing_behind(tmp_path: Path):
    def fail() -> None:
        with whole_folder(tmp_path / "report") as folder:
            (folder / "index.html").write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert _names(tmp_path) == []


def test_a_file_is_not_a_folder(tmp_path: Path):
    file = tmp_path / "report"
    file.write_text("a file")
    with pytest.raises(SettingsError, match="is a file"):
        _write(file)


def test_an_empty_folder_will_do_but_not_the_one_that_one_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    _write(tmp_path / "report")
    assert (tmp_path / "report" / "tolman-report.json").is_file()
    monkeypatch.chdir(tmp_path / "report")
    with pytest.raises(SettingsError, match="name a folder in it"):
        _write(Path())
