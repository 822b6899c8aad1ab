"""A checkpoint in small files, for a slow line or a limit on sizes.

    python compact.py pack runs/supervised/27000 parcel
    python compact.py unpack parcel runs/received --tokenizer smollm2-phrases

Weights are rounded to fifteen levels in blocks of 64, in files `coarse-*`, and what that leaves out to thirteen levels,
in files `fine-*`. Both together are about one percent off (root mean square). The coarse files alone are nine percent
off, which does to begin training with. Numbers are Huffman-coded.
"""

import argparse
import json
import shutil
import zlib
from pathlib import Path

import numpy as np
import torch
from model import TOKENIZER_FILES
from safetensors.torch import load_file, save_file
from torch import Tensor

BLOCK = 64
"""Weights that share a scale."""
COARSE, FINE = 7, 6
"""Levels on each side of zero."""
LARGEST = 16 * 2**20 - 1024
"""Bytes of a file."""


def pack(checkpoint: Path, out: Path) -> None:
    """Write the weights of a checkpoint, and its config, as files of at most 16 MiB."""
    weights = load_file(checkpoint / "model.safetensors")
    out.mkdir(parents=True, exist_ok=True)
    blocks = torch.cat([_blocks(weights[name]) for name in sorted(weights)])
    for part, levels in (("coarse", COARSE), ("fine", FINE)):
        scale = (blocks.abs().amax(1, keepdim=True) / levels).half().clamp(min=1e-7)
        codes = (blocks / scale.float()).round().clamp(-levels, levels)
        blocks = blocks - codes * scale.float()
        coded = [_coded(each.numpy().tobytes()) for each in (scale, codes.to(torch.int8))]
        data = len(coded[0]).to_bytes(8, "little") + b"".join(coded)
        for number, begin in enumerate(range(0, len(data), LARGEST)):
            (out / f"{part}-{number:02}").write_bytes(data[begin : begin + LARGEST])
    (out / "shapes.json").write_text(json.dumps({name: list(weights[name].shape) for name in sorted(weights)}))
    shutil.copy(checkpoint / "config.json", out / "config.json")


def unpack(parcel: Path, out: Path, tokenizer: Path) -> None:
    """The checkpoint again, with the tokenizer of another; without `fine-*` files, its weights are coarser."""
    blocks = sum(_read(parcel, part) for part in ("coarse", "fine") if list(parcel.glob(f"{part}-*")))
    if not isinstance(blocks, Tensor):
        raise SystemExit(f"{parcel} has no files coarse-00, coarse-01, ...")
    weights: dict[str, Tensor] = {}
    begin = 0
    for name, shape in json.loads((parcel / "shapes.json").read_text()).items():
        count = int(np.prod(shape))
        end = begin + -(-count // BLOCK)
        weights[name] = blocks[begin:end].flatten()[:count].reshape(shape).to(torch.bfloat16)
        begin = end
    out.mkdir(parents=True, exist_ok=True)
    save_file(weights, out / "model.safetensors", metadata={"format": "pt"})
    shutil.copy(parcel / "config.json", out / "config.json")
    for name in (*TOKENIZER_FILES, "generation_config.json"):
        if (tokenizer / name).exists():
            shutil.copy(tokenizer / name, out / name)


def _blocks(weight: Tensor) -> Tensor:
    flat = weight.flatten().float()
    return torch.nn.functional.pad(flat, (0, -len(flat) % BLOCK)).view(-1, BLOCK)


def _read(parcel: Path, part: str) -> Tensor:
    data = b"".join(file.read_bytes() for file in sorted(parcel.glob(f"{part}-*")))
    end = 8 + int.from_bytes(data[:8], "little")
    scale, codes = (zlib.decompress(each, wbits=-15) for each in (data[8:end], data[end:]))
    of_blocks = torch.from_numpy(np.frombuffer(scale, np.float16).astype(np.float32))[:, None]
    return torch.from_numpy(np.frombuffer(codes, np.int8).astype(np.float32)).view(-1, BLOCK) * of_blocks


def _coded(data: bytes) -> bytes:
    coder = zlib.compressobj(1, zlib.DEFLATED, -15, 9, zlib.Z_HUFFMAN_ONLY)
    return coder.compress(data) + coder.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description="A checkpoint in small files.")
    parser.add_argument("what", choices=["pack", "unpack"])
    parser.add_argument("source", type=Path, help="checkpoint, or folder of small files")
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokenizer", type=Path, help="checkpoint with the tokenizer (unpack)")
    given = parser.parse_args()
    if given.what == "pack":
        pack(given.source, given.out)
    elif given.tokenizer is None:
        parser.error("unpack needs --tokenizer, a checkpoint with the same tokens")
    else:
        unpack(given.source, given.out, given.tokenizer)


if __name__ == "__main__":
    main()
