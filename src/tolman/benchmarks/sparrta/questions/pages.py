"""The page of vision-language models: which tables and figures are on which tab; figures of accuracy and confusions;
and example questions with the picture from the log, a plan of the ground, and every model's reply.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import altair as alt

from tolman.benchmarks.sparrta.case import VIEWERS, Case, RelationQuestion, seen_from_above
from tolman.benchmarks.sparrta.prompts import ScoredAnswer, graded_replies
from tolman.benchmarks.sparrta.questions.accuracy import VIEWPOINT_NAMES, accuracy, accuracy_tables, confusion_tables
from tolman.benchmarks.sparrta.questions.export import as_dict, cost_tables, reliability_tables
from tolman.benchmarks.sparrta.questions.runs import (
    CHANCE,
    UNPARSEABLE,
    FinishedPicture,
    Run,
    RunAnswers,
    answers_of_run,
    confusion,
    environments_of,
    run_names,
    viewpoints_of,
)
from tolman.benchmarks.sparrta.sample import RELATIONS, Viewpoint
from tolman.core.files import encoded, write_by_digest
from tolman.core.grouping import grouped
from tolman.core.parallel import Track
from tolman.harness.images import logged_pictures, thumbnail
from tolman.harness.logs import SampleAddress
from tolman.harness.names import counted
from tolman.harness.runs import runs_sentence
from tolman.report.results import PageRequest
from tolman.report.site import Block, Figure, Page, Panel, Tab, Text, write_page
from tolman.report.site.blocks import Card, CardAnswer, CardPlan, CardQuestion, Cards, PlanMark
from tolman.report.site.figures import BLUE, Spec, chart, fitted, grouped_points, percents, series_style, short_names
from tolman.report.site.page import Place, RunSettings, about_tab, attempt_each, attempted, shown_tab, write_numbers
from tolman.report.table import Table, heading, one_row, percent

TITLE = "SpaRRTa: questions"
ABOUT = "Where is A relative to B, from the camera or from a person in the picture? Vision-language models."
_ABOUT = (
    "Each picture shows a source, a target and a person out of doors. A model is asked where the target is in relation "
    "to the source: front, back, left or right, as seen from the camera and as seen from the person. The answer from "
    "the camera can be read off the picture; the answer from the person needs perspective taking."
)


def report_page(
    runs: Sequence[RunAnswers], cards: Callable[[Sequence[RunAnswers]], Cards], command: str, place: Place
) -> Page:
    """All tabs."""
    tables = attempted("Right answers", lambda of: list(accuracy_tables(of)), runs)
    main, others = tables[:1], tables[1:]
    figure = attempted("Right answers by viewpoint", accuracy_figure, runs)
    tabs = (
        shown_tab("overview", "Overview", [Text((_ABOUT, run_summary(runs))), *main, *figure]),
        *[shown_tab("environments", "By environment", others)] * bool(others),
        shown_tab("confusions", "Confusions", attempted("Confusions", _confusions, runs)),
        shown_tab("questions", "Questions", attempted("Some of the questions", cards, runs)),
        _about(runs, command, place.numbers),
    )
    return Page(TITLE, ABOUT, tabs, place.cover)


def _confusions(runs: Sequence[RunAnswers]) -> list[Block]:
    views = viewpoints_of(runs)
    tables = list(confusion_tables(runs))
    figures = [confusion_figure(runs, view, table) for view, table in zip(views, tables, strict=False)]
    return [*figures, *tables[len(views) :]]


def _about(runs: Sequence[RunAnswers], command: str, numbers: str) -> Tab:
    def tables(runs: Sequence[RunAnswers]) -> list[Block]:
        return [*reliability_tables(runs), *cost_tables(runs)]

    how = attempted("Reliability and price", tables, runs)
    set_ups = [RunSettings(run.name, "", dict(run.run.settings), run.run.origins) for run in runs]
    about = (numbers, "every number of this report and every answer")
    return about_tab(("tolman.benchmarks.sparrta", "question_terms"), how, set_ups, command, about)


def run_summary(runs: Sequence[RunAnswers]) -> str:
    """A sentence on what was run."""
    pictures, answers = len({a.picture for run in runs for a in run.answers}), sum(len(run.answers) for run in runs)
    seen = f"{counted(pictures, 'picture')}, with {counted(answers, 'answer')}"
    return runs_sentence([run.run for run in runs], seen, "picture", "page")


def write_pages(runs: Sequence[Run], request: PageRequest) -> Path:
    """Write all pages of the report into an existing folder; returns the main page."""
    out, place, tell, track = request.out, request.place, request.tell, request.track
    named = zip(runs, run_names(runs), strict=True)
    known, left_out = attempt_each(lambda one: answers_of_run(*one), named, lambda one: one[1])
    write_numbers(out / place.numbers, lambda of: {**as_dict(of), **request.numbers}, known, lambda one: one.name, tell)
    page = report_page(with_short_names(known), lambda of: example_cards(of, out, track), request.command, place)
    return write_page(replace(page, left_out=left_out).with_tabs(request.tabs), out, place, tell, track)


@dataclass(frozen=True)
class RunStyle:
    """A run in a figure."""

    run: RunAnswers
    colour: str
    shape: str

    @property
    def name(self) -> str:
        return self.run.name


def with_short_names(runs: Sequence[RunAnswers]) -> list[RunAnswers]:
    """The same runs under names short enough for figures; equal names after shortening are numbered."""
    names = short_names(("", run.name) for run in runs)
    return [replace(run, name=name) for run, name in zip(runs, names, strict=True)]


def run_styles(runs: Sequence[RunAnswers]) -> list[RunStyle]:
    """Colours and shapes, in the order of the runs."""
    return [RunStyle(run, *series_style(place)) for place, run in enumerate(runs)]


_ACCURACY_CAPTION = (
    "Right answers with 95 % intervals over pictures, as seen from the camera and from the person. Dashed: chance."
)


def accuracy_figure(runs: Sequence[RunAnswers]) -> Figure:
    """A panel for all pictures, then one for each environment where there are several."""
    environments = environments_of(runs)
    places = ["", *(environments if len(environments) > 1 else [])]
    panels = [Panel(_accuracy_chart(run_styles(runs), place), _title(place)) for place in places]
    key = tuple((one.name, one.colour) for one in run_styles(runs))
    return Figure(
        "sparrta-answers", "From the camera, from the person", _ACCURACY_CAPTION, panels, _numbers(runs, places), key
    )


def _title(place: str) -> str:
    return place.replace("_", " ").capitalize() or "All pictures"


def _accuracy_chart(shown: Sequence[RunStyle], place: str) -> Spec:
    views = viewpoints_of([one.run for one in shown])
    values: list[dict[str, Any]] = [
        {"model": one.name, "from": VIEWPOINT_NAMES[view], **percents(accuracy(found))}
        for one in shown
        for view in views
        if (found := one.run.select(view, place))
    ]
    order, by = [VIEWPOINT_NAMES[view] for view in views], alt.Tooltip("from:N", title="from the")
    return grouped_points(values, by, order, shown, "right, %", 100 * CHANCE, 220)


def _numbers(runs: Sequence[RunAnswers], places: Sequence[str]) -> Table:
    views = viewpoints_of(runs)
    heads = tuple(heading(VIEWPOINT_NAMES[view], _title(place)) for place in places for view in views)
    entries = tuple(
        one_row(run.name, (percent(accuracy(run.select(view, place))) for place in places for view in views))
        for run in runs
    )
    return Table("sparrta-answers-numbers", "", "model", heads, entries)


_CONFUSION_CAPTION = (
    "Numbers of questions by true answer (row) and given answer (column); shading is the share of the row. A dark "
    "column is an answer that the model prefers; front and back exchanged: it takes them in their everyday sense."
)
_CELL_PIXELS = 34


def confusion_figure(runs: Sequence[RunAnswers], view: Viewpoint, numbers: Table) -> Figure:
    """All models from one viewpoint. `numbers` are the same as a table."""
    asked = [run for run in runs if run.select(view)]
    panels = [Panel(_confusion_chart(run, view), run.name) for run in asked]
    return Figure(
        f"sparrta-confusion-{view}",
        f"Confusions, from the {VIEWPOINT_NAMES[view]}",
        _CONFUSION_CAPTION,
        panels,
        numbers,
    )


def _confusion_chart(run: RunAnswers, view: Viewpoint) -> Spec:
    columns = (*RELATIONS, UNPARSEABLE)
    values: list[dict[str, Any]] = []
    for true, said in confusion(run.select(view)).items():
        total = sum(said.values())
        values += [
            {"true": true, "said": word, "count": count, "share": round(100 * count / total, 1) if total else 0}
            for word, count in said.items()
        ]
    axis = alt.Axis(labelAngle=0, domain=False, ticks=False, grid=False)
    base = chart(values).encode(
        x=alt.X("said:N", sort=list(columns), title="said", axis=axis),
        y=alt.Y("true:N", sort=list(RELATIONS), title="true", axis=axis),
    )
    tips = [
        alt.Tooltip("true:N"),
        alt.Tooltip("said:N"),
        alt.Tooltip("count:Q", title="questions"),
        alt.Tooltip("share:Q", title="% of the row", format=".1f"),
    ]
    depth = alt.Opacity("share:Q", scale=alt.Scale(domain=[0, 100], range=[0.04, 0.75]), legend=None)
    squares = base.mark_rect(color=BLUE).encode(opacity=depth, tooltip=tips)
    counts = base.mark_text(style="words").encode(text="count:Q")
    return fitted(_CELL_PIXELS * len(RELATIONS), squares, counts)


_MARGIN = 13.0
"""Margin for labels on each side, in percent of the plan."""
_LABEL = 24.0, 12.0
"""Width and height of a label with its mark, in percent of the plan."""


def ground_plan(case: Case) -> CardPlan:
    """The ground plan of a picture, rotated and scaled to fit."""
    names = {"camera": "camera", "human": "person", "source": case.source, "target": case.target}
    marks = {
        who: PlanMark(names[who], *at, strong=who in ("source", "target"))
        for who, at in seen_from_above(case, _MARGIN, 1).items()
    }
    marks = {who: replace(mark, under=_is_crowded(mark, marks.values())) for who, mark in marks.items()}
    said = ", ".join(f"{question.answer} from {question.viewpoint}" for question in case.questions)
    about = f"Plan of camera, person, {case.source} and {case.target}: {said}."
    sights = (marks["camera"], marks["source"]), (marks["human"], marks["source"])
    return CardPlan(tuple(marks.values()), sights, about)


def _is_crowded(mark: PlanMark, others: Iterable[PlanMark]) -> bool:
    """Whether another mark or its label is in the way of the label above this one."""
    return any(abs(other.x - mark.x) < _LABEL[0] and 0 < mark.y - other.y < _LABEL[1] for other in others)


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
_CARDS_ABOUT = (
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
    return Cards("Some of the questions", _CARDS_ABOUT, cards)


def _first(cases: Mapping[str, Case]) -> list[Case]:
    """The pictures with the lowest numbers, from all triples in turn."""
    triples = grouped(sorted(cases.values(), key=lambda case: (len(case.id), case.id)), lambda case: case.triple_name)
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
