"""The scripts of examples/train, importable as they are for who runs them, and a tiny model on a few worlds."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TRAIN = Path(__file__).parents[2] / "examples" / "train"


@pytest.fixture(scope="module")
def scripts() -> Iterator[Path]:
    """The folder of the scripts, on the path of modules."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    before = set(sys.modules)
    sys.path.insert(0, str(TRAIN))
    yield TRAIN
    sys.path.remove(str(TRAIN))
    for name in set(sys.modules) - before:
        if str(TRAIN) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture(scope="module")
def tiny(scripts: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Folders with demonstrations in one room, and with an untrained model."""
    del scripts
    import data  # pyright: ignore[reportMissingImports]
    import untrained  # pyright: ignore[reportMissingImports]

    folder = tmp_path_factory.mktemp("train")
    data.make(range(200_000, 200_036), 1, 3, folder / "data", 1)  # pyright: ignore[reportUnknownMemberType]
    size = untrained.Size(1500, hidden=64, inner=128, layers=2, key_heads=2)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    untrained.make(folder / "data", folder / "tiny", size, worlds=8)  # pyright: ignore[reportUnknownMemberType]
    return folder / "data", folder / "tiny"
