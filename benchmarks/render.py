"""What a picture costs and how far it is from a reference: CPU seconds a view by preset, errors, memory.

Errors are of display values: RMSE in [0, 1], SSIM (1 is the same) and, with `pip install flip-evaluator`, mean FLIP
(0 is the same) as at 67 pixels a degree. They are against the `reference` preset with its own grain taken out: after
1024 samples more is left than `standard` is off. `blender_cycles.py` measures another engine beside this one.
"""

import argparse
import importlib
import importlib.util
import resource
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.core.geometry import Heading
from tolman.render.assets.choose import find_source
from tolman.render.building.things import AssetOf
from tolman.render.engine.variant import variant
from tolman.render.renderer import Picture, Renderer
from tolman.world import START, Scene, WorldSettings, generate

Floats = NDArray[np.float64]
PRESETS = ("preview", "draft", "standard")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assets", default="auto")
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--reference", action="store_true", help="compare with reference pictures too (minutes a view)")
    parser.add_argument("--samples", type=int, default=1024, help="of a reference picture, for each pixel")
    parser.add_argument("--views", type=int, default=4, help="views that are rendered, from 1 to 4")
    options = parser.parse_args()
    scene, model_of = generate(7), find_source(options.assets).asset
    headings = (Heading.EAST, Heading.NORTH, Heading.SOUTH, Heading.WEST)[: options.views]
    print(f"engine {variant()}, {options.size} by {options.size} pixels, models {options.assets}")
    found = {preset: _timed(scene, model_of, preset, headings, options.size) for preset in PRESETS}
    _time_outlines(Renderer(scene, model_of), options.size)
    large = Renderer(generate(3, WorldSettings(rooms=12)), model_of, "draft")
    large.ego(large.scene.pose_at(START, Heading.NORTH), size=options.size)
    print(f"peak memory with 12 rooms {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")
    if options.reference:
        _compare(found, _references(scene, model_of, headings, options.size, options.samples))


def _timed(
    scene: Scene, model_of: AssetOf, preset: str, headings: Sequence[Heading], size: int
) -> list[NDArray[np.uint8]]:
    """Renders the views and prints what one of them took."""
    begin = time.process_time()
    renderer = Renderer(scene, model_of, preset)
    renderer.hits(scene.pose_at(START, Heading.NORTH), size=size)
    built = time.process_time() - begin
    for heading in (Heading.NORTH, Heading.EAST):  # programs are compiled on the way
        renderer.ego(scene.pose_at(START, heading), size=size)
    begin, wall = time.process_time(), time.perf_counter()
    pictures: list[Picture] = [renderer.ego(scene.pose_at(START, heading), size=size) for heading in headings]
    cpu, wall = (time.process_time() - begin) / len(headings), (time.perf_counter() - wall) / len(headings)
    print(f"{preset:10} {cpu:6.2f} CPU s a view, {wall:6.2f} s; built once in {built:.2f} CPU s", flush=True)
    return [picture.rgb for picture in pictures]


def _references(
    scene: Scene, model_of: AssetOf, headings: Sequence[Heading], size: int, samples: int
) -> list[NDArray[np.uint8]]:
    renderer = Renderer(scene, model_of, "reference")
    renderer.preset = replace(renderer.preset, samples=samples, denoised=True)
    begin = time.process_time()
    pictures = [renderer.ego(scene.pose_at(START, heading), size=size).rgb for heading in headings]
    print(f"reference  {(time.process_time() - begin) / len(headings):6.0f} CPU s a view of {samples} samples")
    return pictures


def _time_outlines(renderer: Renderer, size: int) -> None:
    renderer.hits(renderer.scene.pose_at(START, Heading.NORTH), size=size)
    begin = time.process_time()
    for heading in Heading:
        renderer.hits(renderer.scene.pose_at(START, heading), size=size)
    print(f"ids, depth {(time.process_time() - begin) / 4 * 1000:6.1f} CPU ms a view")


def _compare(found: dict[str, list[NDArray[np.uint8]]], reference: list[NDArray[np.uint8]]) -> None:
    true = [picture / 255.0 for picture in reference]
    print(f"{'preset':10} {'RMSE':>7} {'SSIM':>7} {'FLIP':>7}")
    for preset, pictures in found.items():
        pairs = [(picture / 255.0, other) for picture, other in zip(pictures, true, strict=True)]
        errors = [float(np.mean([measure(*pair) for pair in pairs])) for measure in (_rmse, ssim, _flip)]
        print(f"{preset:10} " + " ".join(f"{error:7.4f}" for error in errors))


def _rmse(picture: Floats, true: Floats) -> float:
    return float(np.sqrt(((picture - true) ** 2).mean()))


def ssim(picture: Floats, true: Floats) -> float:
    """Structural similarity of brightness, in Gaussian windows of 1.5 pixels (Wang and others, 2004)."""
    a, b = (image @ np.array([0.2126, 0.7152, 0.0722]) for image in (picture, true))
    mean_a, mean_b = _blurred(a), _blurred(b)
    spread_a, spread_b = _blurred(a * a) - mean_a**2, _blurred(b * b) - mean_b**2
    shared = _blurred(a * b) - mean_a * mean_b
    small, smaller = 0.01**2, 0.03**2
    alike = (2 * mean_a * mean_b + small) * (2 * shared + smaller)
    return float((alike / ((mean_a**2 + mean_b**2 + small) * (spread_a + spread_b + smaller))).mean())


def _blurred(values: Floats, sigma: float = 1.5, reach: int = 5) -> Floats:
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    for _ in range(2):
        padded = np.pad(values, ((reach, reach), (0, 0)), mode="reflect")
        values = sum((w * padded[i : i + len(values)] for i, w in enumerate(weights.tolist())), np.zeros(1)).T
    return values


def _flip(picture: Floats, true: Floats) -> float:
    if importlib.util.find_spec("flip_evaluator") is None:
        return float("nan")
    flip: Any = importlib.import_module("flip_evaluator")
    _, mean, _ = flip.evaluate(true.astype(np.float32), picture.astype(np.float32), "LDR")
    return float(mean)


if __name__ == "__main__":
    main()
