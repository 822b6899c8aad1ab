"""Faults of pictures, as figures: edges, the seam of panoramas, and flicker on door jambs.

    python -m benchmarks.picture_faults            # with PYTHONPATH=CHECKOUT/src, of another version

- Edges: SSIM, and RMSE of display values over pixels at edges, against the same engine with 128 samples, denoised.
- Seam: mean step of grey levels from the last column of a panorama to its first, beside the step between the same two
  directions in the middle of a panorama that is turned by half: what is there in the room, such as the edge of a thing,
  steps in both, and only the difference is a seam. Beside it, the step between other columns.
- Jambs: looking at the side of a doorway from within it, mean step between neighbouring pixels in grey levels. Faces
  in one plane show as a pattern.
- Exposure: mean grey of views, lowest and highest.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from benchmarks.render import ssim
from numpy.typing import NDArray

from tolman.core.geometry import Heading
from tolman.render.assets.choose import find_source
from tolman.render.engine.values import PRESETS
from tolman.render.renderer import Renderer
from tolman.world import START, Pose, generate

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
_EDGE = 0.06
"""Least step of brightness between neighbours in the reference."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--samples", type=int, default=128, help="of the reference")
    parser.add_argument("--seeds", type=int, nargs="+", default=[7, 11, 12])
    options = parser.parse_args()
    renderers = [Renderer(generate(seed), find_source("built-in").asset) for seed in options.seeds]
    alike, off = np.mean([edges(renderer, options.size, options.samples) for renderer in renderers], axis=0)
    print(f"edges      SSIM {alike:.4f}, RMSE at edges {off:.4f}, {len(renderers)} views", flush=True)
    seam, same, usual = np.mean([seam_step(renderer, options.size * 2) for renderer in renderers], axis=0)
    print(f"seam       {seam:.2f} grey levels, the same place in the middle of a picture {same:.2f}, ", end="")
    print(f"between other columns {usual:.2f}", flush=True)
    print(
        f"jambs      {np.mean([jamb_step(renderer, options.size) for renderer in renderers]):.2f} grey levels",
        flush=True,
    )
    greys = [grey for renderer in renderers for grey in mean_greys(renderer)]
    print(f"exposure   mean grey {min(greys):.0f} to {max(greys):.0f} in {len(greys)} views")


def edges(renderer: Renderer, size: int, samples: int) -> tuple[float, float]:
    """SSIM, and RMSE at edges, of one view."""
    pose = fullest(renderer, [renderer.scene.pose_at(START, heading) for heading in Heading])
    picture = renderer.ego(pose, size=size).rgb / 255.0
    usual = renderer.preset
    renderer.preset = replace(PRESETS["reference"], samples=samples, denoised=True)
    true = renderer.ego(pose, size=size).rgb / 255.0
    renderer.preset = usual
    grey = true.mean(axis=-1)
    steps = np.maximum(np.abs(np.diff(grey, axis=0))[:, :-1], np.abs(np.diff(grey, axis=1))[:-1])
    at_edge = np.zeros(grey.shape, bool)
    for row in (0, 1):
        for column in (0, 1):
            at_edge[row : row + steps.shape[0], column : column + steps.shape[1]] |= steps > _EDGE
    return ssim(picture, true), float(np.sqrt(((picture - true)[at_edge] ** 2).mean()))


def fullest(renderer: Renderer, poses: Sequence[Pose]) -> Pose:
    """The pose that shows most of things and doors."""
    return max(poses, key=lambda pose: int((renderer.hits(pose, size=64).ids > 0).sum()))


def seam_step(renderer: Renderer, width: int) -> tuple[float, float, float]:
    """Grey levels between the last and the first column, between the same directions in mid-picture, and elsewhere."""
    north, south = (
        renderer.panorama(renderer.scene.pose_at(START, heading), width=width).rgb.astype(float)
        for heading in (Heading.NORTH, Heading.SOUTH)
    )
    seam = np.abs(north[:, 0] - north[:, -1]).mean()
    same = np.abs(south[:, width // 2] - south[:, width // 2 - 1]).mean()
    return float(seam), float(same), float(np.abs(np.diff(north, axis=1)).mean())


def jamb_step(renderer: Renderer, size: int) -> float:
    """Grey levels between neighbouring pixels on the side of a doorway."""
    door = renderer.scene.doors[0]
    heading = Heading.NORTH if door.axis == "x" else Heading.EAST
    picture = renderer.ego(renderer.scene.pose_at(door.name, heading), size=size).rgb.astype(float)
    reach = round(size * 0.04)  # the wall is 0.1 m thick, 0.45 m away
    part = picture[size // 4 : size * 3 // 4, size // 2 - reach : size // 2 + reach]
    return float(np.abs(np.diff(part, axis=0)).mean() + np.abs(np.diff(part, axis=1)).mean()) / 2


def mean_greys(renderer: Renderer) -> list[float]:
    """Mean grey of a view in each room."""
    scene = renderer.scene
    chosen = [next(thing for thing in scene.things if room.holds(thing.cell)) for room in scene.rooms]
    return [float(renderer.ego(scene.pose_at(thing.name, Heading.EAST), size=64).rgb.mean()) for thing in chosen]


if __name__ == "__main__":
    main()
