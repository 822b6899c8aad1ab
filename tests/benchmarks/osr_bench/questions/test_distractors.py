"""Distractors, counted over a small set of rooms by hand."""

import math
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from tolman.benchmarks.osr_bench.cases import generated_cases
from tolman.benchmarks.osr_bench.dataset.files import generated_maps
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.generate import CoOccurrence
from tolman.benchmarks.osr_bench.tables.references import COMMON_PLACES, baseline_rows

ROOMS = [
    ("bed", "lamp", "rug"),
    ("bed", "lamp"),
    ("sofa", "tv", "rug"),
    ("sofa", "tv", "lamp"),
    ("oven", "sink", "bed"),
]


def test_rooms_are_counted_once_for_a_class_and_for_a_pair():
    co_occurrence = CoOccurrence.of(ROOMS)
    assert co_occurrence.rooms["lamp"] == co_occurrence.rooms["bed"] == 3
    assert co_occurrence.together["bed"]["lamp"] == co_occurrence.together["lamp"]["bed"] == 2
    assert co_occurrence.together["bed"]["sofa"] == 0


def test_the_most_frequent_absent_classes_come_first():
    assert CoOccurrence.of(ROOMS).frequent(["lamp"], 3) == ["bed", "rug", "sofa"]


def test_code_takes_the_largest_co_occurrence_and_the_paper_walks_from_object_to_object():
    co_occurrence = CoOccurrence.of(ROOMS)
    present, besides = ("oven", "tv"), ("bed",)
    assert co_occurrence.companions(present, besides, 2, "code") == ["sofa", "lamp"]
    assert co_occurrence.companions(present, besides, 2, "paper") == ["sink", "sofa"]


def test_distractors_are_absent_different_and_at_most_ten():
    co_occurrence = CoOccurrence.of(ROOMS)
    for present in ROOMS:
        for choice in ("code", "paper"):
            found = co_occurrence.distractors(present, choice)
            assert not set(found) & set(present)
            assert len(set(found)) == len(found) <= 10
    assert CoOccurrence.of([("bed",)]).distractors(("bed",)) == []


def test_statistics_are_stored_as_the_authors_store_theirs():
    stored = CoOccurrence.of(ROOMS).as_dict
    assert stored["object_frequency"] == {"bed": 3, "lamp": 3, "rug": 2, "sofa": 2, "tv": 2, "oven": 1, "sink": 1}
    assert stored["cooccurrence_count"]["tv"] == {"sofa": 2, "rug": 1, "lamp": 1}  # pyright: ignore[reportIndexIssue, reportUnknownMemberType]


# ---- lists of classes that hold distractors ----


def test_half_of_a_list_is_not_in_the_room_and_nothing_tells_which_half():
    for case in generated_cases(range(20), Options(each=1)):
        there = set(case.truth.classes)
        assert there < set(case.pool)
        assert len(case.pool) == len(set(case.pool)) == 2 * len(there)
        assert list(case.pool) == sorted(case.pool)


def test_lists_are_the_same_whichever_other_rooms_are_chosen_and_differ_from_room_to_room():
    one, other = generated_cases([4, 7], Options(each=1))
    assert generated_cases([7], Options(each=3))[0].pool == other.pool
    assert set(one.pool) - set(one.truth.classes) != set(other.pool) - set(other.truth.classes)


@pytest.mark.parametrize("options", [Options(each=1, class_list="exact"), Options(each=1, rules="published")])
def test_the_released_protocol_names_exactly_what_is_there(options: Options):
    for case in generated_cases(range(5), options):
        assert set(case.pool) == set(case.truth.classes)


def test_negative_questions_come_with_the_distractors_that_they_ask_about():
    choices = (Options(), Options(class_list="exact"), Options(class_list="distractors"))
    for options in (replace(choice, each=1, asked="negative") for choice in choices):
        (case,) = generated_cases([7], options)
        assert len(case.pool) == len(case.truth.classes) + 10


def test_who_echoes_the_list_invents_half_of_it_and_finds_less_than_with_exact_lists():
    options = Options(each=1, class_list="exact"), Options(each=1, class_list="distractors")
    rows = [{row.name: row for row in baseline_rows(generated_cases(range(10), one), "standard")} for one in options]
    for name in ("constant", "echo", "chance"):
        exact, strict = (by_name[name].values for by_name in rows)
        assert exact["map/invented_classes"].mean == 0.0
        assert strict["map/invented_classes"].mean == 0.5
        assert strict["map/f1"].mean < 0.8 * exact["map/f1"].mean
    assert rows[1]["none"].values["map/f1"].mean == 0.0


@pytest.mark.slow
def test_what_is_common_is_what_most_of_two_hundred_rooms_hold():
    rooms = list(generated_maps(range(10_000, 10_200), Options()))
    held = Counter(name for room in rooms for name in room.classes)
    assert {name for name, _ in held.most_common(len(COMMON_PLACES))} == set(COMMON_PLACES)
    cells = list(product(range(10), repeat=2))
    for name, places in COMMON_PLACES.items():
        left = Counter(at for room in rooms for at in room.instances.get(name, []))
        assert len(places) == 2 * round(left.total() / held[name])
        for column, row in places:
            near = {cell: [at for at in left if math.dist(at, cell) <= 2] for cell in cells}
            weights = {cell: sum(left[at] for at in near[cell]) for cell in cells}
            assert weights[row, column] == max(weights.values()), name
            for at in near[row, column]:
                del left[at]
