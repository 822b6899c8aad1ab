"""Makes the rendered pictures of the documentation: `python -m benchmarks.docs_pictures [NAME ...]`.

Built-in assets only, so that anyone can make them. `docs/pictures/made.json` records what each file was made from and
its SHA-256. A test compares both: it says when a version of the look, the assets or a scene has changed since.
"""

import argparse
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from benchmarks.sparrta_sheet import encoded, sheet
from numpy.typing import NDArray
from PIL import Image

from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, triples_in
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.benchmarks.sparrta.scenes.staging import PRESETS, environment_stage
from tolman.benchmarks.theory_of_space.protocol.pictures import CALIBRATION_VERSION
from tolman.core.geometry import Heading
from tolman.core.seeds import digest
from tolman.render.assets.appearance import contact_sheet_entries, contact_sheet_pages
from tolman.render.assets.choose import builtin_source
from tolman.render.instruction_pictures import calibration_picture, object_legend_picture
from tolman.render.renderer import Renderer
from tolman.render.space_renderer import SPACE_LOOK_VERSION, SpaceRenderer
from tolman.render.stored_pictures import LOOK_VERSION
from tolman.world import START, generate
from tolman.world.space.floor import SpaceSettings
from tolman.world.space.generate import generate_space
from tolman.world.vocabulary import KIND_BY_NAME

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
MADE = FOLDER / "made.json"
SCENE, SIZE, GAP, PANORAMA = 7, 384, 6, 1024
SPACES = {
    "osr-panorama-open-plan.jpg": (3, SpaceSettings(shapes=("open",), least_pieces=25)),
    "osr-panorama-living-room.jpg": (5, SpaceSettings(shapes=("rectangle",))),
}
Rgb = NDArray[np.uint8]


def vision_world() -> list[Image.Image]:
    """Both calibration pictures and the view at the start that shows most."""
    scene, asset_of = generate(SCENE), builtin_source().asset
    renderer = Renderer(scene, asset_of)
    poses = [scene.pose_at(START, heading) for heading in Heading]
    pose = max(poses, key=lambda pose: len(np.unique(renderer.hits(pose, size=64).ids)))
    names = Image.fromarray(object_legend_picture(scene, asset_of, size=SIZE))
    names = names.resize((round(names.width * SIZE / names.height), SIZE), Image.Resampling.LANCZOS)
    shown = [calibration_picture(field=90.0, size=SIZE), np.asarray(names), renderer.ego(pose, size=SIZE).rgb]
    return [beside(shown)]


def things() -> list[Image.Image]:
    """Every kind with its name."""
    return list(contact_sheet_pages(list(contact_sheet_entries(list(KIND_BY_NAME.values()), builtin_source().asset))))


def space(name: str) -> list[Image.Image]:
    """A panorama of a furnished space."""
    seed, settings = SPACES[name]
    return [
        Image.fromarray(SpaceRenderer(generate_space(seed, settings), builtin_source().asset).panorama(PANORAMA).rgb)
    ]


def environments() -> list[Image.Image]:
    """One picture of each environment of SpaRRTa."""
    first = [triples_in(environment)[0] for environment in ENVIRONMENTS]
    stages = [environment_stage(triple, 0, "built-in", 224, PlacementRules(balanced=True)) for triple in first]
    return [beside([stage.take(0, PRESETS["standard"])[1].rgb for stage in stages])]


def beside(pictures: list[Rgb]) -> Image.Image:
    """Pictures of one height in a row."""
    gap = np.full((len(pictures[0]), GAP, 3), 255, np.uint8)
    return Image.fromarray(np.concatenate([part for picture in pictures for part in (picture, gap)][:-1], axis=1))


def groups() -> dict[str, tuple[list[str], Callable[[], list[Image.Image]]]]:
    """Files by the name of their group, and the function that makes them."""
    made: dict[str, tuple[list[str], Callable[[], list[Image.Image]]]] = {
        "vision-world": (["vision-world.jpg"], vision_world),
        "things": ([f"things-{page}.jpg" for page in range(1, 1 + -(-len(KIND_BY_NAME) // 15))], things),
        "sparrta": (["sparrta.jpg"], environments),
    }
    for name in SPACES:
        made[name.removesuffix(".jpg")] = ([name], lambda name=name: space(name))
    for environment in ENVIRONMENTS:
        name = f"sparrta-{environment.replace('_', '-')}"
        made[name] = ([f"{name}.jpg"], lambda environment=environment: [sheet(environment, "built-in")])
    return made


def inputs(name: str) -> str:
    """Digest of what the pictures of a group are made from."""
    versions: list[object] = [LOOK_VERSION, SPACE_LOOK_VERSION, CALIBRATION_VERSION, builtin_source().digest]
    if name == "vision-world":
        versions.append(generate(SCENE).digest)
    if f"{name}.jpg" in SPACES:
        versions.append(generate_space(*SPACES[f"{name}.jpg"]).digest)
    return digest([name, *versions])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(groups()), help=", ".join(groups()))
    made = json.loads(MADE.read_text()) if MADE.exists() else {}
    for name in parser.parse_args().names:
        files, make = groups()[name]
        for file, picture in zip(files, make(), strict=True):
            data = encoded(picture)
            (FOLDER / file).write_bytes(data)
            made[file] = {"group": name, "inputs": inputs(name), "sha256": hashlib.sha256(data).hexdigest()}
            print(file, flush=True)
        MADE.write_text(json.dumps(dict(sorted(made.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
