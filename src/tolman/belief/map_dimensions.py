"""The dimensions along which an agent's maps are scored at each turn of an exploration, and their summary over the
exploration.

None means not scored: no map was elicited, there was nothing to compare, or (as published) the reply held no map.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from tolman.belief.cognitive_map import CognitiveMap, true_global_map, true_local_map
from tolman.belief.map_parsing import NoMap, read_global_map, read_local_map
from tolman.belief.map_scores import (
    ZERO,
    MapScale,
    MapScore,
    consistency,
    consistency_coverage,
    kept_facings,
    kept_positions,
    mean,
    score_map,
    steady_facings,
    steady_positions,
    unworsened_facings,
    unworsened_positions,
    with_settled_position,
)
from tolman.belief.visible_facings import AlikeViews, unclear_facings
from tolman.core.rules import Rules
from tolman.world import AGENT, Pose, Scene

FailedMap = Literal["global", "local"]


@dataclass(frozen=True)
class MapTurn:
    """The true state after one turn, and the raw replies to the map elicitations after it (None: not asked)."""

    pose: Pose
    seen: tuple[str, ...]
    """Names that have been in view up to and including this turn."""
    seen_before: tuple[str, ...]
    """Names that had been in view before this turn."""
    possible: Mapping[str, int]
    """Number of positions that the evidence so far allows for each name it mentions."""
    global_reply: str | None
    local_reply: str | None = None
    after_unparseable: bool = False
    """Whether the reply before was unparseable; the released code then loses the record of what had been seen."""


@dataclass(frozen=True)
class TurnScores:
    """Scores of the maps elicited after one turn."""

    update: MapScore | None = None
    """Global map against everything seen so far, and the agent."""
    complete: MapScore | None = None
    """Global map against the whole scene; at the last turn this is the paper's correctness."""
    self_tracking: MapScore | None = None
    """The agent's own entry in the global map against its true pose."""
    local: MapScore | None = None
    """Local map against everything in view."""
    perception: MapScore | None = None
    """Local map against what came into view for the first time."""
    consistency: MapScore | None = None
    """Local map against the global one, seen from where the global one puts the agent."""
    position_stability: float | None = None
    """Share of names seen before whose position error did not grow: as published, of those on both maps whose number of
    possible positions hardly changed; under `strict`, of all on the map before."""
    facing_stability: float | None = None
    """Share of names seen before with a front: as published, of those on both maps, whose facing is right, or wrong and
    unchanged; under `strict`, of all on the map before, whose facing did not go from right to wrong."""
    stability_coverage: float | None = None
    """Share of names seen before that are on both maps."""
    still_right_position: float | None = None
    """Mean closeness to the truth of positions that did not get worse, 0 for all other names seen before (`strict`)."""
    still_right_facing: float | None = None
    """Share of names seen before with a front whose facing is right (`strict`)."""
    consistency_coverage: float | None = None
    """Share of names in view that are on the local and on the global map."""
    failures: tuple[FailedMap, ...] = ()
    """Elicitations whose reply held no map."""
    unclear_facings: int | None = None
    """Things seen so far whose facing the pictures do not show, and is not scored; None without pictures."""


def score_turns(
    scene: Scene, turns: Sequence[MapTurn], rules: Rules, alike: AlikeViews | None = None
) -> tuple[TurnScores, ...]:
    """The scores of every turn of one exploration, in order.

    `alike` are the views of things that look the same, where the agent saw pictures.
    """
    scale = MapScale.of(scene)
    unclear = unclear_facings(scene, [turn.pose for turn in turns], alike or {}, rules)
    scorers = [_TurnScorer(scene, replace(scale, fronted=scale.fronted - names), rules) for names in unclear]
    parsed = [scorer.parse(turn) for scorer, turn in zip(scorers, turns, strict=True)]
    alone = [
        replace(scorer.score(turn), unclear_facings=None if alike is None else len(names))
        for scorer, turn, names in zip(scorers, parsed, unclear, strict=True)
    ]
    steady = [
        scorer.stability(before, now) for scorer, (before, now) in zip(scorers[1:], pairwise(parsed), strict=True)
    ]
    later = (replace(scores, **values) for scores, values in zip(alone[1:], steady, strict=True))
    return (*alone[:1], *later)


ParsedMap = CognitiveMap | NoMap | None


@dataclass(frozen=True)
class _ParsedTurn:
    """A turn and its parsed maps."""

    turn: MapTurn
    whole: ParsedMap
    local: ParsedMap

    @property
    def failures(self) -> tuple[FailedMap, ...]:
        found: dict[FailedMap, ParsedMap] = {"global": self.whole, "local": self.local}
        return tuple(kind for kind, parsed in found.items() if isinstance(parsed, NoMap))


@dataclass(frozen=True)
class _TurnScorer:
    """Scores turns of one scene under one rule set."""

    scene: Scene
    scale: MapScale
    rules: Rules

    def parse(self, turn: MapTurn) -> _ParsedTurn:
        """The maps of a turn. A global map may hold names seen, all doors and the agent; a local one names in view."""
        allowed = dict.fromkeys((*turn.seen, *(door.name for door in self.scene.doors), AGENT))
        view = true_local_map(self.scene, turn.pose, self.rules).places
        whole, local, heading = turn.global_reply, turn.local_reply, turn.pose.heading
        return _ParsedTurn(
            turn,
            None if whole is None else read_global_map(whole, allowed, self.rules),
            None if local is None else read_local_map(local, view, heading, self.rules),
        )

    def score(self, parsed: _ParsedTurn) -> TurnScores:
        """The scores that depend on this turn only."""
        scene, turn = self.scene, parsed.turn
        everything = true_global_map(scene, turn.pose, scene.names, self.rules)
        seen = everything.only((*turn.seen, AGENT))
        counted = [thing.name for thing in scene.things]
        view = true_local_map(scene, turn.pose, self.rules)
        return TurnScores(
            update=self._against(parsed.whole, seen),
            complete=self._against(
                parsed.whole, everything.only(counted) if self.rules.correctness_over_things_only else everything
            ),
            self_tracking=self._against(parsed.whole, everything.only((AGENT,))),
            local=self._against(parsed.local, view),
            perception=self._against(parsed.local, view.only(set(view.places).difference(turn.seen_before))),
            consistency=self._consistency(parsed, view) if view.places else None,
            consistency_coverage=self._consistency_coverage(parsed, view),
            failures=parsed.failures,
        )

    def _against(self, said: ParsedMap, truth: CognitiveMap) -> MapScore | None:
        if said is None or not truth.places:
            return None
        return self._missing if isinstance(said, NoMap) else score_map(said, truth, self.scale, self.rules)

    @property
    def _missing(self) -> MapScore | None:
        """The score of a reply without a map."""
        return ZERO if self.rules.missing_map_scores_zero else None

    def _consistency(self, parsed: _ParsedTurn, view: CognitiveMap) -> MapScore | None:
        if parsed.local is None or parsed.whole is None:
            return None
        if isinstance(parsed.local, NoMap) or isinstance(parsed.whole, NoMap):
            return self._missing
        return consistency(parsed.local, parsed.whole, view, self.scene, self.scale, self.rules)

    def _consistency_coverage(self, parsed: _ParsedTurn, view: CognitiveMap) -> float | None:
        if parsed.local is None or parsed.whole is None:
            return None
        if isinstance(parsed.local, NoMap) or isinstance(parsed.whole, NoMap):
            return self._lost if view.places else None
        return consistency_coverage(parsed.local, parsed.whole, view)

    @property
    def _lost(self) -> float | None:
        """Coverage of a reply without a map."""
        return 0.0 if self.rules.missing_map_scores_zero else None

    def stability(self, before: _ParsedTurn, now: _ParsedTurn) -> dict[str, float | None]:
        """The scores of this turn against the turn before, by field of `TurnScores`, over names seen before this turn.

        A missing map retains nothing; as published, it is not scored.
        """
        old, new, seen = before.whole, now.whole, now.turn.seen_before
        lost_one = isinstance(new, NoMap) or now.turn.after_unparseable
        if not isinstance(old, CognitiveMap) or new is None or (lost_one and not self.rules.missing_map_scores_zero):
            return {}
        new = CognitiveMap({}) if isinstance(new, NoMap) else new
        maps = old, new, true_global_map(self.scene, now.turn.pose, seen, self.rules)
        both = mean(float(name in old.places and name in new.places) for name in seen)
        if self.rules.stability_checks_all_observed:
            return {**self._checked_stability(seen, *maps), "stability_coverage": both}
        settled = with_settled_position(seen, before.turn.possible, now.turn.possible)
        return {
            "position_stability": mean(map(float, steady_positions(settled, *maps, self.rules))),
            "facing_stability": mean(map(float, steady_facings(self._fronted(seen), *maps))),
            "stability_coverage": both,
        }

    def _checked_stability(
        self, seen: Sequence[str], old: CognitiveMap, new: CognitiveMap, truth: CognitiveMap
    ) -> dict[str, float | None]:
        stated = [name for name in seen if name in old.places]
        return {
            "position_stability": mean(map(float, unworsened_positions(stated, old, new, truth, self.rules))),
            "facing_stability": mean(map(float, unworsened_facings(self._fronted(stated), old, new, truth))),
            "still_right_position": mean(kept_positions(seen, old, new, truth, self.scale, self.rules)),
            "still_right_facing": mean(map(float, kept_facings(self._fronted(seen), old, new, truth))),
        }

    def _fronted(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if name in self.scale.fronted]


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
    still_right_position: float | None
    still_right_facing: float | None
    consistency_coverage: float | None
    failures: int
    """Replies without a map."""
    unclear_facings: int | None = None
    """Facings that are not scored at the end, as the pictures do not show them; None without pictures."""


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
        still_right_position=mean(turn.still_right_position for turn in turns),
        still_right_facing=mean(turn.still_right_facing for turn in turns),
        consistency_coverage=mean(turn.consistency_coverage for turn in turns),
        failures=sum(len(turn.failures) for turn in turns),
        unclear_facings=turns[-1].unclear_facings if turns else None,
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
