"""Pictures ahead of time: the same bytes whoever renders them, and what is there is left alone."""

import hashlib
import importlib.util
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import ended, started, still_at_work
from tests.render.tiny_pictures import ARGUMENTS, JOB, SCENE, SUBJECT, digests, rendered
from tolman.cli.render import render
from tolman.core.errors import RenderError, SettingsError, TolmanError
from tolman.core.files import lock_folder
from tolman.core.geometry import Heading
from tolman.core.parallel import cluster
from tolman.render.prerender import PICTURE_INDEX, PICTURE_INDEX_COLUMNS, _split, prerender, read_picture_index
from tolman.render.views import RenderJob, RenderSubject, WorkerSettings, made_with, render_slice, shots
from tolman.world import WorldSettings, generate

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pictures")
    assert rendered(out)[-1] == len(list(shots(SCENE, JOB)))
    return out


def test_the_index_has_a_row_for_each_view(whole: Path):
    import polars  # noqa: PLC0415

    table = polars.read_parquet(whole / PICTURE_INDEX)
    assert table.columns == list(PICTURE_INDEX_COLUMNS)
    assert table.height == len(list(shots(SCENE, JOB))) == table["digest"].n_unique()
    for row in table.iter_rows(named=True):
        assert hashlib.sha256((whole / row["rgb"]).read_bytes()).hexdigest() == row["sha256"]
        assert (whole / row["ids"]).is_file()
        assert (whole / row["depth"]).is_file()
        assert (row["x"], row["y"]) == SCENE.pose_at(row["standing_on"], Heading[row["heading"].upper()]).cell
    assert set(table["preset"]) == {"draft"}
    assert set(table["scene_digest"]) == {SCENE.digest}


def test_again_nothing_is_rendered_but_what_is_damaged(whole: Path):
    before, told = digests(whole), rendered(whole)
    assert told[0] == told[-1]
    assert digests(whole) == before
    broken = next(whole.glob("*/rgb/*.png"))
    broken.write_bytes(broken.read_bytes()[:-20])
    changed = next(whole.glob("*/ids/*.png"))
    data = bytearray(changed.read_bytes())
    data[data.index(b"IDAT") + 6] ^= 1
    changed.write_bytes(data)
    (whole / "00000" / ".unfinished-abc").write_bytes(b"half")
    rendered(whole)
    assert digests(whole) == before


def test_two_workers_make_the_same_files(whole: Path, tmp_path: Path):
    rendered(tmp_path, workers=2)
    assert digests(tmp_path) == digests(whole)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ray", "dask"])
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_of_two_processes_makes_the_same_files(whole: Path, tmp_path: Path, kind: str):
    pytest.importorskip("ray" if kind == "ray" else "distributed")
    with cluster(kind, 2):
        rendered(tmp_path, workers=2)
    assert digests(tmp_path) == digests(whole)


def test_slices_hold_each_view_once_and_keep_all_workers_busy():
    scenes = [RenderSubject(str(seed), generate(seed, WorldSettings(rooms=2))) for seed in range(3)]
    for workers in (1, 2, 7, 1000):
        parts = list(_split(scenes, JOB, {}, workers))
        for subject in scenes:
            views = [n for part in parts if part.subject is subject for n in range(part.first, part.last)]
            assert views == list(range(len(list(shots(subject.scene, JOB)))))
        assert workers == 1 or len(parts) >= min(2 * workers, sum(part.last - part.first for part in parts))
    assert len(list(_split(scenes, JOB, {}, 1))) == 3


def test_a_worker_with_another_engine_or_other_models_is_refused(tmp_path: Path):
    terms = WorkerSettings(tmp_path, JOB, None, 0)
    part = next(_split([SUBJECT], JOB, made_with(terms) | {"engine": "steam"}, 1))
    with pytest.raises(RenderError, match="engine steam"):
        render_slice(terms, part)


def test_other_settings_and_other_programs_are_kept_out(whole: Path):
    with pytest.raises(SettingsError, match="other settings"):
        rendered(whole, RenderJob(("ego",), 24, preset="draft", assets="built-in"))
    with lock_folder(whole), pytest.raises(SettingsError, match="another program"):
        rendered(whole)
    with pytest.raises(SettingsError, match="no cluster 'abacus'"), cluster("abacus"):
        pass


def test_a_full_or_forbidden_disk_is_told_in_one_sentence(tmp_path: Path):
    (tmp_path / "00000").write_text("a file where a folder must be")
    with pytest.raises(SettingsError, match="can't be written"):
        prerender([SUBJECT], tmp_path, JOB, lambda _: None, force=True)


def test_an_index_that_is_missing_or_damaged_is_told(tmp_path: Path):
    with pytest.raises(RenderError, match="tolman render"):
        list(read_picture_index(tmp_path))
    (tmp_path / PICTURE_INDEX).write_bytes(b"PAR1 and then nothing")
    with pytest.raises(RenderError, match="damaged"):
        list(read_picture_index(tmp_path))


def test_an_interrupt_ends_in_peace(tmp_path: Path):
    process = started(*ARGUMENTS, "--out", tmp_path)
    assert still_at_work(process, lambda: any(tmp_path.glob("*/rgb/*.png"))), process.communicate()
    os.killpg(process.pid, signal.SIGINT)
    out, err = ended(process, 30)
    assert (process.returncode, out, err.strip()) == (130, "", "")
    assert not list(tmp_path.rglob(".unfinished*"))


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"views": "ego,xray"}, "choose from ego, panorama, topdown"),
        ({"preset": "perfect"}, "choose one of preview, draft"),
        ({"workers": 0}, "at least 1"),
        ({"eye_height": 9.0}, "0.1 to 2.4 metres"),
        ({"field": 180.0}, "1 to 170 degrees"),
        ({"size": 2}, "8 to 8192 pixels"),
    ],
)
def test_bad_options_are_told_in_one_sentence(options: dict[str, Any], hint: str, tmp_path: Path):
    with pytest.raises(TolmanError, match=hint) as caught:
        render(out=tmp_path / "out", **options)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_made_with_says_how(whole: Path):
    made = json.loads((whole / "made-with.json").read_text())
    assert (made["preset"], made["size"], made["field"], made["eye"]) == ("draft", 16, 90.0, 0.8)
