"""Rescoring of the authors' released runs: whether stored numbers are reproduced, and the strict scores."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rich.text import Text

from tolman.belief.map_scores import MapScore
from tolman.benchmarks.theory_of_space.blind_baselines import blind_point_scores
from tolman.benchmarks.theory_of_space.released.cases import case_id
from tolman.benchmarks.theory_of_space.released.replies import AUTHORS_MAP_MODES, logged_answers, released_record
from tolman.benchmarks.theory_of_space.released.rescore_maps import rescore_information_gain, rescore_maps
from tolman.benchmarks.theory_of_space.released.rescore_revision import rescore_revision
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRun
from tolman.benchmarks.theory_of_space.revision import RevisionOutcome
from tolman.benchmarks.theory_of_space.scores import AnswerOutcome, MapOutcome
from tolman.core.rules import PUBLISHED, STRICT, RuleSetName
from tolman.harness.rescoring import ComparedValue, RescoredSection
from tolman.report.rescored import differences, identity_table, mean_scores_table
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
