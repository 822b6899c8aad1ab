"""SpaRRTa as multiple choice: one picture, and where the target is relative to the source."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tolman.benchmarks.sparrta.case import Case, LoggedCase, Record, RelationQuestion
from tolman.benchmarks.sparrta.options import Options, Selection
from tolman.benchmarks.sparrta.prompts import picture_url, question_parts, read_relation
from tolman.benchmarks.sparrta.sample import RELATIONS
from tolman.harness.export.items import ItemPicture, ItemSource, PassiveItem, Provenance
from tolman.harness.images import picture_bytes
from tolman.harness.records import Call


class RelationQuestions(ItemSource[Selection, Options, Case]):
    """The questions about a picture, from each viewpoint."""

    version = "1-A"
    paper = "The questions follow SpaRRTa (egocentric and allocentric)."
    paper_address = "https://arxiv.org/abs/2601.11729"

    fixed = ("think", "blind", "greedy")

    def passive(self, options: Options) -> Options:
        return replace(options, think=False, blind=False)

    def items(self, case: Case, options: Options) -> Sequence[PassiveItem]:
        picture = ItemPicture(case.id, partial(_picture, Path(case.picture), options.size))
        return [_item(case, question, picture, options) for question in case.questions]

    def provenance(self, selection: Selection) -> Provenance:
        if selection.data:
            return Provenance("The pictures were read from files; their own licence applies.", "other")
        where = selection.environment or "all environments"
        return Provenance(f"The pictures were rendered from seeds, in {where}.", "mit")

    def answered(self, case: Case, options: Options, replies: Mapping[str, Call], choices: int) -> LoggedCase:
        del choices
        asked = tuple(question for question in case.questions if question.viewpoint in replies)
        calls = [replies[question.viewpoint] for question in asked]
        return LoggedCase(replace(case, questions=asked), options, Record(calls=calls))


def _item(case: Case, question: RelationQuestion, picture: ItemPicture, options: Options) -> PassiveItem:
    return PassiveItem(
        case=case.id,
        call=question.viewpoint,
        kind={"ego": "from_the_camera", "allo": "from_the_person"}[question.viewpoint],
        content=(picture, "\n\n".join(question_parts(case, question, options))),
        answer=question.answer,
        distractors=iter([relation for relation in RELATIONS if relation != question.answer]),
        score=lambda answer: float(read_relation(question, answer) == question.answer),
        shared=True,
    )


def _picture(path: Path, size: int) -> bytes:
    data = picture_bytes(picture_url(path, size), {})
    if data is None:
        raise ValueError(f"{path} gave no picture")
    return data


ITEMS = RelationQuestions()
