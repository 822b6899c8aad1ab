"""Rows of those who know nothing: answers, maps, points and reports of changes, in the very scenes of a run."""

from collections.abc import Sequence
from functools import partial

from pydantic import TypeAdapter

from tolman.ask import find_kind
from tolman.benchmarks.theory_of_space.blind import STRATEGIES, blind_columns
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.report.theory_of_space.guesses import GUESSES, guesses
from tolman.report.theory_of_space.kept import kept
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
_BLIND = TypeAdapter(dict[str, dict[RuleSetName, dict[str, tuple[float, ...]]]])


def baseline_rows(
    cases: Sequence[Case], options: Options, *, maps: bool = True, track: Track = silently
) -> list[ReferenceRow]:
    """Each baseline under both rule sets, with intervals over the scenes, in the world and mode of the options.

    Answers are guessed on the very questions of the cases; `maps` are stated blindly, and points and changes with them.
    """
    guessed = list(zip(track(cases, "guesses"), spread(guesses, cases), strict=True))
    known = cases if maps else ()
    stated = list(zip(track(known, "blind maps"), spread(partial(_blind, options=options), known), strict=True))
    rows: list[ReferenceRow] = []
    for name in dict.fromkeys((*GUESSES, *STRATEGIES)):
        meanings = MEANING.get(name), STRATEGIES[name].meaning if name in STRATEGIES else None
        for rules in _RULES:
            answers = (_answers(case, scores[name][rules]) for case, scores in guessed if name in GUESSES)
            values = pooled(answers) | pooled(scores[name][rules] for _, scores in stated if name in STRATEGIES)
            if values:
                rows.append(
                    ReferenceRow(
                        name=name,
                        source="; ".join(filter(None, meanings)),
                        setting=setting_of(cases, options.world, options.mode),
                        values=values,
                        rules=rules,
                        scenes=len(cases),
                        same_scenes=True,
                    )
                )
    return rows


def _blind(case: Case, options: Options) -> dict[str, dict[RuleSetName, dict[str, tuple[float, ...]]]]:
    changed = None if case.changed is None else case.changed.digest
    key = [case.seed, case.scene.digest, changed, case.released, options.as_dict()]
    return kept("blind", key, _BLIND, lambda: blind_columns(case, options))


def _answers(case: Case, scores: Sequence[float]) -> dict[str, list[float]]:
    """One scene; as in `columns`, questions in pictures are left out of the mean."""
    found: dict[str, list[float]] = {}
    for question, score in zip(case.questions, scores, strict=True):
        found.setdefault(f"ask/none/{question.kind}", []).append(score)
        if not find_kind(question.kind).in_pictures:
            found.setdefault("ask/none", []).append(score)
    return found
