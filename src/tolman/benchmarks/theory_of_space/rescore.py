"""Score the authors' released runs again: are the published numbers the same here, and what would strict ones be?"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tolman.belief.map_dimensions import score_turns
from tolman.belief.map_scores import MapScore
from tolman.belief.map_summary import summarise
from tolman.belief.revision import identification, redundant_cost, revision_scores
from tolman.benchmarks.tallies import Section
from tolman.benchmarks.theory_of_space.map_record import MapRecord, map_record
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.rescore_answers import rescore_answers
from tolman.benchmarks.theory_of_space.rescore_maps import mean_point_score, rescore_information_gain, rescore_maps
from tolman.benchmarks.theory_of_space.rescore_revision import rescore_revision
from tolman.benchmarks.theory_of_space.revision_record import revision_record
from tolman.benchmarks.theory_of_space.stated_maps import reported_changes
from tolman.rules import PUBLISHED, STRICT


@dataclass
class Rescored:
    """The outcome for any number of runs."""

    runs: int = 0
    answers: Section = field(default_factory=Section)
    settings: Section = field(default_factory=Section)
    """Scores of the same answers by model, world, exploration and mode."""
    maps: Section = field(default_factory=Section)
    information_gain: Section = field(default_factory=Section)
    revision: Section = field(default_factory=Section)

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {
            "runs": self.runs,
            "answers": self.answers.as_dict() | {"by_setting": self.settings.as_dict()["scores"]},
            "maps": self.maps.as_dict(),
            "information_gain": self.information_gain.as_dict(),
            "revision": self.revision.as_dict(),
        }

    def add(self, run: ReleasedRun) -> None:
        """Score one run again."""
        self.runs += 1
        for answer in rescore_answers(run):
            self.answers.compare(answer.compared)
            setting = f"{run.model}, {run.world}, {run.exploration}, {answer.mode}"
            for section, kind in ((self.answers, answer.kind), (self.settings, setting)):
                section.score(kind, "published", answer.published.score, answer.published.format_failure)
                section.score(kind, "strict", answer.strict.score, answer.strict.format_failure)
        record = map_record(run)
        if record is not None:
            metrics = run.metrics
            for value in rescore_maps(record, metrics):
                self.maps.compare(value)
            for value in rescore_information_gain(record, metrics):
                self.information_gain.compare(value)
            self._score_maps(record)
            self._score_revision(run)

    def _score_maps(self, record: MapRecord) -> None:
        for rules in (PUBLISHED, STRICT):
            summary = summarise(score_turns(record.scene, record.turns, rules))
            for name, score in (
                ("correctness", summary.correctness),
                ("perception", summary.perception),
                ("self-tracking", summary.self_tracking),
                ("local against global", summary.consistency),
            ):
                for part, value in _parts(score):
                    self.maps.score(f"{name}, {part}", rules.name, value)
            self.maps.score("stability, orientation", rules.name, summary.facing_stability)
            self.maps.score("stability, position", rules.name, summary.position_stability)
            self.maps.score("unexplored points", rules.name, mean_point_score(record, rules))
            self.maps.score("replies without a map", rules.name, None, summary.failures)

    def _score_revision(self, run: ReleasedRun) -> None:
        for value in rescore_revision(run):
            self.revision.compare(value)
        for rules in (PUBLISHED, STRICT):
            record = revision_record(run, rules)
            if record is None:
                return
            found = identification(reported_changes(record.turns[-1]), record.changes, rules)
            costs = [(turn.cost, view) for turn, view in zip(record.turns, record.views, strict=True)]
            scores = revision_scores(record.seen, record.changes, record.scale, rules)
            for name, value in (
                ("identification F1", found.overall),
                ("identification F1, orientation", found.orientation),
                ("identification F1, position", found.position),
                ("cost", sum(cost for cost, _ in costs)),
                ("redundant cost", redundant_cost(costs, [change.name for change in record.changes])),
            ):
                self.revision.score(name, rules.name, value)
            for name, tally in (
                ("correctness, orientation", scores.facing_correctness),
                ("correctness, position", scores.position_correctness),
                ("inertia, position", scores.position_inertia),
            ):
                for _, value in tally.scores:
                    self.revision.score(name, rules.name, value)
                self.revision.score(name, rules.name, None, len(tally.undefined))
            if not record.old_is_lost:
                for _, value in scores.facing_inertia.scores:
                    self.revision.score("inertia, orientation", rules.name, value)
                self.revision.score("inertia, orientation", rules.name, None, len(scores.facing_inertia.undefined))


def rescore(runs: Iterable[ReleasedRun]) -> Rescored:
    """Score runs again, all of them."""
    outcome = Rescored()
    for run in runs:
        outcome.add(run)
    return outcome


def _parts(score: MapScore | None) -> tuple[tuple[str, float | None], ...]:
    if score is None:
        return ()
    return ("orientation", score.facing), ("position", score.position), ("overall", score.overall)
