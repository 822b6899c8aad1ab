"""`tolman show` on logs of questions about pictures: the numbers are those of the replies."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.sparrta.questions.logged_runs import (
    everyday,
    from_camera,
    knowing,
    lived,
    pictures,
    sample,
    write_log,
    write_run,
)
from tests.benchmarks.theory_of_space.logged_runs import OPTIONS as WALKED
from tests.benchmarks.theory_of_space.logged_runs import lived as walked
from tests.benchmarks.theory_of_space.logged_runs import sample as walked_sample
from tests.benchmarks.theory_of_space.logged_runs import write_log as write_walked
from tolman.benchmarks.sparrta.case import Case, RelationQuestion
from tolman.benchmarks.sparrta.cases import stored_cases
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.questions.accuracy import VIEWPOINT_NAMES, accuracy, balanced_accuracy
from tolman.benchmarks.sparrta.questions.runs import AnsweredQuestion
from tolman.benchmarks.sparrta.sample import RELATIONS, Relation
from tolman.cli.show import show
from tolman.core.errors import SettingsError


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pictures(tmp_path_factory.mktemp("pictures"))


def numbers(tmp_path: Path, *logs: Path) -> dict[str, Any]:
    show(list(logs), json_file=tmp_path / "numbers.json")
    return json.loads((tmp_path / "numbers.json").read_text())


def test_scores_are_those_of_the_replies(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = write_run(tmp_path / "logs", data, knowing, "openai/knowing")
    write_run(tmp_path / "logs", data, everyday, "openai/everyday", Options(think=True))
    write_run(tmp_path / "logs", data, from_camera, "openai/camera")
    found = numbers(tmp_path, tmp_path / "logs")
    runs = {run["name"]: run for run in found["runs"]}
    assert set(runs) == {"openai/knowing", "openai/camera", "openai/everyday, think"}
    asked = Counter((q.viewpoint, q.answer) for case in cases for q in case.questions)
    for view in ("ego", "allo"):
        of_view = {relation: asked[view, relation] for relation in RELATIONS}
        total = sum(of_view.values())
        known, turned = (runs[name]["viewpoints"][view] for name in ("openai/knowing", "openai/everyday, think"))
        assert (known["accuracy"]["mean"], known["balanced_accuracy"]["mean"], known["questions"]) == (1, 1, total)
        assert known["accuracy"]["low"] < 1, "a perfect score of few pictures is not certain"
        assert turned["accuracy"]["mean"] == pytest.approx((of_view["left"] + of_view["right"]) / total)
        assert turned["balanced_accuracy"]["mean"] == pytest.approx(0.5)
        table = runs["openai/everyday, think"]["confusion"][view]
        assert table["front"]["back"] == of_view["front"]
        assert table["back"]["front"] == of_view["back"]
        majority = found["majority"]["viewpoints"][view]
        assert majority["accuracy"]["mean"] == pytest.approx(max(of_view.values()) / total)
        assert majority["balanced_accuracy"]["mean"] == pytest.approx(0.25)
    both = [{q.viewpoint: q.answer for q in case.questions} for case in cases if len(case.questions) == 2]
    change = runs["openai/camera"]["camera_and_person"]
    assert change["pictures"] == len(both)
    assert (change["same_said"]["mean"], change["as_camera"]["mean"]) == (1, 1)
    same = sum(answers["ego"] == answers["allo"] for answers in both) / len(both)
    assert change["same_true"]["mean"] == pytest.approx(same)
    assert change["both_right"]["mean"] == pytest.approx(same)
    assert set(found["runs"][0]["environments"]) == {"desert", "forest"}
    assert set(found["runs"][0]["triples"]) == {"desert 2", "forest 1"}
    shown = capsys.readouterr().out
    for title in ("SpaRRTa: 3 models", "by environment", "by triple", "Confusions, from the person", "Price"):
        assert title in shown
    assert "cactus and camel" in shown


def test_the_mean_of_both_viewpoints_is_not_named_like_both_right(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = write_run(tmp_path / "logs", data, from_camera, "openai/camera")
    (run,) = numbers(tmp_path, tmp_path / "logs")["runs"]
    shown = capsys.readouterr().out
    heading, *_, row = shown[shown.index("Right answers, %") :].split("\n")[1:7]
    assert heading.endswith("Both, mean")
    asked = [question for case in cases for question in case.questions]
    right = sum(
        run["viewpoints"][view]["accuracy"]["mean"] * run["viewpoints"][view]["questions"] for view in VIEWPOINT_NAMES
    )
    assert row.split()[-1] == f"{100 * right / len(asked):.1f}"
    assert row.split()[-1] != f"{100 * run['camera_and_person']['both_right']['mean']:.1f}"
    assert "over all answers from either viewpoint" in " ".join(shown.split())


def vague(case: Case, question: RelationQuestion) -> str:
    return f"The {case.target} is behind, as seen from {question.viewpoint}."


def test_what_is_not_read_is_counted_and_wrong(data: Path, tmp_path: Path) -> None:
    write_run(tmp_path / "logs", data, vague, "openai/vague")
    (run,) = numbers(tmp_path, tmp_path / "logs")["runs"]
    for view, table in run["confusion"].items():
        figures = run["viewpoints"][view]
        assert figures["accuracy"]["mean"] == 0
        assert figures["not_read"] == figures["questions"] == sum(row["not read"] for row in table.values())


def test_logs_of_one_run_add_up_and_failures_are_told(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, cases = Options(), stored_cases(data, Options())
    half = len(cases) // 2
    first = [sample(lived(case, options, knowing)) for case in cases[:half]]
    first[0] = sample(lived(cases[0], options, knowing), error="no such deployment")
    write_log(tmp_path / "logs", first, options, "openai/knowing")
    rest = [sample(lived(case, options, knowing)) for case in cases[half:]]
    write_log(tmp_path / "logs", rest, options, "openai/knowing", created="2026-01-02T00:00:00+00:00")
    (run,) = numbers(tmp_path, tmp_path / "logs")["runs"]
    assert len(run["pictures"]["finished"]) == len(cases) - 1
    assert run["pictures"]["failed"] == [{"picture": cases[0].id, "reason": "no such deployment"}]
    shown = capsys.readouterr().out
    assert f"{len(cases) - 1} of {len(cases)} pictures" in shown
    assert "no such deployment" in shown


def test_beside_another_benchmark(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "logs" / "asked", data, knowing, "openai/knowing")
    write_walked(tmp_path / "logs" / "walked", [walked_sample(walked(0))], options=WALKED)
    assert set(numbers(tmp_path, tmp_path / "logs")) == {"theory_of_space", "sparrta"}
    shown = capsys.readouterr().out
    assert shown.index("Theory of Space") < shown.index("SpaRRTa")
    write_walked(tmp_path / "other", [walked_sample(walked(0))], options=WALKED, task="other/arithmetic")
    with pytest.raises(SettingsError, match="SpaRRTa"):
        show([tmp_path / "other"])


def answers(*said: tuple[int, Relation, Relation | None]) -> list[AnsweredQuestion]:
    return [AnsweredQuestion(str(picture), "desert", 1, "ego", true, word) for picture, true, word in said]


@given(
    st.lists(st.tuples(st.integers(0, 20), st.sampled_from(RELATIONS), st.sampled_from((*RELATIONS, None))), min_size=1)
)
def test_intervals_hold_their_mean(said: list[tuple[int, Relation, Relation | None]]) -> None:
    found = answers(*said)
    right = accuracy(found)
    assert right.mean == pytest.approx(sum(answer.right for answer in found) / len(found))
    recalls = [
        sum(answer.right for answer in of) / len(of)
        for relation in RELATIONS
        if (of := [answer for answer in found if answer.answer == relation])
    ]
    balanced = balanced_accuracy(found)
    every = len(recalls) == len(RELATIONS)
    assert balanced.mean == pytest.approx(sum(recalls) / len(recalls) if every else math.nan, nan_ok=True)
    if len(found) >= 3:
        for interval in (right, *[balanced] * every):
            assert 0 <= interval.low <= interval.mean + 1e-9
            assert interval.mean - 1e-9 <= interval.high <= 1


def test_answers_to_one_picture_are_not_counted_as_several_pictures() -> None:
    def half_right(each: int) -> list[AnsweredQuestion]:
        """Forty answers, so many to a picture, which are all right or all wrong."""
        return [said for n in range(40) for said in answers((n // each, "left", "left" if n // each % 2 else None))]

    alone, fours = accuracy(half_right(1)), accuracy(half_right(4))
    assert alone.mean == fours.mean == 0.5
    assert fours.high - fours.low > 1.5 * (alone.high - alone.low)
