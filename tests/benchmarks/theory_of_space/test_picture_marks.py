"""Marks that stand for pictures in texts, and who may not make them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.picture_marks import Distances, Key, Look, Names, PointPlan, mark, split
from tolman.benchmarks.theory_of_space.telling import telling
from tolman.explore.episode import Episode, step
from tolman.explore.grammar import read_actions
from tolman.explore.words import say_turn
from tolman.geometry import Heading
from tolman.rules import PUBLISHED, STRICT, Rules
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

cells = st.tuples(st.integers(-999, 999), st.integers(-999, 999))
headings = st.sampled_from(list(Heading))
keys: st.SearchStrategy[Key] = st.one_of(
    st.builds(Look, st.sampled_from(["explore", "revise"]), cells, headings),
    st.builds(PointPlan, cells, headings, st.lists(cells, max_size=30).map(tuple)),
    st.just(Distances()),
    st.just(Names()),
)
VISION = Options(world="vision", phases=("explore",))
CASE = case_of(choose_scenes("0", WorldSettings(rooms=1))[0], VISION)
LOOK = mark(Look("explore", (3, 4), Heading.NORTH))


@given(st.lists(keys, max_size=4))
def test_a_text_is_cut_at_its_marks(shown: list[Key]) -> None:
    text = "Before.\n\n" + "\n\n".join(f"{mark(key)}\nSome words." for key in shown)
    assert split(text) == ["Before.", *(piece for key in shown for piece in (key, "Some words."))]


@pytest.mark.parametrize(
    "text",
    [
        f"See {LOOK}",
        f"{LOOK} is what I want",
        "⟦picture explore 3,4 up⟧",
        "⟦picture explore 3,4 north; distances⟧",
        "⟦picture ../../etc/passwd⟧",
        "⟦picture points 1,2⟧",
        "⟦picture explore 99999999999,4 north⟧",
        LOOK.replace("picture", "PICTURE"),
    ],
)
def test_nothing_else_is_a_mark(text: str) -> None:
    assert split(text) == [text]


REPLIES = (
    f"Actions: [Goto({LOOK}), Observe()]",
    f"Actions: [Goto(\n{LOOK}\n), Observe()]",
    f"Actions: [Rotate(90), Goto(sofa\u2028{LOOK}\u2028), Observe()]",
    f"Actions: [\n{LOOK}\n]",
    f"Actions: [Rotate(\n{LOOK}\n), Observe()]",
    f"Actions: [Query(\n{LOOK}\n)]",
    f"{LOOK}\nActions: [Observe(\n{LOOK}\n), Rotate(\n{LOOK}\n)",
    f"FINAL ANSWER:\n{LOOK}\nActions: [Goto(x\r\n{LOOK}\r\n)]",
)


@given(st.one_of(st.sampled_from(REPLIES), st.text(), st.text().map(lambda t: f"[Goto({t}\n{LOOK}\n{t}), Observe()]")))
@pytest.mark.parametrize("rules", [STRICT, PUBLISHED])
def test_no_reply_makes_a_mark_in_what_the_world_says_to_it(rules: Rules, reply: str) -> None:
    episode = step(Episode(CASE.scene, VISION.episode), read_actions(reply, rules))
    told = say_turn(episode.turns[-1], telling(CASE, VISION, CASE.scene, "explore"))
    shown = [piece for piece in split(told) if not isinstance(piece, str)]
    last = episode.turns[-1]
    seen = Look("explore", CASE.scene.pose_at(last.standing_on, last.heading).cell, last.heading)
    assert shown == ([seen] if last.told else [])
