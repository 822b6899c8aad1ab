"""Entries from logs: whole, honest, and without what is nobody's business."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.theory_of_space.leaderboard.entries import (
    SEEDS,
    SHORT,
    entry,
    entry_from_a_file,
    log_of,
    run_of,
    values,
)
from tests.benchmarks.theory_of_space.logged_runs import sample, write_log
from tests.benchmarks.theory_of_space.scripted_runs import scripted_scene
from tolman import __version__
from tolman.benchmarks.theory_of_space.case import question_calls
from tolman.benchmarks.theory_of_space.leaderboard.entry import read_entry
from tolman.benchmarks.theory_of_space.leaderboard.space_leaderboard import entry_of, verify
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.core.errors import SettingsError
from tolman.core.limits import UnpackLimit
from tolman.report.leaderboard import entry_file
from tolman.report.leaderboard.benchmark import EntryAbout
from tolman.report.leaderboard.entry_file import EntryRefused, read_json, write_entry


def test_an_entry_holds_every_reply_and_every_score_under_both_rule_sets(tmp_path: Path):
    run = run_of(log_of(tmp_path, "random"))
    made = entry_of(run, EntryAbout("A name", "someone@example.org", "https://example.org", "a note"))
    assert (made.name, made.tolman, made.split.kind) == ("A name", __version__, "seeds")
    assert [scene.seed for scene in made.scenes] == list(SEEDS)
    for scene, done in zip(made.scenes, run.cases, strict=True):
        assert scene.record == done.logged.record
        asked = {call for call, _ in question_calls("none", done.logged.case.questions)}
        for rules in ("strict", "published"):
            assert asked <= scene.scores[rules].keys()
            assert {"explore/cost", "explore/gain/1", "map/1/1/update/position"} <= scene.scores[rules].keys()


def test_an_entry_tells_nothing_of_where_files_lie_nor_what_else_was_sent(tmp_path: Path):
    run = replace(run_of(log_of(tmp_path, "scout")), model="replay//home/someone/logs/tolman-scout")
    told = {"model_path": "/home/someone/weights.gguf", "temperature": 1.0, "extra_body": {"key": "someone's"}}
    made = entry_of(replace(run, settings={**run.settings, **told}), EntryAbout())
    assert "someone" not in made.model_dump_json()
    assert made.generation == {"temperature": 1.0, "model_path": "weights.gguf"}


def test_a_run_that_is_not_finished_can_not_be_submitted(tmp_path: Path):
    scenes = [sample(scripted_scene("scout", seed, SHORT)) for seed in range(2)]
    log = write_log(tmp_path, scenes, planned=["0", "1", "2"], options=SHORT)
    with pytest.raises(SettingsError, match="2 of 3 scenes are done"):
        entry_of(run_of(log), EntryAbout())
    done = [score_record(scripted_scene("scout", 0, SHORT))] * 2
    with pytest.raises(SettingsError, match="more than once"):
        entry_of(TheoryOfSpaceRun("someone", SHORT, done, [], 2), EntryAbout())


def test_what_is_said_about_an_entry_must_be_printable(tmp_path: Path):
    run = run_of(log_of(tmp_path, "scout"))
    for about in (EntryAbout(name="a\nb"), EntryAbout(link="javascript:alert(1)"), EntryAbout(note="x" * 1000)):
        with pytest.raises(SettingsError, match="can't be an entry"):
            entry_of(run, about)


def test_scenes_from_files_come_along_and_are_told_apart(tmp_path: Path):
    made = entry_from_a_file(tmp_path)
    assert (made.split.kind, made.scenes[0].id, made.scenes[0].seed) == ("files", "mine.json", None)
    assert verify(made, {}).from_seeds is False
    cost = made.scenes[0].scores["strict"]["explore/cost"]
    made.scenes[0].scores["strict"]["explore/cost"] = cost + 1
    with pytest.raises(EntryRefused, match=r"scene mine\.json, explore/cost under strict"):
        verify(made, {})


@pytest.mark.parametrize("name", ["entry.json", "entry.json.gz"])
def test_a_file_is_read_as_it_was_written(tmp_path: Path, name: str):
    write_entry(entry(), tmp_path / "deep" / name)
    assert read_entry(tmp_path / "deep" / name) == entry()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", b"", "not valid JSON"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.json", b"\xff\xfe", "not valid JSON"),
        ("a.json", b'{"format": NaN}', "not valid JSON"),
        ("a.json", b"[1]", "its format is None"),
        ("a.json", b'{"format": "tolman.entry/1"}', "not a whole entry"),
        ("a.json", b'{"format": "tolman.entry/1", "scenes": ' + b"9" * 9999 + b"}", "not valid JSON"),
        ("a.json.gz", b"nothing of the kind", "not valid JSON"),
        ("a.json.gz", gzip.compress(b"{}", mtime=0)[:-9], "can't be unpacked"),
    ],
)
def test_anything_else_is_refused_with_one_line(tmp_path: Path, name: str, content: bytes, reason: str):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(EntryRefused, match=reason) as caught:
        read_entry(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_no_more_is_unpacked_than_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setattr(entry_file, "ENTRY", UnpackLimit(10_000, 50, 10_000))
    content = b" " * 50_000_000
    (tmp_path / name).write_bytes(gzip.compress(content, 1) if name.endswith(".gz") else content)
    with pytest.raises(EntryRefused, match="more than 10,000 bytes"):
        read_entry(tmp_path / name)


def test_infinity_is_no_score(tmp_path: Path):
    tampered = values()
    tampered["scenes"][0]["scores"]["strict"]["explore/cost"] = "HERE"
    text = json.dumps(tampered).replace('"HERE"', "1e999")
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(EntryRefused, match="finite"):
        read_entry(tmp_path / "a.json")
    assert read_json(tmp_path / "a.json")
