"""Runs of vision-language models read from logs, named, with all their answers and a majority baseline."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.record import LoggedCase, options_from_dict, read_record
from tolman.benchmarks.sparrta.relations import RELATIONS, VIEWPOINTS, Relation, Viewpoint
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS
from tolman.benchmarks.sparrta.scores import ScoredAnswer, score_case
from tolman.harness.logs import LogFile, SampleAddress, Tell, logs_of
from tolman.harness.names import differences
from tolman.harness.runs import ModelRun, Track, collect_runs, untracked
from tolman.report.statistics import Interval

TASK = "sparrta"
GENERATED = "own pictures"
"""Stands for pictures that were made for the run."""
_PICTURE_OPTIONS = ("balanced", "preset", "models")
"""Options that change what such pictures are like."""


@dataclass(frozen=True)
class Log(LogFile):
    """One log, of which only the header has been read."""

    options: Options

    @property
    def settings(self) -> dict[str, object]:
        """All that sets an evaluation apart from others of the same model: options, data, generation.

        Of a folder only its name tells: the same data may lie elsewhere. Which pictures of our own were asked about
        does not matter: logs on several environments are one run.
        """
        given = self.header.eval.task_args
        data = PurePath(str(given.get("data") or "")).name
        own = {} if data else {name: given[name] for name in _PICTURE_OPTIONS if name in given}
        return {**self.options.as_dict(), "data": data or GENERATED, **own, **super().settings}


@dataclass(frozen=True)
class FinishedPicture:
    """A picture to which all replies came, with its scores."""

    logged: LoggedCase
    answers: tuple[ScoredAnswer, ...]
    address: SampleAddress | None = field(default=None, compare=False)
    """Where it is logged, if it was read from a log."""

    @property
    def id(self) -> str:
        return self.logged.case.id


@dataclass(frozen=True)
class Run(ModelRun[Options, FinishedPicture]):
    """One model asked in one way."""


def finish(logged: LoggedCase) -> FinishedPicture:
    """Score a record."""
    return FinishedPicture(logged, score_case(logged))


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = untracked, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs, as they were begun; those that ask for thoughts come last.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    runs = collect_runs(open_logs(paths, tell), _finished, Run, tell, track, jobs)
    return sorted(runs, key=lambda run: run.options.think)


def open_logs(paths: Sequence[Path], tell: Tell) -> list[Log]:
    """The logs of SpaRRTa in files and folders, oldest first. Other tasks are passed over."""
    return logs_of(TASK, "SpaRRTa", paths, tell, lambda path, header, o: Log(path, header, options_from_dict(o)))


def _finished(metadata: Mapping[str, object], stored: object) -> FinishedPicture:
    return finish(read_record(metadata, stored))


_USUAL = {
    **Options().as_dict(),
    "data": GENERATED,
    "balanced": False,
    "preset": "standard",
    "models": "auto",
    "temperature": 0.0,
}


def run_names(runs: Sequence[Run]) -> list[str]:
    """One for each run. That thoughts were asked for is always told; where pictures lie only if runs differ in it."""
    named: dict[str, list[int]] = {}
    for place, run in enumerate(runs):
        named.setdefault(run.name, []).append(place)
    found = [""] * len(runs)
    for name, places in named.items():
        settings = [{"model": runs[place].model, **_setting(runs[place])} for place in places]
        usual = {key: value for key, value in _USUAL.items() if key in settings[0] and key not in ("data", "think")}
        for place, apart in zip(places, differences([{**settings[0], **usual}, *settings])[1:], strict=True):
            parts = (name, "think" if runs[place].options.think else "", apart)
            found[place] = ", ".join(part for part in parts if part)
    return found


def _setting(run: Run) -> dict[str, object]:
    known = dict(run.settings) or run.options.as_dict()
    return {name: value for name, value in known.items() if name != "think"}


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """One question and what was said to it."""

    picture: str
    environment: str
    triple: int
    viewpoint: Viewpoint
    answer: Relation
    said: Relation | None

    @property
    def right(self) -> bool:
        return self.said == self.answer

    @property
    def triple_name(self) -> str:
        return f"{self.environment} {self.triple}".replace("_", " ")


def answered_questions(cases: Iterable[FinishedPicture]) -> Iterator[AnsweredQuestion]:
    """All answers of some pictures."""
    for case in cases:
        about = case.logged.case
        for answer in case.answers:
            asked = answer.question
            yield AnsweredQuestion(case.id, about.environment, about.triple, asked.viewpoint, asked.answer, answer.said)


def environment_rank(environment: str) -> tuple[int, str]:
    """Where an environment stands among others: in the paper's order, unknown ones last."""
    known = list(ENVIRONMENTS)
    return (known.index(environment) if environment in known else len(known)), environment


CHANCE = 1 / len(RELATIONS)
UNPARSEABLE = "not read"


@dataclass(frozen=True)
class RunAnswers:
    """A run and its answers."""

    run: Run
    name: str
    """The model, and what sets it apart from others of its name."""
    answers: tuple[AnsweredQuestion, ...]

    def of(
        self, viewpoint: Viewpoint | None = None, environment: str = "", triple_name: str = ""
    ) -> tuple[AnsweredQuestion, ...]:
        """The answers from one viewpoint, in one environment, of one triple; or of all."""
        return tuple(
            answer
            for answer in self.answers
            if viewpoint in (None, answer.viewpoint)
            and environment in ("", answer.environment)
            and triple_name in ("", answer.triple_name)
        )


def run_answers(runs: Sequence[Run]) -> list[RunAnswers]:
    """The runs in numbers, under names that tell them apart."""
    return [answers_of_run(run, name) for run, name in zip(runs, run_names(runs), strict=True)]


def answers_of_run(run: Run, name: str) -> RunAnswers:
    """One run in numbers, under a name."""
    return RunAnswers(run, name, tuple(answered_questions(run.cases)))


def viewpoints_of(runs: Sequence[RunAnswers]) -> tuple[Viewpoint, ...]:
    """From where anybody was asked."""
    known = {answer.viewpoint for run in runs for answer in run.answers}
    return tuple(viewpoint for viewpoint in VIEWPOINTS if viewpoint in known)


def environments_of(runs: Sequence[RunAnswers]) -> list[str]:
    """Environments of the pictures, in the paper's order."""
    return sorted({answer.environment for run in runs for answer in run.answers}, key=environment_rank)


def triples_of(runs: Sequence[RunAnswers]) -> dict[str, str]:
    """Names of the triples of the pictures, with what source and target are."""
    found = {
        (environment_rank(case.environment), case.triple): case
        for run in runs
        for case in (c.logged.case for c in run.run.cases)
    }
    return {
        case.triple_name.replace("_", " "): f"{case.source} and {case.target}"
        for _, case in sorted(found.items(), key=lambda item: item[0])
    }


def confusion(answers: Sequence[AnsweredQuestion]) -> Mapping[Relation, Mapping[str, int]]:
    """How often what was said, by what is right; `UNPARSEABLE` stands for replies that name no relation, or several."""
    counts = Counter((answer.answer, answer.said or UNPARSEABLE) for answer in answers)
    return {true: {said: counts[true, said] for said in (*RELATIONS, UNPARSEABLE)} for true in RELATIONS}


def majority_baseline(runs: Sequence[RunAnswers]) -> RunAnswers | None:
    """Who knows which word is right most often from each viewpoint, and says it of all pictures of the runs."""
    asked = {(answer.picture, answer.viewpoint): answer for run in runs for answer in run.answers}
    if not asked:
        return None
    words = {
        viewpoint: Counter(a.answer for a in asked.values() if a.viewpoint == viewpoint).most_common(1)[0][0]
        for viewpoint in viewpoints_of(runs)
    }
    said = tuple(replace(answer, said=words[answer.viewpoint]) for answer in asked.values())
    return RunAnswers(runs[0].run, "majority", said)


def without_interval(value: float) -> Interval:
    """A number without an interval."""
    return Interval(value, float("nan"), float("nan"))
