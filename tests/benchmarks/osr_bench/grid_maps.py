"""Maps for tests: drawn by hypothesis, made from seeds, and the authors' where they are at hand."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import strategies as st

from tolman.benchmarks.osr_bench.dataset.files import room_map
from tolman.benchmarks.osr_bench.maps.grid import GridMap, map_from_instances
from tolman.world.space import generate_space

RELEASED = Path(__file__).resolve().parents[4] / "shared" / "published" / "osr-bench"
needs_released = pytest.mark.skipif(not RELEASED.is_dir(), reason="the released scenes are not beside this checkout")
CLASSES: tuple[str, ...] = (
    "bed",
    "bottom_cabinet",
    "cabinet",
    "chair",
    "lamp",
    "rug",
    "sofa",
    "table",
    "trash can",
    "tv",
)
ABSENT: tuple[str, ...] = ("bath", "bench", "bin", "book", "box", "broom")

names = st.sampled_from([str(name) for name in CLASSES])
places = st.tuples(st.integers(0, 9), st.integers(0, 9))
grid_maps = st.dictionaries(names, st.lists(places, min_size=1, max_size=4), max_size=10).map(map_from_instances)


def drawn(picture: str) -> GridMap:
    """A map from rows of letters, a dot for an empty cell; each letter is a class."""
    rows = [line.split() for line in picture.strip().splitlines()]
    return GridMap(tuple(tuple(() if cell == "." else tuple(cell) for cell in row) for row in rows))


@cache
def fresh_maps(count: int = 100, first: int = 5000) -> tuple[GridMap, ...]:
    """Maps of rooms from seeds that nothing else uses."""
    return tuple(room_map(generate_space(seed)) for seed in range(first, first + count))
