"""Rescoring of the authors' released runs: whether stored numbers are reproduced, and the strict scores.

A stored revision score that depends on an old map missing from the files can't be checked if some old map would give
it (see `old_belief`); otherwise it counts as different.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.text import Text

from tolman.belief.map_dimensions import mean_score
from tolman.belief.map_scores import MapScale, MapScore
from tolman.belief.revision import RevisionScores, Tally
from tolman.benchmarks.theory_of_space.blind_baselines import blind_point_scores
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.released.cases import case_id
from tolman.benchmarks.theory_of_space.released.replies import AUTHORS_MAP_MODES, logged_answers, released_record
from tolman.benchmarks.theory_of_space.released.rescore_maps import (
    OLD_MAP_IS_LOST,
    is_possible_retention,
    rescore_information_gain,
    rescore_maps,
    stored_map_scores,
)
from tolman.benchmarks.theory_of_space.released.run_files import Json, ReleasedRun
from tolman.benchmarks.theory_of_space.scores import AnswerOutcome, MapOutcome, RetentionScores, RevisionOutcome
from tolman.core.rules import PUBLISHED, STRICT, RuleSetName
from tolman.report.rescored import ComparedValue, RescoredSection, differences, identity_table, mean_scores_table
from tolman.report.table import Table


def rescore_answers(run: ReleasedRun, answers: Sequence[AnswerOutcome]) -> Iterator[ComparedValue]:
    """All answers of a run to questions of the nine kinds and their picture variants, in all map modes."""
    graded = {answer.call: answer for answer in answers}
    for call, stored in logged_answers(run).items():
        ours = graded[call]
        yield ComparedValue(ours.kind, f"{AUTHORS_MAP_MODES[ours.mode]} {stored.question_id}", ours.score, stored.score)


@dataclass
class RescoredRuns:
    """The outcome of rescoring, accumulated over runs."""

    runs: int = 0
    answers: RescoredSection = field(default_factory=RescoredSection)
    settings: RescoredSection = field(default_factory=RescoredSection)
    """Scores of the same answers by model, world, exploration and mode."""
    maps: RescoredSection = field(default_factory=RescoredSection)
    information_gain: RescoredSection = field(default_factory=RescoredSection)
    revision: RescoredSection = field(default_factory=RescoredSection)

    def as_dict(self) -> dict[str, object]:
        """JSON-compatible values."""
        return {
            "runs": self.runs,
            "answers": self.answers.as_dict() | {"by_setting": self.settings.as_dict()["scores"]},
            "maps": self.maps.as_dict(),
            "information_gain": self.information_gain.as_dict(),
            "revision": self.revision.as_dict(),
        }

    def add(self, run: ReleasedRun) -> None:
        """Rescore one run."""
        self.runs += 1
        record, explored = released_record(run), bool(run.exploration_turns)
        published = record.scores(PUBLISHED)
        _compare(self.answers, run, rescore_answers(run, published.answers))
        if explored and published.maps is not None:
            _compare(self.maps, run, rescore_maps(run, record, published.maps))
            _compare(self.information_gain, run, rescore_information_gain(published.exploration, run.metrics))
        if published.revision is not None:
            _compare(self.revision, run, rescore_revision(run, record.case, published.revision))
        for rules, scores in ((PUBLISHED, published), (STRICT, record.scores(STRICT))):
            self._score_answers(run, scores.answers, rules.name)
            if explored and scores.maps is not None:
                self._score_maps(scores.maps, rules.name)
                for name, value in blind_point_scores(record, rules):
                    self.maps.score(f"unexplored points, {name} (baseline)", rules.name, value)
            if scores.revision is not None:
                self._score_revision(scores.revision, rules.name)

    def _score_answers(self, run: ReleasedRun, answers: Iterable[AnswerOutcome], rules: RuleSetName) -> None:
        for answer in answers:
            setting = f"{run.model}, {run.world}, {run.exploration}, {AUTHORS_MAP_MODES[answer.mode]}"
            for section, kind in ((self.answers, answer.kind), (self.settings, setting)):
                section.score(kind, rules, answer.score, answer.unparseable)

    def _score_maps(self, maps: MapOutcome, rules: RuleSetName) -> None:
        (summary,) = maps.summaries
        for name, score in (
            ("correctness", summary.correctness),
            ("perception", summary.perception),
            ("self-tracking", summary.self_tracking),
            ("local against global", summary.consistency),
        ):
            for part, value in _map_parts(score):
                self.maps.score(f"{name}, {part}", rules, value)
        self.maps.score("stability, orientation", rules, summary.facing_stability)
        self.maps.score("stability, position", rules, summary.position_stability)
        self.maps.score("unexplored points", rules, maps.uncertainty)
        self.maps.score("replies without a map", rules, None, summary.failures)

    def _score_revision(self, revised: RevisionOutcome, rules: RuleSetName) -> None:
        for name, value in (
            ("identification F1", revised.identification.overall),
            ("identification F1, orientation", revised.identification.orientation),
            ("identification F1, position", revised.identification.position),
            ("cost", revised.cost),
            ("redundant cost", revised.redundant),
        ):
            self.revision.score(name, rules, value)
        if revised.scores is not None:
            for name, tally in (
                ("correctness, orientation", revised.scores.facing_correctness),
                ("correctness, position", revised.scores.position_correctness),
                ("inertia, position", revised.scores.position_inertia),
                ("inertia, orientation", revised.scores.facing_inertia),
            ):
                for _, value in tally.scores:
                    self.revision.score(name, rules, value)
                self.revision.score(name, rules, None, len(tally.undefined))


def rescore(runs: Iterable[ReleasedRun]) -> RescoredRuns:
    """Rescore all runs."""
    outcome = RescoredRuns()
    for run in runs:
        outcome.add(run)
    return outcome


def rescored_tables(outcome: RescoredRuns) -> Iterator[Text | Table]:
    """The tables to print, in order; they fit a terminal of 80 columns."""
    sections = (
        ("Answers", outcome.answers),
        ("Maps", outcome.maps),
        ("Information gain", outcome.information_gain),
        ("Revision", outcome.revision),
    )
    yield identity_table(f"{outcome.runs} released runs, rescored: stored values that are reproduced", sections)
    yield from differences(sections)
    for title, section in sections:
        if section.scores:
            yield mean_scores_table(title, section, "undefined" if section is outcome.revision else "unparseable")
    if outcome.settings.scores:
        yield mean_scores_table("Answers by setting", outcome.settings, "unparseable", "map mode", _split_setting)


def _split_setting(setting: str) -> tuple[str, str]:
    """Splits a setting into model, world and exploration, and the map mode."""
    run, _, mode = setting.rpartition(", ")
    return run, mode


def _compare(section: RescoredSection, run: ReleasedRun, values: Iterable[ComparedValue]) -> None:
    name = f"{run.model} {case_id(run)}"
    for value in values:
        section.compare(replace(value, run=name))


def _map_parts(score: MapScore | None) -> tuple[tuple[str, float | None], ...]:
    if score is None:
        return ()
    return ("orientation", score.facing), ("position", score.position), ("overall", score.overall)


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
