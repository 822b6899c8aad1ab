"""Ranks: shared where scenes do not tell entries apart, and only there."""

from dataclasses import replace
from functools import cache

import pytest

from tests.benchmarks.theory_of_space.leaderboard.entries import entry
from tolman.benchmarks.theory_of_space.leaderboard.space_leaderboard import verify
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS
from tolman.report.leaderboard.benchmark import VerifiedEntry
from tolman.report.leaderboard.ranking import rank_entries
from tolman.report.statistics import pooled_interval

SCENES = 40


def scored(name: str, values: list[float]) -> VerifiedEntry:
    """An entry that answered so well in each scene; everything else of it is a real one's."""
    real = _real()
    by_scene = {str(scene): (value,) for scene, value in enumerate(values)}
    interval = {ANSWERS: pooled_interval(list(by_scene.values()))} if values else {}
    strict = replace(real.measured["strict"], values={ANSWERS: by_scene}, intervals=interval)
    return replace(
        real, entry=real.entry.model_copy(update={"name": name}), measured={**real.measured, "strict": strict}
    )


@cache
def _real() -> VerifiedEntry:
    return verify(entry("scout"), {})


def level(mean: float, jitter: float = 0.0) -> list[float]:
    return [mean + (jitter if scene % 2 else -jitter) for scene in range(SCENES)]


def ranks(*entries: VerifiedEntry) -> dict[str, int | None]:
    return {standing.verified.entry.name: standing.rank for standing in rank_entries(entries)}


def test_what_is_plainly_worse_ranks_below_whatever_the_order_of_files():
    best, middle, worst = scored("best", level(0.9)), scored("middle", level(0.7)), scored("worst", level(0.5))
    assert ranks(worst, best, middle) == {"best": 1, "middle": 2, "worst": 3}


def test_what_these_scenes_do_not_tell_apart_shares_a_rank_and_the_next_one_counts_all():
    one, other = scored("one", level(0.8)), scored("other", level(0.79, jitter=0.3))
    assert ranks(one, other, scored("far", level(0.2))) == {"one": 1, "other": 1, "far": 3}


def test_being_tied_is_not_handed_on():
    """The second can't be told from the first, nor the third from the second; but the third from the first."""
    noise = [0.06 * (-1) ** (scene // 2) for scene in range(SCENES)]
    first = scored("first", level(0.80))
    second = scored("second", [0.79 + one for one in noise])
    third = scored("third", level(0.77))
    assert ranks(first, second) == {"first": 1, "second": 1}
    assert ranks(second, third) == {"second": 1, "third": 1}
    assert ranks(first, second, third) == {"first": 1, "second": 1, "third": 3}


def test_few_scenes_tell_nothing_apart():
    assert ranks(scored("one", [1.0] * 4), scored("other", [0.0] * 4)) == {"one": 1, "other": 1}


def test_an_entry_without_answers_stands_last_without_a_rank():
    assert ranks(scored("none", []), scored("some", level(0.3))) == {"some": 1, "none": None}


def test_a_standing_says_how_far_behind_it_is():
    first, second = rank_entries([scored("a", level(0.5)), scored("b", level(0.9))])
    assert (first.rank, first.behind) == (1, None)
    assert second.behind is not None
    assert second.behind.difference.mean == pytest.approx(-0.4)
    assert second.p < 0.01
