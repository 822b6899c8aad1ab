"""A page with all pictures of rendered scenes: top-down, panoramas, and four headings at every position."""

import colorsys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.core.files import atomic_write, encoded
from tolman.render.renderer import FARTHEST_DEPTH, MILLIMETRES
from tolman.render.views import RenderJob, Shot, shots
from tolman.report.site import environment
from tolman.world import START, Scene

_STYLES = Path(__file__).parent / "site"
_FAR = 12.0
"""Metres: depth that is drawn black."""


@dataclass(frozen=True)
class ViewRow:
    """One place, and the views from it by heading."""

    place: str
    shots: tuple[Shot, ...]


@dataclass(frozen=True)
class ContactSheet:
    """The pictures of one scene."""

    name: str
    top: tuple[Shot, ...]
    around: tuple[Shot, ...]
    rows: tuple[ViewRow, ...]


def write_contact_sheet(out: Path, scenes: dict[str, Scene], job: RenderJob, made: Mapping[str, object]) -> Path:
    """Write `index.html` into a folder that `prerender` filled; `scenes` by the name of their folder."""
    sheets = [_sheet(name, scene, job) for name, scene in scenes.items()]
    for sheet, scene in zip(sheets, scenes.values(), strict=True):
        for shot in _all(sheet):
            _write_previews(out / sheet.name, shot, len(scene.names))
    for style in ("style.css", "contact_sheet.css"):
        atomic_write(out / style, (_STYLES / style).read_bytes())
    page = environment().get_template("contact_sheet.html").render(sheets=sheets, made=made, start=START)
    atomic_write(out / "index.html", page.encode())
    return out / "index.html"


def _sheet(name: str, scene: Scene, job: RenderJob) -> ContactSheet:
    views = list(shots(scene, job))
    places = dict.fromkeys(shot.standing_on for shot in views if shot.kind == "ego")
    rows = tuple(
        ViewRow(place, tuple(s for s in views if s.kind == "ego" and s.standing_on == place)) for place in places
    )
    top = tuple(shot for shot in views if shot.kind == "topdown")
    around = tuple(shot for shot in views if shot.kind == "panorama" and shot.standing_on == START)
    return ContactSheet(name, top, around, rows)


def _all(sheet: ContactSheet) -> Iterator[Shot]:
    """Views that are shown with ids and depth: top-down, panoramas, and those from the start."""
    yield from (*sheet.top, *sheet.around)
    yield from (shot for row in sheet.rows if row.place == START for shot in row.shots)


def _write_previews(folder: Path, shot: Shot, count: int) -> None:
    """Previews of ids and depth in distinct colours."""
    with Image.open(folder / "ids" / f"{shot.stem}.png") as file:
        atomic_write(
            folder / "previews" / f"{shot.stem}_ids.png",
            encoded(Image.fromarray(_palette(count)[np.asarray(file)]), "PNG"),
        )
    with Image.open(folder / "depth" / f"{shot.stem}.png") as file:
        metres = np.minimum(np.asarray(file).astype(np.float64), FARTHEST_DEPTH) / MILLIMETRES
    shade = np.round(255 * np.clip(1 - metres / _FAR, 0, 1)).astype(np.uint8)
    atomic_write(folder / "previews" / f"{shot.stem}_depth.png", encoded(Image.fromarray(shade), "PNG"))


def _palette(count: int) -> NDArray[np.uint8]:
    """Grey for the building, and a colour for each thing and door, neighbours far apart."""
    colours = [(0.93, 0.93, 0.93)]
    colours += [colorsys.hsv_to_rgb(i * 0.381966 % 1, 0.65, 0.55 + 0.35 * (i % 2)) for i in range(count)]
    return np.round(np.array(colours) * 255).astype(np.uint8)
