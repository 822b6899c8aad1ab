"""Encoders out of packages are what they say: classifiers of ImageNet name what they see, segmenters tell the inside of
an outline; the same networks with random weights do neither. Skipped where an encoder was never fetched."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tolman.core.files import cache_folder  # noqa: E402
from tolman.core.package_archive import extract_members  # noqa: E402
from tolman.probing.attention import average_precision  # noqa: E402
from tolman.probing.encoder import SIDE, EncoderError, from_array, normalised, read_picture  # noqa: E402
from tolman.probing.encoders.find import find_encoder  # noqa: E402
from tolman.probing.encoders.packaged.catalogue import PACKAGED_ENCODERS, PackagedEncoder  # noqa: E402
from tolman.probing.encoders.packaged.feature_maps import FeatureMapEncoder, feature_map_encoder  # noqa: E402

BY_NAME = {packaged.name: packaged for packaged in PACKAGED_ENCODERS}
CLASSIFIERS = ("resnet-50", "efficientnet-lite0", "mobilenet-v2")
SEGMENTERS = ("sam2-hiera-tiny", "mobile-sam")
SHEET = Path(__file__).parents[4] / "docs" / "pictures" / "things-1.jpg"
CLOCKS, SOFA, BOOKS, UNIFORM = {409, 530, 892}, {831}, {453, 454, 624}, {652}
"""Numbers of ImageNet's classes: analog, digital and wall clock; studio couch; bookcase, bookshop, library; uniform."""
OUTLINES = (("rectangle", (30, 80, 130, 200)), ("ellipse", (20, 20, 200, 110)), ("rectangle", (90, 20, 210, 150)))
PATCH = 14


def loaded(name: str) -> FeatureMapEncoder:
    if not BY_NAME[name].path.is_file():
        pytest.skip(f"tolman probe fetch {name} was not run here")
    return cast("FeatureMapEncoder", find_encoder(name))


def untrained(name: str) -> FeatureMapEncoder:
    packaged: PackagedEncoder = BY_NAME[name]
    torch.manual_seed(0)
    return feature_map_encoder(name, "random", packaged.shape, packaged.network(), torch.device("cpu"))


def labelled_pictures(folder: Path) -> tuple[list[Path], list[set[int]]]:
    """A photograph that comes with matplotlib, and three things of ours, cut out of a sheet."""
    mpl: Any = pytest.importorskip("matplotlib")
    uniform = Path(mpl.get_data_path()) / "sample_data" / "grace_hopper.jpg"
    if not uniform.is_file():
        pytest.skip("matplotlib was installed without its sample pictures")
    paths = [uniform]
    with Image.open(SHEET) as sheet:
        for number, (left, top) in enumerate(((466, 12), (920, 12), (466, 504))):
            paths.append(folder / f"{number}.png")
            sheet.crop((left, top, left + 208, top + 208)).save(paths[-1])
    return paths, [UNIFORM, CLOCKS, SOFA, BOOKS]


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_names_what_it_sees_and_random_weights_do_not(name: str, tmp_path: Path):
    encoder = loaded(name)
    paths, classes = labelled_pictures(tmp_path)
    pictures = normalised(from_array(np.stack([read_picture(path)[0] for path in paths])))

    def right(one: FeatureMapEncoder) -> list[bool]:
        with torch.no_grad():
            best = cast("Any", one.network).classes(pictures).argmax(dim=1)
        return [int(found) in wanted for found, wanted in zip(best, classes, strict=True)]

    assert all(right(encoder))
    assert not any(right(untrained(name)))


def outlined(kind: str, box: tuple[int, int, int, int], seed: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A thin outline on grey noise, the same inside and outside; and the share of each patch that is inside."""
    picture, mask = Image.new("RGB", (SIDE, SIDE), (150, 150, 150)), Image.new("L", (SIDE, SIDE))
    getattr(ImageDraw.Draw(picture), kind)(box, outline=(40, 40, 40), width=4)
    getattr(ImageDraw.Draw(mask), kind)(box, fill=255)
    noise = np.random.default_rng(seed).normal(0, 12, (SIDE, SIDE, 1))
    pixels = np.clip(np.asarray(picture).astype(np.float64) + noise, 0, 255).astype(np.uint8)
    inside = np.asarray(mask).astype(np.float64) / 255
    cells = inside.reshape(SIDE // PATCH, PATCH, SIDE // PATCH, PATCH)
    return pixels, cells.mean(axis=(1, 3)).reshape(-1)


def told_inside(encoder: FeatureMapEncoder) -> list[float]:
    """For each outline: how well patches inside rank above those outside by likeness to one inside."""
    found: list[float] = []
    for seed, (kind, box) in enumerate(OUTLINES):
        pixels, inside = outlined(kind, box, seed)
        (tokens,) = encoder.tokens(normalised(from_array(pixels[None])), [encoder.layout.layers])
        around = tokens[0] - tokens[0].mean(dim=0)
        alike = torch.nn.functional.normalize(around, dim=1)
        likeness = (alike @ alike.T).double().numpy()
        clear = (inside == 0) | (inside == 1)
        each = [average_precision(likeness[at][clear], inside[clear] == 1) for at in np.flatnonzero(inside == 1)]
        found.append(float(np.mean(each)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_segmenter_tells_the_inside_of_an_outline_and_random_weights_do_not(name: str):
    encoder = loaded(name)
    assert min(told_inside(encoder)) > 0.9
    assert max(told_inside(untrained(name))) < 0.8


@pytest.mark.slow
def test_sam2_gives_what_its_own_graph_gives(tmp_path: Path):
    onnxruntime = pytest.importorskip("onnxruntime")
    encoder, packaged = loaded("sam2-hiera-tiny"), BY_NAME["sam2-hiera-tiny"]
    archive = cache_folder() / packaged.archive.file
    if not archive.is_file():
        pytest.skip(f"{archive.name} is not in the cache folder")
    graph = tmp_path / "model.ort"
    extract_members(archive, {packaged.members[0]: graph})
    pixels, _ = outlined(*OUTLINES[0], 0)
    picture = torch.nn.functional.interpolate(normalised(from_array(pixels[None])), (1024, 1024), mode="bilinear")
    (wanted,) = onnxruntime.InferenceSession(graph).run(["image_embed"], {"image": picture.numpy()})
    with torch.no_grad():
        found = encoder.network(picture)[-1].numpy()
    assert np.abs(found - wanted).max() < 1e-4 * np.abs(wanted).max()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_each_place_of_a_map_is_a_token_and_each_stage_a_layer(name: str):
    encoder = untrained(name)
    layers = range(1, encoder.layout.layers + 1)
    tokens = encoder.tokens(normalised(from_array(np.zeros((2, SIDE, SIDE, 3), np.uint8))), list(layers))
    for layer, found in zip(layers, tokens, strict=True):
        built = encoder.layout.at(layer)
        assert found.shape == (2, built.patches, built.width)
    assert (encoder.layout.patch, encoder.layout.cls) == (32, False)
    assert encoder.layout.width % 32 == 0  # or efficient probing could not split it
    with pytest.raises(EncoderError, match="no attention"):
        encoder.attention(tokens[0], [1])


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_token_is_of_its_own_place(name: str):
    encoder = untrained(name)
    pixels = np.full((2, SIDE, SIDE, 3), 120, np.uint8)
    pixels[1, 160:192, 64:96] = 250
    (tokens,) = encoder.tokens(normalised(from_array(pixels)), [2])
    moved = (tokens[1] - tokens[0]).abs().amax(dim=1).reshape(14, 14)
    row, column = divmod(int(moved.argmax()), 14)
    assert 9 <= row <= 12
    assert 3 <= column <= 6
