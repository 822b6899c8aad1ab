"""Probes of frozen encoders as tables, numbers and pages, from folders that `tolman probe` filled."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tolman.benchmarks.sparrta.probes.encoders import triples_of
from tolman.benchmarks.sparrta.probes.export import as_dict, probe_tables
from tolman.benchmarks.sparrta.probes.folders import ProbeResults, read_probes
from tolman.benchmarks.sparrta.probes.pages.page import ABOUT, TITLE, write_pages
from tolman.harness.tracking import Tell, Track
from tolman.report.results import BenchmarkResults, PageRequest, ResultReader, ShownTables, TableRequest


@dataclass(frozen=True)
class EncoderResults(BenchmarkResults):
    """Probes on frozen encoders."""

    probes: ProbeResults

    def show(self, request: TableRequest, track: Track) -> ShownTables:
        """Accuracy of probes, tests of the paper's findings, and controls."""
        del track
        compared, paper = request.references != "none", request.references == "all"
        return ShownTables(list(probe_tables(self.probes, references=compared, paper=paper)), as_dict(self.probes))

    def write_pages(self, request: PageRequest) -> Path:
        return write_pages(self.probes, request)


class EncoderReader(ResultReader):
    """Reads folders of probes."""

    name, key = "sparrta-probes", "sparrta_probes"
    title, about = TITLE, ABOUT
    words = ("encoder", "triple")

    def read(
        self, paths: Sequence[Path], tell: Tell, track: Track, jobs: int = 1, scores: Path | None = None
    ) -> EncoderResults:
        del track, jobs
        probes = read_probes(paths, tell, scores)
        encoders = probes.encoders or probes.controls
        names = tuple(one.name for one in encoders)
        return EncoderResults(names, len(names), len(triples_of(encoders)), probes)


RESULTS = EncoderReader()
