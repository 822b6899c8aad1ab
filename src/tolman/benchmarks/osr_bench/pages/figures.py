"""Figures of OSR-Bench: accuracy by map condition, stated maps and their mirror images, and distributions of classes
and answers. Each model has a short name, a fixed colour and shape, and a folder for scene pages.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt

from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.questions.question import (
    DIRECTIONS,
    NO_CANDIDATE,
    NO_OTHER,
    NOT_FOUND,
    NOT_UNIQUE,
    QUESTION_KINDS,
    AskedSet,
    QuestionKind,
)
from tolman.benchmarks.osr_bench.runs import MAP_TITLES, EvaluatedModel, RunScores
from tolman.benchmarks.osr_bench.scores import F1, MIRRORED_F1, answer_key
from tolman.benchmarks.osr_bench.tables.score_tables import ReferenceRow
from tolman.core.seeds import digest
from tolman.harness.names import counted
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import (
    BLUE,
    ORANGE,
    VERMILLION,
    Spec,
    chart,
    colour_scale,
    fitted,
    grouped_points,
    interval_tips,
    percent_or_none,
    percents,
    series_style,
    shape_scale,
    short_names,
)
from tolman.report.table import Cell, Table, heading, one_row, percent

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,80}")


@dataclass(frozen=True)
class ReportedModel:
    """An evaluated model in the report."""

    model: EvaluatedModel
    """Its name is unique and short enough for figures."""
    folder: str
    """Folder of its scene pages, below `episodes`."""

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def scenes(self) -> list[str]:
        """Scenes that it finished in any condition, in order."""
        return list(dict.fromkeys(case.id for scored in self.model.runs for case in scored.run.cases))


def reported_models(models: Sequence[EvaluatedModel]) -> list[ReportedModel]:
    """The models in order; equal names after shortening are numbered."""
    names = short_names(("", model.name) for model in models)
    return [ReportedModel(replace(model, name=name), _folder(model)) for model, name in zip(models, names, strict=True)]


def _folder(model: EvaluatedModel) -> str:
    """A folder name: ASCII letters of the model's name, and a digest of model and settings."""
    name = next(iter(model.runs)).run.model
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:32].strip("-")
    rotations = sorted(str(scored.run.options.turns) for scored in model.runs)
    settings = {key: str(value) for key, value in sorted(model.settings.items())}
    key = digest([name, settings, rotations])[:8]
    return f"osr-{plain or 'model'}-{key}"


def scene_files(reported: ReportedModel) -> dict[str, str]:
    """Names of the pages of a model's scenes."""
    return {
        scene: f"scene-{scene if _PLAIN.fullmatch(scene) else digest(scene)[:12]}.html" for scene in reported.scenes
    }


@dataclass(frozen=True)
class ModelSeries:
    """One model with or without reasoning: one series in a figure."""

    name: str
    colour: str
    shape: str
    runs: dict[str, RunScores]
    """By map condition."""


def model_series(reported: Sequence[ReportedModel], asked: AskedSet) -> list[ModelSeries]:
    """The series of a figure on one set of questions. Colours and shapes are the same for both sets."""
    names = list(_lines(reported))
    styles = {name: place for place, (name, _, _) in enumerate(names)}
    return [
        ModelSeries(name, *series_style(styles[name]), runs)
        for name, model, think in names
        if (runs := model.modes(asked, think=think))
    ]


def _lines(reported: Sequence[ReportedModel]) -> Iterator[tuple[str, EvaluatedModel, bool]]:
    for one in reported:
        for think in sorted({condition.think for condition in one.model.conditions}):
            yield f"{one.name}, think" if think else one.name, one.model, think


_ORDER = ("none", "first", "true")
_ACCURACY_CAPTION = (
    "Strict accuracy with 95 % intervals over scenes, by map condition. Dashed: chance. "
    "The gain from own to true map is lost in mapping; what is missing with the true map is lost in reasoning."
)
_ACCURACY_TITLES: dict[AskedSet, str] = {
    "standard": "Accuracy by map condition",
    "negative": "Accuracy by map condition, questions that name absent objects",
}


def accuracy_figure(reported: Sequence[ReportedModel], asked: AskedSet, references: Sequence[ReferenceRow]) -> Figure:
    """One panel for each kind of question."""
    lines = model_series(reported, asked)
    panels = [
        Panel(_accuracy_chart(lines, kind, _chance(references, asked, kind)), kind.capitalize())
        for kind in QUESTION_KINDS
    ]
    key = tuple((one.name, one.colour) for one in lines)
    name = f"osr-answers-{asked}"
    return Figure(
        name, _ACCURACY_TITLES[asked], _ACCURACY_CAPTION, panels if lines else [], _accuracy_numbers(name, lines), key
    )


def _chance(references: Sequence[ReferenceRow], asked: AskedSet, kind: QuestionKind) -> float | None:
    wanted = ("chance", asked, "strict")
    rows = [row for row in references if (row.name, row.asked, row.rules) == wanted]
    return percent_or_none(rows[0].interval(f"none/{kind}").mean) if rows else None


def _accuracy_chart(lines: Sequence[ModelSeries], kind: str, chance: float | None) -> Spec:
    values: list[dict[str, Any]] = [
        {
            "model": one.name,
            "map": MAP_TITLES[mode],
            **percents(one.runs[mode].measured["strict"].interval(answer_key(kind))),
        }
        for one in lines
        for mode in _ORDER
        if mode in one.runs
    ]
    maps = [MAP_TITLES[mode] for mode in _ORDER if any(mode in one.runs for one in lines)]
    return grouped_points(values, alt.Tooltip("map:N", title="with"), maps, lines, "accuracy, %", chance, 240)


def _accuracy_numbers(name: str, lines: Sequence[ModelSeries]) -> Table:
    heads = tuple(heading(MAP_TITLES[mode], kind.capitalize()) for kind in QUESTION_KINDS for mode in _ORDER)
    entries = [
        one_row(
            one.name,
            (
                percent(one.runs[mode].measured["strict"].interval(answer_key(kind))) if mode in one.runs else Cell()
                for kind in QUESTION_KINDS
                for mode in _ORDER
            ),
        )
        for one in lines
    ]
    return Table(f"{name}-numbers", "", "model", heads, tuple(entries))


_SCORED_MAPS = {F1: "as stated", MIRRORED_F1: "mirror image"}
_STYLES = {"as stated": (BLUE, "circle"), "mirror image": (VERMILLION, "diamond")}
_MAP_TITLES: dict[AskedSet, str] = {"standard": "Standard", "negative": "With absent classes listed (negative)"}
_MAP_CAPTION = (
    "F1 of objects found within 2 cells, in the best of four rotations, with 95 % intervals over scenes; strict. Where "
    "the mirror image scores higher, the model confuses left and right."
)


def map_figure(reported: Sequence[ReportedModel]) -> Figure:
    """One panel for each set of questions, as these differ in the classes that the map prompt lists."""
    sets = {
        title: [one for one in model_series(reported, asked) if "first" in one.runs]
        for asked, title in _MAP_TITLES.items()
    }
    panels = [Panel(_map_chart(lines), title) for title, lines in sets.items() if lines]
    key = tuple((name, colour) for name, (colour, _) in _STYLES.items())
    return Figure("osr-maps", "Stated maps, and their mirror images", _MAP_CAPTION, panels, _map_numbers(sets), key)


def _map_chart(lines: Sequence[ModelSeries]) -> Spec:
    values: list[dict[str, Any]] = [
        {"model": one.name, "map": title, **percents(one.runs["first"].measured["strict"].interval(column))}
        for one in lines
        for column, title in _SCORED_MAPS.items()
    ]
    styles = list(_STYLES.values())
    rows = alt.Y("model:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelLimit=150, grid=True))
    colour = colour_scale("map", list(_STYLES), [style[0] for style in styles])
    shape = shape_scale("map", list(_STYLES), [style[1] for style in styles], None)
    across = alt.X("low:Q", title="F1, %", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5, grid=False))
    base = chart(values).encode(y=rows, yOffset=alt.YOffset("map:N", sort=list(_STYLES)))
    whiskers = base.mark_rule(strokeWidth=1.6).encode(x=across, x2="high:Q", color=colour)
    marks = base.mark_point(filled=True, size=64, opacity=1).encode(
        x="mean:Q", color=colour, shape=shape, tooltip=interval_tips("model", "map", mean="F1")
    )
    return fitted(44 * len(lines), whiskers, marks)


def _map_numbers(sets: dict[str, list[ModelSeries]]) -> Table:
    entries = [
        one_row(
            one.name,
            (percent(one.runs["first"].measured["strict"].interval(column)) for column in _SCORED_MAPS),
            title.lower(),
        )
        for title, lines in sets.items()
        for one in lines
    ]
    return Table("osr-maps-numbers", "", "model", tuple(map(heading, _SCORED_MAPS.values())), tuple(entries))


MOST = 25
"""Maximum number of bars of a panel."""
_REST = "all others"
_SHORT = {
    NOT_FOUND: "positioning absent",
    NOT_UNIQUE: "positioning not unique",
    NO_CANDIDATE: "all candidates absent",
    NO_OTHER: "orienting/querying absent",
}
"""The four special answers, short enough for an axis."""
_SET_TITLES: dict[AskedSet, str] = {"standard": "Standard", "negative": "With absent objects (negative)"}
_KEY = (("an answer from the room", BLUE), ("a special answer: an object is absent or not unique", ORANGE))
Cases = Mapping[AskedSet, Sequence[Case]]


def distribution_figures(cases: Cases) -> Iterator[Figure]:
    """Classes by room, then answers by kind of question, each set in a panel."""
    yield _classes(cases)
    yield _answers(cases, "distance", "Answers to distance questions", "The closest candidate.")
    yield _answers(cases, "counting", "Answers to counting questions", "The number of objects.")
    yield _answers(cases, "direction", "Answers to direction questions", "The direction of the queried object.")


def _classes(cases: Cases) -> Figure:
    rooms = {case.id: case.truth.classes for of_set in cases.values() for case in of_set}
    counts = Counter(name for classes in rooms.values() for name in classes)
    caption = f"Number of rooms with at least one object of a class, of {len(rooms)}."
    panels = [Panel(_bars(_ranked(counts), "rooms"))]
    return Figure(
        "osr-classes", "Classes of objects", caption, panels, _count_table("osr-classes", {"": counts}, "rooms")
    )


def _answers(cases: Cases, kind: QuestionKind, title: str, caption: str) -> Figure:
    found = {_SET_TITLES[asked]: _counted(of_set, kind) for asked, of_set in cases.items()}
    known = {name: counts for name, counts in found.items() if counts}
    panels = [
        Panel(_bars(_ordered(counts, kind), "questions"), f"{name}, {counted(counts.total(), 'question')}")
        for name, counts in known.items()
    ]
    name = f"osr-{kind}"
    numbers = _count_table(name, known, "questions")
    key = _KEY if any(answer in _SHORT for counts in known.values() for answer in counts) else ()
    return Figure(name, title, f"{caption} Number of questions with each correct answer.", panels, numbers, key)


def _counted(cases: Sequence[Case], kind: QuestionKind) -> Counter[str]:
    return Counter(question.answer for case in cases for question in case.questions if question.kind == kind)


def _ordered(counts: Counter[str], kind: QuestionKind) -> list[tuple[str, int]]:
    """Counts by size, directions clockwise, other answers by frequency; special answers last."""
    if kind == "distance":
        plain = Counter({answer: count for answer, count in counts.items() if answer not in _SHORT})
        return _ranked(plain) + [(answer, counts[answer]) for answer in _SHORT if counts[answer]]
    order = [*sorted((a for a in counts if a.isdecimal()), key=int), *DIRECTIONS, *_SHORT]
    return [
        (answer, counts[answer]) for answer in order if counts[answer] or (kind == "direction" and answer in DIRECTIONS)
    ]


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(count for _, count in ranked[MOST:])
    return ranked[:MOST] + [(_REST, rest)] * (rest > 0)


def _bars(counts: Sequence[tuple[str, int]], axis: str) -> Spec:
    total = sum(count for _, count in counts)
    values: list[dict[str, Any]] = [
        {
            "answer": _SHORT.get(answer, answer[:40]),
            "count": count,
            "share": round(100 * count / total, 2),
            "colour": ORANGE if answer in _SHORT else BLUE,
        }
        for answer, count in counts
    ]
    rows = alt.Y(
        "answer:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=6, labelLimit=170)
    )
    across = alt.X("count:Q", title=axis, axis=alt.Axis(tickMinStep=1, tickCount=5))
    base = chart(values).encode(y=rows, x=across)
    tips = [
        alt.Tooltip("answer:N"),
        alt.Tooltip("count:Q", title=axis),
        alt.Tooltip("share:Q", title="percent", format=".1f"),
    ]
    bars = base.mark_bar(height=12).encode(color=alt.Color("colour:N", scale=None), tooltip=tips)
    numbers = base.mark_text(align="left", dx=4, fontSize=11, style="quiet-words").encode(text="count:Q")
    return fitted(20 * len(values), bars, numbers)


def _count_table(name: str, sets: Mapping[str, Counter[str]], what: str) -> Table:
    answers = dict.fromkeys(answer for counts in sets.values() for answer, _ in sorted(counts.items()))
    heads = tuple(heading(title, group) for group in sets for title in (what, "%"))
    entries = [
        one_row(answer[:80], (cell for counts in sets.values() for cell in _share(counts, answer)))
        for answer in answers
    ]
    return Table(f"{name}-numbers", "", "answer" if what == "questions" else "class", heads, tuple(entries))


def _share(counts: Counter[str], answer: str) -> tuple[Cell, Cell]:
    total = counts.total()
    return Cell(str(counts[answer])), Cell(f"{100 * counts[answer] / total:.1f}" if total else "–")
