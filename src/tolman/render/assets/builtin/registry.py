"""The table of makers: `@model("armchair")` above a function makes it the one that builds armchairs."""

from collections.abc import Callable, Iterable

import numpy as np

from tolman.render.shapes.model import Mesh, Model

Stream = np.random.Generator
Maker = Callable[[Stream], Model]

MAKERS: dict[str, Maker] = {}
"""By kind. A maker draws all its choices from the stream that it is given, so that a seed decides them."""


def model(kind: str) -> Callable[[Maker], Maker]:
    """Enters a function into the table of makers."""

    def entered(maker: Maker) -> Maker:
        MAKERS[kind] = maker
        return maker

    return entered


def built(*parts: Mesh | Iterable[Mesh]) -> Model:
    """A model from meshes and lists of meshes."""
    meshes: list[Mesh] = []
    for part in parts:
        meshes.extend([part] if isinstance(part, Mesh) else part)
    return Model(tuple(meshes))
