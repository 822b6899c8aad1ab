"""Results of other harnesses become logs whose tables agree with what the harness counted."""

import csv
import json
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pytest

from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tests.benchmarks.sparrta.painted_scenes import painted
from tests.command_line import Here
from tolman.benchmarks.theory_of_space.runs import read_runs

pytest.importorskip("pyarrow")
csv.field_size_limit(2**27)


def exported(here: Here, out: Path, *arguments: object) -> list[dict[str, str]]:
    """The rows of a set for VLMEvalKit."""
    done = here("export", arguments[0], "--format", "vlmevalkit", "--out", out, "--name", "asked", *arguments[1:])
    assert done.returncode == 0, done.stderr
    with (out / "asked.tsv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, dialect="excel-tab"))


def predicted(folder: Path, rows: list[dict[str, str]], wrong: int) -> float:
    """Write predictions as VLMEvalKit does, every `wrong`-th of them wrong; returns the share of right ones."""
    folder.mkdir(parents=True)
    hits = 0
    with (folder / "some-model_asked.tsv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["index", "question", "prediction"], dialect="excel-tab")
        writer.writeheader()
        for row in rows:
            letter, right = row["answer"], int(row["index"]) % wrong != 0
            choices = [sign for sign in ascii_uppercase if row.get(sign)]
            said = letter if right else choices[choices.index(letter) - 1]
            hits += right
            writer.writerow({"index": row["index"], "question": row["question"], "prediction": f"{said}. {row[said]}"})
    return hits / len(rows)


def numbers(here: Here, logs: Path, file: Path) -> Any:
    shown = here("show", logs, "--json", file, "--references", "none")
    assert shown.returncode == 0, shown.stderr
    return json.loads(file.read_text())


def test_theory_of_space_comes_back_with_the_same_accuracy_intervals_and_ceilings(tmp_path: Path, here: Here) -> None:
    rows = exported(here, tmp_path / "set", "theory-of-space", "--scenes", "0-2")
    share = predicted(tmp_path / "results", rows, 4)
    logs = tmp_path / "logs"
    done = here("import", tmp_path / "results", "--from", "vlmevalkit", "--export", tmp_path / "set", "--log-dir", logs)
    assert (
        f"vlmevalkit/some-model: {len(rows)} of {len(rows)} questions answered, {100 * share:.1f} % right"
        in done.stdout
    )
    (run,) = numbers(here, logs, tmp_path / "numbers.json")["runs"]
    assert run["model"] == "vlmevalkit/some-model"
    right = [int(row["index"]) % 4 != 0 for row in rows]
    assert run["scores"]["strict"]["columns"]["ask/none"]["mean"] == pytest.approx(sum(right) / len(right))
    shown = here("show", logs, "--ceilings").stdout
    assert "choices 4" in shown
    assert "Never looked, or not understood?" in shown


def test_the_origin_of_imported_replies_gives_the_commands_of_the_export_and_the_import(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    limited = ("--scenes", "0-1", "--limit", "9", "--kinds", "direction,mental_rotation", "--no-balance")
    predicted(Path("results"), exported(here, Path("set"), "theory-of-space", *limited), 4)
    assert here("import", "results", "--from", "vlmevalkit", "--export", "set").returncode == 0
    (run,) = read_runs([Path("logs")], pytest.fail)
    export, come_back = run.origins[0].command.splitlines()
    assert come_back == "tolman import RESULTS --from vlmevalkit --export asked"
    assert export.endswith(" --format vlmevalkit --out asked")
    assert here(*export.split()[1:]).returncode == 0
    assert Path("asked/asked.tsv").read_bytes() == Path("set/asked.tsv").read_bytes()


def test_osr_bench_and_sparrta_come_back_too(tmp_path: Path, here: Here) -> None:
    rooms = write_set(tmp_path / "rooms", each=5)
    pictures = painted(tmp_path / "pictures", 30)
    for name, data in (("osr-bench", rooms), ("sparrta", pictures)):
        place = tmp_path / name
        rows = exported(here, place / "set", name, "--data", data)
        share = predicted(place / "results", rows, 3)
        done = here(
            "import", place / "results", "--from", "vlmevalkit", "--export", place / "set", "--log-dir", place / "logs"
        )
        assert f"{100 * share:.1f} % right, 0 unparseable" in done.stdout
        assert numbers(here, place / "logs", place / "numbers.json")
        report = here("report", place / "logs", "--out", place / "report", "--jobs", "1")
        assert report.returncode == 0, report.stderr


def test_samples_of_lmms_eval_come_back_and_disagreements_are_counted(tmp_path: Path, here: Here) -> None:
    data, out = painted(tmp_path / "pictures", 24), tmp_path / "set"
    rows = exported(here, out, "sparrta", "--data", data)
    results = tmp_path / "results" / "org__model"
    results.mkdir(parents=True)
    lines = [
        {
            "doc_id": int(row["index"]),
            "filtered_resps": f"({row['answer']})",
            "accuracy": {"score": float(row["index"] != "0"), "index": int(row["index"])},
        }
        for row in rows[:10]
    ]
    (results / "20260101_samples_asked.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (results / "20260101_results.json").write_text(json.dumps({"model_name": "org/model"}))
    done = here("import", tmp_path / "results", "--from", "lmms-eval", "--export", out, "--log-dir", tmp_path / "logs")
    assert f"lmms-eval/org/model: 10 of {len(rows)} questions answered, 100.0 % right" in done.stdout
    assert "1 scored otherwise by lmms-eval" in done.stdout


def test_results_of_another_set_and_changed_scenes_are_refused(tmp_path: Path, here: Here) -> None:
    out = tmp_path / "set"
    rows = exported(here, out, "theory-of-space", "--scenes", "0")
    predicted(tmp_path / "results", [*rows, {**rows[0], "index": "999"}], 4)
    given = ("import", tmp_path / "results", "--from", "vlmevalkit", "--log-dir", tmp_path / "logs")
    assert "has a question 999, which is not in this export" in here(*given, "--export", out).stderr
    assert here(*given, "--export", tmp_path / "results").returncode == 2
    manifest = json.loads((out / "tolman-export.json").read_text())
    manifest["cases"]["0"] = "0" * 16
    (out / "tolman-export.json").write_text(json.dumps(manifest))
    assert "is not the one that was exported" in here(*given, "--export", out).stderr


def test_predictions_in_an_excel_file_are_read(tmp_path: Path, here: Here) -> None:
    openpyxl: Any = pytest.importorskip("openpyxl")
    out = tmp_path / "set"
    rows = exported(here, out, "sparrta", "--data", painted(tmp_path / "pictures", 24))
    book = openpyxl.Workbook()
    book.active.append(["index", "question", "prediction"])
    for row in rows:
        book.active.append([int(row["index"]), row["question"], row["answer"]])
    (tmp_path / "results").mkdir()
    book.save(tmp_path / "results" / "model_asked.xlsx")
    done = here("import", tmp_path / "results", "--from", "vlmevalkit", "--export", out, "--log-dir", tmp_path / "logs")
    assert "100.0 % right" in done.stdout


def test_a_set_in_other_words_is_imported_without_their_folder(tmp_path: Path, here: Here) -> None:
    words = tmp_path / "words"
    assert here("wordings", "theory-of-space", "--out", words).returncode == 0
    text = (words / "direction.txt").read_text(encoding="utf-8")
    for file in words.glob("*"):
        file.unlink()
    (words / "direction.txt").write_text(f"In other words: {text}", encoding="utf-8")
    rows = exported(here, tmp_path / "set", "theory-of-space", "--scenes", "0-2", "--wordings", words)
    told = [("In other words: " in row["question"], row["category"]) for row in rows]
    assert {said for said, kind in told if kind == "direction"} == {True}
    assert {said for said, kind in told if kind != "direction"} == {False}
    (words / "direction.txt").unlink()
    share = predicted(tmp_path / "results", rows, 4)
    logs = ("--log-dir", tmp_path / "logs")
    done = here("import", tmp_path / "results", "--from", "vlmevalkit", "--export", tmp_path / "set", *logs)
    assert done.returncode == 0, done.stderr
    assert f"{100 * share:.1f} % right" in done.stdout
    manifest = tmp_path / "set" / "tolman-export.json"
    changed = json.loads(manifest.read_text()) | {"wordings": {"direction": "no gap"}}
    manifest.write_text(json.dumps(changed))
    refused = here("import", tmp_path / "results", "--from", "vlmevalkit", "--export", tmp_path / "set", *logs)
    assert refused.returncode == 2
    assert "lacks the gap" in refused.stderr
