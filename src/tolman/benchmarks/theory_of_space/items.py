"""Passive Theory of Space as multiple choice: the log of an explorer, in words or pictures, then one question."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from tolman.ask import Question, find_kind, grade
from tolman.benchmarks.theory_of_space.case import Case, question_calls
from tolman.benchmarks.theory_of_space.options import Options, Selection
from tolman.benchmarks.theory_of_space.protocol.picture_marks import PictureKey, picture_mark, split_at_marks
from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache
from tolman.benchmarks.theory_of_space.protocol.prompts import (
    in_pictures,
    observation_wording,
    question_prompt,
    reason_page,
    request,
)
from tolman.benchmarks.theory_of_space.protocol.run_scene import explorer_log
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.core.rules import STRICT
from tolman.core.seeds import rng
from tolman.explore.episode import Episode
from tolman.harness.export.items import ItemPicture, ItemSource, PassiveItem, Provenance
from tolman.harness.names import counted, seeds_said
from tolman.harness.records import Call
from tolman.world.select import seeds_in

_FORMAT = "\nAnswer format:"
"""Begins the lines of a question that tell the form of an answer in words, which choices replace."""


class PassiveQuestions(ItemSource[Selection, Options, Case]):
    """The questions about a scene, each with the whole log of an explorer before it."""

    version = "1-A"
    paper = "The questions follow Theory of Space (passive, with the log of a scripted explorer)."
    paper_address = "https://arxiv.org/abs/2602.07055"

    fixed = (
        "mode",
        "phases",
        "maps",
        "probe",
        "repeats",
        "budget",
        "revise_budget",
        "think",
        "history",
        "image_budget",
    )

    def passive(self, options: Options) -> Options:
        """Passive, without maps; the explorer, the world, the kinds and the number of questions are kept."""
        return replace(options, mode="passive", phases=("explore", "ask"), maps=("none",), probe=None)

    def items(self, case: Case, options: Options) -> Sequence[PassiveItem]:
        log = explorer_log(case, options)
        if log is None:
            raise ValueError("an active model has no log to read")
        seen = _log_page(case, options, log)
        pictures = PictureCache(case, options)
        return [_item(case, options, seen, pictures, call, question) for call, question in _asked(case)]

    def provenance(self, selection: Selection) -> Provenance:
        if seeds_in(selection.scenes) is None:
            return Provenance("The scenes were read from files; their own licence applies.", "other")
        return Provenance(
            f"Generated from {seeds_said(selection.scenes)}, with {counted(selection.rooms, 'room')} of "
            f"{counted(selection.things, 'object')}.",
            "mit",
        )

    def answered(self, case: Case, options: Options, replies: Mapping[str, Call], choices: int) -> ScoredCase:
        log = explorer_log(case, options)
        actions = [str(turn.asked) for turn in log.turns] if log else []
        calls = [replies[call] for call, _ in _asked(case) if call in replies]
        return ScoredCase(case, replace(options, choices=choices), SceneRecord(log=actions, calls=calls))


def _asked(case: Case) -> list[tuple[str, Question]]:
    return question_calls("none", case.questions)


def _log_page(case: Case, options: Options, log: Episode) -> str:
    describe_view = observation_wording(case, options, log.scene, "explore")
    return reason_page(log, options, log.turns, describe_view, pictured=in_pictures(case, options))


def _item(
    case: Case, options: Options, seen: str, pictures: PictureCache, call: str, question: Question
) -> PassiveItem:
    kind = find_kind(question.kind)
    asked = question_prompt(question) if in_pictures(case, options) else question.text
    content = split_at_marks(request(seen, asked.partition(_FORMAT)[0]))
    drawn = kind.distractors(question, rng(case.seed, "ask", "distractors", question.id))
    return PassiveItem(
        case=case.id,
        call=call,
        kind=question.kind,
        content=tuple(piece if isinstance(piece, str) else _picture(case, pictures, piece) for piece in content),
        answer=kind.choice(question),
        distractors=drawn,
        spare=tuple(kind.answers(question)) if drawn is None else (),
        seed=case.seed,
        score=lambda answer: grade(question, answer, STRICT).score,
        shared=drawn is None,
    )


def _picture(case: Case, pictures: PictureCache, key: PictureKey) -> ItemPicture:
    return ItemPicture(f"{case.id} {picture_mark(key)}", partial(pictures.make, key))


ITEMS = PassiveQuestions()
