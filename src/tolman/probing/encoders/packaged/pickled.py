"""Weights out of a pickle, once: torch reads it with nothing but numbers allowed, in a process that is thrown away."""

import subprocess
import sys
from pathlib import Path

from safetensors.numpy import load

from tolman.models.local.wheel_data import WeightsError
from tolman.probing.encoders.packaged.folding import Arrays

_READ = """
import sys
import torch
from safetensors.torch import save_file
stored = torch.load(sys.argv[1], map_location="cpu", weights_only=True)
save_file({name: values.float().contiguous().clone() for name, values in stored.items()}, sys.argv[2])
"""


def read_pickle(path: Path) -> Arrays:
    """All numbers of a state dictionary, by name, in 32 bits. The file is deleted."""
    kept = path.with_suffix(".safetensors")
    command = [sys.executable, "-I", "-c", _READ, str(path), str(kept)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    path.unlink()
    if run.returncode or not kept.is_file():
        said = run.stderr.strip().splitlines()
        raise WeightsError(f"{path.name} holds no plain weights: {said[-1] if said else 'torch ended without a word'}")
    return load(kept.read_bytes())
