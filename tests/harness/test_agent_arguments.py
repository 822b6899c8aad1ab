"""Arguments of a scripted agent are part of a run's identity: two of them in one folder are two runs, also resumed."""

from pathlib import Path

import pytest

from tests.command_line import Here
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, read_runs
from tolman.harness.logs import reply_args

GIVEN = ("--rooms", "2", "--things", "3", "--mode", "passive", "--explorer", "random", "--phases", "explore,ask")
QUIET = ("--display", "none", "--no-tables")


def replies(run: TheoryOfSpaceRun) -> dict[str, list[str]]:
    return {case.id: [call.reply for call in case.logged.record.calls] for case in run.cases}


def test_two_observers_in_one_folder_are_two_runs(tmp_path: Path, here: Here) -> None:
    def evaluated(folder: str, scenes: str, *args: str) -> None:
        words = ("eval", "theory-of-space", "--model", "tolman/ideal", *GIVEN, "--scenes", scenes, *QUIET)
        assert here(*words, "--log-dir", tmp_path / folder, *args).returncode == 0

    observers = ("relations", "generative")
    for name in observers:
        evaluated("both", "0-1", "-M", f"observer={name}")
        evaluated(name, "0-1", "-M", f"observer={name}")
    runs = read_runs([tmp_path / "both"], pytest.fail)
    assert [run.settings.get("observer") for run in runs] == list(observers)
    for run, name in zip(runs, observers, strict=True):
        (alone,) = read_runs([tmp_path / name], pytest.fail)
        assert len(run.cases) == 2
        assert replies(run) == replies(alone)
        assert f"--model-arg observer={name}" in run.origins[0].command, "the command that makes it again"
    assert replies(runs[0]) != replies(runs[1]), "the two answer otherwise"
    shown = here("show", tmp_path / "both").stdout
    assert all(f"observer {name}" in shown for name in observers)
    assert "1 model, 2 runs" in shown


def test_what_changes_no_reply_is_not_part_of_a_run() -> None:
    assert reply_args("tolman/planner", {"horizon": 3}) == {"horizon": 3}
    assert reply_args("local/model.gguf", {"threads": 2, "model_path": "m"}) == {"model_path": "m"}
    assert reply_args("human/ann", {"sittings": "folder"}) == {}
