"""Finished cells with any numbers, without training anything."""

from dataclasses import asdict

from tolman.benchmarks.sparrta.probe_cells import Cell, CellKey
from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.probing.head_names import HeadName
from tolman.probing.protocol import find_protocol
from tolman.probing.results import SeedResult
from tolman.report.sparrta.probe_folders import Probes
from tolman.report.sparrta.subjects import subjects_of


def cell(
    head: HeadName, triple: str, view: Viewpoint, *tests: float, encoder: str = "made", layer: int = 1, layers: int = 1
) -> Cell:
    """A cell with one result for each seed; a triple is named by its environment and a number."""
    environment = triple.rstrip("_0123456789")
    protocol = asdict(find_protocol("paper", "linear" if head == "cls" else head))
    key = CellKey(encoder, "w", layer, layers, triple, environment, view, head, False, protocol, "p", "l", "x")
    return Cell(key, tuple(SeedResult(seed, 1e-3, 0.2, t, t, t, 80, 10, (t,), 0.3) for seed, t in enumerate(tests)))


def probes_of(*cells: Cell) -> Probes:
    """A folder of such cells and nothing else, as a report reads it."""
    return Probes(tuple(subjects_of(cells)), (), (), (), (), (), {})
