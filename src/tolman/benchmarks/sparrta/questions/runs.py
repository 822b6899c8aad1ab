"""Runs of vision-language models read from logs, named, with all their answers and a majority baseline."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from tolman.benchmarks.sparrta.case import RECORDS, LoggedCase, read_record
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.prompts import ScoredAnswer, score_case
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, RELATIONS, VIEWPOINTS, Relation, Viewpoint
from tolman.core.parallel import Tell, Track, untracked
from tolman.harness.logs import LogFile, logs_of
from tolman.harness.names import distinguishing_settings
from tolman.harness.options import recorded
from tolman.harness.runs import FinishedCase, ModelRun, collect_runs, finishing

TASK = "sparrta"
GENERATED = "own pictures"
"""Value of `data` for generated pictures."""
_PICTURE_OPTIONS = ("balanced", "preset", "assets")
"""Options that change generated pictures."""


@dataclass(frozen=True)
class Log(LogFile):
    """One log, of which only the header has been read."""

    options: Options

    @property
    def settings(self) -> dict[str, object]:
        """All that distinguishes evaluations of one model: options, data, generation settings.

        A folder is identified by its name only, as the same data may be stored elsewhere. The selection of generated
        pictures is left out: logs on several environments are one run. Old logs call assets models.
        """
        given = dict(self.header.eval.task_args)
        if "models" in given:
            given.setdefault("assets", given["models"])
        data = PurePath(str(given.get("data") or "")).name
        own = {} if data else {name: given[name] for name in _PICTURE_OPTIONS if name in given}
        return {**self.options.as_dict(), "data": data or GENERATED, **own, **super().settings}


class FinishedPicture(FinishedCase[LoggedCase, tuple[ScoredAnswer, ...]]):
    """A picture with all replies, scored."""


@dataclass(frozen=True)
class Run(ModelRun[Options, FinishedPicture]):
    """One model under one set of options."""


def finish(logged: LoggedCase) -> FinishedPicture:
    """Score a record."""
    return FinishedPicture(logged, score_case(logged))


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = untracked, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs, by start time; those with reasoning last.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    runs = collect_runs(open_logs(paths, tell), finishing(read_record, finish), Run, tell, track, jobs)
    return sorted(runs, key=lambda run: run.options.think)


def open_logs(paths: Sequence[Path], tell: Tell) -> list[Log]:
    """The logs of SpaRRTa in files and folders, oldest first. Logs of other tasks are skipped."""
    return logs_of(TASK, "SpaRRTa", paths, tell, lambda path, header, o: Log(path, header, RECORDS.read_options(o)))


_DEFAULTS = {
    **recorded(Options()),
    "data": GENERATED,
    "balanced": False,
    "preset": "standard",
    "assets": "auto",
    "temperature": 0.0,
}


def run_names(runs: Sequence[Run]) -> list[str]:
    """Names of the runs, with reasoning and distinguishing settings; the data only if runs differ in it."""
    settings = [(run.name, {"model": run.model, **_setting(run)}) for run in runs]
    usual = {key: value for key, value in _DEFAULTS.items() if key not in ("data", "think")}
    return [
        ", ".join(filter(None, (run.name, "think" if run.options.think else "", words)))
        for run, words in zip(runs, distinguishing_settings(settings, usual), strict=True)
    ]


def _setting(run: Run) -> dict[str, object]:
    known = dict(run.settings) or run.options.as_dict()
    return {name: value for name, value in known.items() if name != "think"}


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """One question with the parsed answer."""

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
        for answer in case.scores:
            asked = answer.question
            yield AnsweredQuestion(case.id, about.environment, about.triple, asked.viewpoint, asked.answer, answer.said)


def environment_rank(environment: str) -> tuple[int, str]:
    """Sort key of an environment: the paper's order, unknown ones last."""
    known = list(ENVIRONMENTS)
    return (known.index(environment) if environment in known else len(known)), environment


CHANCE = 1 / len(RELATIONS)
UNPARSEABLE = "not read"


@dataclass(frozen=True)
class RunAnswers:
    """A run and its answers."""

    run: Run
    name: str
    """The model, with its distinguishing settings."""
    answers: tuple[AnsweredQuestion, ...]

    def select(
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
    """The answers of the runs, under distinct names."""
    return [answers_of_run(run, name) for run, name in zip(runs, run_names(runs), strict=True)]


def answers_of_run(run: Run, name: str) -> RunAnswers:
    """The answers of one run, under a name."""
    return RunAnswers(run, name, tuple(answered_questions(run.cases)))


def viewpoints_of(runs: Sequence[RunAnswers]) -> tuple[Viewpoint, ...]:
    """Viewpoints of any run."""
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
    """Counts of given answers by true answer; `UNPARSEABLE` is for replies that name no relation or several."""
    counts = Counter((answer.answer, answer.said or UNPARSEABLE) for answer in answers)
    return {true: {said: counts[true, said] for said in (*RELATIONS, UNPARSEABLE)} for true in RELATIONS}


def majority_baseline(runs: Sequence[RunAnswers]) -> RunAnswers | None:
    """The baseline that always gives the most frequent true relation of a viewpoint."""
    asked = {(answer.picture, answer.viewpoint): answer for run in runs for answer in run.answers}
    if not asked:
        return None
    words = {
        viewpoint: Counter(a.answer for a in asked.values() if a.viewpoint == viewpoint).most_common(1)[0][0]
        for viewpoint in viewpoints_of(runs)
    }
    said = tuple(replace(answer, said=words[answer.viewpoint]) for answer in asked.values())
    return RunAnswers(runs[0].run, "majority", said)
