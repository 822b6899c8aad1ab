"""Catalogues out of what a user has: a `.deb` package, which holds several, or a single `.sh3f` file.

A `.deb` is an `ar` archive with a tar inside. Members are read by name into memory; no path in them is ever used.
"""

import hashlib
import io
import lzma
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tolman.errors import SettingsError

CATALOGUES = {
    "BlendSwap-CC-0.sh3f": "7ef093fe70cedbb160bdb532d86a84580459635e34130c16777f549eba1993dc",
    "BlendSwap-CC-BY.sh3f": "29ae78937b4d5dbe93db74067817a984fa411f017b007fd666bc40368bdb0c83",
    "KatorLegaz.sh3f": "f512443b5d3a6903497573095f971f44334b3165ab32182133051fa9487764a6",
    "Reallusion.sh3f": "dd553207876ccec6372dde7aaea6b2dcf2d631997fcdb8a9856a639e0db9aa9b",
    "Scopia.sh3f": "b4505451b1e8ab339c101c0afddfef4e1a07b95aa8c821c61ec41487afd43850",
}
"""Files of version 1.8 that the table uses, with their SHA-256."""
_MAGIC = b"!<arch>\n"
_HEADER = 60


def read_catalogues(file: Path, known: dict[str, str] = CATALOGUES) -> dict[str, bytes]:
    """The known catalogues in a file, each checked against its SHA-256."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise SettingsError(f"{file} can't be read: {error.strerror}") from None
    found = dict(_packaged(content, file, known)) if content.startswith(_MAGIC) else {file.name: content}
    checked = {name: content for name, content in found.items() if known.get(name) == _sha256(content)}
    wrong = sorted(found.keys() - checked.keys())
    if wrong:
        raise SettingsError(
            f"{wrong[0]} in {file} is not the one of sweethome3d-furniture 1.8 (its SHA-256 is another); fetch it again"
        )
    if not checked:
        raise SettingsError(f"{file} holds none of {', '.join(known)}; give sweethome3d-furniture_1.8-1_all.deb")
    return checked


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _packaged(content: bytes, file: Path, known: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """The regular files of a package whose name, without folders, is known."""
    try:
        data = next(body for name, body in _members(content) if name.startswith("data.tar"))
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                name = PurePosixPath(member.name).name
                opened = archive.extractfile(member) if member.isreg() and name in known else None
                if opened:
                    yield name, opened.read()
    except (StopIteration, ValueError, EOFError, tarfile.TarError, lzma.LZMAError):
        raise SettingsError(f"{file} is damaged, or not a Debian package that this can read; fetch it again") from None


def _members(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of an `ar` archive: 60 bytes of header each, bodies on even places."""
    place = len(_MAGIC)
    while place + _HEADER <= len(content):
        header = content[place : place + _HEADER]
        size = int(header[48:58])
        if size < 0 or place + _HEADER + size > len(content):
            raise ValueError("cut short")
        start = place + _HEADER
        yield header[:16].decode("ascii", "replace").strip().rstrip("/"), content[start : start + size]
        place = start + size + size % 2
