"""The maps of a whole exploration in a few numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tolman.belief.map_dimensions import TurnScores
from tolman.belief.map_scores import MapScore, mean


@dataclass(frozen=True)
class MapSummary:
    """The correctness of the last map, and means over turns of everything else; None where no turn was scored."""

    correctness: MapScore | None
    update: MapScore | None
    self_tracking: MapScore | None
    local: MapScore | None
    perception: MapScore | None
    consistency: MapScore | None
    position_stability: float | None
    facing_stability: float | None
    stability_coverage: float | None
    consistency_coverage: float | None
    failures: int
    """Replies without a map."""


def summarise(turns: Sequence[TurnScores]) -> MapSummary:
    """One exploration's scores."""
    return MapSummary(
        correctness=turns[-1].complete if turns else None,
        update=mean_score(turn.update for turn in turns),
        self_tracking=mean_score(turn.self_tracking for turn in turns),
        local=mean_score(turn.local for turn in turns),
        perception=mean_score(turn.perception for turn in turns),
        consistency=mean_score(turn.consistency for turn in turns),
        position_stability=mean(turn.position_stability for turn in turns),
        facing_stability=mean(turn.facing_stability for turn in turns),
        stability_coverage=mean(turn.stability_coverage for turn in turns),
        consistency_coverage=mean(turn.consistency_coverage for turn in turns),
        failures=sum(len(turn.failures) for turn in turns),
    )


def mean_score(scores: Iterable[MapScore | None]) -> MapScore | None:
    """Mean of each part over the scores that have it."""
    scored = [score for score in scores if score is not None]
    if not scored:
        return None
    return MapScore(
        mean(score.direction for score in scored),
        mean(score.facing for score in scored),
        mean(score.position for score in scored),
        mean(score.overall for score in scored),
    )
