"""Every switch of the rules alone: what it changes, on an example. `docs/osr-bench-data.md` has the same examples."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.osr_bench.grid_maps import ABSENT, drawn, fresh_maps
from tolman.benchmarks.osr_bench.maps.grid import GridMap, map_from_instances, read_map
from tolman.benchmarks.osr_bench.maps.scores import score_map
from tolman.benchmarks.osr_bench.questions.generate import negative_questions, prompt_classes, standard_questions
from tolman.benchmarks.osr_bench.questions.question import DIRECTIONS, NO_CANDIDATE, Question, QuestionKind, grade
from tolman.benchmarks.osr_bench.questions.sampling import is_clear_direction, is_clear_distance
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT, SWITCHES, Rules, find_rules
from tolman.core.errors import UnknownNameError

CROWD = drawn("""
    a . . bc .
    . . . . .
    d . . . .
    . . . . .
    . . . . e
""")
TIES = drawn("""
    a . b . .
    . . . . .
    c . . . .
    . . . . d
    . . . e .
""")
ASIDE = drawn("""
    a . . . . . .
    . . . . . b .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    c . . d e . .
""")
COUNT = Question(1, "counting", ("chair",), "4", "")
CLOSEST = Question(2, "distance", ("bed", "tv", "rug", "sofa", "lamp"), "tv", "")
TRUTH = map_from_instances({"bed": [(0, 0)], "tv": [(9, 9)]})


def test_strict_mends_every_defect_that_published_keeps():
    assert not any(getattr(PUBLISHED, switch) for switch in SWITCHES)
    assert all(getattr(STRICT, switch) for switch in SWITCHES)
    assert find_rules("published") is PUBLISHED
    assert find_rules("strict") is STRICT
    with pytest.raises(UnknownNameError, match=r"published.*strict"):
        find_rules("lenient")


def _asked(world: GridMap, rules: Rules, kind: QuestionKind, seeds: int = 12) -> Counter[tuple[str, ...]]:
    return Counter(
        q.names for seed in range(seeds) for q in standard_questions(world, seed, 10, rules) if q.kind == kind
    )


def _shares_a_cell(rules: Rules) -> bool:
    return ("a", "b", "c") in _asked(CROWD, rules, "direction")


def _asks_ties(rules: Rules) -> bool:
    asked = _asked(TIES, rules, "distance")
    return any(not is_clear_distance(TIES, names) for names in asked)


def _asks_beside_a_line(rules: Rules) -> bool:
    bars = replace(PUBLISHED, near_alignment_is_not_asked=True)
    return any(not is_clear_direction(ASIDE, names, bars) for names in _asked(ASIDE, rules, "direction"))


def _most_frequent_direction(rules: Rules) -> bool:
    answers = Counter(
        q.answer
        for seed, world in enumerate(fresh_maps()[:20])
        for q in standard_questions(world, seed, 10, rules)
        if q.kind == "direction"
    )
    assert set(answers) <= set(DIRECTIONS)
    return max(answers.values()) / answers.total() > 0.2


def _asks_where_nothing_is(rules: Rules) -> bool:
    asked = [q for seed in range(10) for q in negative_questions(TIES, ABSENT, seed, 10, rules)]
    return Counter(q.answer for q in asked)[NO_CANDIDATE] >= 10


def _asks_twice(rules: Rules) -> bool:
    return any(
        len({q.names for q in asked}) < len(asked)
        for seed in range(10)
        for kind in ("distance", "direction")
        if (asked := [q for q in standard_questions(TIES, seed, 30, rules) if q.kind == kind])
    )


EXAMPLES: dict[str, tuple[Callable[[Rules], object], object, object]] = {
    "objects_never_share_a_cell": (_shares_a_cell, True, False),
    "ties_are_not_asked": (_asks_ties, True, False),
    "near_alignment_is_not_asked": (_asks_beside_a_line, True, False),
    "directions_are_balanced": (_most_frequent_direction, True, False),
    "absences_are_asked": (_asks_where_nothing_is, False, True),
    "questions_come_once": (_asks_twice, True, False),
    "pools_tell_nothing": (lambda rules: prompt_classes(("tv", "bed"), ("rug",), rules)[0], "tv", "bed"),
    "true_handedness": (lambda rules: score_map(TRUTH, TRUTH.instances, rules).mirrored_f1 is None, True, False),
    "forgiving_answers": (lambda rules: grade(CLOSEST, "The TV.", rules), 0.0, 1.0),
    "counts_are_exact": (lambda rules: grade(COUNT, "3", rules), 0.75, 0.0),
    "forgiving_maps": (lambda rules: read_map('{"bed": [(0, 0)]}', rules), None, {"bed": [(0, 0)]}),
    "points_outside_are_wrong": (
        lambda rules: score_map(TRUTH, {"bed": [(0, 0)], "tv": [(9, 9), (10, 10)]}, rules).precision,
        1.0,
        2 / 3,
    ),
    "every_class_counts": (lambda rules: score_map(TRUTH, {"bed": [(0, 0)]}, rules).recall, 1.0, 0.5),
    "maps_may_share_no_class": (lambda rules: score_map(TRUTH, {"sofa": [(0, 0)]}, rules).read, False, True),
}


@pytest.mark.parametrize("switch", EXAMPLES)
def test_each_switch_alone_makes_its_difference(switch: str):
    outcome, released, mended = EXAMPLES[switch]
    assert outcome(PUBLISHED) == released
    assert outcome(replace(PUBLISHED, **{switch: True})) == mended
    for other in EXAMPLES.keys() - {switch}:
        assert outcome(replace(PUBLISHED, **{other: True})) == released, other


def test_every_switch_has_an_example_here_and_in_the_docs():
    elsewhere = {"special_answers_are_told", "class_lists_hold_distractors"}
    assert EXAMPLES.keys() | elsewhere == set(SWITCHES)
    page = Path(__file__).resolve().parents[3] / "docs" / "osr-bench-data.md"
    text = page.read_text(encoding="utf-8")
    assert [switch for switch in SWITCHES if f"`{switch}`" not in text] == []
