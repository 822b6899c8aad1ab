"""Prompts in other words: what is sent, what a log says of it, and what is refused before any call."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, read_eval_log

from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tests.benchmarks.sparrta.painted_scenes import painted
from tests.command_line import Here
from tolman.benchmarks.osr_bench.prompts import find_judge
from tolman.core.errors import SettingsError
from tolman.core.wording import Wording, own_wording, replaced_wordings, wording
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.harness.registry import BENCHMARKS, find_benchmark, find_task
from tolman.harness.wordings import find_wordings, wording_files, write_wordings

NEVER_SENT: dict[str, set[str]] = {
    "theory-of-space": {"left_out", "picture_left_out", "unexplored_picture", "change_report", "calibration"}
    | {"system_plain", "act_plain", "answer_plain", "world_vision", "senses_vision", "actions_vision", "reason"}
    | {"view_to_action_vision", "view_to_location_vision", "perspective_decision_vision"}
    | {"sizes_1", "sizes_2", "abstain", "odds", "settle"},
    "osr-bench": {"map_published", "pictures_published", "pictures_six", "pictures_four", "pictures_blind"}
    | {"before_question", "answer_thinking", "frame_any"}
    | {"judge_counting", "judge_direction", "judge_distance", "counting", "direction", "distance"},
    "sparrta": {"blind", "answer_thinking"},
}
"""Texts that the runs of these tests have no use for; the questions of a set of OSR-Bench are in its files."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)


def selected(name: str, folder: Path) -> dict[str, Any]:
    match name:
        case "osr-bench":
            return {"data": str(write_set(folder / "rooms"))}
        case "sparrta":
            return {"data": str(painted(folder / "painted", 2)), "point": "always"}
        case _:
            return {"scenes": "7", "rooms": 2, "things": 3, "mode": "active", "maps": "say,true", "questions": 1}


def other_words(name: str, folder: Path, change: Callable[[str, str], str]) -> Path:
    out = folder / "others"
    write_wordings(find_benchmark(name), out)
    for file in out.glob("*.txt"):
        file.write_text(change(file.stem, file.read_text(encoding="utf-8")), encoding="utf-8")
    return out


def marked(name: str, text: str) -> str:
    return f"[{name} for $$5] {text}"


def run(name: str, logs: Path, **options: Any) -> EvalLog:
    model = "tolman/greedy-planner" if name == "theory-of-space" else "tolman/oracle"
    outcome = evaluate([find_task(name)(**options)], RunPlan(model, logs, display="log"))
    assert outcome.complete
    return read_eval_log(outcome.logs[-1].location, resolve_attachments=True)


def sent(log: EvalLog) -> str:
    events = [event for sample in log.samples or () for event in sample.events if isinstance(event, ModelEvent)]
    return "\n".join(message.text for event in events for message in event.input)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_folder_of_other_words_changes_what_is_sent_and_what_the_log_says(name: str, tmp_path: Path) -> None:
    chosen = selected(name, tmp_path)
    ours = run(name, tmp_path / "ours", **chosen)
    others = run(name, tmp_path / "theirs", **chosen, wordings=str(other_words(name, tmp_path, marked)))
    assert "for $5]" not in sent(ours)
    found = set(re.findall(r"\[(\w+) for \$5\]", sent(others)))
    assert found == set(wording_files(find_benchmark(name))) - NEVER_SENT[name]
    digests = [(log.eval.metadata or {})["wordings"] for log in (ours, others)]
    assert digests[0] == find_wordings(find_benchmark(name), "").digest != digests[1]
    assert [sample.metadata["wordings"] for sample in others.samples or ()][:1] == digests[1:]
    assert (others.eval.metadata or {})["options"]["wordings"] == f"others {digests[1][:12]}"
    assert others.results is not None
    assert ours.results is not None
    for one, other in zip(ours.results.scores, others.results.scores, strict=True):
        assert str(one.metrics["mean"].value) == str(other.metrics["mean"].value), one.name


def test_tables_name_other_words_and_a_changed_text_is_another_run(tmp_path: Path, here: Here) -> None:
    chosen, words, logs = selected("sparrta", tmp_path), other_words("sparrta", tmp_path, marked), tmp_path / "logs"
    first = run("sparrta", logs, **chosen, wordings=str(words))
    assert run("sparrta", logs, **chosen, wordings=str(words)).eval.run_id == first.eval.run_id
    (words / "asked.txt").write_text("And where is the $target, from $viewer, for the $source?", encoding="utf-8")
    second = run("sparrta", logs, **chosen, wordings=str(words))
    assert "And where is the" in sent(second)
    names = [f"others {(log.eval.metadata or {})['wordings'][:12]}" for log in (first, second)]
    shown = here("show", logs, "--format", "csv").stdout
    for name in names:
        assert f"wordings {name}" in shown


def test_the_report_gives_the_digest_of_our_own_words(tmp_path: Path, here: Here) -> None:
    run("sparrta", tmp_path / "logs", **selected("sparrta", tmp_path))
    assert here("report", tmp_path / "logs", "--out", tmp_path / "report").returncode == 0
    digest = find_wordings(find_benchmark("sparrta"), "").digest[:12]
    assert any(digest in page.read_text(encoding="utf-8") for page in (tmp_path / "report").rglob("*.html"))


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("asked.txt", "Where is the $target from $viewer?", "lacks the gap $source"),
        ("asked.txt", "Where is the $target from $viewer, $source, $secret?", "has the gap $secret, and asked.txt has"),
        ("asked.txt", "$target, $source, $viewer: is it 5 $ or 6?", "begins no gap; write $$ for a dollar sign"),
        ("asked.txt", " \n", "is empty"),
        ("askd.txt", "Where?", "did you mean asked.txt?"),
        ("notes.md", "Where?", "is not a wording of this benchmark"),
        ("asked.txt", b"\xff\xfe$", "is not text in UTF-8"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line_before_any_call(
    file: str, text: str | bytes, why: str, tmp_path: Path, here: Here
) -> None:
    folder = tmp_path / "others"
    folder.mkdir()
    (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    data = painted(tmp_path / "painted", 1)
    command = ("eval", "sparrta", "--data", data, "--model", "tolman/oracle", "--log-dir", tmp_path / "logs")
    done = here(*command, "--wordings", folder)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert why in line
    assert str(folder / file) in line
    assert not (tmp_path / "logs").exists()


def test_a_question_in_pictures_must_keep_the_mark_of_its_picture(tmp_path: Path) -> None:
    (tmp_path / "perspective_decision_vision.txt").write_text("Which object is it?", encoding="utf-8")
    with pytest.raises(SettingsError, match="lacks the gap <image>"):
        find_wordings(find_benchmark("theory-of-space"), str(tmp_path))


@pytest.mark.parametrize("name", BENCHMARKS)
def test_our_own_texts_as_written_are_still_ours(name: str, tmp_path: Path, here: Here) -> None:
    assert here("wordings", name, "--out", tmp_path / "ours").returncode == 0
    found = find_wordings(find_benchmark(name), str(tmp_path / "ours"))
    assert found == find_wordings(find_benchmark(name), "")
    again = here("wordings", name, "--out", tmp_path / "ours")
    assert "name a folder that is new or empty" in again.stderr
    listed = here("wordings", name, "--format", "csv").stdout
    for each in wording_files(find_benchmark(name)):
        assert each in listed


def test_a_leaderboard_takes_no_run_in_other_words(tmp_path: Path, here: Here) -> None:
    words = other_words("sparrta", tmp_path, marked)
    run("sparrta", tmp_path / "logs", **selected("sparrta", tmp_path), wordings=str(words))
    done = here("submit", tmp_path / "logs", "-o", tmp_path / "entry.json")
    assert done.returncode == 2
    assert "was run with --wordings" in done.stderr


def test_gaps_are_filled_with_plain_values_only() -> None:
    text = Wording("$a and ${b}, {a.__class__} for $$5")
    assert text.gaps == ("a", "b")
    assert text.fill(a="$b", b="%s") == "$b and %s, {a.__class__} for $5"
    assert text.read("- 1 and 2, {a.__class__} for $5.") == {"a": "- 1", "b": "2"}


def test_other_words_end_with_their_context() -> None:
    key = ("tolman.explore", "revision")
    with replaced_wordings({key: Wording("$count things changed.")}):
        assert wording(*key).fill(count=2, budget=3) == "2 things changed."
    assert wording(*key) is own_wording(*key)


def test_the_judge_has_the_published_temperature_under_the_published_rules() -> None:
    assert find_judge("mockllm/model", "published").config.temperature == 0.1
    assert find_judge("mockllm/model", "strict").config.temperature == 0
