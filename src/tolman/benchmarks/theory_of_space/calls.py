"""Names of the calls to a model in one scene. A record, a log and a replay all find a reply by its name."""

from collections import Counter
from collections.abc import Sequence

from tolman.ask import Question
from tolman.belief.probes import Probe
from tolman.benchmarks.theory_of_space.options import MapMode
from tolman.explore.actions import Phase


def turn_call(phase: Phase, number: int) -> str:
    """The reply of one turn; turns of a phase count from 1. For example `explore/3`."""
    return f"{phase}/{number}"


def probe_call(phase: Phase, number: int, probe: Probe, repeat: int = 1) -> str:
    """A probe of belief after a turn. For example `explore/3/global/1`."""
    return f"{phase}/{number}/{probe}/{repeat}"


def question_calls(mode: MapMode, questions: Sequence[Question]) -> list[tuple[str, Question]]:
    """The questions of a case with the names of their calls; each kind counts from 1. `ask/none/direction/2`."""
    counts: Counter[str] = Counter()
    named: list[tuple[str, Question]] = []
    for question in questions:
        counts[question.kind] += 1
        named.append((f"ask/{mode}/{question.kind}/{counts[question.kind]}", question))
    return named
