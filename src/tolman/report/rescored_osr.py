"""Tables of a rescore of OSR-Bench: what is the same here, and maps and answers under each formula."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from rich.markup import escape
from rich.table import Table

from tolman.benchmarks.osr_bench.map_scores import MapScore
from tolman.benchmarks.osr_bench.osr_rescore import OsrRescored
from tolman.report.rescored import differences, identity_table, plain_table

_SHOWN, _WIDE = 20, 24


def rescored_osr_tables(outcome: OsrRescored) -> Iterator[Table | str]:
    """What to print, in order; fits a terminal of 80 columns."""
    sections = (
        ("Answers from the maps", outcome.answers),
        ("Scores of maps", outcome.maps),
        ("Scores of answers", outcome.scores),
    )
    found = tuple((title, section) for title, section in sections if section.counts)
    yield identity_table(f"{outcome.scenes} scenes and {outcome.results} result files: the same as stored", found)
    yield from differences(found)
    if outcome.stated:
        yield _maps(outcome)
    if outcome.stored_means:
        yield _answers(outcome)


def _maps(outcome: OsrRescored) -> Table:
    few = outcome.stated[:_SHOWN]
    table = plain_table(f"Maps: the first {len(few)} of {len(outcome.stated)}, and means over all")
    for name in ("precision", "recall", "F1", "distance", "turned", "mirrored F1"):
        table.add_column(name, justify="right")
    for row in few:
        table.add_row(f"[bold]{escape(_short(row.place.removesuffix(', turn 0')))}[/bold]")
        for title, score in row.ways:
            mirrored = "" if score.mirrored_f1 is None else f"{score.mirrored_f1:.3f}"
            table.add_row(f"  {title}", *_numbers([score]), f"{90 * score.quarters}°" if score.read else "", mirrored)
    table.add_row("[bold]mean[/bold]")
    for scores in zip(*(row.ways for row in outcome.stated), strict=True):
        table.add_row(f"  {scores[0][0]}", *_numbers([score for _, score in scores]))
    return table


def _short(name: str) -> str:
    """The end of a name, where scenes differ."""
    return name if len(name) <= _WIDE else f"…{name[1 - _WIDE :]}"


def _numbers(scores: Sequence[MapScore]) -> list[str]:
    values = zip(*((score.precision, score.recall, score.f1, score.distance) for score in scores), strict=True)
    return [f"{fmean(each):.3f}" for each in values]


def _answers(outcome: OsrRescored) -> Table:
    table = plain_table("Answers: mean scores")
    for name in ("answers", "stored", "published", "strict"):
        table.add_column(name, justify="right")
    for kind, stored in outcome.stored_means.items():
        scores = outcome.scores.scores[kind]
        means = (fmean(stored), scores.mean("published") or 0.0, scores.mean("strict") or 0.0)
        table.add_row(escape(kind), str(len(stored)), *(f"{mean:.3f}" for mean in means))
    return table


def rescored_osr_as_dict(outcome: OsrRescored) -> dict[str, object]:
    """Plain values, ready for JSON."""
    return {
        "scenes": outcome.scenes,
        "results": outcome.results,
        "answers": outcome.answers.as_dict(),
        "map_scores": outcome.maps.as_dict(),
        "answer_scores": outcome.scores.as_dict()
        | {"stored": {kind: fmean(scores) for kind, scores in outcome.stored_means.items()}},
        "maps": [
            {
                "place": row.place,
                "model": row.model,
                "stored_f1": row.stored_f1,
                **{
                    name: {"precision": score.precision, "recall": score.recall, "f1": score.f1, "read": score.read}
                    for name, score in row.ways
                },
                "turn": 90 * row.strict.quarters,
                "mirrored_f1": row.strict.mirrored_f1,
            }
            for row in outcome.stated
        ],
    }
