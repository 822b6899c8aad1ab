"""Some of the questions, with pictures and with what every model said: the first of each triple, none is chosen."""

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path

from tolman.benchmarks.sparrta.graded_replies import graded_replies
from tolman.benchmarks.sparrta.question import VIEWERS, RelationQuestion
from tolman.benchmarks.sparrta.sparrta_case import SparrtaCase
from tolman.benchmarks.sparrta.sparrta_scores import ScoredAnswer
from tolman.report.site.cards import Asked, Card, Cards, Said
from tolman.report.sparrta_questions.question_figures import UNREAD, QuestionFigures
from tolman.report.sparrta_questions.question_logs import FinishedPicture
from tolman.report.sparrta_questions.site.ground_plan import ground_plan
from tolman.report.sparrta_questions.site.logged_pictures import keep_picture
from tolman.report.track import Track

FOLDER = "sparrta-pictures"
MOST = 24
_LONGEST, _END = 3000, 800
"""Letters of a reply that is shown, and how many of them are its end, where answers stand."""
_ABOUT = (
    "The first pictures of each triple; none was chosen. Beside each is its ground from above, turned so that the "
    "camera is below and looks up to the source: what is higher up than the source is front from the camera. Dashed: "
    "the person's line of sight. Open a reply to read it as the model wrote it."
)
Seen = Mapping[str, FinishedPicture]
"""A run's pictures by name."""


def sample_cards(runs: Sequence[QuestionFigures], out: Path, track: Track) -> Cards:
    """Cards of pictures that the runs were asked about; the pictures go below `episodes` of a report's folder."""
    seen: list[tuple[str, Seen]] = [(run.name, {case.id: case for case in run.run.cases}) for run in runs]
    cases = _first({name: case.logged.case for _, of_run in seen for name, case in of_run.items()})
    folder = out / "episodes" / FOLDER
    cards = tuple(_card(case, seen, folder) for case in track(cases, "pictures"))
    return Cards("Some of the questions", _ABOUT, cards)


def _first(cases: Mapping[str, SparrtaCase]) -> list[SparrtaCase]:
    """From all triples in turn, those with the lowest numbers."""
    triples: dict[str, list[SparrtaCase]] = {}
    for case in sorted(cases.values(), key=lambda case: (len(case.id), case.id)):
        triples.setdefault(case.triple_name, []).append(case)
    in_turn = chain(*zip_longest(*(triples[name] for name in sorted(triples))))
    return [case for case in in_turn if case is not None][:MOST]


def _card(case: SparrtaCase, seen: Sequence[tuple[str, Seen]], folder: Path) -> Card:
    addresses = [of_run[case.id].address for _, of_run in seen if case.id in of_run]
    kept = (keep_picture(address, folder) for address in addresses if address is not None)
    picture = next((name for name in kept if name), "")
    asked = {question.viewpoint: question for _, of_run in seen for question in _questions(of_run, case.id)}
    return Card(
        title=f"{case.triple_name.replace('_', ' ')}, picture {case.id.rpartition('-')[2]}",
        picture=f"episodes/{FOLDER}/{picture}" if picture else "",
        plan=ground_plan(case),
        asked=tuple(_asked(case, question, seen) for question in asked.values()),
    )


def _questions(of_run: Seen, picture: str) -> Sequence[RelationQuestion]:
    return of_run[picture].logged.case.questions if picture in of_run else ()


def _asked(case: SparrtaCase, question: RelationQuestion, seen: Sequence[tuple[str, Seen]]) -> Asked:
    replies = tuple(
        _said(who, answer, of_run[case.id])
        for who, of_run in seen
        if case.id in of_run
        for answer in of_run[case.id].answers
        if answer.question.viewpoint == question.viewpoint
    )
    viewer = VIEWERS[question.viewpoint]
    return Asked(f"Where is the {case.target} to the {case.source}, from {viewer}?", question.answer, replies)


def _said(who: str, answer: ScoredAnswer, picture: FinishedPicture) -> Said:
    thoughts = {call.name: call.reasoning for call in picture.logged.record.calls}
    reasoning = _brief(thoughts.get(answer.question.viewpoint, ""))
    graded = graded_replies(picture.logged, [answer])
    why = next((reply.reason.sentence for reply in graded if reply.reason is not None), "")
    return Said(who, answer.said or f"{UNREAD}: {why}", answer.right, _brief(answer.reply), reasoning)


def _brief(reply: str | None) -> str:
    if reply is None:
        return "(no reply came)"
    return reply if len(reply) <= _LONGEST else f"{reply[: _LONGEST - _END]}\n[…]\n{reply[-_END:]}"
