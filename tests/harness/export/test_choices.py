"""Multiple choice: one right answer under the benchmark's own grader, nothing to guess, and replies that are read."""

import json
from collections import Counter
from pathlib import Path
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tests.benchmarks.sparrta.painted_scenes import painted
from tolman.ask import PAPER_KINDS
from tolman.core.errors import GenerationError
from tolman.core.reading import ParseFailure
from tolman.core.seeds import secret_seed
from tolman.harness.export.blind import blind_accuracies
from tolman.harness.export.exported_set import ExportedSet, ExportOptions, make_set
from tolman.harness.export.items import PassiveItem, arrange, draw_choices, find_choice
from tolman.world import WorldSettings
from tolman.world.select import SealedSplit, seal, write_sealed

MOST_ERRORS = 3.5
"""Standard errors above chance that no strategy may reach; about 1 in 4,000 for one strategy at chance."""


def made(benchmark: str, options: ExportOptions | None = None, **given: object) -> ExportedSet:
    return make_set(benchmark, given, options or ExportOptions(), lambda done, total: None)[0]  # noqa: ARG005


@pytest.fixture(scope="module")
def words() -> ExportedSet:
    return made("theory-of-space", scenes="0-9")


@pytest.fixture(scope="module")
def rooms() -> ExportedSet:
    return made("osr-bench", data="0-39", views="blind")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> ExportedSet:
    folder = tmp_path_factory.mktemp("sparrta")
    painted(folder, 120)
    return made("sparrta", data=str(painted(folder, 120, environment="desert", seed=1)))


def test_exactly_one_choice_is_right_under_the_benchmarks_own_grader(
    words: ExportedSet, rooms: ExportedSet, pictures: ExportedSet
) -> None:
    for exported in (words, rooms, pictures):
        for one in exported.items:
            scores = [one.item.score(choice) for choice in one.choices]
            assert scores[one.right] == 1.0
            assert all(score < 1 for place, score in enumerate(scores) if place != one.right)
            assert len(set(one.choices)) == len(one.choices)


def test_every_kind_of_question_is_exported(words: ExportedSet, rooms: ExportedSet) -> None:
    assert {str(one.item.kind) for one in words.items} == set(PAPER_KINDS)
    assert {one.item.kind for one in rooms.items} == {"counting", "distance", "direction"}
    assert all(len(one.choices) == 4 for one in words.items)


def test_strategies_that_saw_nothing_are_at_chance(
    words: ExportedSet, rooms: ExportedSet, pictures: ExportedSet
) -> None:
    for exported in (words, rooms, pictures):
        for kind in dict.fromkeys(one.item.kind for one in exported.items):
            found = blind_accuracies([one for one in exported.items if one.item.kind == kind])
            name, reached = found.best
            assert reached <= found.chance + MOST_ERRORS * found.error, f"{kind}: {name} reaches {reached:.3f}"


def test_without_balance_the_frequent_answers_can_be_guessed() -> None:
    """The check above can fail: it does on the questions as the benchmark asks them."""
    everything = made("osr-bench", ExportOptions(balance=False), data="0-39", views="blind")
    counting = [one for one in everything.items if one.item.kind == "counting"]
    found = blind_accuracies(counting)
    assert found.best[1] > found.chance + 10 * found.error


def test_the_table_in_the_docs_is_the_kept_measurement() -> None:
    docs = Path(__file__).resolve().parents[3] / "docs"
    page = (docs / "export.md").read_text()
    for sets in json.loads((docs / "results" / "export-blind.json").read_text()).values():
        found, everything = sets["balanced"], sets["all"]
        assert f"| {found['questions']:,} | {found['left_out']} | {found['chance']} % | {found['reached']} % (" in page
        assert f"| {everything['reached']} % of {everything['questions']:,} " in page


def test_right_answers_are_spread_evenly_over_the_letters(words: ExportedSet, pictures: ExportedSet) -> None:
    for exported in (words, pictures):
        for kind in dict.fromkeys(one.item.kind for one in exported.items):
            letters = Counter(one.letter for one in exported.items if one.item.kind == kind)
            assert max(letters.values()) - min(letters.values()) <= 1


def test_the_same_options_give_the_same_set_and_another_seed_another(words: ExportedSet) -> None:
    again = made("theory-of-space", scenes="0")
    assert [one.choices for one in again.items] == [one.choices for one in made("theory-of-space", scenes="0").items]
    other = made("theory-of-space", ExportOptions(choice_seed=1), scenes="0")
    assert [one.choices for one in again.items] != [one.choices for one in other.items]
    assert words.items[0].item.id == again.items[0].item.id


def test_one_scene_of_one_seed_is_said_so(words: ExportedSet) -> None:
    one = made("theory-of-space", scenes="7", rooms=1, things=4, kinds="direction").about()
    assert " about 1 scene (" in one
    assert "Generated from seed 7, with 1 room of 4 objects." in one
    assert " scenes (" in words.about()


def test_a_question_shows_the_log_and_no_form_of_an_answer(words: ExportedSet) -> None:
    text = words.text(words.items[0])
    assert "THE LOG" in text
    assert "Answer format" not in text
    assert "FINAL ANSWER" not in text


def test_the_order_of_choices_of_sealed_scenes_needs_their_secret(tmp_path: Path) -> None:
    """The same names with other secrets have their right answers at other letters."""

    def item(number: int, seed: int) -> PassiveItem:
        return PassiveItem(
            f"sealed-{number}", "ask", "kind", ("?",), "right", iter(["a", "b", "c"]), seed=seed, score=_is_right
        )

    def letters(seeds: list[int]) -> str:
        return "".join(one.letter for one in arrange(draw_choices([item(*each) for each in enumerate(seeds)], 0), 0))

    one, other = ([secret_seed() for _ in range(40)] for _ in range(2))
    assert letters(one) != letters(other)
    split: SealedSplit = seal(1, WorldSettings(), "0.1.0")
    write_sealed(split, tmp_path / "sealed.json")
    exported = made("theory-of-space", scenes=str(tmp_path / "sealed.json"))
    assert not exported.has_answers
    assert {exported.answer(one) for one in exported.items} == {""}


def _is_right(answer: str) -> float:
    return float(answer == "right")


def test_a_right_answer_that_the_grader_refuses_is_not_exported() -> None:
    wrong = PassiveItem("7", "ask", "kind", ("?",), "wrong", iter(["a", "b", "c"]), score=_is_right)
    with pytest.raises(GenerationError, match="the right answer 'wrong' scores 0"):
        draw_choices([wrong], 0)


def test_negative_sets_and_several_views_have_choices_too(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "rooms", each=4)
    negative = made("osr-bench", data=str(folder), asked="negative")
    assert any("not found" in choice for one in negative.items for choice in one.choices)
    four = made("osr-bench", data=str(folder), views="four")
    assert [len(four.pictures_of(one)) for one in four.items] == [4] * len(four.items)
    assert "[picture 4]" in four.text(four.items[0])


CHOICES = ("front-left, near", "front, far", "front-left, far", "front, near")


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(C)", "C"),
        ("D.", "D"),
        ("A. front-left, near", "A"),
        ("**B**", "B"),
        ("The answer is C.", "C"),
        ("Answer: D", "D"),
        ("FINAL ANSWER: B", "B"),
        ("<think>A or B? Surely A.</think>\nC", "C"),
        ("front, near", "D"),
        ("It lies front-left, far.", "C"),
        ("Option B, since the lamp is a step away.", "B"),
        ("A or B", None),
        ("Not A but B", "B"),
        ("I can't tell.", None),
        ("", None),
        ("A lamp is there.", None),
    ],
)
def test_a_reply_names_a_choice_by_letter_or_in_words(reply: str, letter: str | None) -> None:
    found = find_choice(reply, CHOICES)
    assert (None if isinstance(found, ParseFailure) else ascii_uppercase[found]) == letter


@given(st.text(max_size=80))
def test_no_reply_makes_the_parser_fail(reply: str) -> None:
    found = find_choice(reply, CHOICES)
    assert isinstance(found, ParseFailure) or 0 <= found < len(CHOICES)


def test_the_error_messages_are_told_only_where_they_may_be_right(rooms: ExportedSet, tmp_path: Path) -> None:
    negative = made("osr-bench", data=str(write_set(tmp_path / "rooms", each=4)), asked="negative")
    assert "How answers are meant" in rooms.text(rooms.items[0])
    assert "error message" not in rooms.text(rooms.items[0])
    assert "error message" in negative.text(negative.items[0])
