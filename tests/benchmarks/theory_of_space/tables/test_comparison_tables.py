"""Which runs are compared, and what a reader is told."""

import json
from dataclasses import replace
from functools import cache
from typing import Any, cast

import pytest

from tests.benchmarks.theory_of_space.logged_runs import OPTIONS, case, lived, passive, record, replies
from tests.benchmarks.theory_of_space.tables.test_layout import printed
from tolman.ask import find_kind
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.runs import ScoredScene, score_record
from tolman.benchmarks.theory_of_space.tables import RunSummary, TheoryOfSpaceRun, as_dict, summarise_run
from tolman.benchmarks.theory_of_space.tables.comparison_tables import RunPair, compared_pairs
from tolman.benchmarks.theory_of_space.tables.layout import name_runs
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS

SEVEN = tuple(range(7))


@cache
def right(seed: int, options: Options = OPTIONS) -> ScoredScene:
    return score_record(lived(seed, options))


@cache
def wrong(seed: int) -> ScoredScene:
    """All answers wrong, and the map still right."""
    of = case(seed)
    answers = {f"ask/none/{q.kind}/1": find_kind(q.kind).wrong(q) for q in of.questions}
    return score_record(ScoredCase(of, OPTIONS, record(replies(of) | answers)))


def run(model: str, *scenes: ScoredScene, options: Options = OPTIONS) -> RunSummary:
    return summarise_run(TheoryOfSpaceRun(model, options, list(scenes), [], len(scenes), options.as_dict()))


def compared(*known: RunSummary) -> list[RunPair]:
    return compared_pairs(name_runs(known), "strict")


def names(*known: RunSummary) -> list[tuple[str, str]]:
    return [(pair.first.summary.run.model, pair.second.summary.run.model) for pair in compared(*known)]


def test_the_better_run_stands_first_and_is_called_better():
    (pair,) = compared(run("a/bad", *map(wrong, SEVEN)), run("a/good", *map(right, SEVEN)))
    assert (pair.first.name, pair.second.name) == ("a/good, questions 1", "a/bad, questions 1")
    answers, maps = pair.tested[ANSWERS], pair.tested[CORRECTNESS]
    assert answers.comparison.difference.mean > 0.8
    assert (answers.p, answers.verdict) == (2 / 128, "better")
    assert (maps.comparison.difference.mean, maps.p, maps.verdict) == (0.0, 1.0, "tie")


def test_equal_runs_tie():
    (pair,) = compared(run("a/one", *map(right, SEVEN)), run("a/two", *map(right, SEVEN)))
    assert {tested.verdict for tested in pair.tested.values()} == {"tie"}


def test_p_values_are_corrected_for_all_pairs_that_are_shown():
    known = [run("a/good", *map(right, SEVEN)), *(run(f"a/bad{i}", *map(wrong, SEVEN)) for i in range(3))]
    found = [pair.tested[ANSWERS] for pair in compared(*known)]
    assert sorted(tested.comparison.p for tested in found) == [2 / 128] * 3 + [1.0] * 3
    assert sorted(tested.p for tested in found) == [6 * 2 / 128] * 3 + [1.0] * 3
    assert {tested.verdict for tested in found} == {"tie"}


def test_runs_that_share_fewer_than_three_scenes_are_not_compared():
    assert names(run("a/one", *map(right, (0, 1, 2, 3))), run("a/two", *map(right, (2, 3, 4, 5)))) == []
    (pair,) = compared(run("a/one", *map(right, (0, 1, 2, 3))), run("a/two", *map(wrong, (1, 2, 3, 4))))
    assert list(pair.tested[ANSWERS].comparison.by_scene) == ["1", "2", "3"]


def test_scenes_of_one_name_must_be_the_same_world():
    def renamed(seed: int) -> ScoredScene:
        of = lived(seed + 10)
        return score_record(ScoredCase(replace(of.case, id=str(seed)), of.options, of.record))

    assert names(run("a/one", *map(right, (0, 1, 2))), run("a/two", *map(renamed, (0, 1, 2)))) == []


def test_scenes_must_have_the_same_questions():
    fewer = replace(OPTIONS, kinds=("direction",))
    other = run("a/two", *(right(seed, fewer) for seed in (0, 1, 2)), options=fewer)
    assert names(run("a/one", *map(right, (0, 1, 2))), other) == []


def test_worlds_and_modes_are_not_mixed():
    of = run("a/one", *map(right, (0, 1, 2)))
    for options in (passive(), replace(OPTIONS, world="vision")):
        other = summarise_run(replace(of.run, model="a/two", options=options))
        assert names(of, other) == []


def test_the_order_is_that_of_the_scenes_they_share():
    """One run is better on the whole, but not where the other was, too."""
    strong = run("a/strong", *map(right, (3, 4, 5, 6)), *map(wrong, (0, 1, 2)))
    weak = run("a/weak", right(0), wrong(1), wrong(2))
    assert strong.measured["strict"].interval(ANSWERS).mean > weak.measured["strict"].interval(ANSWERS).mean
    assert names(strong, weak) == [("a/weak", "a/strong")]


@pytest.mark.parametrize(("runs", "count"), [(8, 28), (9, 8)])
def test_many_runs_are_compared_with_the_best_only(runs: int, count: int):
    known = [run(f"a/bad{i}", *map(wrong, (0, 1, 2))) for i in range(runs - 1)]
    found = names(*known, run("a/best", *map(right, (0, 1, 2))))
    assert len(found) == count
    assert [first for first, _ in found][: runs - 1] == ["a/best"] * (runs - 1)


# ---- what is shown ----


def test_the_table_says_who_is_better():
    known = run("a/good", *map(right, SEVEN)), run("a/bad", *map(wrong, SEVEN))
    lines = printed(*known, width=80).splitlines()
    at = lines.index("a/good, questions 1 against a/bad, questions 1")
    assert lines[at + 1].split()[0] == "7"
    assert lines[at + 1].split()[2:4] == [".016", "better"]
    assert "1.000 tie" in " ".join(lines[at + 1].split())
    assert not any("every pair is a tie" in line for line in lines)


def test_few_scenes_come_with_a_warning():
    text = printed(run("a/good", *map(right, (0, 1, 2))), run("a/bad", *map(wrong, (0, 1, 2))))
    assert "fewer than 6 shared scenes every pair is a tie" in text


def test_runs_that_share_nothing_have_no_table():
    assert "Which model" not in printed(run("a/one", *map(right, (0, 1, 2))))
    assert "Which model" not in printed(run("a/one", *map(right, (0, 1, 2))), run("a/two", *map(right, (3, 4, 5))))


def test_comparisons_are_among_the_plain_values():
    known = [run("a/bad", *map(wrong, SEVEN)), run("a/good", *map(right, SEVEN)), run("a/alone", right(8))]
    values = json.loads(json.dumps(as_dict(known), allow_nan=False))
    (found,) = cast("list[dict[str, Any]]", values["comparisons"])
    assert (found["runs"], found["world"], found["mode"], found["rules"]) == ([1, 0], "text", "active", "strict")
    answers = found["columns"][ANSWERS]
    assert (answers["p"], answers["p_holm"], answers["verdict"], answers["scenes"]) == (2 / 128, 2 / 128, "better", 7)
    assert answers["difference"]["mean"] > 0.8
    assert list(answers["by_scene"]) == [str(seed) for seed in SEVEN]
    assert found["columns"][CORRECTNESS]["least_detectable"] is None
