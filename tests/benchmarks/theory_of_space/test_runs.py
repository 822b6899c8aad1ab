"""Logs become runs: resumed, failed, unfinished, damaged and foreign ones."""

from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai.log import EvalSampleLimit, read_eval_log, write_eval_log

from tests.benchmarks.theory_of_space.logged_runs import (
    OPTIONS,
    case,
    lived,
    passive,
    record,
    replies,
    sample,
    write_log,
)
from tolman.ask import find_kind
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.tables import TheoryOfSpaceRun, read_runs
from tolman.core.errors import SettingsError


def read(*paths: Path) -> list[TheoryOfSpaceRun]:
    """The runs in paths, none of which gives cause for a warning."""
    told: list[str] = []
    runs = read_runs(paths, told.append)
    assert told == []
    return runs


def answered_wrong(seed: int) -> ScoredCase:
    of = case(seed)
    wrong = {f"ask/none/{question.kind}/1": find_kind(question.kind).wrong(question) for question in of.questions}
    return ScoredCase(of, OPTIONS, record(replies(of) | wrong))


def accuracy(run: TheoryOfSpaceRun) -> dict[str, float]:
    return {scene.id: max(a.score for a in scene.scores["strict"].answers) for scene in run.cases}


def test_a_log_holds_the_scenes_of_a_model_with_their_scores(tmp_path: Path):
    write_log(tmp_path, [sample(lived(0)), sample(answered_wrong(1))])
    (run,) = read(tmp_path)
    assert (run.model, run.mode, run.world, run.planned) == ("openai/gpt-5.2", "active", "text", 2)
    assert accuracy(run) == {"0": 1.0, "1": 0.0}
    assert run.options == OPTIONS


def test_a_file_reads_like_its_folder(tmp_path: Path):
    file = write_log(tmp_path, [sample(lived(0))])
    assert [s.id for run in read(file) for s in run.cases] == [s.id for run in read(tmp_path, file) for s in run.cases]


def test_a_scene_that_somebody_interrupted_is_not_done_but_did_not_fail(tmp_path: Path):
    interrupted = sample(lived(1), error="CancelledError('Cancelled via cancel scope 7f4eb6e8c720')")
    write_log(tmp_path, [sample(lived(0)), interrupted])
    (run,) = read(tmp_path)
    assert ([scene.id for scene in run.cases], run.failed, run.planned) == (["0"], [], 2)


def test_long_replies_come_back_word_for_word(tmp_path: Path):
    of = case(0)
    said = replies(of)
    said["explore/1"] = "Thoughts. " * 50_000 + said["explore/1"]
    said["explore/1/global/1"] = "attachment://0123456789abcdef0123456789abcdef"
    write_log(tmp_path, [sample(ScoredCase(of, OPTIONS, record(said)))])
    (run,) = read(tmp_path)
    assert run.cases[0].logged.record.replies == said


def test_failed_scenes_keep_their_reason_and_the_rest_is_not_done(tmp_path: Path):
    broken = sample(lived(1), error="the server\nis down [bold]now[/bold]")
    write_log(tmp_path, [sample(lived(0)), broken], planned=["0", "1", "2", "3"])
    (run,) = read(tmp_path)
    assert [scene.id for scene in run.cases] == ["0"]
    assert run.failed == [("1", "the server is down [bold]now[/bold]")]
    assert (run.planned, run.not_done) == (4, 2)


def test_a_scene_that_a_limit_cut_short_is_not_scored(tmp_path: Path):
    cut = sample(lived(0))
    cut.limit = EvalSampleLimit(type="token", limit=500)
    write_log(tmp_path, [cut])
    (run,) = read(tmp_path)
    assert not run.cases
    assert "500" in run.failed[0][1]


def test_a_record_that_ends_in_the_middle_counts_as_failed(tmp_path: Path):
    of = case(0)
    write_log(tmp_path, [sample(ScoredCase(of, OPTIONS, record({"explore/1": "Actions: [Observe()]"})))])
    (run,) = read(tmp_path)
    assert not run.cases
    assert "explore/2" in run.failed[0][1]


def test_of_several_logs_of_a_run_the_latest_finished_scene_counts(tmp_path: Path):
    early, late = "2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00"
    first = [sample(answered_wrong(0)), sample(lived(1)), sample(lived(2), error="down")]
    then = [sample(lived(0)), sample(lived(1), error="down again"), sample(lived(2))]
    write_log(tmp_path, then, created=late, planned=["0", "1", "2", "3"])
    write_log(tmp_path, first, created=early)
    (run,) = read(tmp_path)
    assert accuracy(run) == {"0": 1.0, "1": 1.0, "2": 1.0}
    assert run.failed == []
    assert (run.planned, run.not_done) == (4, 1)


def test_other_models_modes_options_and_worlds_are_other_runs(tmp_path: Path):
    for i, different in enumerate(
        (
            {},
            {"model": "openai/gpt-6"},
            {"options": passive()},
            {"options": replace(OPTIONS, budget=40)},
            {"rooms": 4},
        )
    ):
        write_log(tmp_path / str(i), [], planned=["0"], **different)  # pyright: ignore[reportArgumentType]
    assert len(read(tmp_path)) == 5


def test_logs_of_other_tasks_are_passed_over(tmp_path: Path):
    write_log(tmp_path / "a", [], task="inspect_evals/gsm8k")
    write_log(tmp_path / "b", [sample(lived(0))])
    assert len(read(tmp_path)) == 1
    with pytest.raises(SettingsError, match="Theory of Space"):
        read(tmp_path / "a")


def test_a_damaged_log_is_one_line_of_warning(tmp_path: Path):
    whole = write_log(tmp_path, [sample(lived(0))])
    (tmp_path / "cut.eval").write_bytes(whole.read_bytes()[:700])
    (tmp_path / "noise.eval").write_bytes(b"\x00noise" * 100)
    told: list[str] = []
    (run,) = read_runs([tmp_path], told.append)
    assert [scene.id for scene in run.cases] == ["0"]
    assert len(told) == 2
    assert all("\n" not in line and ".eval" in line for line in told)


def test_a_damaged_scene_leaves_the_others(tmp_path: Path):
    file = write_log(tmp_path, [sample(lived(0)), sample(lived(1))])
    content = bytearray(file.read_bytes())
    at = content.index(b"samples/0_epoch_1.json") + 300
    content[at : at + 200] = b"\x00" * 200
    file.write_bytes(content)
    told: list[str] = []
    (run,) = read_runs([tmp_path], told.append)
    assert [scene.id for scene in run.cases] == ["1"]
    assert (run.planned, run.not_done, len(told)) == (2, 1, 1)


def test_nothing_to_read_says_what_to_do(tmp_path: Path):
    with pytest.raises(SettingsError, match="tolman eval"):
        read(tmp_path)
    with pytest.raises(SettingsError, match="nowhere"):
        read(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-5.2", "openai/gpt-5.2"),
        ("replay//data/runs-00-03.tar.xz:gpt-5.2", "gpt-5.2 (replayed)"),
        ("replay/logs/theory-of-space/mine", "mine (replayed)"),
        ("openai/\x1b[31mred", "openai/\N{REPLACEMENT CHARACTER}[31mred"),
    ],
)
def test_names_of_models(tmp_path: Path, model: str, name: str):
    file = write_log(tmp_path, [], planned=["0"])
    (run,) = read(file)
    assert TheoryOfSpaceRun(model, run.options, [], [], 1).name == name


def test_a_log_of_another_version_is_one_line_of_warning(tmp_path: Path):
    write_log(tmp_path / "now", [sample(lived(0))])
    file = write_log(tmp_path / "then", [sample(lived(0))], model="openai/old")
    log = read_eval_log(str(file))
    log.eval.metadata = {"options": {**OPTIONS.as_dict(), "glasses": "rosy"}}
    write_eval_log(log, str(file))
    told: list[str] = []
    (run,) = read_runs([tmp_path], told.append)
    assert run.model == "openai/gpt-5.2"
    assert len(told) == 1
    assert "version" in told[0]
