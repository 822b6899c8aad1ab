"""`tolman probe` from a folder to a table; killed at any moment and started again it gives the same table."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

torch = pytest.importorskip("torch")

from tests.benchmarks.sparrta.painted_scenes import painted  # noqa: E402
from tests.command_line import TOLMAN, kill, started, still_at_work  # noqa: E402
from tolman.cli.probing import attention, probe  # noqa: E402
from tolman.errors import SettingsError  # noqa: E402

torch.set_num_threads(1)


def test_the_command_prints_a_table_and_writes_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data = painted(tmp_path / "data", 60)
    probe(encoder="pixels", data=data, probe="linear,cls", out=tmp_path / "out", store=tmp_path / "store", epochs=2)
    printed = capsys.readouterr().out
    assert "pixels (2 epochs)" in printed
    rows = json.loads((tmp_path / "out" / "results.json").read_text())
    assert {(row["viewpoint"], row["head"], row["seed"]) for row in rows} == {
        (view, head, seed) for view in ("ego", "allo") for head in ("linear", "cls") for seed in (8, 42)
    }
    assert all(0 <= row["test"] <= 1 for row in rows)


def test_bad_choices_are_refused(tmp_path: Path):
    with pytest.raises(SettingsError, match="no probe"):
        probe(encoder="pixels", data=tmp_path, probe="psychic")
    with pytest.raises(SettingsError, match="no viewpoint"):
        probe(encoder="pixels", data=tmp_path, viewpoint="mine")


def test_attention_between_things_is_written_layer_by_layer(tmp_path: Path):
    data = painted(tmp_path / "data", 2)
    truth = data / "forest" / "truth"
    truth.mkdir()
    ids = np.zeros((64, 64), dtype=np.uint8)
    ids[:16, :16], ids[30:40, 30:50], ids[50:, 50:] = 1, 2, 3
    for number in range(2):
        Image.fromarray(ids).save(truth / f"ids_{number:04d}.png")
    attention(encoder="random", data=data, layers="1", pictures=2, out=tmp_path / "flow.csv")
    lines = (tmp_path / "flow.csv").read_text().splitlines()
    assert lines[0] == "model,layer,query,target,mean_attention,std_over_environments"
    assert len(lines) == 1 + 5 * 5
    assert any(line.startswith("random,1,human,target,0.00") for line in lines)


@pytest.mark.slow
def test_killed_and_started_again_it_gives_the_same_table(tmp_path: Path):
    data = painted(tmp_path / "data", 300)

    def command(out: str) -> list[str]:
        places = ["--data", str(data), "--out", str(tmp_path / out), "--store", str(tmp_path / out / "tokens")]
        options = ["--encoder", "pixels", "--probe", "linear,efficient", "--epochs", "6"]
        return ["probe", *options, *places]

    subprocess.run([TOLMAN, *command("whole")], check=True, capture_output=True)
    for wanted in (0, 1, 2):
        running = started(*command("torn"))
        still_at_work(running, lambda wanted=wanted: len([*(tmp_path / "torn").rglob("*-layer-*.json")]) > wanted)
        kill(running)
    subprocess.run([TOLMAN, *command("torn")], check=True, capture_output=True)
    for file in ("results.json", "results.parquet"):
        assert (tmp_path / "whole" / file).read_bytes() == (tmp_path / "torn" / file).read_bytes()
