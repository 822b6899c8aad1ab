"""Belief revision after the world has changed: scores of the stated maps and of the reported changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tolman.belief.cognitive_map import CognitiveMap, Placement, true_global_map
from tolman.belief.map_parsing import NoMap, read_global_map, read_old_map
from tolman.belief.map_scores import MapScale, MapScore, score_map
from tolman.belief.revision import (
    Identification,
    PoseMap,
    RevisionScores,
    Revisited,
    Tally,
    facing_inertia,
    identification,
    position_retention,
    redundant_cost,
    revision_scores,
    revisited,
)
from tolman.benchmarks.theory_of_space.case import Case, elicit_call
from tolman.benchmarks.theory_of_space.explored_turns import explored_turns
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import Replies
from tolman.core.geometry import Heading
from tolman.core.rules import Rules
from tolman.explore.actions import Actions, Term
from tolman.explore.episode import Episode, Turn
from tolman.sense import Observation
from tolman.world import AGENT, START, Change, Scene


def true_places(scene: Scene) -> PoseMap:
    """Positions, in cells east and north of the start, and facings of all things and doors; doors have no facing."""
    fronts = {thing.name: thing.front for thing in scene.things}
    return {name: (scene.from_start(name), fronts.get(name)) for name in scene.names}


def plain_map(reply: str | None, scene: Scene, rules: Rules) -> PoseMap | None:
    """Positions and facings in the global map of a reply; None for no map or no reply."""
    return _plain_map_of(read_global_map(reply or "", (*scene.names, AGENT), rules))


def old_map(reply: str | None, scene: Scene, rules: Rules) -> PoseMap:
    """The last map of an exploration as the baseline of a revision; empty for no map or no reply."""
    return _plain_map_of(read_old_map(reply or "", (*scene.names, AGENT), rules)) or {}


def _plain_map_of(found: CognitiveMap | NoMap) -> PoseMap | None:
    return None if isinstance(found, NoMap) else {n: (at.position, at.facing) for n, at in found.places.items()}


def views_of(turns: Iterable[Turn]) -> list[tuple[str, ...]]:
    """Names in view after each turn."""
    return [turn.feedback.names if isinstance(turn.feedback, Observation) else () for turn in turns]


def reported_changes(turn: Turn) -> tuple[Change, ...]:
    """The changes reported in the last turn of a revision; empty where the budget ended it."""
    final = turn.asked.final if isinstance(turn.asked, Actions) and not turn.forced else None
    return (final.changes or ()) if isinstance(final, Term) else ()


@dataclass(frozen=True)
class RetentionScores:
    """How far beliefs about unchanged things and doors were retained."""

    position: Tally
    """How close the stated position is to the old one when the thing first comes into view."""
    facing: Tally
    """Whether the old facing is still stated; doors have none and count as retained."""
    before: MapScore | None
    """Score of the last map of the exploration, over unchanged things that had been seen."""
    after: tuple[MapScore | None, ...]
    """Score of the map after each turn, over the agent and everything unchanged."""


@dataclass(frozen=True)
class RevisionOutcome:
    """Outcome of one revision phase. Position scores are of moved things, facing scores of turned ones."""

    cost: int
    redundant: int | None
    """Action cost after every changed thing had been in view; None if that never happened."""
    identification: Identification
    scores: RevisionScores | None
    """Scores of the maps stated during the phase; None if none were elicited."""
    replies: int
    unparseable: int
    forced: bool
    """Whether the turn budget was exhausted, so that there is no report."""
    views: tuple[tuple[str, ...], ...] = ()
    """Names in view after each turn."""
    retention: RetentionScores | None = None


def revision_outcome(
    case: Case, options: Options, replies: Replies, episode: Episode, rules: Rules
) -> RevisionOutcome | None:
    """The outcome of the revision phase of an episode; None if it was not run."""
    turns = [turn for turn in episode.turns if turn.phase == "revise"]
    if not turns or case.changed is None:
        return None
    views = views_of(turns)
    costs = [(turn.cost, view) for turn, view in zip(turns, views, strict=True)]
    forced = turns[-1].forced
    calls = [elicit_call("revise", number, "global") for number in range(1, len(turns) + 1)]
    elicited = options.probe_turns == "every" and any(call in replies for call in calls)
    maps = _RevisionMaps.from_replies(case, case.changed, replies, episode, rules) if elicited else None
    return RevisionOutcome(
        cost=episode.cost("revise"),
        redundant=redundant_cost(costs, [change.name for change in case.changes]),
        identification=identification(reported_changes(turns[-1]), case.changes, rules),
        scores=None if maps is None else revision_scores(maps.seen, case.changes, maps.scale.length, rules),
        replies=len(turns) - forced,
        unparseable=sum(not turn.parsed for turn in turns),
        forced=forced,
        views=tuple(views),
        retention=None if maps is None else maps.retention(),
    )


@dataclass(frozen=True)
class _RevisionMaps:
    """The maps stated before and during a revision, parsed under one rule set."""

    case: Case
    changed: Scene
    rules: Rules
    scale: MapScale
    """Of the scene before the change, as published."""
    turns: Sequence[Turn]
    seen_before: frozenset[str]
    """Names that had been in view before the change."""
    last: PoseMap | None
    """The last map of the exploration."""
    maps: Sequence[PoseMap | None]
    """The map after each turn."""
    seen: Mapping[str, Revisited]

    @classmethod
    def from_replies(
        cls, case: Case, changed: Scene, replies: Replies, episode: Episode, rules: Rules
    ) -> "_RevisionMaps":
        turns = [turn for turn in episode.turns if turn.phase == "revise"]
        calls = [elicit_call("revise", number, "global") for number in range(1, len(turns) + 1)]
        maps = [plain_map(replies.get(call), case.scene, rules) for call in calls]
        explored = explored_turns(episode)
        numbers = range(sum(turn.phase == "explore" for turn in episode.turns), 0, -1)
        map_replies = (replies.get(elicit_call("explore", number, "global")) for number in numbers)
        last = next((reply for reply in map_replies if reply is not None), None)
        old = with_quoted_positions(old_map(last, case.scene, rules), case)
        return cls(
            case=case,
            changed=changed,
            rules=rules,
            scale=MapScale.of(case.scene),
            turns=turns,
            seen_before=frozenset(explored[-1].seen if explored else ()),
            last=plain_map(last, case.scene, rules),
            maps=maps,
            seen=revisited(views_of(turns), maps, old, true_places(changed)),
        )

    def retention(self) -> RetentionScores:
        changes = {change.name for change in self.case.changes}
        unchanged = [name for name in self.changed.names if name not in changes]
        mapped = [(n, thing) for n, thing in self.seen.items() if n not in changes and thing.new is not None]
        length, rules = self.scale.length, self.rules
        return RetentionScores(
            position=Tally.of((name, position_retention(thing, length, rules)) for name, thing in mapped),
            facing=Tally.of((name, self._facing_kept(name, thing)) for name, thing in mapped),
            before=self._before(unchanged),
            after=tuple(
                self._after(turn, stated, unchanged) for turn, stated in zip(self.turns, self.maps, strict=True)
            ),
        )

    def _facing_kept(self, name: str, thing: Revisited) -> float | None:
        if name in {door.name for door in self.changed.doors}:
            return None if thing.old is None else 1.0
        return facing_inertia(thing, self.rules)

    def _before(self, unchanged: Sequence[str]) -> MapScore | None:
        if not self.last:
            return None
        start = self.case.scene.pose_at(START, Heading.NORTH)
        names = [name for name in unchanged if name in self.seen_before] if self.seen_before else unchanged
        truth = true_global_map(self.case.scene, start, names, self.rules).only(names)
        return score_map(_cognitive_map(self.last), truth, self.scale, self.rules)

    def _after(self, turn: Turn, stated: PoseMap | None, unchanged: Sequence[str]) -> MapScore | None:
        if stated is None:
            return None
        pose = self.changed.pose_at(turn.standing_on, turn.heading)
        truth = true_global_map(self.changed, pose, unchanged, self.rules).only((*unchanged, AGENT))
        return score_map(_cognitive_map(stated), truth, self.scale, self.rules)


def with_quoted_positions(old: PoseMap, case: Case) -> PoseMap:
    """The last map of an exploration, with positions that a released log quotes replaced by the quoted ones.

    If the map that the log was scored with is missing from the files, only the quoted positions are used.
    """
    remaining: PoseMap = {} if case.old_is_lost else old
    quoted = {
        name: (at, remaining[name][1] if name in remaining else None) for name, at in case.old_positions.items() if at
    }
    return {name: place for name, place in remaining.items() if name not in case.old_positions} | quoted


def _cognitive_map(plain: PoseMap) -> CognitiveMap:
    return CognitiveMap({name: Placement(position, facing) for name, (position, facing) in plain.items()})
