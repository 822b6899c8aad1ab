"""A catalogue of furniture: a `.sh3f` file, which is a zip of models with one file of properties about them."""

import io
import re
import zipfile
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tolman.errors import SettingsError

PROPERTIES = "PluginFurnitureCatalog.properties"
LARGEST = 64 * 1024 * 1024
"""Bytes that a member may have when unpacked."""


@dataclass(frozen=True)
class Entry:
    """One model of a catalogue. Its axes are x right, y up, front towards +z."""

    folder: str
    """Where its files lie in the catalogue: this is its name here, as in `scopia/cat`."""
    file: str
    title: str
    author: str
    size: tuple[float, float, float]
    """Width, depth and height in metres."""
    turn: tuple[float, ...]
    """A rotation that comes before all else: three rows of three."""

    @property
    def rotation(self) -> NDArray[np.float64]:
        return np.array(self.turn).reshape(3, 3)


class Catalogue:
    """The members of a `.sh3f` file. They are read by name; no path is ever written."""

    def __init__(self, content: bytes, name: str) -> None:
        self.name = name
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
            text = self.read(PROPERTIES)
        except (zipfile.BadZipFile, KeyError):
            raise SettingsError(f"{name} is not a furniture catalogue, or is damaged; fetch it again") from None
        self._values = _properties(text.decode("latin-1"))

    def read(self, member: str) -> bytes:
        """The bytes of a member. KeyError when there is none."""
        if self._zip.getinfo(member).file_size > LARGEST:
            raise SettingsError(f"{self.name} is damaged: {member!r} is far too large; fetch it again")
        try:
            return self._zip.read(member)
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError, RuntimeError):
            raise SettingsError(f"{self.name} is damaged: {member!r} can't be unpacked; fetch it again") from None

    @cached_property
    def members(self) -> tuple[str, ...]:
        return tuple(self._zip.namelist())

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """All models by name. Those without a usable line are left out."""
        found: dict[str, Entry] = {}
        for key, file in self._values.items():
            word, _, number = key.partition("#")
            if word == "model" and number:
                entry = self._entry(file.lstrip("/"), number)
                if entry:
                    found[entry.folder] = entry
        return found

    def _entry(self, file: str, number: str) -> Entry | None:
        def value(word: str, default: str = "") -> str:
            return self._values.get(f"{word}#{number}", default)

        try:
            width, depth, height = (float(value(word)) / 100 for word in ("width", "depth", "height"))
            turn = tuple(float(part) for part in value("modelRotation", "1 0 0 0 1 0 0 0 1").split())
        except ValueError:
            return None
        if len(turn) != 9 or min(width, depth, height) <= 0:
            return None
        folder = file.rpartition("/")[0]
        return Entry(folder, file, value("name", folder), value("creator", "unknown"), (width, depth, height), turn)

    @property
    def licence(self) -> str:
        return " ".join(self._values.get("license", "unknown").split())


def _properties(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            values[key.strip()] = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), value.strip())
    return values
