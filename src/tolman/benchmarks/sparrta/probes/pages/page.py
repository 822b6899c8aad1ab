"""The page of probes: which tables and figures are on which tab, and writing it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from tolman import __version__
from tolman.benchmarks.sparrta.probes.accuracy import (
    accuracy_table,
    control_sentence,
    control_table,
    environment_table,
    paper_table,
)
from tolman.benchmarks.sparrta.probes.benchmark_correlation import benchmark_correlations, unprobed
from tolman.benchmarks.sparrta.probes.columns import counted, enumeration, environment_title, triples_done
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder, environments_of
from tolman.benchmarks.sparrta.probes.export import as_dict
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
from tolman.benchmarks.sparrta.probes.folders import ProbeResults
from tolman.benchmarks.sparrta.probes.pages.accuracy import (
    environment_figure,
    probe_figure,
    ranked_environments,
    viewpoint_figure,
)
from tolman.benchmarks.sparrta.probes.pages.attention import copy_maps, flow_figures, map_galleries
from tolman.benchmarks.sparrta.probes.pages.correlation import correlation_figure, correlation_table
from tolman.benchmarks.sparrta.probes.pages.layers import cls_figure, layer_figure, thing_figure
from tolman.benchmarks.sparrta.probes.things import thing_detections, thing_table
from tolman.benchmarks.sparrta.probes.training import training_tables
from tolman.harness.logs import Tell
from tolman.harness.runs import Track
from tolman.report.site import Block, Code, Figure, Page, Tab, Terms, Text, write_page
from tolman.report.site.page import Place, attempted, write_numbers

TERMS = (
    (
        "encoder, probe",
        "A frozen vision network, and a small head that is trained on its tokens to say where the target is: in front "
        "of the source, behind it, or to its left or right.",
    ),
    (
        "ego, allo",
        "As the camera sees it, or as the person in the picture does. Front is beyond the source, on the line from the "
        "viewpoint through it.",
    ),
    ("Linear", "The mean of all patch tokens, LayerNorm, a linear layer."),
    ("AbMILP", "One learnt weight for each token; the weighted mean is classified."),
    ("Efficient", "Efficient probing: four learnt queries, each gathers its own slice of narrower tokens."),
    ("[CLS]", "A linear layer on the one token that stands for the whole picture."),
    (
        "interval",
        "95 %, Student's, over triples: seeds of one triple share its pictures and are averaged first. With fewer than "
        "three triples it is Wilson's, over the pictures of a test, and says nothing about other triples.",
    ),
    (
        "difference",
        "Paired by triple and seed. A finding holds where the interval of the difference lies above 0, is reversed "
        "where it lies below, and is open else. With fewer than three triples it is open.",
    ),
    ("chance, majority", "A quarter; and what always saying the commonest relation of the test pictures gives."),
    ("random", "A ViT that was never trained, probed like all others: what is above it was learnt by an encoder."),
    (
        "triple",
        "A source, a target and a person in one environment. Heads are trained for one triple and tested on pictures "
        "of it that they never saw.",
    ),
    (
        "telling a thing",
        "A linear map of single tokens is to rank patches that show the thing above all others, in pictures that it "
        "was not fitted to. Average precision is 1 where all of them rank first. What can't be told, no probe can "
        "relate.",
    ),
    (
        "attention",
        "The mean weight that a token of one group gives to one token of another, in the encoder itself; maps show "
        "what a probe's own queries look at.",
    ),
    ("shuffled labels", "The control: labels dealt out anew among pictures. Probes must then guess."),
)


TITLE = "SpaRRTa: probes"
ABOUT = "What frozen vision encoders know about where things are to each other, for the camera and for somebody else."
_ABOUT = (
    "A picture shows a source, a target and a person. Small heads are trained on the tokens of a frozen encoder to say "
    "whether the target is in front of the source, behind it, to its left or to its right, as the camera sees it (ego) "
    "or as the person does (allo). The score is how often they are right on pictures that they never saw."
)
_NO_FINDINGS = "One probe from one viewpoint says nothing on the paper's findings."
_NO_RANDOM = "What a network that never learnt would give is not known; tolman probe --encoder random tells."
_NO_LAYERS = "One layer of each encoder was probed. tolman probe --layers all gives curves."
_NO_CLS = "[CLS] was not probed alone; tolman probe --probe cls does that for encoders that have one."
_NO_THINGS = (
    "Whether source, target and human are in the tokens at all was not measured; tolman probe things --encoder NAME "
    "--data DIR --out FOLDER does that."
)
_NO_FLOWS = (
    "Attention inside encoders was not measured; tolman probe attention --encoder A,B --data DIR --out FOLDER does "
    "that, for encoders that have any."
)
_NO_MAPS = "No maps were painted; tolman probe maps --encoder NAME --data DIR --out FOLDER does that."
_NO_SCORES = (
    "No scores of other benchmarks were given. Put a CSV file with the columns encoder,benchmark,score into the folder "
    "as scores.csv, or name one with --scores."
)
_NO_CONTROL = "No probe was trained on shuffled labels; tolman probe --shuffle-labels does that."


def probe_page(probes: ProbeResults, command: str, place_: Place) -> Page:
    """All tabs."""

    def of(some: Sequence[ProbedEncoder]) -> ProbeResults:
        return replace(probes, subjects=list(some))

    subjects, control = probes.subjects, attempted("Control", _control, probes.controls)
    if not subjects:
        tabs = [_tab("control", "Control", control)]
    else:
        tabs = [
            _tab("overview", "Overview", attempted("Overview", lambda some: _overview(of(some)), subjects)),
            _tab("findings", "Findings", attempted("Findings", _findings, subjects)),
            _tab("environments", "Environments", attempted("Environments", _environments, subjects)),
            _tab("layers", "Layers and [CLS]", attempted("Layers", _layers, subjects)),
            _tab("attention", "Things and attention", attempted("Things", lambda some: _attention(of(some)), subjects)),
            _tab("elsewhere", "Elsewhere", attempted("Elsewhere", lambda some: _correlations(of(some)), subjects)),
            _tab("control", "Control", control or [Text((_NO_CONTROL,))]),
        ]
    return Page(TITLE, ABOUT, (*tabs, _about(probes, command, place_.numbers)), place_.cover)


def _control(controls: Sequence[ProbedEncoder]) -> list[Block]:
    return [Text((control_sentence(controls),)), control_table(controls)] if controls else []


def _overview(probes: ProbeResults) -> list[Block]:
    subjects, found = probes.subjects, findings_of(probes.subjects)
    return [
        Text((_ABOUT, probe_summary(probes))),
        *([finding_counts(found)] if found else []),
        *attempted("Encoders by probe and viewpoint", probe_figure, subjects),
        *attempted("Right in the test", accuracy_table, subjects),
        *attempted("Viewpoints", viewpoint_figure, subjects),
    ]


def probe_summary(probes: ProbeResults) -> str:
    """What was probed, in a sentence or two."""
    cells = [cell for one in probes.subjects for cell in one.cells]
    pictures = {cell.key.triple: 0 for cell in cells}
    for cell in cells:
        split = sum(cast("Sequence[float]", cell.key.protocol["split"]))
        count = round(max(result.training_pictures for result in cell.results) / (1 - split))
        pictures[cell.key.triple] = max(pictures[cell.key.triple], count)
    where = enumeration([environment_title(name) for name in environments_of(probes.subjects)])
    unfinished = [f"{one.name} ({done})" for one in probes.subjects if (done := triples_done(one, probes.subjects))]
    lost = f" Not all triples are done for {enumeration(unfinished)}." if unfinished else ""
    return (
        f"Here are {counted(len(probes.subjects), 'encoder')} in {where}, with {counted(len(pictures), 'triple')} and "
        f"about {sum(pictures.values()):,} labelled pictures; {counted(len(cells), 'cell')} of the table are finished."
        f"{lost}"
    )


def _findings(subjects: Sequence[ProbedEncoder]) -> list[Block]:
    found, beyond = findings_of(subjects), gains_over_random(subjects)
    said = [*finding_sentences(found), paper_exceptions()] if found else [_NO_FINDINGS]
    if beyond:
        said.append(gain_sentence(beyond))
    elif all(one.encoder != RANDOM for one in subjects):
        said.append(_NO_RANDOM)
    return [Text(tuple(said)), *finding_tables(found), *([gain_table(beyond)] if beyond else [])]


def _environments(subjects: Sequence[ProbedEncoder]) -> list[Block]:
    figure, table = environment_figure(subjects), environment_table(subjects)
    paper = paper_table(environments_of(subjects))
    after: list[Block] = [table, *[paper] * bool(paper.columns)]
    if not figure.panels:
        return [Text(("One environment was probed, so there is nothing to compare.",)), *after]
    ranked = ", ".join(environment_title(name) for name in ranked_environments(subjects))
    said = f"By their means, from the easiest to the hardest: {ranked}. The paper finds City and Winter Town hardest."
    return [Text((said,)), figure, *after]


def _layers(subjects: Sequence[ProbedEncoder]) -> list[Block]:
    curves, cls = layer_figure(subjects), cls_figure(subjects)
    return [curves if curves.panels else Text((_NO_LAYERS,)), cls if cls.panels else Text((_NO_CLS,))]


def _attention(probes: ProbeResults) -> list[Block]:
    told = thing_detections(probes.things, probes.subjects)
    things: list[Block] = [thing_figure(told, probes.subjects), thing_table(told)] if told else [Text((_NO_THINGS,))]
    flows: list[Block] = [*flow_figures(probes.flows)]
    maps: list[Block] = [*map_galleries(probes.looked)]
    return [*things, *(flows or [Text((_NO_FLOWS,))]), *(maps or [Text((_NO_MAPS,))])]


def _correlations(probes: ProbeResults) -> list[Block]:
    if not probes.scores:
        return [Text((_NO_SCORES,))]
    found = benchmark_correlations(probes.subjects, probes.scores)
    strangers = unprobed(probes.subjects, found)
    return [
        *([Text((*strangers,))] if strangers else []),
        correlation_figure(probes.subjects, found),
        correlation_table(probes.subjects, found),
    ]


def _about(probes: ProbeResults, command: str, numbers: str) -> Tab:
    files = (
        (numbers, "every number of this report, by triple and seed. Each figure has a link that saves it as SVG."),
    )
    again = Code("Reproduce", f"pip install tolman=={__version__}\n{command}", files)
    tables = attempted("Runs", lambda some: training_tables(some, probes.times), probes.subjects or probes.controls)
    return _tab("about", "About", [Terms("How numbers are made", TERMS), *tables, again])


def _tab(name: str, title: str, blocks: Iterable[Block]) -> Tab:
    """A tab with the figures that have anything to show."""
    return Tab(name, title, tuple(block for block in blocks if not isinstance(block, Figure) or block.panels))


def write_pages(probes: ProbeResults, out: Path, place: Place, command: str, tell: Tell, track: Track) -> Path:
    """Write all pages into an open folder, the first one at its place; `command` is what to type to make them again."""
    write_numbers(out / place.numbers, lambda of: as_dict(*of), [probes], lambda _: "probes", tell)
    copy_maps(probes.looked, out)
    return write_page(probe_page(probes, command, place), out, place, tell, track)
