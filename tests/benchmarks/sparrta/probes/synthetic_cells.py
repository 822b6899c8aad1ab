"""Finished cells with any numbers, without training anything."""

from dataclasses import asdict

from tolman.benchmarks.sparrta.probes.cells import ProbeCell, ProbeCellKey
from tolman.benchmarks.sparrta.probes.encoders import probed_encoders
from tolman.benchmarks.sparrta.probes.export import ProbeResults
from tolman.benchmarks.sparrta.sample import Viewpoint
from tolman.probing.protocol import HeadName, SeedResult, find_protocol


def cell(
    head: HeadName, triple: str, view: Viewpoint, *tests: float, encoder: str = "made", layer: int = 1, layers: int = 1
) -> ProbeCell:
    """A cell with one result for each seed; a triple is named by its environment and a number."""
    environment = triple.rstrip("_0123456789")
    protocol = asdict(find_protocol("paper", "linear" if head == "cls" else head))
    key = ProbeCellKey(encoder, "w", layer, layers, triple, environment, view, head, False, protocol, "p", "l", "x")
    return ProbeCell(
        key, tuple(SeedResult(seed, 1e-3, 0.2, t, t, t, 80, 10, (t,), 0.3) for seed, t in enumerate(tests))
    )


def probes_of(*cells: ProbeCell) -> ProbeResults:
    """A folder of such cells and nothing else, as a report reads it."""
    return ProbeResults(tuple(probed_encoders(cells)), (), (), (), (), (), {})
