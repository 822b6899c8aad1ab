"""Entries of SpaRRTa's questions: samples are placed anew, replies scored again, and whoever lies is refused.

What places samples needs the renderer; what is refused before that does not.
"""

import importlib.util
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.sparrta.painted_scenes import painted
from tests.benchmarks.sparrta.questions.logged_runs import knowing, write_run
from tests.benchmarks.theory_of_space.leaderboard.test_board import command
from tolman.benchmarks.sparrta.leaderboard import LEADERBOARD
from tolman.benchmarks.sparrta.scenes.staging import variant_of
from tolman.benchmarks.sparrta.task import sparrta
from tolman.core.errors import SettingsError
from tolman.core.parallel import untracked
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.report.leaderboard.benchmark import EntryAbout
from tolman.report.leaderboard.entry_file import EntryRefused

needs_renderer = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")
Json = Any
IMAGES = [index for index in range(40) if variant_of("desert", index) == variant_of("desert", 0)][:3]
"""Of one variant, so that one environment is built."""


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Entries of two scripted models."""
    folder = tmp_path_factory.mktemp("sparrta")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOLMAN_CACHE", str(folder / "cache"))
        patch.delenv("INSPECT_CACHE_DIR", raising=False)
        for agent in ("oracle", "random"):
            images = ",".join(map(str, IMAGES))
            task = sparrta(environment="desert", images=images, size=96, preset="draft", assets="built-in")
            assert evaluate([task], RunPlan(f"tolman/{agent}", folder / agent, display="log")).complete
            assert command("submit", folder / agent, "-o", folder / "entries" / f"{agent}.json") == 0
    return folder / "entries"


@pytest.fixture
def honest(entries: Path) -> Json:
    return json.loads((entries / "random.json").read_text(encoding="utf-8"))


def refusal(tampered: Json) -> str:
    with pytest.raises(EntryRefused) as caught:
        LEADERBOARD.verify(LEADERBOARD.parse(json.loads(json.dumps(tampered))))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@needs_renderer
def test_scripted_models_stand_on_the_board(entries: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("board", entries, "--json", tmp_path / "board.json") == 0
    assert "From camera and person: 3 pictures of desert 1" in capsys.readouterr().out
    (league,) = json.loads((tmp_path / "board.json").read_text(encoding="utf-8"))["leagues"]
    assert league["entries"][0]["name"] == "tolman/oracle"
    assert league["entries"][0]["scores"]["strict"]["answers"]["mean"] == 1


@needs_renderer
def test_a_picture_that_holds_by_its_own_mask_only_is_the_same(honest: Json):
    """Where the quick way finds another sample, the picture's own mask decides."""
    told = LEADERBOARD.parse(honest)
    options = LEADERBOARD.verify(told).options
    changed = [case.model_copy(update={"digest": "0" * 64}) for case in told.cases[:1]]
    (made,) = LEADERBOARD.make_cases(changed, told.selection, options)
    assert LEADERBOARD.is_told(told.cases[0], made)


@needs_renderer
def test_forged_truths_and_missing_replies_are_refused(honest: Json):
    forged = deepcopy(honest)
    forged["cases"][1]["digest"] = "0" * 64
    made_from = f"environment desert triple 1 number {IMAGES[1]}"
    assert refusal(forged) == f"picture desert-{IMAGES[1]} is not the one that is made here from {made_from}"
    forged = deepcopy(honest)
    forged["cases"][1]["questions"] = []
    assert "cases.1.questions" in refusal(forged)
    shorter = deepcopy(honest)
    del shorter["cases"][2]["replies"]["allo"]
    assert refusal(shorter) == f"picture desert-{IMAGES[2]}, allo: there is no reply"
    changed = deepcopy(honest)
    for rules in ("strict", "published"):
        changed["summary"][rules]["answers"]["mean"] = 0.987
    assert "mean of answers under strict: claimed 0.987, recomputed " in refusal(changed)


def test_unknown_options_and_selections_are_refused_before_anything_is_placed():
    told: Json = {
        "format": "tolman.entry/1",
        "tolman": "0.1.0",
        "benchmark": "sparrta",
        "name": "someone",
        "model": "a/b",
        "options": {},
        "selection": {"balanced": False, "assets": "built-in", "preset": "draft"},
        "generation": {},
        "cases": [
            {
                "id": "desert-0",
                "made_from": {"environment": "desert", "triple": 1, "number": 0},
                "digest": "0" * 64,
                "replies": {"ego": "left"},
            }
        ],
        "summary": {},
    }
    for part, values, reason in (
        ("options", {"surprise": 1}, "there is no option 'surprise'"),
        ("options", {"size": 2048}, "its option size is 2048, and 1024 is the most"),
        ("options", {"viewpoints": ["bird"]}, "its option viewpoints is not one"),
        ("selection", {"balanced": False}, "its selection has, or lacks, "),
        ("selection", {**told["selection"], "assets": "/etc"}, "its selection has assets other than auto"),
        ("selection", {**told["selection"], "balanced": 1}, "neither yes nor no"),
    ):
        assert reason in refusal({**told, part: values})


def test_pictures_of_a_folder_can_not_be_submitted(tmp_path: Path):
    write_run(tmp_path / "logs", painted(tmp_path / "pictures", 6, "desert", 2, seed=1), knowing, "a/b")
    (run,) = LEADERBOARD.read_runs([tmp_path / "logs"], print, untracked)
    with pytest.raises(SettingsError, match="pictures of a folder, which a board can't make again") as caught:
        LEADERBOARD.entry(run, EntryAbout())
    assert "\n" not in str(caught.value)
