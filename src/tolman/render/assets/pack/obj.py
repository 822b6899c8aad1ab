"""Wavefront OBJ files: points, texture coordinates, normals, and polygons by material.

Lines that can't be read are left out: the files come from many programs, and one odd line must not cost a model.
"""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from tolman.render.assets.pack.polygon import triangulated

MISSING = -1


@dataclass(frozen=True, eq=False)
class Shape:
    """What an OBJ file holds, in its own units and axes."""

    points: NDArray[np.float64]
    coordinates: NDArray[np.float64]
    normals: NDArray[np.float64]
    corners: NDArray[np.int64]
    """For each triangle and each of its corners: point, coordinate and normal, or MISSING."""
    smooth: NDArray[np.bool_]
    """For each triangle whether it goes over into its neighbours without an edge."""
    material: NDArray[np.int64]
    """For each triangle its material, counted in `materials`."""
    materials: tuple[str, ...]
    libraries: tuple[str, ...]
    """Names of MTL files, without folders."""


@dataclass
class _Reading:
    rows: dict[str, list[tuple[float, ...]]] = field(default_factory=lambda: {"v": [], "vt": [], "vn": []})
    corners: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    faces: list[tuple[int, int, bool, int]] = field(default_factory=list[tuple[int, int, bool, int]])
    """First corner, number of corners, smooth or not, material."""
    materials: dict[str, int] = field(default_factory=lambda: {"": 0})
    libraries: list[str] = field(default_factory=list[str])
    known: dict[str, tuple[int, int, int]] = field(default_factory=dict[str, tuple[int, int, int]])
    smooth: bool = False
    material: int = 0

    def take(self, word: str, rest: str) -> None:
        if word in self.rows:
            numbers = [float(part) for part in rest.split()[:3]]
            size = 2 if word == "vt" else 3
            self.rows[word].append(tuple((numbers + [0.0] * size)[:size]))
        elif word == "f":
            self._take_face(rest.split())
        elif word == "usemtl":
            self.material = self.materials.setdefault(rest, len(self.materials))
        elif word == "s":
            self.smooth = rest not in ("off", "0", "")
        elif word == "mtllib":
            self.libraries.append(file_name(rest))

    def _take_face(self, words: list[str]) -> None:
        corners = [self._corner(word) for word in words]
        if len(corners) >= 3:
            self.faces.append((len(self.corners), len(corners), self.smooth, self.material))
            self.corners += corners

    def _corner(self, word: str) -> tuple[int, int, int]:
        known = self.known.get(word)
        if known:
            return known
        parts = [*word.split("/"), "", ""][:3]
        point, coordinate, normal = (self._place(p, key) for p, key in zip(parts, ("v", "vt", "vn"), strict=True))
        if point == MISSING:
            raise ValueError(word)
        if "-" not in word:
            self.known[word] = point, coordinate, normal
        return point, coordinate, normal

    def _place(self, text: str, key: str) -> int:
        """A place counted from 0. Files count from 1, or back from the last row with negative numbers."""
        if not text:
            return MISSING
        number, count = int(text), len(self.rows[key])
        place = number - 1 if number > 0 else count + number
        return place if 0 <= place < count else MISSING


def file_name(text: str) -> str:
    """The last part of a path from any system."""
    return PurePosixPath(text.strip().replace("\\", "/")).name


def read_obj(content: bytes) -> Shape:
    """Read an OBJ file. Polygons come as triangles."""
    reading = _Reading()
    for line in content.decode("utf-8", "replace").replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        try:
            reading.take(word, rest.strip())
        except ValueError:
            continue
    return _finished(reading)


def _finished(reading: _Reading) -> Shape:
    points = _table(reading.rows["v"], 3)
    corners = np.array(reading.corners, dtype=np.int64).reshape(-1, 3)
    faces = np.array(reading.faces, dtype=np.int64).reshape(-1, 4)
    face, chosen = triangulated(points[corners[:, 0]], faces[:, 0], faces[:, 1])
    return Shape(
        points=points,
        coordinates=_table(reading.rows["vt"], 2),
        normals=_table(reading.rows["vn"], 3),
        corners=corners[chosen],
        smooth=faces[face, 2].astype(bool),
        material=faces[face, 3],
        materials=tuple(reading.materials),
        libraries=tuple(reading.libraries),
    )


def _table(rows: list[tuple[float, ...]], width: int) -> NDArray[np.float64]:
    return np.nan_to_num(np.array(rows, dtype=np.float64).reshape(-1, width), posinf=0.0, neginf=0.0)
