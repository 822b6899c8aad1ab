"""Getting the furniture pack: through apt where there is one, else from a file that the user brings."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from tolman.render.assets.pack.archive import read_catalogues
from tolman.render.assets.pack.cache import Kept, Track, convert_all, pack_folder
from tolman.render.assets.pack.catalogue import Catalogue
from tolman.render.assets.pack.table import read_table
from tolman.render.assets.source import AssetError

PACKAGE = "sweethome3d-furniture"
BY_HAND = f"get the Debian package {PACKAGE} 1.8 by hand and run `tolman assets fetch --from FILE.deb`"


def fetch(file: Path | None, track: Track) -> dict[str, Kept]:
    """Convert the pack into the user's cache, from a `.deb` or `.sh3f` file or through apt."""
    if file is not None:
        return _convert(file, track)
    with tempfile.TemporaryDirectory() as folder:
        return _convert(_downloaded(Path(folder)), track)


def _convert(file: Path, track: Track) -> dict[str, Kept]:
    catalogues = [Catalogue(content, name) for name, content in read_catalogues(file).items()]
    return convert_all(catalogues, read_table(), pack_folder(), track)


def _downloaded(folder: Path) -> Path:
    """The package, downloaded by apt into a folder. It needs no root and installs nothing."""
    apt = shutil.which("apt-get")
    if apt is None:
        raise AssetError(f"there is no apt on this machine: {BY_HAND}")
    run = subprocess.run(  # noqa: S603 the program is apt, the argument is fixed
        [apt, "download", "-q", PACKAGE], cwd=folder, capture_output=True, text=True, check=False
    )
    found = sorted(folder.glob("*.deb"))
    if run.returncode or not found:
        said = (run.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise AssetError(f"apt could not download {PACKAGE} ({said}): run `apt-get update` as root, or {BY_HAND}")
    return found[0]
