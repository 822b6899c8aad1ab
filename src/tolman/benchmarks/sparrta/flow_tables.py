"""Attention between the source, the target and the human in pictures of SpaRRTa, layer by layer, as a table."""

from collections.abc import Sequence
from pathlib import Path

from tolman.benchmarks.sparrta.flow_files import BETWEEN, FlowRow, write_flow_rows
from tolman.probing.attention_flow import FlowValue, flow_difference, mean_flow
from tolman.probing.encoder import Encoder
from tolman.probing.flow_runs import Track, flows_of
from tolman.probing.masked_picture import MaskedPicture

FlowsByLayer = dict[int, dict[tuple[str, str], FlowValue]]


def flows_by_layer(
    encoder: Encoder, pictures: Sequence[MaskedPicture], layers: Sequence[int], track: Track | None = None
) -> FlowsByLayer:
    """Mean flows of each layer, over pictures and then over environments."""
    found = flows_of(encoder, pictures, layers, track)
    return {layer: mean_flow(by_environment) for layer, by_environment in found.items()}


def write_flows(path: Path, flows: dict[str, FlowsByLayer]) -> None:
    """A CSV file of some encoders; with two, also the first less the second wherever both have a layer."""
    rows = [
        FlowRow(name, layer, query, target, value.mean, value.spread)
        for name, by_layer in flows.items()
        for layer, values in by_layer.items()
        for (query, target), value in values.items()
    ]
    if len(flows) == 2:
        (first, one), (second, other) = flows.items()
        rows += [
            FlowRow(f"{first}{BETWEEN}{second}", layer, query, target, more)
            for layer in one
            if layer in other
            for (query, target), more in flow_difference(one[layer], other[layer]).items()
        ]
    write_flow_rows(path, rows)
