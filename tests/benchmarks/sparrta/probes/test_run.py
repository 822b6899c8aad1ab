"""Probes from a folder of pictures to a table: what is there is learnt, stopping costs nothing, shuffled labels give
chance."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch")

from tests.benchmarks.sparrta.painted_scenes import painted  # noqa: E402
from tolman.benchmarks.sparrta.dataset.files import AMBIGUOUS_LABEL, read_picture_sets  # noqa: E402
from tolman.benchmarks.sparrta.probes.cells import ProbeCell, read_cells  # noqa: E402
from tolman.benchmarks.sparrta.probes.encoders import probed_encoders  # noqa: E402
from tolman.benchmarks.sparrta.probes.means import mean_of, write_results  # noqa: E402
from tolman.benchmarks.sparrta.probes.run import ProbePlan, run_probes  # noqa: E402
from tolman.core.errors import SceneFileError, SettingsError  # noqa: E402
from tolman.probing.encoder import DIGEST_LETTERS, Encoder, EncoderLayout  # noqa: E402
from tolman.probing.features import pieces_of  # noqa: E402
from tolman.probing.probe import read_heads  # noqa: E402

torch.set_num_threads(1)


@dataclass(frozen=True)
class Colours:
    """Tokens are the mean colours of patches; the second layer says nothing."""

    name: str = "colours"
    weights: str = "none"
    layout: EncoderLayout = EncoderLayout(56, 32, 2)  # noqa: RUF009
    device: Any = torch.device("cpu")  # noqa: RUF009
    trained_on: frozenset[str] = frozenset()

    def tokens(self, pictures: "Tensor", layers: Sequence[int]) -> "list[Tensor]":
        patches = torch.nn.functional.avg_pool2d(pictures, 56).flatten(2).transpose(1, 2)
        whole = torch.cat([patches.repeat(1, 1, 10), patches[..., :2]], dim=-1)
        tokens = torch.cat([whole.mean(dim=1, keepdim=True), whole], dim=1)
        return [tokens if layer == 1 else torch.ones_like(tokens) for layer in layers]

    def attention(self, pictures: "Tensor", layers: Sequence[int]) -> "list[Tensor]":
        raise NotImplementedError


QUICK = ProbePlan(heads=("efficient",), viewpoints=("ego",), layers="1", epochs=25)


def run(encoder: Encoder, data: Path, out: Path, plan: ProbePlan = QUICK, stop_after: int = 10**9) -> list[ProbeCell]:
    told = 0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal told
        assert done <= total
        told += what == "training"
        if told > stop_after:
            raise KeyboardInterrupt

    return run_probes(encoder, read_picture_sets(data), plan, out, out.parent / "tokens", tell)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return painted(tmp_path_factory.mktemp("painted"), 400, tells=True)


def test_a_probe_learns_what_tokens_say_and_nothing_where_they_say_nothing(data: Path, tmp_path: Path):
    cells = run(Colours(), data, tmp_path / "out", replace(QUICK, layers="all"))
    told, silent = (mean_of([cell for cell in cells if cell.key.layer == layer]).mean for layer in (1, 2))
    assert told > 0.6
    assert silent < 0.45
    shape, heads = read_heads((tmp_path / "out" / cells[0].key.path).with_suffix(".safetensors"))
    assert (shape.name, set(heads)) == ("efficient", {8, 42})


def test_weights_of_the_best_epoch_are_cells_and_rows_of_their_own(data: Path, tmp_path: Path):
    plan = replace(QUICK, epochs=8)
    (last,) = run(Colours(), data, tmp_path / "out", plan)
    (best,) = run(Colours(), data, tmp_path / "out", replace(plan, select="epoch"))
    assert last.key.path != best.key.path
    assert "select" not in last.key.protocol
    assert best.key.protocol["select"] == "epoch"
    assert [result.epoch for result in last.results] == [None, None]
    for one, other in zip(best.results, last.results, strict=True):
        assert 1 <= (one.epoch or 0) <= 8
        assert one.validation >= other.validation
    names = {one.name for one in probed_encoders(read_cells(tmp_path / "out"))}
    assert names == {"colours (8 epochs)", "colours (8 epochs, best epoch)"}
    assert run(Colours(), data, tmp_path / "out", replace(plan, select="epoch"), stop_after=0) == [best]


def test_with_shuffled_labels_probes_guess(data: Path, tmp_path: Path):
    cells = run(Colours(), data, tmp_path / "out", replace(QUICK, shuffle_labels=True))
    assert 0.1 < mean_of(cells).mean < 0.42


def test_a_run_that_was_stopped_gives_the_same_table(tmp_path: Path):
    data = painted(tmp_path / "data", 60)
    painted(tmp_path / "data", 60, number=2, seed=1)
    plan = replace(QUICK, heads=("linear", "efficient", "cls"), epochs=3)
    whole = run(Colours(), data, tmp_path / "whole" / "out", plan)
    assert len(whole) == 6
    for stop_after in (2, 4, 8):
        with pytest.raises(KeyboardInterrupt):
            run(Colours(), data, tmp_path / "torn" / "out", plan, stop_after)
    torn = run(Colours(), data, tmp_path / "torn" / "out", plan)
    assert torn == whole
    for name in ("whole", "torn"):
        write_results(tmp_path / name / "out", read_cells(tmp_path / name / "out"))
    for file in ("results.json", "results.parquet"):
        assert (tmp_path / "whole" / "out" / file).read_bytes() == (tmp_path / "torn" / "out" / file).read_bytes()
    assert run(Colours(), data, tmp_path / "torn" / "out", plan, stop_after=0) == whole


def test_other_settings_are_other_cells(tmp_path: Path):
    data = painted(tmp_path / "data", 60)
    plan = replace(QUICK, epochs=2)
    run(Colours(), data, tmp_path / "out", plan)
    for other in (replace(plan, epochs=3), replace(plan, protocol="released"), replace(plan, shuffle_labels=True)):
        run(Colours(), data, tmp_path / "out", other)
    run(Colours(weights="other"), data, tmp_path / "out", plan)
    assert len(read_cells(tmp_path / "out")) == 5


def test_labels_are_those_of_the_samples_and_ambiguous_ones_are_left_out(data: Path):
    (pictures,) = read_picture_sets(data)
    assert (pictures.name, pictures.environment, len(pictures.paths)) == ("forest", "forest", 400)
    assert set(pictures.labels["ego"].tolist()) == {0, 1, 2, 3}
    assert (pictures.labels["allo"] == AMBIGUOUS_LABEL).any()


def test_tokens_can_be_given_back_when_a_triple_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tolman.benchmarks.sparrta.probes.run._FEW_LAYERS", 1)
    data, plan = painted(tmp_path / "data", 60), replace(QUICK, layers="all", epochs=1)
    few = run(Colours(), data, tmp_path / "few" / "out", replace(plan, keep_tokens=False))
    assert not list((tmp_path / "few" / "tokens").rglob("*.npy"))
    assert few == run(Colours(), data, tmp_path / "all" / "out", plan)


def test_an_encoder_that_knows_the_pictures_is_known_by_it(tmp_path: Path):
    data, plan = painted(tmp_path / "data", 60), replace(QUICK, epochs=1)
    (pictures,) = read_picture_sets(data)
    digests = [one[:DIGEST_LETTERS] for piece in pieces_of(pictures.paths) for one in piece.digests]
    (cell,) = run(Colours(trained_on=frozenset(digests[:7])), data, tmp_path / "out", plan)
    assert cell.seen == 7
    assert read_cells(tmp_path / "out") == [cell]


def test_bad_folders_and_settings_are_named(tmp_path: Path):
    with pytest.raises(SceneFileError, match="not a folder"):
        read_picture_sets(tmp_path / "nowhere")
    with pytest.raises(SceneFileError, match="mid-objects"):
        read_picture_sets(tmp_path)
    data = painted(tmp_path, 12)
    with pytest.raises(SettingsError, match="tokens of width 40"):
        run(Colours(layout=EncoderLayout(56, 40, 2)), data, tmp_path / "out")
    with pytest.raises(SettingsError, match="too few"):
        run(Colours(), painted(tmp_path / "few", 6), tmp_path / "out")
    with pytest.raises(SettingsError, match="1 to 2"):
        run(Colours(), data, tmp_path / "out", replace(QUICK, layers="3"))
    stored = json.dumps({"key": {}, "results": []})
    (tmp_path / "out" / "cells" / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "out" / "cells" / "a" / "b" / "c" / "d.json").write_text(stored)
    with pytest.raises(SceneFileError, match="not a finished cell"):
        read_cells(tmp_path / "out")
