"""Marks that stand for pictures in texts, and who may not make them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    PointPlan,
    ViewPicture,
    picture_mark,
    split_at_marks,
)
from tolman.benchmarks.theory_of_space.protocol.prompts import observation_wording
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.explore.episode import Episode, step
from tolman.explore.grammar import read_actions
from tolman.explore.messages import describe_turn
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

cells = st.tuples(st.integers(-999, 999), st.integers(-999, 999))
headings = st.sampled_from(list(Heading))
keys: st.SearchStrategy[PictureKey] = st.one_of(
    st.builds(ViewPicture, st.sampled_from(["explore", "revise"]), cells, headings),
    st.builds(PointPlan, cells, headings, st.lists(cells, max_size=30).map(tuple)),
    st.just(DistanceCalibration()),
    st.just(NameCalibration()),
)
VISION = Options(world="vision", phases=("explore",))
CASE = case_of(choose_scenes("0", WorldSettings(rooms=1))[0], VISION)
LOOK = picture_mark(ViewPicture("explore", (3, 4), Heading.NORTH))


@given(st.lists(keys, max_size=4))
def test_a_text_is_cut_at_its_marks(shown: list[PictureKey]) -> None:
    text = "Before.\n\n" + "\n\n".join(f"{picture_mark(key)}\nSome words." for key in shown)
    assert split_at_marks(text) == ["Before.", *(piece for key in shown for piece in (key, "Some words."))]


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
    assert split_at_marks(text) == [text]


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
    told = describe_turn(episode.turns[-1], observation_wording(CASE, VISION, CASE.scene, "explore"))
    shown = [piece for piece in split_at_marks(told) if not isinstance(piece, str)]
    last = episode.turns[-1]
    seen = ViewPicture("explore", CASE.scene.pose_at(last.standing_on, last.heading).cell, last.heading)
    assert shown == ([seen] if last.feedback else [])
