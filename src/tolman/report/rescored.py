"""Tables of rescored data: how many stored values are reproduced, and the scores under both rule sets."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from rich.text import Text

from tolman.core.rules import RULE_SETS, RuleSetName
from tolman.harness.names import printable
from tolman.harness.rescoring import BothScores, ComparedValue, Reason, RescoredSection, Status, StatusCount
from tolman.report.table import Cell, Column, Row, RowGroup, Table, integer, number, point_estimate

_WORST, _RUNS = 5, 4
Sections = tuple[tuple[str, RescoredSection], ...]
"""Sections by title."""
_OF_WHICH = "of which"
_VALUES = Column("values", "values", definition="Values that the released files hold.")
_STATUS_COLUMNS: dict[Status, Column] = {
    "identical": Column(
        "identical",
        "identical",
        _OF_WHICH,
        "identi-\ncal",
        better="higher",
        definition="Computed here as stored, to within 1e-9.",
    ),
    "explained": Column(
        "explained",
        "explained",
        _OF_WHICH,
        "ex-\nplained",
        definition="Computed differently here, for a named reason that reproduces the stored value to the digit.",
    ),
    "can't be checked": Column(
        "can't be checked",
        "can't be checked",
        _OF_WHICH,
        "can't be\nchecked",
        definition="The released files no longer hold what the value was computed from.",
    ),
    "different": Column(
        "different",
        "different",
        _OF_WHICH,
        "differ-\nent",
        better="lower",
        definition="Computed differently here, without an explanation.",
    ),
}


def differences(sections: Sections) -> Iterator[Text]:
    """Why values differ, and where they differ most; `--json` writes all of them."""
    reasons = Counter((value.status, value.reason) for _, section in sections for value in section.differences)
    for (status, reason), count in reasons.items():
        if reason is not None:
            yield Text(f"{count} {'are ' if status == 'explained' else ''}{status}: {_reason_text(reason)}")
    for title, section in sections:
        for status in ("different", "explained"):
            worst = sorted((v for v in section.differences if v.status == status), key=lambda v: -v.gap)
            if worst:
                runs = Counter(value.run for value in worst).most_common()
                where = ", ".join(f"{run} ({count})" for run, count in runs[:_RUNS]) + (" ..." if runs[_RUNS:] else "")
                style = "bold red" if status == "different" else "bold"
                more = printable(f", most in {where}; the worst:")
                yield Text.assemble((f"{title}: {len(worst)} {status}", style), more)
                yield from (Text(printable(f"  {_line(value)}")) for value in worst[:_WORST])


def _reason_text(reason: Reason) -> str:
    return f"{reason.name} ({reason.why}; shown by {reason.test})"


def _line(value: ComparedValue) -> str:
    place = f"{value.run}, {value.metric}, {value.place}".removeprefix(", ")
    return f"{place}: ours {_value_text(value.ours)}, stored {_value_text(value.stored)}"


def _value_text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_value_text, value)) + ")"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return str(value)


def identity_table(title: str, sections: Sections) -> Table:
    """The number of stored values by status, for each section and kind."""
    entries = tuple(
        RowGroup(printable(kind), (_identity_row(count),), section=name)
        for name, section in sections
        for kind, count in (("all", section.all), *section.counts.items())
    )
    return Table("identity", title, "value", (_VALUES, *_STATUS_COLUMNS.values()), entries, compact=True)


def _identity_row(count: StatusCount) -> Row:
    counts = {status: _count(count.by_status[status]) for status in _STATUS_COLUMNS}
    counts["different"] = replace(counts["different"], tone="bad")
    return Row((integer(count.total), *counts.values()))


def _count(value: int) -> Cell:
    """A count; blank for 0, so that others stand out."""
    return integer(value) if value else replace(integer(value), text="")


_SCORED_BY = {"strict": "corrected scoring", "published": "the scoring of the authors' released code"}
Missing = Literal["unparseable", "undefined"]
_MISSING_MEANS: dict[Missing, str] = {
    "unparseable": "Replies that could not be parsed",
    "undefined": "Values that are not defined, as there was nothing to compare, and are not in the mean,",
}
SectionAndName = Callable[[str], tuple[str, str]]
"""Splits a kind into the section of the table that it is in, and its name there."""


def mean_scores_table(
    title: str,
    section: RescoredSection,
    missing: Missing,
    first: str = "kind",
    split: SectionAndName = lambda kind: ("", kind),
) -> Table:
    """Mean scores under both rule sets by kind, and how many replies or values are `missing`."""
    entries = tuple(
        RowGroup(printable(name), (_mean_row(scores),), section=printable(part))
        for kind, scores in section.scores.items()
        for part, name in (split(kind),)
    )
    columns = (*map(_mean_column, RULE_SETS), *(_missing_column(rules, missing) for rules in RULE_SETS))
    name = f"scores-{title.lower().replace(' ', '-')}"
    return Table(name, f"{title}: mean scores", first, columns, entries, compact=True)


def _mean_column(rules: RuleSetName) -> Column:
    definition = f"Mean over all of a kind under {_SCORED_BY[rules]}: from 0 to 1, costs in actions."
    return Column(f"mean/{rules}", rules, "mean score", style=number(3), definition=definition)


def _missing_column(rules: RuleSetName, missing: Missing) -> Column:
    definition = f"{_MISSING_MEANS[missing]} under {_SCORED_BY[rules]}."
    return Column(f"{missing}/{rules}", rules, missing, style=number(0), better="lower", definition=definition)


def _mean_row(scores: BothScores) -> Row:
    means = (number(3)(point_estimate(scores.mean(rules))) for rules in RULE_SETS)
    return Row((*means, *(integer(scores.failures[rules]) for rules in RULE_SETS)))
