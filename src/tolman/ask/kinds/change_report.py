"""Change report: which objects were moved or rotated unseen. The question that ends a revision."""

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import cast

import numpy as np

from tolman.ask.kinds.registry import Kind, kind
from tolman.ask.question import UNPARSEABLE, Grade, Json, Question, QuestionKind, question_text
from tolman.belief.revision import identification
from tolman.core.errors import GenerationError
from tolman.core.reading import final_answer
from tolman.core.rules import Rules
from tolman.core.seeds import rng
from tolman.explore.actions import Actions, Term
from tolman.explore.grammar import plain_name, read_actions, read_changes_strict
from tolman.world import Change, ChangedWorld, Scene, perturb
from tolman.world.perturb import ChangeKind

_GUESSES = 200
_COUNT = re.compile(r"[0-9]{1,3}")
_OTHER: dict[ChangeKind, ChangeKind] = {"position": "orientation", "orientation": "position"}


def change_question(changed: ChangedWorld) -> Question:
    """The question about the changes of one world; its scene is the changed one."""
    truth: list[Json] = [[change.name, change.kind] for change in changed.changes]
    count = len(truth)
    text = question_text(QuestionKind.CHANGE_REPORT, count=str(count))
    return Question(QuestionKind.CHANGE_REPORT, {"count": count}, {"changes": truth}, changed.scene, text)


@kind
class ChangeReport(Kind):
    """The score is the F1 of the pairs of name and kind of change. The valid answers are all lists of as many pairs."""

    name = stream = QuestionKind.CHANGE_REPORT

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        try:
            return change_question(perturb(scene, int(stream.integers(2**31))))
        except GenerationError:
            return None

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        del scene
        return {"count": int(parts["count"])} if _COUNT.fullmatch(parts["count"]) else None

    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        said = _read(question.scene, reply, rules)
        if said is None:
            return UNPARSEABLE
        score = identification(said, _changes(question), rules).overall
        return Grade(1.0 if score is None else score, False, _listed(said))

    def oracle(self, question: Question) -> str:
        """Taken from the truth, as the changed scene alone does not determine it."""
        return str(Term(_changes(question)))

    def wrong(self, question: Question) -> str:
        return str(Term(tuple(Change(change.name, _OTHER[change.kind]) for change in _changes(question))))

    def answers(self, question: Question) -> Sequence[str]:
        """A fixed random sample of all lists, which are too many to enumerate."""
        stream, names = rng(0, "guess changes", question.id), [thing.name for thing in question.scene.things]
        count = min(len(_changes(question)), len(names))
        guesses = iter(lambda: str(Term(tuple(_guess(names, count, stream)))), None)
        return list(islice(guesses, _GUESSES))

    def constant(self, question: Question) -> str:
        names = [thing.name for thing in question.scene.things][: len(_changes(question))]
        return str(Term(tuple(Change(name, "position") for name in names)))


def _guess(names: list[str], count: int, stream: np.random.Generator) -> list[Change]:
    kinds: tuple[ChangeKind, ...] = ("position", "orientation")
    chosen = stream.choice(len(names), size=count, replace=False)
    return [Change(names[int(i)], kinds[int(stream.integers(2))]) for i in chosen]


def _read(scene: Scene, reply: str, rules: Rules) -> tuple[Change, ...] | None:
    """The report in a reply, or None. Under `strict` a list of names and kinds of change without `Term` is one, too."""
    asked = read_actions(reply, rules, "revise")
    said = asked.final.changes if isinstance(asked, Actions) and isinstance(asked.final, Term) else None
    if not rules.forgiving_answers:
        return said
    said = said if said is not None else read_changes_strict(final_answer(reply, rules))
    spellings = {plain_name(thing.name): thing.name for thing in scene.things}
    spelled = tuple(Change(spellings.get(plain_name(change.name), change.name), change.kind) for change in said)
    return spelled or None


def _changes(question: Question) -> tuple[Change, ...]:
    pairs = cast("list[tuple[str, ChangeKind]]", question.truth["changes"])
    return tuple(Change(name, how) for name, how in pairs)


def _listed(changes: tuple[Change, ...]) -> str:
    return ", ".join(f"{change.name}: {change.kind}" for change in changes)
