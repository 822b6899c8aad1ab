"""Fetching of the furniture pack: with apt, or from the user's `.deb` or `.sh3f` file, checked by SHA-256."""

import hashlib
import io
import lzma
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Set
from pathlib import Path, PurePosixPath

from tolman.core.errors import SettingsError
from tolman.render.assets.pack.catalogue import Catalogue
from tolman.render.assets.pack.source import CachedAsset, ProgressTracker, convert_pack, pack_folder, read_pack_table
from tolman.render.assets.source import AssetError

CATALOGUES = {
    "BlendSwap-CC-0.sh3f": "7ef093fe70cedbb160bdb532d86a84580459635e34130c16777f549eba1993dc",
    "BlendSwap-CC-BY.sh3f": "29ae78937b4d5dbe93db74067817a984fa411f017b007fd666bc40368bdb0c83",
    "KatorLegaz.sh3f": "f512443b5d3a6903497573095f971f44334b3165ab32182133051fa9487764a6",
    "Reallusion.sh3f": "dd553207876ccec6372dde7aaea6b2dcf2d631997fcdb8a9856a639e0db9aa9b",
    "Scopia.sh3f": "b4505451b1e8ab339c101c0afddfef4e1a07b95aa8c821c61ec41487afd43850",
}
"""Files of version 1.8 that the table uses, with their SHA-256."""
_AR_MAGIC = b"!<arch>\n"
_AR_HEADER_BYTES = 60


def read_catalogues(file: Path, known: dict[str, str] = CATALOGUES) -> dict[str, bytes]:
    """The catalogues in a file that are listed in `known`, each checked against its SHA-256."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise SettingsError(f"{file} can't be read: {error.strerror}") from None
    found = dict(_packaged(content, file, known)) if content.startswith(_AR_MAGIC) else {file.name: content}
    checked = {
        name: content for name, content in found.items() if known.get(name) == hashlib.sha256(content).hexdigest()
    }
    wrong = sorted(found.keys() - checked.keys())
    if wrong:
        raise SettingsError(
            f"{wrong[0]} in {file} is not that of sweethome3d-furniture 1.8 (its SHA-256 differs); fetch it again"
        )
    if not checked:
        raise SettingsError(f"{file} holds none of {', '.join(known)}; give sweethome3d-furniture_1.8-1_all.deb")
    return checked


def _packaged(content: bytes, file: Path, known: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    try:
        yield from debian_files(content, known.keys())
    except (ValueError, EOFError, tarfile.TarError, lzma.LZMAError):
        raise SettingsError(f"{file} is damaged, or not a Debian package that this can read; fetch it again") from None


def debian_files(content: bytes, names: Set[str]) -> Iterator[tuple[str, bytes]]:
    """The files of a Debian package whose names, without folders, are in `names`; ValueError if it is none."""
    data = next((body for name, body in _ar_members(content) if name.startswith("data.tar")), None)
    if data is None:
        raise ValueError("not a Debian package")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            name = PurePosixPath(member.name).name
            opened = archive.extractfile(member) if member.isreg() and name in names else None
            if opened:
                yield name, opened.read()


def _ar_members(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the members of an `ar` archive: headers of 60 bytes, at even offsets."""
    offset = len(_AR_MAGIC)
    while offset + _AR_HEADER_BYTES <= len(content):
        header = content[offset : offset + _AR_HEADER_BYTES]
        size = int(header[48:58])
        if size < 0 or offset + _AR_HEADER_BYTES + size > len(content):
            raise ValueError("truncated")
        start = offset + _AR_HEADER_BYTES
        yield header[:16].decode("ascii", "replace").strip().rstrip("/"), content[start : start + size]
        offset = start + size + size % 2


DEBIAN_PACKAGE = "sweethome3d-furniture"
_MANUALLY = f"download the Debian package {DEBIAN_PACKAGE} 1.8 and run `tolman assets fetch --from FILE.deb`"


def fetch_pack(file: Path | None, track: ProgressTracker) -> dict[str, CachedAsset]:
    """Convert the pack into the user's cache, from a `.deb` or `.sh3f` file or with apt."""
    if file is not None:
        return _convert_file(file, track)
    with tempfile.TemporaryDirectory() as folder:
        return _convert_file(_downloaded(Path(folder)), track)


def _convert_file(file: Path, track: ProgressTracker) -> dict[str, CachedAsset]:
    catalogues = [Catalogue(content, name) for name, content in read_catalogues(file).items()]
    return convert_pack(catalogues, read_pack_table(), pack_folder(), track)


def _downloaded(folder: Path) -> Path:
    """The package, downloaded by apt into a folder, without root and without installing it."""
    apt = shutil.which("apt-get")
    if apt is None:
        raise AssetError(f"there is no apt on this machine: {_MANUALLY}")
    run = subprocess.run(  # noqa: S603 the program is apt, the argument is fixed
        [apt, "download", "-q", DEBIAN_PACKAGE], cwd=folder, capture_output=True, text=True, check=False
    )
    found = sorted(folder.glob("*.deb"))
    if run.returncode or not found:
        reason = (run.stderr.strip().splitlines() or ["without a message"])[-1]
        raise AssetError(
            f"apt could not download {DEBIAN_PACKAGE} ({reason}): run `apt-get update` as root, or {_MANUALLY}"
        )
    return found[0]
