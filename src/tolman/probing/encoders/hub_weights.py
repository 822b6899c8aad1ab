"""Weights from a folder of the user's, or from the hub and its cache. Safetensors only, as pickles can execute code."""

import hashlib
from pathlib import Path
from typing import Any

from tolman.core.package_archive import WeightsError

_PATTERNS = ["config.json", "model*.safetensors", "model.safetensors.index.json"]


def weights_folder(hub_id: str, given: Path | None) -> Path:
    """A folder with `config.json` and weights: the given one, else the hub's, cached if possible."""
    if given is not None:
        if not given.is_dir():
            raise WeightsError(f"--weights {given} is not a folder")
        if not list(given.glob("*.safetensors")):
            raise WeightsError(
                f"--weights {given} has no .safetensors file; pickles are never read, convert them first"
            )
        if not (given / "config.json").is_file():
            raise WeightsError(f"--weights {given} has no config.json: put the model's own beside its weights")
        return given
    import huggingface_hub  # noqa: PLC0415

    untyped: Any = huggingface_hub
    own = f"--weights DIR with config.json and model.safetensors of {hub_id}"
    try:
        folder = Path(untyped.snapshot_download(hub_id, allow_patterns=_PATTERNS))
    except Exception as error:  # the hub's own errors, its client's, and the network's
        raise WeightsError(
            f"the weights of {hub_id} can't be downloaded ({type(error).__name__}): give {own}"
        ) from None
    if not list(folder.glob("*.safetensors")):
        raise WeightsError(f"the hub has {hub_id} as pickles only, which are never read: give {own}")
    return folder


def hub_file(hub_id: str, name: str) -> Path:
    """One safetensors file of the hub, cached if possible."""
    import huggingface_hub  # noqa: PLC0415

    untyped: Any = huggingface_hub
    try:
        return Path(untyped.hf_hub_download(hub_id, name))
    except Exception as error:  # the hub's own errors, its client's, and the network's
        raise WeightsError(
            f"{name} of {hub_id} can't be downloaded ({type(error).__name__}): give it with --weights"
        ) from None


def weights_digest(*files: Path) -> str:
    """SHA-256 over the files, in the order of their names."""
    found = hashlib.sha256()
    for file in sorted(files):
        with file.open("rb") as stream:
            found.update(hashlib.file_digest(stream, "sha256").digest())
    return found.hexdigest()


def folder_digest(folder: Path) -> str:
    """The digest of all weights in a folder and of its `config.json`."""
    return weights_digest(folder / "config.json", *folder.glob("model*.safetensors"))
