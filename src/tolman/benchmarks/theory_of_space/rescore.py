"""Score the authors' released runs again: are the published numbers the same here, and what would strict ones be?

A run becomes the record that an evaluation would have made of it, and is scored by the same function.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tolman.belief.map_scores import MapScore
from tolman.benchmarks.compared import Compared
from tolman.benchmarks.tallies import Section
from tolman.benchmarks.theory_of_space.blind import blind_point_scores
from tolman.benchmarks.theory_of_space.released_book import MAP_MODES
from tolman.benchmarks.theory_of_space.released_cases import case_id
from tolman.benchmarks.theory_of_space.released_record import released_record
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.rescore_answers import rescore_answers
from tolman.benchmarks.theory_of_space.rescore_maps import rescore_information_gain, rescore_maps
from tolman.benchmarks.theory_of_space.rescore_revision import rescore_revision
from tolman.benchmarks.theory_of_space.revised import RevisionOutcome
from tolman.benchmarks.theory_of_space.scores import AnswerOutcome, MapOutcome
from tolman.rules import PUBLISHED, STRICT, RuleSetName


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
            setting = f"{run.model}, {run.world}, {run.exploration}, {MAP_MODES[answer.mode]}"
            for section, kind in ((self.answers, answer.kind), (self.settings, setting)):
                section.score(kind, rules, answer.score, answer.unread)

    def _score_maps(self, maps: MapOutcome, rules: RuleSetName) -> None:
        (summary,) = maps.summaries
        for name, score in (
            ("correctness", summary.correctness),
            ("perception", summary.perception),
            ("self-tracking", summary.self_tracking),
            ("local against global", summary.consistency),
        ):
            for part, value in _parts(score):
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


def rescore(runs: Iterable[ReleasedRun]) -> Rescored:
    """Score runs again, all of them."""
    outcome = Rescored()
    for run in runs:
        outcome.add(run)
    return outcome


def _compare(section: Section, run: ReleasedRun, values: Iterable[Compared]) -> None:
    name = f"{run.model} {case_id(run)}"
    for value in values:
        section.compare(replace(value, run=name))


def _parts(score: MapScore | None) -> tuple[tuple[str, float | None], ...]:
    if score is None:
        return ()
    return ("orientation", score.facing), ("position", score.position), ("overall", score.overall)
