"""Distractors, counted over a small set of rooms by hand."""

from tolman.benchmarks.osr_bench.negatives import Company

ROOMS = [
    ("bed", "lamp", "rug"),
    ("bed", "lamp"),
    ("sofa", "tv", "rug"),
    ("sofa", "tv", "lamp"),
    ("oven", "sink", "bed"),
]


def test_rooms_are_counted_once_for_a_class_and_for_a_pair():
    company = Company.of(ROOMS)
    assert company.rooms["lamp"] == company.rooms["bed"] == 3
    assert company.together["bed"]["lamp"] == company.together["lamp"]["bed"] == 2
    assert company.together["bed"]["sofa"] == 0


def test_the_most_frequent_absent_classes_come_first():
    assert Company.of(ROOMS).frequent(["lamp"], 3) == ["bed", "rug", "sofa"]


def test_code_takes_the_largest_co_occurrence_and_the_paper_walks_from_object_to_object():
    company = Company.of(ROOMS)
    present, besides = ("oven", "tv"), ("bed",)
    assert company.companions(present, besides, 2, "code") == ["sofa", "lamp"]
    assert company.companions(present, besides, 2, "paper") == ["sink", "sofa"]


def test_distractors_are_absent_different_and_at_most_ten():
    company = Company.of(ROOMS)
    for present in ROOMS:
        for choice in ("code", "paper"):
            found = company.distractors(present, choice)
            assert not set(found) & set(present)
            assert len(set(found)) == len(found) <= 10
    assert Company.of([("bed",)]).distractors(("bed",)) == []


def test_statistics_are_stored_as_the_authors_store_theirs():
    stored = Company.of(ROOMS).as_dict
    assert stored["object_frequency"] == {"bed": 3, "lamp": 3, "rug": 2, "sofa": 2, "tv": 2, "oven": 1, "sink": 1}
    assert stored["cooccurrence_count"]["tv"] == {"sofa": 2, "rug": 1, "lamp": 1}  # pyright: ignore[reportIndexIssue, reportUnknownMemberType]
