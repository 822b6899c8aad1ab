"""Wavefront MTL files: the look of each material, as far as pictures need it.

The files speak of highlights as programs of the nineties did. What matters here: colour or picture, how sharp
reflections are, and how much light goes through. Odd lines are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tolman.render.assets.pack.obj import file_name
from tolman.render.shapes.material import Colour

GREY: Colour = (0.6, 0.6, 0.6)
BRIGHTEST = 0.85
"""Share of light that white paint gives back. Files say 1, which no surface does."""
METAL = re.compile(r"chrom|krome|metal|steel|inox|alu|silver|brass|gold|copper|reflector", re.IGNORECASE)
MIRROR = re.compile(r"mirror|miroir|espejo", re.IGNORECASE)
GLASS = re.compile(r"glass(?!es)|vidrio|verre", re.IGNORECASE)


@dataclass(frozen=True)
class Look:
    """A material of a file. Colours are as the file has them: sRGB from 0 to 1."""

    name: str = ""
    colour: Colour = GREY
    picture: str | None = None
    """File name of its texture, without folders."""
    highlight: float = 0.0
    """Strength of reflections, 0 to 1."""
    sharpness: float = 0.0
    """Exponent of the highlight, 0 to 1000."""
    solid: float = 1.0
    """1 hides what lies behind, 0 is perfectly clear."""

    @property
    def mirror(self) -> bool:
        return bool(MIRROR.search(self.name))

    @property
    def metallic(self) -> float:
        """Mirrors and shiny metals, told by their names: the files have no other word for it."""
        if self.mirror:
            return 1.0
        return 0.9 if METAL.search(self.name) and self.highlight >= 0.2 and self.picture is None else 0.0

    @property
    def roughness(self) -> float:
        """From the exponent of the highlight, as its width; weak highlights are rougher."""
        if self.mirror:
            return 0.02
        width = (2 / (self.sharpness + 2)) ** 0.25
        sharp = 1 - (1 - width) * min(1.0, 1.2 * self.highlight)
        return min(0.9, max(0.15, sharp))

    @property
    def clear(self) -> float:
        if self.solid >= 0.97:
            return 0.0
        return min(0.95, max(1 - self.solid, 0.7 if GLASS.search(self.name) else 0.0))


@dataclass
class _Reading:
    name: str
    numbers: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    picture: str | None = None

    def take(self, word: str, rest: str) -> None:
        if word == "map_Kd":
            self.picture = file_name(rest) or None
        elif word in ("Kd", "Ks", "Ns", "d", "Tr"):
            self.numbers[word] = [min(1000.0, max(0.0, float(part))) for part in rest.split()[:3]]

    def look(self) -> Look:
        one = {word: values[0] for word, values in self.numbers.items() if values}
        shine = self.numbers.get("Ks", [])
        return Look(
            name=self.name,
            colour=_colour(self.numbers.get("Kd", [])),
            picture=self.picture,
            highlight=min(1.0, sum(shine) / len(shine)) if shine else 0.0,
            sharpness=one.get("Ns", 0.0),
            solid=min(1.0, one.get("d", 1 - one.get("Tr", 0.0))),
        )


def read_mtl(content: bytes) -> dict[str, Look]:
    """The materials of an MTL file by name."""
    return {reading.name: reading.look() for reading in _readings(content)}


def linear(colour: Colour) -> Colour:
    """sRGB to linear light, no brighter than paint can be."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return min(BRIGHTEST, red), min(BRIGHTEST, green), min(BRIGHTEST, blue)


def _readings(content: bytes) -> Iterator[_Reading]:
    reading: _Reading | None = None
    for line in content.decode("utf-8", "replace").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "newmtl":
            if reading:
                yield reading
            reading = _Reading(rest.strip())
        elif reading:
            try:
                reading.take(word, rest)
            except ValueError:
                continue
    if reading:
        yield reading


def _colour(values: list[float]) -> Colour:
    if len(values) < 3:
        return GREY
    return min(1.0, values[0]), min(1.0, values[1]), min(1.0, values[2])
