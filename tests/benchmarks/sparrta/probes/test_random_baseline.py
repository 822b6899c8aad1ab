"""Against a random network: paired by triple, only with one that was probed alike, and nothing from few triples."""

from dataclasses import replace
from io import StringIO
from typing import cast

import pytest
from rich.console import Console

from tests.benchmarks.sparrta.probes.synthetic_cells import cell, probes_of
from tolman.benchmarks.sparrta.probes.cells import ProbeCell
from tolman.benchmarks.sparrta.probes.encoders import probed_encoders
from tolman.benchmarks.sparrta.probes.export import as_dict, probe_tables
from tolman.benchmarks.sparrta.probes.findings import gain_sentence, gain_table, gains_over_random

HARD = {"forest": 0.9, "forest_2": 0.5, "forest_3": 0.1}


def probed(encoder: str, *more: float) -> list[ProbeCell]:
    """An encoder that is better by so much in each triple, of which each is as hard as it is."""
    levels = dict(zip(HARD.items(), more, strict=False))
    return [cell("linear", name, "ego", hard + by, hard + by, encoder=encoder) for (name, hard), by in levels.items()]


BASE = probed("random", 0, 0, 0)


def test_differences_are_paired_so_that_hard_triples_do_not_blur_them():
    found = gains_over_random(
        probed_encoders([*BASE, *probed("good", 0.05, 0.06, 0.07), *probed("bad", -0.05, -0.06, -0.07)])
    )
    assert [(one.encoder, one.state, one.triples) for one in found] == [("good", "holds", 3), ("bad", "reversed", 3)]
    assert found[0].difference.mean == pytest.approx(0.06)
    (good, bad) = (entry.rows[0].cells[0] for entry in gain_table(found).entries)
    assert (good.text, bad.text) == ("6.0 ✓", "−6.0 ✗")
    assert gain_sentence(found) == (
        "Above a random network: good in 1 of 1 comparison and bad in 0 of 1 comparison (and below it in 1)."
    )


def test_two_triples_and_differences_around_nothing_are_open():
    assert [one.state for one in gains_over_random(probed_encoders([*BASE, *probed("few", 0.05, 0.06)]))] == ["open"]
    assert [one.state for one in gains_over_random(probed_encoders([*BASE, *probed("level", 0.1, -0.1, 0.02)]))] == [
        "open"
    ]


def test_other_triples_are_no_measure():
    apart = [cell("linear", "city", "ego", 0.5, encoder="apart")]
    assert gains_over_random(probed_encoders([*BASE, *apart])) == []


def test_a_random_network_whose_last_layer_is_still_to_come_is_no_measure():
    begun = [replace(one, key=replace(one.key, layers=12)) for one in BASE]
    assert gains_over_random(probed_encoders([*begun, *probed("good", 0.05, 0.06, 0.07)])) == []


def test_a_random_network_that_was_trained_on_in_another_way_is_no_measure():
    few = {**BASE[0].key.protocol, "epochs": 3}
    short = [replace(one, key=replace(one.key, protocol=few)) for one in probed("short", 0, 0, 0)]
    assert gains_over_random(probed_encoders([*BASE, *short])) == []
    base = [replace(one, key=replace(one.key, encoder="random")) for one in short]
    (one,) = gains_over_random(probed_encoders([*BASE, *base, *short]))
    assert (one.encoder, one.difference.mean) == ("short (3 epochs)", 0)


def test_it_stands_in_numbers_and_in_the_terminal_where_there_is_a_random_network():
    probes = probes_of(*BASE, *probed("good", 0.05, 0.06, 0.07))
    (row,) = cast("list[dict[str, object]]", as_dict(probes)["beyond_random"])
    assert (row["encoder"], row["head"], row["viewpoint"], row["state"]) == ("good", "linear", "ego", "holds")
    console = Console(file=StringIO(), record=True, width=120)
    for part in probe_tables(probes):
        console.print(part)
    assert "Above a random network: good in 1 of 1 comparison." in console.export_text()
    assert as_dict(probes_of(*probed("good", 0.05)))["beyond_random"] == []
