"""OSR-Bench as multiple choice: one panorama (or views of it), then one question, without a map."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from tolman.benchmarks.osr_bench.case import Case, LoggedCase, Record, question_call
from tolman.benchmarks.osr_bench.options import Options, Selection
from tolman.benchmarks.osr_bench.panoramas import CUT_VIEWS, PANORAMA, SentPicture, sent_pictures
from tolman.benchmarks.osr_bench.prompts import choice_question, possible_answers
from tolman.benchmarks.osr_bench.questions.question import Question, grade
from tolman.core.errors import SettingsError
from tolman.harness.export.items import ItemPicture, ItemSource, PassiveItem, Provenance
from tolman.harness.names import seeds_said
from tolman.harness.records import Call
from tolman.world.select import seeds_in


class RoomQuestions(ItemSource[Selection, Options, Case]):
    """The questions about a room, each with its pictures."""

    version = "1-A"
    paper = "The questions follow OSR-Bench (without a map)."
    paper_address = "https://arxiv.org/abs/2505.11907"

    fixed = ("mode", "think", "class_list", "judge", "greedy")

    def passive(self, options: Options) -> Options:
        """Without a map, and for one camera rotation."""
        if len(options.turns) > 1:
            raise SettingsError("an export has one camera rotation; give one with --turns")
        return replace(options, mode="none", think=False)

    def items(self, case: Case, options: Options) -> Sequence[PassiveItem]:
        content = _pictures(case, options)
        return [_item(case, options, content, question) for question in case.questions]

    def provenance(self, selection: Selection) -> Provenance:
        if seeds_in(selection.data) is None:
            return Provenance("The rooms were read from files; their own licence applies.", "other")
        return Provenance(f"Rooms generated from {seeds_said(selection.data)}, and rendered.", "mit")

    def answered(self, case: Case, options: Options, replies: Mapping[str, Call], choices: int) -> LoggedCase:
        del choices
        named = [(question_call(options.turns[0], question), question) for question in case.questions]
        asked = tuple(question for call, question in named if call in replies)
        calls = [replies[call] for call, _ in named if call in replies]
        return LoggedCase(replace(case, questions=asked), options, Record(calls=calls))


def _pictures(case: Case, options: Options) -> tuple[str | ItemPicture, ...]:
    """The pictures; several views are each preceded by their name."""
    if options.views == "blind":
        return ()
    names = (PANORAMA,) if options.views == "panorama" else tuple(CUT_VIEWS[options.views])
    load = lru_cache(maxsize=1)(partial(sent_pictures, case, options, options.turns[0]))
    content: list[str | ItemPicture] = []
    for number, name in enumerate(names):
        content += [] if name == PANORAMA else [f"{name.capitalize()}:"]
        content.append(ItemPicture(f"{case.id} {name}", partial(_png, load, number)))
    return tuple(content)


def _png(load: Callable[[], list[SentPicture]], number: int) -> bytes:
    return load()[number].png


def _item(case: Case, options: Options, content: tuple[str | ItemPicture, ...], question: Question) -> PassiveItem:
    counts = question.kind == "counting"
    others = [answer for answer in possible_answers(question, options.asked) if answer != question.answer]
    return PassiveItem(
        case=case.id,
        call=question_call(options.turns[0], question),
        kind=question.kind,
        content=(*content, choice_question(question, options)),
        answer=question.answer,
        distractors=None if counts else iter(others),
        spare=tuple(others) if counts else (),
        least=3 if counts else len(others),
        seed=case.seed or 0,
        score=partial(grade, question),
        shared=question.kind != "distance",
    )


ITEMS = RoomQuestions()
