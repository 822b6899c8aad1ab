"""Train probes on the pictures of SpaRRTa: every triple in a folder, both viewpoints, all heads; only missing cells
are computed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from tolman.benchmarks.sparrta.dataset.files import PictureSet
from tolman.benchmarks.sparrta.probes.cells import CellTime, ProbeCell, ProbeCellKey, read_cell, write_cell, write_time
from tolman.benchmarks.sparrta.sample import VIEWPOINTS, Viewpoint
from tolman.core.errors import SettingsError
from tolman.core.seeds import digest
from tolman.probing.encoder import PREPROCESSING, Encoder, chosen_layers, count_training_pictures, device_name
from tolman.probing.features import FeatureShard, FeatureStore, StoreKey, extract, load_tokens, pieces_of
from tolman.probing.head import find_head, parameter_count
from tolman.probing.probe import LabelArray, head_input, run_probe, shuffled_labels, write_heads
from tolman.probing.protocol import HEADS, HeadName, Protocol, WeightsChoice, find_protocol

_SHUFFLE_SEED = 0
_FEW_LAYERS = 3
ProbeProgress = Callable[[str, int, int], None]
"""Called with the stage, the amount done and the total."""


@dataclass(frozen=True)
class ProbePlan:
    """What to probe, and how."""

    heads: tuple[HeadName, ...] = HEADS
    viewpoints: tuple[Viewpoint, ...] = VIEWPOINTS
    layers: str = "last"
    protocol: str = "paper"
    epochs: int | None = None
    """Overrides the protocol's epochs; a fifth of them is warm-up."""
    shuffle_labels: bool = False
    keep_tokens: bool = True
    """Whether tokens stay in the store after the cells of a triple are done."""
    graphs: bool = True
    """Whether to use CUDA graphs."""
    select: WeightsChoice = "last"
    """Which weights are validated and tested: after the last epoch, or after the best one."""

    def protocol_of(self, head: HeadName, viewpoint: Viewpoint) -> Protocol:
        found = replace(find_protocol(self.protocol, head, viewpoint), select=self.select)
        if self.epochs is None:
            return found
        if self.epochs < 1:
            raise SettingsError(f"--epochs is at least 1, not {self.epochs}")
        return replace(found, epochs=self.epochs, warm_up=self.epochs // 5)


@dataclass(frozen=True, eq=False)
class _Job:
    """A cell to compute."""

    key: ProbeCellKey
    protocol: Protocol
    labels: LabelArray


def run_probes(
    encoder: Encoder, sets: Sequence[PictureSet], plan: ProbePlan, out: Path, store: Path, tell: ProbeProgress
) -> list[ProbeCell]:
    """The cells of a plan, in order: finished ones are read, the others trained and written."""
    layers = chosen_layers(plan.layers, encoder.layout.layers)
    for head in plan.heads:
        for layer in layers:
            if refusal := find_head(head).refusal(encoder.name, encoder.layout.at(layer), layer):
                raise SettingsError(refusal)
    tokens = FeatureStore(store, StoreKey.of(encoder))
    work: list[tuple[PictureSet, list[FeatureShard], list[_Job]]] = []
    for number, pictures in enumerate(sets):
        tell("reading pictures", number, len(sets))
        pieces = pieces_of(pictures.paths)
        work.append((pictures, pieces, list(_jobs(encoder, pictures, pieces, plan, layers))))
    tell("reading pictures", len(sets), len(sets))
    effort = _Effort([job for _, _, jobs in work for job in jobs if read_cell(out, job.key) is None], tell)
    cells: list[ProbeCell] = []
    for pictures, pieces, jobs in work:
        missing = [job for job in jobs if read_cell(out, job.key) is None]
        wanted = sorted({job.key.layer for job in missing})
        for some in _together(wanted, plan):
            stage = f"tokens of {pictures.name}"
            extract(encoder, tokens, pieces, some, lambda done, total, stage=stage: tell(stage, done, total))
            for layer in some:
                of_layer = [job for job in missing if job.key.layer == layer]
                _train_layer(encoder, tokens, pieces, of_layer, plan, out, effort)
            if not plan.keep_tokens:
                tokens.delete(some, [piece.digests for piece in pieces])
        cells += [cell for job in jobs if (cell := read_cell(out, job.key)) is not None]
    return cells


def _together(layers: Sequence[int], plan: ProbePlan) -> Iterator[Sequence[int]]:
    """Groups of layers whose tokens are stored at once: all, or a few if tokens are not kept."""
    each = max(len(layers), 1) if plan.keep_tokens else _FEW_LAYERS
    return (layers[at : at + each] for at in range(0, len(layers), each))


def _jobs(
    encoder: Encoder, pictures: PictureSet, pieces: Sequence[FeatureShard], plan: ProbePlan, layers: Sequence[int]
) -> Iterator[_Job]:
    seen = digest([name for piece in pieces for name in piece.digests])
    for layer in layers:
        for viewpoint in plan.viewpoints:
            true = pictures.labels[viewpoint]
            labels = shuffled_labels(true, _SHUFFLE_SEED) if plan.shuffle_labels else true
            for head in plan.heads:
                protocol = plan.protocol_of(head, viewpoint)
                key = ProbeCellKey(
                    encoder.name,
                    encoder.weights,
                    layer,
                    encoder.layout.layers,
                    pictures.name,
                    pictures.environment,
                    viewpoint,
                    head,
                    plan.shuffle_labels,
                    protocol.as_dict(),
                    seen,
                    digest(labels.tolist()),
                    PREPROCESSING,
                    pictures.ambiguity,
                )
                yield _Job(key, protocol, labels)


class _Effort:
    """Progress of training, in epochs weighted by their training time."""

    def __init__(self, jobs: Iterable[_Job], tell: ProbeProgress) -> None:
        self._total = sum(job.protocol.epochs * find_head(job.key.head).effort for job in jobs)
        self._done, self._tell = 0, tell

    def epoch(self, head: HeadName) -> None:
        self._done += find_head(head).effort
        self._tell("training", self._done, self._total)


def _train_layer(
    encoder: Encoder,
    store: FeatureStore,
    pieces: Sequence[FeatureShard],
    jobs: Sequence[_Job],
    plan: ProbePlan,
    out: Path,
    effort: _Effort,
) -> None:
    tokens = load_tokens(store, jobs[0].key.layer, pieces, encoder.device)
    seen = count_training_pictures(encoder, (one for piece in pieces for one in piece.digests))
    for job in jobs:
        start = perf_counter()
        given = head_input(job.key.head, tokens, encoder.layout.cls)
        run = run_probe(
            job.protocol,
            given,
            job.labels,
            graphs=plan.graphs,
            progress=lambda _, __, head=job.key.head: effort.epoch(head),
        )
        write_time(out, job.key, CellTime(device_name(encoder.device), perf_counter() - start))
        write_heads((out / job.key.path).with_suffix(".safetensors"), run)
        write_cell(out, ProbeCell(job.key, run.results, parameter_count(run.shape), seen))
