"""Heads that were chosen, one safetensors file for a cell: for pictures of what they look at."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from tolman.errors import SceneFileError
from tolman.probing.cells import CellRun
from tolman.probing.heads import HeadShape, Parameters
from tolman.whole_file import write_whole


def write_heads(path: Path, run: CellRun) -> None:
    """Keep the chosen head of each seed."""
    seeds = [result.seed for result in run.results]
    stored = {
        f"{seed}/{name}": values.cpu().contiguous()
        for seed, head in zip(seeds, run.heads, strict=True)
        for name, values in head.items()
    }
    write_whole(path, save(stored, metadata={"shape": json.dumps(asdict(run.shape))}), lasting=False)


def read_heads(path: Path) -> tuple[HeadShape, dict[int, Parameters]]:
    """The shape of the heads, and the head of each seed."""
    try:
        with cast("Any", safe_open)(path, framework="pt") as stored:
            shape = HeadShape(**json.loads(stored.metadata()["shape"]))
            heads: dict[int, Parameters] = {}
            for key in stored.keys():  # noqa: SIM118
                seed, _, name = key.partition("/")
                heads.setdefault(int(seed), {})[name] = stored.get_tensor(key)
    except (SafetensorError, OSError, KeyError, TypeError, ValueError):
        raise SceneFileError(f"{path} holds no heads of a probe: delete its cell and probe again") from None
    return shape, heads
