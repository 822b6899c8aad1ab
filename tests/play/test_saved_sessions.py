"""Sittings on disk: whole or not at all, and nowhere but in their folder."""

from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from tests.play.sessions import SHORT, playroom
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.tables import read_runs
from tolman.core.errors import ReplayError, SettingsError
from tolman.models.replay import SavedSession, read_session, session_file, write_session
from tolman.play.pages import write_log
from tolman.play.playable import UnknownSessionError, slug
from tolman.world import WorldSettings
from tolman.world.select import seal, write_sealed


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Ann", "ann"),
        ("  Zoë B. ", "zoe-b"),
        ("../../etc/passwd", "etc-passwd"),
        ("x" * 100, "x" * 40),
        ("A\0<b>", "a-b"),
    ],
)
def test_any_name_becomes_one_that_is_safe(name: str, safe: str, tmp_path: Path) -> None:
    assert slug(name) == safe
    assert session_file(tmp_path, slug(name), "0").parent == tmp_path


@pytest.mark.parametrize("name", ["", "  ", "…", "李"])
def test_a_name_of_which_nothing_is_left_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="letter"):
        slug(name)


@pytest.mark.parametrize(("name", "scene"), [("../ann", "0"), ("Ann", "0"), ("ann", "../0"), ("ann", ""), ("", "0")])
def test_no_name_leads_out_of_the_folder(name: str, scene: str, tmp_path: Path) -> None:
    with pytest.raises(ReplayError):
        session_file(tmp_path, name, scene)


def test_a_write_that_is_cut_off_leaves_the_old_sitting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = session_file(tmp_path / "new", "ann", "0")
    assert read_session(file) is None
    first = SavedSession(name="ann", scene="0", under={})
    write_session(file, first)
    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", _full)
        with pytest.raises(OSError, match="full"):
            write_session(file, first.model_copy(update={"log": "lost.eval"}))
    assert read_session(file) == first
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    write_session(file, first.model_copy(update={"log": "a.eval"}))
    found = read_session(file)
    assert found is not None
    assert found.log == "a.eval"
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    file.write_text("{")
    with pytest.raises(ReplayError, match="move it away"):
        read_session(file)


def _full(handle: int) -> None:
    raise OSError(f"the disk is full ({handle})")


def test_nobody_goes_on_under_other_options(tmp_path: Path) -> None:
    room = playroom(tmp_path)
    with pytest.raises(UnknownSessionError):
        room.saved("ann", "7")
    room.begin("ann")
    room.keep_reply(room.saved("ann", "7"), "explore/1", "Actions: [Observe()]")
    again = playroom(tmp_path)
    again.begin("ann")
    assert again.saved("ann", "7").replies == {"explore/1": "Actions: [Observe()]"}
    others = playroom(tmp_path, options=type(SHORT)(probe="off"))
    with pytest.raises(SettingsError, match="another name"):
        others.begin("ann")
    assert playroom(tmp_path, tools=True).folder != room.folder, "with tools is another row"


def test_the_log_of_a_sealed_scene_is_found_under_its_name_and_its_head_tells_no_seed(tmp_path: Path) -> None:
    split = seal(2, WorldSettings(rooms=1, things_per_room=2), "0.1.0")
    write_sealed(split, tmp_path / "sealed.json")
    room = playroom(tmp_path / "logs", Options(phases=("explore",)), str(tmp_path / "sealed.json"))
    room.begin("ann")
    last = split.names[1]
    saved = room.keep_reply(room.saved("ann", last), "explore/1", "Actions: [Term()]")
    file = room.logs(saved) / write_log(room, saved)
    (run,) = read_runs([file], pytest.fail)
    assert [scene.id for scene in run.cases] == [last]
    kept = [read_eval_log(str(file), header_only=True).model_dump_json(), str(file), saved.model_dump_json()]
    assert not any(str(seed) in text for seed in split.seeds for text in kept)


def test_a_report_says_how_to_play_the_same_again(tmp_path: Path) -> None:
    room = playroom(tmp_path / "logs", Options(phases=("explore", "ask"), probe="last", kinds=("direction",)))
    room.begin("ann")
    saved = room.keep_reply(room.saved("ann", "7"), "explore/1", "Actions: [Term()]")
    write_log(room, saved)
    (run,) = read_runs([room.log_dir], pytest.fail)
    assert [origin.command for origin in run.origins] == [
        "tolman play --benchmark theory-of-space --name ann --scenes 7 --rooms 2 --things 3 --phases explore,ask "
        "--kinds direction --log-dir logs"
    ]
