"""The pictures of a case as a model is shown them: the panorama, or what it is cut into."""

from dataclasses import dataclass
from pathlib import Path

from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions, Views
from tolman.benchmarks.osr_bench.own_rooms import panorama_png
from tolman.benchmarks.osr_bench.panorama_variants import AHEAD, AROUND, png, read_panorama, scaled, turned, view
from tolman.errors import SceneFileError
from tolman.limits import PICTURE_FILE, read_file

PANORAMA = "panorama"
_CUT: dict[Views, dict[str, tuple[float, float]]] = {"four": AHEAD, "six": AROUND}


@dataclass(frozen=True)
class Shown:
    """One picture: what it is of (`panorama`, `ahead`, `right`, ...) and its PNG file."""

    view: str
    png: bytes


def show(case: OsrCase, options: OsrOptions, turn: int) -> list[Shown]:
    """The pictures that are sent, with the camera turned so many degrees, clockwise."""
    if options.views == "blind":
        return []
    name = case.picture or f"the panorama of scene {case.id}"
    whole = turned(scaled(read_panorama(panorama_of(case, options), name), options.width), turn)
    if options.views == "panorama":
        return [Shown(PANORAMA, png(whole))]
    return [Shown(label, png(view(whole, *way))) for label, way in _CUT[options.views].items()]


def panorama_of(case: OsrCase, options: OsrOptions) -> bytes:
    """The file of a case's panorama: read, or rendered where the case is made from a seed."""
    if case.seed is not None:
        return panorama_png(case.seed, width=options.width, preset=options.preset, assets=options.assets)
    try:
        return read_file(Path(case.picture), PICTURE_FILE)
    except OSError as error:
        raise SceneFileError(f"{case.picture} can't be read: {error.strerror}") from None
