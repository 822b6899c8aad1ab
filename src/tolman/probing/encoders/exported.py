"""Encoders exported as TorchScript or ONNX, for networks without an adapter.

The input is normalised pictures of 224 by 224. Each output with three axes (pictures, tokens, width) is a layer, in
order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from tolman.core.package_archive import WeightsError
from tolman.probing.encoder import SIDE, EncoderError, EncoderLayout
from tolman.probing.encoders.hub_weights import weights_digest
from tolman.probing.typed_torch import from_array

_PATCHES = {(SIDE // patch) ** 2: patch for patch in (8, 14, 16, 28, 32)}
_MOST_BEFORE = 9
"""The number of tokens before the patches is less than this."""


@dataclass(frozen=True, eq=False)
class ExportedEncoder:
    """An encoder from a function from pictures to the tokens of all layers."""

    name: str
    weights: str
    layout: EncoderLayout
    device: torch.device
    run: Callable[[Tensor], list[Tensor]]
    trained_on: frozenset[str] = frozenset()

    @torch.no_grad()
    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        every = self.run(pictures)
        return [every[number - 1] for number in layers]

    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        del pictures, layers
        raise EncoderError(f"{self.name} was exported without its attention; choose an encoder with an adapter")


def load_torchscript(name: str, path: Path, device: torch.device) -> ExportedEncoder:
    """A TorchScript file (`torch.jit.save`)."""
    try:
        module = cast("Any", torch.jit).load(str(path), map_location=device).eval()
    except (RuntimeError, ValueError, OSError):
        raise WeightsError(f"{path} is not a readable TorchScript file") from None
    return _checked_encoder(name, (path,), device, lambda pictures: _token_outputs(module(pictures)))


def load_onnx(name: str, path: Path, device: torch.device) -> ExportedEncoder:
    """An ONNX file, run by onnxruntime. Weights may be in separate files beside it."""
    try:
        import onnxruntime  # noqa: PLC0415  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise EncoderError("ONNX files are run by onnxruntime, which is missing: pip install onnxruntime") from None
    untyped = cast("Any", onnxruntime)
    if not path.is_file():
        raise WeightsError(f"{path} is not a file")
    try:
        session = untyped.InferenceSession(str(path), providers=untyped.get_available_providers())
    except Exception as error:  # onnxruntime's errors have no common root that is public
        raise WeightsError(f"{path} can't be run by onnxruntime: {str(error).splitlines()[0]}") from None
    entry = session.get_inputs()[0].name

    def run(pictures: Tensor) -> list[Tensor]:
        given = np.ascontiguousarray(pictures.cpu().numpy())
        return _token_outputs([from_array(out, device) for out in session.run(None, {entry: given})])

    return _checked_encoder(name, (path, *_external_data_files(path)), device, run)


def _external_data_files(path: Path) -> list[Path]:
    """Files beside an ONNX file that it mentions, which may hold its weights."""
    folder = (file for file in path.parent.iterdir() if file.is_file() and file != path)
    stored = path.read_bytes()
    return [file for file in folder if file.name.encode() in stored]


def _token_outputs(given: object) -> list[Tensor]:
    outputs = cast("Sequence[object]", given) if isinstance(given, list | tuple) else [given]
    return [out for out in outputs if isinstance(out, Tensor) and out.dim() == 3]


def _checked_encoder(
    name: str, files: Sequence[Path], device: torch.device, run: Callable[[Tensor], list[Tensor]]
) -> ExportedEncoder:
    """The encoder, with its layout inferred from the output for two empty pictures, as some exports take only one."""
    path = files[0]
    try:
        with torch.no_grad():
            layers = run(torch.zeros(2, 3, SIDE, SIDE, device=device))
    except Exception as error:  # whatever the exported network raises
        lines = str(error).strip().splitlines()
        raise EncoderError(
            f"{path} can't take two pictures of {SIDE} pixels ({lines[0] if lines else type(error).__name__}): export "
            "it with a dynamic first axis"
        ) from None
    if not layers:
        raise EncoderError(f"{path} gives no tokens: an output must have three axes (pictures, tokens, width)")
    _, count, width = layers[0].shape
    patches = max((number for number in _PATCHES if 0 <= count - number < _MOST_BEFORE), default=0)
    if not patches:
        raise EncoderError(f"{path} gives {count} tokens, which fit no patches of 8, 14, 16, 28 or 32 pixels")
    before = count - patches
    layout = EncoderLayout(_PATCHES[patches], width, len(layers), before > 0, max(before - 1, 0))
    return ExportedEncoder(name, weights_digest(*files), layout, device, run)
