"""The paper's rows beside ours: of the same environments where these are known, and said so."""

from statistics import fmean

import pytest

from tests.benchmarks.sparrta.probes.synthetic_cells import cell
from tolman.benchmarks.sparrta.probes.accuracy import accuracy_table
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder, probed_encoders, published_results
from tolman.benchmarks.sparrta.probes.pages.accuracy import probe_figure
from tolman.report.table import Table

PLACES = ("forest", "desert", "winter_town", "bridge", "city")


def probed(*triples: str) -> list[ProbedEncoder]:
    return probed_encoders([cell("linear", triple, view, 0.5) for triple in triples for view in ("ego", "allo")])


def vggt(table: Table) -> list[float]:
    (row,) = (entry.rows[0].cells for entry in table.entries if entry.name == "VGGT-L")
    return [float(one.text) for one in row]


def test_ego_is_of_our_environments_and_allo_of_all_five():
    rows, encoders = published_results(), probed("desert", "desert_2", "city")
    wanted = fmean(rows.ego_in("VGGT-L", where, "linear") for where in ("desert", "city"))
    five = rows.mean("VGGT-L", "allo", "linear")
    table, figure = accuracy_table(encoders), probe_figure(encoders)
    assert vggt(table) == pytest.approx([wanted, five, rows.both("VGGT-L", "linear")], abs=0.051)
    assert vggt(figure.numbers)[:2] == vggt(table)[:2]
    for said in (" ".join(table.notes), figure.caption):
        assert "ego numbers are over desert and city" in said
        assert "allo numbers, and so means of both, are only known over all five" in said


def test_with_all_five_or_none_of_them_they_are_means_over_five():
    rows = published_results()
    for triples in (PLACES, ("moon",)):
        table = accuracy_table(probed(*triples))
        assert vggt(table)[0] == pytest.approx(rows.mean("VGGT-L", "ego", "linear"), abs=0.051)
        assert "The paper's numbers are means over its five environments." in table.notes
