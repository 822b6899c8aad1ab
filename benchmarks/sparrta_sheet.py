"""Contact sheets of SpaRRTa's environments: `python benchmarks/sparrta_sheet.py --out docs/pictures [ENVIRONMENT ...]`.

Each shows all three triples in four variants, two pictures of each: the first ones there are, none chosen.
"""

import argparse
import io
from pathlib import Path

import numpy as np
from PIL import Image

from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, triples_in
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.benchmarks.sparrta.scenes.staging import PRESETS, environment_stage, variant_of

VARIANTS, EACH, COLUMNS, SIZE = 4, 2, 6, 224
MOST_BYTES = 250_000


def sheet(environment: str, assets: str = "auto") -> Image.Image:
    """The sheet of an environment: a triple takes up a third of its rows."""
    rules = PlacementRules(balanced=True)
    pictures: list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]] = []
    for triple in triples_in(environment):
        for variant in range(VARIANTS):
            numbers = [index for index in range(200) if variant_of(environment, index) == variant][:EACH]
            stage = environment_stage(triple, variant, assets, SIZE, rules)
            pictures += [stage.take(index, PRESETS["standard"])[1].rgb for index in numbers]
    rows = [np.concatenate(pictures[i : i + COLUMNS], axis=1) for i in range(0, len(pictures), COLUMNS)]
    return Image.fromarray(np.concatenate(rows))


def encoded(picture: Image.Image) -> bytes:
    """The best JPEG that is small enough."""
    tries = (_jpeg(picture, quality) for quality in range(90, 30, -5))
    return next(data for data in tries if len(data) <= MOST_BYTES)


def _jpeg(picture: Image.Image, quality: int) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality, optimize=True)
    return buffer.getvalue()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("environments", nargs="*", default=list(ENVIRONMENTS))
    arguments.add_argument("--out", type=Path, default=Path("docs/pictures"))
    asked = arguments.parse_args()
    for environment in asked.environments:
        asked.out.mkdir(parents=True, exist_ok=True)
        file = asked.out / f"sparrta-{environment.replace('_', '-')}.jpg"
        file.write_bytes(encoded(sheet(environment)))
        print(file)


if __name__ == "__main__":
    main()
