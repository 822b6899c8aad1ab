"""Contact sheets of twenty fresh seeds: `python benchmarks/contact_sheets.py [WORLD ...] --out docs/pictures`.

Worlds are `rooms` (the vision world), `panoramas` (OSR-Bench, both versions of rooms) and `outdoors` (SpaRRTa). None
was chosen: seeds follow each other, and a room is seen from the free cell nearest to its middle, towards most things.
"""

import argparse
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, triples_in
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.benchmarks.sparrta.scenes.staging import PRESETS, environment_stage, variant_of
from tolman.core.geometry import Heading
from tolman.render.assets.choose import find_source, surface_pack
from tolman.render.renderer import Renderer
from tolman.render.space_renderer import SpaceRenderer
from tolman.world import Pose, Scene, generate
from tolman.world.space import SpaceSettings, generate_space

Pixels = NDArray[np.uint8]
FIRST, NUMBER = 9000, 20
_QUALITY = 82


def rooms(assets: str) -> list[Pixels]:
    """One view of a room of each scene."""
    source, pictures = find_source(assets), list[Pixels]()
    for seed in range(FIRST, FIRST + NUMBER):
        scene = generate(seed)
        renderer = Renderer(scene, source.asset, pack=surface_pack(source))
        poses = _poses(scene, seed)
        best = max(poses, key=lambda pose: len(np.unique(renderer.hits(pose, size=96).ids)))
        pictures.append(renderer.ego(best, size=224).rgb)
        print("rooms", seed, flush=True)
    return pictures


def _poses(scene: Scene, seed: int) -> list[Pose]:
    room = scene.rooms[seed % len(scene.rooms)]
    middle = [(low + high) / 2 for low, high in zip(room.low, room.high, strict=True)]
    taken = {thing.cell for thing in scene.things}
    free = [cell for cell in room.cells if cell not in taken]
    cell = min(free, key=lambda cell: (cell[0] - middle[0]) ** 2 + (cell[1] - middle[1]) ** 2)
    return [Pose(cell, heading, (room.id,)) for heading in Heading]


def panoramas(assets: str) -> list[Pixels]:
    """The panoramas of ten rooms of each version."""
    source, pictures = find_source(assets), list[Pixels]()
    for seed in range(FIRST, FIRST + NUMBER):
        settings = SpaceSettings(least_pieces=25 if seed % 2 else 0)
        space = generate_space(seed, settings)
        pictures.append(SpaceRenderer(space, source.asset, pack=surface_pack(source)).panorama(448).rgb)
        print("panoramas", seed, len(space.pieces), flush=True)
    return pictures


def outdoors(assets: str) -> list[Pixels]:
    """Four pictures of each environment, one for each of its triples and one more."""
    pictures: list[Pixels] = []
    for environment in ENVIRONMENTS:
        triples = triples_in(environment)
        for k in range(NUMBER // len(ENVIRONMENTS)):
            index = next(i for i in range(FIRST + 50 * k, FIRST + 50 * k + 200) if variant_of(environment, i) == k)
            rules = PlacementRules(balanced=True)
            stage = environment_stage(triples[k % len(triples)], k, assets, 224, rules)
            pictures.append(stage.take(index, PRESETS["standard"])[1].rgb)
            print("outdoors", environment, index, flush=True)
    return pictures


WORLDS: dict[str, tuple[Callable[[str], list[Pixels]], int]] = {
    "rooms": (rooms, 5),
    "panoramas": (panoramas, 4),
    "outdoors": (outdoors, 4),
}
"""With the pictures in a row of the sheet."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("worlds", nargs="*", default=list(WORLDS))
    arguments.add_argument("--out", type=Path, default=Path("docs/pictures"))
    arguments.add_argument("--assets", default="auto")
    asked = arguments.parse_args()
    for world in asked.worlds:
        make, columns = WORLDS[world]
        pictures = make(asked.assets)
        rows = [np.concatenate(pictures[i : i + columns], axis=1) for i in range(0, len(pictures), columns)]
        buffer = io.BytesIO()
        Image.fromarray(np.concatenate(rows)).save(buffer, "JPEG", quality=_QUALITY, optimize=True)
        asked.out.mkdir(parents=True, exist_ok=True)
        file = asked.out / f"sheet-{world}.jpg"
        file.write_bytes(buffer.getvalue())
        print(file)


if __name__ == "__main__":
    main()
