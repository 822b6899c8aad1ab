"""Set our revision scores of a released run beside the stored ones.

A value that compares the new map with an old one that is no longer in the files can't be checked, as long as it is one
that some old map would give (see `old_belief`); else it is different like any other.
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
    """Every stored value about the revision of a run, beside ours."""
    metrics = run.metrics
    yield from _report(run, revised, metrics.get("exploration", {}))
    yield from _views(run, case, revised)
    if revised.scores is not None and revised.kept is not None:
        stored: Json = metrics.get("cogmap", {})
        summary = stored.get("cogmap_fb", {}).get("metrics", {})
        per_turn = stored.get("per_turn_metrics", {}).get("cogmap_fb_unchanged_per_turn", {})
        yield from _things(run, case, revised.scores, revised.kept)
        yield from _summary(run, case, revised.scores, revised.kept, summary)
        yield from _unchanged(revised.kept, per_turn, summary)


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
        steps = revised.replies + revised.forced - revised.unread
        yield ComparedValue("steps", "metrics", steps, metrics["false_belief_steps"])


def _views(run: ReleasedRun, case: Case, revised: RevisionOutcome) -> Iterator[ComparedValue]:
    """What came into view for the first time, turn by turn; turns that could not be read have no log."""
    changed = frozenset(change.name for change in case.changes)
    known: set[str] = set()
    for number, (log, view) in enumerate(zip(run.revision_turns, revised.views, strict=False), start=1):
        new, stored = frozenset(view) - known, log.false_belief_log
        known |= new
        if stored:
            for key, ours in (("changed", new & changed), ("unchanged", new - changed)):
                metric = f"newly_observed_{key}_objects"
                yield ComparedValue(metric, f"turn {number}", ours, frozenset(stored[metric]), turn=number)


# ---- single things ----


def _things(run: ReleasedRun, case: Case, scores: RevisionScores, kept: RetentionScores) -> Iterator[ComparedValue]:
    """Scores of single things, as they are stored with the turn in which each came into view."""
    length = MapScale.of(case.scene).length
    of_moved = _by_name(scores.position_correctness), _by_name(scores.position_retention)
    of_turned = _by_name(scores.facing_correctness), _by_name(scores.facing_inertia)
    of_rest = _by_name(kept.position), _by_name(kept.facing)
    for number, probes in enumerate(map(stored_map_scores, run.revision_turns), start=1):
        for name, stored in probes.get("changed_objects_per_object", {}).items():
            old = probes.get("retention_per_object", {}).get(name, {})
            moved = name in of_moved[0]
            part, (correct, stuck) = ("pos", of_moved) if moved else ("facing", of_turned)
            yield ComparedValue(f"changed.{part}", name, correct.get(name), stored[part], turn=number)
            value = ComparedValue(f"retention.{part}", name, stuck.get(name), old.get(part), turn=number)
            left_out = moved and name not in case.old_positions and old.get(part) in (None, 0.0)
            yield _lost(value, case, could_be=left_out or (not moved and old.get(part) in (None, 0.0, 1.0)))
        for name, stored in probes.get("unchanged_retention_per_object", {}).items():
            could_be = is_possible_retention(stored["pos"], stored["facing"], length)
            for part, ours in zip(("pos", "facing"), of_rest, strict=True):
                value = ComparedValue(f"unchanged_retention.{part}", name, ours.get(name), stored[part], turn=number)
                yield _lost(value, case, could_be=could_be)


def _lost(value: ComparedValue, case: Case, *, could_be: bool) -> ComparedValue:
    """The value, said to be uncheckable where the old map is lost and some map would give it."""
    return replace(value, uncheckable=OLD_MAP_IS_LOST) if case.old_is_lost and could_be else value


# ---- summaries ----


def _summary(
    run: ReleasedRun, case: Case, scores: RevisionScores, kept: RetentionScores, stored: Json
) -> Iterator[ComparedValue]:
    quoted = _quoted_means(run, case)
    tallies = {
        "changed.pos": scores.position_correctness,
        "changed.facing": scores.facing_correctness,
        "retention.pos": scores.position_retention,
        "retention.facing": scores.facing_inertia,
        "unchanged_retention.pos": kept.position,
        "unchanged_retention.facing": kept.facing,
    }
    for metric, tally in tallies.items():
        section, part = metric.split(".")
        if section in stored:
            value = ComparedValue(metric, "mean", tally.mean, stored[section].get(part))
            yield _follows(value, case, quoted.get(metric))
    if "inertia" in stored:
        ours = tuple(sorted(value for _, value in scores.position_inertia.scores))
        yield ComparedValue("inertia", "things", ours, tuple(sorted(stored.get("inertia_list", []))))
        yield ComparedValue("inertia", "mean", scores.position_inertia.mean, stored["inertia"])
    # Two versions of the summary are about: the later one has inertia in it, and squares this ratio.
    power = 2 if "inertia" in stored else 1
    for part, theirs in stored.get("unchanged_retention_minus_retention", {}).items():
        pair = (tallies[f"retention.{part}"].mean, tallies[f"unchanged_retention.{part}"].mean)
        quotes = quoted.get(f"retention.{part}"), quoted.get(f"unchanged_retention.{part}")
        value = ComparedValue(f"retention_drop.{part}", "mean", _drop(*pair, power), theirs)
        yield _follows(value, case, _drop(*quotes, power))


def _drop(changed: float | None, unchanged: float | None, power: int) -> float | None:
    return 1 - (changed / unchanged) ** power if unchanged and changed is not None else None


def _quoted_means(run: ReleasedRun, case: Case) -> dict[str, float | None]:
    """Means of the stored scores of single things that need an old map which is lost; empty where none is."""
    if not case.old_is_lost:
        return {}
    single: dict[str, list[float]] = {}
    for probes in map(stored_map_scores, run.revision_turns):
        for section in ("retention", "unchanged_retention"):
            for stored in probes.get(f"{section}_per_object", {}).values():
                for part in ("pos", "facing"):
                    values = single.setdefault(f"{section}.{part}", [])
                    values += [] if stored.get(part) is None else [stored[part]]
    return {metric: sum(values) / len(values) if values else None for metric, values in single.items()}


def _follows(value: ComparedValue, case: Case, from_quotes: float | None) -> ComparedValue:
    """The value, said to be uncheckable where the old map is lost and it follows from other stored values."""
    return _lost(value, case, could_be=not value.identical and replace(value, ours=from_quotes).identical)


def _unchanged(kept: RetentionScores, per_turn: Json, summary: Json) -> Iterator[ComparedValue]:
    """Scores of the last map of the exploration and of the map after each turn, on what did not change."""
    for key, part in _PARTS:
        for turn, theirs in enumerate(per_turn.get(key, [])):
            scored = kept.before if turn == 0 else kept.after[turn - 1] if turn <= len(kept.after) else None
            metric = "unchanged" if turn else "unchanged_exploration"
            yield ComparedValue(metric, f"turn {turn} {key}", _part(scored, part), theirs, turn=turn)
        if "unchanged" in summary:
            theirs = summary["unchanged"].get(key)
            yield ComparedValue("unchanged", f"mean {key}", _part(mean_score(kept.after), part), theirs)
        if "unchanged_exploration" in summary:
            theirs = summary["unchanged_exploration"].get(key)
            yield ComparedValue("unchanged_exploration", f"mean {key}", _part(kept.before, part), theirs)


def _by_name(tally: Tally) -> Mapping[str, float | None]:
    return {**dict.fromkeys(tally.undefined), **dict(tally.scores)}


def _part(score: MapScore | None, part: str) -> float | None:
    return None if score is None else getattr(score, part)
