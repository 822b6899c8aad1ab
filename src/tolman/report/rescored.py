"""Tables of a rescore: how many stored numbers are the same here, and the scores under both rule sets."""

from collections import Counter
from collections.abc import Iterator

from rich.markup import escape
from rich.table import Table

from tolman.harness.rescoring import STATUSES, BothScores, ComparedValue, Reason, RescoredSection, StatusCount

_WORST, _RUNS = 5, 4
Sections = tuple[tuple[str, RescoredSection], ...]
"""Titles with what they stand over."""


def differences(sections: Sections) -> Iterator[str]:
    """Why values came out otherwise, and where those are that differ most; `--json` has all of them."""
    reasons = Counter((value.status, value.reason) for _, section in sections for value in section.differences)
    for (status, reason), count in reasons.items():
        if reason is not None:
            yield escape(f"{count} {'are ' if status == 'explained' else ''}{status}: {_told(reason)}")
    for title, section in sections:
        for status in ("different", "explained"):
            worst = sorted((v for v in section.differences if v.status == status), key=lambda v: -v.gap)
            if worst:
                runs = Counter(value.run for value in worst).most_common()
                where = ", ".join(f"{run} ({count})" for run, count in runs[:_RUNS]) + (" ..." if runs[_RUNS:] else "")
                yield f"[bold]{title}: {len(worst)} {status}[/bold], most in {escape(where)}; the worst:"
                yield from (escape(f"  {_line(value)}") for value in worst[:_WORST])


def _told(reason: Reason) -> str:
    return f"{reason.name} ({reason.why}; shown by {reason.test})"


def _line(value: ComparedValue) -> str:
    place = f"{value.run}, {value.metric}, {value.place}".removeprefix(", ")
    return f"{place}: ours {_shown(value.ours)}, stored {_shown(value.stored)}"


def identity_table(title: str, sections: Sections) -> Table:
    """How many stored values are the same here, by section and kind, and what is to be said of the others."""
    table = plain_table(title)
    for name in ("values", *STATUSES):
        table.add_column(name, justify="right")
    for name, section in sections:
        _identity_row(table, f"[bold]{name}[/bold]", section.all)
        for kind, count in section.counts.items():
            _identity_row(table, f"  {escape(kind)}", count)
    return table


def _identity_row(table: Table, title: str, count: StatusCount) -> None:
    counts = [str(count.by_status[status] or "") for status in STATUSES]
    mark = "[red]" if count.different else ""
    table.add_row(title, str(count.total), *counts[:-1], mark + counts[-1])


def mean_scores_table(title: str, section: RescoredSection, missing: str) -> Table:
    """Mean scores under both rule sets by kind, and how many replies are `missing`."""
    table = plain_table(f"{title}: mean scores")
    for name in ("strict", "published", f"{missing}, strict", f"{missing}, publ."):
        table.add_column(name, justify="right")
    for kind, scores in section.scores.items():
        cells = (_mean(scores, "strict"), _mean(scores, "published"))
        table.add_row(escape(kind), *cells, str(scores.failures["strict"]), str(scores.failures["published"]))
    return table


def _mean(scores: BothScores, rules: str) -> str:
    mean = scores.mean("strict" if rules == "strict" else "published")
    return "" if mean is None else f"{mean:.3f}"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_shown, value)) + ")"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return str(value)


def plain_table(title: str) -> Table:
    """A table without lines, with one column for what the rows are."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    return table
