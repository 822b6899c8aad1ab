"""A table of a set, one row a picture: Parquet, which polars, pandas and `datasets` read."""

import hashlib
import importlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tolman.benchmarks.sparrta.relations import VIEWPOINTS
from tolman.benchmarks.sparrta.sample import ROLES
from tolman.benchmarks.sparrta.set_files import read_truth
from tolman.errors import RenderError
from tolman.whole_file import write_whole

INDEX = "index.parquet"


def write_set_index(out: Path, rows: Sequence[Mapping[str, Path]]) -> Path:
    """Write the table of a set from its files, by what they are. The same pictures give the same bytes."""
    arrow, parquet = _library("pyarrow"), _library("pyarrow.parquet")
    buffer = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist([_row(out, files) for files in rows]), buffer, compression="zstd")
    write_whole(out / INDEX, buffer.getvalue())
    return out / INDEX


def _row(out: Path, files: Mapping[str, Path]) -> dict[str, Any]:
    truth = read_truth(files["truth"])
    row: dict[str, Any] = {"triple": truth["triple"], "index": truth["index"], "variant": truth["variant"]}
    row |= {name: path.relative_to(out).as_posix() for name, path in files.items()}
    row["sha256"] = hashlib.sha256(files["image"].read_bytes()).hexdigest()
    for view in VIEWPOINTS:
        row |= {view: truth["labels"][view]["relation"], f"{view}_bearing": truth["labels"][view]["bearing"]}
    row |= dict(zip(("camera_x", "camera_y", "camera_z"), truth["camera"]["at"], strict=True))
    for role in ROLES:
        actor = truth["actors"][role]
        row |= dict(zip((f"{role}_x", f"{role}_y", f"{role}_z"), actor["at"], strict=True))
        row |= {f"{role}_{name}": actor[name] for name in ("kind", "heading", "pixels", "pixels_alone")}
    return row | {f"sun_{name}": truth["light"][name] for name in ("bearing", "height", "cover", "haze")}


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise RenderError("an index of pictures needs pyarrow: pip install 'tolman[render]'") from None
