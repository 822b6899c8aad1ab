"""Comparison of our revision scores of a released run with the stored ones.

A stored value that depends on an old map missing from the files can't be checked if some old map would give it (see
`old_belief`); otherwise it counts as different.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tolman.belief.map_dimensions import mean_score
from tolman.belief.map_scores import MapScale, MapScore
from tolman.belief.revision import RevisionScores, Tally
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.released.log_schema import Json
from tolman.benchmarks.theory_of_space.released.old_map import OLD_MAP_IS_LOST, is_possible_retention, stored_map_scores
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRun
from tolman.benchmarks.theory_of_space.revision import RetentionScores, RevisionOutcome
from tolman.harness.rescoring import ComparedValue

_PARTS = (("dir", "direction"), ("facing", "facing"), ("pos", "position"), ("overall", "overall"))


def rescore_revision(run: ReleasedRun, case: Case, revised: RevisionOutcome) -> Iterator[ComparedValue]:
    """Every stored value about the revision of a run, with ours."""
    metrics = run.metrics
    yield from _report(run, revised, metrics.get("exploration", {}))
    yield from _views(run, case, revised)
    if revised.scores is not None and revised.retention is not None:
        stored: Json = metrics.get("cogmap", {})
        summary = stored.get("cogmap_fb", {}).get("metrics", {})
        per_turn = stored.get("per_turn_metrics", {}).get("cogmap_fb_unchanged_per_turn", {})
        yield from _things(run, case, revised.scores, revised.retention)
        yield from _summary(run, case, revised.scores, revised.retention, summary)
        yield from _unchanged(revised.retention, per_turn, summary)


# ---- the report, and what came into view ----


def _report(run: ReleasedRun, revised: RevisionOutcome, metrics: Json) -> Iterator[ComparedValue]:
    found, log = revised.identification, run.revision_turns[-1].false_belief_log
    ours = {
        "f1_overall": found.overall,
        "f1_position": found.position,
        "f1_facing": found.orientation,
        "action_cost": revised.cost,
        "action_cost_after_seen": revised.redundant,
    }
    for metric, value in ours.items():
        name = f"false_belief_{metric}".removesuffix("_overall")
        for place, stored, key in (("log", log, metric), ("metrics", metrics, name)):
            if key in stored:
                yield ComparedValue(metric, place, value, stored[key])
    if "false_belief_steps" in metrics:
        steps = revised.replies + revised.forced - revised.unparseable
        yield ComparedValue("steps", "metrics", steps, metrics["false_belief_steps"])


def _views(run: ReleasedRun, case: Case, revised: RevisionOutcome) -> Iterator[ComparedValue]:
    """Names that first came into view, turn by turn; unparseable turns have no log."""
    changed = frozenset(change.name for change in case.changes)
    seen: set[str] = set()
    for number, (log, view) in enumerate(zip(run.revision_turns, revised.views, strict=False), start=1):
        new, stored = frozenset(view) - seen, log.false_belief_log
        seen |= new
        if stored:
            for key, ours in (("changed", new & changed), ("unchanged", new - changed)):
                metric = f"newly_observed_{key}_objects"
                yield ComparedValue(metric, f"turn {number}", ours, frozenset(stored[metric]), turn=number)


# ---- single things ----


def _things(
    run: ReleasedRun, case: Case, scores: RevisionScores, retention: RetentionScores
) -> Iterator[ComparedValue]:
    """Scores of single things, which are stored with the turn in which each first came into view."""
    length = MapScale.of(case.scene).length
    moved_scores = _by_name(scores.position_correctness), _by_name(scores.position_retention)
    turned_scores = _by_name(scores.facing_correctness), _by_name(scores.facing_inertia)
    unchanged_scores = _by_name(retention.position), _by_name(retention.facing)
    for number, scores_of_turn in enumerate(map(stored_map_scores, run.revision_turns), start=1):
        for name, stored in scores_of_turn.get("changed_objects_per_object", {}).items():
            old = scores_of_turn.get("retention_per_object", {}).get(name, {})
            moved = name in moved_scores[0]
            part, (correct, retained) = ("pos", moved_scores) if moved else ("facing", turned_scores)
            yield ComparedValue(f"changed.{part}", name, correct.get(name), stored[part], turn=number)
            value = ComparedValue(f"retention.{part}", name, retained.get(name), old.get(part), turn=number)
            left_out = moved and name not in case.old_positions and old.get(part) in (None, 0.0)
            yield _mark_uncheckable(value, case, possible=left_out or (not moved and old.get(part) in (None, 0.0, 1.0)))
        for name, stored in scores_of_turn.get("unchanged_retention_per_object", {}).items():
            possible = is_possible_retention(stored["pos"], stored["facing"], length)
            for part, ours in zip(("pos", "facing"), unchanged_scores, strict=True):
                value = ComparedValue(f"unchanged_retention.{part}", name, ours.get(name), stored[part], turn=number)
                yield _mark_uncheckable(value, case, possible=possible)


def _mark_uncheckable(value: ComparedValue, case: Case, *, possible: bool) -> ComparedValue:
    """The value, marked as uncheckable if the old map is missing and some map would give it."""
    return replace(value, uncheckable=OLD_MAP_IS_LOST) if case.old_is_lost and possible else value


# ---- summaries ----


def _summary(
    run: ReleasedRun, case: Case, scores: RevisionScores, retention: RetentionScores, stored: Json
) -> Iterator[ComparedValue]:
    quoted = _quoted_means(run, case)
    tallies = {
        "changed.pos": scores.position_correctness,
        "changed.facing": scores.facing_correctness,
        "retention.pos": scores.position_retention,
        "retention.facing": scores.facing_inertia,
        "unchanged_retention.pos": retention.position,
        "unchanged_retention.facing": retention.facing,
    }
    for metric, tally in tallies.items():
        section, part = metric.split(".")
        if section in stored:
            value = ComparedValue(metric, "mean", tally.mean, stored[section].get(part))
            yield _mark_derived(value, case, quoted.get(metric))
    if "inertia" in stored:
        ours = tuple(sorted(value for _, value in scores.position_inertia.scores))
        yield ComparedValue("inertia", "things", ours, tuple(sorted(stored.get("inertia_list", []))))
        yield ComparedValue("inertia", "mean", scores.position_inertia.mean, stored["inertia"])
    # There are two versions of the summary: the later one includes inertia, and squares this ratio.
    power = 2 if "inertia" in stored else 1
    for part, theirs in stored.get("unchanged_retention_minus_retention", {}).items():
        pair = (tallies[f"retention.{part}"].mean, tallies[f"unchanged_retention.{part}"].mean)
        quotes = quoted.get(f"retention.{part}"), quoted.get(f"unchanged_retention.{part}")
        value = ComparedValue(f"retention_drop.{part}", "mean", _drop(*pair, power), theirs)
        yield _mark_derived(value, case, _drop(*quotes, power))


def _drop(changed: float | None, unchanged: float | None, power: int) -> float | None:
    return 1 - (changed / unchanged) ** power if unchanged and changed is not None else None


def _quoted_means(run: ReleasedRun, case: Case) -> dict[str, float | None]:
    """Means of the stored scores of single things that depend on a missing old map; empty if it is not missing."""
    if not case.old_is_lost:
        return {}
    single: dict[str, list[float]] = {}
    for scores_of_turn in map(stored_map_scores, run.revision_turns):
        for section in ("retention", "unchanged_retention"):
            for stored in scores_of_turn.get(f"{section}_per_object", {}).values():
                for part in ("pos", "facing"):
                    values = single.setdefault(f"{section}.{part}", [])
                    values += [] if stored.get(part) is None else [stored[part]]
    return {metric: sum(values) / len(values) if values else None for metric, values in single.items()}


def _mark_derived(value: ComparedValue, case: Case, from_quotes: float | None) -> ComparedValue:
    """The value, marked as uncheckable if the old map is missing and it follows from other stored values."""
    return _mark_uncheckable(value, case, possible=not value.identical and replace(value, ours=from_quotes).identical)


def _unchanged(retention: RetentionScores, per_turn: Json, summary: Json) -> Iterator[ComparedValue]:
    """Scores of the last map of the exploration and of the map after each turn, over unchanged things."""
    for key, part in _PARTS:
        for turn, theirs in enumerate(per_turn.get(key, [])):
            scored = (
                retention.before if turn == 0 else retention.after[turn - 1] if turn <= len(retention.after) else None
            )
            metric = "unchanged" if turn else "unchanged_exploration"
            yield ComparedValue(metric, f"turn {turn} {key}", _part(scored, part), theirs, turn=turn)
        if "unchanged" in summary:
            theirs = summary["unchanged"].get(key)
            yield ComparedValue("unchanged", f"mean {key}", _part(mean_score(retention.after), part), theirs)
        if "unchanged_exploration" in summary:
            theirs = summary["unchanged_exploration"].get(key)
            yield ComparedValue("unchanged_exploration", f"mean {key}", _part(retention.before, part), theirs)


def _by_name(tally: Tally) -> Mapping[str, float | None]:
    return {**dict.fromkeys(tally.undefined), **dict(tally.scores)}


def _part(score: MapScore | None, part: str) -> float | None:
    return None if score is None else getattr(score, part)
