"""Files that weights come in are read as data: ONNX Runtime's format without it, pickles with nothing but numbers."""

import hashlib
import io
import os
import pickle
import struct
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from tolman.core.package_archive import PackageArchive, WeightsError  # noqa: E402
from tolman.probing.encoders.packaged.catalogue import PackagedEncoder, fetch_packaged, load_packaged  # noqa: E402
from tolman.probing.encoders.packaged.feature_maps import Arrays, FeatureMapShape, fold_batch_norm  # noqa: E402
from tolman.probing.encoders.packaged.weight_files import read_ort, read_pickle  # noqa: E402
from tolman.probing.encoders.presets import weights_digest  # noqa: E402


class Buffer:
    """A small writer of FlatBuffers: tables are put behind what refers to them, and offsets filled in later."""

    def __init__(self) -> None:
        self.data = bytearray(b"\0\0\0\0ORTM")

    def table(self, fields: int) -> dict[int, int]:
        """An empty table with so many fields of four bytes; where each is, and at -1 where the table is."""
        listed = len(self.data)
        self.data += struct.pack(f"<HH{fields}H", 4 + 2 * fields, 4 + 4 * fields, *(4 + 4 * i for i in range(fields)))
        at = len(self.data)
        self.data += struct.pack("<i", at - listed) + bytes(4 * fields)
        return {-1: at} | {number: at + 4 + 4 * number for number in range(fields)}

    def refer(self, place: int) -> None:
        """Let an offset mean what is written next."""
        self.data[place : place + 4] = struct.pack("<I", len(self.data) - place)

    def refer_to(self, place: int, at: int) -> None:
        self.data[place : place + 4] = struct.pack("<I", at - place)

    def vector(self, place: int, count: int, content: bytes) -> int:
        self.refer(place)
        self.data += struct.pack("<I", count) + content
        return len(self.data) - len(content)


def written(tensors: dict[str, np.ndarray]) -> bytes:
    buffer = Buffer()
    session = buffer.table(2)
    buffer.refer_to(0, session[-1])
    model = buffer.table(8)
    buffer.refer_to(session[1], model[-1])
    graph = buffer.table(1)
    buffer.refer_to(model[7], graph[-1])
    first = buffer.vector(graph[0], len(tensors), bytes(4 * len(tensors)))
    for number, (name, values) in enumerate(tensors.items()):
        one = buffer.table(5)
        buffer.refer_to(first + 4 * number, one[-1])
        buffer.vector(one[0], len(name), name.encode())
        buffer.vector(one[2], values.ndim, struct.pack(f"<{values.ndim}q", *values.shape))
        buffer.data[one[3] : one[3] + 4] = struct.pack("<i", 1 if values.dtype == np.float32 else 7)
        buffer.vector(one[4], values.nbytes, values.tobytes())
    return bytes(buffer.data)


def test_numbers_in_a_file_of_onnx_runtime_are_read(tmp_path: Path):
    weights = np.arange(6, dtype=np.float32).reshape(2, 3)
    path = tmp_path / "model.ort"
    path.write_bytes(written({"blocks.0.weight": weights, "sizes": np.arange(3), "bias": weights[0]}))
    found = read_ort(path)
    assert sorted(found) == ["bias", "blocks.0.weight"]
    assert np.array_equal(found["blocks.0.weight"], weights)
    for damaged in (path.read_bytes()[:-20], b"", b"\xff" * 40):
        path.write_bytes(damaged)
        with pytest.raises(WeightsError):
            read_ort(path)


def test_weights_in_a_pickle_are_read_in_another_process(tmp_path: Path):
    path = tmp_path / "weights.pth"
    torch.save({"a.weight": torch.arange(4.0).half(), "count": torch.tensor(3)}, path)
    found = read_pickle(path)
    assert found["a.weight"].tolist() == [0, 1, 2, 3]
    assert not path.exists()


class Harmful:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (self.path,)


def test_a_pickle_that_would_run_something_is_refused(tmp_path: Path):
    path = tmp_path / "weights.pth"
    path.write_bytes(pickle.dumps({"a": Harmful(str(tmp_path / "made"))}))
    with pytest.raises(WeightsError, match="does not hold plain weights"):
        read_pickle(path)
    assert not (tmp_path / "made").exists()


def made_package(folder: Path) -> PackagedEncoder:
    """A network of one convolution in a package of its own, which somebody put into the cache folder."""
    folder.mkdir()
    weights = {"weight": torch.rand(64, 3, 32, 32), "bias": torch.rand(64)}
    inner = {"package/weights.bin": weights["weight"].numpy().tobytes() + weights["bias"].numpy().tobytes()}
    with tarfile.open(folder / "made-1.0.tgz", "w:gz") as archive:
        for member, content in inner.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    digest = hashlib.sha256((folder / "made-1.0.tgz").read_bytes()).hexdigest()

    def read(files: list[Path]) -> Arrays:
        values = np.frombuffer(files[0].read_bytes(), np.float32)
        return {"0.weight": values[:-64].reshape(64, 3, 32, 32), "0.bias": values[-64:]}

    return PackagedEncoder(
        "made",
        PackageArchive("made", "1.0", "made-1.0.tgz", digest, 1, "npm"),
        tuple(inner),
        read,
        lambda: torch.nn.Sequential(torch.nn.Conv2d(3, 64, 32, 32)),
        FeatureMapShape((64,), (7,)),
    )


def test_the_same_package_gives_the_same_bytes_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    packaged = made_package(tmp_path / "cache")
    with pytest.raises(WeightsError, match="tolman probe fetch made"):
        load_packaged(packaged, None, torch.device("cpu"))
    seen: set[bytes] = set()
    for _ in range(4):
        seen.add(fetch_packaged(packaged).read_bytes())
        packaged.path.unlink()
    assert len(seen) == 1
    fetch_packaged(packaged)
    network = load_packaged(packaged, None, torch.device("cpu"))
    assert network.weights == weights_digest(packaged.path)
    other = replace(packaged, network=lambda: torch.nn.Sequential(torch.nn.Conv2d(3, 32, 32, 32)))
    with pytest.raises(WeightsError, match="does not hold the weights of made"):
        load_packaged(other, None, torch.device("cpu"))


def test_a_folded_convolution_gives_what_it_gave_with_its_norm():
    torch.manual_seed(0)
    convolution, norm = torch.nn.Conv2d(3, 5, 3), torch.nn.BatchNorm2d(5, eps=1e-3).eval()
    for values in (norm.weight, norm.bias, norm.running_mean, norm.running_var):
        torch.nn.init.uniform_(values, 0.5, 2)
    bias = convolution.bias
    assert bias is not None
    assert norm.running_mean is not None
    assert norm.running_var is not None
    stored = (norm.weight, norm.bias, norm.running_mean, norm.running_var)
    norms = [values.detach().numpy() for values in stored]
    found = fold_batch_norm("one", convolution.weight.detach().numpy(), bias.detach().numpy(), norms, 1e-3)
    pictures = torch.randn(2, 3, 8, 8)
    with torch.no_grad():
        wanted = norm(convolution(pictures))
        convolution.load_state_dict({name.removeprefix("one."): torch.tensor(v) for name, v in found.items()})
        assert torch.allclose(convolution(pictures), wanted, atol=1e-5)
