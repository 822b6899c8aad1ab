"""Tables beside those of scores: correlations, the curve of information gain, reliability, price."""

from collections.abc import Iterator, Sequence

from tolman.report.cells import amount, number, p_value, percent, share, thousands
from tolman.report.price import Amount
from tolman.report.sheet import Cell, Head, Row, Sheet
from tolman.report.theory_of_space.correlation import Correlation
from tolman.report.theory_of_space.gain_curve import sparkline
from tolman.report.theory_of_space.layout import Rules, Shown, sheet
from tolman.rules import RuleSetName

TURNS = (1, 2, 4, 8, 12, 16, 20)
"""Turns at which the curve of information gain is given in numbers."""
_BARS = 24


def correlation_sheets(shown: Sequence[Shown], rules: Rules) -> Iterator[Sheet]:
    """Whether scenes with better maps, or with more information, have better answers."""
    heads = [
        Head(title, group)
        for group in ("Map correctness and answers", "Information gain and answers")
        for title in ("r", "p", "scenes")
    ]

    def rows(one: Shown) -> tuple[Row, ...]:
        known = [(name, one.figures.measured[name]) for name in rules]
        active = one.figures.run.mode == "active"
        return tuple(
            Row(
                name,
                _correlation(of.map_and_answers) + (_correlation(of.gain_and_answers) if active else (Cell(),) * 3),
            )
            for name, of in known
        )

    yield from sheet("Correlation over scenes, Pearson's r", heads, shown, rows)


def _correlation(found: Correlation) -> tuple[Cell, ...]:
    r, p = number(2)(found.r), p_value(found.p)
    return (r, p, Cell(str(found.scenes))) if p.text != Cell().text else (Cell(), Cell(), Cell())


def curve_sheets(shown: Sequence[Shown]) -> Iterator[Sheet]:
    """Information gain turn by turn. Passive models read the same log, so its curve is shown once."""
    heads = [Head(str(turn), "after turn") for turn in TURNS] + [Head("end")]
    seen: set[object] = set()
    kept: list[Shown] = []
    for one in shown:
        run, curve = one.figures.run, one.figures.curve
        explorer = (run.world, run.options.passive_explorer, curve)
        if run.mode == "active":
            kept.append(one)
        elif explorer not in seen:
            seen.add(explorer)
            kept.append(Shown(f"{run.options.passive_explorer}, whose log was read", one.part, one.figures))

    def rows(one: Shown) -> tuple[Row, ...]:
        curve = one.figures.curve
        if not curve:
            return ()
        points = [curve[min(turn, len(curve)) - 1] for turn in TURNS] + [curve[-1]]
        return (Row(sparkline(curve, _BARS), tuple(map(percent, points))),)

    notes = ("Means over scenes; one that has ended keeps its last value. Turns that could not be read: left out",)
    yield from sheet("Information gain by turn, %", heads, kept, rows, notes)


def reliability_sheets(shown: Sequence[Shown], rules: Rules) -> Iterator[Sheet]:
    """How smoothly the runs went."""
    heads = [
        *(Head(title, "Scenes") for title in ("done", "failed", "not\ndone")),
        Head("replies"),
        *(Head(title, "Replies that could not be read") for title in ("turns", "maps", "points", "answers")),
        Head("forced\nends"),
        Head("failed\nturns"),
        Head("cut\nreplies"),
    ]

    def rows(one: Shown) -> tuple[Row, ...]:
        return tuple(Row(name, _reliability(one, name, first=name == rules[0])) for name in rules)

    failed = tuple(
        f"{one.part}, {one.figures.run.name}: scene {scene} failed: {reason}"
        for one in shown
        for scene, reason in one.figures.run.failed
    )
    notes = (
        "forced ends: phases ended by the budget. failed turns: with an action that could not be done",
        "cut replies: ended by a limit or a filter",
    )
    yield from sheet("Reliability", heads, shown, rows, notes + failed)


def _reliability(one: Shown, rules: RuleSetName, *, first: bool) -> tuple[Cell, ...]:
    """Counts; those that no rule set changes stand in the first row only."""
    known = one.figures.reliability
    unread = {kind: share(count.part, count.whole) for kind, count in known.unread[rules].items()}
    counts = [Cell(str(n)) for n in (known.finished, known.failed, known.not_done, known.replies)]
    ends = [share(count.part, count.whole) for count in (known.forced, known.failed_turns, known.cut)]
    if not first:
        return (*[Cell("")] * 5, unread["maps"], unread["points"], unread["answers"], *[Cell("")] * 3)
    return (*counts, *unread.values(), *ends)


def price_sheets(shown: Sequence[Shown]) -> Iterator[Sheet]:
    """What the runs took."""
    heads = [
        Head(title, group)
        for group in ("Thousand input tokens", "Thousand output tokens", "US dollars")
        for title in ("a scene", "in all")
    ]

    def rows(one: Shown) -> tuple[Row, ...]:
        price = one.figures.price
        least = "" if price.priced or price.dollars.total is None else "≥ "
        dollars = number(3)(price.dollars.scene), amount(price.dollars.total, ".2f")
        paid = tuple(Cell(least + cell.text, cell.below) for cell in dollars)
        return (Row("", (*_tokens(price.input_tokens), *_tokens(price.output_tokens), *paid)),)

    notes = ("Of finished scenes; replies from a cache count as if asked for anew. ≥: some prices are unknown",)
    yield from sheet("Price", heads, shown, rows, notes)


def _tokens(taken: Amount) -> tuple[Cell, ...]:
    total = None if taken.total is None else taken.total / 1000
    return thousands(taken.scene), amount(total, ",.1f")
