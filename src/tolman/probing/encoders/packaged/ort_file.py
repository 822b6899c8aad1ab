"""The weights in a file of ONNX Runtime's own format, read as plain data: nothing of the file is run, and no library is
needed.

It is a FlatBuffer: tables whose fields are found through a list of offsets. Of these few matter: the model (1) of a
session; the graph (7) of a model; initialisers (0) of a graph; name (0), size (2), type (3) and bytes (4) of a tensor.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tolman.models.local.wheel_data import WeightsError

_FLOAT = 1
_MARK = b"ORTM"


def read_ort(path: Path) -> dict[str, NDArray[np.float32]]:
    """The 32-bit numbers of a file, by name."""
    try:
        data = memoryview(path.read_bytes())
        if bytes(data[4:8]) != _MARK:
            raise ValueError("its first bytes are others")
        root = _Table(data, _number(data, "<I", 0))
        tensors = root.table(1).table(7).tables(0)
        return {one.text(0): _values(one) for one in tensors if one.integer(3) == _FLOAT}
    except (struct.error, ValueError, IndexError) as error:
        raise WeightsError(f"{path} is no file of ONNX Runtime that can be read ({error})") from None
    except OSError as error:
        raise WeightsError(f"{path} can't be read: {error.strerror}") from None


@dataclass(frozen=True)
class _Table:
    data: memoryview
    at: int

    def field(self, number: int) -> int:
        """Where a field is."""
        listed = self.at - _number(self.data, "<i", self.at)
        place = 4 + 2 * number
        offset = _number(self.data, "<H", listed + place) if place < _number(self.data, "<H", listed) else 0
        if not offset:
            raise ValueError(f"field {number} of a table is missing")
        return self.at + offset

    def integer(self, number: int) -> int:
        return _number(self.data, "<i", self.field(number))

    def vector(self, number: int) -> tuple[int, int]:
        """Where the entries of a field begin, and how many there are."""
        begin = self._followed(self.field(number))
        return begin + 4, _number(self.data, "<I", begin)

    def raw(self, number: int, size: int) -> memoryview:
        """The entries of a field, each of `size` bytes."""
        begin, count = self.vector(number)
        if begin + count * size > len(self.data):
            raise ValueError("it is cut off")
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
        size = np.array([], np.int64)  # a single number has no size
    return np.frombuffer(tensor.raw(4, 1), "<f4").reshape(size)
