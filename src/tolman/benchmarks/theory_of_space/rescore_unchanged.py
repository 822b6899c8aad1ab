"""Set our scores of what did *not* change in a revision beside the stored ones: is the rest of the map kept?"""

from collections.abc import Iterator

from tolman.belief.cognitive_map import CognitiveMap, Placed, true_global_map
from tolman.belief.map_scores import MapScore, Yardstick, score_map
from tolman.belief.map_summary import mean_score
from tolman.belief.revision import PlainMap
from tolman.benchmarks.compared import Compared
from tolman.benchmarks.theory_of_space.released_logs import Json
from tolman.benchmarks.theory_of_space.revision_record import RevisionRecord
from tolman.geometry import Heading
from tolman.rules import PUBLISHED
from tolman.world import AGENT, START

_PARTS = (("dir", "direction"), ("facing", "facing"), ("pos", "position"), ("overall", "overall"))


def rescore_unchanged(record: RevisionRecord, metrics: Json) -> Iterator[Compared]:
    """Scores of the last map of the exploration and of the map after each turn, on the things that did not change."""
    stored = metrics.get("cogmap", {})
    summary = stored.get("cogmap_fb", {}).get("metrics", {})
    per_turn = stored.get("per_turn_metrics", {}).get("cogmap_fb_unchanged_per_turn", {})
    explored, *revised = _before(record), *_after_each_turn(record)
    for key, part in _PARTS:
        for turn, theirs in enumerate(per_turn.get(key, [])):
            metric = "unchanged" if turn else "unchanged_exploration"
            ours = _part([explored, *revised][turn], part) if turn <= len(revised) else None
            yield Compared(metric, f"turn {turn} {key}", ours, theirs, record.old_is_lost and not turn)
        if "unchanged" in summary:
            yield Compared("unchanged", f"mean {key}", _part(mean_score(revised), part), summary["unchanged"][key])
        if "unchanged_exploration" in summary:
            theirs = summary["unchanged_exploration"][key]
            yield Compared("unchanged_exploration", f"mean {key}", _part(explored, part), theirs, record.old_is_lost)


def _before(record: RevisionRecord) -> MapScore | None:
    """The agent does not count here."""
    start = record.after.pose_at(START, Heading.NORTH)
    kept = true_global_map(record.after, start, _unchanged(record), PUBLISHED).only(_unchanged(record))
    return score_map(_map(record.believed), kept, Yardstick.of(record.before), PUBLISHED) if record.believed else None


def _after_each_turn(record: RevisionRecord) -> Iterator[MapScore | None]:
    """The agent counts among the unchanged things once it moves about, and comes first.

    The order matters for the direction between the agent and what it stands on, which as published is north.
    """
    for turn, stated in zip(record.turns, record.maps, strict=True):
        pose = record.after.pose_at(turn.standing_on, turn.heading)
        places = true_global_map(record.after, pose, _unchanged(record), PUBLISHED).places
        truth = CognitiveMap({AGENT: places[AGENT], **places})
        yield None if stated is None else score_map(_map(stated), truth, Yardstick.of(record.before), PUBLISHED)


def _unchanged(record: RevisionRecord) -> list[str]:
    changed = {change.name for change in record.changes}
    return [name for name in record.after.names if name not in changed]


def _map(plain: PlainMap) -> CognitiveMap:
    return CognitiveMap({name: Placed(position, facing) for name, (position, facing) in plain.items()})


def _part(score: MapScore | None, part: str) -> float | None:
    return None if score is None else getattr(score, part)
