"""Parsers of Wavefront OBJ and MTL files; polygons are triangulated. Invalid lines are skipped."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.mesh import Colour

TriangleCorners = tuple[int, int, int]


def triangulate(
    points: NDArray[np.float64], first: NDArray[np.int64], count: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Triangulate many polygons, each of `count` rows of the points from row `first`.

    Returns the polygon of each triangle, and its three rows, in the order of the polygons.
    """
    threes, fours = np.flatnonzero(count == 3), np.flatnonzero(count == 4)
    faces = [threes, fours, fours]
    rows = [first[threes, None] + np.arange(3), *_split_quads(points, first[fours])]
    for polygon in np.flatnonzero(count > 4):
        start = int(first[polygon])
        triangles = np.array(triangles_of(points[start : start + int(count[polygon])]), dtype=np.int64)
        faces.append(np.full(len(triangles), polygon))
        rows.append(triangles + start)
    face = np.concatenate(faces)
    order = np.argsort(face, kind="stable")
    return face[order], np.concatenate(rows)[order]


def _split_quads(points: NDArray[np.float64], first: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both triangles of each quadrilateral, split at the diagonal that lies inside."""
    rows = first[:, None] + np.arange(4)
    a, b, c, d = (points[rows[:, i]] for i in range(4))
    inside = (np.cross(b - a, c - a) * np.cross(c - a, d - a)).sum(axis=1) >= 0
    one = np.where(inside[:, None], rows[:, (0, 1, 2)], rows[:, (0, 1, 3)])
    two = np.where(inside[:, None], rows[:, (0, 2, 3)], rows[:, (1, 2, 3)])
    return one, two


def triangles_of(points: NDArray[np.float64]) -> list[TriangleCorners]:
    """The n - 2 triangles of one polygon, as indices of its corners, with its orientation."""
    flat = _flattened(points)
    if _is_convex(flat):
        return [(0, i, i + 1) for i in range(1, len(flat) - 1)]
    return _ear_clipping(flat)


def _flattened(points: NDArray[np.float64]) -> list[tuple[float, float]]:
    """The corners projected along the axis closest to the polygon's normal, anticlockwise."""
    edges = points - points[0]
    normal = np.cross(edges[1:-1], edges[2:]).sum(axis=0)
    axis = int(np.argmax(np.abs(normal)))
    first, second = ((1, 2), (2, 0), (0, 1))[axis]
    sign = 1.0 if normal[axis] >= 0 else -1.0
    return [(float(p[first]) * sign, float(p[second])) for p in points]


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_convex(flat: list[tuple[float, float]]) -> bool:
    count = len(flat)
    return all(_turn(flat[i - 1], flat[i], flat[(i + 1) % count]) >= 0 for i in range(count))


def _ear_clipping(flat: list[tuple[float, float]]) -> list[TriangleCorners]:
    """Ear clipping. The rest of a self-intersecting polygon, once it has no ear, becomes a fan."""
    rest = list(range(len(flat)))
    triangles: list[TriangleCorners] = []
    while len(rest) > 3:
        ear = next((i for i in range(len(rest)) if _is_ear(flat, rest, i)), None)
        if ear is None:
            break
        triangles.append((rest[ear - 1], rest[ear], rest[(ear + 1) % len(rest)]))
        del rest[ear]
    return triangles + [(rest[0], rest[i], rest[i + 1]) for i in range(1, len(rest) - 1)]


def _is_ear(flat: list[tuple[float, float]], rest: list[int], index: int) -> bool:
    before, here, after = (flat[rest[(index + step) % len(rest)]] for step in (-1, 0, 1))
    if _turn(before, here, after) <= 0:
        return False
    others = (flat[i] for i in rest if flat[i] not in (before, here, after))
    return not any(
        _turn(before, here, p) >= 0 and _turn(here, after, p) >= 0 and _turn(after, before, p) >= 0 for p in others
    )


MISSING = -1


@dataclass(frozen=True, eq=False)
class ObjFile:
    """Content of an OBJ file, in its own units and axes."""

    points: NDArray[np.float64]
    coordinates: NDArray[np.float64]
    normals: NDArray[np.float64]
    corners: NDArray[np.int64]
    """For each corner of each triangle the rows of its point, coordinate and normal, or MISSING."""
    smooth: NDArray[np.bool_]
    """For each triangle whether it is shaded smoothly."""
    material: NDArray[np.int64]
    """For each triangle the index of its material in `materials`."""
    materials: tuple[str, ...]
    libraries: tuple[str, ...]
    """Names of MTL files, without folders."""


@dataclass
class _ObjParser:
    rows: dict[str, list[tuple[float, ...]]] = field(default_factory=lambda: {"v": [], "vt": [], "vn": []})
    corners: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    faces: list[tuple[int, int, bool, int]] = field(default_factory=list[tuple[int, int, bool, int]])
    """First corner, number of corners, smooth or not, material."""
    materials: dict[str, int] = field(default_factory=lambda: {"": 0})
    libraries: list[str] = field(default_factory=list[str])
    corner_cache: dict[str, tuple[int, int, int]] = field(default_factory=dict[str, tuple[int, int, int]])
    smooth: bool = False
    material: int = 0

    def parse(self, word: str, rest: str) -> None:
        if word in self.rows:
            numbers = [float(part) for part in rest.split()[:3]]
            size = 2 if word == "vt" else 3
            self.rows[word].append(tuple((numbers + [0.0] * size)[:size]))
        elif word == "f":
            self._add_face(rest.split())
        elif word == "usemtl":
            self.material = self.materials.setdefault(rest, len(self.materials))
        elif word == "s":
            self.smooth = rest not in ("off", "0", "")
        elif word == "mtllib":
            self.libraries.append(file_name(rest))

    def _add_face(self, words: list[str]) -> None:
        corners = [self._corner(word) for word in words]
        if len(corners) >= 3:
            self.faces.append((len(self.corners), len(corners), self.smooth, self.material))
            self.corners += corners

    def _corner(self, word: str) -> tuple[int, int, int]:
        cached = self.corner_cache.get(word)
        if cached:
            return cached
        parts = [*word.split("/"), "", ""][:3]
        point, coordinate, normal = (self._row(p, key) for p, key in zip(parts, ("v", "vt", "vn"), strict=True))
        if point == MISSING:
            raise ValueError(word)
        if "-" not in word:
            self.corner_cache[word] = point, coordinate, normal
        return point, coordinate, normal

    def _row(self, text: str, key: str) -> int:
        """A row counted from 0. Files count from 1, or backwards from the last row with negative numbers."""
        if not text:
            return MISSING
        number, count = int(text), len(self.rows[key])
        row = number - 1 if number > 0 else count + number
        return row if 0 <= row < count else MISSING


def file_name(text: str) -> str:
    """The last part of a path from any system."""
    return PurePosixPath(text.strip().replace("\\", "/")).name


def read_obj(content: bytes) -> ObjFile:
    """Read an OBJ file, its polygons as triangles."""
    parser = _ObjParser()
    for line in content.decode("utf-8", "replace").replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        try:
            parser.parse(word, rest.strip())
        except ValueError:
            continue
    points = _number_table(parser.rows["v"], 3)
    corners = np.array(parser.corners, dtype=np.int64).reshape(-1, 3)
    faces = np.array(parser.faces, dtype=np.int64).reshape(-1, 4)
    face, chosen = triangulate(points[corners[:, 0]], faces[:, 0], faces[:, 1])
    return ObjFile(
        points=points,
        coordinates=_number_table(parser.rows["vt"], 2),
        normals=_number_table(parser.rows["vn"], 3),
        corners=corners[chosen],
        smooth=faces[face, 2].astype(bool),
        material=faces[face, 3],
        materials=tuple(parser.materials),
        libraries=tuple(parser.libraries),
    )


def _number_table(rows: list[tuple[float, ...]], width: int) -> NDArray[np.float64]:
    return np.nan_to_num(np.array(rows, dtype=np.float64).reshape(-1, width), posinf=0.0, neginf=0.0)


GREY: Colour = (0.6, 0.6, 0.6)
BRIGHTEST = 0.85
"""Reflectance of white paint, to which colours are limited: files give 1, which no real surface has."""
METAL = re.compile(r"chrom|krome|metal|steel|inox|alu|silver|brass|gold|copper|reflector", re.IGNORECASE)
MIRROR = re.compile(r"mirror|miroir|espejo", re.IGNORECASE)
GLASS = re.compile(r"glass(?!es)|vidrio|verre", re.IGNORECASE)


@dataclass(frozen=True)
class MtlMaterial:
    """A material of an MTL file, its colour in sRGB from 0 to 1."""

    name: str = ""
    colour: Colour = GREY
    picture: str | None = None
    """File name of its texture, without folders."""
    highlight: float = 0.0
    """Strength of reflections, 0 to 1."""
    sharpness: float = 0.0
    """Exponent of the highlight, 0 to 1000."""
    opacity: float = 1.0
    """Opacity: 1 is opaque, 0 is fully transparent."""

    @property
    def mirror(self) -> bool:
        return bool(MIRROR.search(self.name))

    @property
    def metallic(self) -> float:
        """Mirrors and shiny metals are recognised by their names, as the format has no such property."""
        if self.mirror:
            return 1.0
        return 0.9 if METAL.search(self.name) and self.highlight >= 0.2 and self.picture is None else 0.0

    @property
    def roughness(self) -> float:
        """From the width of the highlight, given by its exponent; weak highlights are rougher."""
        if self.mirror:
            return 0.02
        width = (2 / (self.sharpness + 2)) ** 0.25
        return min(0.9, max(0.15, 1 - (1 - width) * min(1.0, 1.2 * self.highlight)))

    @property
    def transparency(self) -> float:
        if self.opacity >= 0.97:
            return 0.0
        return min(0.95, max(1 - self.opacity, 0.7 if GLASS.search(self.name) else 0.0))


@dataclass
class _MtlParser:
    name: str
    numbers: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    picture: str | None = None

    def parse(self, word: str, rest: str) -> None:
        if word == "map_Kd":
            self.picture = file_name(rest) or None
        elif word in ("Kd", "Ks", "Ns", "d", "Tr"):
            self.numbers[word] = [min(1000.0, max(0.0, float(part))) for part in rest.split()[:3]]

    def material(self) -> MtlMaterial:
        first = {word: values[0] for word, values in self.numbers.items() if values}
        specular = self.numbers.get("Ks", [])
        return MtlMaterial(
            name=self.name,
            colour=_clipped_colour(self.numbers.get("Kd", [])),
            picture=self.picture,
            highlight=min(1.0, sum(specular) / len(specular)) if specular else 0.0,
            sharpness=first.get("Ns", 0.0),
            opacity=min(1.0, first.get("d", 1 - first.get("Tr", 0.0))),
        )


def read_mtl(content: bytes) -> dict[str, MtlMaterial]:
    """The materials of an MTL file by name."""
    return {parser.name: parser.material() for parser in _parse_materials(content)}


def linear_colour(colour: Colour) -> Colour:
    """sRGB to linear light, limited to `BRIGHTEST`."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return min(BRIGHTEST, red), min(BRIGHTEST, green), min(BRIGHTEST, blue)


def _parse_materials(content: bytes) -> Iterator[_MtlParser]:
    parser: _MtlParser | None = None
    for line in content.decode("utf-8", "replace").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "newmtl":
            if parser:
                yield parser
            parser = _MtlParser(rest.strip())
        elif parser:
            try:
                parser.parse(word, rest)
            except ValueError:
                continue
    if parser:
        yield parser


def _clipped_colour(values: list[float]) -> Colour:
    if len(values) < 3:
        return GREY
    return min(1.0, values[0]), min(1.0, values[1]), min(1.0, values[2])
