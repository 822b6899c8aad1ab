"""The weights and the wiring in an ONNX file, read as plain data: nothing of the file is run, and no library is needed.

An ONNX file is a protocol buffer. Of its fields these few matter: the graph of a model (7); nodes (1) and initialisers
(5) of a graph; inputs (1), outputs (2) and kind (4) of a node; size (1), type (2), name (8) and bytes (9) of a tensor.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tolman.models.local.wheel_data import WeightsError

_FLOAT = 1
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


@dataclass(frozen=True)
class Node:
    """One operation: its kind, and the names of what goes in and comes out."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class OnnxFile:
    """Operations in their order, and the numbers that are stored with them, by name."""

    nodes: tuple[Node, ...]
    initialisers: dict[str, NDArray[np.float32]]


def read_onnx(path: Path) -> OnnxFile:
    """Operations and 32-bit numbers of a file."""
    try:
        graph = next(value for number, value in _fields(memoryview(path.read_bytes())) if number == 7)
        parts = [(number, value) for number, value in _fields(_bytes(graph)) if number in {1, 5}]
        nodes = tuple(_node(_bytes(value)) for number, value in parts if number == 1)
        named = dict(tensor for number, value in parts if number == 5 if (tensor := _tensor(_bytes(value))) is not None)
    except (StopIteration, IndexError, ValueError) as error:
        raise WeightsError(f"{path} is no ONNX file that can be read ({error})") from None
    except OSError as error:
        raise WeightsError(f"{path} can't be read: {error.strerror}") from None
    return OnnxFile(nodes, named)


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        size = 8 if kind == _FIXED64 else 4
        if kind == _BYTES:
            size, at = _varint(data, at)
        elif kind not in {_FIXED64, _FIXED32}:
            raise ValueError(f"there is no field of kind {kind}")
        if at + size > len(data):
            raise ValueError("it is cut off")
        yield key >> 3, data[at : at + size]
        at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _bytes(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a number stands where a part should be")
    return value


def _node(data: memoryview) -> Node:
    fields = [(number, _text(value)) for number, value in _fields(data) if number in {1, 2, 4}]
    inputs, outputs = (tuple(text for number, text in fields if number == which) for which in (1, 2))
    return Node(next((text for number, text in fields if number == 4), ""), inputs, outputs)


def _text(value: int | memoryview) -> str:
    return bytes(_bytes(value)).decode()


def _tensor(data: memoryview) -> tuple[str, NDArray[np.float32]] | None:
    """A name and its numbers; None for numbers of another type."""
    size: list[int] = []
    name, kind, raw = "", 0, memoryview(b"")
    for number, value in _fields(data):
        if number == 1:
            size += [value] if isinstance(value, int) else _packed(value)
        elif number == 2 and isinstance(value, int):
            kind = value
        elif number == 8:
            name = _text(value)
        elif number == 9:
            raw = _bytes(value)
    return (name, np.frombuffer(raw, dtype="<f4").reshape(size)) if kind == _FLOAT and len(raw) else None


def _packed(data: memoryview) -> list[int]:
    values: list[int] = []
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        values.append(value)
    return values
