"""Tokens are extracted once, come back as they were, and are never taken for those of other pictures or weights."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch")

from tolman.core.errors import SceneFileError  # noqa: E402
from tolman.probing import features  # noqa: E402
from tolman.probing.encoder import EncoderError, normalised, read_picture  # noqa: E402
from tolman.probing.encoders.own_encoders import PixelEncoder  # noqa: E402
from tolman.probing.features import FeatureStore, StoreKey, extract, load_tokens, pieces_of  # noqa: E402  # noqa: E402

FORKED = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


class Counting(PixelEncoder):
    """Counts the pictures that it was shown, and may stop."""

    seen = 0
    stops_after = 10**9

    def tokens(self, pictures: "Tensor", layers: Sequence[int]) -> "list[Tensor]":
        if Counting.seen >= Counting.stops_after:
            raise KeyboardInterrupt
        Counting.seen += len(pictures)
        return super().tokens(pictures, layers)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Counting:
    monkeypatch.setattr(features, "PIECE", 4)
    monkeypatch.setattr(Counting, "seen", 0)
    monkeypatch.setattr(Counting, "stops_after", 10**9)
    return Counting(torch.device("cpu"))


def pictures(folder: Path, count: int, side: int = 60) -> list[Path]:
    stream = np.random.default_rng(5)
    paths = [folder / f"img_{number}.jpg" for number in range(count)]
    for path in paths:
        Image.fromarray(stream.integers(0, 255, (side, side, 3), dtype=np.uint8)).save(path)
    return paths


def test_what_comes_back_is_what_the_encoder_gave(tmp_path: Path, encoder: Counting):
    paths = pictures(tmp_path, 10)
    store = FeatureStore(tmp_path / "store", StoreKey.of(encoder))
    pieces = pieces_of(paths)
    assert [len(piece.paths) for piece in pieces] == [4, 4, 2]
    extract(encoder, store, pieces, [1], batch=3)
    kept = load_tokens(store, 1, pieces, torch.device("cpu"))
    shown = torch.from_numpy(np.stack([read_picture(path)[0] for path in paths]))
    (given,) = encoder.tokens(normalised(shown), [1])
    assert kept.dtype == torch.float16
    assert torch.allclose(kept.float(), given, atol=2e-3)


def test_extraction_that_is_stopped_goes_on_where_it_was(tmp_path: Path, encoder: Counting):
    paths = pictures(tmp_path, 12)
    store = FeatureStore(tmp_path / "store", StoreKey.of(encoder))
    Counting.stops_after = 8
    with pytest.raises(KeyboardInterrupt):
        extract(encoder, store, pieces_of(paths), [1])
    done = sum(store.has(1, piece.digests) for piece in pieces_of(paths))
    Counting.seen, Counting.stops_after = 0, 10**9
    extract(encoder, store, pieces_of(paths), [1])
    assert done == 2
    assert Counting.seen == 4
    extract(encoder, store, pieces_of(paths), [1])
    assert Counting.seen == 4
    more = [*paths, *pictures(tmp_path / "more", 2, side=50)] if (tmp_path / "more").mkdir() is None else []
    extract(encoder, store, pieces_of(more), [1])
    assert Counting.seen == 6


@pytest.mark.parametrize("left", [0, 60, 1000])
def test_a_piece_that_was_cut_short_is_made_again(tmp_path: Path, encoder: Counting, left: int):
    store, pieces = FeatureStore(tmp_path / "store", StoreKey.of(encoder)), pieces_of(pictures(tmp_path, 8))
    extract(encoder, store, pieces, [1])
    whole = load_tokens(store, 1, pieces, torch.device("cpu"))
    piece = store.piece(1, pieces[1].digests)
    piece.write_bytes(piece.read_bytes()[:left])
    extract(encoder, store, pieces, [1])
    assert Counting.seen == 8 + 4
    assert torch.equal(load_tokens(store, 1, pieces, torch.device("cpu")), whole)


def test_other_pictures_and_other_weights_have_other_pieces(tmp_path: Path, encoder: Counting):
    paths = pictures(tmp_path, 4)
    (piece,) = pieces_of(paths)
    store = FeatureStore(tmp_path, StoreKey.of(encoder))
    before = store.piece(1, piece.digests)
    Image.new("RGB", (9, 9)).save(paths[0])
    (changed,) = pieces_of(paths)
    assert store.piece(1, changed.digests) != before
    assert store.piece(2, piece.digests) != before
    other = Counting(torch.device("cpu"), weights="others")
    assert FeatureStore(tmp_path, StoreKey.of(other)).piece(1, piece.digests) != before


def test_pictures_are_fitted_by_bicubic_without_a_crop_and_normalised(tmp_path: Path):
    wide = Image.new("RGB", (448, 224), "#ff0000")
    wide.paste("#00ff00", (224, 0, 448, 224))
    wide.save(tmp_path / "img_0.png")
    pixels, _ = read_picture(tmp_path / "img_0.png")
    assert pixels.shape == (224, 224, 3)
    assert np.array_equal(pixels, np.asarray(wide.resize((224, 224), Image.Resampling.BICUBIC)))
    ready = normalised(torch.from_numpy(pixels.copy())[None])
    assert float(ready[0, 0, 5, 5]) == pytest.approx((1 - 0.485) / 0.229, abs=1e-5)
    assert float(ready[0, 1, 5, 200]) == pytest.approx((1 - 0.456) / 0.224, abs=1e-5)


@pytest.mark.parametrize(("fault", "message"), [("nan", "not numbers"), ("one row", "for 4 pictures")])
def test_tokens_that_are_none_are_refused(tmp_path: Path, encoder: Counting, fault: str, message: str):
    class Broken(Counting):
        def tokens(self, pictures: "Tensor", layers: Sequence[int]) -> "list[Tensor]":
            (tokens,) = super().tokens(pictures, layers)
            return [tokens * torch.nan if fault == "nan" else tokens[:1]]

    pieces = pieces_of(pictures(tmp_path, 4))
    store = FeatureStore(tmp_path / "store", StoreKey.of(encoder))
    with pytest.raises(EncoderError, match=message):
        extract(Broken(torch.device("cpu")), store, pieces, [1])
    assert not store.has(1, pieces[0].digests)


@FORKED
@pytest.mark.parametrize("workers", [0, 2])
def test_a_damaged_picture_is_named(tmp_path: Path, encoder: Counting, workers: int):
    paths = pictures(tmp_path, 2)
    paths[1].write_bytes(b"no picture")
    store = FeatureStore(tmp_path / "store", StoreKey.of(encoder))
    with pytest.raises(SceneFileError, match=r"^\S+img_1.jpg is not a readable picture \(\w+\)$"):
        extract(encoder, store, pieces_of(paths), [1], workers=workers)


@FORKED
def test_processes_give_the_same_tokens_in_the_same_order(tmp_path: Path, encoder: Counting):
    pieces = pieces_of(pictures(tmp_path, 50))
    kept: list[Tensor] = []
    for workers in (0, 2):
        store = FeatureStore(tmp_path / f"store-{workers}", StoreKey.of(encoder))
        extract(encoder, store, pieces, [1], workers=workers)
        kept.append(load_tokens(store, 1, pieces, torch.device("cpu")))
    assert torch.equal(*kept)


def test_a_picture_that_changes_while_it_is_read_is_named(tmp_path: Path, encoder: Counting):
    paths = pictures(tmp_path, 2)
    pieces = pieces_of(paths)
    Image.new("RGB", (9, 9)).save(paths[1])
    with pytest.raises(SceneFileError, match=r"img_1.jpg changed while it was read"):
        extract(encoder, FeatureStore(tmp_path / "store", StoreKey.of(encoder)), pieces, [1])
