"""Every adapter gives the tokens and the attention that the model itself gives, from files as the hub keeps them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.probing.tiny_models import FAMILIES, save_tiny, some_pictures  # noqa: E402
from tolman.core.errors import SettingsError, TolmanError, UnknownNameError  # noqa: E402
from tolman.core.package_archive import WeightsError  # noqa: E402
from tolman.probing.encoder import EncoderError, chosen_layers  # noqa: E402
from tolman.probing.encoders.find import find_encoder  # noqa: E402
from tolman.probing.encoders.presets import MISNAMED, PRESETS  # noqa: E402
from tolman.probing.encoders.transformers_models import load_vggt  # noqa: E402

PACKAGES = [preset.name for preset in PRESETS if preset.way == "package"]
BEFORE = {"dinov2 with registers": 5, "dinov3": 5, "siglip": 0, "deit": 2}


@pytest.mark.parametrize("family", FAMILIES)
def test_tokens_are_what_blocks_give_before_the_last_norm(family: str, tmp_path: Path):
    model = save_tiny(family, tmp_path)
    encoder = find_encoder("hf:some/model", tmp_path)
    pictures = some_pictures()
    first, last = encoder.tokens(pictures, [1, 3])
    assert encoder.layout.layers == 3
    assert encoder.layout.prefix == BEFORE.get(family, 1)
    assert first.shape == last.shape == (2, encoder.layout.prefix + encoder.layout.patches, 32)
    inner: Any = model.vit if family == "mae" else model
    normed = _final_norm(inner)(last)
    assert torch.allclose(normed, _own_output(inner, pictures, family), atol=1e-4)
    assert not torch.allclose(first, last, atol=1e-2)


def _final_norm(model: Any) -> Any:
    for name in ("layernorm", "post_layernorm", "norm"):
        if hasattr(model, name):
            return getattr(model, name)
    raise AssertionError("the model has no final norm")


def _own_output(model: Any, pictures: Any, family: str) -> Any:
    with torch.no_grad():
        if family == "mae":
            model.config.mask_ratio = 0.0
            found = model(pictures, noise=torch.arange(49.0).expand(2, -1)).last_hidden_state
        elif family == "clip":
            hidden = model(pictures, output_hidden_states=True).hidden_states[-1]
            found = model.post_layernorm(hidden)
        else:
            found = model(pictures).last_hidden_state
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_attention_of_a_token_sums_to_one_and_leaves_tokens_as_they_were(family: str, tmp_path: Path):
    save_tiny(family, tmp_path)
    encoder = find_encoder("hf:some/model", tmp_path)
    pictures = some_pictures()
    (before,) = encoder.tokens(pictures, [3])
    first, last = encoder.attention(pictures, [1, 3])
    count = encoder.layout.prefix + encoder.layout.patches
    assert first.shape == last.shape == (2, 2, count, count)
    assert torch.allclose(last.sum(dim=-1), torch.ones(2, 2, count), atol=1e-5)
    assert torch.allclose(encoder.tokens(pictures, [3])[0], before, atol=1e-5)


def test_masked_autoencoders_see_all_patches_in_their_order(tmp_path: Path):
    save_tiny("mae", tmp_path)
    encoder = find_encoder("hf:some/model", tmp_path)
    pictures = some_pictures(1)
    (whole,) = encoder.tokens(pictures, [1])
    pictures[0, :, :32, :32] += 3  # the first patch alone
    (other,) = encoder.tokens(pictures, [1])
    moved = (whole - other).abs().amax(dim=(0, 2))
    assert int(moved[1:].argmax()) == 0


def test_the_encoder_in_vggt_is_the_dinov2_that_it_was(tmp_path: Path):
    safetensors = pytest.importorskip("safetensors.torch")
    model = save_tiny("dinov2 with registers", tmp_path / "hub")
    stored = safetensors.load_file(tmp_path / "hub" / "model.safetensors")
    folder = tmp_path / "vggt"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    model.config.num_attention_heads = 1
    safetensors.save_file(_first_release(stored), folder / "model.safetensors")
    encoder = load_vggt("vggt-l14", folder, torch.device("cpu"))
    assert encoder.layout.registers == 4
    (last,) = encoder.tokens(some_pictures(), [3])
    (same,) = _with_one_head(tmp_path / "hub").tokens(some_pictures(), [3])
    assert torch.allclose(last, same, atol=1e-5)


def _with_one_head(folder: Path) -> Any:
    config = (folder / "config.json").read_text()
    (folder / "config.json").write_text(config.replace('"num_attention_heads": 2', '"num_attention_heads": 1'))
    return find_encoder("hf:some/model", folder)


def _first_release(stored: dict[str, Any]) -> dict[str, Any]:
    """Weights under the names that VGGT keeps them by."""
    kept: dict[str, Any] = {}
    for key, values in stored.items():
        name = key.replace("embeddings.patch_embeddings.projection", "patch_embed.proj")
        name = name.replace("embeddings.position_embeddings", "pos_embed").replace("embeddings.", "")
        name = name.replace("encoder.layer", "blocks").replace("layernorm.", "norm.")
        name = name.replace("attention.output.dense", "attn.proj")
        name = name.replace("layer_scale1.lambda1", "ls1.gamma").replace("layer_scale2.lambda1", "ls2.gamma")
        if ".attention.attention." in name:
            if ".query." in name:
                parts = [stored[key.replace(".query.", f".{part}.")] for part in ("query", "key", "value")]
                name = name.replace("attention.attention.query", "attn.qkv")
                kept[f"aggregator.patch_embed.{name}"] = torch.cat(parts)
            continue
        kept[f"aggregator.patch_embed.{name}"] = values.clone()
    return {**kept, "aggregator.camera_token": torch.zeros(3)}


class Exported(torch.nn.Module):
    """A stand-in for any network: two layers of 49 patches and a [CLS] token."""

    def __init__(self) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self.embed = torch.nn.Conv2d(3, 32, 32, 32)

    def forward(self, pictures: "Tensor") -> "tuple[Tensor, Tensor]":
        patches: Tensor = self.embed(pictures).flatten(2).transpose(1, 2)
        first = torch.cat((patches.mean(dim=1, keepdim=True), patches), dim=1)
        return first, first * 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_a_torchscript_file_is_an_encoder(tmp_path: Path):
    model = Exported().eval()
    traced: Any = torch.jit.trace(model, some_pictures(1))
    traced.save(str(tmp_path / "model.pt"))
    encoder = find_encoder(f"torchscript:{tmp_path / 'model.pt'}")
    assert (encoder.layout.patch, encoder.layout.width, encoder.layout.layers) == (32, 32, 2)
    assert encoder.layout.cls
    tokens = encoder.tokens(some_pictures(), [2])
    assert torch.allclose(tokens[0], model(some_pictures())[1], atol=1e-5)
    named = find_encoder("croco-b16", tmp_path / "model.pt")
    assert (named.name, encoder.name) == ("croco-b16", "torchscript:model.pt")
    assert (named.layout, named.weights) == (encoder.layout, encoder.weights)
    with pytest.raises(EncoderError, match="attention"):
        encoder.attention(some_pictures(), [1])


class OneByOne(Exported):
    """Takes a single picture at a time."""

    def forward(self, pictures: "Tensor") -> "tuple[Tensor, Tensor]":
        first, second = super().forward(pictures.view(1, 3, 224, 224))
        return first, second


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_a_file_that_takes_one_picture_only_is_refused_at_once(tmp_path: Path):
    traced: Any = torch.jit.trace(OneByOne().eval(), some_pictures(1))
    traced.save(str(tmp_path / "model.pt"))
    with pytest.raises(EncoderError, match="dynamic first axis"):
        find_encoder(f"torchscript:{tmp_path / 'model.pt'}")


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_weights_in_half_precision_are_run_in_full(tmp_path: Path, kind: str):
    model = save_tiny("dinov2", tmp_path).to(getattr(torch, kind))
    model.save_pretrained(tmp_path)
    encoder = find_encoder("hf:some/model", tmp_path)
    (tokens,) = encoder.tokens(some_pictures(1), [3])
    assert tokens.dtype == torch.float32
    with torch.no_grad():
        exact = model.float()(some_pictures(1), output_hidden_states=True).hidden_states[3]
    assert torch.allclose(tokens, exact, atol=1e-5)


def test_weights_of_another_model_do_not_pass_for_the_one_that_was_named(tmp_path: Path):
    save_tiny("dinov2", tmp_path)
    with pytest.raises(WeightsError, match="'dinov2', which is not mae-b16"):
        find_encoder("mae-b16", tmp_path)
    with pytest.raises(WeightsError, match="not dinov2-b14: width 32"):
        find_encoder("dinov2-b14", tmp_path)
    for name in ("random", "pixels"):
        with pytest.raises(WeightsError, match="leave --weights out"):
            find_encoder(name, tmp_path)
    with pytest.raises(WeightsError, match="not a folder"):
        find_encoder("saliency-vit-s", tmp_path / "nowhere")


def test_presets_say_in_their_names_how_large_they_are():
    sizes = {preset.name: preset.size for preset in PRESETS}
    assert sizes["dinov2-l14-reg"] == sizes["vggt-l14"] == (1024, 24, 14)
    assert sizes["mae-b16"] == (768, 12, 16)
    assert sizes["pixels"] is None


def test_a_name_that_was_wrong_is_refused_with_the_reason():
    for name, now in MISNAMED.items():
        with pytest.raises(UnknownNameError, match=f"fine-tuned for saliency.*57 %.*called {now} now"):
            find_encoder(name)


def test_only_devices_that_are_there_can_be_chosen():
    for device in ("mps", "meta", "cuda:99", "toaster"):
        with pytest.raises(UnknownNameError):
            find_encoder("pixels", device=device)


@pytest.mark.parametrize("name", ["random", "pixels"])
def test_encoders_without_a_hub_give_the_same_tokens_every_time(name: str):
    one, other = (find_encoder(name) for _ in range(2))
    layers = [1, one.layout.layers]
    here, there = (encoder.tokens(some_pictures(1), layers) for encoder in (one, other))
    assert all(torch.equal(a, b) for a, b in zip(here, there, strict=True))
    assert here[0].shape == (1, 197, one.layout.width)
    assert one.layout.width % 32 == 0  # or efficient probing could not split it


def test_attention_of_our_own_network_is_what_its_blocks_use():
    encoder = find_encoder("random")
    (weights,) = encoder.attention(some_pictures(1), [5])
    assert weights.shape == (1, 6, 197, 197)
    assert torch.allclose(weights.sum(dim=-1), torch.ones(1, 6, 197), atol=1e-5)


def test_without_weights_one_line_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path))
    for name in PACKAGES:
        with pytest.raises(WeightsError, match=f"tolman probe fetch {name}"):
            find_encoder(name)
    with pytest.raises(WeightsError, match="tolman probe pretrain"):
        find_encoder("tolman-mae")
    with pytest.raises(WeightsError, match=r"--weights with CroCo.pth of naver/croco"):
        find_encoder("croco-b16")
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"a pickle")
    with pytest.raises(WeightsError, match="never read"):
        find_encoder("dino-b16", tmp_path)
    with pytest.raises(UnknownNameError, match="choose"):
        find_encoder("no such thing")
    with pytest.raises(TolmanError, match="device"):
        find_encoder("pixels", device="abacus")


def test_the_hub_is_not_asked_where_it_must_not_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(WeightsError, match="--weights DIR"):
        find_encoder("hf:nobody/nothing")


def test_damaged_weights_are_refused(tmp_path: Path):
    save_tiny("dinov2", tmp_path)
    stored = (tmp_path / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(stored[: len(stored) // 2])
    with pytest.raises(TolmanError, match="can't be read"):
        find_encoder("hf:some/model", tmp_path)


def test_layers_are_named_by_number_or_all_or_last():
    assert chosen_layers("last", 12) == (12,)
    assert chosen_layers("all", 3) == (1, 2, 3)
    assert chosen_layers("4,2", 12) == (2, 4)
    for wrong in ("0", "13", "x", ""):
        with pytest.raises(SettingsError):
            chosen_layers(wrong, 12)


def test_the_models_of_the_paper_have_names():
    published = {preset.published for preset in PRESETS} - {""}
    assert len(published) == 13
    assert len({preset.name for preset in PRESETS}) == len(PRESETS)
