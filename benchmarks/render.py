"""What a picture costs and how far it is from a reference: CPU seconds a view by preset, RMSE, memory."""

import argparse
import resource
import time

import numpy as np
from numpy.typing import NDArray

from tolman.geometry import Heading
from tolman.render.assets.choose import find_source
from tolman.render.engine.variant import variant
from tolman.render.renderer import Picture, Renderer
from tolman.world import START, WorldSettings, generate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", default="auto")
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--reference", action="store_true", help="compare with a reference picture too (minutes)")
    options = parser.parse_args()
    scene = generate(7)
    model_of = find_source(options.models).model
    pictures: dict[str, list[Picture]] = {}
    print(f"engine {variant()}, {options.size} by {options.size} pixels, models {options.models}")
    for preset in ("draft", "standard", *(["reference"] if options.reference else [])):
        begin = time.process_time()
        renderer = Renderer(scene, model_of, preset)
        renderer.outlines(scene.pose_at(START, Heading.NORTH), size=options.size)
        built = time.process_time() - begin
        for heading in (Heading.NORTH, Heading.EAST):  # programs are compiled on the way
            renderer.ego(scene.pose_at(START, heading), size=options.size)
        begin, wall = time.process_time(), time.perf_counter()
        pictures[preset] = [renderer.ego(scene.pose_at(START, heading), size=options.size) for heading in Heading]
        cpu, wall = (time.process_time() - begin) / 4, (time.perf_counter() - wall) / 4
        print(f"{preset:10} {cpu:6.2f} CPU s a view, {wall:6.2f} s; built once in {built:.2f} CPU s")
    renderer = Renderer(scene, model_of)
    renderer.outlines(scene.pose_at(START, Heading.NORTH), size=options.size)
    begin = time.process_time()
    for heading in Heading:
        renderer.outlines(scene.pose_at(START, heading), size=options.size)
    print(f"ids, depth {(time.process_time() - begin) / 4 * 1000:6.1f} CPU ms a view")
    for preset, found in pictures.items():
        if options.reference and preset != "reference":
            print(f"{preset:10} RMSE {_rmse(found, pictures['reference']):.4f} of sRGB in [0, 1]")
    large = Renderer(generate(3, WorldSettings(rooms=12)), model_of, "draft")
    large.ego(large.scene.pose_at(START, Heading.NORTH), size=options.size)
    print(f"peak memory with 12 rooms {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")


def _rmse(found: list[Picture], true: list[Picture]) -> float:
    def values(pictures: list[Picture]) -> NDArray[np.float64]:
        return np.stack([picture.rgb for picture in pictures]) / 255.0

    return float(np.sqrt(((values(found) - values(true)) ** 2).mean()))


if __name__ == "__main__":
    main()
