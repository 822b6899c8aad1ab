"""MaskFeat, SPA, CroCo and CroCo v2 from files with their makers' names of weights, against a forward pass written out
here from those names."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.torch")

from torch.nn import functional  # noqa: E402

from tests.probing.tiny_models import some_pictures  # noqa: E402
from tolman.core.package_archive import WeightsError  # noqa: E402
from tolman.probing.encoder import split  # noqa: E402
from tolman.probing.encoders.find import MAKER_FORMATS, find_encoder, load_maker_checkpoint  # noqa: E402

WIDTH, LAYERS, GRID = 128, 2, 14
Weights = dict[str, "Tensor"]
CPU = torch.device("cpu")


def linear(weights: Weights, name: str, out: int, given: int, stream: Any) -> None:
    weights[f"{name}.weight"] = torch.randn(out, given, generator=stream) * 0.1
    weights[f"{name}.bias"] = torch.randn(out, generator=stream) * 0.1


def norm(weights: Weights, name: str, stream: Any) -> None:
    weights[f"{name}.weight"] = 1 + torch.randn(WIDTH, generator=stream) * 0.2
    weights[f"{name}.bias"] = torch.randn(WIDTH, generator=stream) * 0.2


def stored(blocks: str, parts: dict[str, str], embed: str, last: str, seed: int) -> Weights:
    """Random weights of a small vision transformer; `parts` are the maker's names of what a block has."""
    stream = torch.Generator().manual_seed(seed)
    weights: Weights = {}
    weights[f"{embed}.weight"] = torch.randn(WIDTH, 3, 16, 16, generator=stream) * 0.05
    weights[f"{embed}.bias"] = torch.randn(WIDTH, generator=stream) * 0.1
    for layer in range(LAYERS):
        for part in ("first norm", "second norm"):
            norm(weights, f"{blocks}.{layer}.{parts[part]}", stream)
        for part, out, given in (("qkv", 3, 1), ("out", 1, 1), ("wide", 4, 1), ("narrow", 1, 4)):
            linear(weights, f"{blocks}.{layer}.{parts[part]}", out * WIDTH, given * WIDTH, stream)
    norm(weights, last, stream)
    return weights


TIMM = {"first norm": "norm1", "second norm": "norm2", "qkv": "attn.qkv", "out": "attn.proj"} | {
    "wide": "mlp.fc1",
    "narrow": "mlp.fc2",
}
MM = {"first norm": "ln1", "second norm": "ln2", "qkv": "attn.qkv", "out": "attn.proj"} | {
    "wide": "ffn.layers.0.0",
    "narrow": "ffn.layers.1",
}


def with_prefix(weights: Weights, prefix: str) -> Weights:
    return {f"{prefix}{name}": values for name, values in weights.items()}


def tokens_of(count: int, seed: int) -> "Tensor":
    return torch.randn(1, count, WIDTH, generator=torch.Generator().manual_seed(seed)) * 0.3


def maskfeat() -> tuple[object, Weights]:
    weights = stored("layers", MM, "patch_embed.projection", "ln1", 1)
    weights |= {"cls_token": tokens_of(1, 2), "pos_embed": tokens_of(1 + GRID**2, 3), "mask_token": tokens_of(1, 4)}
    others = {"neck.decoder.weight": torch.zeros(8, WIDTH), "target_generator.weight_x": torch.zeros(3, 1, 3, 3)}
    return {"meta": {"epoch": 300}, "state_dict": with_prefix(weights, "backbone.") | others}, weights


def spa() -> tuple[Weights, Weights]:
    weights = stored("blocks", TIMM, "patch_embed.proj", "norm", 5)
    weights |= {
        "cls_token": tokens_of(1, 6),
        "pos_embed": tokens_of(1 + GRID**2, 7),
        "mask_token": torch.zeros(1, 1, 9),
    }
    others = {
        "model.dense_head.weight": torch.zeros(4, 4),
        "model.img_backbone.decoder_embed.weight": torch.zeros(2, 2),
    }
    return with_prefix(weights, "model.img_backbone.") | others, weights


def croco(version: int) -> tuple[object, Weights]:
    weights = stored("enc_blocks", TIMM, "patch_embed.proj", "enc_norm", 8 + version)
    if version == 1:
        weights["enc_pos_embed"] = tokens_of(GRID**2, 11)[0]
    others = {"dec_blocks.0.norm1.weight": torch.zeros(9), "mask_token": torch.zeros(1, 1, 9)}
    about = {"pos_embed": "RoPE100" if version == 2 else "cosine", "enc_embed_dim": WIDTH}
    return {"croco_kwargs": about, "model": weights | others}, weights


def saved(name: str, folder: Path) -> tuple[Path, Weights]:
    """A file as the maker publishes it."""
    if name == "spa-b16":
        content, weights = spa()
        path = folder / "spa-b.safetensors"
        safetensors.save_file({key: values.contiguous() for key, values in content.items()}, path)
        return path, weights
    content, weights = maskfeat() if name == "maskfeat-b16" else croco(2 if name == "crocov2-b16" else 1)
    path = folder / f"{name}.pth"
    torch.save(content, path)
    return path, weights


def as_safetensors(name: str, folder: Path) -> Path:
    """The same weights under the same names, without a pickle."""
    files: dict[str, Any] = {"maskfeat-b16": maskfeat()[0], "spa-b16": spa()[0]}
    content: Any = files.get(name) or croco(2 if name == "crocov2-b16" else 1)[0]
    weights: Weights = content.get("state_dict") or content.get("model") or content
    path = folder / "weights.safetensors"
    safetensors.save_file({key: values.contiguous() for key, values in weights.items()}, path)
    return path


def rotated(values: "Tensor") -> "Tensor":
    """Tokens (pictures, heads, patches, 64) turned as complex numbers: by row in the first half, else by column."""
    turned = values.clone()
    for patch in range(GRID**2):
        for half, place in enumerate(divmod(patch, GRID)):
            for pair in range(16):
                one, other = 32 * half + pair, 32 * half + 16 + pair
                number = torch.complex(values[:, :, patch, one], values[:, :, patch, other])
                angle = torch.tensor(place * 100.0 ** (-pair / 16))
                number = number * torch.polar(torch.tensor(1.0), angle)
                turned[:, :, patch, one], turned[:, :, patch, other] = number.real, number.imag
    return turned


def forward(
    weights: Weights, pictures: "Tensor", blocks: str, parts: dict[str, str], rotate: Callable[["Tensor"], "Tensor"]
) -> list["Tensor"]:
    """The tokens after each block."""

    def layer(name: str, tokens: "Tensor") -> "Tensor":
        if name.endswith((parts["first norm"], parts["second norm"])):
            return functional.layer_norm(tokens, (WIDTH,), weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-6)
        return tokens @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    embed = next(name for name in weights if name.startswith("patch_embed") and name.endswith("weight"))
    tokens = functional.conv2d(pictures, weights[embed], weights[embed.replace("weight", "bias")], stride=16)
    tokens = tokens.flatten(2).transpose(1, 2)
    if "cls_token" in weights:
        tokens = torch.cat([weights["cls_token"].expand(len(pictures), -1, -1), tokens], dim=1) + weights["pos_embed"]
    if "enc_pos_embed" in weights:
        tokens = tokens + weights["enc_pos_embed"]
    found: list[Tensor] = []
    for number in range(LAYERS):
        inside = {part: f"{blocks}.{number}.{name}" for part, name in parts.items()}
        mixed = layer(inside["qkv"], layer(inside["first norm"], tokens))
        query, key, value = (
            part.reshape(len(pictures), -1, WIDTH // 64, 64).transpose(1, 2) for part in split(mixed, WIDTH, dim=-1)
        )
        weight = (rotate(query) @ rotate(key).transpose(-1, -2) / 8).softmax(dim=-1)
        tokens = tokens + layer(inside["out"], (weight @ value).transpose(1, 2).reshape(tokens.shape))
        wide = layer(inside["wide"], layer(inside["second norm"], tokens))
        tokens = tokens + layer(inside["narrow"], wide * (1 + torch.erf(wide / 2**0.5)) / 2)
        found.append(tokens)
    return found


NETWORKS = {"maskfeat-b16": ("layers", MM, ""), "spa-b16": ("blocks", TIMM, "norm")} | {
    "croco-b16": ("enc_blocks", TIMM, ""),
    "crocov2-b16": ("enc_blocks", TIMM, "enc_norm"),
}
"""Names of blocks and of their parts, and the norm that the SpaRRTa authors apply to the last layer."""


@pytest.mark.parametrize("name", MAKER_FORMATS)
def test_tokens_are_those_of_the_makers_network(name: str, tmp_path: Path):
    path, weights = saved(name, tmp_path)
    encoder = load_maker_checkpoint(name, path, CPU)
    assert (encoder.layout.width, encoder.layout.layers, encoder.layout.patch) == (WIDTH, LAYERS, 16)
    assert encoder.layout.prefix == (0 if "croco" in name else 1)
    blocks, parts, last = NETWORKS[name]
    pictures = some_pictures(2)
    wanted = forward(weights, pictures, blocks, parts, rotated if name == "crocov2-b16" else lambda values: values)
    if last:
        wanted[-1] = functional.layer_norm(
            wanted[-1], (WIDTH,), weights[f"{last}.weight"], weights[f"{last}.bias"], 1e-6
        )
    for given, expected in zip(encoder.tokens(pictures, [1, 2]), wanted, strict=True):
        assert torch.allclose(given, expected, atol=2e-4)
    attention = encoder.attention(pictures, [2])[0]
    assert torch.allclose(attention.sum(dim=-1), torch.ones(attention.shape[:-1]), atol=1e-5)


@pytest.mark.parametrize("name", MAKER_FORMATS)
def test_a_file_of_another_size_or_of_another_network_is_not_taken_for_it(name: str, tmp_path: Path):
    path = as_safetensors(name, tmp_path)
    with pytest.raises(WeightsError, match=f"these weights are not {name}: width 128, 2 layers"):
        find_encoder(name, path)
    for other in MAKER_FORMATS:
        if other != name:
            with pytest.raises(WeightsError, match=r"has no place for|no weights of this network"):
                load_maker_checkpoint(other, path, CPU)


def test_a_block_with_more_than_ours_is_refused(tmp_path: Path):
    content, _ = spa()
    content["model.img_backbone.blocks.0.ls1.gamma"] = torch.ones(WIDTH)
    safetensors.save_file({key: values.contiguous() for key, values in content.items()}, tmp_path / "a.safetensors")
    with pytest.raises(WeightsError, match=r"blocks\.0\.ls1\.gamma, which this network has no place for"):
        load_maker_checkpoint("spa-b16", tmp_path / "a.safetensors", CPU)


def test_a_pickle_of_more_than_numbers_is_refused_and_the_file_stays(tmp_path: Path):
    path = tmp_path / "CroCo.pth"
    torch.save({"args": argparse.Namespace(lr=1), "model": croco(1)[1]}, path)
    with pytest.raises(WeightsError, match=r"CroCo.pth does not hold plain weights"):
        load_maker_checkpoint("croco-b16", path, CPU)
    assert path.is_file()


@pytest.mark.parametrize("name", [name for name in MAKER_FORMATS if name != "spa-b16"])  # which is on the hub
def test_without_a_file_it_is_said_which_one_is_needed(name: str):
    with pytest.raises(
        WeightsError, match=r"needs its maker's file: give --weights with .* of (naver/croco|mmselfsup)"
    ):
        find_encoder(name)
