"""Rows to set beside some runs: guesses on their own questions, and the paper's numbers for the same setting."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.report.theory_of_space.baselines import baseline_rows
from tolman.report.theory_of_space.logs import Run
from tolman.report.theory_of_space.published_rows import published_rows
from tolman.report.theory_of_space.reference_row import ReferenceRow, Setting
from tolman.report.theory_of_space.scripted_rows import scripted_rows
from tolman.report.track import Track, silently

__all__ = [
    "ReferenceRow",
    "Setting",
    "baseline_rows",
    "common_cases",
    "published_rows",
    "reference_rows",
    "scripted_rows",
]


def reference_rows(
    runs: Sequence[Run],
    *,
    baselines: bool = True,
    scripted: bool = False,
    published: bool = True,
    track: Track = silently,
) -> list[ReferenceRow]:
    """All rows for each world and mode that the runs are of: guesses, then scripted models, then the paper's.

    Guesses and scripted models take part in the scenes that all runs of a world and mode share, or in all of their
    scenes where they share none; what they score is kept on disk. The paper's rows are of other scenes with as many
    rooms.
    """
    found: list[ReferenceRow] = []
    for (world, mode), group in _groups(runs).items():
        cases = common_cases(group)
        if baselines:
            options = Options(mode=mode, world=world, explorer=group[0].options.explorer)
            stated = any(run.options.probe_turns != "off" or run.options.revises for run in group)
            found += baseline_rows(cases, options, maps=stated, track=track)
        if scripted and world == "text":
            found += scripted_rows(cases, mode, group[0].options.explorer, [run.model for run in group], track)
        if published:
            found += _published(cases, world, mode)
    return found


def _groups(runs: Sequence[Run]) -> dict[tuple[World, Mode], list[Run]]:
    groups: dict[tuple[World, Mode], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.world, run.mode), []).append(run)
    return groups


def common_cases(runs: Sequence[Run]) -> list[Case]:
    """The cases whose scene and questions are the same in all runs; all cases where there are none such."""
    cases = [{_content(case.logged.case): case.logged.case for case in run.cases} for run in runs]
    everything = {content: case for of_run in cases for content, case in of_run.items()}
    shared = [case for content, case in everything.items() if all(content in of_run for of_run in cases)]
    return shared or list(everything.values())


def _content(case: Case) -> tuple[str, ...]:
    return case.scene.digest, *(question.id for question in case.questions)


def _published(cases: Sequence[Case], world: World, mode: Mode) -> Iterator[ReferenceRow]:
    rooms = {len(case.scene.rooms) for case in cases}
    for count in sorted(rooms):
        yield from published_rows(world, mode, count)
