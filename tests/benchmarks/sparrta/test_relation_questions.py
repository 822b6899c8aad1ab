"""Questions about pictures: which are asked, what the prompt promises, and how replies are read."""

import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.sparrta.painted_scenes import painted
from tolman.benchmarks.sparrta.case import LETTERS, VIEWERS, RelationQuestion, ask, case_from_dict, case_to_dict
from tolman.benchmarks.sparrta.cases import place_in_picture, stored_cases
from tolman.benchmarks.sparrta.dataset.files import read_set
from tolman.benchmarks.sparrta.dataset.make import named_triples
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.prompts import question_prompt, read_relation, scripted_reply
from tolman.benchmarks.sparrta.sample import (
    RELATIONS,
    VIEWPOINTS,
    Actor,
    LookAtCamera,
    Relation,
    Sample,
    relation,
    triple_of,
)
from tolman.core.errors import SceneFileError, SettingsError
from tolman.models.scripted.reply import reference_reply

QUESTION = RelationQuestion("ego", "left", ("right", "front", "left", "back"))
"""A right, B front, C left, D back."""
REPLIES: dict[str, Relation | None] = {
    "left": "left",
    "Left.": "left",
    "C": "left",
    "C.": "left",
    "(C)": "left",
    "**C. left**": "left",
    "C: Left": "left",
    "Option B": "front",
    "The answer is B.": "front",
    "Answer: **back**": "back",
    "It is in front of the tree.": "front",
    "A truck is on the left side.": "left",
    "The right side? No.\nLeft": "left",
    "First I thought of left, then of right.\nFinal answer: right": "right",
    "<think>left or right or back</think><answer>D. back</answer>": "back",
    "<think>left</think> right": "right",
    "It is not left but right.": "right",
    "\\boxed{front}": "front",
    "$\\text{C}$": "left",
    "c": "left",
    "d.": "back",
    "a truck": None,
    "A truck": None,
    "C. front": None,
    "left or right": None,
    "front-left": None,
    "not left": None,
    "behind": None,
    "A person stands in the foreground and in the background.": None,
    "E": None,
    "": None,
    "I can't tell.": None,
    "abcd": None,
    "The right option is C": "left",
    "The right answer is (B).": "front",
    "The right choice: right": "right",
    "It is to the right one metre away.": "right",
}


@pytest.mark.parametrize(("reply", "said"), REPLIES.items())
def test_what_a_reply_says(reply: str, said: Relation | None) -> None:
    assert read_relation(QUESTION, reply) == said


@given(
    st.text() | st.lists(st.sampled_from([*REPLIES, "<answer>", "</think>", "answer:", "\n", "A", "D)"])).map("".join)
)
def test_no_reply_is_too_strange(reply: str) -> None:
    assert read_relation(QUESTION, reply) in (None, *RELATIONS)


@given(
    st.permutations(RELATIONS), st.sampled_from(RELATIONS), st.sampled_from(("{}", "**{}**", "{}.", "\n{}\n", "`{}`"))
)
def test_letter_and_word_are_read_as_they_are_meant(order: list[Relation], meant: Relation, dress: str) -> None:
    question = RelationQuestion("allo", "front", tuple(order))
    letter = LETTERS[order.index(meant)]
    for said in (meant, meant.upper(), letter, question.lettered(meant), f"<answer>{meant}</answer>"):
        assert read_relation(question, dress.format(said)) == meant


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("painted")
    painted(made, 150, "desert", 2, seed=1)
    painted(made, 150, "forest", 1, seed=2)
    return made


def test_what_is_ambiguous_is_not_asked(folder: Path) -> None:
    cases = {case.id: case for case in stored_cases(folder, Options())}
    asked = 0
    for stored in read_set(folder):
        name = f"{stored.sample.triple.name}-{stored.sample.index}"
        true = {view: stored.sample.relation(view) for view in VIEWPOINTS}
        questions = {q.viewpoint: q.answer for q in cases[name].questions} if name in cases else {}
        assert questions == {view: answer for view, answer in true.items() if answer is not None}
        asked += len(questions)
    assert 300 <= asked < 600, "from the person, many are ambiguous"
    everything = stored_cases(folder, Options(ambiguity=0))
    assert sum(len(case.questions) for case in everything) == 600
    only = stored_cases(folder, Options(viewpoints=("allo",)))
    assert {q.viewpoint for case in only for q in case.questions} == {"allo"}
    assert all(case.questions for case in only)


def test_options_come_in_every_order_and_always_in_the_same_one(folder: Path) -> None:
    cases = stored_cases(folder, Options())
    questions = [question for case in cases for question in case.questions]
    first = Counter(question.options.index(question.answer) for question in questions)
    for place in range(4):
        assert first[place] / len(questions) == pytest.approx(0.25, abs=0.08), "no letter does better than chance"
    assert len({question.options for question in questions}) == math.factorial(4)
    sample = next(iter(read_set(folder))).sample
    assert ask(sample, "x", "ego", 15) == ask(sample, "x", "ego", 15)


def test_scripted_models_know_guess_or_never_vary(folder: Path) -> None:
    options = Options()
    cases = stored_cases(folder, options)
    asked = [(question, scripted_reply(case, question, options)) for case in cases for question in case.questions]
    right = {
        agent: sum(read_relation(q, reference_reply(agent, handed)) == q.answer for q, handed in asked) / len(asked)
        for agent in ("oracle", "constant", "random")
    }
    assert right["oracle"] == 1
    assert right["constant"] == pytest.approx(0.25, abs=0.07)
    assert right["random"] == pytest.approx(0.25, abs=0.07)


def test_every_prompt_says_what_front_and_back_mean(folder: Path) -> None:
    options = Options(think=True)
    for case in stored_cases(folder, options, most=6):
        for question in case.questions:
            text = question_prompt(case, question, options)
            viewer, other = VIEWERS[question.viewpoint], VIEWERS["allo" if question.viewpoint == "ego" else "ego"]
            assert f"as seen from {viewer}?" in text
            assert f"from {other}" not in text
            assert f"front is ahead of you: the {case.target} is beyond the {case.source}" in text
            assert f"whatever stands between {viewer} and the {case.source} is back" in text
            lines = [f"{letter}. {word}" for letter, word in question.by_letter.items()]
            assert "\n".join(lines) in text
            assert "$" not in text
            assert ("The one that is meant" in text) == (case.environment == "forest"), "there are other trees"


def test_words_mean_what_the_prompt_says() -> None:
    """Stand at the source and look away from the viewer: ahead is front."""
    viewer, source = (0.0, 0.0), (0.0, 5.0)
    assert relation(viewer, source, (0.0, 8.0)) == "front"
    assert relation(viewer, source, (0.0, 3.0)) == "back"
    assert relation(viewer, source, (-2.0, 5.0)) == "left"
    assert relation(viewer, source, (2.0, 5.0)) == "right"


def test_few_pictures_come_from_all_triples_in_turn(folder: Path) -> None:
    few = stored_cases(folder, Options(), most=5)
    assert Counter(case.environment for case in few) == {"desert": 3, "forest": 2}
    everything = [case.id for case in stored_cases(folder, Options())]
    assert [case.id for case in few] == [name for name in everything if name in {case.id for case in few}]


def test_few_pictures_are_not_all_alike_where_relations_go_by_numbers(tmp_path: Path) -> None:
    made = painted(tmp_path, 200, "desert", 2)
    asked = stored_cases(made, Options(viewpoints=("ego",), ambiguity=0))
    by_relation = sorted(asked, key=lambda case: case.questions[0].answer)
    for number, case in enumerate(by_relation):
        old = made / "desert_2" / "mid-objects" / f"params_{int(case.id.rpartition('-')[2]):04d}.json"
        for path in (old, Path(case.picture)):
            path.rename(path.with_name(f"{path.stem.split('_')[0]}_{number + 1000:05d}{path.suffix}"))
    few = stored_cases(made, Options(viewpoints=("ego",), ambiguity=0), most=24)
    assert {case.questions[0].answer for case in few} == set(RELATIONS)


def test_pictures_can_be_chosen_by_triple_and_number(folder: Path) -> None:
    some = stored_cases(folder, Options(ambiguity=0), None, named_triples("desert", ""), range(7))
    assert [case.id for case in some] == [f"desert_2-{number}" for number in range(7)]
    with pytest.raises(SceneFileError, match="none was selected"):
        stored_cases(folder, Options(), None, named_triples("city", "all"))


def test_a_case_survives_its_log(folder: Path) -> None:
    cases = stored_cases(folder, Options(), most=4)
    for case in cases:
        assert case_from_dict(case_to_dict(case)) == case
    strange = {**case_to_dict(cases[0]), "questions": [{"viewpoint": "bird", "answer": "left", "options": "x"}]}
    for broken in ({}, strange):
        with pytest.raises(SceneFileError, match="not a case"):
            case_from_dict(broken)


@given(
    st.tuples(*[st.floats(-20, 20)] * 2, st.floats(0.5, 15)),
    st.tuples(*[st.floats(-5, 5)] * 2, st.just(0.0)),
    st.floats(0.2, 2),
)
def test_what_is_looked_at_is_in_the_middle(
    at: tuple[float, float, float], looks_at: tuple[float, float, float], aside: float
) -> None:
    level = math.hypot(looks_at[0] - at[0], looks_at[1] - at[1])
    if level < 1:
        return
    camera = LookAtCamera(*at, looks_at)
    right = (looks_at[1] - at[1]) / level, -(looks_at[0] - at[0]) / level
    middle = Actor("source", "rock", *looks_at, 0)
    beside = Actor("target", "truck", looks_at[0] + aside * right[0], looks_at[1] + aside * right[1], looks_at[2], 0)
    above = Actor("human", "human", looks_at[0], looks_at[1], looks_at[2] + 0.3, 0)
    sample = Sample(triple_of("desert", 1), 0, middle, beside, above, camera)
    assert place_in_picture(sample, middle) == pytest.approx((0.5, 0.5))
    assert place_in_picture(sample, beside)[0] > 0.5
    assert place_in_picture(sample, beside)[1] == pytest.approx(0.5)
    assert place_in_picture(sample, above)[1] < 0.5


def test_what_is_wrong_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="not a folder of pictures"):
        stored_cases(tmp_path / "nowhere", Options())
    with pytest.raises(SceneFileError, match="tolman make sparrta"):
        stored_cases(tmp_path, Options())
    with pytest.raises(SettingsError, match="at least 1"):
        stored_cases(folder, Options(), most=0)
    twice = painted(tmp_path / "twice", 2, "desert", 2, seed=1) / "desert_2" / "mid-objects"
    for kind, name in (("img", "png"), ("params", "json")):
        (twice / f"{kind}_1.{name}").write_bytes((twice / f"{kind}_0001.{name}").read_bytes())
    with pytest.raises(SceneFileError, match="same number"):
        stored_cases(tmp_path / "twice", Options())
    for wrong in ({"viewpoints": ("bird",)}, {"viewpoints": ()}, {"ambiguity": 45.0}, {"size": 8}, {"point": "up"}):
        with pytest.raises(SettingsError):
            Options(**wrong)  # pyright: ignore[reportArgumentType]
