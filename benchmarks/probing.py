"""How fast probing is: a whole grid (9 points, 2 seeds) trained together against one head after another, and the
extraction of tokens against the encoder alone (the first row: reading and decoding without an encoder).

Tokens are synthetic (5,000 pictures as a ViT-B/16 sees them, unless told). The plain loop is timed for a few epochs of
all its heads, and its time for all epochs worked out from that; `same` is the largest difference between the two in
the share of validation pictures that are right after those epochs.
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import torch
from PIL import Image
from rich.console import Console
from rich.table import Table

from tolman.probing.encoder import SIDE, normalised
from tolman.probing.encoders.find import found_device
from tolman.probing.encoders.own_encoders import VitShape, new_vit, vit_encoder
from tolman.probing.features import FeatureStore, StoreKey, decoded, extract, grouped, pieces_of
from tolman.probing.head import HeadShape
from tolman.probing.probe import head_input
from tolman.probing.protocol import HEADS, HeadName, Protocol, Split, find_protocol, split_of
from tolman.probing.training import Examples, TrainedHeads, train

Splits = list[tuple[int, Split]]
ENCODERS = {"ViT-S/16": VitShape(), "ViT-B/16": VitShape(768, 12, 12)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--pictures", type=int, default=5000)
    parser.add_argument("--tokens", type=int, default=197)
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--heads", default=",".join(HEADS), help="probes to time; '' for none")
    parser.add_argument("--epochs", type=int, help="instead of the protocol's; times are then for all of its epochs")
    parser.add_argument("--plain-epochs", type=int, default=4, help="epochs of the plain loop that are timed")
    parser.add_argument("--no-graphs", action="store_true", help="no recorded epochs on a CUDA device")
    parser.add_argument("--extract", type=int, default=2048, help="pictures to extract tokens of; 0 for none")
    chosen = parser.parse_args()
    device = found_device(chosen.device)
    console = Console(width=120)
    table = Table(title="Probing: one grid of 9 points with 2 seeds", title_justify="left", box=None)
    for heading in ("head", "steps", "together, s", "ms a step", "plain loop, s", "times faster", "same"):
        table.add_column(heading, justify="left" if heading == "head" else "right")
    if chosen.heads:
        tokens, labels = _synthetic(chosen.pictures, chosen.tokens, chosen.width, device)
        for name in cast("list[HeadName]", chosen.heads.split(",")):
            _time_head(table, name, Examples(head_input(name, tokens, cls=True), labels), chosen)
        console.print(table)
        del tokens, labels
    if chosen.extract:
        _time_extraction(console, chosen.extract, device)


def _synthetic(pictures: int, count: int, width: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Noise, with one token of each picture that tells its class."""
    stream = torch.Generator(device).manual_seed(0)
    labels = torch.randint(4, (pictures,), generator=stream, device=device)
    tokens = torch.empty(pictures, count, width, dtype=torch.float16, device=device)
    for part in range(0, pictures, 500):
        size = tokens[part : part + 500].shape
        tokens[part : part + 500] = torch.randn(size, generator=stream, device=device)
    where = torch.randint(1, count, (pictures,), generator=stream, device=device)
    every = torch.arange(pictures, device=device)
    tokens[every, where, 0] = 8
    tokens[every, where, 1 + labels] = 8
    return tokens, labels


def _time_head(table: Table, name: HeadName, examples: Examples, chosen: argparse.Namespace) -> None:
    protocol = find_protocol("paper", name)
    kept = np.arange(len(examples))
    splits: Splits = [(seed, split_of(kept, seed, *protocol.split)) for seed in protocol.seeds]
    few = replace(protocol, epochs=chosen.plain_epochs, warm_up=1)
    long = replace(protocol, epochs=chosen.epochs or protocol.epochs)
    graphs = not chosen.no_graphs
    _timed(name, replace(few, epochs=2), examples, splits, together=True, graphs=graphs)
    _, seconds = _timed(name, long, examples, splits, together=True, graphs=graphs)
    seconds *= protocol.epochs / long.epochs
    one, _ = _timed(name, few, examples, splits, together=True, graphs=graphs)
    other, plain = _timed(name, few, examples, splits, together=False, graphs=False)
    plain *= protocol.epochs / few.epochs
    same = max(
        abs(a - b) for x, y in zip(one, other, strict=True) for a, b in zip(x.validation, y.validation, strict=True)
    )
    steps = protocol.epochs * -(-len(splits[0][1].train) // protocol.batch)
    step = f"{1e3 * seconds / steps:.2f}"
    table.add_row(name, f"{steps:,}", f"{seconds:.1f}", step, f"{plain:.0f}", f"{plain / seconds:.1f}", f"{same:.4f}")


def _timed(
    name: HeadName, protocol: Protocol, examples: Examples, splits: Splits, *, together: bool, graphs: bool
) -> tuple[list[TrainedHeads], float]:
    shape = HeadShape(name, examples.tokens.shape[-1], protocol.scoring_layers)
    _wait(examples.labels.device)
    begin = time.perf_counter()
    done = train(shape, protocol, examples, splits, together=together, graphs=graphs)
    _wait(examples.labels.device)
    return done, time.perf_counter() - begin


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _time_extraction(console: Console, count: int, device: torch.device) -> None:
    table = Table(title="Tokens of the last layer, pictures a second", title_justify="left", box=None)
    for heading in ("encoder", "by itself", "from JPEG files into the store", "share"):
        table.add_column(heading, justify="left" if heading == "encoder" else "right")
    with tempfile.TemporaryDirectory() as folder:
        paths = _pictures(Path(folder), count)
        begin = time.perf_counter()
        for pixels, _ in decoded(grouped(paths), device):
            pixels.to(device)
        _wait(device)
        table.add_row("none", "", f"{count / (time.perf_counter() - begin):,.0f}", "")
        for name, shape in ENCODERS.items():
            encoder = vit_encoder(name, "benchmark", new_vit(shape, 0), device)
            size = 256 if device.type == "cuda" else 32
            batch = normalised(torch.zeros(size, SIDE, SIDE, 3, dtype=torch.uint8, device=device))
            encoder.tokens(batch, [shape.layers])
            _wait(device)
            begin = time.perf_counter()
            rounds = max(count // size, 1)
            for _ in range(rounds):
                encoder.tokens(batch, [shape.layers])
            _wait(device)
            alone = rounds * size / (time.perf_counter() - begin)
            warm_up, store = (FeatureStore(Path(folder) / name, StoreKey.of(encoder)) for name in ("warm-up", "store"))
            extract(encoder, warm_up, pieces_of(paths[:size]), [shape.layers])
            begin = time.perf_counter()
            extract(encoder, store, pieces_of(paths), [shape.layers])
            both = count / (time.perf_counter() - begin)
            table.add_row(name, f"{alone:,.0f}", f"{both:,.0f}", f"{both / alone:.0%}")
    console.print(table)


def _pictures(folder: Path, count: int) -> list[Path]:
    stream = np.random.default_rng(0)
    paths = [folder / f"img_{number:05d}.jpg" for number in range(count)]
    for path in paths:
        coarse = Image.fromarray(stream.integers(0, 255, (28, 28, 3), dtype=np.uint8))
        coarse.resize((SIDE, SIDE), Image.Resampling.BICUBIC).save(path, quality=92)
    return paths


if __name__ == "__main__":
    main()
