"""What the files of each format hold: the contracts that VLMEvalKit, lmms-eval, datasets and Inspect rely on.

`make integrations` runs the libraries themselves on them.
"""

import ast
import csv
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tests.benchmarks.sparrta.painted_scenes import painted
from tests.command_line import Here
from tolman.harness.export import lmms_eval_task
from tolman.harness.export.exported_set import CANARY, MANIFEST
from tolman.world import WorldSettings
from tolman.world.select import seal, write_sealed

parquet: Any = pytest.importorskip("pyarrow.parquet")
FORMATS = ("vlmevalkit", "lmms-eval", "hf")
csv.field_size_limit(2**27)


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_set(tmp_path_factory.mktemp("osr") / "rooms", each=5)


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened, dialect="excel-tab"))


def table_of(folder: Path) -> list[dict[str, Any]]:
    return parquet.read_table(next(folder.glob("data/*.parquet"))).to_pylist()


def test_a_picture_is_in_the_tsv_once_and_other_rows_name_it_by_index(rooms: Path, tmp_path: Path, here: Here) -> None:
    here("export", "osr-bench", "--format", "vlmevalkit", "--out", tmp_path / "set", "--data", rooms)
    rows = rows_of(tmp_path / "set" / "tolman_osr_bench.tsv")
    assert [row["index"] for row in rows] == [str(number) for number in range(len(rows))]
    stored = {row["index"]: row for row in rows if len(row["image"]) > 64}
    assert len(stored) == 2 == len({row["scene"] for row in rows})
    for row in rows:
        assert row["image"] in stored or row["index"] in stored
        assert stored.get(row["image"], row)["scene"] == row["scene"]
        assert row[row["answer"]]
        assert row["canary"] == CANARY
        assert row["version"] == "1-A"


def test_several_pictures_are_a_list_that_vlmevalkit_evaluates(rooms: Path, tmp_path: Path, here: Here) -> None:
    here("export", "osr-bench", "--format", "vlmevalkit", "--out", tmp_path / "set", "--data", rooms, "--views", "four")
    rows = rows_of(tmp_path / "set" / "tolman_osr_bench.tsv")
    assert len(ast.literal_eval(rows[0]["image"])) == 4


def test_words_have_no_column_of_pictures(tmp_path: Path, here: Here) -> None:
    here("export", "theory-of-space", "--format", "vlmevalkit", "--out", tmp_path / "set", "--scenes", "0")
    rows = rows_of(tmp_path / "set" / "tolman_theory_of_space.tsv")
    assert "image" not in rows[0]
    assert all(row["A"] and row["B"] and row["C"] and row["D"] for row in rows)


def test_the_lmms_eval_task_clusters_errors_by_scene(tmp_path: Path, here: Here) -> None:
    data = painted(tmp_path / "pictures", 24)
    out = tmp_path / "set"
    here("export", "sparrta", "--format", "lmms-eval", "--out", out, "--data", data, "--name", "relations")
    task = yaml.safe_load((out / "relations.yaml").read_text().replace("!function ", ""))
    assert task["task"] == "relations"
    assert (task["cluster_key"], task["score_key"]) == ("scene", "score")
    assert task["metadata"]["version"] == "1-A"
    assert (out / task["dataset_kwargs"]["data_files"]["test"]).is_file()
    assert (out / "utils.py").read_text() == Path(lmms_eval_task.__file__).read_text()
    doc = table_of(out)[0]
    found = lmms_eval_task.process_results(doc, [f"({doc['answer']})"])["accuracy"]
    assert found == {"score": 1.0, "scene": doc["scene"], "id": doc["id"], "index": 0, "letter": doc["answer"]}
    assert lmms_eval_task.process_results(doc, ["I do not know"])["accuracy"]["score"] == 0
    assert lmms_eval_task.doc_to_text(doc).endswith(f"D. {doc['choices'][3]}")


def test_chat_models_get_pictures_where_the_text_names_them() -> None:
    class Sheet:
        def convert(self, mode: str) -> str:
            return f"sheet in {mode}"

    doc = {"question": "Ahead:\n\n[picture 1]\n\nRight:\n\n[picture 2]\n\nWhere?", "choices": ["x", "y"]}
    doc |= {"images": [Sheet(), Sheet()]}
    (message,) = lmms_eval_task.doc_to_messages(doc)
    assert [part["type"] for part in message["content"]] == ["text", "image", "text", "image", "text"]


def test_the_card_tells_version_licence_source_and_what_can_be_guessed(rooms: Path, tmp_path: Path, here: Here) -> None:
    out = tmp_path / "set"
    here("export", "osr-bench", "--format", "hf", "--out", out, "--data", rooms)
    _, head, card = (out / "README.md").read_text().split("---\n", 2)
    about = yaml.safe_load(head)
    assert about["license"] == "other"
    assert about["configs"][0]["data_files"][0]["path"] == "data/test-*.parquet"
    for words in (CANARY, "Task version 1-A", "their own licence applies", "Chance is", "standard error"):
        assert words in card
    (task,) = yaml.safe_load((out / "eval.yaml").read_text())["tasks"]
    row = table_of(out)[0]
    fields = task["field_spec"]
    assert {fields["input"], fields["target"], fields["choices"], fields["input_image"], *fields["metadata"]} <= set(
        row
    )
    assert row["input_image"].startswith("data:image/png;base64,")
    described = json.loads((out / "croissant.json").read_text())
    assert {field["name"] for field in described["recordSet"][0]["field"]} == set(row)


def test_parquet_stores_the_picture_of_a_scene_once(tmp_path: Path, here: Here) -> None:
    rooms, sizes = write_set(tmp_path / "rooms", each=6), dict[int, int]()
    for limit in (4, 20):
        out = tmp_path / f"set-{limit}"
        here("export", "osr-bench", "--format", "lmms-eval", "--out", out, "--data", rooms, "--limit", str(limit))
        sizes[limit] = next(out.glob("data/*.parquet")).stat().st_size
        assert len(table_of(out)) == limit
    picture = len(table_of(tmp_path / "set-4")[0]["images"][0]["bytes"])
    assert sizes[20] - sizes[4] < 2 * picture


@pytest.mark.parametrize("form", FORMATS)
def test_a_sealed_set_holds_no_answer_and_no_seed(form: str, tmp_path: Path, here: Here) -> None:
    split = seal(1, WorldSettings(), "0.1.0")
    write_sealed(split, tmp_path / "sealed.json")
    out = tmp_path / "set"
    done = here("export", "theory-of-space", "--format", form, "--out", out, "--scenes", tmp_path / "sealed.json")
    assert "has no answers" in done.stdout
    text = b"".join(file.read_bytes() for file in out.rglob("*") if file.is_file()).decode("utf-8", "replace")
    assert f"{split.seeds[0]}" not in text
    assert f"{split.seeds[0]:032x}" not in text
    assert split.digests[0][:16] not in text
    rows = rows_of(out / "tolman_theory_of_space.tsv") if form == "vlmevalkit" else table_of(out)
    assert rows
    assert "answer" not in rows[0]
    assert "answer" not in json.loads((out / MANIFEST).read_text())["items"][0]
    assert not (out / "eval.yaml").exists()


def test_what_can_be_exported_is_said_where_it_can_not(tmp_path: Path, here: Here) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    full = here("export", "sparrta", "--format", "hf", "--out", tmp_path / "full", "--data", tmp_path)
    assert full.returncode == 2
    assert "already holds files" in full.stderr
    name = here("export", "sparrta", "--format", "hf", "--out", tmp_path / "new", "--name", "a/b", "--data", tmp_path)
    assert "letters, digits" in name.stderr
