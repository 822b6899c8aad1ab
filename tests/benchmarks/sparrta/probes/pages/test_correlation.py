"""Scores of other benchmarks whose encoders were not probed."""

from dataclasses import replace

from tests.benchmarks.sparrta.probes.synthetic_cells import cell, probes_of
from tolman.benchmarks.sparrta.probes.export import ProbeResults
from tolman.benchmarks.sparrta.probes.results import probe_page
from tolman.report.site import Figure, Text
from tolman.report.site.page import FRONT
from tolman.report.table import Table

PROBED = probes_of(*(cell("linear", "desert", "ego", 0.5, encoder=name) for name in ("here", "there")))


def elsewhere(probes: ProbeResults) -> tuple[str, list[Figure], str]:
    """What is said, the figures, and the notes of the table."""
    (tab,) = (tab for tab in probe_page(probes, "", FRONT).tabs if tab.name == "elsewhere")
    said = " ".join(text for block in tab.blocks if isinstance(block, Text) for text in block.paragraphs)
    notes = " ".join(note for block in tab.blocks if isinstance(block, Table) for note in block.notes)
    return said, [block for block in tab.blocks if isinstance(block, Figure)], notes


def test_scores_of_strangers_are_said_to_be_such():
    said, figures, notes = elsewhere(replace(PROBED, scores={"ImageNet": dict.fromkeys("abcdefgh", 1.0)}))
    assert "ImageNet: none of the encoders that the scores name was probed here." in said
    assert "They name a, b, c, d and 4 more; probed were here and there." in said
    assert figures == []
    assert "Caution" not in notes


def test_scores_of_some_count():
    scores = {"ImageNet": {"here": 80.0, "a": 1.0}, "Depth": {"b": 2.0}, "empty": dict[str, float]()}
    said, figures, notes = elsewhere(replace(PROBED, scores=scores))
    assert said.startswith("Depth: none of the encoders")
    assert "ImageNet" not in said
    assert [len(figure.panels) for figure in figures] == [1]
    assert "with 1 encoder almost any r" in notes
