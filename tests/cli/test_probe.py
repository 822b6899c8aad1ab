"""`tolman probe` from a folder to a table; killed at any moment and started again it gives the same table."""

import csv
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

torch = pytest.importorskip("torch")

from tests.benchmarks.sparrta.painted_scenes import painted  # noqa: E402
from tests.command_line import TOLMAN, Here, kill, started, still_at_work  # noqa: E402
from tolman.benchmarks.sparrta.probes.analysis import masked_pictures  # noqa: E402
from tolman.benchmarks.sparrta.probes.cells import read_thing_rows  # noqa: E402
from tolman.cli.probe import attention, probe, things  # noqa: E402
from tolman.core.errors import SceneFileError, SettingsError  # noqa: E402

torch.set_num_threads(1)


def test_the_command_prints_a_table_and_writes_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data = painted(tmp_path / "data", 60)
    probe(encoder="pixels", data=data, probe="linear,cls", out=tmp_path / "out", store=tmp_path / "store", epochs=2)
    printed = capsys.readouterr().out
    assert "pixels (2 epochs)" in printed
    assert "All results are in" in printed
    rows = json.loads((tmp_path / "out" / "results.json").read_text())
    assert {(row["viewpoint"], row["head"], row["seed"]) for row in rows} == {
        (view, head, seed) for view in ("ego", "allo") for head in ("linear", "cls") for seed in (8, 42)
    }
    assert all(0 <= row["test"] <= 1 for row in rows)


def test_other_programs_get_the_table_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data, out, store = painted(tmp_path / "data", 60), tmp_path / "out", tmp_path / "store"
    probe(encoder="pixels", data=data, probe="linear", out=out, store=store, epochs=2, form="csv")
    written, told = capsys.readouterr()
    line, *rows = written.splitlines()
    assert line.startswith("# Test accuracy, %")
    read = list(csv.DictReader(rows))
    assert [(row["encoder"], row["viewpoint"]) for row in read] == [
        ("pixels (2 epochs)", "ego"),
        ("pixels (2 epochs)", "allo"),
    ]
    for row in read:
        assert 0 <= float(row["linear low"]) <= float(row["linear"]) <= float(row["linear high"]) <= 100
    assert "All results are in" in told


def test_encoders_are_listed_whole(here: Here):
    rows = here("probe", "encoders", "--format", "csv").stdout.splitlines()[1:]
    read = {row["encoder"]: row for row in csv.DictReader(rows)}
    assert read["dinov2-b14-reg"]["from"] == "facebook/dinov2-with-registers-base"
    assert "dinov2-b14-reg" in here("probe", "encoders").stdout


def test_bad_choices_are_refused(tmp_path: Path):
    with pytest.raises(SettingsError, match="no probe"):
        probe(encoder="pixels", data=tmp_path, probe="psychic")
    with pytest.raises(SettingsError, match="--viewpoint"):
        probe(encoder="pixels", data=tmp_path, viewpoint="mine")


def masked(folder: Path, count: int) -> Path:
    """Pictures with masks that are always the same."""
    data = painted(folder / "data", count)
    truth = data / "forest" / "truth"
    truth.mkdir()
    ids = np.zeros((64, 64), dtype=np.uint8)
    ids[:16, :16], ids[30:40, 30:50], ids[50:, 50:] = 1, 2, 3
    for number in range(count):
        Image.fromarray(ids).save(truth / f"ids_{number:04d}.png")
    return data


def test_things_that_are_always_in_one_place_are_told_from_where_patches_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    things(encoder="pixels", data=masked(tmp_path, 8), out=tmp_path / "out")
    assert "Detection of objects in single tokens" in capsys.readouterr().out
    rows = read_thing_rows(tmp_path / "out")
    assert [(row.encoder, row.triple, row.thing, row.pictures) for row in rows] == [
        ("pixels", "forest", thing, 8) for thing in ("source", "target", "human")
    ]
    assert all(row.average_precision > 5 * row.share for row in rows)
    with pytest.raises(SettingsError, match="--pictures"):
        things(encoder="pixels", data=tmp_path / "data", pictures=1)
    with pytest.raises(SceneFileError, match="has no masks"):
        things(encoder="pixels", data=painted(tmp_path / "unmasked", 2), out=tmp_path / "out")


def test_attention_between_things_is_written_layer_by_layer(tmp_path: Path):
    data = masked(tmp_path, 2)
    attention(encoder="random", data=data, layers="1", pictures=2, out=tmp_path / "flow.csv")
    lines = (tmp_path / "flow.csv").read_text().splitlines()
    assert lines[0] == "model,layer,query,target,mean_attention,std_over_environments"
    assert len(lines) == 1 + 5 * 5
    assert any(line.startswith("random,1,human,target,0.00") for line in lines)


def test_the_authors_pictures_with_masks_are_read(tmp_path: Path):
    for environment in ("bridge", "winter_town"):
        for number in range(3):
            place = tmp_path / "masks" / environment / f"params_{number:04d}"
            (place / "metadata").mkdir(parents=True)
            Image.new("RGB", (64, 64), "#808080").save(place / f"img_{number:04d}.jpg")
            for row, label in enumerate(("Human", "Tree", "Truck")):
                mask = np.zeros((64, 64), dtype=np.uint8)
                mask[16 * row : 16 * row + 16] = 255
                Image.fromarray(mask).save(place / "metadata" / f"mask_{label}.png")
    pictures = masked_pictures(tmp_path / "masks", 2)
    assert [picture.environment for picture in pictures] == ["bridge", "bridge", "winter_town", "winter_town"]
    rows = {role: int(np.flatnonzero(mask.any(axis=1))[0]) for role, mask in pictures[0].masks.items()}
    assert rows == {"human": 0, "source": 16, "target": 32}
    attention(encoder="random", data=tmp_path / "masks", layers="1", pictures=1, out=tmp_path / "flow.csv")
    assert len((tmp_path / "flow.csv").read_text().splitlines()) == 1 + 5 * 5
    with pytest.raises(SettingsError, match="--pictures"):
        attention(encoder="random", data=tmp_path / "masks", pictures=-1)


def test_what_can_not_be_written_is_one_line(tmp_path: Path, here: Here):
    data = painted(tmp_path / "data", 60)
    (tmp_path / "file").write_text("in the way")
    for option in ("--out", "--store"):
        places = {"--out": tmp_path / "out", "--store": tmp_path / "store", option: tmp_path / "file" / "folder"}
        options = [text for pair in places.items() for text in pair]
        done = here("probe", "--encoder", "pixels", "--data", data, "--probe", "linear", "--epochs", "1", *options)
        assert done.returncode == 2
        assert done.stderr.strip().splitlines()[-1].startswith(f"tolman: {tmp_path / 'file'}")
        assert "Traceback" not in done.stderr


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
