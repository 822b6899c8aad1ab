"""Probes of frozen encoders as tables, numbers and pages, from folders that `tolman probe` filled: which tables and
figures are on which tab, and writing them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from tolman.benchmarks.sparrta.probes.accuracy import (
    accuracy_table,
    control_sentence,
    control_table,
    environment_table,
    paper_table,
)
from tolman.benchmarks.sparrta.probes.benchmark_correlation import benchmark_correlations, correlation_table, unprobed
from tolman.benchmarks.sparrta.probes.encoders import (
    ProbedEncoder,
    enumeration,
    environment_title,
    environments_of,
    triples_done,
    triples_of,
)
from tolman.benchmarks.sparrta.probes.export import ProbeResults, as_dict, probe_tables, read_probes
from tolman.benchmarks.sparrta.probes.findings import (
    RANDOM,
    finding_counts,
    finding_sentences,
    finding_tables,
    findings_of,
    gain_sentence,
    gain_table,
    gains_over_random,
    paper_exceptions,
)
from tolman.benchmarks.sparrta.probes.other_findings import other_findings, other_findings_tables, other_sentences
from tolman.benchmarks.sparrta.probes.pages.accuracy import (
    environment_figure,
    probe_figure,
    ranked_environments,
    viewpoint_figure,
)
from tolman.benchmarks.sparrta.probes.pages.attention import copy_maps, flow_figures, map_galleries
from tolman.benchmarks.sparrta.probes.pages.figures import correlation_figure
from tolman.benchmarks.sparrta.probes.pages.layers import cls_figure, layer_figure, thing_figure
from tolman.benchmarks.sparrta.probes.training import thing_detections, thing_table, training_tables
from tolman.core.parallel import Tell, Track
from tolman.harness.names import counted
from tolman.report.results import BenchmarkResults, PageRequest, ResultReader, ShownTables, TableRequest
from tolman.report.site import Block, Page, Tab, Text, write_page
from tolman.report.site.page import Place, about_tab, attempted, shown_tab, write_numbers

TITLE = "SpaRRTa: probes"
ABOUT = "Whether frozen vision encoders represent where A is relative to B, from the camera and from a person."
_ABOUT = (
    "A picture shows a source, a target and a person. Small heads are trained on the tokens of a frozen encoder to "
    "predict where the target is relative to the source (front, back, left or right), from the viewpoint of the camera "
    "(ego) or of the person (allo). The score is the accuracy on held-out pictures."
)
_NO_FINDINGS = "The paper's findings need several heads or both viewpoints."
_NO_RANDOM = "The baseline of a random network was not measured; tolman probe --encoder random does that."
_NO_LAYERS = "One layer of each encoder was probed. tolman probe --layers all gives curves."
_NO_CLS = "[CLS] was not probed alone; tolman probe --probe cls does that for encoders that have one."
_NO_THINGS = (
    "Detection of source, target and human in single tokens was not measured; tolman probe things --encoder NAME "
    "--data DIR --out FOLDER does that."
)
_NO_FLOWS = (
    "Attention inside encoders was not measured; tolman probe attention --encoder A,B --data DIR --out FOLDER does "
    "that, for encoders that have any."
)
_NO_MAPS = "No attention maps were made; tolman probe maps --encoder NAME --data DIR --out FOLDER does that."
_NO_SCORES = (
    "No scores of other benchmarks were given. Put a CSV file with the columns encoder,benchmark,score into the folder "
    "as scores.csv, or name one with --scores."
)
_NO_CONTROL = "No probe was trained on shuffled labels; tolman probe --shuffle-labels does that."


def probe_page(probes: ProbeResults, command: str, place_: Place) -> Page:
    """All tabs."""

    def of(some: Sequence[ProbedEncoder]) -> ProbeResults:
        return replace(probes, encoders=list(some))

    encoders, control = probes.encoders, attempted("Control", _control, probes.controls)
    if not encoders:
        tabs = [shown_tab("control", "Control", control)]
    else:
        tabs = [
            shown_tab("overview", "Overview", attempted("Overview", lambda some: _overview(of(some)), encoders)),
            shown_tab("findings", "Findings", attempted("Findings", _findings, encoders)),
            shown_tab("environments", "Environments", attempted("Environments", _environments, encoders)),
            shown_tab("layers", "Layers and [CLS]", attempted("Layers", _layers, encoders)),
            shown_tab(
                "attention", "Detection and attention", attempted("Things", lambda some: _attention(of(some)), encoders)
            ),
            shown_tab("elsewhere", "Correlation", attempted("Elsewhere", lambda few: _correlations(of(few)), encoders)),
            shown_tab("control", "Control", control or [Text((_NO_CONTROL,))]),
        ]
    return Page(TITLE, ABOUT, (*tabs, _about(probes, command, place_.numbers)), place_.cover)


def _control(controls: Sequence[ProbedEncoder]) -> list[Block]:
    return [Text((control_sentence(controls),)), control_table(controls)] if controls else []


def _overview(probes: ProbeResults) -> list[Block]:
    encoders, found = probes.encoders, findings_of(probes.encoders)
    return [
        Text((_ABOUT, probe_summary(probes))),
        *([finding_counts(found)] if found else []),
        *attempted("Encoders by probe and viewpoint", probe_figure, encoders),
        *attempted("Accuracy", accuracy_table, encoders),
        *attempted("Viewpoints", viewpoint_figure, encoders),
    ]


def probe_summary(probes: ProbeResults) -> str:
    """Sentences on what was probed."""
    cells = [cell for one in probes.encoders for cell in one.cells]
    pictures = {cell.key.triple: 0 for cell in cells}
    for cell in cells:
        split = sum(cast("Sequence[float]", cell.key.protocol["split"]))
        count = round(max(result.training_pictures for result in cell.results) / (1 - split))
        pictures[cell.key.triple] = max(pictures[cell.key.triple], count)
    where = enumeration([environment_title(name) for name in environments_of(probes.encoders)])
    unfinished = [f"{one.name} ({done})" for one in probes.encoders if (done := triples_done(one, probes.encoders))]
    lost = f" Not all triples are done for {enumeration(unfinished)}." if unfinished else ""
    return (
        f"Here are {counted(len(probes.encoders), 'encoder')} in {where}, with {counted(len(pictures), 'triple')} and "
        f"about {sum(pictures.values()):,} labelled pictures; {counted(len(cells), 'cell')} of the table are finished."
        f"{lost}"
    )


def _findings(encoders: Sequence[ProbedEncoder]) -> list[Block]:
    found, beyond = findings_of(encoders), gains_over_random(encoders)
    said = [*finding_sentences(found), paper_exceptions()] if found else [_NO_FINDINGS]
    if beyond:
        said.append(gain_sentence(beyond))
    elif all(one.encoder != RANDOM for one in encoders):
        said.append(_NO_RANDOM)
    others = other_findings(encoders)
    said += other_sentences(others)
    gains = [gain_table(beyond)] if beyond else []
    return [Text(tuple(said)), *finding_tables(found), *gains, *other_findings_tables(others)]


def _environments(encoders: Sequence[ProbedEncoder]) -> list[Block]:
    figure, table = environment_figure(encoders), environment_table(encoders)
    paper = paper_table(environments_of(encoders))
    after: list[Block] = [table, *[paper] * bool(paper.columns)]
    if not figure.panels:
        return [Text(("One environment was probed, so environments can't be compared.",)), *after]
    ranked = ", ".join(environment_title(name) for name in ranked_environments(encoders))
    said = f"By mean accuracy, from the easiest to the hardest: {ranked}. The paper finds City and Winter Town hardest."
    return [Text((said,)), figure, *after]


def _layers(encoders: Sequence[ProbedEncoder]) -> list[Block]:
    curves, cls = layer_figure(encoders), cls_figure(encoders)
    return [curves if curves.panels else Text((_NO_LAYERS,)), cls if cls.panels else Text((_NO_CLS,))]


def _attention(probes: ProbeResults) -> list[Block]:
    detections = thing_detections(probes.things, probes.encoders)
    things: list[Block] = (
        [thing_figure(detections, probes.encoders), thing_table(detections)] if detections else [Text((_NO_THINGS,))]
    )
    flows: list[Block] = [*flow_figures(probes.flows)]
    maps: list[Block] = [*map_galleries(probes.attention_maps)]
    return [*things, *(flows or [Text((_NO_FLOWS,))]), *(maps or [Text((_NO_MAPS,))])]


def _correlations(probes: ProbeResults) -> list[Block]:
    if not probes.scores:
        return [Text((_NO_SCORES,))]
    found = benchmark_correlations(probes.encoders, probes.scores)
    unprobed_notes = unprobed(probes.encoders, found)
    return [
        *([Text((*unprobed_notes,))] if unprobed_notes else []),
        correlation_figure(probes.encoders, found),
        correlation_table(probes.encoders, found),
    ]


def _about(probes: ProbeResults, command: str, numbers: str) -> Tab:
    tables = attempted("Runs", lambda some: training_tables(some, probes.times), probes.encoders or probes.controls)
    about = (numbers, "every number of this report, by triple and seed")
    return about_tab(("tolman.benchmarks.sparrta", "probe_terms"), tables, (), command, about)


def write_pages(probes: ProbeResults, request: PageRequest) -> Path:
    """Write all pages of the report into an existing folder; returns the main page."""
    out, place, tell, track = request.out, request.place, request.tell, request.track
    write_numbers(out / place.numbers, lambda of: as_dict(*of), [probes], lambda _: "probes", tell)
    copy_maps(probes.attention_maps, out)
    return write_page(probe_page(probes, request.command, place), out, place, tell, track)


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
