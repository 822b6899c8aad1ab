"""Tiny real runs of probes on painted pictures: an encoder that sees colours, and one that sees nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from tests.benchmarks.sparrta.painted_scenes import painted
from tolman.benchmarks.sparrta.dataset.files import read_picture_sets
from tolman.benchmarks.sparrta.probes.analysis import (
    detect_things,
    flows_by_layer,
    masked_pictures,
    masked_sets,
    paint_attention_maps,
    write_flows,
)
from tolman.benchmarks.sparrta.probes.cells import attention_file, read_cells, write_maps, write_thing_rows
from tolman.benchmarks.sparrta.probes.means import write_results
from tolman.benchmarks.sparrta.probes.run import ProbePlan, run_probes
from tolman.probing.encoder import EncoderLayout


@dataclass(frozen=True)
class Colours:
    """Tokens are mean colours of patches; tokens of like colours look at each other."""

    name: str = "colours"
    weights: str = "none"
    sees: bool = True
    layout: EncoderLayout = EncoderLayout(28, 32, 2)  # noqa: RUF009
    device: Any = torch.device("cpu")  # noqa: RUF009
    trained_on: frozenset[str] = frozenset()

    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        patches = torch.nn.functional.avg_pool2d(pictures, 28).flatten(2).transpose(1, 2)
        whole = torch.cat([patches.repeat(1, 1, 10), patches[..., :2]], dim=-1)
        tokens = torch.cat([whole.mean(dim=1, keepdim=True), whole], dim=1)
        return [layer * tokens if self.sees else torch.ones_like(tokens) for layer in layers]

    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        found = self.tokens(pictures, layers)
        return [(tokens @ tokens.transpose(1, 2) / 4).softmax(dim=-1)[:, None] for tokens in found]


BLIND = Colours("blind", "nothing", sees=False)


def pictures(folder: Path) -> Path:
    """Three triples in one environment and one in another, with masks."""
    data = folder / "pictures"
    for place, (environment, number) in enumerate((("forest", 1), ("forest", 2), ("forest", 3), ("desert", 1))):
        painted(data, 40, environment, number, seed=place, tells=True)
    ids = np.zeros((64, 64), dtype=np.uint8)
    ids[:16, :16], ids[30:40, 30:50], ids[50:, 50:] = 1, 2, 3
    for triple in data.iterdir():
        (triple / "truth").mkdir()
        for number in range(40):
            Image.fromarray(ids).save(triple / "truth" / f"ids_{number:04d}.png")
    return data


def _silent(what: str, done: int, total: int) -> None:
    del what, done, total


def probe(encoder: Colours, data: Path, out: Path, plan: ProbePlan) -> None:
    """Run a plan, and keep its results as the command does."""
    run_probes(encoder, read_picture_sets(data), plan, out, out.parent / "tokens", _silent)
    write_results(out, read_cells(out))


def whole_run(folder: Path) -> Path:
    """Everything that a report can show of two encoders."""
    data, out = pictures(folder), folder / "probes"
    probe(Colours(), data, out, ProbePlan(epochs=2))
    probe(Colours(), data, out, ProbePlan(heads=("efficient", "cls"), layers="all", epochs=2))
    probe(BLIND, data, out, ProbePlan(heads=("linear", "efficient"), epochs=2))
    probe(Colours(), data, out, ProbePlan(heads=("linear",), epochs=2, shuffle_labels=True))
    write_maps(out, "colours", paint_attention_maps(Colours(), read_picture_sets(data), out, 2, _silent))
    masked = masked_pictures(data, 2)
    flows = {one.name: flows_by_layer(one, masked, (1, 2)) for one in (Colours(), BLIND)}
    write_flows(attention_file(out, list(flows)), flows)
    sets = masked_sets(data, 8)
    for one in (Colours(), BLIND):
        write_thing_rows(out, one.name, detect_things(one, sets, (1, 2)))
    (out / "scores.csv").write_text("encoder,benchmark,score\ncolours,ImageNet,80\nblind,ImageNet,10\n")
    return out
