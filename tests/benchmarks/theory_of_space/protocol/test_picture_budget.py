"""Which pictures go where only so many may."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.inspect_stage import in_budget
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    ViewPicture,
)
from tolman.core.errors import SettingsError
from tolman.core.geometry import Heading

TO_GO_BY: tuple[PictureKey, ...] = (DistanceCalibration(), NameCalibration())


def looks(count: int) -> list[PictureKey]:
    return [ViewPicture("explore", (number, 0), Heading.NORTH) for number in range(count)]


@pytest.mark.parametrize(
    ("budget", "sent"),
    [(1, "----x"), (2, "-x--x"), (3, "xx--x"), (4, "xx-xx"), (5, "xxxxx"), (9, "xxxxx"), (None, "xxxxx")],
)
def test_the_latest_is_kept_then_those_to_go_by_then_the_later_looks(budget: int | None, sent: str) -> None:
    shown = [*TO_GO_BY, *looks(3)]
    assert "".join("x" if is_sent else "-" for is_sent in in_budget(shown, budget)) == sent


@given(st.integers(0, 12), st.integers(1, 15))
def test_a_budget_is_kept_and_used_and_only_the_oldest_looks_are_left_out(count: int, budget: int) -> None:
    shown = [*TO_GO_BY, *looks(count)]
    sent = in_budget(shown, budget)
    assert sum(sent) == min(len(shown), budget)
    if budget > len(TO_GO_BY):
        assert sent[:2] == [True, True]
    assert sent[2:] == sorted(sent[2:]), "once one look is sent, so are all later ones"


def test_a_budget_of_no_pictures_is_refused() -> None:
    with pytest.raises(SettingsError, match="image_budget is from 1 to 10,000, not 0"):
        Options(world="vision", image_budget=0)
