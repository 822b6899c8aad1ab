"""A model under one set of options, put together from all logs of its run: finished, failed and missing scenes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar, cast

from inspect_ai.log import EvalSample

from tolman.core.errors import TolmanError
from tolman.core.grouping import grouped
from tolman.core.limits import check_json
from tolman.core.parallel import Tell, Track, parallel_map
from tolman.harness.logs import LogFile, SampleAddress
from tolman.harness.names import counted, printable, shown_model
from tolman.harness.origins import RunOrigin, origin_of
from tolman.harness.records import STORE_KEY, Call, LoggedCase

S = TypeVar("S")
Finish = Callable[[Mapping[str, object], object], S]
"""Makes a scene from the metadata of its sample and its record."""


def _scene_outcomes(
    logs: Sequence[LogFile], planned: Sequence[tuple[str, int]], finish: Finish[S], tell: Tell, track: Track, jobs: int
) -> tuple[list[tuple[S, SampleAddress]], list[tuple[str, str]]]:
    """The planned scenes of the logs of one run, oldest first; of one that finished in several, the latest counts.

    Those that finished, and those that ended with an error, each with the error in one line.
    """
    asked = [([log for log in logs if planned_scene in log.planned], *planned_scene) for planned_scene in planned]
    outcomes = parallel_map(partial(_outcome_of, finish), asked, jobs)
    finished: list[tuple[S, SampleAddress]] = []
    failed: list[tuple[str, str]] = []
    for scene, _ in track(planned, shown_model(logs[-1].model)):
        outcome, warnings = next(outcomes)
        for warning in warnings:
            tell(warning)
        if isinstance(outcome, str):
            failed.append((scene, outcome))
        elif outcome is not None:
            finished.append(outcome)
    return finished, failed


Outcome = tuple[S, SampleAddress] | str | None
"""A scene and where it is logged; why it failed; or None if it never ended."""


def _outcome_of(finish: Finish[S], asked: tuple[Sequence[LogFile], str, int]) -> tuple[Outcome[S], list[str]]:
    """The outcome of a scene, with warnings, which a worker process can't print itself."""
    warnings: list[str] = []
    return _latest(finish, *asked, warnings.append), warnings


def _latest(finish: Finish[S], logs: Sequence[LogFile], scene: str, epoch: int, tell: Tell) -> Outcome[S]:
    """The scene from the latest log in which it finished, else why it failed last."""
    reason: str | None = None
    for log in reversed(logs):
        sample = log.sample(scene, epoch, tell)
        if sample is None or _was_interrupted(sample):
            continue
        why = _why_not(sample)
        if why is None:
            try:
                for text in (sample.store[STORE_KEY], (sample.metadata or {}).get("case")):
                    check_json(str(text), "its record")
                return finish(sample.metadata, sample.store[STORE_KEY]), SampleAddress(log.path, sample.id, epoch)
            except TolmanError as error:
                why = str(error)
            except Exception as error:  # whatever a strange record makes its readers raise
                why = f"its record can't be scored: {type(error).__name__}: {error}"
        reason = reason or (printable(" ".join(why.split()))[:200] or "it gave no reason")
    return reason


def _was_interrupted(sample: EvalSample) -> bool:
    """Whether the run was stopped during the scene, which is then neither done nor failed."""
    return sample.error is not None and sample.error.message.startswith("CancelledError")


def _why_not(sample: EvalSample) -> str | None:
    """Why a scene has no record to score."""
    if sample.error is not None:
        return sample.error.message
    if sample.limit is not None:
        return f"stopped at its limit of {sample.limit.limit:g} ({sample.limit.type})"
    return None if STORE_KEY in sample.store else "its log holds no record"


L = TypeVar("L", bound=LoggedCase[Any, Any, Any])


@dataclass(frozen=True)
class FinishedCase(Generic[L, S]):
    """A finished case with its scores."""

    logged: L
    scores: S
    address: SampleAddress | None = field(default=None, compare=False)
    """Its place in a log, if it was read from one."""

    @property
    def id(self) -> str:
        return self.logged.case.id

    @property
    def epoch(self) -> int:
        """Which run of its case it is, from 1."""
        return 1 if self.address is None else self.address.epoch


def finishing(read: Finish[L], score: Callable[[L], S]) -> Finish[S]:
    """Reads the record of a case, and scores it."""
    return partial(_finished, read, score)


def _finished(read: Finish[L], score: Callable[[L], S], metadata: Mapping[str, object], stored: object) -> S:
    return score(read(metadata, stored))


Options = TypeVar("Options")
Case = TypeVar("Case", bound=FinishedCase[Any, Any])
R = TypeVar("R")


@dataclass(frozen=True)
class ModelRun(Generic[Options, Case]):
    """One model under one set of options."""

    model: str
    """As Inspect names it."""
    options: Options
    cases: list[Case]
    """Finished cases, with their scores."""
    failed: list[tuple[str, str]]
    """Cases that ended with an error, and the error in one line."""
    planned: int
    """Number of cases, times epochs; what is neither finished nor failed was not done."""
    settings: Mapping[str, object] = field(default_factory=dict[str, object])
    """Options and whatever else distinguishes two runs of a model: data, temperature, effort."""
    origins: tuple[RunOrigin, ...] = field(default=(), compare=False)
    """When and how its logs were started, one for each command; none if it was not read from logs."""

    @property
    def name(self) -> str:
        """The model as tables show it."""
        return shown_model(self.model)

    @property
    def not_done(self) -> int:
        return max(0, self.planned - len(self.cases) - len(self.failed))

    @property
    def case_ids(self) -> list[str]:
        """Ids of the finished cases, in order; one that was run several times appears as often."""
        return [case.id for case in self.cases]

    @property
    def distinct(self) -> int:
        """Number of cases of which any epoch is finished: the unit of all intervals."""
        return len(set(self.case_ids))

    @property
    def epochs(self) -> int:
        """How often the cases were run."""
        return max((case.epoch for case in self.cases), default=1)

    def done(self, unit: str = "scene") -> str:
        """Number of finished cases, as printed: `10 scenes`, `9 of 10 scenes`; with epochs, also these."""
        some = f"{len(self.cases)} of {self.planned}"
        if self.epochs > 1:
            every = f"{counted(self.distinct, unit)} × {self.epochs} epochs"
            return every if len(self.cases) == self.planned else f"{every}, {some} done"
        return (
            counted(self.planned, unit)
            if len(self.cases) == self.planned
            else f"{some} {unit}{'s' * (self.planned != 1)}"
        )

    @property
    def calls(self) -> list[Call]:
        """Of all finished cases."""
        return [call for case in self.cases for call in case.logged.record.calls]

    def case_counts(self, unit: str = "scene") -> dict[str, object]:
        """Which cases were planned, finished, failed and not done, ready for JSON."""
        return {
            "planned": self.planned,
            "finished": [case.id for case in self.cases],
            "failed": [{unit: case, "reason": reason} for case, reason in self.failed],
            "not_done": self.not_done,
        }


def collect_runs(
    logs: Iterable[LogFile], finish: Finish[Case], make: Callable[..., R], tell: Tell, track: Track, jobs: int
) -> list[R]:
    """The runs in logs given oldest first, in the order in which they were started.

    Several logs of one run are merged; of a case that finished in more than one, the latest counts. `jobs` is the
    number of processes that read and score, -1 for all cores.
    """
    groups = grouped(logs, lambda log: log.key)
    runs: list[R] = []
    for group in groups.values():
        planned, latest = list(dict.fromkeys(scene for log in group for scene in log.planned)), cast("Any", group[-1])
        finished, failed = _scene_outcomes(group, planned, finish, tell, track, jobs)
        cases = [replace(cast("Any", case), address=address) for case, address in finished]
        run = make(latest.model, latest.options, cases, failed, len(planned), latest.settings)
        origins = {origin.command: origin for origin in map(origin_of, reversed(group))}
        runs.append(cast("R", replace(cast("Any", run), origins=tuple(reversed(origins.values())))))
    return runs


def run_counts(runs: Sequence[ModelRun[Any, Any]], unit: str = "scene") -> str:
    """Numbers of models, runs and cases in words."""
    cases = {case.id for run in runs for case in run.cases}
    counts = (len({run.model for run in runs}), "model"), (len(runs), "run"), (len(cases), unit)
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts)


def runs_sentence(runs: Sequence[ModelRun[Any, Any]], seen: str, unit: str, where: str = "report") -> str:
    """A sentence on what was run: `seen` are scenes and replies in words, `unit` what may have failed."""
    models, lost = len({run.model for run in runs}), sum(len(run.failed) + run.not_done for run in runs)
    missing = f" {counted(lost, unit)} failed or {'was' if lost == 1 else 'were'} not done." if lost else ""
    counts = f"{counted(models, 'model')} in {counted(len(runs), 'run')}"
    return f"This {where} is on {counts} and {seen}, all read from logs.{missing}"
