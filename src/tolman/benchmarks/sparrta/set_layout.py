"""Files of a set: pictures and parameters as the authors have them, and beside them what they have not.

DIR/desert_2/mid-objects/img_00017.jpg, params_00017.json    as released
DIR/desert_2/truth/ids_00017.png                             1 source, 2 target, 3 human, 0 all else
DIR/desert_2/truth/depth_00017.png                           centimetres along each pixel's ray, 16 bits
DIR/desert_2/truth/truth_00017.json                          poses, boxes, pixels, labels, light, seeds
"""

from collections.abc import Mapping
from pathlib import Path

from tolman.benchmarks.sparrta.triples import Triple

INNER, TRUTH = "mid-objects", "truth"
_DIGITS = 5


def set_files(out: Path, triple: Triple, index: int) -> dict[str, Path]:
    """Where the files of a picture lie, by what they are; the last one is written last."""
    inner, truth, number = out / triple.name / INNER, out / triple.name / TRUTH, f"{index:0{_DIGITS}}"
    return {
        "image": inner / f"img_{number}.jpg",
        "params": inner / f"params_{number}.json",
        "ids": truth / f"ids_{number}.png",
        "depth": truth / f"depth_{number}.png",
        "truth": truth / f"truth_{number}.json",
    }


def is_made(files: Mapping[str, Path]) -> bool:
    """Whether all files of a picture are there. Each is written whole or not at all."""
    return all(path.is_file() and path.stat().st_size > 0 for path in files.values())
