"""Numbers of different triples: they are never ranked against each other, and can be told apart."""

from collections.abc import Callable, Sequence
from typing import cast

import pytest

from tests.benchmarks.sparrta.probes.synthetic_cells import cell, probes_of
from tolman.benchmarks.sparrta.probes.accuracy import accuracy_table, environment_table
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder, probed_encoders
from tolman.benchmarks.sparrta.probes.export import as_dict
from tolman.benchmarks.sparrta.probes.results import probe_summary
from tolman.report.table import Cell, Table

UNEVEN = [
    cell("linear", "desert", "ego", 0.7, encoder="half"),
    cell("linear", "desert", "ego", 0.8, encoder="whole"),
    cell("linear", "desert_2", "ego", 0.4, encoder="whole"),
    cell("linear", "desert", "allo", 0.3, encoder="half"),
    cell("linear", "desert", "allo", 0.2, encoder="whole"),
]


def shown(table: Table, encoder: str) -> list[Cell]:
    (row,) = (entry.rows[0].cells for entry in table.entries if entry.name == encoder)
    return [one for one in row if one.text != "desert"]


@pytest.mark.parametrize("make", [accuracy_table, environment_table])
def test_the_best_is_bold_only_among_numbers_of_the_same_triples(make: Callable[[Sequence[ProbedEncoder]], Table]):
    table = make(probed_encoders(UNEVEN))
    half, whole = shown(table, "half"), shown(table, "whole")
    assert [one.text for one in half] == ["70.0 †", "30.0 †", "50.0 †"]
    assert [one.text for one in whole] == ["60.0", "20.0 †", "50.0 †"]
    assert [one.best for one in half] == [False, True, True]
    assert [one.best for one in whole] == [False, False, True]
    assert any(note.startswith("†") for note in table.notes)


def test_a_mean_of_both_viewpoints_is_of_triples_that_have_both():
    (both,) = (
        row
        for row in cast("list[dict[str, object]]", as_dict(probes_of(*UNEVEN))["accuracy"])
        if (row["encoder"], row["viewpoint"], row["environment"]) == ("whole", "ego+allo", "all")
    )
    assert both["mean"] == pytest.approx((0.8 + 0.2) / 2)
    assert both["triples"] == 1
    apart = [cell("linear", "desert", "ego", 0.7), cell("linear", "desert_2", "allo", 0.7)]
    assert [one.text for one in shown(accuracy_table(probed_encoders(apart)), "made")] == ["70.0 †", "70.0 †", "–"]


def test_triples_are_counted_by_column():
    table = accuracy_table(probed_encoders(UNEVEN))
    assert {entry.name: entry.below for entry in table.entries if not entry.reference} == {
        "half": "1 of 2 triples",
        "whole": "1–2 of 2 triples",
    }
    assert "Not all triples are done for half (1 of 2) and whole (1–2 of 2)." in probe_summary(probes_of(*UNEVEN))


def test_nothing_is_marked_where_all_is_done():
    even = [cell("linear", triple, "ego", 0.5, encoder=name) for triple in ("city", "desert") for name in ("a", "b")]
    for table in (accuracy_table(probed_encoders(even)), environment_table(probed_encoders(even))):
        assert all("†" not in one.text for entry in table.entries for row in entry.rows for one in row.cells)
        assert not any("†" in note for note in table.notes)
        assert all(entry.rows[0].cells[-1].best for entry in table.entries if not entry.reference)
    assert "Not all" not in probe_summary(probes_of(*even))
