"""What Blender's Cycles, the engine one might pick instead, needs for the same view at equal noise, beside ours.

Both get the same meshes, colours, lights, camera, bounces and denoiser (Open Image Denoise). Noise is RMSE of display
values against a picture of many samples by the same engine. CPU seconds are of one view; building is not counted.

    python3.11 -m venv blender && blender/bin/pip install bpy==4.5.15    # 372 MB, GPL
    python benchmarks/blender_cycles.py --blender blender/bin/python
"""

import argparse
import json
import math
import subprocess
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tolman.core.geometry import Heading
from tolman.render.assets.choose import find_source
from tolman.render.building.rooms import appearance_seed, scene_parts
from tolman.render.building.walls import EYE
from tolman.render.camera import Perspective
from tolman.render.engine.conversion import to_srgb
from tolman.render.engine.traced_scene import TracedScene
from tolman.render.engine.values import PRESETS, RenderPreset, ScenePart
from tolman.render.shapes.mesh import Texture
from tolman.world import START, generate

SAMPLES = (1, 2, 4, 8, 16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blender", required=True, help="a Python that has bpy")
    parser.add_argument("--assets", default="built-in")
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--many", type=int, default=128, help="samples of the pictures that noise is measured against")
    parser.add_argument("--keep", type=Path, help="folder in which the pictures are left")
    options = parser.parse_args()
    scene = generate(7)
    pose = scene.pose_at(START, Heading.EAST)
    camera = Perspective(*pose.cell, EYE, pose.heading.degrees, 90.0, options.size, options.size)
    parts = scene_parts(scene, find_source(options.assets).asset, appearance_seed(scene))
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        standard = _ours(TracedScene(parts), camera, pose.cell, options.many, folder)
        _write(folder, [part for part in parts if part.hidden_at != pose.cell], camera, options.many)
        here = Path(__file__).with_name("blender_render.py")
        subprocess.run([options.blender, str(here), str(folder)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        _cycles(folder, options.many, standard)


def _ours(
    stage: TracedScene, camera: Perspective, cell: tuple[int, int], many: int, folder: Path
) -> tuple[float, float]:
    """Prints our presets; gives CPU seconds and noise of `standard`."""
    presets = [PRESETS["draft"], PRESETS["standard"], replace(PRESETS["standard"], samples=many)]
    seen: list[tuple[RenderPreset, float, NDArray[np.uint8]]] = []
    for preset in presets:
        stage.render(camera, replace(preset, samples=min(preset.samples, 16)), cell)
        begin = time.process_time()
        picture = to_srgb(stage.render(camera, preset, cell, seed=1).light)
        seen.append((preset, time.process_time() - begin, picture))
        np.save(folder / f"ours-{preset.samples}.npy", picture)
    print(f"{'engine':24} samples  CPU s a view   RMSE")
    rows = [(cpu, _rmse(picture, seen[-1][2])) for _, cpu, picture in seen]
    for (preset, _, _), (cpu, noise) in zip(seen[:-1], rows, strict=False):
        print(f"{'Tolman ' + preset.name:24} {preset.samples:7} {cpu:13.2f} {noise:6.4f}")
    return rows[1]


def _write(folder: Path, parts: list[ScenePart], camera: Perspective, many: int) -> None:
    arrays: dict[str, NDArray[np.generic]] = {}
    told: list[dict[str, object]] = []
    for number, mesh in enumerate(part.mesh for part in parts):
        arrays[f"points{number}"], arrays[f"triangles{number}"] = mesh.points, mesh.triangles
        if mesh.normals is not None:
            arrays[f"normals{number}"] = mesh.normals
        colour = mesh.material.colour
        textured = isinstance(colour, Texture) and mesh.coordinates is not None
        if isinstance(colour, Texture) and mesh.coordinates is not None:
            arrays[f"coordinates{number}"], arrays[f"image{number}"] = mesh.coordinates, colour.image
        plain = (0.5, 0.5, 0.5) if isinstance(colour, Texture) else colour
        look = {name: getattr(mesh.material, name) for name in ("roughness", "metallic", "clear", "glow")}
        told.append({"smooth": mesh.normals is not None, "textured": textured, "colour": plain, **look})
    np.savez(folder / "scene.npz", **arrays)  # pyright: ignore[reportArgumentType]
    lens = {**asdict(camera), "size": camera.width}
    (folder / "scene.json").write_text(json.dumps({"parts": told, "camera": lens, "samples": [*SAMPLES, many]}))


def _cycles(folder: Path, many: int, standard: tuple[float, float]) -> None:
    """Prints Cycles by samples, and what it needs for the noise that our `standard` has."""
    found = json.loads((folder / "cycles.json").read_text())
    true = to_srgb(np.load(folder / f"cycles-{many}.npy"))
    noises = [_rmse(to_srgb(np.load(folder / f"cycles-{samples}.npy")), true) for samples in SAMPLES]
    costs = [float(found["costs"][str(samples)]["cpu"]) for samples in SAMPLES]
    for samples, cpu, noise in zip(SAMPLES, costs, noises, strict=True):
        print(f"{'Blender ' + found['version'] + ' Cycles':24} {samples:7} {cpu:13.2f} {noise:6.4f}")
    cpu, noise = standard
    equal = math.exp(
        float(np.interp(-math.log(noise), [-math.log(other) for other in noises], [math.log(cost) for cost in costs]))
    )
    print(f"at the noise of our standard, {noise:.4f}: Cycles {equal:.1f} CPU s, {equal / cpu:.1f} times ours")


def _rmse(picture: NDArray[np.uint8], true: NDArray[np.uint8]) -> float:
    """Of display values in [0, 1]."""
    return float(np.sqrt((((picture / 255.0) - (true / 255.0)) ** 2).mean()))


if __name__ == "__main__":
    main()
