"""Example questions with the picture from the log, a plan of the ground, and every model's reply."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from pathlib import Path

from tolman.benchmarks.sparrta.case import VIEWERS, Case, RelationQuestion
from tolman.benchmarks.sparrta.questions.runs import UNPARSEABLE, FinishedPicture, RunAnswers
from tolman.benchmarks.sparrta.relations import Ground
from tolman.benchmarks.sparrta.scores import ScoredAnswer, graded_replies
from tolman.core.files import encoded, write_by_digest
from tolman.harness.images import logged_pictures, thumbnail
from tolman.harness.logs import SampleAddress
from tolman.harness.tracking import Track
from tolman.report.site.blocks import Card, CardAnswer, CardPlan, CardQuestion, Cards, PlanMark

_MARGIN = 13.0
"""Margin for labels on each side, in percent of the plan."""
_LABEL = 24.0, 12.0
"""Width and height of a label with its mark, in percent of the plan."""


def ground_plan(case: Case) -> CardPlan:
    """The ground plan of a picture, rotated and scaled to fit."""
    turned = _turned(case)
    low, high = (tuple(pick(place[i] for place in turned.values()) for i in (0, 1)) for pick in (min, max))
    side = max(high[0] - low[0], high[1] - low[1]) or 1.0
    scale = (100 - 2 * _MARGIN) / side
    middle = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
    names = {"camera": "camera", "human": "person", "source": case.source, "target": case.target}
    marks = {
        who: PlanMark(
            names[who],
            round(50 + (x - middle[0]) * scale, 1),
            round(50 - (y - middle[1]) * scale, 1),
            strong=who in ("source", "target"),
        )
        for who, (x, y) in turned.items()
    }
    marks = {who: replace(mark, under=_is_crowded(mark, marks.values())) for who, mark in marks.items()}
    said = ", ".join(f"{question.answer} from {question.viewpoint}" for question in case.questions)
    about = f"Plan of camera, person, {case.source} and {case.target}: {said}."
    sights = (marks["camera"], marks["source"]), (marks["human"], marks["source"])
    return CardPlan(tuple(marks.values()), sights, about)


def _is_crowded(mark: PlanMark, others: Iterable[PlanMark]) -> bool:
    """Whether another mark or its label is in the way of the label above this one."""
    return any(abs(other.x - mark.x) < _LABEL[0] and 0 < mark.y - other.y < _LABEL[1] for other in others)


def _turned(case: Case) -> dict[str, Ground]:
    """Positions with the camera at the origin and the source on the positive y axis."""
    (x, y), (source_x, source_y) = case.places["camera"], case.places["source"]
    angle = math.pi / 2 - math.atan2(source_y - y, source_x - x)
    cos, sin = math.cos(angle), math.sin(angle)
    return {
        who: ((at[0] - x) * cos - (at[1] - y) * sin, (at[0] - x) * sin + (at[1] - y) * cos)
        for who, at in case.places.items()
    }


_WIDEST, _QUALITY = 448, 88


def save_picture(address: SampleAddress, folder: Path) -> str | None:
    """Write the picture of a sample into a folder as JPEG; returns its file name, None if there is none."""
    sent = next((data for _, data in logged_pictures(address)), None)
    small = None if sent is None else thumbnail(sent, _WIDEST)
    return None if small is None else write_by_digest(folder, encoded(small, "JPEG", quality=_QUALITY), ".jpg")


FOLDER = "sparrta-pictures"
MOST = 24
_LONGEST, _END = 3000, 800
"""Characters of a reply that are shown, and how many of these are taken from its end."""
_ABOUT = (
    "The first pictures of each triple, not selected. Beside each is its ground plan, rotated so that the camera is at "
    "the bottom and looks up at the source: what is above the source is in front from the camera. Dashed: the person's "
    "line of sight. Open a reply to read it as the model wrote it."
)
PicturesById = Mapping[str, FinishedPicture]
"""A run's pictures by name."""


def example_cards(runs: Sequence[RunAnswers], out: Path, track: Track) -> Cards:
    """Cards of pictures that the runs were asked about; the pictures go below `episodes` of a report's folder."""
    seen: list[tuple[str, PicturesById]] = [(run.name, {case.id: case for case in run.run.cases}) for run in runs]
    cases = _first({name: case.logged.case for _, of_run in seen for name, case in of_run.items()})
    folder = out / "episodes" / FOLDER
    cards = tuple(_card(case, seen, folder) for case in track(cases, "pictures"))
    return Cards("Some of the questions", _ABOUT, cards)


def _first(cases: Mapping[str, Case]) -> list[Case]:
    """The pictures with the lowest numbers, from all triples in turn."""
    triples: dict[str, list[Case]] = {}
    for case in sorted(cases.values(), key=lambda case: (len(case.id), case.id)):
        triples.setdefault(case.triple_name, []).append(case)
    in_turn = chain(*zip_longest(*(triples[name] for name in sorted(triples))))
    return [case for case in in_turn if case is not None][:MOST]


def _card(case: Case, seen: Sequence[tuple[str, PicturesById]], folder: Path) -> Card:
    addresses = [of_run[case.id].address for _, of_run in seen if case.id in of_run]
    kept = (save_picture(address, folder) for address in addresses if address is not None)
    picture = next((name for name in kept if name), "")
    asked = {question.viewpoint: question for _, of_run in seen for question in _questions(of_run, case.id)}
    return Card(
        title=f"{case.triple_name.replace('_', ' ')}, picture {case.id.rpartition('-')[2]}",
        picture=f"episodes/{FOLDER}/{picture}" if picture else "",
        plan=ground_plan(case),
        asked=tuple(_asked(case, question, seen) for question in asked.values()),
    )


def _questions(of_run: PicturesById, picture: str) -> Sequence[RelationQuestion]:
    return of_run[picture].logged.case.questions if picture in of_run else ()


def _asked(case: Case, question: RelationQuestion, seen: Sequence[tuple[str, PicturesById]]) -> CardQuestion:
    replies = tuple(
        _said(who, answer, of_run[case.id])
        for who, of_run in seen
        if case.id in of_run
        for answer in of_run[case.id].scores
        if answer.question.viewpoint == question.viewpoint
    )
    viewer = VIEWERS[question.viewpoint]
    return CardQuestion(
        f"Where is the {case.target} relative to the {case.source}, from {viewer}?", question.answer, replies
    )


def _said(who: str, answer: ScoredAnswer, picture: FinishedPicture) -> CardAnswer:
    thoughts = {call.name: call.reasoning for call in picture.logged.record.calls}
    reasoning = _brief(thoughts.get(answer.question.viewpoint, ""))
    graded = graded_replies(picture.logged, [answer])
    why = next((reply.reason.sentence for reply in graded if reply.reason is not None), "")
    return CardAnswer(who, answer.said or f"{UNPARSEABLE}: {why}", answer.right, _brief(answer.reply), reasoning)


def _brief(reply: str | None) -> str:
    if reply is None:
        return "(no reply)"
    return reply if len(reply) <= _LONGEST else f"{reply[: _LONGEST - _END]}\n[…]\n{reply[-_END:]}"
