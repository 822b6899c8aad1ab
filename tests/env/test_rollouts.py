"""Many explorations at once with one policy, whose replies may be ready at different times."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from tolman.core.errors import SettingsError
from tolman.env.options import EnvironmentOptions
from tolman.env.rollouts import PendingReply, roll_out

SEEDS = range(100_000, 100_004)
LOOK = "FINAL ANSWER:\nActions: [Rotate(90), Observe()]"
SHORT = EnvironmentOptions(budget=3)


def look(turns: Sequence[PendingReply]) -> list[str]:
    return [LOOK for _ in turns]


def test_replies_may_be_ready_at_different_times():
    asked: list[dict[int, PendingReply]] = []

    def one_at_a_time(turns: Sequence[PendingReply]) -> list[str | None]:
        asked.append({turn.slot: turn for turn in turns})
        return [LOOK if turn is turns[len(asked) % len(turns)] else None for turn in turns]

    at_once = roll_out(look, SEEDS, SHORT)
    one_by_one = roll_out(one_at_a_time, SEEDS, SHORT)
    assert [each.digest for each in one_by_one] == [each.digest for each in at_once]
    for before, after in pairwise(asked):
        same = [slot for slot in before.keys() & after.keys() if before[slot] == after[slot]]
        assert len(same) >= len(before) - 1, "what was not answered is asked again, with the same new messages"


def test_a_policy_that_says_nothing_is_an_error():
    with pytest.raises(SettingsError, match="gave no reply"):
        roll_out(lambda turns: [None for _ in turns], SEEDS, SHORT)
    with pytest.raises(SettingsError, match="gave 3 replies to 4"):
        roll_out(lambda turns: look(turns)[1:], SEEDS, SHORT)


def test_worlds_of_several_sizes_at_once():
    sizes = [EnvironmentOptions(rooms=rooms, budget=3) for rooms in (1, 2, 3, 4)]
    together = roll_out(look, SEEDS, sizes)
    assert [len(each.case.scene.rooms) for each in together] == [1, 2, 3, 4]
    for exploration, seed, size in zip(together, SEEDS, sizes, strict=True):
        assert exploration.digest == roll_out(look, [seed], size)[0].digest
    with pytest.raises(SettingsError, match="4 seeds need as many options, not 2"):
        roll_out(look, SEEDS, sizes[:2])
    with pytest.raises(SettingsError, match="4 seeds need as many scenes, not 1"):
        roll_out(look, SEEDS, SHORT, scenes=[together[0].case.scene])
