"""Rows of those who never saw the world: chance, a constant answer, a blind guess, on the very questions of a run."""

from collections.abc import Sequence

from tolman.ask import find_kind
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Mode, World
from tolman.report.theory_of_space.guesses import GUESSES, guesses
from tolman.report.theory_of_space.reference_row import ReferenceRow, pooled, setting_of
from tolman.report.track import Track, silently
from tolman.rules import RuleSetName
from tolman.spread import spread

MEANING = {
    "chance": "mean score of all valid answers, each as likely as the next",
    "constant": "the same answer to every question of a kind",
    "blind": "a guess by someone who knows the names and the format only",
}
_RULES: tuple[RuleSetName, ...] = ("strict", "published")


def baseline_rows(cases: Sequence[Case], world: World, mode: Mode, track: Track = silently) -> list[ReferenceRow]:
    """Each baseline under both rule sets, with intervals over the scenes."""
    asked = [case for case in cases if case.questions]
    if not asked:
        return []
    known = list(zip(track(asked, "guesses"), spread(guesses, asked), strict=True))
    return [
        ReferenceRow(
            name=name,
            source=MEANING[name],
            setting=setting_of(asked, world, mode),
            values=pooled(_columns(case, scores[name][rules]) for case, scores in known),
            rules=rules,
            scenes=len(asked),
            same_scenes=True,
        )
        for name in GUESSES
        for rules in _RULES
    ]


def _columns(case: Case, scores: Sequence[float]) -> dict[str, list[float]]:
    """One scene; as in `columns`, questions in pictures are left out of the mean."""
    found: dict[str, list[float]] = {}
    for question, score in zip(case.questions, scores, strict=True):
        found.setdefault(f"ask/none/{question.kind}", []).append(score)
        if not find_kind(question.kind).in_pictures:
            found.setdefault("ask/none", []).append(score)
    return found
