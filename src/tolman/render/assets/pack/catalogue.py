"""A furniture catalogue (`.sh3f`, a zip of OBJ files with properties) and the credit of each of its entries."""

import html
import io
import re
import zipfile
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import SettingsError
from tolman.render.assets.source import Credit

PROPERTIES = "PluginFurnitureCatalog.properties"
LARGEST_MEMBER = 64 * 1024 * 1024
"""Most uncompressed bytes of a member."""


@dataclass(frozen=True)
class CatalogueEntry:
    """One asset of a catalogue. Its axes are x right, y up, front towards +z."""

    folder: str
    """Folder of its files in the catalogue, which also identifies it, as in `scopia/cat`."""
    file: str
    title: str
    author: str
    size: tuple[float, float, float]
    """Width, depth and height in metres."""
    turn: tuple[float, ...]
    """A rotation to apply first: the nine numbers of a matrix, row by row."""

    @property
    def rotation(self) -> NDArray[np.float64]:
        return np.array(self.turn).reshape(3, 3)


class Catalogue:
    """The members of a `.sh3f` file, read by name; nothing is written to disk."""

    def __init__(self, content: bytes, name: str) -> None:
        self.name = name
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
            text = self.read(PROPERTIES)
        except (zipfile.BadZipFile, KeyError):
            raise SettingsError(f"{name} is not a furniture catalogue, or is damaged; fetch it again") from None
        self._values = _properties(text.decode("latin-1"))

    def read(self, member: str) -> bytes:
        """The bytes of a member; KeyError if there is none."""
        if self._zip.getinfo(member).file_size > LARGEST_MEMBER:
            raise SettingsError(f"{self.name} is damaged: {member!r} is far too large; fetch it again")
        try:
            return self._zip.read(member)
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError, RuntimeError):
            raise SettingsError(f"{self.name} is damaged: {member!r} can't be unpacked; fetch it again") from None

    @cached_property
    def members(self) -> tuple[str, ...]:
        return tuple(self._zip.namelist())

    @cached_property
    def entries(self) -> dict[str, CatalogueEntry]:
        """All assets by name, without those with invalid properties."""
        entries: dict[str, CatalogueEntry] = {}
        for key, file in self._values.items():
            word, _, number = key.partition("#")
            if word == "model" and number:
                entry = self._entry(file.lstrip("/"), number)
                if entry:
                    entries[entry.folder] = entry
        return entries

    def _entry(self, file: str, number: str) -> CatalogueEntry | None:
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
        return CatalogueEntry(
            folder, file, value("name", folder), value("creator", "unknown"), (width, depth, height), turn
        )

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


_LICENCES = (
    ("zero|public domain|cc-?0", "CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    (r"attribution 3\.0 united states", "CC BY 3.0 US", "https://creativecommons.org/licenses/by/3.0/us/"),
    (r"attribution 3\.0|by 3\.0", "CC BY 3.0", "https://creativecommons.org/licenses/by/3.0/"),
)
"""A pattern of their words regardless of case, names and links."""
_PAGE = re.compile(r"https?://www\.blendswap\.com/blends/view/\d+")
_RELEASED = re.compile(r"released under\s+(.{4,60}?)\s*(?:\n|</|downloaded)", re.IGNORECASE | re.DOTALL)
_HOLDER = re.compile(r"©\s*(?:[\d\s-]+)?(.+)$")
_DOWNLOADED_BY = re.compile(r'downloading ".*?" by (.+)')


def credit_of(catalogue: Catalogue, entry: CatalogueEntry) -> Credit:
    """The credit of an asset, without a kind, as an asset may serve for several kinds."""
    inside = (name for name in catalogue.members if name.startswith(f"{entry.folder}/"))
    found = next((name for name in inside if "licen" in name.rpartition("/")[2].lower()), None)
    text = catalogue.read(found).decode("utf-8", "replace") if found else ""
    released = _RELEASED.search(re.sub(r"<a [^>]*>", "", text))
    licence, link = _licence_and_link(released[1] if released else catalogue.licence)
    page = _PAGE.search(text)
    author = _author(catalogue, entry, text)
    return Credit("", f"{entry.title} [{entry.folder}]", author, licence, page[0] if page else link)


def _author(catalogue: Catalogue, entry: CatalogueEntry, licence_text: str) -> str:
    """The copyright holder of the catalogue; else the asset's author, for whom some catalogues give the site's name."""
    holder = _HOLDER.search(catalogue.licence)
    if holder:
        return holder[1]
    author = _DOWNLOADED_BY.search(licence_text)
    if author and entry.author.replace(" ", "").lower() == "blendswap":
        return html.unescape(author[1].strip())
    return entry.author


def _licence_and_link(text: str) -> tuple[str, str]:
    known = ((name, link) for words, name, link in _LICENCES if re.search(words, text, re.IGNORECASE))
    return next(known, (text, ""))
