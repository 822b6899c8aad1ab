"""What became of every scene of a run, from all of its logs: finished, failed, or never done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from inspect_ai.log import EvalSample

from tolman.errors import TolmanError
from tolman.limits import check_json
from tolman.report.log_files import LogFile, SampleAddress, Tell
from tolman.report.names import printable, shown_model
from tolman.report.track import Track
from tolman.spread import spread

STORE_KEY = "tolman"
"""Where every task of Tolman keeps its record, in the store of a sample."""
S = TypeVar("S")
Finish = Callable[[Mapping[str, object], object], S]
"""Makes a scene from the metadata of its sample and its record."""


@dataclass(frozen=True)
class Told(Generic[S]):
    """The scenes of a run."""

    finished: list[tuple[S, SampleAddress]]
    failed: list[tuple[str, str]]
    """Scenes that ended with an error, and the error in one line."""
    planned: int


def told_scenes(logs: Sequence[LogFile], finish: Finish[S], tell: Tell, track: Track, jobs: int) -> Told[S]:
    """All scenes of the logs of one run, oldest first; one that finished in several counts as the latest tells it."""
    planned = list(dict.fromkeys(scene for log in logs for scene in log.planned))
    asked = [([log for log in logs if planned_scene in log.planned], *planned_scene) for planned_scene in planned]
    outcomes = spread(partial(_told, finish), asked, jobs)
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
    return Told(finished, failed, len(planned))


Outcome = tuple[S, SampleAddress] | str | None
"""A scene and where it is told of; why it failed; or None if it never ended."""


def _told(finish: Finish[S], asked: tuple[Sequence[LogFile], str, int]) -> tuple[Outcome[S], list[str]]:
    """What became of a scene, and the warnings on the way: a worker can't tell them itself."""
    warnings: list[str] = []
    return _latest(finish, *asked, warnings.append), warnings


def _latest(finish: Finish[S], logs: Sequence[LogFile], scene: str, epoch: int, tell: Tell) -> Outcome[S]:
    """What the latest log says in which a scene finished, else why it failed last."""
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
        reason = reason or _one_line(why)
    return reason


def _was_interrupted(sample: EvalSample) -> bool:
    """Somebody stopped the run in the middle of it: it is not done, and did not fail."""
    return sample.error is not None and sample.error.message.startswith("CancelledError")


def _why_not(sample: EvalSample) -> str | None:
    """Why a scene has no record to score."""
    if sample.error is not None:
        return sample.error.message
    if sample.limit is not None:
        return f"stopped at its limit of {sample.limit.limit:g} ({sample.limit.type})"
    return None if STORE_KEY in sample.store else "its log holds no record"


def _one_line(message: str) -> str:
    return printable(" ".join(message.split()))[:200] or "it gave no reason"
