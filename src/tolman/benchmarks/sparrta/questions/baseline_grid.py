"""Scores of blind strategies on SpaRRTa's questions; headline columns have a stated baseline."""

import numpy as np

from tolman.benchmarks.sparrta.case import RelationQuestion
from tolman.benchmarks.sparrta.cases import stored_cases
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.questions.accuracy import VIEWPOINT_NAMES, accuracy, balanced_accuracy
from tolman.benchmarks.sparrta.questions.runs import CHANCE, AnsweredQuestion
from tolman.benchmarks.sparrta.relations import RELATIONS, VIEWPOINTS, Relation
from tolman.core.seeds import rng
from tolman.report.baselines import BaselineGrid, BaselineRequest, Value, Values, numbers_of
from tolman.report.table import point_estimate

_GUESSES = {
    "chance": "any of the four words",
    "constant": "always option A",
    **{f"always {word}": f"the word {word}, of every picture" for word in RELATIONS},
    "blind": "a word at random, drawn once for each question",
}


def baseline_grid(request: BaselineRequest) -> BaselineGrid | None:
    """SpaRRTa's questions about the pictures in a folder. Answers do not depend on the pictures."""
    if request.pictures is None:
        return None
    cases = stored_cases(request.pictures, Options())
    questions = [(case, question) for case in cases for question in case.questions]
    values: Values = {}
    for name in _GUESSES:
        found: dict[str, Value] = {}
        for view in VIEWPOINTS:
            stream = rng(0, "sparrta", "blind", view)
            said = [
                AnsweredQuestion(case.id, case.environment, case.triple, view, asked.answer, _word(name, asked, stream))
                for case, asked in questions
                if asked.viewpoint == view
            ]
            scores = {f"{view}/right": accuracy(said), f"{view}/balanced": balanced_accuracy(said)}
            known = dict.fromkeys(scores, point_estimate(CHANCE)) if name == "chance" else scores
            found |= numbers_of(known)
        values[name] = {"strict": found}
    columns = {
        f"{view}/{key}": f"from the {VIEWPOINT_NAMES[view]}, {title}"
        for view in VIEWPOINTS
        for key, title in (("balanced", "balanced"), ("right", "right"))
    }
    stated = {f"{view}/balanced": 0.25 for view in VIEWPOINTS}
    return BaselineGrid("SpaRRTa, questions", f"{len(cases)} pictures", len(cases), _GUESSES, columns, stated, values)


def _word(name: str, asked: RelationQuestion, stream: np.random.Generator) -> Relation:
    if name == "constant":
        return asked.options[0]
    always: dict[str, Relation] = {f"always {word}": word for word in RELATIONS}
    return always.get(name) or RELATIONS[int(stream.integers(len(RELATIONS)))]
