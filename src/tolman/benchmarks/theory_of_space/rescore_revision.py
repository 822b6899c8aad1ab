"""Set our revision scores of a released run beside the stored ones.

In the vision runs the exploration maps were probed again after the revision had been scored, and the first maps, the
"old beliefs" of those scores, were overwritten. The log still has the old positions of moved things; a value that needs
more of the old map is marked `lost`.
"""

from collections.abc import Iterator, Mapping

from tolman.belief.revision import (
    RevisionScores,
    Revisited,
    Tally,
    facing_correctness,
    facing_inertia,
    identification,
    position_correctness,
    position_retention,
    redundant_cost,
    revision_scores,
)
from tolman.benchmarks.compared import Compared
from tolman.benchmarks.theory_of_space.released_logs import Json
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.rescore_unchanged import rescore_unchanged
from tolman.benchmarks.theory_of_space.revision_record import (
    RevisionRecord,
    probes_of,
    revision_record,
)
from tolman.benchmarks.theory_of_space.stated_maps import reported_changes
from tolman.rules import PUBLISHED


def rescore_revision(run: ReleasedRun) -> Iterator[Compared]:
    """Every stored value about the revision of a run, beside ours; nothing where that phase was not run."""
    record = revision_record(run)
    if record is not None:
        stored = run.metrics
        yield from _report(record, stored.get("exploration", {}))
        yield from _views(record)
        yield from _things(record)
        summary = stored.get("cogmap", {}).get("cogmap_fb", {}).get("metrics", {})
        yield from _summary(record, summary)
        yield from rescore_unchanged(record, stored)


def _report(record: RevisionRecord, metrics: Json) -> Iterator[Compared]:
    found = identification(reported_changes(record.turns[-1]), record.changes, PUBLISHED)
    log = record.logs[-1].false_belief_log
    costs = [(turn.cost, view) for turn, view in zip(record.turns, record.views, strict=True)]
    ours = {
        "f1_overall": found.overall,
        "f1_position": found.position,
        "f1_facing": found.orientation,
        "action_cost": sum(cost for cost, _ in costs),
        "action_cost_after_seen": redundant_cost(costs, [change.name for change in record.changes]),
    }
    for metric, value in ours.items():
        name = f"false_belief_{metric}".removesuffix("_overall")
        for place, stored, key in (("log", log, metric), ("metrics", metrics, name)):
            if key in stored:
                yield Compared(metric, place, value, stored[key])
    if "false_belief_steps" in metrics:
        steps = sum(turn.parsed for turn in record.turns)
        yield Compared("steps", "metrics", steps, metrics["false_belief_steps"])


def _views(record: RevisionRecord) -> Iterator[Compared]:
    """What came into view for the first time, turn by turn; turns that could not be read have no log."""
    changed = frozenset(change.name for change in record.changes)
    known: set[str] = set()
    for log, view in zip(record.logs, record.views, strict=True):
        new, stored = frozenset(view) - known, log.false_belief_log
        known |= new
        if stored:
            for key, ours in (("changed", new & changed), ("unchanged", new - changed)):
                metric = f"newly_observed_{key}_objects"
                yield Compared(metric, f"turn {log.turn_number}", ours, frozenset(stored[metric]))


def _things(record: RevisionRecord) -> Iterator[Compared]:
    """Scores of single things, as they are stored with the turn in which each came into view."""
    seen, scale, lost = record.seen, record.scale, record.old_is_lost
    moved = {change.name for change in record.changes if change.kind == "position"}
    for probes in map(probes_of, record.logs):
        for name, stored in probes.get("changed_objects_per_object", {}).items():
            thing, kept = seen.get(name), probes["retention_per_object"].get(name, {})
            if name in moved:
                ours = thing and position_correctness(thing, scale, PUBLISHED)
                yield Compared("changed.pos", name, ours, stored["pos"])
                yield Compared(
                    "retention.pos", name, thing and position_retention(thing, scale, PUBLISHED), kept.get("pos")
                )
            else:
                ours = thing and facing_correctness(thing, PUBLISHED)
                yield Compared("changed.facing", name, ours, stored["facing"])
                ours = thing and facing_inertia(thing, PUBLISHED)
                yield Compared("retention.facing", name, ours, kept.get("facing"), lost)
        for name, stored in probes.get("unchanged_retention_per_object", {}).items():
            thing = seen.get(name)
            ours = thing and position_retention(thing, scale, PUBLISHED)
            yield Compared("unchanged_retention.pos", name, ours, stored["pos"], lost)
            ours = thing and facing_inertia(thing, PUBLISHED)
            yield Compared("unchanged_retention.facing", name, ours, stored["facing"], lost)


def _summary(record: RevisionRecord, stored: Json) -> Iterator[Compared]:
    seen, lost = record.seen, record.old_is_lost
    scores = revision_scores(seen, record.changes, record.scale, PUBLISHED)
    kept = _unchanged_retention(record, seen)
    yield from _means("changed", scores.position_correctness, scores.facing_correctness, stored, (False, False))
    yield from _means("retention", scores.position_retention, scores.facing_inertia, stored, (False, lost))
    yield from _means("unchanged_retention", *kept, stored, (lost, lost))
    yield from _inertia(scores, stored)
    # Two versions of the summary are about: the later one has inertia in it, and squares this ratio.
    power = 2 if "inertia" in stored else 1
    drops = stored.get("unchanged_retention_minus_retention", {})
    for part, all_of_it, changed in zip(
        ("pos", "facing"), kept, (scores.position_retention, scores.facing_inertia), strict=True
    ):
        if part in drops and all_of_it.mean and changed.mean is not None:
            ours = 1 - (changed.mean / all_of_it.mean) ** power
            yield Compared(f"retention_drop.{part}", "mean", ours, drops[part], lost)


def _means(metric: str, position: Tally, facing: Tally, stored: Json, lost: tuple[bool, bool]) -> Iterator[Compared]:
    if metric in stored:
        yield Compared(f"{metric}.pos", "mean", position.mean, stored[metric]["pos"], lost[0])
        yield Compared(f"{metric}.facing", "mean", facing.mean, stored[metric]["facing"], lost[1])


def _inertia(scores: RevisionScores, stored: Json) -> Iterator[Compared]:
    if "inertia" in stored:
        ours = tuple(sorted(value for _, value in scores.position_inertia.scores))
        yield Compared("inertia", "things", ours, tuple(sorted(stored["inertia_list"])))
        yield Compared("inertia", "mean", scores.position_inertia.mean, stored["inertia"])


def _unchanged_retention(record: RevisionRecord, seen: Mapping[str, Revisited]) -> tuple[Tally, Tally]:
    changed = {change.name for change in record.changes}
    rest = [(name, thing) for name, thing in seen.items() if name not in changed]
    position = ((name, position_retention(thing, record.scale, PUBLISHED)) for name, thing in rest)
    facing = ((name, facing_inertia(thing, PUBLISHED)) for name, thing in rest)
    return Tally.of(position), Tally.of(facing)
