"""The page of probes: which tables and which figures stand on which tab."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

from tolman import __version__
from tolman.report.site import Block, Code, Figure, Page, Tab, Terms, Text
from tolman.report.site.attempt import attempted
from tolman.report.site.place import Place
from tolman.report.sparrta.accuracy_tables import environment_table, main_table, paper_table
from tolman.report.sparrta.beyond_random import RANDOM, beyond_random
from tolman.report.sparrta.beyond_tables import beyond_sentence, beyond_table
from tolman.report.sparrta.columns import triples_done
from tolman.report.sparrta.control_tables import control_sentence, control_table
from tolman.report.sparrta.elsewhere import compared, unprobed
from tolman.report.sparrta.probe_folders import Probes
from tolman.report.sparrta.run_tables import run_tables
from tolman.report.sparrta.site.cls_figure import cls_figure
from tolman.report.sparrta.site.correlation_figure import correlation_figure, correlation_table
from tolman.report.sparrta.site.environment_figure import environment_figure, ranked_environments
from tolman.report.sparrta.site.flow_figures import flow_figures
from tolman.report.sparrta.site.layer_figure import layer_figure
from tolman.report.sparrta.site.map_gallery import map_galleries
from tolman.report.sparrta.site.probe_figure import probe_figure
from tolman.report.sparrta.site.terms import TERMS
from tolman.report.sparrta.site.thing_figure import thing_figure
from tolman.report.sparrta.site.viewpoint_figure import viewpoint_figure
from tolman.report.sparrta.subjects import Subject, environments_of
from tolman.report.sparrta.thing_tables import thing_table
from tolman.report.sparrta.things import told_encoders
from tolman.report.sparrta.verdict_tables import paper_exceptions, verdict_counts, verdict_sentences, verdict_tables
from tolman.report.sparrta.verdicts import verdicts
from tolman.report.sparrta.words import counted, listed, place

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


def probe_page(probes: Probes, command: str, place_: Place) -> Page:
    """All tabs."""

    def of(some: Sequence[Subject]) -> Probes:
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
            _tab("elsewhere", "Elsewhere", attempted("Elsewhere", lambda some: _elsewhere(of(some)), subjects)),
            _tab("control", "Control", control or [Text((_NO_CONTROL,))]),
        ]
    return Page(TITLE, ABOUT, (*tabs, _about(probes, command, place_.numbers)), place_.cover)


def _control(controls: Sequence[Subject]) -> list[Block]:
    return [Text((control_sentence(controls),)), control_table(controls)] if controls else []


def _overview(probes: Probes) -> list[Block]:
    subjects, found = probes.subjects, verdicts(probes.subjects)
    return [
        Text((_ABOUT, summary(probes))),
        *([verdict_counts(found)] if found else []),
        *attempted("Encoders by probe and viewpoint", probe_figure, subjects),
        *attempted("Right in the test", main_table, subjects),
        *attempted("Viewpoints", viewpoint_figure, subjects),
    ]


def summary(probes: Probes) -> str:
    """What was probed, in a sentence or two."""
    cells = [cell for one in probes.subjects for cell in one.cells]
    pictures = {cell.key.triple: 0 for cell in cells}
    for cell in cells:
        split = sum(cast("Sequence[float]", cell.key.protocol["split"]))
        count = round(max(result.training_pictures for result in cell.results) / (1 - split))
        pictures[cell.key.triple] = max(pictures[cell.key.triple], count)
    where = listed([place(name) for name in environments_of(probes.subjects)])
    unfinished = [f"{one.name} ({done})" for one in probes.subjects if (done := triples_done(one, probes.subjects))]
    lost = f" Not all triples are done for {listed(unfinished)}." if unfinished else ""
    return (
        f"Here are {counted(len(probes.subjects), 'encoder')} in {where}, with {counted(len(pictures), 'triple')} and "
        f"about {sum(pictures.values()):,} labelled pictures; {counted(len(cells), 'cell')} of the table are finished."
        f"{lost}"
    )


def _findings(subjects: Sequence[Subject]) -> list[Block]:
    found, beyond = verdicts(subjects), beyond_random(subjects)
    said = [*verdict_sentences(found), paper_exceptions()] if found else [_NO_FINDINGS]
    if beyond:
        said.append(beyond_sentence(beyond))
    elif all(one.encoder != RANDOM for one in subjects):
        said.append(_NO_RANDOM)
    return [Text(tuple(said)), *verdict_tables(found), *([beyond_table(beyond)] if beyond else [])]


def _environments(subjects: Sequence[Subject]) -> list[Block]:
    figure, table = environment_figure(subjects), environment_table(subjects)
    paper = paper_table(environments_of(subjects))
    after: list[Block] = [table, *[paper] * bool(paper.columns)]
    if not figure.panels:
        return [Text(("One environment was probed, so there is nothing to compare.",)), *after]
    ranked = ", ".join(place(name) for name in ranked_environments(subjects))
    said = f"By their means, from the easiest to the hardest: {ranked}. The paper finds City and Winter Town hardest."
    return [Text((said,)), figure, *after]


def _layers(subjects: Sequence[Subject]) -> list[Block]:
    curves, cls = layer_figure(subjects), cls_figure(subjects)
    return [curves if curves.panels else Text((_NO_LAYERS,)), cls if cls.panels else Text((_NO_CLS,))]


def _attention(probes: Probes) -> list[Block]:
    told = told_encoders(probes.things, probes.subjects)
    things: list[Block] = [thing_figure(told, probes.subjects), thing_table(told)] if told else [Text((_NO_THINGS,))]
    flows: list[Block] = [*flow_figures(probes.flows)]
    maps: list[Block] = [*map_galleries(probes.looked)]
    return [*things, *(flows or [Text((_NO_FLOWS,))]), *(maps or [Text((_NO_MAPS,))])]


def _elsewhere(probes: Probes) -> list[Block]:
    if not probes.scores:
        return [Text((_NO_SCORES,))]
    found = compared(probes.subjects, probes.scores)
    strangers = unprobed(probes.subjects, found)
    return [
        *([Text((*strangers,))] if strangers else []),
        correlation_figure(probes.subjects, found),
        correlation_table(probes.subjects, found),
    ]


def _about(probes: Probes, command: str, numbers: str) -> Tab:
    files = (
        (numbers, "every number of this report, by triple and seed. Each figure has a link that saves it as SVG."),
    )
    again = Code("Reproduce", f"pip install tolman=={__version__}\n{command}", files)
    tables = attempted("Runs", lambda some: run_tables(some, probes.times), probes.subjects or probes.controls)
    return _tab("about", "About", [Terms("How numbers are made", TERMS), *tables, again])


def _tab(name: str, title: str, blocks: Iterable[Block]) -> Tab:
    """A tab with the figures that have anything to show."""
    return Tab(name, title, tuple(block for block in blocks if not isinstance(block, Figure) or block.panels))
