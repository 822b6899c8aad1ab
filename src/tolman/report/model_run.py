"""A model under one set of options, whatever the benchmark: put together from all logs of its run."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

from tolman.report.log_files import LogFile, Tell
from tolman.report.names import shown_model
from tolman.report.told_scenes import Finish, told_scenes
from tolman.report.track import Track

Options = TypeVar("Options")
Case = TypeVar("Case")
R = TypeVar("R")


@dataclass(frozen=True)
class ModelRun(Generic[Options, Case]):
    """One model under one set of options."""

    model: str
    """As Inspect names it."""
    options: Options
    cases: list[Case]
    """What was gone through to its end, with its scores."""
    failed: list[tuple[str, str]]
    """Cases that ended with an error, and the error in one line."""
    planned: int
    """Number of cases; what is neither finished nor failed was not done."""
    settings: Mapping[str, object] = field(default_factory=dict[str, object])
    """Options and whatever else may tell two runs of a model apart: data, temperature, effort."""

    @property
    def name(self) -> str:
        """The model as tables show it."""
        return shown_model(self.model)

    @property
    def not_done(self) -> int:
        return max(0, self.planned - len(self.cases) - len(self.failed))


def put_together(
    logs: Iterable[LogFile], finish: Finish[Case], make: Callable[..., R], tell: Tell, track: Track, jobs: int
) -> list[R]:
    """The runs of logs that come oldest first, as they were begun.

    Several logs of one run add up; a case that finished in more than one counts as the latest tells it. `jobs` is the
    number of processes that read and score, -1 for all cores.
    """
    groups: dict[str, list[LogFile]] = {}
    for log in logs:
        groups.setdefault(log.key, []).append(log)
    runs: list[R] = []
    for group in groups.values():
        told, latest = told_scenes(group, finish, tell, track, jobs), cast("Any", group[-1])
        cases = [replace(cast("Any", case), address=address) for case, address in told.finished]
        runs.append(make(latest.model, latest.options, cases, told.failed, told.planned, latest.settings))
    return runs
