"""Weights from ONNX, ONNX Runtime and pickle files, parsed as data: nothing in a file is executed."""

import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from tolman.core.package_archive import WeightsError
from tolman.probing.encoders.packaged.feature_maps import Arrays

_FLOAT = 1
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


@dataclass(frozen=True)
class Node:
    """One operation: its type, and the names of its inputs and outputs."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class OnnxFile:
    """Operations in order, and the stored float32 tensors by name."""

    nodes: tuple[Node, ...]
    initialisers: dict[str, NDArray[np.float32]]


def read_onnx(path: Path) -> OnnxFile:
    """Operations and float32 tensors of a file."""
    try:
        graph = next(value for number, value in _fields(memoryview(path.read_bytes())) if number == 7)
        parts = [(number, value) for number, value in _fields(_bytes(graph)) if number in {1, 5}]
        nodes = tuple(_node(_bytes(value)) for number, value in parts if number == 1)
        named = dict(tensor for number, value in parts if number == 5 if (tensor := _tensor(_bytes(value))) is not None)
    except (StopIteration, IndexError, ValueError) as error:
        raise WeightsError(f"{path} is not a readable ONNX file ({error})") from None
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
            raise ValueError("it is truncated")
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
        raise ValueError("a number in place of a message")
    return value


def _node(data: memoryview) -> Node:
    fields = [(number, _text(value)) for number, value in _fields(data) if number in {1, 2, 4}]
    inputs, outputs = (tuple(text for number, text in fields if number == which) for which in (1, 2))
    return Node(next((text for number, text in fields if number == 4), ""), inputs, outputs)


def _text(value: int | memoryview) -> str:
    return bytes(_bytes(value)).decode()


def _tensor(data: memoryview) -> tuple[str, NDArray[np.float32]] | None:
    """A tensor's name and values; None for another type than float32."""
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


_MAGIC = b"ORTM"


def read_ort(path: Path) -> dict[str, NDArray[np.float32]]:
    """The float32 tensors of a file, by name."""
    try:
        data = memoryview(path.read_bytes())
        if bytes(data[4:8]) != _MAGIC:
            raise ValueError("wrong magic number")
        root = _Table(data, _number(data, "<I", 0))
        tensors = root.table(1).table(7).tables(0)
        return {one.text(0): _values(one) for one in tensors if one.integer(3) == _FLOAT}
    except (struct.error, ValueError, IndexError) as error:
        raise WeightsError(f"{path} is not a readable ONNX Runtime file ({error})") from None
    except OSError as error:
        raise WeightsError(f"{path} can't be read: {error.strerror}") from None


@dataclass(frozen=True)
class _Table:
    data: memoryview
    at: int

    def field(self, number: int) -> int:
        """The offset of a field."""
        listed = self.at - _number(self.data, "<i", self.at)
        place = 4 + 2 * number
        offset = _number(self.data, "<H", listed + place) if place < _number(self.data, "<H", listed) else 0
        if not offset:
            raise ValueError(f"field {number} of a table is missing")
        return self.at + offset

    def integer(self, number: int) -> int:
        return _number(self.data, "<i", self.field(number))

    def vector(self, number: int) -> tuple[int, int]:
        """The offset of the entries of a field, and their number."""
        begin = self._followed(self.field(number))
        return begin + 4, _number(self.data, "<I", begin)

    def raw(self, number: int, size: int) -> memoryview:
        """The entries of a field, each of `size` bytes."""
        begin, count = self.vector(number)
        if begin + count * size > len(self.data):
            raise ValueError("it is truncated")
        return self.data[begin : begin + count * size]

    def text(self, number: int) -> str:
        return bytes(self.raw(number, 1)).decode()

    def table(self, number: int) -> "_Table":
        return _Table(self.data, self._followed(self.field(number)))

    def tables(self, number: int) -> list["_Table"]:
        begin, count = self.vector(number)
        return [_Table(self.data, self._followed(begin + 4 * place)) for place in range(count)]

    def _followed(self, at: int) -> int:
        return at + _number(self.data, "<I", at)


def _number(data: memoryview, kind: str, at: int) -> int:
    return struct.unpack_from(kind, data, at)[0]


def _values(tensor: _Table) -> NDArray[np.float32]:
    try:
        size = np.frombuffer(tensor.raw(2, 8), "<i8")
    except ValueError:
        size = np.array([], np.int64)  # a scalar has no shape
    return np.frombuffer(tensor.raw(4, 1), "<f4").reshape(size)


_READ = """
import sys
import torch
from safetensors.torch import save_file
stored = torch.load(sys.argv[1], map_location="cpu", weights_only=True)
for name in ("model", "state_dict"):
    stored = stored[name] if isinstance(stored.get(name), dict) else stored
save_file({name: values.float().contiguous().clone() for name, values in stored.items()}, sys.argv[2])
"""


def read_pickle(path: Path) -> Arrays:
    """The tensors of a state dictionary by name, as float32. The file is deleted."""
    try:
        return read_checkpoint(path)
    finally:
        path.unlink()


def read_checkpoint(path: Path) -> Arrays:
    """The tensors of a pickled state dictionary by name, as float32: the file's own, or its `model` or `state_dict`.

    A separate process reads it, and only numbers, text and containers of them; anything else in the file is refused.
    """
    with TemporaryDirectory() as folder:
        kept = Path(folder) / "weights.safetensors"
        command = [sys.executable, "-I", "-c", _READ, str(path), str(kept)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if run.returncode or not kept.is_file():
            lines = run.stderr.strip().splitlines()
            raise WeightsError(
                f"{path.name} does not hold plain weights: {lines[-1] if lines else 'no message from torch'}"
            )
        return load(kept.read_bytes())
